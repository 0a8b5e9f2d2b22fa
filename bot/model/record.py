"""A finished hand as a scenario that plays it again (docs/scenarios.md, Input). Pure; imports the engine."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from bot.model.facts import NotReplayedError
from engine.actions import Deal
from engine.errors import BadInput, IllegalAction
from engine.notation import read_move, read_scenario


def record(scenario: dict[str, Any], moves: Iterable[list[Any]]) -> dict[str, Any]:
    """Return a finished hand as a scenario with all of its moves, up to its end.

    `moves` are those logged for the hand; what came after its end is left out. Raises NotReplayedError if
    they do not end it.
    """
    try:
        read = read_scenario(scenario)
        kept = []
        for entry in moves:
            move = read_move(entry, read.names, "moves")
            if isinstance(move.action, Deal):
                continue
            read.match.apply(move.seat, move.action, move.auto)
            kept.append(entry)
            if read.match.game.end is not None:
                return scenario | {"actions": kept}
    except (BadInput, IllegalAction) as error:
        raise NotReplayedError(repr(error)) from error
    raise NotReplayedError("the hand does not end")
