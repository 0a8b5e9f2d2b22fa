"""A saved match is read back as it was, older forms are upgraded, and what is not whole is refused."""

import json
from typing import Any

import pytest

from engine import codec
from engine.awaiting import Awaiting
from engine.cards import Item
from engine.codec import SCHEMA, decode, decode_event, encode, encode_event
from engine.errors import BadInput
from engine.events import (
    PUBLIC,
    AutopilotSet,
    CardsDrawn,
    End,
    HandEnded,
    HandShown,
    ItemFired,
    MatchEnded,
    Why,
    WildFourReturned,
)
from engine.match import Match
from engine.rules import RULE_NAMES, Length, RuleSet
from tests.engine.tables import SETTINGS, table


def saved(name: str) -> dict[str, Any]:
    """Save a table as the store does, through text."""
    text = json.dumps(encode(table(name)))
    read: dict[str, Any] = json.loads(text)
    return read


def test_every_decision_is_among_the_tables() -> None:
    assert {table(name).awaiting for name in SETTINGS} == set(Awaiting)


@pytest.mark.parametrize("name", SETTINGS)
def test_round_trip(name: str) -> None:
    match = table(name)
    assert match.invariants() == []
    again = decode(saved(name))
    assert again == match
    assert encode(again) == encode(match)


@pytest.mark.parametrize("name", SETTINGS)
def test_saved_form_shares_nothing_with_the_match(name: str) -> None:
    match = table(name)
    before = match.clone()
    form = encode(match)
    again = decode(form)
    for seat in range(len(match.scores)):
        form["game"]["hands"][seat].append(0)
    for key in ("draw", "discard"):
        form["game"][key].append(0)
    assert match == before
    assert again == before


@pytest.mark.parametrize("rules", [(), RULE_NAMES, ("stack",), ("no_bluff", "jump_in")])
@pytest.mark.parametrize("length", [Length(hands=3), Length(target=200)])
def test_round_trip_of_a_deal(rules: tuple[str, ...], length: Length) -> None:
    match = Match(10, RuleSet(**dict.fromkeys(rules, True)), length, "seed", ["one", "two"])
    match.begin()
    again = decode(json.loads(json.dumps(encode(match))))
    assert again == match
    assert (again.rules, again.length, again.hand_seeds) == (match.rules, length, ["one", "two"])


def test_a_match_read_back_plays_on_alike() -> None:
    match = table("challenge-stack")
    again = decode(saved("challenge-stack"))
    seat = match.turn
    action = match.legal_actions()[0]
    assert again.apply(seat, action) == match.apply(seat, action)
    assert again == match


def test_the_schema_is_saved() -> None:
    assert saved("turn")["schema"] == SCHEMA


def test_a_match_plays_on_whatever_rules_it_was_begun_by() -> None:
    """Older releases saved the version of their rules too; a new ruling does not close open tables."""
    assert decode({**saved("turn"), "rules_version": 0}) == table("turn")


def test_older_forms_are_upgraded_step_by_step(monkeypatch: pytest.MonkeyPatch) -> None:
    def first(form: dict[str, Any]) -> dict[str, Any]:
        return {**form, "schema": -1, "length": {"hands": form["rounds"], "target": None}}

    def second(form: dict[str, Any]) -> dict[str, Any]:
        return {**form, "schema": SCHEMA, "seed": str(form["seed"])}

    monkeypatch.setitem(codec.UPGRADES, -2, first)
    monkeypatch.setitem(codec.UPGRADES, -1, second)
    form = saved("turn")
    del form["length"]
    assert decode({**form, "schema": -2, "rounds": 1, "seed": 0}) == table("turn")


@pytest.mark.parametrize("schema", [SCHEMA + 1, None, "1", [], -2])
def test_an_unknown_schema_is_refused(schema: object) -> None:
    with pytest.raises(BadInput, match="match"):
        decode({**saved("turn"), "schema": schema})


