"""Achievements: each a function of what is stored of a person, so that a new one is granted to the past too.

Imports the standard library and its neighbours.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from bot.tallies.statistics import ITEMS, Hand, Past, challenges, effects, streaks


def _some_hand(test: Callable[[Hand], bool]) -> Callable[[Past], bool]:
    return lambda past: any(map(test, past.hands))


def _in_all(name: str, least: int) -> Callable[[Past], bool]:
    """Whether what is counted of each hand adds up to so many."""
    return lambda past: sum(hand.facts.get(name, 0) for hand in past.hands) >= least


def _took(hand: Hand) -> int:
    return sum(hand.facts.get("took", {}).values())


def _last_card(code: str) -> Callable[[Past], bool]:
    return _some_hand(lambda hand: hand.won and hand.facts.get("out") == code)


def _so_close(past: Past) -> bool:
    return sum(not hand.won and hand.left == 1 for hand in past.hands) >= 10


#: The achievements by their keys, in the order in which they are shown.
ACHIEVEMENTS: Final[Mapping[str, Callable[[Past], bool]]] = {
    "short_fuse": _some_hand(lambda hand: hand.won and hand.facts.get("out_item") == "bob_omb"),
    "lie_detector": lambda past: streaks(challenges(past.hands))[0] >= 3,
    "comeback": _some_hand(lambda hand: hand.won and hand.facts.get("most", 0) >= 20),
    "poker_face": _in_all("bluffs_passed", 10),
    "parting_gift": _last_card("W4"),
    "untouchable": _some_hand(lambda hand: hand.won and bool(hand.facts) and not _took(hand)),
    "forgiven": _some_hand(lambda hand: hand.won and hand.facts.get("caught", 0) > 0),
    "jackpot": _some_hand(lambda hand: hand.points >= 300),
    "hat_trick": lambda past: streaks(hand.won for hand in past.hands)[0] >= 3,
    "ten_at_table": _some_hand(lambda hand: hand.won and hand.players == 10),
    "queue_jumper": _in_all("jumped", 10),
    "full_garage": lambda past: all(effects(past.hands)[item].used for item in ITEMS),
    "banana_farmer": lambda past: effects(past.hands)["banana_peel"].gave >= 20,
    "eagle_eyes": _in_all("catches", 10),
    "lost_for_words": _in_all("caught", 10),
    "card_collector": _some_hand(lambda hand: hand.facts.get("most", 0) >= 30),
    "bystander": _some_hand(lambda hand: hand.facts.get("skipped", 0) >= 5),
    "so_close": _so_close,
    "regular": lambda past: len(past.hands) >= 100,
}


def earned(past: Past) -> tuple[str, ...]:
    """Return the keys of the achievements that somebody has."""
    return tuple(key for key, test in ACHIEVEMENTS.items() if test(past))
