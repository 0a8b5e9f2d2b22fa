"""The turn: playing, drawing, keeping, naming a colour, choosing a target, accepting and challenging.

One function per action, called by `engine.apply` alone, which checks everything before it changes anything.
`drawn`, `colour_named` and the like carry out what is known to be allowed, for `absence` too (docs/rules.md,
Your turn; Action cards; Wild Draw Four; Challenge; Wild Item Box; Going out; House rules).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.actions import Accept, Challenge, ChooseTarget, Draw, Keep, NameColour, Play
from engine.awaiting import CHALLENGED, COLOUR_OWED, DRAWN, NO_SEAT, OVER, TARGET, TURN, WildFour
from engine.cards import (
    COLOUR,
    DRAW_TWO,
    ITEM,
    ITEM_BOX,
    NO_CARD,
    RANK,
    REVERSE,
    SEVEN,
    SKIP,
    WILD,
    WILD_FOUR,
    ZERO,
)
from engine.errors import IllegalAction, Reason
from engine.events import (
    CardFlipped,
    CardKept,
    CardPlayed,
    CardsDrawn,
    ChallengeMade,
    ColourNamed,
    DirectionTurned,
    End,
    Event,
    HandShown,
    HandsPassedOn,
    HandsSwapped,
    ItemFired,
    PenaltyVoid,
    TargetChosen,
    TurnSkipped,
    Why,
)
from engine.game import Game
from engine.items import COUNT_AT_THE_END, FIRE
from engine.rules import is_bluff, matching

Handler = Callable[[Game, int, Any, list[Event]], None]


# --- a card


def play_refusal(game: Game, seat: int, action: Play) -> Reason | None:
    """Return why a card may not be played now, None if it may."""
    card = action.card
    hand = game.hands[seat]
    awaiting = game.awaiting
    if seat != game.turn:
        return None if game.may_jump_in(seat, card) else Reason.NOT_YOUR_TURN
    if awaiting is DRAWN:
        if card != game.drawn:
            return Reason.NOT_NOW if card in hand else Reason.NOT_IN_HAND
    elif awaiting is not TURN and not (awaiting is CHALLENGED and game.rules.stack):
        return Reason.NOT_NOW
    if card not in hand:
        return Reason.NOT_IN_HAND
    if card == WILD_FOUR:
        if action.colour is None:
            return Reason.COLOUR_NEEDED
        if not 0 <= action.colour < 4:
            return Reason.BAD_COLOUR
        if game.rules.no_bluff and is_bluff(hand, game.colour):
            return Reason.NOT_LEGAL
    return None if card in matching(game.discard[-1], game.colour, game.due) else Reason.DOES_NOT_MATCH


def play(game: Game, seat: int, action: Play, events: list[Event]) -> None:
    """Play a card and let it act."""
    if reason := play_refusal(game, seat, action):
        raise IllegalAction(reason)
    card = action.card
    hand = game.hands[seat]
    hand.remove(card)
    game.count_action(seat)
    game.passes = 0
    game.drawn = NO_CARD
    game.shown = None
    events.append(CardPlayed(seat, card, seat != game.turn))
    if len(hand) == 1:
        if game.called == seat:
            game.said[seat] = True
        else:
            game.owed = seat
    game.called = NO_SEAT
    below = game.colour
    game.discard.append(card)
    if card < WILD_FOUR:
        game.colour = COLOUR[card]
    elif card == WILD_FOUR:
        assert action.colour is not None
        game.colour = action.colour
        events.append(ColourNamed(seat, action.colour))
    if not hand:
        go_out(game, seat, card, events)
    else:
        rank = RANK[card]
        if rank < SKIP and not (game.rules.seven_zero and rank in (SEVEN, ZERO)):
            game.begin_turn(game.after(seat))
        else:
            _ACT[rank](game, seat, card, below, events)


def _seven(game: Game, seat: int, card: int, below: int, events: list[Event]) -> None:
    game.await_target(seat, swap=True)


def _zero(game: Game, seat: int, card: int, below: int, events: list[Event]) -> None:
    hands = game.hands[:]
    for giver in game.seated():
        game.hands[game.after(giver)] = hands[giver]
        game.unsay(giver)
    events.append(HandsPassedOn(game.direction))
    game.begin_turn(game.after(seat))


def _skip(game: Game, seat: int, card: int, below: int, events: list[Event]) -> None:
    victim = game.after(seat)
    events.append(TurnSkipped(victim))
    game.begin_turn(game.after(victim))


def _reverse(game: Game, seat: int, card: int, below: int, events: list[Event]) -> None:
    game.direction = -game.direction
    events.append(DirectionTurned(game.direction))
    # With two players it is a Skip as well.
    game.begin_turn(seat if game.after(game.after(seat)) == seat else game.after(seat))


def _draw_two(game: Game, seat: int, card: int, below: int, events: list[Event]) -> None:
    victim = game.after(seat)
    if game.rules.stack:
        game.begin_turn(victim)
        game.due += 2
    else:
        game.take(victim, 2, Why.DRAW_TWO, events)
        game.begin_turn(game.after(victim))


def _wild(game: Game, seat: int, card: int, below: int, events: list[Event]) -> None:
    if card == ITEM_BOX:
        flip_for_item(game, events)
        item = ITEM[game.discard[-1]]
        events.append(ItemFired(seat, item))
        FIRE[item](game, seat, events)
        return
    victim = game.after(seat)
    if game.rules.no_bluff and not game.rules.stack:
        game.take(victim, 4, Why.WILD_FOUR, events)
        game.begin_turn(game.after(victim))
        return
    game.begin_turn(victim)
    game.awaiting = CHALLENGED
    game.due += 4
    game.wild_four = WildFour(seat, tuple(sorted(game.hands[seat])), below)


_ACT: dict[int, Callable[[Game, int, int, int, list[Event]], None]] = {
    SEVEN: _seven,
    ZERO: _zero,
    SKIP: _skip,
    REVERSE: _reverse,
    DRAW_TWO: _draw_two,
    WILD: _wild,
}


def flip_for_item(game: Game, events: list[Event]) -> None:
    """Flip the top card of the draw pile; there is always one (docs/rules.md, Wild Item Box)."""
    card = game.next_card(events)
    game.discard.append(card)
    game.colour = COLOUR[card]
    events.append(CardFlipped(card))


def go_out(game: Game, seat: int, card: int, events: list[Event]) -> None:
    """Win the hand with a last card, which still acts on others (docs/rules.md, Going out)."""
    game.winner = seat
    game.said[seat] = False
    due = game.due + (2 if RANK[card] == DRAW_TWO else 4 if card == WILD_FOUR else 0)
    game.due = 0
    game.wild_four = None
    if due:
        why = Why.STACK if game.rules.stack else Why.WILD_FOUR if card == WILD_FOUR else Why.DRAW_TWO
        game.take(game.after(seat), due, why, events)
    elif card == ITEM_BOX:
        flip_for_item(game, events)
        item = ITEM[game.discard[-1]]
        if item in COUNT_AT_THE_END:
            events.append(ItemFired(seat, item))
            FIRE[item](game, seat, events)
            if game.awaiting is TARGET:
                return
    game.finish(End.WON, events)


# --- drawing


def draw(game: Game, seat: int, action: Draw, events: list[Event]) -> None:
    """Draw instead of playing."""
    if seat != game.turn:
        raise IllegalAction(Reason.NOT_YOUR_TURN)
    if game.awaiting is not TURN:
        raise IllegalAction(Reason.NOT_NOW)
    hand = game.hands[seat]
    if game.must_play(hand, hand):
        raise IllegalAction(Reason.NOT_LEGAL)
    game.count_action(seat)
    if game.due:
        take_due(game, seat, Why.STACK, events)
    else:
        _draw_for_turn(game, seat, events)


def _draw_for_turn(game: Game, seat: int, events: list[Event]) -> None:
    hand = game.hands[seat]
    cards = []
    playable = False
    while not playable and (card := game.next_card(events)) != NO_CARD:
        cards.append(card)
        hand.append(card)
        playable = game.is_playable(hand, card)
        if not game.rules.draw_until_playable:
            break
    drawn(game, seat, cards, events)
    if playable:
        game.awaiting = DRAWN
        game.drawn = cards[-1]
    elif game.awaiting is not OVER:
        game.begin_turn(game.after(seat))


def drawn(game: Game, seat: int, cards: list[int], events: list[Event]) -> None:
    """Count a pass if a turn drew nothing; passes all round block the hand (docs/rules.md, Blocked hands)."""
    events.append(CardsDrawn(seat, len(cards), Why.TURN, tuple(cards)))
    if cards:
        game.passes = 0
        game.unsay(seat)
        return
    game.passes += 1
    if game.passes >= len(game.seated()):
        game.finish(End.BLOCKED, events)


def take_due(game: Game, seat: int, why: Why, events: list[Event], extra: int = 0) -> None:
    """Draw the cards that wait, and lose the turn."""
    count = game.due + extra
    game.due = 0
    game.wild_four = None
    game.take(seat, count, why, events)
    game.begin_turn(game.after(seat))


def keep(game: Game, seat: int, action: Keep, events: list[Event]) -> None:
    """Keep the card drawn."""
    if seat != game.turn:
        raise IllegalAction(Reason.NOT_YOUR_TURN)
    if game.awaiting is not DRAWN:
        raise IllegalAction(Reason.NOT_NOW)
    if game.must_play(game.hands[seat], (game.drawn,)):
        raise IllegalAction(Reason.NOT_LEGAL)
    kept(game, seat, events)


def kept(game: Game, seat: int, events: list[Event]) -> None:
    """End a turn with the drawn card in hand."""
    game.decision += 1
    events.append(CardKept(seat))
    game.begin_turn(game.after(seat))


# --- colour and target


def name_colour(game: Game, seat: int, action: NameColour, events: list[Event]) -> None:
    """Name the colour owed."""
    if seat != game.turn:
        raise IllegalAction(Reason.NOT_YOUR_TURN)
    if game.awaiting is not COLOUR_OWED:
        raise IllegalAction(Reason.NOT_NOW)
    if not 0 <= action.colour < 4:
        raise IllegalAction(Reason.BAD_COLOUR)
    colour_named(game, seat, action.colour, events)


def colour_named(game: Game, seat: int, colour: int, events: list[Event]) -> None:
    """Set the colour to match.

    The player who named the colour of the first card also takes the turn; after a Bob-omb it passes on.
    """
    game.decision += 1
    game.colour = colour
    events.append(ColourNamed(seat, colour))
    game.begin_turn(seat if game.opening else game.after(seat))
    game.opening = False


def choose_target(game: Game, seat: int, action: ChooseTarget, events: list[Event]) -> None:
    """Choose the target of a Green Shell or of a swap of hands."""
    if seat != game.turn:
        raise IllegalAction(Reason.NOT_YOUR_TURN)
    if game.awaiting is not TARGET:
        raise IllegalAction(Reason.NOT_NOW)
    if action.seat == seat or game.out[action.seat]:
        raise IllegalAction(Reason.BAD_TARGET)
    target_chosen(game, seat, action.seat, events)


def target_chosen(game: Game, seat: int, target: int, events: list[Event]) -> None:
    """Hit with a Green Shell, or swap hands; a winner's last shell ends the hand."""
    game.decision += 1
    events.append(TargetChosen(seat, target))
    if game.swap:
        game.hands[seat], game.hands[target] = game.hands[target], game.hands[seat]
        game.unsay(seat)
        game.unsay(target)
        events.append(HandsSwapped(seat, target))
    else:
        game.take(target, 1, Why.GREEN_SHELL, events)
    if game.winner != NO_SEAT:
        game.finish(End.WON, events)
    else:
        game.begin_turn(game.after(seat))


