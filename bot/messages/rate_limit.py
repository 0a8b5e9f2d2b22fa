"""How many requests tables make together: Discord gives a bot 50 a second, answers not counted."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Final

#: Since when somebody waits, asked anew at each moment handed out: the earliest comes first.
Since = Callable[[], datetime]

#: Whoever has waited in line for so many seconds goes on whether their turn has come or not.
LONGEST: Final = 30.0


class RateLimit:
    """Hands out moments to make a request, `pause` seconds apart, to whoever waits longest."""

    def __init__(self, pause: float, now: Callable[[], datetime]) -> None:
        self._step = timedelta(seconds=pause)
        self._now = now
        self._next = datetime.min.replace(tzinfo=UTC)
        # Whoever is in line sleeps, and is woken by the end of that sleep.
        self._line: list[tuple[Since, asyncio.Task[None]]] = []
        self._giving: asyncio.Task[None] | None = None

    async def turn(self, since: Since) -> None:
        """Wait for a moment; at once where few ask."""
        now = self._now()
        if not self._line and self._next <= now:
            self._next = now + self._step
            return
        place = since, asyncio.create_task(asyncio.sleep(LONGEST), name="in line")
        self._line.append(place)
        if self._giving is None:
            self._giving = asyncio.create_task(self._give(), name="pacing")
        try:
            await asyncio.wait([place[1]])
        finally:
            place[1].cancel()
            if place in self._line:
                self._line.remove(place)

    async def _give(self) -> None:
        try:
            while self._line:
                left = (self._next - self._now()).total_seconds()
                if left > 0:
                    await asyncio.sleep(left)
                if self._line:
                    self._next = max(self._next + self._step, self._now())
                    first = min(self._line, key=lambda place: place[0]())
                    self._line.remove(first)
                    first[1].cancel()
        finally:
            self._giving = None
