"""What tables, clocks and logs rely on: decision numbers, clones, who has had a turn, moves as text."""

from typing import Any

import pytest

from engine.actions import (
    ACCEPT,
    CHALLENGE,
    CHOOSE_TARGET,
    DEAL,
    DRAW,
    KEEP,
    LEAVE,
    NAME_COLOUR,
    PLAYS,
    SAY_UNO,
    TIME_OUT,
    WILD_FOUR_PLAYS,
    Action,
    Catch,
    Leave,
    Play,
)
from engine.apply import apply
from engine.awaiting import NO_SEAT
from engine.cards import CARD_OF_CODE, CODE, WILD_FOUR
from engine.errors import BadInput, IllegalAction
from engine.match import Match
from engine.notation import read_move, read_scenario, write_move, write_scenario
from engine.replay import replay, write_state
from engine.rules import RULES_VERSION, Length, RuleSet, matching, most_held_colour
from tests.engine.cases import Case
from tests.engine.tables import SETTINGS, table


def card(code: str) -> int:
    return CARD_OF_CODE[code]


#: A table, who does what, and by how much the number of the decision rises.
DECISIONS: list[tuple[str, int, Action, int]] = [
    ("turn", 0, PLAYS[card("R5")], 1),
    ("turn", 0, DRAW, 1),
    ("turn", 0, SAY_UNO, 0),
    ("turn", 0, TIME_OUT, 1),
    ("turn", 0, LEAVE, 1),
    ("turn", 1, LEAVE, 0),
    ("turn-uno-owed", 0, SAY_UNO, 0),
    ("turn-uno-owed", 2, Catch(0), 0),
    ("turn-stack", 1, DRAW, 1),
    ("turn-stack", 1, LEAVE, 1),
    ("drawn", 0, PLAYS[card("R8")], 1),
    ("drawn", 0, KEEP, 1),
    ("drawn", 0, TIME_OUT, 1),
    ("drawn", 0, LEAVE, 1),
    ("colour-first", 0, NAME_COLOUR[1], 1),
    ("colour-bob-omb", 0, NAME_COLOUR[1], 1),
    ("colour-bob-omb", 0, TIME_OUT, 1),
    ("colour-bob-omb", 1, LEAVE, 0),
    ("target-shell", 0, CHOOSE_TARGET[1], 1),
    ("target-shell", 0, TIME_OUT, 1),
    ("target-shell", 1, LEAVE, 1),  # one target fewer
    ("target-swap", 0, CHOOSE_TARGET[1], 1),
    ("target-last-shell", 0, LEAVE, 1),
    ("challenge", 2, ACCEPT, 1),
    ("challenge", 2, CHALLENGE, 1),
    ("challenge", 2, TIME_OUT, 1),
    ("challenge", 0, LEAVE, 0),
    ("challenge", 2, LEAVE, 1),
    ("deal", 1, DEAL, 1),
    ("deal", 1, LEAVE, 0),
]


@pytest.mark.parametrize(
    ("name", "seat", "action", "risen"),
    DECISIONS,
    ids=[f"{row[0]}-{row[1]}-{type(row[2]).__name__}" for row in DECISIONS],
)
def test_decision_number(name: str, seat: int, action: Action, risen: int) -> None:
    match = table(name)
    before = match.decision
    match.apply(seat, action)
    assert match.decision - before == risen


#: Where the one caught is also the one waited for, the cards on the draw pile, and by how much the number
#: rises. Whether a card drawn can be played makes no difference: everybody sees the number.
CATCHES = [
    Case("extra-turn/playable", ["ann play WI"], hands={"ann": "WI G9"}, draw="R8 R9 G1 G3"),
    Case("extra-turn/not-playable", ["ann play WI"], hands={"ann": "WI G9"}, draw="R8 G1 G3 G4"),
    Case("aiming/playable", ["ann play WI"], hands={"ann": "WI G9"}, draw="G8 G1 G3"),
    Case("aiming/not-playable", ["ann play WI"], hands={"ann": "WI G9"}, draw="G8 B1 B3"),
    Case("skip-of-two", ["ann play RS"], hands={"ann": "RS G9"}, players=2),
]


