"""A player that plays sensibly, by rules of thumb: what plays for people who are away."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from engine.actions import ACCEPT, CHALLENGE, DRAW, KEEP, Action, ChooseTarget, NameColour, Play
from engine.awaiting import Awaiting
from engine.cards import COLOUR, DRAW_TWO, POINTS, RANK, REVERSE, SKIP, WILD_FOUR
from engine.rules import most_held_colour
from engine.views import SeatView

#: The most cards an opponent may hold for a normal player to stop them rather than get rid of points.
_CLOSE: Final = 3
#: The fewest cards the player of a Wild Draw Four may hold for a normal player to suspect a bluff.
_SUSPICIOUS: Final = 7


class NormalPlayer:
    """Plays sensibly: high cards first, wilds last, action cards against a player about to go out."""

    def __init__(self, dice: Iterator[int]) -> None:
        self._dice = dice

    def answer(self, view: SeatView) -> Action:
        """Choose what a sensible player would."""
        answers = view.answers
        if view.awaiting is Awaiting.COLOUR:
            return NameColour(most_held_colour(view.hand))
        if view.awaiting is Awaiting.TARGET:
            return ChooseTarget(min(view.in_turn_order(view.seat), key=lambda info: info.cards).seat)
        plays = [answer for answer in answers if type(answer) is Play and not self._would_bluff(view, answer)]
        if plays:
            best = max(plays, key=lambda play: self._value(view, play.card))
            return Play(WILD_FOUR, most_held_colour(view.hand)) if best.card == WILD_FOUR else best
        if view.awaiting is Awaiting.CHALLENGE:
            assert view.wild_four_by is not None
            suspicious = view.seats[view.wild_four_by].cards >= _SUSPICIOUS and CHALLENGE in answers
            return CHALLENGE if suspicious else ACCEPT
        return next((answer for answer in (DRAW, KEEP) if answer in answers), answers[0])

    @staticmethod
    def _would_bluff(view: SeatView, play: Play) -> bool:
        return play.card == WILD_FOUR and view.bluff

    @staticmethod
    def _value(view: SeatView, card: int) -> tuple[int, int]:
        """Rank a play: what it is good for now, then the points it takes out of the hand."""
        rank = RANK[card]
        nearest = view.in_turn_order(view.seat)[0].cards
        if card >= WILD_FOUR:
            return (3 if card == WILD_FOUR and nearest <= _CLOSE else 0), POINTS[card]
        if rank in (SKIP, REVERSE, DRAW_TWO) and nearest <= _CLOSE:
            return 4 if rank == DRAW_TWO else 3, POINTS[card]
        # A card of a colour held more than once keeps that colour open.
        held = sum(1 for other in view.hand if COLOUR[other] == COLOUR[card])
        return (2 if held > 1 else 1), POINTS[card]

    def jumps_in(self, view: SeatView) -> bool:
        """Jump in always: one card fewer, and the next turn comes no later."""
        return True

    def says_uno(self, view: SeatView) -> bool:
        """Say it always."""
        return True

    def catches(self, view: SeatView) -> bool:
        """Catch always."""
        return True
