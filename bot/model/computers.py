"""Computer players at a table: what they are called, which of them acts, and what it does.

Pure: a table's state in, a seat or an action out. Knows the engine's players and views, not the store and
not discord.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from bot.model.seating import Person
from bot.model.state import State
from engine.awaiting import NO_SEAT, Awaiting
from engine.chance import below, words
from engine.match import Match
from engine.players import POLICIES, NormalPlayer, Player
from engine.views import seat_view, table_view

#: What computer players are called; more than there are seats.
NAMES: Final = (
    *("Turbo", "Pixel", "Rusty", "Gizmo", "Sprocket", "Dynamo", "Piston", "Widget", "Clutch", "Zippy"),
    *("Comet", "Biscuit", "Pepper", "Ziggy", "Noodle", "Waffle"),
)


def newcomer(people: list[Person], level: str, table_id: int) -> Person:
    """Make a computer player of a level, with a name that nobody at this table has."""
    taken = {person.name.casefold() for person in people}
    start = table_id % len(NAMES)
    name = next(name for name in (*NAMES[start:], *NAMES[:start]) if name.casefold() not in taken)
    return Person(None, name, level)


def player(state: State, seat: int, moment: str) -> Player:
    """Give the player that decides for a seat; the same moment of a match always has the same dice.

    Whoever is on autopilot is played by the normal one.
    """
    match = _match(state)
    policy = POLICIES.get(state.seating.people[seat].cpu or "normal", NormalPlayer)
    return policy(words(f"{match.game.seed}/{moment}"))


def haste(state: State, seat: int) -> float:
    """Tell how much of its usual pause a computer player takes for this decision: from 2/3 to 4/3."""
    match = _match(state)
    return 2 / 3 + below(1000, words(f"{match.game.seed}/{match.decision}/{seat}/pause")) / 1500


def catcher(state: State) -> int | None:
    """Find the first computer player in turn order that catches whoever owes a UNO; None if none wants to.

    Each makes up its mind once for each play after which a UNO is owed.
    """
    match = _match(state)
    game = match.game
    if game.owed == NO_SEAT:
        return None
    for seat in _computers_after(state, game.owed):
        if player(state, seat, f"{game.actions}/{seat}/catch").catches(seat_view(match, seat)):
            return seat
    return None


def jumper(state: State) -> int | None:
    """Find the first computer player in turn order that jumps in; None if none can and wants to.

    Each makes up its mind once for each decision.
    """
    match = _match(state)
    if not match.rules.jump_in or match.awaiting is not Awaiting.TURN:
        return None
    for seat in _computers_after(state, match.turn):
        view = seat_view(match, seat)
        if view.answers and player(state, seat, f"{match.decision}/{seat}/jump").jumps_in(view):
            return seat
    return None


def _computers_after(state: State, seat: int) -> Iterator[int]:
    """Give the seats of the computer players in turn order, beginning after a seat."""
    for info in table_view(_match(state)).in_turn_order(seat):
        if state.seating.people[info.seat].cpu is not None:
            yield info.seat


def _match(state: State) -> Match:
    assert state.match is not None
    return state.match