def fewest_cards(game: Game, seat: int) -> int:
    """Return the opponent with the fewest cards; if equal, the nearest in turn order."""
    return min(game.others(seat), key=lambda other: len(game.hands[other]))


# --- a Wild Draw Four that waits


def accept(game: Game, seat: int, action: Accept, events: list[Event]) -> None:
    """Take the cards of a Wild Draw Four."""
    if seat != game.turn:
        raise IllegalAction(Reason.NOT_YOUR_TURN)
    if game.awaiting is not CHALLENGED:
        raise IllegalAction(Reason.NOT_NOW)
    accepted(game, seat, events)


def accepted(game: Game, seat: int, events: list[Event]) -> None:
    """Draw the cards of a Wild Draw Four, or the total of a stack, and lose the turn."""
    game.count_action(seat)
    take_due(game, seat, Why.WILD_FOUR, events)


def challenge(game: Game, seat: int, action: Challenge, events: list[Event]) -> None:
    """Challenge a Wild Draw Four, judged by the hand and colour at the moment of its play."""
    if seat != game.turn:
        raise IllegalAction(Reason.NOT_YOUR_TURN)
    if game.awaiting is not CHALLENGED:
        raise IllegalAction(Reason.NOT_NOW)
    if game.rules.no_bluff:
        raise IllegalAction(Reason.NOT_LEGAL)
    assert game.wild_four is not None
    other, hand, colour = game.wild_four
    bluff = is_bluff(hand, colour)
    game.count_action(seat)
    shown = HandShown(seat, other, hand)
    events += (ChallengeMade(seat, other, bluff), shown)
    if bluff:
        count, game.due = game.due, 0
        game.wild_four = None
        game.awaiting = TURN
        if game.out[other]:
            events.append(PenaltyVoid(other))
        else:
            game.take(other, count, Why.BLUFF, events)
    else:
        take_due(game, seat, Why.FAILED_CHALLENGE, events, extra=2)
    game.shown = shown
