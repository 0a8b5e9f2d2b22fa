"""A store whose saves wait for a word, or fail."""

from __future__ import annotations

import asyncio

from bot.store import Save, Store, Uncertain


class SlowStore(Store):
    """A store whose saves wait for a word, or fail."""

    def __init__(self, url: str) -> None:
        super().__init__(url)
        self.gate: asyncio.Future[bool] | None = None
        #: Saves are written, and nobody can tell.
        self.mute = False

    def submit(self, save: Save) -> asyncio.Future[bool]:
        if self.mute:
            return asyncio.ensure_future(self._lose_word_of(super().submit(save)))
        if self.gate is None:
            return super().submit(save)
        return self.gate

    @staticmethod
    async def _lose_word_of(saving: asyncio.Future[bool]) -> bool:
        await saving
        raise Uncertain("nothing is heard of the disk")
