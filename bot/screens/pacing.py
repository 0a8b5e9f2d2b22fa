"""How many requests tables make together: Discord gives a bot 50 a second, answers not counted."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import datetime, timedelta


class Pacing:
    """Hands out moments to make a request, `pause` seconds apart."""

    def __init__(self, pause: float, now: Callable[[], datetime]) -> None:
        self._step = timedelta(seconds=pause)
        self._now = now
        self._next: datetime | None = None

    async def turn(self) -> None:
        """Wait for the next moment; at once where few ask."""
        now = self._now()
        at = now if self._next is None else max(now, self._next)
        self._next = at + self._step
        if at > now:
            await asyncio.sleep((at - now).total_seconds())
