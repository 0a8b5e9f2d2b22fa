"""Carries out one action on a hand: the checks for all actions, and which function does which.

`plays` has the turn, `calls` UNO, `absence` leaving and time-outs. Only `Match` calls this; all others apply
actions to a match.
"""

from __future__ import annotations

from typing import Final

from engine import absence, calls, plays
from engine.actions import (
    Accept,
    Action,
    Catch,
    Challenge,
    ChooseTarget,
    Draw,
    Keep,
    Leave,
    NameColour,
    Play,
    SayUno,
    TimeOut,
)
from engine.awaiting import NO_SEAT, OVER, TARGET
from engine.errors import IllegalAction, Reason
from engine.events import End, Event
from engine.game import Game
from engine.rules import MOST_ACTIONS

# Every handler takes (game, seat, action, events); the types of the actions differ, which a table cannot say.
_DO: Final[dict[type, plays.Handler]] = {
    Play: plays.play,
    Draw: plays.draw,
    Keep: plays.keep,
    NameColour: plays.name_colour,
    ChooseTarget: plays.choose_target,
    Challenge: plays.challenge,
    Accept: plays.accept,
    SayUno: calls.say_uno,
    Catch: calls.catch,
    TimeOut: absence.time_out,
    Leave: absence.leave,
}


def apply(game: Game, seat: int, action: Action, auto: bool = False) -> list[Event]:
    """Carry out one action of a seat and return what happened; a refused one changes nothing.

    `auto` marks what the clock or the computer does for a seat: it neither takes the seat off autopilot nor
    breaks a row of time-outs (docs/rules.md, Autopilot).
    Raises IllegalAction with the first reason that fits (docs/scenarios.md, Error words).
    """
    kind = type(action)
    if game.out[seat]:
        raise IllegalAction(Reason.LEFT)
    if game.awaiting is OVER and kind is not Leave:
        raise IllegalAction(Reason.NOT_NOW)
    events: list[Event] = []
    if kind is Catch or kind is Leave:
        before = _question(game)
        _DO[kind](game, seat, action, events)
        if _question(game) != before:
            game.decision += 1
    else:
        _DO[kind](game, seat, action, events)
    if game.actions >= MOST_ACTIONS:
        _stop(game, events)
    if game.streak[seat] and not auto and kind is not TimeOut:
        game.wake(seat, events)
    return events


def _question(game: Game) -> tuple[object, ...]:
    """Return what everybody sees of the decision awaited; its number rises when this changes.

    The number is public, so the hand of the seat awaited counts by its size alone: whether its cards can be
    played would show what was drawn.
    """
    turn = game.turn
    if turn == NO_SEAT:
        return (OVER,)
    targets = len(game.others(turn)) if game.awaiting is TARGET else 0
    return game.awaiting, turn, len(game.hands[turn]), targets


def _stop(game: Game, events: list[Event]) -> None:
    """Block the hand if its last allowed turn action did not win it (docs/rules.md, Blocked hands)."""
    if game.winner == NO_SEAT and game.awaiting is not OVER:
        game.finish(End.BLOCKED, events)
