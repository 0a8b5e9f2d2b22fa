"""The five items: one small function each, in a table (RULES.md, Action cards).

Each gets the game with the flipped card on the discard pile, the seat that played the Wild Item Box, and the
list its events go to; it leaves the game waiting for whatever comes next.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from engine.cards import Item
from engine.events import Event, Why
from engine.game import Game

#: Items whose effect on others counts even when the Wild Item Box was a last card (RULES.md, Going out and
#: scoring).
COUNT_AT_THE_END: Final = frozenset({Item.BANANA_PEEL, Item.GREEN_SHELL, Item.LIGHTNING})


def mushroom(game: Game, seat: int, events: list[Event]) -> None:
    """Give the same player an extra turn."""
    game.begin_turn(seat)


def banana_peel(game: Game, seat: int, events: list[Event]) -> None:
    """Let the player before, by seat in the current direction, draw two."""
    game.take(game.before(seat), 2, Why.BANANA_PEEL, events)
    game.begin_turn(game.after(seat))


def green_shell(game: Game, seat: int, events: list[Event]) -> None:
    """Let the player pick an opponent, who will draw one."""
    game.await_target(seat, swap=False)


def lightning(game: Game, seat: int, events: list[Event]) -> None:
    """Everybody else draws one, in turn order, and the same player takes an extra turn."""
    for other in game.others(seat):
        game.take(other, 1, Why.LIGHTNING, events)
    game.begin_turn(seat)


def bob_omb(game: Game, seat: int, events: list[Event]) -> None:
    """Let the player draw two, then name the colour."""
    game.take(seat, 2, Why.BOB_OMB, events)
    game.await_colour(seat)


FIRE: Final[dict[Item, Callable[[Game, int, list[Event]], None]]] = {
    Item.MUSHROOM: mushroom,
    Item.BANANA_PEEL: banana_peel,
    Item.GREEN_SHELL: green_shell,
    Item.LIGHTNING: lightning,
    Item.BOB_OMB: bob_omb,
}
