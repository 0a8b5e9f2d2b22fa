"""How likely each player is to win the hand: a race, in which each runs as fast as it is strong.

A player's chance is the exponential of its strength, divided by the sum of all of theirs. A strength is the
number for how many cards the player holds, and a weighted sum of what else is known: much of one's own hand,
and of another player's only when its turn comes and whether it is likely to hold a matching card.

The numbers were fitted to some ten thousand decisions of simulated hands. Each answer to a decision was
played out a hundred times with the unseen cards dealt again, and the numbers are those that best give the
differences between the answers.
"""

from __future__ import annotations

from math import exp
from operator import mul
from typing import Final, NamedTuple

from engine.cards import COLOUR, DRAW_TWO, ITEM_BOX, RANK, REVERSE, SKIP, WILD_FOUR
from engine.players.position import Position


class _Weights(NamedTuple):
    """One number for each count of cards (the last for as many or more), then one for each feature.

    The features are those of `_own_features` and `_other_features`, in their order.
    """

    own_cards: tuple[float, ...]
    other_cards: tuple[float, ...]
    own: tuple[float, ...]
    other: tuple[float, ...]


#: For two players, three or four, and more.
_TWO: Final = _Weights(
    own_cards=(0.00, 0.74, 0.58, 0.43, 0.24, 0.08, -0.06, -0.19, -0.33, -0.43, -0.56, -0.62, -0.81),
    other_cards=(0.00, 0.76, 0.27, 0.45, 0.27, 0.14, 0.05, -0.01, -0.08, -0.12, -0.20, -0.25, -0.33),
    own=(-0.03, -0.07, 0.93, 0.32, 0.35, 0.14, 1.75, 0.47, 0.23, -0.12, 0.08, 0.13, 0.07, -0.04),
    other=(0.44, 0.69, 2.16, 1.13, 0.32),
)
_FEW: Final = _Weights(
    own_cards=(0.00, 1.50, 1.20, 0.85, 0.50, 0.19, -0.01, -0.25, -0.50, -0.71, -0.96, -1.14, -1.54),
    other_cards=(0.00, 1.92, 1.09, 0.60, 0.28, 0.08, -0.04, -0.18, -0.32, -0.45, -0.53, -0.71, -0.87),
    own=(-0.51, 0.00, 0.75, 0.52, 0.19, 0.06, 2.35, 0.50, 0.27, 0.06, -0.26, 0.17, 0.12, -0.09),
    other=(0.83, -0.37, 1.44, 0.91, 0.89),
)
_MANY: Final = _Weights(
    own_cards=(0.00, 2.10, 1.36, 0.91, 0.50, 0.06, -0.23, -0.57, -0.89, -1.27, -1.54, -1.74, -2.29),
    other_cards=(0.00, 2.73, 1.90, 0.88, 0.59, 0.30, 0.03, -0.09, -0.29, -0.38, -0.63, -0.56, -0.87),
    own=(-0.35, 0.03, 0.58, 0.69, 0.11, 0.06, 1.48, 0.43, 0.10, 0.16, -0.06, 0.27, 0.19, -0.09),
    other=(0.57, -0.81, 1.59, 0.49, 1.07),
)

#: How likely the colour to match is still the same one turn later.
_COLOUR_LASTS: Final = 0.6
#: How likely the rank to match is none of a given one when the turn comes.
_RANK_MISSES: Final = 0.93


def chances(position: Position) -> list[float]:
    """Return each seat's chance of winning the hand; they add up to 1."""
    order = position.order()
    seats = len(order)
    weights = _TWO if seats == 2 else _FEW if seats < 5 else _MANY
    most = len(weights.own_cards) - 1
    speeds = [0.0] * len(position.cards)
    for distance, seat in enumerate(order):
        cards = position.cards[seat]
        if not cards:
            return [float(other == seat) for other in range(len(position.cards))]
        if seat == position.seat:
            features = _own_features(position, distance, seats)
            strength = weights.own_cards[min(cards, most)] + sum(map(mul, weights.own, features))
        else:
            features = _other_features(position, cards, distance, seats)
            strength = weights.other_cards[min(cards, most)] + sum(map(mul, weights.other, features))
        speeds[seat] = exp(strength)
    total = sum(speeds)
    return [speed / total for speed in speeds]


