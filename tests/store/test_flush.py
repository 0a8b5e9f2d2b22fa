"""A COMMIT that fails at the flush may have been one: what is told of it is what is found out, or nothing."""

import asyncio
import sqlite3
from collections.abc import Callable
from typing import Any

import pytest

from bot.store import NotSaved, Save, StaleVersion, Store, Uncertain
from bot.store.writer import PAUSES
from tests.store import making
from tests.store.making import ANN, GUILD

ERROR = "disk I/O error"


class Flush:
    """Stands in for the COMMITs of the writer: those in `fails` raise, the others commit.

    Each is "before" or "after": whether it raises before the database has committed or after.
    """

    def __init__(self, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
        self.fails: list[str] = []
        self.name: str | None = None
        dialect = store._writer._engine.dialect
        self._commit: Callable[[Any], None] = dialect.do_commit
        monkeypatch.setattr(dialect, "do_commit", self.commit)

    def commit(self, connection: Any) -> None:
        how = self.fails.pop(0) if self.fails else None
        if how != "before":
            self._commit(connection)
        if how is not None:
            error = sqlite3.OperationalError(ERROR)
            if self.name is not None:
                error.sqlite_errorname = self.name
            raise error


@pytest.fixture
async def flush(store: Store, monkeypatch: pytest.MonkeyPatch) -> Flush:
    await store.submit(making.opening(1))
    return Flush(store, monkeypatch)


async def versions(store: Store) -> dict[int, int]:
    return {table.id: table.version for table in await store.live_tables()}


@pytest.mark.parametrize("how", ["before", "after"])
async def test_a_move_is_saved_once_whichever_it_was(store: Store, flush: Flush, how: str) -> None:
    flush.fails = [how]
    assert await store.submit(making.turn(1, 2)) is True
    assert await versions(store) == {1: 2}
    assert len(await store.moves(1, 1)) == 1
    assert await store.submit(making.turn(1, 3)) is True


@pytest.mark.parametrize("how", ["before", "after"])
async def test_each_of_a_batch_is_told_its_own(store: Store, flush: Flush, how: str) -> None:
    await store.submit(making.turn(1, 2, interaction=77))
    saves = [
        Save(tokens=(making.token(ANN, 1),)),
        making.turn(1, 3, interaction=77),
        making.turn(1, 9),
        making.opening(2),
        making.turn(2, 2),
    ]
    flush.fails = [how]
    outcomes = await asyncio.gather(*map(store.submit, saves), return_exceptions=True)
    assert isinstance(outcomes[2], StaleVersion)
    assert [outcome for outcome in outcomes if isinstance(outcome, bool)] == [True, False, True, True]
    assert await versions(store) == {1: 2, 2: 2}


@pytest.mark.parametrize("how", ["before", "after"])
async def test_what_changes_no_table_is_written_again(store: Store, flush: Flush, how: str) -> None:
    flush.fails = [how]
    saves = [Save(tokens=(making.token(),)), Save(screen=making.screen()), Save(guild_settings={GUILD: {}})]
    assert await asyncio.gather(*map(store.submit, saves)) == [True] * 3
    assert await making.tokens(store) == [making.token()]


@pytest.mark.parametrize("last", ["before", "after"])
async def test_what_cannot_be_found_out_is_uncertain(store: Store, flush: Flush, last: str) -> None:
    flush.fails = ["before"] * (len(PAUSES) - 1) + [last]
    with pytest.raises(Uncertain, match=ERROR) as caught:
        await store.submit(making.turn(1, 2))
    assert not isinstance(caught.value, NotSaved)
    assert flush.fails == []
    assert await versions(store) == {1: 1 if last == "before" else 2}
    assert await store.submit(making.opening(2)) is True, "the writer lives on"


async def test_a_commit_that_was_one_is_not_written_twice(store: Store, flush: Flush) -> None:
    """It was seen; that looking for it ends with an error does not make it be written again."""
    flush.fails = ["after", "before"]
    assert await store.submit(making.turn(1, 2)) is True
    assert await versions(store) == {1: 2}


@pytest.mark.parametrize("name", ["SQLITE_FULL", "SQLITE_IOERR_WRITE", "SQLITE_BUSY"])
async def test_an_error_before_the_flush_is_certain(store: Store, flush: Flush, name: str) -> None:
    flush.fails, flush.name = ["before"], name
    with pytest.raises(NotSaved):
        await store.submit(making.turn(1, 2))
    assert await versions(store) == {1: 1}


async def test_that_nothing_more_can_be_written_makes_it_no_more_certain(store: Store, flush: Flush) -> None:
    flush.fails = ["before"] * len(PAUSES)
    commit = flush.commit

    def then_full(connection: Any) -> None:
        try:
            commit(connection)
        finally:
            flush.name = "SQLITE_FULL"

    store._writer._engine.dialect.do_commit = then_full  # type: ignore[method-assign]
    with pytest.raises(Uncertain, match=ERROR):
        await store.submit(making.turn(1, 2))