@pytest.mark.parametrize("case", CATCHES, ids=lambda case: case.name)
def test_decision_number_rises_when_the_one_waited_for_draws(case: Case) -> None:
    match = _played(case)
    assert match.turn == match.game.owed == 0
    before = match.decision
    match.apply(1, Catch(0))
    assert match.decision == before + 1


def test_decision_number_stays_where_nothing_could_be_drawn() -> None:
    match = _played(Case("", ["ann play RS"], hands={"ann": "RS G9"}, players=2, draw=""))
    match.game.discard[:] = match.game.discard[-1:]
    before = match.decision
    match.apply(1, Catch(0))
    assert match.decision == before


def test_decision_number_goes_on_over_hands() -> None:
    match = table("deal")
    before = match.decision
    match.apply(0, DEAL)
    match.apply(match.turn, TIME_OUT)
    assert match.decision == before + 2


def test_a_refusal_is_no_decision() -> None:
    match = table("turn")
    before = match.clone()
    with pytest.raises(IllegalAction):
        match.apply(1, DRAW)
    assert match == before


def _played(case: Case) -> Match:
    scenario = read_scenario(case.scenario())
    for move in scenario.moves:
        scenario.match.apply(move.seat, move.action, move.auto)
    return scenario.match


@pytest.mark.parametrize("name", SETTINGS)
def test_a_clone_is_equal_and_apart(name: str) -> None:
    match = table(name)
    clone = match.clone()
    assert clone == match
    assert clone != "a match"
    assert clone.game != "a hand"
    kept = match.clone()
    for seat, action in ((clone.turn, answer) for answer in clone.legal_actions()):
        clone.apply(max(seat, 0), action)
        break
    else:
        clone.scores[0] += 1
    assert match == kept
    assert clone != kept


@pytest.mark.parametrize("value", [Match(2), Match(2).game], ids=["match", "game"])
def test_what_changes_is_no_key(value: object) -> None:
    with pytest.raises(TypeError):
        hash(value)


EVERYBODY: list[tuple[str, Case, bool]] = [
    ("at-first", Case("", []), False),
    ("some", Case("", ["ann draw", "bob draw"]), False),
    ("all", Case("", ["ann draw", "bob draw", "cat draw"]), True),
    ("all-by-the-clock", Case("", ["ann timeout", "bob timeout", "cat timeout"]), True),
    ("one-was-skipped", Case("", ["ann play RS", "cat draw"], hands={"ann": "RS B5 B6"}), False),
    ("the-other-left", Case("", ["ann draw", "bob draw", "cat leave"]), True),
    ("the-one-waited-for-left", Case("", ["ann leave", "bob draw", "cat draw"]), True),
    (
        "by-challenge",
        Case("", ["ann play W4 red", "bob challenge", "cat draw"], hands={"ann": "W4 B5 B6"}),
        True,
    ),
    ("a-hand-is-won", Case("", ["ann play R9"], hands={"ann": "R9"}, match={"hands": 2}), True),
    ("a-hand-is-blocked", Case("", ["ann draw", "bob draw", "cat draw"], draw="", match={"hands": 2}), True),
    ("a-hand-is-broken-off", Case("", ["ann leave", "bob leave"]), False),
    ("a-later-hand", Case("", [], match={"hands": 2}, start={"hand_no": 2}), True),
]


@pytest.mark.parametrize(
    ("case", "played"), [row[1:] for row in EVERYBODY], ids=[row[0] for row in EVERYBODY]
)
def test_whether_everybody_has_had_a_turn(case: Case, played: bool) -> None:
    assert _played(case).everybody_played() is played