#: What is done to a saved table, the table it is done to, and its decision.
TAMPERED: list[tuple[str, str, Any]] = [
    ("turn", "schema", None),
    ("turn", "rules", ["stacks"]),
    ("turn", "rules", 5),
    ("turn", "length", {"hands": None, "target": None}),
    ("turn", "length", {"hands": 1, "target": 500}),
    ("turn", "length", {"hands": 0, "target": None}),
    ("turn", "length", {"rounds": 1}),
    ("turn", "length", []),
    ("turn", "seed", 5),
    ("turn", "seed", "é"),
    ("turn", "hand_seeds", "x"),
    ("turn", "hand_seeds", [1]),
    ("turn", "hand_no", 0),
    ("turn", "hand_no", True),
    ("turn", "scores", []),
    ("turn", "scores", [0]),
    ("turn", "scores", [0, 0, -1]),
    ("turn", "scores", [0, 0, 5]),
    ("turn", "scores", [0, 0, 0, 0]),
    ("turn", "scores", 3),
    ("turn", "start_scores", [0, 0]),
    ("turn", "winners", [0]),
    ("turn", "winners", [3]),
    ("turn", "game", None),
    ("turn", "game", []),
    ("turn", "game.hands", [["R5"], [], []]),
    ("turn", "game.hands", [[5], [60], [7]]),
    ("turn", "game.hands", [[5], [6]]),
    ("turn", "game.hands.0", [5, 33, 33]),
    ("turn", "game.hands.0", []),
    ("turn", "game.draw", []),
    ("turn", "game.draw", None),
    ("turn", "game.discard", []),
    ("turn", "game.deck", [1, 2]),
    ("turn", "game.deck", None),
    ("turn", "game.turn", 3),
    ("turn", "game.turn", -1),
    ("turn", "game.turn", -2),
    ("turn", "game.turn", 1.0),
    ("turn", "game.turn", True),
    ("turn", "game.dealer", 3),
    ("turn", "game.dealer", -1),
    ("turn", "game.direction", 0),
    ("turn", "game.direction", True),
    ("turn", "game.colour", 4),
    ("turn", "game.colour", 1),
    ("turn", "game.colour", -1),
    ("turn", "game.awaiting", "nap"),
    ("turn", "game.awaiting", "drawn"),
    ("turn", "game.awaiting", "colour"),
    ("turn", "game.awaiting", "challenge"),
    ("turn", "game.awaiting", "over"),
    ("turn", "game.awaiting", "deal"),
    ("turn", "game.end", "won"),
    ("turn", "game.end", "lost"),
    ("turn", "game.drawn", 5),
    ("turn", "game.due", -1),
    ("turn", "game.due", "2"),
    ("turn", "game.out", [False, False]),
    ("turn", "game.out", [0, 0, 0]),
    ("turn", "game.out", [True, False, False]),
    ("turn", "game.out", [False, True, False]),
    ("turn", "game.said", [True, False, False]),
    ("turn", "game.owed", 0),
    ("turn", "game.owed", 3),
    ("turn", "game.called", 1),
    ("turn", "game.streak", [0, 0, -1]),
    ("turn", "game.winner", 1),
    ("turn", "game.points", 5.5),
    ("turn", "game.seed", 5),
    ("turn", "game.opening", 1),
    ("turn", "game.wild_four", [0, [1], 2]),
    ("turn", "game.shown", [0, 1]),
    ("turn-shown", "game.shown", [1, 0, "cards"]),
    ("turn-shown", "game.shown", 5),
    ("turn-uno-said", "game.called", 2),
    ("turn-uno-owed", "game.said", [True, False, False]),
    ("turn-stack", "game.awaiting", "target"),
    ("drawn", "game.drawn", -1),
    ("drawn", "game.drawn", 6),
    ("colour-first", "game.colour", 2),
    ("challenge", "game.wild_four", None),
    ("challenge", "game.wild_four", [0, [9, 22], 4]),
    ("challenge", "game.wild_four", [3, [9, 22], 0]),
    ("challenge", "game.wild_four", [0, [9, 99], 0]),
    ("challenge", "game.wild_four", [0, [9, 22]]),
    ("challenge", "game.due", 0),
    ("target-last-shell", "game.winner", -1),
    ("deal", "scores", [31, 0, 0]),
    ("deal", "game.remaining", []),
    ("deal", "game.remaining", [[], [1]]),
    ("deal", "game.remaining", [[], [1], [54]]),
    ("turn", "game.remaining", None),
    ("turn", "game.remaining", [[1], [2], [3]]),
    ("deal", "game.end", None),
    ("deal", "game.turn", 0),
    ("deal", "game.due", 2),
    ("deal", "game.owed", 1),
    ("over", "winners", "ann"),
]


@pytest.mark.parametrize(
    ("name", "path", "value"),
    TAMPERED,
    ids=[f"{row[0]}-{row[1]}-{number}" for number, row in enumerate(TAMPERED)],
)
def test_a_tampered_match_is_refused(name: str, path: str, value: Any) -> None:
    form = saved(name)
    at: Any = form
    *keys, last = path.split(".")
    for key in keys:
        at = at[int(key) if isinstance(at, list) else key]
    at[int(last) if isinstance(at, list) else last] = value
    with pytest.raises(BadInput):
        decode(form)


@pytest.mark.parametrize("key", [*saved("turn"), *(f"game.{key}" for key in saved("turn")["game"])])
def test_a_match_with_a_part_missing_is_refused(key: str) -> None:
    form = saved("turn")
    part = form["game"] if key.startswith("game.") else form
    del part[key.removeprefix("game.")]
    with pytest.raises(BadInput):
        decode(form)


@pytest.mark.parametrize("form", [None, [], {}, "x", 5])
def test_what_is_no_match_is_refused(form: object) -> None:
    with pytest.raises(BadInput):
        decode(form)


EVENTS = [
    CardsDrawn(1, 2, Why.STACK, (3, 4)),
    HandShown(1, 0, (5,)),
    HandEnded(End.BLOCKED, None, 0),
    HandEnded(End.WON, 2, 135),
    ItemFired(0, Item.BOB_OMB),
    AutopilotSet(1, on=True),
    WildFourReturned(),
    MatchEnded((0, 2)),
    MatchEnded(()),
]


@pytest.mark.parametrize("event", EVENTS, ids=repr)
def test_events_round_trip(event: Any) -> None:
    again = decode_event(json.loads(json.dumps(encode_event(event))))
    assert again == event
    assert type(again) is type(event)


@pytest.mark.parametrize("name", SETTINGS)
def test_events_of_a_table_round_trip(name: str) -> None:
    match = table(name)
    for action in match.legal_actions():
        for event in match.clone().apply(max(match.turn, 0), action):
            assert decode_event(json.loads(json.dumps(encode_event(event)))) == event


def test_every_event_can_be_read_back() -> None:
    assert set(codec._EVENTS.values()) == set(PUBLIC)


@pytest.mark.parametrize(
    "form", [None, [], "x", ["Nothing"], ["HandEnded", "lost", None, 0], ["PlayerLeft"], 5]
)
def test_what_is_no_event_is_refused(form: object) -> None:
    with pytest.raises(BadInput):
        decode_event(form)
