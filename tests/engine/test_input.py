"""docs/scenarios.md, Input; Bad input: each kind of bad input names the key at fault."""

import contextlib
import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.errors import BadInput
from engine.notation import read_scenario
from engine.replay import replay
from engine.rules import RULES_VERSION

GONE = object()
POSITION = {
    "hands": {"ann": ["R5", "G9"], "bob": ["B1"]},
    "draw": ["G1", "G3"],
    "discard": ["R2"],
    "turn": "ann",
}
BASE = {"players": ["ann", "bob"]}
PLACED = {**BASE, "position": POSITION}


def changed(base: dict[str, Any], path: str, value: object) -> dict[str, Any]:
    """Copy a scenario with the value at a path changed, or taken away."""
    scenario: dict[str, Any] = json.loads(json.dumps(base))
    at: Any = scenario
    *keys, last = path.split(".")
    for key in keys:
        at = at.setdefault(key, {})
    if value is GONE:
        del at[last]
    else:
        at[last] = value
    return scenario


#: The path changed, what it becomes, and the key that is named if it is not the path.
BAD: list[tuple[str, object] | tuple[str, object, str]] = [
    ("rules_version", RULES_VERSION - 1),
    ("rules_version", RULES_VERSION + 1),
    ("rules_version", str(RULES_VERSION)),
    ("rules_version", True),
    ("rules_version", None),
    ("players", GONE),
    ("players", None),
    ("players", "ann"),
    ("players", {"ann": 1}),
    ("players", []),
    ("players", ["ann"]),
    ("players", [f"p{number}" for number in range(11)]),
    ("players", ["ann", "ann"]),
    ("players", ["ann", 5]),
    ("players", ["ann", None]),
    ("rules", []),
    ("rules", {"stacks": True}, "rules.stacks"),
    ("rules.stack", 1),
    ("rules.stack", "yes"),
    ("rules.stack", None),
    ("match", []),
    ("match", None),
    ("match", {}),
    ("match", {"hands": 1, "target": 500}),
    ("match", {"rounds": 3}, "match.rounds"),
    ("match.hands", 0),
    ("match.hands", -1),
    ("match.hands", 1.5),
    ("match.hands", "3"),
    ("match.hands", True),
    ("match.hands", 10**30),
    ("match.target", 0),
    ("match.target", None),
    ("seed", None),
    ("seed", 1.5),
    ("seed", True),
    ("seed", [1]),
    ("seed", "é"),
    ("hand_seeds", 7),
    ("hand_seeds", "7"),
    ("hand_seeds", {"1": 7}),
    ("hand_seeds", [7, None], "hand_seeds[1]"),
    ("hand_seeds", ["ü"], "hand_seeds[0]"),
    ("hand_seeds", [1.5], "hand_seeds[0]"),
    ("dealer", "zoe"),
    ("dealer", None),
    ("dealer", 0),
    ("dealer", ["ann"]),
    ("deck", {}),
    ("deck", "R5"),
    ("deck", []),
    ("deck", ["R5"] * 14),
    ("deck", ["R5"] * 13),
    ("deck", ["R5"] * 14 + ["RS", "RR", "GD", "W4"]),
    ("deck", ["R5"] * 15 + ["R10"], "deck[15]"),
    ("deck", ["R5", 7], "deck[1]"),
    ("deck", ["r5"], "deck[0]"),
    ("position", []),
    ("position.hands", GONE),
    ("position.hands", []),
    ("position.hands.zoe", ["R5"]),
    ("position.hands.ann", []),
    ("position.hands.ann", GONE),
    ("position.hands.ann", None),
    ("position.hands.ann", "R5"),
    ("position.hands.ann", 7),
    ("position.hands.ann", ["R5", "X1"], "position.hands.ann[1]"),
    ("position.draw", GONE),
    ("position.draw", None),
    ("position.draw", ["W5"], "position.draw[0]"),
    ("position.discard", GONE),
    ("position.discard", []),
    ("position.discard", "R2"),
    ("position.discard", [["R2"]], "position.discard[0]"),
    ("position.turn", GONE),
    ("position.turn", "zoe"),
    ("position.turn", 0),
    ("position.colour", "red"),
    ("position.direction", 0),
    ("position.direction", 2),
    ("position.direction", "1"),
    ("position.direction", True),
    ("position.direction", 1.0),
    ("position.dealer", "zoe"),
    ("position.pending", 2),
    ("start", []),
    ("start.hand_no", 0),
    ("start.hand_no", 2),
    ("start.hand_no", "1"),
    ("start.hand_no", True),
    ("start.scores", []),
    ("start.scores.zoe", 1),
    ("start.scores.ann", -1),
    ("start.scores.ann", 1.5),
    ("start.scores.ann", "10"),
    ("start.scores.ann", 10**30),
    ("start.score", {}),
    ("actions", {}),
    ("actions", "draw"),
    ("actions", None),
    ("action", []),
    ("Players", []),
    ("seeds", [1]),
]

