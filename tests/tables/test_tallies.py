"""What matches at tables add up to: facts of each seat, tallies, skill (docs/rules.md, What counts)."""

import random
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from bot.store import Store
from bot.tables import Options, Table, Tables
from bot.tables.past import keep_missing_facts
from bot.tallies.boards import By
from engine.actions import ACCEPT, DEAL, Draw, Keep, Play
from engine.awaiting import Awaiting
from engine.cards import CARD_OF_CODE
from engine.rules import Length, RuleSet
from tests.store.test_leaderboard import summed
from tests.tables.sitting import CHANNEL, GUILD, Somebody, lobby, playing, put

HANDS = {"s0": ["R1"], "s1": ["B1", "B3"], "s2": ["B2", "B4"]}


def rows(path: Path, statement: str) -> list[tuple[Any, ...]]:
    with sqlite3.connect(path) as database:
        found = database.execute(statement).fetchall()
    database.close()
    return found


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return where the database of `store` is."""
    return tmp_path / "tables.db"


async def play_on(
    tables: Tables, table: Table, by: Somebody, dice: random.Random, leave: float = 0.0
) -> None:
    """Play by legal answers until the match is over; somebody leaves now and then."""
    while table.state.ended is None:
        match = table.state.match
        assert match is not None
        people = table.state.seated_people
        if dice.random() < leave:
            await tables.leave(table, by(dice.choice(list(people.values()))))
            continue
        if match.awaiting is Awaiting.DEAL:
            await tables.act(table, by(dice.choice(list(people.values()))), (DEAL,))
            continue
        answers = match.legal_actions(match.turn)
        active = [
            answer for answer in answers if not isinstance(answer, Draw | Keep) and answer is not ACCEPT
        ]
        await tables.act(table, by(people[match.turn]), (dice.choice(active or answers),))


async def test_after_random_matches_the_tallies_are_what_a_recount_makes_them(
    tables: Tables, by: Somebody, store: Store, path: Path
) -> None:
    dice = random.Random(3)
    for number in range(8):
        people = dice.sample(range(1, 8), dice.randint(2, 4))
        rules = RuleSet(stack=bool(number % 2), seven_zero=bool(number % 3))
        options = Options(rules, Length(hands=1 + number % 3))
        table = await tables.open_lobby(GUILD, CHANNEL, by(people[0], wait=40_000), options)
        for user in people[1:]:
            await tables.join(table, by(user))
        await tables.start(table, by(people[0]))
        await play_on(tables, table, by, dice, leave=0.004)
        assert await tables.put_away(table, by.now)
    before = summed(path)
    assert len(before["tallies"]) > 20
    assert before["skill_changes"]
    await store.rebuild_tallies(by.now)
    assert summed(path) == before


async def test_a_finished_hand_keeps_what_each_seat_did(tables: Tables, by: Somebody, store: Store) -> None:
    table = await playing(tables, by, 3, length=Length(hands=2))
    await play_on(tables, table, by, random.Random(1))
    for hand_no in (1, 2):
        hand = await store.hand(table.id, hand_no)
        assert hand is not None
        assert len(hand.scores) == 3
        for score in hand.scores:
            assert score.facts is not None
            assert score.facts["turns"] > 0
            assert ("out" in score.facts) is score.won
            assert score.facts["most"] >= 7
    assert await store.hands_without_facts(5) == []


async def test_facts_of_earlier_hands_are_made_up_for_once(
    tables: Tables, by: Somebody, store: Store, path: Path
) -> None:
    for _ in range(2):
        table = await playing(tables, by, 2, length=Length(hands=2))
        await play_on(tables, table, by, random.Random(1))
        assert await tables.put_away(table, by.now)
    before = rows(path, "SELECT table_id, hand_no, seat, facts FROM hand_scores ORDER BY 1, 2, 3")
    with sqlite3.connect(path) as database:
        database.execute("UPDATE hand_scores SET facts = NULL")
        database.execute("DELETE FROM log WHERE table_id = 1 AND hand_no = 2 AND position = 5")
    database.close()
    assert await keep_missing_facts(store, pause=0) == 4
    after = rows(path, "SELECT table_id, hand_no, seat, facts FROM hand_scores ORDER BY 1, 2, 3")
    damaged = [(table, hand) == (1, 2) for table, hand, *_ in before]
    assert [row[3] for row, bad in zip(after, damaged, strict=True) if bad] == ["{}", "{}"]
    kept = [row for row, bad in zip(before, damaged, strict=True) if not bad]
    assert [row for row, bad in zip(after, damaged, strict=True) if not bad] == kept
    assert await keep_missing_facts(store, pause=0) == 0


async def test_moves_that_cannot_be_read_cost_no_hand(
    tables: Tables, by: Somebody, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await playing(tables, by, 2)

    async def broken(table_id: int, hand_no: int) -> Any:
        raise OSError("the disk is gone")

    with monkeypatch.context() as patched:
        patched.setattr(store, "moves", broken)
        await play_on(tables, table, by, random.Random(1))
    hand = await store.hand(table.id, 1)
    assert hand is not None
    assert [score.facts for score in hand.scores] == [None, None]
    assert await keep_missing_facts(store, pause=0) == 1


# --- which matches rank


async def standings(store: Store, path: Path) -> dict[int, tuple[str, int]]:
    found = rows(path, "SELECT user_id, outcome, ranked FROM match_players WHERE user_id IS NOT NULL")
    return {user: (outcome, ranked) for user, outcome, ranked in found}


async def won(tables: Tables, table: Table, by: Somebody, **position: Any) -> None:
    put(table, **({"hands": HANDS, "discard": ["R9"], "turn": "s0", "draw": ["G1"] * 20} | position))
    await tables.act(table, by(1), (Play(CARD_OF_CODE["R1"]),))


async def test_a_match_ranks_for_all_people_in_it(
    tables: Tables, by: Somebody, store: Store, path: Path
) -> None:
    table = await playing(tables, by, 3)
    await won(tables, table, by)
    assert await standings(store, path) == {1: ("won", 1), 2: ("lost", 1), 3: ("lost", 1)}
    lines = (await store.board(GUILD, By.MATCHES)).lines
    assert [(line.user_id, line.matches_won, line.matches) for line in lines] == [
        (1, 1, 1),
        (3, 0, 1),
        (2, 0, 1),
    ]


async def test_a_match_against_computers_alone_ranks_for_nobody(
    tables: Tables, by: Somebody, store: Store, path: Path
) -> None:
    table = await tables.open_lobby(GUILD, CHANNEL, by(1), Options(), ["easy", "easy"])
    await tables.start(table, by(1))
    await won(tables, table, by)
    assert await standings(store, path) == {1: ("won", 0)}
    assert rows(path, "SELECT * FROM tallies") == []


async def test_a_match_won_by_who_removed_somebody_ranks_for_nobody(
    tables: Tables, by: Somebody, store: Store, path: Path
) -> None:
    table = await playing(tables, by, 4)
    await tables.kick(table, by(1), 4, moderator=False)
    await won(tables, table, by, hands=HANDS | {"s3": ["Y1"]})
    assert await standings(store, path) == {1: ("won", 0), 2: ("lost", 0), 3: ("lost", 0), 4: ("left", 0)}
    assert rows(path, "SELECT * FROM skill_changes") == []


async def test_a_forfeit_is_a_lost_match_and_the_last_place(
    tables: Tables, by: Somebody, store: Store, path: Path
) -> None:
    table = await playing(tables, by, 3)
    put(table, hands=HANDS, discard=["R9"], turn="s0", draw=["G1"] * 20)
    assert table.state.match is not None
    table.state.match.game.acted = 0b111
    await tables.leave(table, by(3))
    await tables.act(table, by(1), (Play(CARD_OF_CODE["R1"]),))
    assert await standings(store, path) == {1: ("won", 1), 2: ("lost", 1), 3: ("forfeit", 1)}
    changes = dict(rows(path, "SELECT user_id, mu - mu_before FROM skill_changes WHERE period = 'all'"))
    assert changes[1] > changes[2] > changes[3]


async def test_a_match_ended_early_is_lost_by_who_forfeited_and_by_nobody_else(
    tables: Tables, by: Somebody, store: Store, path: Path
) -> None:
    table = await lobby(tables, by, 3, length=Length(hands=3))
    await tables.start(table, by(1))
    await won(tables, table, by)
    await tables.leave(table, by(3))
    await tables.end(table, by(1), moderator=False)
    assert await standings(store, path) == {1: ("none", 0), 2: ("none", 0), 3: ("forfeit", 1)}
    assert [user for (user,) in rows(path, "SELECT DISTINCT user_id FROM skill_changes")] == [3]
    board = {line.user_id: line for line in (await store.board(GUILD)).lines}
    assert [(board[user].hands, board[user].matches) for user in (1, 2, 3)] == [(1, 0), (1, 0), (1, 1)]
