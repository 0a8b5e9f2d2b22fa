"""The house rules, what matches what, when a Wild Draw Four is legal, and what a hand scores.

Plain functions and tables over card ids; `game` asks them, and nothing else decides. Imports cards only.
"""

from collections.abc import Iterable
from dataclasses import dataclass, fields
from typing import Final

from engine.cards import COLOUR, DRAW_TWO, FACES, ITEM_BOX, NO_COLOUR, POINTS, RANK, WILD, WILD_FOUR

#: Raised when a ruling changes, as the same moves may then lead to another end. The log of a hand names the
#: version it was played by, and no other version replays it.
RULES_VERSION: Final = 1
#: Cards dealt to each player (RULES.md, A hand).
CARDS_DEALT: Final = 7
#: Turn actions after which a hand is blocked (RULES.md, A turn, Blocked).
MOST_ACTIONS: Final = 1000
#: Points of a match to a target where none is named (RULES.md, Going out and scoring).
USUAL_TARGET: Final = 500
#: Time-outs in a row that put a seat on autopilot (RULES.md, Leaving, timing out).
TIME_OUTS_TO_AUTOPILOT: Final = 2


@dataclass(frozen=True, slots=True)
class RuleSet:
    """The house rules in force; all off is the official game (RULES.md, House rules)."""

    stack: bool = False
    draw_until_playable: bool = False
    force_play: bool = False
    seven_zero: bool = False
    jump_in: bool = False
    no_bluff: bool = False
    score_target: bool = False

    def names(self) -> tuple[str, ...]:
        """List the names of the house rules that are on, in the order of RULES.md."""
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


# Sets, because a set can be intersected with a hand faster than the hand can be gone through.
_ON_CARD: Final = tuple(_fitting(COLOUR[card], RANK[card]) for card in range(WILD_FOUR))
_ON_WILD: Final = tuple(_fitting(colour, WILD) for colour in range(4))
_DRAW_TWOS: Final = frozenset(card for card in range(FACES) if RANK[card] == DRAW_TWO)
_WILD_FOURS: Final = frozenset((WILD_FOUR,))


def matching(top: int, colour: int, waiting: int) -> frozenset[int]:
    """Give the faces that may be laid on the discard pile, the Wild Draw Four's bluff aside.

    `top` is the top card, `colour` the one to match, `waiting` the cards of a stack that wait to be drawn or
    answered (0: none). RULES.md, A turn; House rules, stack.
    """
    if waiting:
        return _WILD_FOURS if top == WILD_FOUR else _DRAW_TWOS
    return _ON_CARD[top] if top < WILD_FOUR else _ON_WILD[colour]


def is_bluff(hand: Iterable[int], colour: int) -> bool:
    """Tell whether a Wild Draw Four played from this hand on this colour is illegal.

    It is when the hand holds a card of the colour, for which a Wild Item Box counts too; other Wild Draw
    Fours do not, so it makes no difference whether the one played is still in the hand. RULES.md, Action
    cards.
    """
    return any(card == ITEM_BOX or COLOUR[card] == colour for card in hand) if colour != NO_COLOUR else False


def worth(cards: Iterable[int]) -> int:
    """Add up the points of cards left in a hand (RULES.md, Going out and scoring)."""
    return sum(POINTS[card] for card in cards)


def most_held_colour(hand: Iterable[int]) -> int:
    """Pick the colour most held, then red, yellow, green, blue (RULES.md, Leaving, timing out)."""
    held = [0, 0, 0, 0]
    for card in hand:
        if card < WILD_FOUR:
            held[COLOUR[card]] += 1
    return held.index(max(held))
