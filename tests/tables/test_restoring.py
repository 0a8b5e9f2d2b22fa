"""A table lies idle in the database until it is pressed or due, and nothing is lost by that."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable
from contextlib import closing
from datetime import datetime, timedelta
from pathlib import Path

import pytest
import structlog

from bot.model.agenda import Due
from bot.model.errors import Problem
from bot.store import NotSaved, Store, StoredTable
from bot.tables import Click, Limits, Options, Outages, Scheduler, Table, TableClock, Tables
from bot.tables.outages import shard
from engine.actions import DRAW
from tests.tables.sitting import CHANNEL, GUILD, PACE, Somebody, holder, lobby, playing, refused

MINUTE = timedelta(minutes=1)


@pytest.fixture
def started(store: Store) -> Callable[[datetime], object]:
    """Give a function that starts the bot anew; all its tables are idle."""

    async def start(now: datetime) -> Tables:
        again = Tables(store, PACE, Outages(), save_timeout=60.0, catch_grace=2.0)
        await again.load(now)
        return again

    return start


class Counting:
    """Counts how often tables are read from the store."""

    def __init__(self, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
        self.asked: list[list[int]] = []
        self.fails = False
        self._read = store.stored_tables
        monkeypatch.setattr(store, "stored_tables", self)

    async def __call__(self, ids: list[int]) -> list[StoredTable]:
        self.asked.append(ids)
        if self.fails:
            raise NotSaved("the disk is gone")
        return await self._read(ids)


@pytest.fixture
def reads(store: Store, monkeypatch: pytest.MonkeyPatch) -> Counting:
    return Counting(store, monkeypatch)


class Now:
    """A clock that tests move, and a scheduler by it."""

    def __init__(self, time: datetime) -> None:
        self.time = time

    def __call__(self) -> datetime:
        return self.time


async def test_a_start_reads_no_table(
    tables: Tables, by: Somebody, reads: Counting, started: Callable[..., object]
) -> None:
    table = await playing(tables, by)
    again = await started(by.now)
    assert (again.live(), [idle.id for idle in again.idle()]) == ([], [table.id])
    assert again.get(table.id) is None
    assert again.is_idle(table.id)
    assert again.id_in_channel(CHANNEL) == table.id
    assert (again.guild_ids(), again.ids_of(GUILD)) == ([GUILD], [table.id])
    assert reads.asked == []


async def test_whoever_reaches_it_finds_it_as_it_was(
    tables: Tables, by: Somebody, reads: Counting, started: Callable[..., object]
) -> None:
    table = await playing(tables, by)
    again = await started(by.now)
    found = await asyncio.gather(*(again.reach(table.id, by.now) for _ in range(3)))
    assert found == [again.get(table.id)] * 3, "there is one table, whoever asked first"
    assert reads.asked == [[table.id]]
    assert found[0].state == table.state
    assert found[0].due == table.due
    assert not again.is_idle(table.id)
    user, match = holder(found[0])
    await again.act(found[0], by(user), (DRAW,), match.decision)
    assert await again.reach(404, by.now) is None


async def test_who_gives_up_waiting_keeps_nobody_else_from_it(
    tables: Tables, by: Somebody, started: Callable[..., object]
) -> None:
    table = await playing(tables, by)
    again = await started(by.now)
    first = asyncio.create_task(again.reach(table.id, by.now))
    second = asyncio.create_task(again.reach(table.id, by.now))
    await asyncio.sleep(0)
    first.cancel()
    assert (await second) is again.get(table.id)


async def test_a_table_that_cannot_be_read_now_stays_idle(
    tables: Tables, by: Somebody, reads: Counting, started: Callable[..., object]
) -> None:
    table = await playing(tables, by)
    again = await started(by.now)
    reads.fails = True
    for _ in range(2):
        with pytest.raises(NotSaved):
            await again.reach(table.id, by.now)
    assert again.is_idle(table.id)
    reads.fails = False
    assert (await again.reach(table.id, by.now)) is not None


async def test_a_table_that_never_can_be_read_is_closed_and_told_of(
    tables: Tables, by: Somebody, started: Callable[..., object], store: Store, tmp_path: Path
) -> None:
    table = await playing(tables, by)
    with closing(sqlite3.connect(tmp_path / "tables.db")) as database, database:
        database.execute("UPDATE tables SET snapshot = '{}'")
    again = await started(by.now)
    told: list[Table] = []
    again.listen_unreadable(told.append)
    with structlog.testing.capture_logs() as logged:
        assert await again.reach(table.id, by.now) is None
    assert [line["event"] for line in logged] == ["table_unreadable"]
    assert [(broken.id, broken.channel_id) for broken in told] == [(table.id, CHANNEL)]
    assert again.id_in_channel(CHANNEL) is None
    assert await store.live_tables() == []
    await again.open_lobby(GUILD, CHANNEL, by(9), Options())


async def test_a_table_whose_row_was_damaged_meanwhile_takes_no_channel(
    tables: Tables, by: Somebody, started: Callable[..., object], tmp_path: Path
) -> None:
    table = await playing(tables, by)
    again = await started(by.now)
    with closing(sqlite3.connect(tmp_path / "tables.db")) as database, database:
        database.execute("UPDATE tables SET guild_id = 'x'")
    with structlog.testing.capture_logs():
        assert await again.reach(table.id, by.now) is None
    assert (again.idle(), again.id_in_channel(CHANNEL)) == ([], None)


# --- what is known of an idle table


async def test_its_channel_is_taken(tables: Tables, by: Somebody, started: Callable[..., object]) -> None:
    await lobby(tables, by)
    again = await started(by.now)
    await refused(Problem.LOBBY_IS_OPEN, again.open_lobby(GUILD, CHANNEL, by(9), Options()))
    other = await again.open_lobby(GUILD, CHANNEL + 1, by(9), Options())
    again = await started(by.now)
    there = await again.reach(other.id, by.now)
    assert there is not None
    await refused(Problem.CHANNEL_TAKEN, again.move(there, by(9), CHANNEL))


async def test_two_who_open_where_one_has_ended_get_one_lobby(
    tables: Tables, by: Somebody, started: Callable[..., object]
) -> None:
    table = await playing(tables, by)
    await tables.end(table, by(50), moderator=True)
    again = await started(by.now)
    opened = await asyncio.gather(
        *(again.open_lobby(GUILD, CHANNEL, by(user), Options()) for user in (8, 9)), return_exceptions=True
    )
    assert sum(isinstance(lobby, Table) for lobby in opened) == 1
    assert len(again.live()) == 1


async def test_its_host_and_its_server_may_have_so_many_tables(
    tables: Tables, by: Somebody, started: Callable[..., object]
) -> None:
    tables._limits = few = Limits(tables_of_a_person=2, tables_of_a_server=3)
    for number in range(2):
        await tables.open_lobby(GUILD, CHANNEL + number, by(1), Options())
    again = await started(by.now)
    again._limits = few
    await refused(Problem.TOO_MANY_TABLES, again.open_lobby(GUILD + 1, 1, by(1), Options()))
    await again.open_lobby(GUILD, CHANNEL + 2, by(2), Options())
    await refused(Problem.TOO_MANY_TABLES_HERE, again.open_lobby(GUILD, CHANNEL + 3, by(3), Options()))
    assert len(again.idle()) == 2
    first, _ = again.idle()
    await again.cancel(await again.reach(first.id, by.now), by(1))
    await again.open_lobby(GUILD, CHANNEL, by(1), Options())


async def test_a_host_is_known_by_what_was_saved_last(
    tables: Tables, by: Somebody, started: Callable[..., object]
) -> None:
    table = await lobby(tables, by)
    await tables.hand_over(table, by(1), 2, moderator=False)
    (idle,) = (await started(by.now)).idle()
    assert idle.host_id == 2


async def test_all_tables_of_a_server_are_found(
    tables: Tables, by: Somebody, started: Callable[..., object], reads: Counting
) -> None:
    for number in range(3):
        await tables.open_lobby(GUILD + number // 2, CHANNEL + number, by(number), Options())
    again = await started(by.now)
    there = await again.reach_all(GUILD, by.now)
    assert [table.channel_id for table in there] == [CHANNEL, CHANNEL + 1]
    assert len(reads.asked) == 1
    assert len(again.idle()) == 1
    assert await again.reach_all(404, by.now) == []


# --- deadlines


async def test_what_ran_out_while_the_bot_was_away_is_put_off_whenever_it_is_restored(
    tables: Tables, by: Somebody, started: Callable[..., object]
) -> None:
    table = await playing(tables, by)
    start = by.now + 3 * MINUTE
    again = await started(start)
    reborn = await again.reach(table.id, start + 5 * MINUTE)
    assert reborn is not None
    assert reborn.due == (start + 6 * MINUTE, Due.TIME_OUT)


async def test_what_runs_out_while_the_bot_runs_is_not_put_off(
    tables: Tables, by: Somebody, started: Callable[..., object]
) -> None:
    table = await playing(tables, by)
    again = await started(by.now)
    reborn = await again.reach(table.id, by.now + 5 * MINUTE)
    assert reborn is not None
    assert reborn.due == table.due


async def restored_by_the_clock(again: Tables, now: Now, table_id: int) -> Table:
    """Wait until a table comes back by itself, and return it."""
    back = asyncio.Event()
    again.listen_restored(lambda table, stored: back.set())
    scheduler = Scheduler(now)
    clock = TableClock(again, scheduler, Outages())
    clock.start()
    await asyncio.wait_for(back.wait(), 10)
    await scheduler.close(1)
    table = again.get(table_id)
    assert table is not None
    return table


async def test_a_deadline_brings_its_table_back_and_is_kept(
    tables: Tables, by: Somebody, started: Callable[..., object]
) -> None:
    table = await playing(tables, by)
    assert table.due is not None
    again = await started(by.now)
    now = Now(by.now)
    scheduler = Scheduler(now)
    TableClock(again, scheduler, Outages()).start()
    assert scheduler.when("idle") == table.due[0]
    timed_out = asyncio.Event()
    again.listen(lambda change: timed_out.set())
    now.time = table.due[0]
    scheduler.at("wake", now.time, lambda now: asyncio.sleep(0))
    await asyncio.wait_for(timed_out.wait(), 10)
    await scheduler.close(1)
    assert again.get(table.id).state.match.game.streak != table.state.match.game.streak


async def test_each_table_is_looked_at_one_after_the_other(
    tables: Tables, by: Somebody, started: Callable[..., object]
) -> None:
    for number in range(3):
        await tables.open_lobby(GUILD, CHANNEL + number, by(number), Options())
    again = await started(by.now)
    now = Now(by.now)
    scheduler = Scheduler(now)
    TableClock(again, scheduler, Outages()).start()
    for left in (2, 1, 0):
        back = asyncio.Event()
        again._when_restored[1:] = [lambda table, stored, back=back: back.set()]
        now.time = scheduler.when("restoring")
        scheduler.at("wake", now.time, lambda now: asyncio.sleep(0))
        await asyncio.wait_for(back.wait(), 10)
        await asyncio.sleep(0.01)
        assert len(again.idle()) == left
    assert scheduler.when("restoring") is None
    await scheduler.close(1)


async def test_an_outage_stops_the_clock_of_an_idle_table_too(
    tables: Tables, by: Somebody, store: Store
) -> None:
    table = await playing(tables, by)
    outages = Outages()
    again = Tables(store, PACE, outages, save_timeout=60.0, catch_grace=2.0)
    await again.load(by.now)
    now = Now(by.now)
    scheduler = Scheduler(now)
    TableClock(again, scheduler, outages).start()
    outages.begin(shard(0, 1), by.now)
    changed = asyncio.Event()
    again.listen(lambda change: changed.set())
    now.time = by.now + timedelta(hours=1)
    outages.end(shard(0, 1))
    await asyncio.wait_for(changed.wait(), 10)
    assert again.get(table.id).due == (now.time + MINUTE, Due.TIME_OUT)
    await scheduler.close(1)


async def test_a_lobby_that_is_pressed_after_its_time_is_still_there(
    tables: Tables, by: Somebody, started: Callable[..., object]
) -> None:
    table = await lobby(tables, by)
    start = by.now + timedelta(days=2)
    again = await started(start)
    reborn = await again.reach(table.id, start)
    assert reborn is not None
    await again.start(reborn, Click(1, 1, "Ann", start))
    assert reborn.state.match is not None