class _Held:
    """What a hand is good for: the chance to hold each colour, and how many of each kind of card.

    Unknown cards count by what they are likely to be.
    """

    __slots__ = ("boxes", "colours", "ranks", "stops", "twos", "wild_fours")

    def __init__(self, position: Position) -> None:
        self.colours = [0.0, 0.0, 0.0, 0.0]
        self.ranks: set[int] = set()
        self.wild_fours = self.boxes = self.twos = self.stops = 0.0
        for card in position.hand:
            if card == WILD_FOUR:
                self.wild_fours += 1
            elif card == ITEM_BOX:
                self.boxes += 1
            else:
                rank = RANK[card]
                self.colours[COLOUR[card]] = 1.0
                self.ranks.add(rank)
                if rank >= SKIP:
                    self.twos += rank == DRAW_TWO
                    self.stops += rank != DRAW_TWO
        if position.unknown:
            self._guess(position)

    def _guess(self, position: Position) -> None:
        unseen = position.unseen
        each = position.unknown / unseen.number
        self.wild_fours += each * unseen.faces[WILD_FOUR]
        self.boxes += each * unseen.faces[ITEM_BOX]
        self.twos += each * unseen.ranks[DRAW_TWO]
        self.stops += each * (unseen.ranks[SKIP] + unseen.ranks[REVERSE])
        for colour, held in enumerate(self.colours):
            if not held:
                missing = 1 - unseen.colours[colour] / unseen.number
                self.colours[colour] = 1 - missing**position.unknown

    def can_play(self, position: Position, distance: int) -> float:
        """Return the chance to hold a matching card that many turns from now."""
        wilds = self.wild_fours + self.boxes
        if wilds >= 1:
            return 1.0
        if not distance:
            return 1.0 if position.rank in self.ranks else self.colours[position.colour]
        unseen = position.unseen
        lasts = _COLOUR_LASTS**distance
        later: float = sum(map(mul, self.colours, unseen.colours)) / max(sum(unseen.colours), 1)
        missing = 1 - lasts * self.colours[position.colour] - (1 - lasts) * later
        missing *= float(_RANK_MISSES ** len(self.ranks))
        return 1 - missing * (1 - wilds)


def _own_features(position: Position, distance: int, seats: int) -> tuple[float, ...]:
    held = _Held(position)
    cards = position.cards[position.seat]
    wilds = held.wild_fours + held.boxes
    sure = min(wilds, 1.0)
    can = held.can_play(position, distance)
    wait = distance / seats
    return (
        # How long until the turn comes; how many of each kind of card that matters.
        wait,
        wait if cards <= 2 else 0.0,
        held.wild_fours,
        held.boxes,
        held.twos,
        held.stops,
        # How likely a card can be played in the next turn; how many colours are held; whether a wild is.
        can if cards == 1 else 0.0,
        can if cards == 2 else 0.0,
        can if cards >= 3 else 0.0,
        sum(held.colours),
        can if not distance and cards > 1 else 0.0,
        sure if cards == 2 else 0.0,
        sure if cards == 3 else 0.0,
        wilds if cards > 5 else 0.0,
    )


def _other_features(position: Position, cards: int, distance: int, seats: int) -> tuple[float, ...]:
    wait = distance / seats
    can = 0.0
    if not distance:
        can = 1 - (1 - position.unseen.matching(position.colour, position.rank)) ** cards
    return (
        wait,
        wait if cards <= 2 else 0.0,
        can if cards == 1 else 0.0,
        can if cards == 2 else 0.0,
        can if cards >= 3 else 0.0,
    )
