"""What the clock does at a table, and the computer for its own players and whoever is on autopilot.

docs/rules.md, The clock; Time-outs; Autopilot; Computer players.
"""

from __future__ import annotations

import asyncio
from collections import deque
from datetime import datetime, timedelta
from functools import partial
from typing import Final

import structlog

from bot.model.agenda import BY_COMPUTERS, Due, Shown, held_until, nudge_at
from bot.model.computers import catcher, jumper, player
from bot.model.ending import Ending
from bot.model.errors import UserError
from bot.model.state import State
from bot.store import LiveTable, StoredTable
from bot.tables.core import Core
from bot.tables.draft import Change, Click, Draft, Table
from bot.tables.outages import SAVES, Kind, Outages, concerns
from bot.tables.restoring import LEAST_TIME, SPREAD
from bot.tables.scheduler import RETRY, Scheduler
from engine.actions import DEAL, SAY_UNO, TIME_OUT, Catch
from engine.views import seat_view

log = structlog.get_logger(__name__)

#: An outage that is over so soon costs nobody the thread; after a longer one everybody has some time again.
SHORT: Final = timedelta(seconds=10)
#: How long what came due while the bot was away waits after a start, where a person is concerned.
AFTER_START: Final = timedelta(seconds=60)
#: How long after a save that failed another is tried, to see whether they work again.
PROBE: Final = timedelta(seconds=5)
#: How far apart tables go on after an outage.
RESUME_SPREAD: Final = timedelta(milliseconds=5)


class Clock(Core):
    """What happens without a click."""

    async def tick(self, table: Table, now: datetime) -> Change | None:
        """Do the first thing that is due at a table by now; None if nothing is.

        What is due is looked up again under the lock: a click that was faster has changed it.
        """
        if self._rests(table):
            return None
        async with self._changing(table, Click.of_the_clock(now)) as draft:
            due = self.next_due(draft.before, table.shown)
            if due is None or due[0] > now:
                draft.drop()
            else:
                _do(draft, due[1])
        return None if draft.dropped else draft.change

    def shown(self, table: Table, state: State, now: datetime) -> None:
        """Note that a table's message shows a state by now: what an item did is seen from then on."""
        item_at = state.clock.item_at
        if item_at is None or item_at != table.state.clock.item_at or table.state.ended is not None:
            return
        if table.shown is None or table.shown.item_at != item_at:
            table.shown = Shown(item_at, now)
        table.due = self.next_due(table.state, table.shown)
        for listener in self._due_listeners:
            listener(table)

    def held_until(self, table: Table) -> datetime | None:
        """Return until when computers let everybody see what an item did; None if there is nothing to see."""
        return held_until(table.state, self.pace, table.shown)

    async def nudged(self, table: Table, now: datetime) -> Change | None:
        """Note that the one waited for is being nudged; None where nobody is to be nudged any more."""
        if self._rests(table):
            return None
        async with self._changing(table, Click.of_the_clock(now)) as draft:
            if nudge_at(draft.before, self.pace, None) is None:
                draft.drop()
            else:
                draft.after.clock.nudged = draft.match.decision
        return None if draft.dropped else draft.change

    def _rests(self, table: Table) -> bool:
        """Whether the clock does nothing at a table now: it has ended, or people cannot play."""
        over = table.unsettled is not None or table.state.ended is not None
        return over or self._outages.stop_play(table.guild_id)

    async def resume_after(self, table: Table, since: datetime, now: datetime) -> Change | None:
        """Let the clock of a table run again after an outage; None where it makes no difference.

        The clock has stood meanwhile. After a long outage nobody has less than the usual grace.
        """
        if self._rests(table) or table.due is None:
            return None
        async with self._changing(table, Click.of_the_clock(now)) as draft:
            stood = now - max(since, min(draft.before.clock.full_at, now))
            draft.after.clock.shift(max(stood, timedelta()))
            due = self.next_due(draft.after, table.shown)
            if due is not None and stood >= SHORT and due[1] not in BY_COMPUTERS:
                turn = timedelta(seconds=draft.after.options.turn_time or 0)
                draft.after.clock.shift(max(timedelta(), now + max(LEAST_TIME, turn) - due[0]))
        return draft.change


def _do(draft: Draft, what: Due) -> None:
    after = draft.after
    if what is Due.CLOSE_LOBBY:
        after.ended = Ending.EXPIRED
    elif what is Due.END_IDLE:
        after.ended = Ending.IDLE
    elif what is Due.RESUME:
        after.clock.paused_at = None
        after.clock.full_at = after.clock.began_at = after.clock.acted_at = draft.click.now
    elif what is Due.DEAL:
        draft.do(draft.match.game.seated()[0], DEAL, auto=True)
    elif what is Due.TIME_OUT:
        draft.do(draft.match.turn, TIME_OUT, auto=True)
    elif what is Due.CATCH:
        _catch(draft)
    else:
        seat = jumper(draft.before) if what is Due.JUMP_IN else draft.match.turn
        assert seat is not None
        _answer(draft, seat)


def _catch(draft: Draft) -> None:
    """Let the first computer player catch that wants to."""
    seat = catcher(draft.before)
    assert seat is not None
    draft.do(seat, Catch(draft.match.game.owed), auto=True)


def _answer(draft: Draft, seat: int) -> None:
    """Let the computer answer for a seat, and in the same move say its UNO, unless it forgets."""
    match = draft.match
    mind = player(draft.before, seat, str(match.decision))
    draft.do(seat, mind.answer(seat_view(match, seat)), auto=True)
    if match.game.owed == seat and mind.says_uno(seat_view(match, seat)):
        draft.do(seat, SAY_UNO, auto=True)


