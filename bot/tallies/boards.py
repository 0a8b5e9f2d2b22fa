"""What a leaderboard can be ordered by, and who stands on one (docs/rules.md, Leaderboards).

Imports the standard library only.
"""

from __future__ import annotations

from enum import StrEnum
from math import sqrt
from typing import Final

#: An average is shown from this many hands on.
LEAST_HANDS: Final = 10
#: How many different people somebody has to have met in ranked hands to stand on a board, at most.
MOST_OTHERS: Final = 5
#: On a smaller server it is one in so many of its people.
_ONE_IN: Final = 10
#: From this many people on a server more of them make no difference.
ENOUGH_PEOPLE: Final = MOST_OTHERS * _ONE_IN
#: The normal quantile of an interval that holds 95 in 100.
_Z: Final = 1.96
#: Bounds and averages are whole numbers of this part of one, so that equal results are equal.
PARTS: Final = 1_000_000


class By(StrEnum):
    """What a board is ordered by."""

    POINTS = "points"
    HANDS = "hands"
    MATCHES = "matches"
    RATE = "rate"
    AVERAGE = "average"
    SKILL = "skill"


def others_needed(people: int) -> int:
    """Return how many different people somebody has to have met to stand on a board.

    `people` is how many have played ranked hands on the server.
    """
    return max(1, min(MOST_OTHERS, people // _ONE_IN))


def win_bound(won: int, played: int) -> int:
    """Return the lower bound of Wilson's interval for a share of wins, in millionths."""
    if not played:
        return 0
    share, z2 = won / played, _Z * _Z
    middle = share + z2 / (2 * played)
    spread = _Z * sqrt((share * (1 - share) + z2 / (4 * played)) / played)
    return round(PARTS * max(0.0, (middle - spread) / (1 + z2 / played)))


def average(points: int, hands: int) -> int | None:
    """Return the average points a hand, in millionths; None for too few hands."""
    return None if hands < LEAST_HANDS else PARTS * points // hands


class Turn(StrEnum):
    """Which page of a board is shown: the first, the one after or before somebody, or the reader's own."""

    FIRST = "first"
    AFTER = "after"
    BEFORE = "before"
    OWN = "own"
