"""No clock of a table runs while people cannot play (docs/rules.md, The clock)."""

from __future__ import annotations

import asyncio
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from bot import metrics
from bot.model.agenda import Due
from bot.model.errors import Problem
from bot.store import Store
from bot.tables import Outages, Scheduler, Table, TableClock, Tables
from bot.tables.outages import SAVES, concerns, server, shard
from tests.tables.sitting import GUILD, PACE, Somebody, playing, put, refused, restored

MINUTE = timedelta(minutes=1)


@pytest.fixture
def outages() -> Outages:
    return Outages()


@pytest.fixture
def tables(store: Store, outages: Outages) -> Tables:
    return Tables(store, PACE, outages, save_timeout=60.0, catch_grace=2.0)


async def waiting(tables: Tables, by: Somebody, **how: object) -> Table:
    """Return a table that waits for its first player, a minute long."""
    table = await playing(tables, by, 3, **how)
    hands = {f"s{seat}": ["R1", "B2", "B3"] for seat in range(3)}
    put(table, hands=hands, discard=["R9"], turn="s0", draw=["G1"] * 20)
    table.due = tables.next_due(table.state)
    return table


@pytest.mark.parametrize("kind", [shard(0, 1), server(GUILD), SAVES])
async def test_nothing_is_due_while_people_cannot_play(
    tables: Tables, by: Somebody, outages: Outages, kind: tuple[str, int, int]
) -> None:
    table = await waiting(tables, by)
    outages.begin(kind, by.now)
    late = by.now + timedelta(hours=3)
    assert await tables.tick(table, late) is None
    assert await tables.nudged(table, late) is None
    assert table.state.ended is None
    outages.end(kind)
    assert await tables.tick(table, late) is not None


async def test_other_servers_play_on(tables: Tables, by: Somebody, outages: Outages) -> None:
    table = await waiting(tables, by)
    outages.begin(server(GUILD + 1), by.now)
    outages.begin(shard(1, 2), by.now)
    assert await tables.tick(table, by.now + 2 * MINUTE) is not None


def test_a_server_is_on_the_shard_that_discord_gives_it() -> None:
    assert [concerns(shard(number, 4), 7 << 22) for number in range(4)] == [False, False, False, True]


async def test_a_moment_without_line_stops_the_clock_for_that_moment(tables: Tables, by: Somebody) -> None:
    table = await waiting(tables, by)
    since = table.state.clock.full_at + timedelta(seconds=20)
    await tables.resume_after(table, since, since + timedelta(seconds=4))
    assert table.due == (since + timedelta(seconds=44), Due.TIME_OUT), "40 seconds are left, as before"


async def test_after_a_long_outage_there_is_the_full_time_again(tables: Tables, by: Somebody) -> None:
    table = await waiting(tables, by)
    since = table.state.clock.full_at + timedelta(seconds=55)
    back = since + timedelta(hours=1)
    change = await tables.resume_after(table, since, back)
    assert change is not None
    assert change.events == ()
    assert table.due == (back + MINUTE, Due.TIME_OUT)


async def test_a_turn_that_began_during_the_outage_keeps_its_time(tables: Tables, by: Somebody) -> None:
    table = await waiting(tables, by)
    since = table.state.clock.full_at - timedelta(minutes=30)
    await tables.resume_after(table, since, table.state.clock.full_at + timedelta(seconds=5))
    assert table.due is not None
    assert table.due[1] is Due.TIME_OUT


async def test_a_pause_goes_on(tables: Tables, by: Somebody) -> None:
    table = await waiting(tables, by)
    await tables.pause(table, by(1), stop=True)
    await tables.resume_after(table, by.now, by.now + timedelta(hours=2))
    assert table.state.clock.paused_at is not None


async def test_the_end_of_an_outage_lets_every_table_of_it_go_on(
    tables: Tables, by: Somebody, outages: Outages
) -> None:
    now = Now(by.now)
    scheduler = Scheduler(now)
    TableClock(tables, scheduler, outages)
    table = await waiting(tables, by)
    outages.begin(shard(0, 1), by.now)
    changed = asyncio.Event()
    tables.listen(lambda change: changed.set())
    now.time = by.now + timedelta(hours=1)
    outages.end(shard(0, 1))
    await asyncio.wait_for(changed.wait(), 10)
    assert table.due == (now.time + MINUTE, Due.TIME_OUT)
    await scheduler.close(1)


class Now:
    def __init__(self, time: datetime) -> None:
        self.time = time

    def __call__(self) -> datetime:
        return self.time


async def test_saves_that_fail_stop_all_clocks_until_they_work_again(
    store: Store, tmp_path: Path, by: Somebody, outages: Outages, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*args: object) -> None:
        raise OSError("disk I/O error")

    monkeypatch.setattr("bot.tables.clock.PROBE", timedelta(seconds=0.01))
    saves, now = metrics.Saves(), Now(by.now)
    watched = metrics.WatchedStore(f"sqlite+aiosqlite:///{tmp_path / 'tables.db'}", saves)
    tables, scheduler = Tables(watched, PACE, outages, save_timeout=60.0, catch_grace=2.0), Scheduler(now)
    saves.listen(TableClock(tables, scheduler, outages).save_settled)
    table = await waiting(tables, by)
    assert table.due is not None
    now.time = table.due[0]
    with monkeypatch.context() as disk:
        disk.setattr("bot.store.writer.write_batch", broken)
        await refused(Problem.NOT_SAVED, tables.tick(table, now.time))
        await asyncio.sleep(0)
        assert outages.stop_play(GUILD)
        assert await tables.tick(table, now.time) is None
        # It is tried again and again, and still fails.
        probed = watched.problem
        now.time += timedelta(hours=1)
        await asyncio.sleep(0.1)
        assert outages.stop_play(GUILD)
        assert probed == watched.problem
    changed = asyncio.Event()
    tables.listen(lambda change: changed.set())
    now.time += timedelta(seconds=1)
    await asyncio.wait_for(changed.wait(), 10)
    assert outages.lasting() == 0
    assert table.due == (now.time + MINUTE, Due.TIME_OUT)
    await scheduler.close(1)
    await watched.close()


async def test_a_clock_stands_since_the_first_of_two_outages(
    tables: Tables, by: Somebody, outages: Outages
) -> None:
    now = Now(by.now)
    scheduler = Scheduler(now)
    TableClock(tables, scheduler, outages)
    table = await waiting(tables, by)
    due, now.time = table.due, by.now
    assert due is not None
    for _ in range(2):
        outages.begin(SAVES, now.time)
        now.time += timedelta(seconds=4)
        outages.end(SAVES)  # the next one begins before the table's turn has come
    changed = asyncio.Event()
    tables.listen(lambda change: changed.set())
    await asyncio.wait_for(changed.wait(), 10)
    assert table.due == (due[0] + timedelta(seconds=8), Due.TIME_OUT)
    await scheduler.close(1)


async def test_a_clock_that_was_ahead_when_the_table_was_saved_delays_nobody(
    tables: Tables, by: Somebody, store: Store
) -> None:
    table = await waiting(tables, by)
    others = Tables(store, PACE, Outages(), save_timeout=60.0, catch_grace=2.0)
    yesterday = by.now - timedelta(days=1)
    await restored(others, yesterday)
    reborn = others.get(table.id)
    assert reborn is not None
    assert reborn.due is not None
    assert reborn.due[0] <= yesterday + MINUTE
