"""The house rules, what matches what, when a Wild Draw Four is legal, and what a hand scores.

Functions and tables over card ids. Imports only cards.
"""

from collections.abc import Iterable
from dataclasses import dataclass, fields
from typing import Final

from engine.cards import COLOUR, DRAW_TWO, FACES, ITEM_BOX, NO_COLOUR, POINTS, RANK, WILD, WILD_FOUR

#: Raised when a ruling changes, because the same moves can then end otherwise. The log of a hand names its
#: version, and no other version replays it.
RULES_VERSION: Final = 1
#: Cards dealt to each player (docs/rules.md, The deal).
CARDS_DEALT: Final = 7
#: Turn actions after which a hand is blocked (docs/rules.md, Blocked hands).
MOST_ACTIONS: Final = 1000
#: The target of a match that names none (docs/rules.md, score_target).
USUAL_TARGET: Final = 500
#: Time-outs in a row that put a seat on autopilot (docs/rules.md, Autopilot).
TIME_OUTS_TO_AUTOPILOT: Final = 2


@dataclass(frozen=True, slots=True)
class RuleSet:
    """The house rules in force; all off is the official game (docs/rules.md, House rules)."""

    stack: bool = False
    draw_until_playable: bool = False
    force_play: bool = False
    seven_zero: bool = False
    jump_in: bool = False
    no_bluff: bool = False
    score_target: bool = False

    def names(self) -> tuple[str, ...]:
        """Return the names of the house rules that are on, in the order of docs/rules.md, House rules."""
        return tuple(name for name in RULE_NAMES if getattr(self, name))


RULE_NAMES: Final = tuple(field.name for field in fields(RuleSet))


@dataclass(frozen=True, slots=True)
class Length:
    """How long a match is: an agreed number of hands, or a target of points; exactly one of the two."""

    hands: int | None = None
    target: int | None = None


ONE_HAND: Final = Length(hands=1)


def _fitting(colour: int, rank: int) -> frozenset[int]:
    return frozenset(
        card for card in range(FACES) if card >= WILD_FOUR or COLOUR[card] == colour or RANK[card] == rank
    )


# Sets, because intersecting a set with a hand is faster than a loop over the hand.
_ON_CARD: Final = tuple(_fitting(COLOUR[card], RANK[card]) for card in range(WILD_FOUR))
_ON_WILD: Final = tuple(_fitting(colour, WILD) for colour in range(4))
_DRAW_TWOS: Final = frozenset(card for card in range(FACES) if RANK[card] == DRAW_TWO)
_WILD_FOURS: Final = frozenset((WILD_FOUR,))


def matching(top: int, colour: int, waiting: int) -> frozenset[int]:
    """Return the faces that may be played on the top card, bluffs included (docs/rules.md, Your turn; stack).

    `waiting` counts the cards of a stack that wait to be drawn or answered.
    """
    if waiting:
        return _WILD_FOURS if top == WILD_FOUR else _DRAW_TWOS
    return _ON_CARD[top] if top < WILD_FOUR else _ON_WILD[colour]


def is_bluff(hand: Iterable[int], colour: int) -> bool:
    """Whether a Wild Draw Four from this hand is illegal on this colour (docs/rules.md, Wild Draw Four).

    A Wild Item Box counts as a card of the colour. Wild Draw Fours do not count, so the one played may be in
    the hand or not.
    """
    return any(card == ITEM_BOX or COLOUR[card] == colour for card in hand) if colour != NO_COLOUR else False


def worth(cards: Iterable[int]) -> int:
    """Add up the points of cards (docs/rules.md, Points)."""
    return sum(POINTS[card] for card in cards)


def most_held_colour(hand: Iterable[int]) -> int:
    """Return the colour most held; if equal, red, yellow, green, blue (docs/rules.md, Time-outs)."""
    held = [0, 0, 0, 0]
    for card in hand:
        if card < WILD_FOUR:
            held[COLOUR[card]] += 1
    return held.index(max(held))