class TableClock:
    """Ticks each table when something is due there."""

    def __init__(self, tables: Clock, scheduler: Scheduler, outages: Outages) -> None:
        self._tables = tables
        self._scheduler = scheduler
        self._outages = outages
        # The tables whose clock is still to be put right, and since when it has stood.
        self._standing: dict[int, datetime] = {}
        outages.listen(self._over)
        tables.listen(lambda change: self._wait(change.table))
        tables.when_due_changes(self._wait)
        tables.listen_restored(self._restored)
        self._restored_at_start = 0
        self._started = False
        #: The idle tables by their deadlines: those due before the start, and those due later.
        self._overdue: deque[LiveTable] = deque()
        self._coming: deque[LiveTable] = deque()

    def start(self) -> None:
        """Wait for the deadlines of the idle tables, and restore one after the other, the overdue ones first.

        Each is looked at once, because its line does not say whether somebody there is to be called.
        """
        self._started = True
        now = self._scheduler.now()
        for table in self._tables.idle():
            later = table.due_at is not None and table.due_at > now
            (self._coming if later else self._overdue).append(table)
        self._plan_restoring()

    def _plan_restoring(self) -> None:
        """Schedule the restoring of the next table, and of the first that is due."""
        for tables in (self._overdue, self._coming):
            while tables and not self._tables.is_idle(tables[0].id):
                tables.popleft()
        first = next((tables[0] for tables in (self._overdue, self._coming) if tables), None)
        if first is not None:
            self._scheduler.at(
                "restoring", self._scheduler.now() + SPREAD, partial(self._bring_back, first.id)
            )
        due_at = self._coming[0].due_at if self._coming else None
        if due_at is not None:
            self._scheduler.at("idle", due_at, partial(self._bring_back, self._coming[0].id))

    async def _bring_back(self, table_id: int, now: datetime) -> None:
        await self._tables.restore([table_id], now)
        self._plan_restoring()

    def _restored(self, table: Table, stored: StoredTable) -> None:
        """Wait for what is due at a table; what is overdue waits a little, one after the other at a start.

        Computers wait as long as they do where somebody may be caught, people longer.
        """
        by_computer = table.due is not None and table.due[1] in BY_COMPUTERS
        wait = self._tables.pace.uno if by_computer else AFTER_START
        if not self._started:
            wait += self._restored_at_start * SPREAD
            self._restored_at_start += 1
        self._wait(table, overdue_until=self._scheduler.now() + wait)

    def _wait(self, table: Table, *, overdue_until: datetime | None = None) -> None:
        due = table.due if self._tables.get(table.id) is table else None
        when = None if due is None else due[0]
        if when is not None and overdue_until is not None and when < self._scheduler.now():
            when = overdue_until
        self._scheduler.at(("table", table.id), when, partial(self._tick, table))

    def _over(self, kind: Kind, since: datetime) -> None:
        """Let the clocks run again that an outage has stopped, a few tables at a time."""
        guilds = [guild_id for guild_id in self._tables.guild_ids() if concerns(kind, guild_id)]
        concerned = [table_id for guild_id in guilds for table_id in self._tables.ids_of(guild_id)]
        for nth, table_id in enumerate(concerned):
            # What has come due meanwhile waits until the table's clock has been put right.
            self._scheduler.forget(("table", table_id))
            when = self._scheduler.now() + nth * RESUME_SPREAD
            self._standing[table_id] = min(since, self._standing.get(table_id, since))
            self._scheduler.at(("resume", table_id), when, partial(self._resume, table_id))

    async def _resume(self, table_id: int, now: datetime) -> None:
        table = await self._tables.reach(table_id, now)
        if table is None:
            self._standing.pop(table_id, None)
            return
        since = self._standing.get(table_id, now)
        try:
            if await self._tables.resume_after(table, since, now) is None:
                self._wait(table, overdue_until=now + RETRY)
        except UserError as error:
            log.warning("clock_not_resumed", table=table.id, problem=error.problem.value)
            self._scheduler.at(("resume", table_id), now + RETRY, partial(self._resume, table_id))
        else:
            # Another outage may have begun; at its end the clock has stood since the first.
            if not self._outages.stop_play(table.guild_id):
                self._standing.pop(table_id, None)

    # --- saves that fail

    def save_settled(self) -> None:
        """Stop all clocks once nothing can be saved, until something is; called after each save."""
        now = self._scheduler.now()
        failing = self._tables.store.problem is not None
        if failing:
            self._outages.begin(SAVES, now)
        else:
            self._outages.end(SAVES)
        self._scheduler.at(("saves",), now + PROBE if failing else None, self._probe)

    async def _probe(self, now: datetime) -> None:
        """Save nothing, to see whether that works again."""
        beat = self._tables.store.beat()
        await asyncio.wait([beat])
        if not beat.cancelled():
            beat.exception()  # the store remembers why
            self.save_settled()

    async def _tick(self, table: Table, now: datetime) -> None:
        retry: datetime | None = None
        try:
            if await self._tables.tick(table, now) is None:
                retry = now + RETRY
        except UserError as error:
            log.warning("deadline_put_off", table=table.id, problem=error.problem.value)
            retry = now + RETRY
        if retry is not None:
            self._wait(table, overdue_until=retry)
