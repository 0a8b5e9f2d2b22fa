"""Dealing a hand and flipping its first card (docs/rules.md, The deal)."""

from __future__ import annotations

from collections.abc import Sequence

from engine.awaiting import Awaiting
from engine.cards import COLOUR, DECK, ITEM_BOX, NO_COLOUR, RANK, SKIP, WILD_FOUR
from engine.chance import shuffle
from engine.events import CardFlipped, Event, HandDealt, HandStarted, WildFourReturned
from engine.game import Game
from engine.rules import CARDS_DEALT


def deal(game: Game, hand_no: int, pile: Sequence[int] | None, events: list[Event]) -> None:
    """Deal the cards, one at a time from the dealer's left, and flip the first of the discard pile.

    `pile` is the draw pile, top first; without it the full deck is shuffled. After the deal it must still
    hold a number or a Wild Item Box.
    """
    if pile is None:
        cards = list(DECK)
        shuffle(cards, game.seed, 0)
    else:
        cards = list(pile)
        game.deck = tuple(pile)
    order = [*game.others(game.dealer), game.dealer]
    players = len(order)
    dealt = players * CARDS_DEALT
    game.draw = cards[dealt:][::-1]
    events.append(HandStarted(hand_no, game.dealer))
    for place, seat in enumerate(order):
        hand = cards[place:dealt:players]
        game.hands[seat] = hand
        events.append(HandDealt(seat, tuple(hand)))
    _flip_first_card(game, events)
    begin(game)


def _flip_first_card(game: Game, events: list[Event]) -> None:
    while True:
        card = game.draw.pop()
        if card == WILD_FOUR:
            game.draw.append(card)
            game.shuffle_draw_pile()
            events.append(WildFourReturned())
            continue
        game.discard.append(card)
        events.append(CardFlipped(card))
        if RANK[card] < SKIP or card == ITEM_BOX:
            return


def begin(game: Game) -> None:
    """Begin the first turn on the top card; on a wild without a colour, await the colour first."""
    top = game.discard[-1]
    if top < WILD_FOUR:
        game.colour = COLOUR[top]
    game.opening = game.colour == NO_COLOUR
    game.awaiting = Awaiting.COLOUR if game.opening else Awaiting.TURN
