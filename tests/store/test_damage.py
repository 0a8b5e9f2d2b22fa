"""A row that cannot be read costs its table, and nothing else fails to be read."""

import sqlite3
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
import structlog
from sqlalchemy import event

from bot.store import LiveTable, Save, Store
from tests.store import making
from tests.store.making import ANN, BOB, GUILD, NOW

#: Values that no column of these tables can hold, as SQL.
DAMAGES = ("NULL", "'x'", "x'ff00fe'", "CAST(x'7bff7d' AS TEXT)", "1.5")


@pytest.fixture
async def three(store: Store) -> Store:
    """Three live tables with two seats, two tokens and a message each."""
    for number in (1, 2, 3):
        await store.submit(
            Save(
                table=making.table(number),
                seats=making.seats(number),
                tokens=(making.token(ANN, number), making.token(BOB, number)),
                screen=making.screen(number),
            )
        )
    return store


def spoil(path: Path, *statements: str) -> None:
    """Change the database behind the store's back, past every constraint."""
    with closing(sqlite3.connect(path, isolation_level=None)) as database:
        for name in ("tables", "seats", "tokens", "screens"):
            database.execute(f"CREATE TABLE bare AS SELECT * FROM {name}")
            database.execute(f"DROP TABLE {name}")
            database.execute(f"ALTER TABLE bare RENAME TO {name}")
        for statement in statements:
            database.execute(statement)


async def everything(store: Store) -> dict[str, Any]:
    return {
        "tables": [table.id for table in await store.live_tables()],
        "stored": [stored.table.id for stored in await store.stored_tables() if stored.table.snapshot],
        "tokens": {number: len(tokens) for number, tokens in (await store.live_tokens()).items()},
        "screens": sorted(await store.live_screens()),
    }


WHOLE = {"tables": [1, 2, 3], "stored": [1, 2, 3], "tokens": {1: 2, 2: 2, 3: 2}, "screens": [1, 2, 3]}


@pytest.mark.parametrize(
    ("where", "left"),
    [
        ("tables.guild_id", {"tables": [1, 3], "stored": [1, 3]}),
        ("tables.channel_id", {"tables": [1, 3], "stored": [1, 3]}),
        ("tables.version", {"tables": [1, 3], "stored": [1, 3]}),
        ("tables.updated_at", {"tables": [1, 3], "stored": [1, 3]}),
        ("seats.user_id", {"stored": [1, 3]}),
        ("tokens.channel_id", {"tokens": {1: 2, 3: 2}}),
        ("tokens.issued_at", {"tokens": {1: 2, 3: 2}}),
        ("screens.message_id", {"screens": [1, 3]}),
        ("screens.posted_at", {"screens": [1, 3]}),
    ],
)
async def test_one_bad_value(three: Store, path: Path, where: str, left: dict[str, Any]) -> None:
    assert await everything(three) == WHOLE
    table, column = where.split(".")
    number = "id" if table == "tables" else "table_id"
    for damage in DAMAGES:
        spoil(path, f"UPDATE {table} SET {column} = {damage} WHERE {number} = 2")
        with structlog.testing.capture_logs() as logged:
            assert await everything(three) == WHOLE | left, damage
        assert {line["table"] for line in logged} == {2}
        assert "secret-token" not in str(logged)


@pytest.mark.parametrize("damage", ["NULL", "x'ff'", "CAST(x'ff' AS TEXT)"])
async def test_a_name_that_is_no_text(three: Store, path: Path, damage: str) -> None:
    spoil(path, f"UPDATE seats SET name = {damage} WHERE table_id = 2 AND seat = 1")
    assert (await everything(three))["stored"] == [1, 3]
    damaged = await three.table(2)
    assert damaged is not None
    assert damaged.table.snapshot == {}
    assert [seat.seat for seat in damaged.seats] == [0]


async def test_a_seat_that_is_gone(three: Store, path: Path) -> None:
    spoil(path, "DELETE FROM seats WHERE table_id = 2 AND seat = 0")
    assert (await everything(three))["stored"] == [1, 3]


async def test_rows_of_a_table_that_is_not_there(three: Store, path: Path) -> None:
    spoil(path, *(f"UPDATE {name} SET table_id = 404 WHERE table_id = 2" for name in ("tokens", "screens")))
    assert await everything(three) == WHOLE | {"tokens": {1: 2, 3: 2}, "screens": [1, 3]}
    spoil(path, "DELETE FROM tables WHERE id = 3")
    assert await everything(three) == {"tables": [1, 2], "stored": [1, 2], "tokens": {1: 2}, "screens": [1]}


class TestTable:
    async def test_all_that_is_kept_of_it(self, three: Store) -> None:
        stored = await three.table(2)
        assert stored is not None
        assert stored.table == making.table(2)
        assert stored.seats == making.seats(2)
        assert stored.tokens == tuple(
            sorted((making.token(BOB, 2), making.token(ANN, 2)), key=lambda token: token.user_id)
        )
        assert stored.screen == making.screen(2)

    async def test_a_closed_one_and_one_that_never_was(self, three: Store) -> None:
        await three.submit(Save(table=making.table(2, 2), closes=True))
        assert await three.table(2) is None
        assert await three.table(404) is None

    async def test_one_without_message_and_tokens(self, store: Store) -> None:
        await store.submit(making.opening())
        assert await store.table(1) == making.stored()

    async def test_a_damaged_row_is_as_if_it_were_not_there(self, three: Store, path: Path) -> None:
        spoil(path, "UPDATE tables SET version = 'x' WHERE id = 2")
        assert await three.table(2) is None


class TestLive:
    async def test_those_due_first_come_first(self, store: Store) -> None:
        waits = {1: None, 2: 30, 3: 10, 4: None, 5: 20}
        for number, wait in waits.items():
            due = None if wait is None else NOW + timedelta(seconds=wait)
            await store.submit(Save(table=making.table(number, due_at=due), seats=making.seats(number)))
        assert [table.id for table in await store.live_tables()] == [3, 5, 2, 1, 4]
        assert [stored.table.id for stored in await store.stored_tables()] == [3, 5, 2, 1, 4]
        first = (await store.live_tables())[0]
        assert first == LiveTable(3, GUILD, 70_003, 1, NOW, NOW + timedelta(seconds=10))

    async def test_seats_and_tokens_by_table(self, three: Store) -> None:
        await three.submit(Save(table=making.table(2, 2), closes=True))
        assert await three.live_seats() == {number: list(making.seats(number)) for number in (1, 3)}
        tokens = await three.live_tokens()
        assert {number: [token.user_id for token in each] for number, each in tokens.items()} == {
            1: sorted([ANN, BOB]),
            3: sorted([ANN, BOB]),
        }

    async def test_each_is_one_query_that_passes_over_no_closed_table(self, three: Store, path: Path) -> None:
        asked: list[str] = []
        event.listen(
            three._engine.sync_engine,
            "before_cursor_execute",
            lambda connection, cursor, statement, parameters, context, many: asked.append(statement),
        )
        for read in (three.live_tables, three.live_seats, three.live_tokens, three.live_screens):
            await read()
        queries = [statement for statement in asked if statement.startswith("SELECT")]
        assert len(queries) == 4
        with closing(sqlite3.connect(path)) as database:
            for query in queries:
                plan = [row[3] for row in database.execute(f"EXPLAIN QUERY PLAN {query}")]
                scans = [step for step in plan if step.startswith("SCAN")]
                assert all("ix_tables_due_at" in step for step in scans), plan
