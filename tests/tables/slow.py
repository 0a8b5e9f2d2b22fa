"""A store whose saves wait for a word, or fail."""

from __future__ import annotations

import asyncio

from bot.store import Save, Store


class SlowStore(Store):
    """A store whose saves wait for a word, or fail."""

    def __init__(self, url: str) -> None:
        super().__init__(url)
        self.gate: asyncio.Future[bool] | None = None

    def submit(self, save: Save) -> asyncio.Future[bool]:
        if self.gate is None:
            return super().submit(save)
        return self.gate
