"""One task over all deadlines: it sleeps until the earliest and does what is due then.

Each deadline has a key of its own, and what to do when it comes. Knows neither tables nor discord.
"""

from __future__ import annotations

import asyncio
import heapq
from collections.abc import Awaitable, Callable, Hashable
from datetime import datetime, timedelta
from typing import Final

import structlog

from bot import metrics

log = structlog.get_logger(__name__)

#: How long a deadline waits whose work failed.
RETRY: Final = timedelta(seconds=5)

#: What is done when a deadline comes; it is told the time.
Work = Callable[[datetime], Awaitable[None]]


class Scheduler:
    """Does what is due, each key on its own: one that takes long holds up no other."""

    def __init__(self, now: Callable[[], datetime]) -> None:
        self.now = now
        self._entries: dict[Hashable, tuple[datetime, Work]] = {}
        # Times that `_entries` no longer confirms are passed over when they come up. The number tells apart
        # entries of one moment.
        self._heap: list[tuple[datetime, int, Hashable]] = []
        self._number = 0
        self._sleeping: asyncio.Task[None] | None = None
        self._until: datetime | None = None
        self._doing: dict[Hashable, asyncio.Task[None]] = {}
        self._closed = False
        #: How often something was done, and how late the latest was, in seconds.
        self.done = 0
        self.latest = 0.0

    def forget(self, key: Hashable) -> None:
        """Remove the deadline of a key, if it has one."""
        self._entries.pop(key, None)

    def at(self, key: Hashable, when: datetime | None, work: Work) -> None:
        """Set the one deadline of a key, in place of the one before; None: nothing is due."""
        if when is None:
            self.forget(key)
            return
        old = self._entries.get(key)
        self._entries[key] = (when, work)
        if old is None or old[0] != when:
            self._push(key, when)
            self._sleep()

    def when(self, key: Hashable) -> datetime | None:
        """Return when the deadline of a key is, None where there is none."""
        entry = self._entries.get(key)
        return None if entry is None else entry[0]

    def _push(self, key: Hashable, when: datetime) -> None:
        if len(self._heap) > 2 * len(self._entries) + 64:
            self._heap = [(at, n, each) for n, (each, (at, _)) in enumerate(self._entries.items())]
            heapq.heapify(self._heap)
            self._number = len(self._heap)
        self._number += 1
        heapq.heappush(self._heap, (when, self._number, key))

    def _confirmed(self, when: datetime, key: Hashable) -> bool:
        entry = self._entries.get(key)
        return entry is not None and entry[0] == when and key not in self._doing

    def _sleep(self) -> None:
        """Sleep until the earliest deadline, unless the sleep under way ends before it."""
        while self._heap and not self._confirmed(self._heap[0][0], self._heap[0][2]):
            heapq.heappop(self._heap)
        if not self._heap or self._closed:
            return
        when = self._heap[0][0]
        if self._sleeping is not None and self._until is not None and self._until <= when:
            return
        if self._sleeping is not None:
            self._sleeping.cancel()
        self._until = when
        self._sleeping = asyncio.create_task(self._wake_at(when), name="the next deadline")

    async def _wake_at(self, when: datetime) -> None:
        left = (when - self.now()).total_seconds()
        if left > 0:
            await asyncio.sleep(left)
        self._sleeping = None
        now = self.now()
        while self._heap and self._heap[0][0] <= now:
            due_at, _, key = heapq.heappop(self._heap)
            if self._confirmed(due_at, key):
                _, work = self._entries.pop(key)
                self._begin(key, work, (now - due_at).total_seconds())
        self._sleep()

    def _begin(self, key: Hashable, work: Work, late: float) -> None:
        self.done += 1
        self.latest = max(self.latest, late)
        metrics.LATE_SECONDS.observe(max(0.0, late))
        self._doing[key] = asyncio.create_task(self._do(key, work), name=f"due: {key}")

    async def _do(self, key: Hashable, work: Work) -> None:
        retry = False
        try:
            await work(self.now())
        except Exception:
            log.exception("deadline_failed", key=str(key))
            retry = True
        finally:
            del self._doing[key]
            if key in self._entries:
                # Set meanwhile, and passed over while the work was under way.
                self._push(key, self._entries[key][0])
                self._sleep()
            elif retry:
                self.at(key, self.now() + RETRY, work)

    async def close(self, within: float) -> None:
        """Wait for nothing more, and finish what is being done, in so many seconds at most."""
        self._closed = True
        if self._sleeping is not None:
            self._sleeping.cancel()
        if self._doing:
            await asyncio.wait(self._doing.values(), timeout=within)
