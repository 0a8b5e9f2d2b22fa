"""A row that cannot be read costs its table, and nothing else fails to be read."""

import sqlite3
from contextlib import closing
from dataclasses import replace
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
    all_stored = await store.stored_tables()
    return {
        "tables": [table.id for table in await store.live_tables()],
        "stored": [stored.table.id for stored in all_stored if stored.table.snapshot],
        "tokens": {stored.table.id: len(stored.tokens) for stored in all_stored if stored.tokens},
        "screens": [stored.table.id for stored in all_stored if stored.screen is not None],
    }


GONE = {"tables": [1, 3], "stored": [1, 3], "tokens": {1: 2, 3: 2}, "screens": [1, 3]}
WHOLE = {"tables": [1, 2, 3], "stored": [1, 2, 3], "tokens": {1: 2, 2: 2, 3: 2}, "screens": [1, 2, 3]}


@pytest.mark.parametrize(
    ("where", "left"),
    [
        ("tables.guild_id", GONE),
        ("tables.channel_id", GONE),
        ("tables.version", GONE),
        ("tables.updated_at", GONE),
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
        due_at = NOW + timedelta(seconds=10)
        assert first == LiveTable(3, GUILD, 70_003, 1, NOW, due_at, None, unshown=True)

    async def test_those_asked_for_alone(self, three: Store) -> None:
        everything = {stored.table.id: stored for stored in await three.stored_tables()}
        assert await three.stored_tables([3, 1, 404]) == [everything[1], everything[3]]
        assert await three.stored_tables([]) == []
        await three.submit(Save(table=making.table(3, 2), closes=True))
        assert await three.stored_tables([3, 1]) == [everything[1]]

    async def test_the_line_of_a_table_names_its_host(self, store: Store) -> None:
        await store.submit(Save(table=replace(making.table(1), host_id=ANN), seats=making.seats(1)))
        (line,) = await store.live_tables()
        assert line.host_id == ANN

    @pytest.mark.parametrize(
        ("changes", "unshown"),
        [
            (None, True),
            ({}, False),
            ({"nudge_id": 7, "posting": 3}, False),
            ({"pending": True}, True),
            ({"posting_tried": True}, True),
            ({"leftovers": {"5": 6}}, True),
        ],
    )
    async def test_the_line_of_a_table_says_whether_it_is_on_screen(
        self, store: Store, changes: dict[str, Any] | None, unshown: bool
    ) -> None:
        screen = None if changes is None else replace(making.screen(1), **changes)
        await store.submit(Save(table=making.table(1), seats=making.seats(1), screen=screen))
        (line,) = await store.live_tables()
        assert line.unshown is unshown

    async def test_so_many_queries_and_none_passes_over_a_closed_table(
        self, three: Store, path: Path
    ) -> None:
        asked: list[str] = []
        event.listen(
            three._engine.sync_engine,
            "before_cursor_execute",
            lambda connection, cursor, statement, parameters, context, many: asked.append(statement),
        )
        await three.live_tables()
        assert len(asked) == len(["BEGIN", "tables"])
        await three.stored_tables()
        assert len(asked) == 2 + len(["BEGIN", "tables", "seats", "tokens", "screens"])
        with closing(sqlite3.connect(path)) as database:
            for query in (statement for statement in asked if statement.startswith("SELECT")):
                plan = [row[3] for row in database.execute(f"EXPLAIN QUERY PLAN {query}")]
                scans = [step for step in plan if step.startswith("SCAN")]
                assert all("ix_tables_due_at" in step for step in scans), plan
