"""What one person did on a server, added up from what is stored of each hand (docs/rules.md, What counts).

Imports the standard library only.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Any, Final

#: The items in the order in which they are told, as the facts of a hand name them.
ITEMS: Final = ("mushroom", "banana_peel", "green_shell", "lightning", "bob_omb")


@dataclass(frozen=True, slots=True)
class Hand:
    """A finished hand of one person.

    `left` is how many cards they held at its end, `players` how many it was scored for. `facts` are what
    they did (`bot.model.facts`), {} where that is not known.
    """

    points: int
    won: bool
    left: int
    players: int
    facts: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Other:
    """Somebody a person has met: in how many hands, and how many of those the other won."""

    user_id: int
    name: str
    hands: int
    lost: int


@dataclass(frozen=True, slots=True)
class Past:
    """All that is stored of one person's ranked hands and matches on a server, in order of time.

    `name` is the last one known, "" if there is none. `outcomes` are those of their matches: won, lost or
    forfeit.
    """

    name: str = ""
    hands: tuple[Hand, ...] = ()
    outcomes: tuple[str, ...] = ()
    others: tuple[Other, ...] = ()


@dataclass(frozen=True, slots=True)
class Effect:
    """How often an item acted for a person, and how many cards others and they themselves drew by it."""

    used: int
    gave: int
    took: int


@dataclass(frozen=True, slots=True)
class Statistics:
    """What a person's hands and matches add up to.

    `best` is the most points of one hand. `longest` and `current` are how many hands were won in a row, at
    most and up to the last one. `most` is the most cards held. `course` has the sum of points after each
    hand. `company` is whom they have played with most, `nemesis` who has won most of their common hands.
    """

    matches: int
    matches_won: int
    forfeits: int
    hands: int
    hands_won: int
    points: int
    best: int
    longest: int
    current: int
    challenges: int
    challenges_won: int
    bluffs: int
    bluffs_passed: int
    bluffs_caught: int
    catches: int
    caught: int
    most: int
    items: Mapping[str, Effect]
    course: tuple[int, ...]
    company: Other | None
    nemesis: Other | None


def add_up(past: Past) -> Statistics:
    """Add up what is stored of one person."""
    hands = past.hands
    longest, current = streaks(hand.won for hand in hands)
    counts: Counter[str] = Counter()
    for hand in hands:
        for name in ("bluffs", "bluffs_passed", "bluffs_caught", "catches", "caught"):
            counts[name] += hand.facts.get(name, 0)
    answers = challenges(hands)
    return Statistics(
        matches=len(past.outcomes),
        matches_won=past.outcomes.count("won"),
        forfeits=past.outcomes.count("forfeit"),
        hands=len(hands),
        hands_won=sum(hand.won for hand in hands),
        points=sum(hand.points for hand in hands),
        best=max((hand.points for hand in hands), default=0),
        longest=longest,
        current=current,
        challenges=len(answers),
        challenges_won=sum(answers),
        bluffs=counts["bluffs"],
        bluffs_passed=counts["bluffs_passed"],
        bluffs_caught=counts["bluffs_caught"],
        catches=counts["catches"],
        caught=counts["caught"],
        most=max((hand.facts.get("most", 0) for hand in hands), default=0),
        items=effects(hands),
        course=tuple(accumulate(hand.points for hand in hands)),
        company=_first(past.others, lambda other: other.hands),
        nemesis=_first(past.others, lambda other: other.lost),
    )


def streaks(results: Iterable[bool]) -> tuple[int, int]:
    """Return the longest run of successes, and the length of the one at the end."""
    longest = current = 0
    for success in results:
        current = current + 1 if success else 0
        longest = max(longest, current)
    return longest, current


def challenges(hands: Iterable[Hand]) -> list[bool]:
    """Return whether each challenge made was won, in order."""
    return [won for hand in hands for won in hand.facts.get("challenges", ())]


def effects(hands: Iterable[Hand]) -> dict[str, Effect]:
    """Return what each item did for a person and to them."""
    used: Counter[str] = Counter()
    gave: Counter[str] = Counter()
    took: Counter[str] = Counter()
    for hand in hands:
        used.update(hand.facts.get("items", {}))
        took.update(hand.facts.get("took", {}))
        for why, given in hand.facts.get("gave", {}).items():
            gave[why] += sum(given.values())
    return {item: Effect(used[item], gave[item], took[item]) for item in ITEMS}


def _first(others: Iterable[Other], number: Callable[[Other], int]) -> Other | None:
    """Return whom a number is highest for, the one met more often among equals; None if it is 0 for all."""
    found = max(others, key=lambda other: (number(other), other.hands, -other.user_id), default=None)
    return found if found is not None and number(found) else None
