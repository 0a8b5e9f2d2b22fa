"""The moves of a hand are packed some time after its end, and are read as before."""

import sqlite3
from contextlib import closing
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
import structlog

from bot.store import LogRecord, Save, Store
from bot.store.packing import pack, unpack
from bot.store.saving import PACKED_AFTER, PACKED_AT_ONCE
from tests.store import making
from tests.store.making import ANN, BOB, NOW

MOVES = [
    LogRecord(7, 2, 0, None, 0, 0, ["s0", "deal", {"auto": True}], True, NOW),
    LogRecord(7, 2, 1, 1_456_074_443_980_800_001, 0, 3, ["s3", "uno"], False, NOW + timedelta(seconds=2.5)),
    LogRecord(7, 2, 2, 1_456_074_443_980_800_001, 1, 3, ["s3", "play", "R7"], False, NOW),
    LogRecord(7, 2, 3, None, 0, 1, ["s1", "draw", {"auto": True}], True, NOW + timedelta(microseconds=1)),
    LogRecord(7, 2, 4, None, 1, 1, ["s1", "keep", {"auto": True}], True, NOW + timedelta(microseconds=1)),
    LogRecord(7, 2, 9, 1_456_074_443_000_000_000, 0, 2, ["s2", "play", "W", "blue"], False, NOW),
]


def test_nothing_is_left_out() -> None:
    assert unpack(pack(MOVES), 7, 2) == MOVES
    assert unpack(pack(MOVES[:1]), 7, 2) == MOVES[:1]


@pytest.mark.parametrize("damaged", [b"", b"nothing", pack(MOVES)[:-5]])
def test_what_was_not_packed_so_is_not_unpacked(damaged: bytes) -> None:
    with pytest.raises(ValueError, match="unpack"):
        unpack(damaged, 7, 2)


async def played(store: Store, number: int = 1, moves: int = 3, **save: Any) -> None:
    """Open a table and make some moves there, the last of which ends the hand."""
    await store.submit(making.opening(number))
    for version in range(2, moves + 1):
        await store.submit(turn(number, version))
    hand = making.finished_hand((ANN, 50, True), (BOB, 0, False))
    await store.submit(replace(turn(number, moves + 1), hands=(hand,), **save))


def turn(number: int, version: int) -> Save:
    """Make the save of a move; the first is that of version 2."""
    made = making.turn(number, version)
    return replace(made, log=(replace(made.log[0], position=version - 2),))


def rows(path: Path, table: str) -> int:
    with closing(sqlite3.connect(path)) as database:
        return int(database.execute(f"SELECT count(*) FROM {table}").fetchone()[0])


async def test_the_moves_of_a_hand_long_over_are_packed_and_read_as_before(store: Store, path: Path) -> None:
    await played(store)
    before = await store.moves(1, 1)
    assert len(before) == 3
    await store.pack(NOW + PACKED_AFTER - timedelta(seconds=1))
    assert (rows(path, "log"), rows(path, "packed_moves")) == (3, 0), "it is not long over"
    await store.pack(NOW + PACKED_AFTER)
    assert (rows(path, "log"), rows(path, "packed_moves")) == (0, 1)
    assert await store.moves(1, 1) == before
    await store.pack(NOW + PACKED_AFTER)
    assert await store.moves(1, 1) == before
    assert await store.moves(1, 2) == []


async def test_the_match_goes_on_meanwhile(store: Store, path: Path) -> None:
    await played(store)
    second = making.turn(1, 5)
    await store.submit(replace(second, log=(replace(second.log[0], hand_no=2, position=0),)))
    await store.pack(NOW + PACKED_AFTER)
    assert [move.hand_no for move in await store.moves(1, 2)] == [2]
    assert rows(path, "log") == 1
    assert await store.submit(making.turn(1, 6)) is True


async def test_it_takes_so_many_hands_at_a_time(store: Store, path: Path) -> None:
    for number in range(1, PACKED_AT_ONCE + 3):
        await played(store, number, moves=1)
    await store.pack(NOW + PACKED_AFTER)
    assert rows(path, "packed_moves") == PACKED_AT_ONCE
    await store.pack(NOW + PACKED_AFTER)
    assert (rows(path, "packed_moves"), rows(path, "log")) == (PACKED_AT_ONCE + 2, 0)


async def test_moves_of_a_hand_that_was_never_recorded_go_with_their_table(store: Store, path: Path) -> None:
    await store.submit(making.opening(1))
    await store.submit(turn(1, 2))
    await store.pack(NOW + 10 * PACKED_AFTER)
    assert rows(path, "log") == 1, "the table lives"
    await store.submit(Save(table=making.table(1, 3), closes=True))
    assert await store.seats(1) != []
    await store.pack(NOW + PACKED_AFTER)
    assert (rows(path, "log"), rows(path, "packed_moves")) == (0, 0)
    assert await store.seats(1) == [], "nobody has played there"


async def test_the_last_hand_of_a_match_that_was_broken_off_goes_and_the_others_stay(
    store: Store, path: Path
) -> None:
    await played(store)
    second = making.turn(1, 5)
    await store.submit(replace(second, log=(replace(second.log[0], hand_no=2, position=0),)))
    await store.submit(Save(table=making.table(1, 6), closes=True))
    await store.pack(NOW + PACKED_AFTER)
    assert (rows(path, "log"), rows(path, "packed_moves")) == (0, 1)
    assert len(await store.moves(1, 1)) == 3
    assert await store.seats(1) != []


async def test_damaged_moves_stay_as_they_are_and_keep_no_others_from_being_packed(
    store: Store, path: Path
) -> None:
    await played(store, 1)
    await played(store, 2)
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("UPDATE log SET move = 'not json' WHERE table_id = 1 AND position = 1")
    with structlog.testing.capture_logs() as logged:
        await store.pack(NOW + PACKED_AFTER)
    assert [(line["event"], line["table"]) for line in logged] == [("moves_damaged", 1)]
    assert (rows(path, "log"), rows(path, "packed_moves")) == (3, 1)
    assert len(await store.moves(2, 1)) == 3


async def test_a_click_of_late_counts_once_though_older_hands_are_packed(store: Store) -> None:
    await played(store)
    second = making.turn(1, 5, interaction=77)
    assert await store.submit(replace(second, log=(replace(second.log[0], hand_no=2),))) is True
    await store.pack(NOW + PACKED_AFTER)
    assert await store.submit(making.turn(1, 6, interaction=77)) is False
