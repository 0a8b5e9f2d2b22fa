"""Saying UNO and catching (docs/rules.md, UNO; Catching). Called by `engine.apply` alone."""

from __future__ import annotations

from engine.actions import Catch, SayUno
from engine.awaiting import NO_SEAT
from engine.errors import IllegalAction, Reason
from engine.events import Event, UnoCaught, UnoSaid, Why
from engine.game import Game


def say_uno(game: Game, seat: int, action: SayUno, events: list[Event]) -> None:
    """Say UNO, which settles what is owed or holds for a play still to come in this turn."""
    if not game.may_say_uno(seat):
        raise IllegalAction(Reason.NOTHING_TO_CALL)
    if game.owed == seat:
        game.owed = NO_SEAT
        game.said[seat] = True
    else:
        game.called = seat
    events.append(UnoSaid(seat))


def catch(game: Game, seat: int, action: Catch, events: list[Event]) -> None:
    """Catch a seat that owes its UNO; it draws two."""
    if action.seat == seat or game.out[action.seat]:
        raise IllegalAction(Reason.BAD_TARGET)
    if game.owed != action.seat:
        raise IllegalAction(Reason.NOBODY_TO_CATCH)
    events.append(UnoCaught(action.seat, seat))
    game.owed = NO_SEAT
    game.take(action.seat, 2, Why.UNO, events)