MORE: list[tuple[dict[str, Any], str]] = [
    ({**BASE, "rules": {"score_target": True}, "match": {"hands": 3}}, "match.hands"),
    ({**BASE, "match": {"target": 500}, "start": {"scores": {"ann": 500}}}, "start.scores"),
    ({**BASE, "rules": {"score_target": True}, "start": {"scores": {"ann": 600}}}, "start.scores"),
    ({**BASE, "match": {"hands": 3}, "start": {"hand_no": 4}}, "start.hand_no"),
    ({**PLACED, "dealer": "ann"}, "dealer"),
    ({**PLACED, "deck": ["R5"] * 20}, "deck"),
    (changed(changed(PLACED, "position.discard", ["WI"]), "position.colour", "mauve"), "position.colour"),
    (changed(changed(PLACED, "position.discard", ["W4"]), "position.colour", None), "position.colour"),
    (changed(changed(PLACED, "position.discard", ["W4"]), "position.colour", 0), "position.colour"),
]

ACTIONS: list[object] = [
    [],
    None,
    "ann draw",
    {"auto": True},
    ["ann"],
    [{"auto": True}],
    ["ann", {"auto": True}],
    ["ann", "sing"],
    ["ann", "Draw"],
    ["ann", ""],
    ["ann", 5],
    [5, "draw"],
    [None, "draw"],
    ["ann", "draw", "R5"],
    ["ann", "keep", "R5"],
    ["ann", "accept", "bob"],
    ["ann", "challenge", "bob"],
    ["ann", "uno", "ann"],
    ["ann", "timeout", "bob"],
    ["ann", "leave", "now"],
    ["ann", "deal", "bob"],
    ["ann", "play"],
    ["ann", "play", "R10"],
    ["ann", "play", "red"],
    ["ann", "play", 5],
    ["ann", "play", None],
    ["ann", "play", "R5", "red"],
    ["ann", "play", "WI", "red"],
    ["ann", "play", "W4", "red", "blue"],
    ["ann", "play", "W4", 0],
    ["ann", "play", "W4", None],
    ["ann", "colour"],
    ["ann", "colour", "red", "blue"],
    ["ann", "colour", 0],
    ["ann", "target"],
    ["ann", "target", "bob", "bob"],
    ["ann", "target", 1],
    ["ann", "catch"],
    ["ann", "catch", "bob", "bob"],
    ["ann", "draw", {"auto": False}],
    ["ann", "draw", {"auto": 1}],
    ["ann", "draw", {}],
    ["ann", "draw", {"auto": True, "by": "clock"}],
    ["ann", "draw", {"auto": True}, {"auto": True}],
    ["ann", {"auto": True}, "draw"],
    ["zoe", "sing"],
    ["zoe", "draw", "R5"],
]


@pytest.mark.parametrize("row", BAD, ids=[f"{row[0]}-{number}" for number, row in enumerate(BAD)])
def test_bad_input_names_the_key(row: tuple[Any, ...]) -> None:
    path, value, *named = row
    base = PLACED if path.startswith("position") and path != "position" else BASE
    key = named[0] if named else path
    with pytest.raises(BadInput) as caught:
        replay(changed(base, path, value))
    assert caught.value.key == key
    assert str(caught.value) == f"{key}: {caught.value.problem}"


