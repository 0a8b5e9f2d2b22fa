"""Playing a scenario, and what came of it as text (docs/scenarios.md, Output; State; Events)."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from typing import Any, Final

from engine.awaiting import NO_SEAT
from engine.cards import CODE, COLOUR_NAMES, NO_COLOUR
from engine.errors import IllegalAction
from engine.events import PUBLIC, Event, owner
from engine.match import Match
from engine.notation import read_scenario


def _type_name(name: str) -> str:
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in name)[1:]


_TYPE_NAMES: Final = {kind: _type_name(kind.__name__) for kind in PUBLIC}


def _field(name: str, value: Any, names: Sequence[str]) -> object:
    if value is None or isinstance(value, bool | str):
        return value
    if isinstance(value, Enum):
        return value.value
    if name in ("seat", "other", "target", "by", "dealer", "winner"):
        return names[value]
    if name == "winners":
        return [names[seat] for seat in value]
    if name == "card":
        return CODE[value]
    if name == "cards":
        return [CODE[card] for card in value]
    return COLOUR_NAMES[value] if name == "colour" else value


def write_event(event: Event, names: Sequence[str]) -> dict[str, object]:
    """Write an event in full, its hidden fields under `private` (docs/scenarios.md, Events)."""
    out: dict[str, object] = {"type": _TYPE_NAMES[type(event)]}
    private: dict[str, object] = {}
    public = PUBLIC[type(event)]
    for name in event._fields:
        (out if name in public else private)[name] = _field(name, getattr(event, name), names)
    seat = owner(event)
    if seat is not None:
        out["private"] = {"for": names[seat], **private}
    return out


def write_state(match: Match, names: Sequence[str]) -> dict[str, object]:
    """Write the state of a match (docs/scenarios.md, State)."""
    game = match.game
    seats = range(len(names))
    top = game.discard[-1]
    winner = game.winner
    said = [seat for seat in seats if game.said[seat] or game.called == seat]
    return {
        "awaiting": match.awaiting.value,
        "turn": None if game.turn == NO_SEAT else names[game.turn],
        "direction": game.direction,
        "colour": None if game.colour == NO_COLOUR else COLOUR_NAMES[game.colour],
        "top": CODE[top],
        "hands": {names[seat]: [CODE[card] for card in sorted(game.hands[seat])] for seat in seats},
        "draw_count": len(game.draw),
        "discard_count": len(game.discard),
        "uno_said": [names[seat] for seat in said],
        "uno_owed": [] if game.owed == NO_SEAT else [names[game.owed]],
        "out": [names[seat] for seat in seats if game.out[seat]],
        "autopilot": [names[seat] for seat in seats if game.on_autopilot(seat)],
        "hand_no": match.hand_no,
        "hand_winner": None if winner == NO_SEAT else names[winner],
        "scores": {names[seat]: match.scores[seat] for seat in seats},
        "winners": None if match.winners is None else [names[seat] for seat in match.winners],
    }


def replay(value: object) -> dict[str, object]:
    """Play a scenario and return the answer; raises BadInput."""
    scenario = read_scenario(value)
    match, names = scenario.match, scenario.names
    results: list[dict[str, object]] = []
    for move in scenario.moves:
        try:
            if move.refusal:
                raise IllegalAction(move.refusal)
            events = match.apply(move.seat, move.action, move.auto)
        except IllegalAction as refused:
            results.append({"ok": False, "error": refused.reason.value})
        else:
            results.append({"ok": True, "events": [write_event(event, names) for event in events]})
    return {
        "start": [write_event(event, names) for event in scenario.start],
        "results": results,
        "state": write_state(match, names),
    }
