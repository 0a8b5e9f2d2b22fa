"""Which live tables there are, and how one comes back into memory: when it is pressed, or when it is due.

At the start only a line of each table is read. A table that was not restored yet is `idle`: it takes a few
hundred bytes, and nothing happens there that its line does not say. What is known of it is its server, its
channel, its host, and when the clock is to do something there.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime, timedelta
from typing import Final

import structlog

from bot.model.agenda import BY_COMPUTERS, Due, Pace, Shown, agenda
from bot.model.seating import Person, Seating
from bot.model.snapshot import restore
from bot.model.state import LONG_AGO, State
from bot.store import LiveTable, Save, Store, StoredTable, TableRecord
from bot.tables.draft import Table

log = structlog.get_logger(__name__)

#: How far apart tables come due that are restored together, and the least time a player then has.
SPREAD: Final = timedelta(milliseconds=200)
LEAST_TIME: Final = timedelta(seconds=60)
#: How many tables are read at once.
_TOGETHER: Final = 64


class Restoring:
    """All live tables of this process, those in memory and the idle ones."""

    def __init__(self, store: Store, pace: Pace) -> None:
        self.store = store
        self.pace = pace
        self._by_id: dict[int, Table] = {}
        self._idle: dict[int, LiveTable] = {}
        self._by_channel: dict[int, int] = {}
        self._by_guild: defaultdict[int, set[int]] = defaultdict(set)
        self._next_id = 1
        self._loaded_at = LONG_AGO
        self._reading: dict[int, asyncio.Task[None]] = {}
        self._when_restored: list[Callable[[Table, StoredTable], None]] = []
        self._when_unreadable: list[Callable[[Table], None]] = []

    def listen_restored(self, listener: Callable[[Table, StoredTable], None]) -> None:
        """Call a listener with every table that comes back into memory, one that has ended too."""
        self._when_restored.append(listener)

    def listen_unreadable(self, listener: Callable[[Table], None]) -> None:
        """Call a listener with every table that cannot be restored; it is closed."""
        self._when_unreadable.append(listener)

    async def load(self, now: datetime) -> None:
        """Learn which tables lived when the bot stopped; all are idle."""
        self._loaded_at = now
        self._next_id = await self.store.next_table_id()
        for record in await self.store.live_tables():
            self._idle[record.id] = record
            self._place(record.id, record.guild_id, record.channel_id)

    # --- which there are

    def get(self, table_id: int) -> Table | None:
        """Find a table in memory by its number."""
        return self._by_id.get(table_id)

    def in_channel(self, channel_id: int) -> Table | None:
        """Find the table in memory of a channel or thread."""
        table_id = self._by_channel.get(channel_id)
        return None if table_id is None else self._by_id.get(table_id)

    def live(self) -> list[Table]:
        """List the tables in memory."""
        return list(self._by_id.values())

    def idle(self) -> list[LiveTable]:
        """List the idle tables, at first by their deadlines."""
        return list(self._idle.values())

    def is_idle(self, table_id: int) -> bool:
        """Whether a table lives and is not in memory."""
        return table_id in self._idle

    def id_in_channel(self, channel_id: int) -> int | None:
        """Return the number of the live table of a channel or thread, idle or not."""
        return self._by_channel.get(channel_id)

    def guild_ids(self) -> list[int]:
        """List the servers that have live tables."""
        return list(self._by_guild)

    def ids_of(self, guild_id: int) -> list[int]:
        """List the numbers of a server's live tables, idle or not."""
        return sorted(self._by_guild.get(guild_id, ()))

    def _place(self, table_id: int, guild_id: int, channel_id: int) -> None:
        self._by_channel[channel_id] = table_id
        self._by_guild[guild_id].add(table_id)

    def _add(self, table: Table) -> None:
        self._by_id[table.id] = table
        self._place(table.id, table.guild_id, table.channel_id)

    def _drop(self, table: Table) -> None:
        self._by_id.pop(table.id, None)
        self._forget(table.id, table.guild_id, table.channel_id)

    def _forget(self, table_id: int, guild_id: int, channel_id: int) -> None:
        self._idle.pop(table_id, None)
        if self._by_channel.get(channel_id) == table_id:
            del self._by_channel[channel_id]
        there = self._by_guild.get(guild_id, set())
        there.discard(table_id)
        if not there:
            self._by_guild.pop(guild_id, None)

    def _move(self, table: Table, channel_id: int) -> None:
        self._by_channel.pop(table.channel_id, None)
        table.channel_id = channel_id
        self._by_channel[channel_id] = table.id

    # --- restoring

    async def reach(self, table_id: int, now: datetime) -> Table | None:
        """Return a live table, restored if it is idle; None if there is none."""
        if table_id in self._idle:
            await self.restore([table_id], now)
        return self._by_id.get(table_id)

    async def reach_all(self, guild_id: int, now: datetime) -> list[Table]:
        """Return all live tables of a server, restored if they are idle."""
        ids = self.ids_of(guild_id)
        await self.restore(ids, now)
        return [self._by_id[table_id] for table_id in ids if table_id in self._by_id]

    async def restore(self, ids: Iterable[int], now: datetime) -> None:
        """Bring those of these tables that are idle back into memory.

        What came due while the bot was away is put off, so that nobody loses a turn while they could not play
        it. Raises what keeps the store from being read; the tables are idle still then.
        """
        wanted = [table_id for table_id in ids if table_id in self._idle]
        unread = [table_id for table_id in wanted if table_id not in self._reading]
        if unread:
            # A task of its own: whoever asked first may be cancelled while others wait.
            task = asyncio.create_task(self._read(unread, now), name="restoring tables")
            self._reading |= dict.fromkeys(unread, task)
        for task in {self._reading[table_id] for table_id in wanted}:
            await asyncio.shield(task)

    async def _read(self, ids: Sequence[int], now: datetime) -> None:
        try:
            for first in range(0, len(ids), _TOGETHER):
                some = ids[first : first + _TOGETHER]
                found = {stored.table.id: stored for stored in await self.store.stored_tables(some)}
                for nth, table_id in enumerate(some, first):
                    if table_id in found:
                        await self._bring_back(found[table_id], now, nth)
                    elif (idle := self._idle.get(table_id)) is not None:
                        # Its row is damaged, and left as it is.
                        self._forget(table_id, idle.guild_id, idle.channel_id)
        finally:
            for table_id in ids:
                del self._reading[table_id]

    async def _bring_back(self, stored: StoredTable, now: datetime, nth: int) -> None:
        record = stored.table
        people = [Person(seat.user_id, seat.name, seat.cpu) for seat in stored.seats]
        table = Table(record.id, record.guild_id, record.channel_id, State(Seating(people)))
        table.saved_at = record.updated_at
        self._forget(record.id, record.guild_id, record.channel_id)
        try:
            state = restore(record.snapshot, people, record.version)
            if state.ended is None:
                self._put_off(state, now, nth)
                table.due = self.next_due(state)
        except Exception:  # whatever is wrong with it, it costs this table alone
            log.exception("table_unreadable", table=record.id)
            await self._close_unread(record, now)
            for listener in self._when_unreadable:
                listener(table)
            return
        table.state = state
        if state.ended is None:
            self._add(table)
        for restored in self._when_restored:
            restored(table, stored)

    async def _close_unread(self, record: TableRecord, now: datetime) -> None:
        closed = TableRecord(record.id, record.guild_id, record.channel_id, record.version + 1, {}, now)
        try:
            await self.store.submit(Save(table=closed, closes=True))
        except Exception:
            log.exception("unreadable_table_not_closed", table=record.id)

    def _put_off(self, state: State, now: datetime, nth: int) -> None:
        """Shift the clock of a table where a person's time ran out before this process began."""
        # Saved by a clock that ran ahead of today's.
        ahead = max(state.clock.acted_at, state.clock.full_at, state.clock.began_at) - now
        if ahead > timedelta():
            state.clock.shift(-ahead)
        first = next((when for when, what in agenda(state, self.pace) if what not in BY_COMPUTERS), None)
        if first is not None and first <= self._loaded_at:
            least = max(LEAST_TIME, timedelta(seconds=state.options.turn_time or 0))
            state.clock.shift(now + least + nth * SPREAD - first)

    def next_due(self, state: State, shown: Shown | None = None) -> tuple[datetime, Due] | None:
        """Return what the clock does next at a table in this state, and when; None if it does nothing.

        `shown` is the item that is on screen there.
        """
        return next(iter(agenda(state, self.pace, shown)), None)
