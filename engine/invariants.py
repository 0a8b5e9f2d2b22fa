"""What is always true of a hand; `Match.invariants` adds what is always true of a match.

Playouts check it after every move, the codec whenever a saved match is read.
"""

from __future__ import annotations

from itertools import chain

from engine.awaiting import NO_SEAT, Awaiting
from engine.cards import COLOUR, NO_CARD, NO_COLOUR, WILD_FOUR
from engine.game import Game


def broken(game: Game) -> list[str]:
    """Return in words what is wrong with a hand, nothing if it is sound."""
    wrong = _piles(game)
    if game.awaiting is Awaiting.OVER:
        return wrong + _when_over(game)
    if not game.discard:
        return wrong
    if not 0 <= game.turn < len(game.out) or game.out[game.turn]:
        return [*wrong, "the seat waited for is not a player"]
    return wrong + _awaited(game) + _uno(game)


def _piles(game: Game) -> list[str]:
    piles = (game.draw, game.discard, *game.hands)
    empty = [seat for seat in game.seated() if not game.hands[seat] and not game.waits_for_a_deal(seat)]
    checks = {
        "the cards are not those of the deck": (sorted(chain.from_iterable(piles)) != sorted(game.deck)),
        "the discard pile has no top card": not game.discard,
        "somebody who left holds cards": any(
            hand and out for hand, out in zip(game.hands, game.out, strict=True)
        ),
        "an empty hand without a winner, or the other way round": (
            empty != [seat for seat in game.seated() if seat == game.winner]
        ),
    }
    return [words for words, broken in checks.items() if broken]


def _when_over(game: Game) -> list[str]:
    waits = game.turn != NO_SEAT or game.due or game.wild_four or game.drawn != NO_CARD
    uno = game.owed != NO_SEAT or game.called != NO_SEAT or any(game.said)
    return ["a hand that is over still waits for something"] if waits or uno or game.end is None else []


def _awaited(game: Game) -> list[str]:
    awaiting, top = game.awaiting, game.discard[-1]
    challenged = awaiting is Awaiting.CHALLENGE
    checks = {
        "a hand that is not over has ended": game.end is not None or game.remaining != (),
        "the match's own decision waits in a hand": awaiting is Awaiting.DEAL,
        "the seat waited for can do nothing": not game.legal_actions(),
        "a colour is owed and named, or neither": (
            (awaiting is Awaiting.COLOUR) != (game.colour == NO_COLOUR)
        ),
        "the colour to match is not that of the top card": top < WILD_FOUR and game.colour != COLOUR[top],
        "a drawn card waits and is not there, or the other way round": (
            (awaiting is Awaiting.DRAWN) != (game.drawn != NO_CARD)
            or (game.drawn != NO_CARD and game.drawn not in game.hands[game.turn])
        ),
        "a challenge waits and there is nothing to challenge, or the other way round": (
            challenged != (game.wild_four is not None) or (challenged and not game.due)
        ),
        "cards wait to be drawn, and nobody is asked": (
            game.due != 0 and awaiting not in (Awaiting.TURN, Awaiting.CHALLENGE)
        ),
    }
    return [words for words, broken in checks.items() if broken]


def _uno(game: Game) -> list[str]:
    held = [len(hand) for hand in game.hands]
    checks = {
        "UNO stands for a hand that is not one card": any(
            said and count != 1 for said, count in zip(game.said, held, strict=True)
        ),
        "UNO is owed for a hand that is not one card, or was said": (
            game.owed != NO_SEAT and (held[game.owed] != 1 or game.said[game.owed])
        ),
        "UNO at two cards stands for a hand that is not two cards, or out of turn": (
            game.called != NO_SEAT and (game.called != game.turn or held[game.called] != 2)
        ),
    }
    return [words for words, broken in checks.items() if broken]
