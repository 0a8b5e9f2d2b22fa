"""The machine failing: a save fails in time and certainly, the writer lives on, the next save works."""

import asyncio
import resource
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import structlog
from sqlalchemy import event, text

from bot.store import NotSaved, Save, Store, StoreError, TableRecord, migrate
from tests.store import making
from tests.store.conftest import url_of

PRAGMAS = {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1, "busy_timeout": 1500}


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Hold the lock of writing, as another process would."""
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    try:
        yield
    finally:
        other.execute("ROLLBACK")
        other.close()


async def fails(store: Store, saves: list[Save]) -> str:
    outcomes = await asyncio.gather(*map(store.submit, saves), return_exceptions=True)
    assert all(isinstance(outcome, NotSaved) for outcome in outcomes)
    return str(outcomes[0])


async def test_every_connection_promises_the_same(store: Store) -> None:
    async with store._engine.connect() as reading:
        for name, value in PRAGMAS.items():
            asked = text(f"PRAGMA {name}")
            assert (await reading.execute(asked)).scalar_one() == value
            written = await store._writer.run(
                lambda connection, asked=asked: connection.execute(asked).scalar_one()
            )
            assert written == value
        assert (await reading.execute(text("PRAGMA query_only"))).scalar_one() == 1


async def test_locked_by_another_process(store: Store, path: Path) -> None:
    await store.submit(making.opening(1))
    began = time.monotonic()
    with structlog.testing.capture_logs() as logged, locked(path):
        assert "locked" in await fails(store, [making.turn(1, 2), making.opening(2)])
        assert time.monotonic() - began > 1.4
        assert len(await store.live_tables()) == 1, "who reads is not kept out"
    assert [(line["event"], line["saves"], line["problem"]) for line in logged] == [
        ("nothing_can_be_saved", 2, "database is locked")
    ]
    assert await store.submit(making.turn(1, 2)) is True


async def test_choices_fail_like_moves_while_it_is_locked(store: Store, path: Path) -> None:
    with locked(path):
        futures = [
            store.set_nudges(1, "never"),
            store.set_guild_settings(2, {"a": 1}),
            store.set_fact("b", "c"),
        ]
        outcomes = await asyncio.gather(*futures, return_exceptions=True)
    assert [str(outcome) for outcome in outcomes] == ["database is locked"] * 3
    assert await store.set_nudges(1, "never") is True


async def test_a_short_lock_is_waited_for(store: Store, path: Path) -> None:
    # On a busy machine no lock is short.
    patient = "PRAGMA busy_timeout = 60000"
    await store._writer.run(lambda connection: connection.exec_driver_sql(patient))
    with locked(path):
        future = store.submit(making.opening(1))
        done, _ = await asyncio.wait([future], timeout=0.2)
        assert not done
    assert await future is True


@pytest.mark.parametrize("many", [1, 5], ids=["alone", "in-a-batch"])
async def test_the_disk_is_full(store: Store, many: int) -> None:
    await store.submit(making.opening(1))
    engine = store._writer._engine
    full = True

    def limit(connection: Any, record: object) -> None:
        if full:
            cursor = connection.cursor()
            cursor.execute("PRAGMA max_page_count = 1")  # as many as there are: not one more
            cursor.close()

    event.listen(engine, "connect", limit)
    await drop_connection(store)
    big = TableRecord(1, making.GUILD, 70_001, 2, {"long": "x" * 50_000}, making.NOW)
    saves = [
        Save(table=big, log=(making.move(5),)),
        *(making.opening(number) for number in range(2, 1 + many)),
    ]
    assert "full" in await fails(store, saves)
    assert "full" in await fails(store, saves), "still full"
    assert await store.stored_tables() == [making.stored()]
    assert await store.moves(1, 1) == []
    full = False
    assert await store.submit(saves[0]) is True
    assert len(await store.moves(1, 1)) == 1


async def test_the_file_cannot_grow(store: Store, path: Path) -> None:
    """Here it is the COMMIT that fails, for that is when the pages go into the write-ahead log."""
    await store.submit(making.opening(1))
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (path.with_name("lastlap.db-wal").stat().st_size, hard))
    try:
        with structlog.testing.capture_logs() as logged:
            await fails(store, [making.turn(1, 2), making.opening(2)])
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert [line["event"] for line in logged] == ["nothing_can_be_saved"]
    assert await store.stored_tables() == [making.stored()]
    assert await store.submit(making.turn(1, 2)) is True
    assert await store.submit(making.opening(2)) is True


async def test_the_file_is_read_only(store: Store) -> None:
    """The error is the one of a file that may not be written, on every user's machine, root's too."""
    await store.submit(making.opening(1))
    read_only = "PRAGMA query_only = ON"
    await store._writer.run(lambda connection: connection.exec_driver_sql(read_only))
    assert "readonly" in await fails(store, [making.turn(1, 2), making.opening(2)])
    assert len(await store.live_tables()) == 1
    assert await store.submit(making.turn(1, 2)) is True


async def test_a_file_opened_read_only(store: Store, path: Path) -> None:
    await store.submit(making.opening(1))
    frozen = Store(f"sqlite+aiosqlite:///file:{path}?mode=ro&uri=true")
    assert "readonly" in await fails(frozen, [making.turn(1, 2)])
    assert len(await frozen.live_tables()) == 1
    with pytest.raises(StoreError, match="readonly"):
        await frozen.open()


async def test_the_connection_breaks(store: Store) -> None:
    await store.submit(making.opening(1))
    assert store._writer._connection is not None
    raw = store._writer._connection.connection.driver_connection
    assert raw is not None
    raw.close()
    await fails(store, [making.turn(1, 2)])
    assert await store.submit(making.turn(1, 2)) is True


async def drop_connection(store: Store) -> None:
    with pytest.raises(ZeroDivisionError):
        await store._writer.run(lambda connection: 1 / 0)


class TestOpening:
    async def test_the_directory_is_made(self, tmp_path: Path) -> None:
        url = url_of(tmp_path / "deep" / "er" / "lastlap.db")
        await asyncio.to_thread(migrate, url)
        store = Store(url)
        await store.open()
        assert await store.submit(making.opening(1)) is True
        await store.close()

    @pytest.mark.parametrize(
        "url",
        [
            "sqlite+aiosqlite://",
            "sqlite+aiosqlite:///:memory:",
            "sqlite:///x.db",
            "postgresql://x/y",
            "nonsense",
        ],
        ids=["nothing", "memory", "another-driver", "another-database", "nonsense"],
    )
    def test_only_a_file_will_do(self, url: str) -> None:
        with pytest.raises(StoreError, match="must be a file"):
            Store(url)
        with pytest.raises(StoreError, match="must be a file"):
            migrate(url)

    async def test_a_database_that_was_never_migrated(self, tmp_path: Path) -> None:
        with pytest.raises(StoreError, match="unable to open"):
            await Store(url_of(tmp_path / "new.db")).open()

    async def test_a_file_that_is_no_database(self, tmp_path: Path) -> None:
        path = tmp_path / "letter.txt"
        path.write_text("Dear Sir or Madam, " * 100)
        with pytest.raises(StoreError, match="not a database"):
            await asyncio.to_thread(migrate, url_of(path))
        with pytest.raises(StoreError, match="not a database"):
            await Store(url_of(path)).open()

    async def test_a_directory_that_cannot_be_made(self, tmp_path: Path) -> None:
        (tmp_path / "file").write_text("")
        url = url_of(tmp_path / "file" / "lastlap.db")
        with pytest.raises(StoreError, match="file"):
            await asyncio.to_thread(migrate, url)

    async def test_locked_at_the_start(self, path: Path) -> None:
        with locked(path), pytest.raises(StoreError, match="locked"):
            await Store(url_of(path)).open()
