"""Who asks to be forgotten is untied from everything, and the results of others stay as they are."""

import asyncio
import json
import shutil
import sqlite3
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from bot.store import FinishedMatch, MatchStanding, Save, Store, backup, restore
from bot.tallies.boards import By
from tests.store import making
from tests.store.conftest import url_of
from tests.store.making import ANN, BOB, CAT, GUILD, NOW
from tests.store.test_leaderboard import summed

OTHER = GUILD + 1
LATER = NOW + timedelta(days=1)


async def played(store: Store, number: int, *, guild: int = GUILD, closes: bool = True) -> None:
    """Save a match that Ann has won against Bob and Cat, as its host."""
    people = [(ANN, "Ann"), (BOB, "Bob"), (CAT, "Cat")]
    hand = making.finished_hand((ANN, 20, True), (BOB, 0, False), (CAT, 0, False))
    results = [(ANN, "won"), (BOB, "lost"), (CAT, "lost")]
    standings = tuple(
        MatchStanding(user, seat, 20, 1, outcome) for seat, (user, outcome) in enumerate(results)
    )
    match = FinishedMatch("won", standings, {}, host_user_id=ANN, ranked=True)
    seats = making.seats(number, people)
    await store.submit(Save(table=making.table(number, guild=guild), seats=seats))
    await store.submit(
        Save(
            table=making.table(number, 2, guild=guild),
            log=(making.move(number * 100, number),),
            hands=(hand,),
            match=match,
            tokens=(making.token(ANN, number),),
        )
    )
    if closes:
        await store.submit(Save(table=making.table(number, 3, guild=guild), closes=True))


def named(path: Path, user: int) -> set[str]:
    """Return the tables in which a person is found by number or by name, whatever the column."""
    found = set()
    with closing(sqlite3.connect(path)) as database:
        for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
            for row in database.execute(f"SELECT * FROM {name}"):
                if user in row or "Ann" in row:
                    found.add(name)
    return found


async def lines(store: Store, guild: int = GUILD) -> list[tuple[Any, ...]]:
    board = await store.board(guild, By.SKILL)
    return [(line.user_id, line.skill, line.matches, line.others) for line in board.lines]


async def test_somebody_is_forgotten_on_one_server(store: Store, path: Path) -> None:
    for number in (1, 2):
        await played(store, number)
    await played(store, 3, guild=OTHER)
    await store.set_cards(ANN, "words")
    before = await lines(store)
    assert await store.forget(ANN, GUILD, LATER) == []
    assert await lines(store) == [line for line in before if line[0] != ANN]
    assert len(await lines(store, OTHER)) == 3
    with closing(sqlite3.connect(path)) as database:
        seats = database.execute(
            "SELECT user_id, name, cpu FROM seats WHERE table_id < 3 AND seat = 0"
        ).fetchall()
    assert len({user for user, _, _ in seats}) == 1, "others have met one and the same person"
    assert all(user < 0 and name == "" and cpu is None for user, name, cpu in seats)
    counted = summed(path)
    await store.rebuild_tallies(NOW)
    assert summed(path) == counted, "a recount keeps what others have"
    match = await store.played(1, guild_id=GUILD, channel_id=70_001)
    assert match is not None
    assert match.host_user_id is None
    assert match.removed == {seats[0][0]}, "a rematch waits for nobody who was forgotten"
    assert await store.in_words() == {ANN}
    others = (await store.past(GUILD, BOB)).others
    assert [other.user_id for other in others] == [CAT], "nobody's nemesis is nobody"


async def test_somebody_is_forgotten_everywhere(store: Store, path: Path) -> None:
    await played(store, 1)
    await played(store, 2, guild=OTHER)
    await store.set_language(ANN, "de")
    await store.hide(GUILD, ANN, hidden=True)
    assert await store.close_season(GUILD, NOW) == 1
    assert {"seats", "hand_scores", "matches", "tallies", "meetings", "champions"} - named(path, ANN) == {
        "champions"
    }
    assert await store.forget(ANN, None, LATER) == []
    assert named(path, ANN) == {"forgotten"}, "that they asked, and nothing else"
    with closing(sqlite3.connect(path)) as database:
        made_up = database.execute("SELECT DISTINCT user_id FROM match_players WHERE user_id < 0").fetchall()
    assert len(made_up) == 2, "nothing ties what they did here to what they did there"


