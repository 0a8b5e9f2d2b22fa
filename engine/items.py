"""What each item does (docs/rules.md, Wild Item Box).

Each function takes the game with the flipped card on the discard pile, the seat that played the Wild Item
Box, and the list for its events. It leaves the game waiting for the next decision.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from engine.cards import Item
from engine.events import Event, Why
from engine.game import Game

#: The items that also act when the Wild Item Box was a last card (docs/rules.md, Going out).
COUNT_AT_THE_END: Final = frozenset({Item.BANANA_PEEL, Item.GREEN_SHELL, Item.LIGHTNING})


def mushroom(game: Game, seat: int, events: list[Event]) -> None:
    """Begin an extra turn of the same player."""
    game.begin_turn(seat)


def banana_peel(game: Game, seat: int, events: list[Event]) -> None:
    """Make the player before, by seat in the current direction, draw two."""
    game.take(game.before(seat), 2, Why.BANANA_PEEL, events)
    game.begin_turn(game.after(seat))


def green_shell(game: Game, seat: int, events: list[Event]) -> None:
    """Await an opponent of the player's choice, who will draw one."""
    game.await_target(seat, swap=False)


def lightning(game: Game, seat: int, events: list[Event]) -> None:
    """Make everybody else draw one, in turn order, and begin an extra turn of the same player."""
    for other in game.others(seat):
        game.take(other, 1, Why.LIGHTNING, events)
    game.begin_turn(seat)


def bob_omb(game: Game, seat: int, events: list[Event]) -> None:
    """Make the player draw two, and await the colour."""
    game.take(seat, 2, Why.BOB_OMB, events)
    game.await_colour(seat)


FIRE: Final[dict[Item, Callable[[Game, int, list[Event]], None]]] = {
    Item.MUSHROOM: mushroom,
    Item.BANANA_PEEL: banana_peel,
    Item.GREEN_SHELL: green_shell,
    Item.LIGHTNING: lightning,
    Item.BOB_OMB: bob_omb,
}