NAMES = ("ann", "bob", "cat")
MOVES: list[tuple[Action, list[Any]]] = [
    (PLAYS[card("R5")], ["play", "R5"]),
    (Play(WILD_FOUR), ["play", "W4"]),
    (WILD_FOUR_PLAYS[3], ["play", "W4", "blue"]),
    (PLAYS[card("WI")], ["play", "WI"]),
    (DRAW, ["draw"]),
    (KEEP, ["keep"]),
    (NAME_COLOUR[2], ["colour", "green"]),
    (CHOOSE_TARGET[2], ["target", "cat"]),
    (ACCEPT, ["accept"]),
    (CHALLENGE, ["challenge"]),
    (SAY_UNO, ["uno"]),
    (Catch(2), ["catch", "cat"]),
    (TIME_OUT, ["timeout"]),
    (LEAVE, ["leave"]),
    (DEAL, ["deal"]),
]


@pytest.mark.parametrize(("action", "written"), MOVES, ids=[" ".join(row[1]) for row in MOVES])
@pytest.mark.parametrize("auto", [False, True])
def test_moves_are_written_and_read(action: Action, written: list[Any], auto: bool) -> None:
    move = write_move(NAMES, 1, action, auto)
    assert move == ["bob", *written, *([{"auto": True}] if auto else [])]
    again = read_move(move, NAMES, "")
    assert (again.seat, again.action, again.auto, again.refusal) == (1, action, auto, None)


def test_a_later_hand_is_written_without_who_had_left() -> None:
    names = ("ann", "bob", "cat", "dan")
    match = Match(4, RuleSet(stack=True), Length(hands=3), "seed")
    match.begin(0)
    match.scores = [5, 6, 7, 8]
    match.start_scores = match.scores[:]
    match.apply(1, LEAVE)
    match.game.hands[match.turn] = [match.game.discard[-1]]
    match.game.deck = tuple(
        face for pile in (match.game.draw, match.game.discard, *match.game.hands) for face in pile
    )
    match.apply(match.turn, PLAYS[match.game.discard[-1]])
    match.apply(0, DEAL)
    scenario = write_scenario(match, names)
    assert scenario["players"] == ["ann", "cat", "dan"]
    assert scenario["start"]["hand_no"] == 2  # type: ignore[index]
    state: Any = replay(scenario)["state"]
    expected: Any = write_state(match, names)
    assert state["hands"] == {name: expected["hands"][name] for name in ("ann", "cat", "dan")}
    assert state["turn"] == expected["turn"]


def test_a_log_is_replayed_by_the_rules_it_was_played_by(monkeypatch: pytest.MonkeyPatch) -> None:
    match = Match(2)
    match.begin()
    log = write_scenario(match, ("ann", "bob"), [(match.turn, DRAW, False)])
    assert log["rules_version"] == RULES_VERSION
    assert replay(log)["results"][0]["ok"]  # type: ignore[index]
    # A release with another ruling reads the same log.
    monkeypatch.setattr("engine.notation.RULES_VERSION", RULES_VERSION + 1)
    with pytest.raises(BadInput, match=r"^rules_version: "):
        replay(log)


def test_leaving_is_the_only_thing_left_when_a_hand_is_over() -> None:
    match = table("deal")
    apply(match.game, 2, LEAVE)
    assert match.game.out == [False, False, True]
    with pytest.raises(IllegalAction):
        apply(match.game, 1, DRAW)
    assert type(LEAVE) is Leave


def test_what_fits_what() -> None:
    for top in range(len(CODE)):
        fits = {CODE[face] for face in matching(top, top // 13 if top < WILD_FOUR else 2, 0)}
        expected = {
            code
            for code in CODE
            if code[0] in ("W", "RYGB"[2] if top >= WILD_FOUR else CODE[top][0])
            or (top < WILD_FOUR and code[1] == CODE[top][1])
        }
        assert fits == expected, CODE[top]
    assert {CODE[face] for face in matching(card("RD"), 0, 2)} == {"RD", "YD", "GD", "BD"}
    assert {CODE[face] for face in matching(WILD_FOUR, 0, 4)} == {"W4"}


def test_colour_most_held() -> None:
    assert most_held_colour([]) == 0
    assert most_held_colour([WILD_FOUR, card("G1"), card("B1")]) == 2


def test_invariants_of_a_match() -> None:
    match = table("turn")
    match.winners = ()
    match.scores[0] = 5
    assert len(match.invariants()) == 2
    assert match.turn != NO_SEAT