@pytest.mark.parametrize(("scenario", "key"), MORE)
def test_what_contradicts_itself_names_the_key(scenario: dict[str, Any], key: str) -> None:
    with pytest.raises(BadInput) as caught:
        replay(scenario)
    assert caught.value.key == key


@pytest.mark.parametrize("scenario", [None, [], "x", 5, True, 1.5], ids=repr)
def test_what_is_no_scenario_is_named_so(scenario: object) -> None:
    with pytest.raises(BadInput) as caught:
        replay(scenario)
    assert caught.value.key == "scenario"


@pytest.mark.parametrize("action", ACTIONS, ids=repr)
def test_an_action_of_the_wrong_shape_is_named(action: object) -> None:
    with pytest.raises(BadInput) as caught:
        replay({**PLACED, "actions": [["ann", "draw"], action]})
    assert caught.value.key.startswith("actions[1]")


GOOD = {
    "two players": BASE,
    "ten players": {"players": [f"p{number}" for number in range(10)]},
    "a rule that is off": {**BASE, "rules": {"stack": False}},
    "all rules": {**BASE, "rules": dict.fromkeys(("stack", "jump_in", "score_target"), True)},
    "a target with the house rule": {**BASE, "rules": {"score_target": True}, "match": {"target": 100}},
    "a negative seed": {**BASE, "seed": -5},
    "an empty seed": {**BASE, "seed": ""},
    "more hand seeds than hands": {**BASE, "hand_seeds": [1, "two", 3]},
    "a deck that starts on an item box": {**BASE, "deck": ["R5"] * 14 + ["WI"]},
    "a position": PLACED,
    "a position on a wild without a colour": changed(PLACED, "position.discard", ["WI"]),
    "a position with all": {
        **PLACED,
        "position": {**POSITION, "discard": ["W4"], "colour": "red", "direction": -1, "dealer": "ann"},
    },
    "the last hand": {**BASE, "match": {"hands": 3}, "start": {"hand_no": 3, "scores": {"bob": 40}}},
    "any hand to a target": {**BASE, "match": {"target": 500}, "start": {"hand_no": 30}},
    "scores alone": {**BASE, "match": {"hands": 2}, "start": {"scores": {"ann": 1000}}},
    "an action by the clock": {**PLACED, "actions": [["ann", "timeout", {"auto": True}]]},
    "odd names": {"players": ["", " ", "a\nb", "\ud800"]},
}


@pytest.mark.parametrize("name", GOOD)
def test_good_input(name: str) -> None:
    assert set(replay(GOOD[name])) == {"start", "results", "state"}


def test_defaults() -> None:
    plain = read_scenario(BASE)
    assert plain.match.length.hands == 1
    assert plain.match.seed == "0"
    assert plain.match.game.seed == "0/1"
    assert read_scenario({**BASE, "rules": {"score_target": True}}).match.length.target == 500
    placed = read_scenario(PLACED).match.game
    assert (placed.direction, placed.dealer) == (1, 1)


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text()
    | st.sampled_from(["ann", "R5", "W4", "draw"]),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.text() | st.sampled_from(["hands", "ann"]), inner, max_size=4)
    ),
    max_leaves=8,
)
KEYS = ("players", "rules", "match", "seed", "hand_seeds", "dealer", "deck", "position", "start", "actions")


@settings(max_examples=150, deadline=None)
@given(base=st.sampled_from([BASE, PLACED]), key=st.sampled_from(KEYS), value=JSON, inner=st.booleans())
def test_any_garbage_is_played_or_refused_by_name(
    base: dict[str, Any], key: str, value: Any, inner: bool
) -> None:
    garbled = dict(base)
    if inner and isinstance(value, list):
        garbled["actions"] = [value]
    elif inner and isinstance(value, dict):
        garbled["position"] = {**POSITION, **value}
    else:
        garbled[key] = value
    with contextlib.suppress(BadInput):
        replay(garbled)
