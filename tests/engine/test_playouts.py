"""A few hundred random hands, checked after every action, and hands that Hypothesis thinks of."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.actions import CHOOSE_TARGET, DEAL, DRAW, LEAVE, SAY_UNO, TIME_OUT, Action, Catch
from engine.awaiting import NO_SEAT
from engine.rules import RULE_NAMES, Length, RuleSet
from tests.engine import playouts
from tests.engine.playouts import ANSWERS, Watched, main, play, play_many, rules_of

KINDS = len(RULE_NAMES) + 4


@pytest.mark.parametrize("kind", range(KINDS))
def test_random_hands(kind: int) -> None:
    count = play_many(kind, KINDS, 20, "tests")
    assert count["hands"] >= 20
    assert count["hands"] == count["hands replayed"] == count["HandEnded"]
    assert count["probed"] > count["matches"]


def test_every_rule_is_played_alone_and_with_the_others() -> None:
    kinds = [rules_of(kind, random.Random(0)).names() for kind in range(KINDS)]
    assert kinds[: len(RULE_NAMES)] == [(name,) for name in RULE_NAMES]
    assert kinds[len(RULE_NAMES)] == ()
    assert kinds[len(RULE_NAMES) + 1] == RULE_NAMES


def test_a_match_is_the_same_each_time() -> None:
    assert play(3, "again") == play(3, "again")


def test_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--match", "3"]) == 0
    assert "actions accepted" in capsys.readouterr().out


def test_a_failure_names_its_match(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(playouts.Match, "invariants", lambda self: ["nothing is right"])
    with pytest.raises(AssertionError) as caught:
        play(3, "seed")
    assert caught.value.__notes__ == ["in match 3 of seed 'seed'"]


def tries(watched: Watched, choice: int) -> tuple[int, Action]:
    """Turn a number into something somebody tries; small ones are what the game waits for."""
    match, seats = watched.match, len(watched.names)
    answers = match.legal_actions() or [DEAL]
    waited = match.turn if match.turn != NO_SEAT else match.game.seated()[0]
    if choice < 60:
        return waited, answers[choice % len(answers)]
    seat = choice % seats
    other = choice // seats % seats
    more: list[Action] = [
        SAY_UNO,
        Catch(match.game.owed if match.game.owed != NO_SEAT else other),
        TIME_OUT,
        LEAVE,
        CHOOSE_TARGET[other],
        DRAW,
        ANSWERS[choice % len(ANSWERS)],
    ]
    return seat, more[choice // 10 % len(more)]


@settings(max_examples=60, deadline=None)
@given(
    players=st.integers(2, 10),
    rules=st.sets(st.sampled_from(RULE_NAMES)),
    hands=st.integers(1, 2),
    seed=st.integers(0, 9999),
    choices=st.lists(st.integers(0, 199), max_size=120),
)
def test_whatever_is_tried(players: int, rules: set[str], hands: int, seed: int, choices: list[int]) -> None:
    length = Length(target=100) if "score_target" in rules else Length(hands=hands)
    watched = Watched(players, RuleSet(**dict.fromkeys(rules, True)), length, str(seed))
    for choice in choices:
        if watched.match.winners is not None:
            break
        watched.do(*tries(watched, choice))
    watched.probe()
    watched.save_and_read()
