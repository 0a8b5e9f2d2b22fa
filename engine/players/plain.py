"""Players that do not think ahead: one that plays at random, and a beginner."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from engine.actions import ACCEPT, DRAW, PLAYS, WILD_FOUR_PLAYS, Action, Play
from engine.awaiting import CHALLENGED, Awaiting
from engine.cards import WILD_FOUR
from engine.chance import below
from engine.views import SeatView

#: A beginner forgets one UNO in so many, and notices one of the others' in so many.
_FORGETS_ONE_IN: Final = 4
_NOTICES_ONE_IN: Final = 5


class RandomPlayer:
    """Plays a random playable card or draws (docs/scenarios.md, Simulation)."""

    def __init__(self, dice: Iterator[int]) -> None:
        self._dice = dice

    def answer(self, view: SeatView) -> Action:
        """Choose a random playable card, colour or target; draw without one, accept always."""
        if view.awaiting is CHALLENGED:
            return ACCEPT
        answers = view.answers
        playable = {answer.card for answer in answers if type(answer) is Play}
        if playable and view.drawn is None:
            cards = [card for card in view.hand if card in playable]
            card = cards[below(len(cards), self._dice)]
        elif view.drawn in playable:
            card = view.drawn
        elif DRAW in answers:
            return DRAW
        else:
            return answers[below(len(answers), self._dice)]
        return WILD_FOUR_PLAYS[below(4, self._dice)] if card == WILD_FOUR else PLAYS[card]

    def jumps_in(self, view: SeatView) -> bool:
        """Jump in never."""
        return False

    def says_uno(self, view: SeatView) -> bool:
        """Say it always."""
        return True

    def catches(self, view: SeatView) -> bool:
        """Catch nobody."""
        return False


class EasyPlayer:
    """Plays like a beginner: any card that matches, sometimes forgetting UNO and missing that of others."""

    def __init__(self, dice: Iterator[int]) -> None:
        self._dice = dice

    def answer(self, view: SeatView) -> Action:
        """Choose the first card that matches, and never challenge; the rest is chance."""
        first = view.answers[0]
        if view.awaiting is Awaiting.CHALLENGE:
            return ACCEPT
        if view.awaiting in (Awaiting.COLOUR, Awaiting.TARGET):
            return view.answers[below(len(view.answers), self._dice)]
        if type(first) is Play and first.card == WILD_FOUR:
            return Play(WILD_FOUR, below(4, self._dice))
        return first

    def jumps_in(self, view: SeatView) -> bool:
        """Jump in never."""
        return False

    def says_uno(self, view: SeatView) -> bool:
        """Say it, unless it forgets to."""
        return below(_FORGETS_ONE_IN, self._dice) > 0

    def catches(self, view: SeatView) -> bool:
        """Catch if it happens to notice."""
        return not below(_NOTICES_ONE_IN, self._dice)