async def test_nobody_is_forgotten_in_the_middle_of_a_match(store: Store, path: Path) -> None:
    await played(store, 1, closes=False)
    before = named(path, ANN)
    assert await store.forget(ANN, None, LATER) == [70_001]
    assert named(path, ANN) == before
    assert await store.forget(ANN, OTHER, LATER) == []


async def test_who_comes_back_begins_at_nothing(store: Store) -> None:
    await played(store, 1)
    await store.forget(ANN, GUILD, LATER)
    await played(store, 2)
    board = {line.user_id: line for line in (await store.board(GUILD)).lines}
    assert (board[ANN].points, board[BOB].hands, board[BOB].others) == (20, 2, 3)


async def test_a_restored_copy_forgets_them_again(store: Store, path: Path, tmp_path: Path) -> None:
    await played(store, 1)
    await played(store, 2, closes=False)
    copy = tmp_path / "copy.db"
    await asyncio.to_thread(backup, url_of(path), copy)
    await store.submit(Save(table=making.table(2, 3), closes=True))
    await store.forget(ANN, None, LATER)
    await store.close()
    assert "names" in named(copy, ANN)
    restored = await restore(url_of(path), copy, LATER)
    assert restored.forgotten == 1
    assert named(path, ANN) == {"forgotten"}
    again = tmp_path / "again.db"
    shutil.copy(path, again)
    assert (await restore(url_of(path), again, LATER)).forgotten == 0
    reopened = Store(url_of(path))
    await reopened.open()
    assert [line[0] for line in await lines(reopened)] == [BOB, CAT]
    await reopened.close()


async def test_all_that_is_kept_of_somebody(store: Store) -> None:
    await played(store, 1)
    await played(store, 2, closes=False)
    await store.set_cards(ANN, "words")
    kept = await store.kept_of(ANN)
    assert {name: len(rows) for name, rows in kept.items() if rows} == {
        "seats": 2,
        "names": 1,
        "hand_scores": 2,
        "match_players": 2,
        "tallies": 4,
        "meetings": 2,
        "skill_changes": 4,
        "tokens": 1,
        "wishes": 1,
        "hosted": 2,
        "moves": 2,
    }
    assert "secret-token" not in json.dumps(kept, default=str)
    await store.pack(NOW + timedelta(days=1))
    assert len((await store.kept_of(ANN))["moves"]) == 2, "packed ones too"
    assert not any((await store.kept_of(4711)).values())


@pytest.mark.parametrize("by", By)
async def test_who_is_hidden_is_in_no_board_and_no_export(store: Store, by: By) -> None:
    for number in range(1, 11):
        await played(store, number)
    everybody = [line.user_id for line in (await store.board(GUILD, by)).lines]
    await store.hide(GUILD, ANN, hidden=True)
    await store.hide(GUILD, ANN, hidden=True)
    board = await store.board(GUILD, by, reader=ANN)
    assert [line.user_id for line in board.lines] == [user for user in everybody if user != ANN]
    assert board.lines[0].rank == 1
    assert board.own is None
    assert {row[1] for row in await store.exported(GUILD)} == {BOB, CAT}
    assert await store.is_hidden(GUILD, ANN)
    await store.hide(GUILD, ANN, hidden=False)
    assert [line.user_id for line in (await store.board(GUILD, by)).lines] == everybody


async def test_a_closed_season_keeps_its_champions(store: Store) -> None:
    assert await store.close_season(GUILD, NOW) is None
    assert await store.champions(GUILD) is None
    await played(store, 1)
    assert await store.close_season(GUILD, NOW) == 1
    assert await store.close_season(GUILD, NOW) is None
    closed = await store.champions(GUILD)
    assert closed is not None
    season, leaders = closed
    assert season == 1
    assert leaders[:2] == [(By.POINTS, ANN, "Ann"), (By.HANDS, ANN, "Ann")]
    await played(store, 2)
    assert await store.season(GUILD) == 2
    assert [line.points for line in (await store.board(GUILD, period="s2")).lines] == [20, 0, 0]
    assert [line.points for line in (await store.board(GUILD, period="s1")).lines] == [20, 0, 0]
    await store.hide(GUILD, ANN, hidden=True)
    assert all(other.user_id != ANN for other in (await store.past(GUILD, BOB)).others)
    assert all(user != ANN for _, user, _ in (await store.champions(GUILD) or (0, []))[1])
    await store.forget(ANN, GUILD, LATER)
    forgotten = await store.champions(GUILD)
    assert forgotten is not None
    by, user, name = forgotten[1][0]
    assert (by, name) == (By.POINTS, "")
    assert user < 0, "nobody else becomes champion of a season that is over"
