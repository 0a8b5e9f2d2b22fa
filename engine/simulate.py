"""Whole hands between computer players, counted and hashed (docs/scenarios.md, Simulation).

Imports the rest of the engine.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from operator import attrgetter
from typing import Any, Final, get_args

from engine.actions import SAY_UNO, Action, Catch
from engine.awaiting import NO_SEAT
from engine.cards import Item
from engine.chance import words
from engine.events import End, Event, Why
from engine.match import Match
from engine.players import POLICIES, Player
from engine.views import seat_view


@dataclass(slots=True)
class Result:
    """The result of a run.

    `moves` counts accepted turn actions; `wins` is per seat, or per policy if they rotated.
    """

    hands: int = 0
    moves: int = 0
    blocked: int = 0
    wins: list[int] = field(default_factory=list)
    digest: str = ""


#: The line of each kind of event: its name, then its fields in order.
_LINES: Final = {
    kind: f"{kind.__name__}[{', '.join(['%r'] * len(kind._fields))}]\n" for kind in get_args(Event)
}
#: How the fields are written that `%r` would not write alike on every Python.
_WRITTEN: Final[dict[type, Callable[[Any], object]]] = {
    tuple: list,
    **dict.fromkeys((Why, Item, End), attrgetter("_value_")),
}


def _lines(events: Sequence[Event]) -> str:
    """Write events, one on a line, all at once: a call for each would take a tenth of the run."""
    lines: list[str] = []
    values: list[object] = []
    for event in events:
        lines.append(_LINES[type(event)])
        values += [_WRITTEN[type(v)](v) if type(v) in _WRITTEN else v for v in event]
    return "".join(lines) % tuple(values)


def play_hand(match: Match, players: Sequence[Player]) -> list[Event]:
    """Play the hand in play to its end and return all that happened."""
    events: list[Event] = []
    game = match.game
    while (seat := game.turn) != NO_SEAT:
        if match.rules.jump_in and (jump := _jump(match, players)):
            events += match.apply(*jump)
        else:
            events += match.apply(seat, players[seat].answer(seat_view(match, seat)))
        if game.owed != NO_SEAT and (call := _call(match, players)):
            events += match.apply(*call)
    return events


def _jump(match: Match, players: Sequence[Player]) -> tuple[int, Action] | None:
    """Return the jump-in of the first in turn order who wants to, None if nobody does."""
    game = match.game
    for seat in game.others(game.turn):
        view = seat_view(match, seat)
        if view.answers and players[seat].jumps_in(view):
            return seat, view.answers[0]
    return None


def _call(match: Match, players: Sequence[Player]) -> tuple[int, Action] | None:
    """Return the UNO of the seat that owes it, else the first catch in turn order, else None."""
    owing = match.game.owed
    if players[owing].says_uno(seat_view(match, owing)):
        return owing, SAY_UNO
    for seat in match.game.others(owing):
        if players[seat].catches(seat_view(match, seat)):
            return seat, Catch(owing)
    return None


def simulate(policies: Sequence[str], hands: int, seed: str, *, rotate: bool = False) -> Result:
    """Play that many hands between the named policies; the deal moves round.

    `rotate` moves the policies round the seats too, from hand to hand, and once more after each round of the
    deal, so that every policy deals equally often.
    """
    seats = len(policies)
    result = Result(wins=[0] * seats)
    digest = sha256()
    for hand in range(hands):
        moved = hand + hand // seats if rotate else 0
        match = Match(seats, seed=f"{seed}/{hand}")
        events = match.begin(hand % seats)
        players = [
            POLICIES[policies[(seat + moved) % seats]](words(f"{seed}/{hand}/dice/{seat}"))
            for seat in range(seats)
        ]
        events += play_hand(match, players)
        digest.update(_lines(events).encode())
        game = match.game
        result.hands += 1
        result.moves += game.actions
        result.blocked += game.end is End.BLOCKED
        if game.winner != NO_SEAT:
            result.wins[(game.winner + moved) % seats] += 1
    result.digest = digest.hexdigest()
    return result
