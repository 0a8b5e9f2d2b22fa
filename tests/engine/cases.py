"""Rule tables: one line of setting, the moves, and what must come of them, all through `replay`.

Cards and moves are written as text: `hands={"ann": "R5 G9"}`, `moves=["ann play R5", "bob keep: not_now"]`.
A word after the colon is the error expected, `*` marks what the clock or a computer did.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from engine.replay import replay

#: A draw pile without a wild and without red, so that on R2 nothing drawn can be played.
QUIET = "G1 G3 G4 G6 G7 G8 G9 Y1 Y3 Y4 Y5 Y6"
FILLER = {"ann": "B5 B6 B7", "bob": "B1 B3 B4", "cat": "Y7 Y8 Y9", "dan": "G3 G4 G6"}


@dataclass(frozen=True)
class Case:
    """A position, the moves from there, and what is expected: results, part of the state, events.

    `name` begins with the section of the rules. `players` is how many of ann, bob, cat, dan play; `hands`
    replaces what they hold otherwise. `events` lists the types of the last move's events.
    """

    name: str
    moves: Sequence[str]
    state: Mapping[str, Any] = field(default_factory=dict)
    hands: Mapping[str, str] = field(default_factory=dict)
    players: int = 3
    rules: str = ""
    discard: str = "R2"
    draw: str = QUIET
    colour: str | None = None
    turn: str = "ann"
    direction: int = 1
    match: Mapping[str, int] | None = None
    start: Mapping[str, Any] | None = None
    dealer: str | None = None
    events: Sequence[str] | None = None

    def scenario(self) -> dict[str, Any]:
        """Write the case as a scenario."""
        names = list(FILLER)[: self.players]
        position: dict[str, Any] = {
            "hands": {name: cards(self.hands.get(name, FILLER[name])) for name in names},
            "discard": cards(self.discard),
            "draw": cards(self.draw),
            "turn": self.turn,
            "direction": self.direction,
        }
        if self.colour:
            position["colour"] = self.colour
        if self.dealer:
            position["dealer"] = self.dealer
        scenario = {
            "players": names,
            "rules": dict.fromkeys(self.rules.split(), True),
            "position": position,
            "actions": [move(text) for text in self.moves],
        }
        if self.match:
            scenario["match"] = self.match
        if self.start:
            scenario["start"] = self.start
        return scenario

    def check(self) -> None:
        """Play the case and compare."""
        check(self.scenario(), [expected(text) for text in self.moves], self.state, self.events)


def cards(text: str) -> list[str]:
    """Split a text into card codes; `G1*300` is three hundred of them."""
    codes = []
    for word in text.split():
        code, _, times = word.partition("*")
        codes += [code] * int(times or 1)
    return codes


def move(text: str) -> list[Any]:
    """Read a move such as `bob catch ann: nobody_to_catch`, `ann timeout *`."""
    words: list[Any] = text.partition(":")[0].split()
    if words[-1] == "*":
        words[-1] = {"auto": True}
    return words


def expected(text: str) -> bool | str:
    """Read what a move should come to: True, or an error word."""
    return text.partition(":")[2].strip() or True


def check(
    scenario: Mapping[str, Any],
    results: Sequence[bool | str],
    state: Mapping[str, Any],
    events: Sequence[str] | None = None,
) -> dict[str, Any]:
    """Play a scenario and compare results and the part of the state that is named; returns the answer."""
    answer: dict[str, Any] = replay(scenario)
    outcomes = [result["ok"] or result["error"] for result in answer["results"]]
    wanted = [
        outcome if result is False and outcome is not True else result
        for result, outcome in zip(results, outcomes, strict=True)
    ]
    assert outcomes == wanted
    for key, value in state.items():
        assert _part(key, answer["state"][key], value) == _part(key, value, value), key
    if events is not None:
        assert [event["type"] for event in answer["results"][-1]["events"]] == list(events)
    return answer


def _part(key: str, value: Any, wanted: Any) -> Any:
    """Cut a value of the state to what is wanted: parts of objects, hands and lists without order."""
    if key == "hands":
        return {
            name: sorted(cards(hand) if isinstance(hand, str) else hand)
            for name, hand in value.items()
            if name in wanted
        }
    if isinstance(wanted, Mapping) and isinstance(value, Mapping):
        return {name: value[name] for name in wanted}
    return sorted(value) if isinstance(value, list) else value
