"""A server that removed the bot is forgotten after 30 days, and no other."""

import sqlite3
from contextlib import closing
from datetime import timedelta
from pathlib import Path

from bot.store import Save, Store
from bot.store import departures as forgetting
from bot.store.models import metadata
from tests.store import making
from tests.store.making import ANN, BOB, GUILD, NOW

OTHER = GUILD + 1
DAYS = timedelta(days=1)


async def played(store: Store, number: int, guild: int) -> None:
    """Save a finished match with everything that can be kept of a server."""
    await store.submit(
        Save(
            table=making.table(number, guild=guild),
            seats=making.seats(number),
            tokens=(making.token(ANN, number),),
            screen=making.screen(number),
            guild_settings={guild: {"language": "de"}},
        )
    )
    await store.submit(
        Save(
            table=making.table(number, 2, guild=guild),
            log=(making.move(number * 100, number),),
            hands=(making.finished_hand((ANN, 20, True), (BOB, 0, False)),),
            match=making.finished_match(),
        )
    )


def kept(path: Path) -> dict[str, int]:
    """Count the rows of each table that belongs to a server."""
    with closing(sqlite3.connect(path)) as database:
        assert database.execute("PRAGMA foreign_key_check").fetchall() == []
        return {
            name: database.execute(f"SELECT count(*) FROM {name}").fetchone()[0]
            for name, table in metadata.tables.items()
            if {"guild_id", "table_id"} & set(table.c.keys())
        }


async def forget(store: Store, after: timedelta, passes: int = 10) -> None:
    for _ in range(passes):
        await store.forget_departed(NOW + after)


async def test_all_of_it_goes_after_thirty_days_and_nothing_of_others(store: Store, path: Path) -> None:
    await played(store, 1, OTHER)
    alone = kept(path)
    await played(store, 2, GUILD)
    await played(store, 3, GUILD)
    await played(store, 4, OTHER)
    both = kept(path)
    assert both["departures"] == 0
    await store.servers_changed(NOW, left=[GUILD])
    await forget(store, 30 * DAYS - timedelta(seconds=1))
    assert kept(path) == both | {"departures": 1}
    await forget(store, 30 * DAYS)
    await store.submit(Save(table=making.table(1, 3, guild=OTHER), closes=True))
    assert await store.servers() == {OTHER}
    assert await store.departures() == {}
    twice = {name: count * 2 for name, count in alone.items()}
    once = {"names": 2, "servers": 1, "departures": 0, "seasons": 1}
    once |= {name: alone[name] for name in ("tallies", "meetings")}
    assert kept(path) == twice | once | {"tokens": 1}
    assert [row.points for row in (await store.board(OTHER)).lines] == [40, 0]
    assert (await store.board(GUILD)).lines == ()


async def test_it_is_kept_if_the_bot_comes_back_before(store: Store, path: Path) -> None:
    await played(store, 1, GUILD)
    before = kept(path)
    await store.servers_changed(NOW, left=[GUILD])
    await store.servers_changed(NOW + 29 * DAYS, back=[GUILD])
    await forget(store, 31 * DAYS)
    assert kept(path) == before
    await store.servers_changed(NOW + 32 * DAYS, left=[GUILD])
    await forget(store, 61 * DAYS)
    assert kept(path) == before | {"departures": 1}
    await forget(store, 62 * DAYS)
    assert await store.servers() == set()


async def test_the_days_count_from_when_it_was_first_seen(store: Store) -> None:
    await played(store, 1, GUILD)
    await store.servers_changed(NOW, left=[GUILD])
    await store.servers_changed(NOW + 20 * DAYS, left=[GUILD])
    assert await store.departures() == {GUILD: NOW}


async def test_each_pass_is_bounded(store: Store, path: Path) -> None:
    tables = forgetting.MOST_TABLES * 2 + 1
    for number in range(1, tables + 1):
        store.submit(Save(table=making.table(number), closes=True))
    await store.servers_changed(NOW, left=[GUILD])
    left = []
    for _ in range(4):
        await forget(store, 30 * DAYS, passes=1)
        left.append(kept(path)["tables"])
    # The last id stays, without a word of where it was; the fourth pass takes the rest.
    assert left == [tables - forgetting.MOST_TABLES, tables - 2 * forgetting.MOST_TABLES, 1, 1]


async def test_no_table_id_is_given_twice(store: Store, path: Path) -> None:
    await played(store, 7, GUILD)
    await store.servers_changed(NOW, left=[GUILD])
    await forget(store, 30 * DAYS)
    assert await store.next_table_id() == 8
    with closing(sqlite3.connect(path)) as database:
        rows = database.execute("SELECT id, guild_id, channel_id, snapshot FROM tables").fetchall()
    assert rows == [(7, 0, 0, None)]
    assert await store.live_tables() == []
    await store.submit(making.opening(8))
    assert await store.servers() == {GUILD}
