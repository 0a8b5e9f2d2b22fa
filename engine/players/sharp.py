"""A player that counts cards and weighs what each answer may lead to."""

from __future__ import annotations

from collections.abc import Iterator

from engine.actions import Action, Play
from engine.cards import WILD_FOUR
from engine.players.ahead import outlook
from engine.players.position import Position
from engine.players.race import chances
from engine.rules import ONE_HAND, USUAL_TARGET, worth
from engine.views import SeatView


class SharpPlayer:
    """Weighs every answer by the chances it leaves, from the cards it has not seen; throws no dice."""

    def __init__(self, dice: Iterator[int]) -> None:
        self._dice = dice

    def answer(self, view: SeatView) -> Action:
        """Choose the answer with the best outlook; if a coloured card can be played, one is."""
        answers = view.answers
        if any(_is_coloured(answer) for answer in answers) and not view.due:
            answers = tuple(answer for answer in answers if isinstance(answer, Play))
        if len(answers) == 1:
            return answers[0]
        now = Position(view)
        stakes = _stakes(view)
        return max(answers, key=lambda answer: _worth(view, now, answer, stakes))

    def jumps_in(self, view: SeatView) -> bool:
        """Jump in if that is better than waiting for the turn."""
        now = Position(view)
        stakes = _stakes(view)
        return _worth(view, now, view.answers[0], stakes) > _worth_of(view, now, stakes)

    def says_uno(self, view: SeatView) -> bool:
        """Say it always."""
        return True

    def catches(self, view: SeatView) -> bool:
        """Catch always."""
        return True


def _is_coloured(answer: Action) -> bool:
    return isinstance(answer, Play) and answer.card < WILD_FOUR


def _stakes(view: SeatView) -> list[float]:
    """Return what a win of each seat is worth to this one; a win of the leader costs most.

    In a match of one hand only its own win counts.
    """
    if view.length == ONE_HAND:
        stakes = [0.0] * len(view.seats)
    else:
        goal = view.length.target or USUAL_TARGET
        stakes = [-min(info.score / goal, 1.0) / 2 for info in view.seats]
    stakes[view.seat] = 1.0
    return stakes


def _worth(view: SeatView, now: Position, answer: Action, stakes: list[float]) -> float:
    return sum(share * _worth_of(view, then, stakes) for share, then in outlook(view, now, answer) if share)


def _worth_of(view: SeatView, then: Position, stakes: list[float]) -> float:
    """Weigh a position by who is likely to win, and in a longer match by the points given away."""
    odds = chances(then)
    value = sum(stake * chance for stake, chance in zip(stakes, odds, strict=True))
    if view.length != ONE_HAND:
        goal = view.length.target or USUAL_TARGET
        value -= 0.3 * (1 - odds[then.seat]) * worth(then.hand) / goal
    return value
