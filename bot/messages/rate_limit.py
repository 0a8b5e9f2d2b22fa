"""How many requests all tables make together. Discord allows a bot 50 a second, not counting answers."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import datetime
from typing import Final

#: Since when somebody waits. It is asked again whenever a slot is free, and the earliest comes first.
Since = Callable[[], datetime]

#: After this many seconds in line a request goes ahead without a slot.
LONGEST: Final = 30.0


def remaining(since: datetime, pause: float, now: datetime) -> float:
    """Return how many seconds of a pause are left; none after a jump of the machine's clock."""
    left = pause - (now - since).total_seconds()
    return left if 0 < left <= pause else 0.0


class RateLimit:
    """Hands out slots for requests, `pause` seconds apart, to the one that waits longest."""

    def __init__(self, pause: float, now: Callable[[], datetime]) -> None:
        self._pause = pause
        self._now = now
        self._last: datetime | None = None
        # Each place in line is a sleep; cancelling it lets the request go.
        self._line: list[tuple[Since, asyncio.Task[None]]] = []
        self._handing_out: asyncio.Task[None] | None = None

    async def turn(self, since: Since) -> None:
        """Wait for a slot. There is no wait while few requests are made."""
        if not self._line and not self._left():
            self._last = self._now()
            return
        place = since, asyncio.create_task(asyncio.sleep(LONGEST), name="in line")
        self._line.append(place)
        if self._handing_out is None:
            self._handing_out = asyncio.create_task(self._hand_out(), name="pacing")
        try:
            await asyncio.wait([place[1]])
        finally:
            place[1].cancel()
            if place in self._line:
                self._line.remove(place)

    def _left(self) -> float:
        """Return in how many seconds the next slot is free."""
        return 0.0 if self._last is None else remaining(self._last, self._pause, self._now())

    async def _hand_out(self) -> None:
        try:
            while self._line:
                if left := self._left():
                    await asyncio.sleep(left)
                if self._line:
                    self._last = self._now()
                    first = min(self._line, key=lambda place: place[0]())
                    self._line.remove(first)
                    first[1].cancel()
        finally:
            self._handing_out = None
