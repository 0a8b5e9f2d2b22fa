"""What one person's hands and matches add up to, and what they are granted for it."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.tallies.achievements import ACHIEVEMENTS, earned
from bot.tallies.statistics import ITEMS, Effect, Hand, Other, Past, add_up, streaks
from bot.ui.text.achievements import ACHIEVEMENTS as TOLD
from engine.cards import Item


def lost(left: int = 5, players: int = 4, **facts: Any) -> Hand:
    return Hand(0, won=False, left=left, players=players, facts=facts)


def won(points: int = 20, players: int = 4, **facts: Any) -> Hand:
    return Hand(points, won=True, left=0, players=players, facts=facts)


def past(*hands: Hand, **more: Any) -> Past:
    return Past("Ann", hands, **more)


def test_a_short_past_added_up_by_hand() -> None:
    hands = (
        won(40, most=9, challenges=[True, False], catches=1, items={"lightning": 2}),
        won(10, most=7, bluffs=2, bluffs_passed=1, bluffs_caught=1, gave={"lightning": {"1": 1, "2": 1}}),
        lost(most=12, caught=1, took={"lightning": 1, "bob_omb": 2, "turn": 3}, items={"bob_omb": 1}),
        won(25, challenges=[True], gave={"wild_four": {"1": 4}}),
    )
    bob, cat = Other(1, "Bob", 4, 1), Other(2, "Cat", 3, 2)
    told = add_up(past(*hands, outcomes=("won", "lost", "forfeit", "won"), others=(bob, cat)))
    assert (told.matches, told.matches_won, told.forfeits) == (4, 2, 1)
    assert (told.hands, told.hands_won, told.points, told.best) == (4, 3, 75, 40)
    assert (told.longest, told.current) == (2, 1)
    assert (told.challenges, told.challenges_won) == (3, 2)
    assert (told.bluffs, told.bluffs_passed, told.bluffs_caught) == (2, 1, 1)
    assert (told.catches, told.caught, told.most) == (1, 1, 12)
    assert told.items["lightning"] == Effect(used=2, gave=2, took=1)
    assert told.items["bob_omb"] == Effect(used=1, gave=0, took=2)
    assert told.items["mushroom"] == Effect(0, 0, 0)
    assert told.course == (40, 50, 50, 75)
    assert (told.company, told.nemesis) == (bob, cat)


def test_nobody_is_the_nemesis_of_who_lost_to_nobody() -> None:
    told = add_up(past(won(), others=(Other(1, "Bob", 1, 0),)))
    assert (told.company, told.nemesis) == (Other(1, "Bob", 1, 0), None)
    nothing = add_up(Past())
    assert (nothing.hands, nothing.best, nothing.course, nothing.company) == (0, 0, (), None)


def test_items_are_those_of_the_game() -> None:
    assert [item.value for item in Item] == list(ITEMS)


@given(st.lists(st.booleans(), max_size=30))
def test_streaks_are_what_a_search_finds(results: list[bool]) -> None:
    runs = [
        (start, end)
        for start in range(len(results))
        for end in range(start + 1, len(results) + 1)
        if all(results[start:end])
    ]
    longest = max((end - start for start, end in runs), default=0)
    current = max((end - start for start, end in runs if end == len(results)), default=0)
    assert streaks(results) == (longest, current)


_FACTS = st.fixed_dictionaries(
    {},
    optional={
        **{name: st.integers(1, 9) for name in ("bluffs", "bluffs_passed", "catches", "caught", "most")},
        "challenges": st.lists(st.booleans(), max_size=3),
        "items": st.dictionaries(st.sampled_from(ITEMS), st.integers(1, 3)),
        "took": st.dictionaries(st.sampled_from([*ITEMS, "turn"]), st.integers(1, 9)),
        "gave": st.dictionaries(
            st.sampled_from(ITEMS), st.dictionaries(st.sampled_from("123"), st.integers(1, 4))
        ),
    },
)
_HANDS = st.lists(
    st.builds(Hand, st.integers(0, 500), st.booleans(), st.integers(0, 9), st.integers(2, 10), _FACTS),
    max_size=12,
)


@given(_HANDS, _HANDS)
def test_two_pasts_add_up_to_the_sum_of_each(first: list[Hand], then: list[Hand]) -> None:
    parts = [add_up(past(*hands)) for hands in (first, then)]
    both = add_up(past(*first, *then))
    for name in ("hands", "hands_won", "points", "challenges", "challenges_won", "bluffs", "catches"):
        assert getattr(both, name) == sum(getattr(part, name) for part in parts), name
    assert both.best == max(part.best for part in parts)
    assert both.course[len(first) :] == tuple(parts[0].points + points for points in parts[1].course)
    for item in ITEMS:
        assert both.items[item].took == sum(part.items[item].took for part in parts)
        assert both.items[item].gave == sum(part.items[item].gave for part in parts)


# --- achievements

#: What grants each, and what is just too little.
CASES: dict[str, tuple[list[Hand], list[Hand]]] = {
    "short_fuse": ([won(out_item="bob_omb")], [won(out_item="lightning")]),
    "lie_detector": (
        [lost(challenges=[False, True]), lost(challenges=[True]), won(), lost(challenges=[True, False])],
        [lost(challenges=[True, True, False, True])],
    ),
    "comeback": ([won(most=20)], [won(most=19), lost(most=25)]),
    "poker_face": ([lost(bluffs_passed=4), won(bluffs_passed=6)], [lost(bluffs_passed=9)]),
    "parting_gift": ([won(out="W4")], [won(out="WI")]),
    "untouchable": ([won(played=7)], [won(took={"turn": 1}), lost(played=7), Hand(9, True, 0, 2)]),
    "forgiven": ([won(caught=1)], [won(), lost(caught=1)]),
    "jackpot": ([won(300)], [won(299)]),
    "hat_trick": ([won(), won(), won()], [won(), won(), lost(), won()]),
    "ten_at_table": ([won(players=10)], [won(players=9), lost(players=10)]),
    "queue_jumper": ([lost(jumped=5), lost(jumped=5)], [lost(jumped=9)]),
    "full_garage": (
        [lost(items=dict.fromkeys(ITEMS[:3], 1)), lost(items=dict.fromkeys(ITEMS[3:], 1))],
        [lost(items=dict.fromkeys(ITEMS[1:], 9))],
    ),
    "banana_farmer": (
        [lost(gave={"banana_peel": {"1": 8, "2": 12}})],
        [lost(gave={"banana_peel": {"1": 18}, "lightning": {"1": 9}})],
    ),
    "eagle_eyes": ([lost(catches=10)], [lost(catches=9)]),
    "lost_for_words": ([lost(caught=10)], [lost(caught=9)]),
    "card_collector": ([lost(most=30)], [lost(most=29)]),
    "bystander": ([lost(skipped=5)], [lost(skipped=4), lost(skipped=4)]),
    "so_close": ([lost(left=1)] * 10, [*[lost(left=1)] * 9, lost(left=2), won()]),
    "regular": ([lost(left=3)] * 100, [lost(left=3)] * 99),
}


@pytest.mark.parametrize("key", ACHIEVEMENTS)
def test_each_achievement_is_granted_for_what_it_takes_and_no_less(key: str) -> None:
    enough, less = CASES[key]
    assert key in earned(past(*enough))
    assert key not in earned(past(*less))


def test_nobody_has_anything_for_nothing() -> None:
    assert earned(Past()) == ()


def test_every_achievement_has_a_name_of_its_own() -> None:
    assert list(TOLD) == list(ACHIEVEMENTS)
    assert len({name for name, _ in TOLD.values()}) == len(TOLD)


def test_what_is_granted_stays_granted() -> None:
    """More hands take nothing away again."""
    everything = [hand for enough, _ in CASES.values() for hand in enough]
    assert set(earned(past(*everything))) == set(ACHIEVEMENTS)
