"""What is done for a player who is not there (docs/rules.md, Leaving; Time-outs; Autopilot).

Called by `engine.apply` alone.
"""

from __future__ import annotations

from engine import plays
from engine.actions import Leave, TimeOut
from engine.awaiting import NO_SEAT, Awaiting
from engine.cards import NO_CARD, RED
from engine.errors import IllegalAction, Reason
from engine.events import (
    AutopilotSet,
    ColourNamed,
    End,
    Event,
    PenaltyVoid,
    PlayerLeft,
    TargetChosen,
    TimedOut,
    Why,
)
from engine.game import Game
from engine.rules import TIME_OUTS_TO_AUTOPILOT, most_held_colour


def time_out(game: Game, seat: int, action: TimeOut, events: list[Event]) -> None:
    """Decide for the seat waited for, whose time ran out; two in a row put it on autopilot."""
    if seat != game.turn:
        raise IllegalAction(Reason.NOT_YOUR_TURN)
    events.append(TimedOut(seat))
    game.streak[seat] += 1
    if game.streak[seat] == TIME_OUTS_TO_AUTOPILOT:
        events.append(AutopilotSet(seat, on=True))
    awaiting = game.awaiting
    if awaiting is Awaiting.TURN:
        _let_turn_pass(game, seat, events)
    elif awaiting is Awaiting.DRAWN:
        plays.kept(game, seat, events)
    elif awaiting is Awaiting.COLOUR:
        plays.colour_named(game, seat, most_held_colour(game.hands[seat]), events)
    elif awaiting is Awaiting.TARGET:
        plays.target_chosen(game, seat, plays.fewest_cards(game, seat), events)
    else:
        plays.accepted(game, seat, events)


def _let_turn_pass(game: Game, seat: int, events: list[Event]) -> None:
    """Draw one card, or the total of a stack, and keep it under every house rule."""
    game.count_action(seat)
    if game.due:
        plays.take_due(game, seat, Why.STACK, events)
    else:
        card = game.next_card(events)
        cards = [] if card == NO_CARD else [card]
        game.hands[seat].extend(cards)
        plays.drawn(game, seat, cards, events)
        if game.awaiting is not Awaiting.OVER:
            game.begin_turn(game.after(seat))


def leave(game: Game, seat: int, action: Leave, events: list[Event]) -> None:
    """Take a seat out of the match: settle its decision, bury its cards, pass its turn on."""
    if game.awaiting is Awaiting.OVER:
        game.out[seat] = True
        game.bury(seat)
        events.append(PlayerLeft(seat))
        return
    waited_for = seat == game.turn
    if waited_for:
        _settle(game, seat, events)
    game.unsay(seat)
    game.out[seat] = True
    game.bury(seat)
    game.passes = 0
    events.append(PlayerLeft(seat))
    alone = len(game.seated()) == 1
    if game.winner != NO_SEAT and (waited_for or alone):
        game.finish(End.WON, events)
    elif alone:
        game.finish(End.ABANDONED, events)
    elif waited_for:
        game.opening = False
        game.begin_turn(game.after(seat))


def _settle(game: Game, seat: int, events: list[Event]) -> None:
    awaiting = game.awaiting
    if game.due:
        game.due = 0
        game.wild_four = None
        events.append(PenaltyVoid(seat))
    elif awaiting is Awaiting.COLOUR:
        game.colour = RED
        events.append(ColourNamed(seat, RED))
    elif awaiting is Awaiting.TARGET and not game.swap:
        target = plays.fewest_cards(game, seat)
        events.append(TargetChosen(seat, target))
        game.take(target, 1, Why.GREEN_SHELL, events)
