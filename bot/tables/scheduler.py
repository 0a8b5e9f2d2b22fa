"""One task over the deadlines of all tables: it sleeps until the earliest and does what is due then.

The deadlines themselves are saved with the tables; what is due is worked out anew from the table when its
time has come (`due`). Knows the tables, not discord: whom to nudge and how, and which table to post anew, is
told to two callbacks.
"""

from __future__ import annotations

import asyncio
import heapq
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta
from typing import Final

import structlog

from bot import metrics
from bot.model.agenda import BY_COMPUTERS, Due
from bot.model.errors import UserError
from bot.tables import Table, Tables

log = structlog.get_logger(__name__)

#: How long what came due while the bot was away waits after a start, how far apart tables come due then, and
#: how long a deadline waits that could not be carried out.
AFTER_START: Final = timedelta(seconds=60)
SPREAD: Final = timedelta(milliseconds=200)
RETRY: Final = timedelta(seconds=5)


class Scheduler:
    """Wakes tables when something is due at them."""

    def __init__(
        self,
        tables: Tables,
        now: Callable[[], datetime],
        nudge: Callable[[Table], Awaitable[None]],
        renew: Callable[[Table], None],
    ) -> None:
        self._tables = tables
        self._now = now
        self._nudge = nudge
        self._renew = renew
        self._when: dict[int, datetime] = {}
        # Entries that `_when` no longer confirms are passed over when they come up.
        self._queue: list[tuple[datetime, int]] = []
        self._sleeping: asyncio.Task[None] | None = None
        self._until: datetime | None = None
        self._doing: dict[int, asyncio.Task[None]] = {}
        self._closed = False
        #: How often something was done, and how late the latest was, in seconds.
        self.done = 0
        self.latest = 0.0

    def start(self) -> None:
        """Take in all tables after the bot was away; what is overdue waits a little, one after the other.

        Computers wait as long as they do where somebody may be caught, people longer.
        """
        for nth, table in enumerate(self._tables.live()):
            entry = self._tables.next_due(table)
            by_computer = entry is not None and entry[1] in BY_COMPUTERS
            wait = self._tables.pace.uno if by_computer else AFTER_START
            self.note(table, not_before=self._now() + wait + nth * SPREAD)

    def note(self, table: Table, *, not_before: datetime | None = None) -> None:
        """Take in that a table has changed: its next deadline is another."""
        entry = self._tables.next_due(table) if self._tables.get(table.id) is table else None
        if entry is None:
            self._when.pop(table.id, None)
            return
        when, _ = entry
        if not_before is not None and when < self._now():
            when = not_before
        if self._when.get(table.id) != when:
            self._when[table.id] = when
            heapq.heappush(self._queue, (when, table.id))
            self._sleep()

    def _sleep(self) -> None:
        """Sleep until the earliest deadline, unless the sleep under way ends before it."""
        while self._queue and self._when.get(self._queue[0][1]) != self._queue[0][0]:
            heapq.heappop(self._queue)
        if not self._queue or self._closed:
            return
        when = self._queue[0][0]
        if self._sleeping is not None and self._until is not None and self._until <= when:
            return
        if self._sleeping is not None:
            self._sleeping.cancel()
        self._until = when
        self._sleeping = asyncio.create_task(self._wake_at(when), name="the next deadline")

    async def _wake_at(self, when: datetime) -> None:
        left = (when - self._now()).total_seconds()
        if left > 0:
            await asyncio.sleep(left)
        self._sleeping = None
        now = self._now()
        while self._queue and self._queue[0][0] <= now:
            due_at, table_id = heapq.heappop(self._queue)
            if self._when.get(table_id) == due_at:
                del self._when[table_id]
                self._begin(table_id, due_at)
        self._sleep()

    def _begin(self, table_id: int, due_at: datetime) -> None:
        table = self._tables.get(table_id)
        if table is None or table_id in self._doing:
            return
        late = (self._now() - due_at).total_seconds()
        self.latest = max(self.latest, late)
        metrics.LATE_SECONDS.observe(max(0.0, late))
        task = asyncio.create_task(self._do(table), name=f"what is due at table {table_id}")
        self._doing[table_id] = task

    async def _do(self, table: Table) -> None:
        """Do what is due at one table, then wait for what is due next."""
        retry: datetime | None = None
        try:
            entry = self._tables.next_due(table)
            if entry is not None and entry[0] <= self._now():
                self.done += 1
                if entry[1] is Due.NUDGE:
                    await self._nudge(table)
                elif entry[1] is Due.REPOST:
                    self._renew(table)
                else:
                    await self._tables.tick(table, self._now())
        except UserError as error:
            log.warning("deadline_put_off", table=table.id, problem=error.problem.value)
            retry = self._now() + RETRY
        except Exception:
            log.exception("deadline_failed", table=table.id)
            retry = self._now() + RETRY
        finally:
            self._doing.pop(table.id, None)
            self.note(table, not_before=retry)

    async def close(self, within: float) -> None:
        """Wait for nothing more, and finish what is being done, in so many seconds at most."""
        self._closed = True
        if self._sleeping is not None:
            self._sleeping.cancel()
        if self._doing:
            await asyncio.wait(self._doing.values(), timeout=within)
