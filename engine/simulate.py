"""Whole hands between computer players, counted and hashed: `python -m engine simulate`.

SCENARIOS.md, Also. Imports the rest of the engine.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum
from hashlib import sha256

from engine.actions import SAY_UNO, Action, Catch
from engine.awaiting import NO_SEAT
from engine.chance import words
from engine.events import End, Event
from engine.match import Match
from engine.players import POLICIES, Player
from engine.views import seat_view


@dataclass(slots=True)
class Result:
    """What came of a run.

    `moves` counts accepted turn actions; `wins` is per seat, or per policy if they rotated.
    """

    hands: int = 0
    moves: int = 0
    blocked: int = 0
    wins: list[int] = field(default_factory=list)
    digest: str = ""


def _line(event: Event) -> str:
    """Write an event so that it reads the same on every Python: no reprs, no dict order."""
    values = (value.value if isinstance(value, Enum) else value for value in event)
    return f"{type(event).__name__}{[list(v) if isinstance(v, tuple) else v for v in values]}\n"


def play_hand(match: Match, players: Sequence[Player]) -> list[Event]:
    """Play the hand in play to its end and return all that happened."""
    events: list[Event] = []
    game = match.game

    def do(seat: int, action: Action) -> None:
        events.extend(match.apply(seat, action))

    while game.turn != NO_SEAT:
        seat = _jumping(match, players)
        if seat == NO_SEAT:
            seat = game.turn
            do(seat, players[seat].answer(seat_view(match, seat)))
        else:
            do(seat, seat_view(match, seat).answers[0])
        owing = game.owed
        if owing == NO_SEAT:
            continue
        if players[owing].says_uno(seat_view(match, owing)):
            do(owing, SAY_UNO)
            continue
        for other in game.others(owing):
            if players[other].catches(seat_view(match, other)):
                do(other, Catch(owing))
                break
    return events


def _jumping(match: Match, players: Sequence[Player]) -> int:
    """Find the first in turn order who jumps in now."""
    game = match.game
    if match.rules.jump_in:
        for seat in game.others(game.turn):
            view = seat_view(match, seat)
            if view.answers and players[seat].jumps_in(view):
                return seat
    return NO_SEAT


def simulate(policies: Sequence[str], hands: int, seed: str, *, rotate: bool = False) -> Result:
    """Let the named policies play that many hands, the deal moving round.

    `rotate` moves the policies round the seats too, from hand to hand, and once more each time the deal has
    been round: every policy comes to deal, and to begin, as often as the others.
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
        digest.update("".join(map(_line, events)).encode())
        game = match.game
        result.hands += 1
        result.moves += game.actions
        result.blocked += game.end is End.BLOCKED
        if game.winner != NO_SEAT:
            result.wins[(game.winner + moved) % seats] += 1
    result.digest = digest.hexdigest()
    return result
