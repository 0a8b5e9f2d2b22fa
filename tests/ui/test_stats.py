"""The statistics of a person in words, and their profile card."""

import io
from dataclasses import replace

import pytest
from PIL import Image

from bot.tallies.achievements import ACHIEVEMENTS
from bot.tallies.statistics import Hand, Other, Past, add_up
from bot.ui.kit.card import HEIGHT, WIDTH, draw_card
from bot.ui.screens.card import MOST_WORDS, profile_card
from bot.ui.screens.stats import Profile, stats_screen
from tests.ui.positions import (
    CYRILLIC,
    ENGLISH,
    FLAGS,
    PLAIN,
    PSEUDO,
    STARS,
    custom_ids,
    untranslated,
    words,
)

BOB, CAT = Other(8, "Bob", 12, 3), Other(9, "*", 5, 4)
HANDS = (
    Hand(40, True, 0, 3, {"most": 9, "challenges": [True, False], "items": {"green_shell": 2}}),
    Hand(0, False, 4, 3, {"most": 21, "took": {"green_shell": 1}, "gave": {"green_shell": {"1": 1}}}),
    Hand(1200, True, 0, 3, {"bluffs": 2, "bluffs_passed": 2, "catches": 1}),
)
PAST = Past("Ann", HANDS, ("won", "forfeit"), (BOB, CAT))
ANN = Profile(7, "Ann", add_up(PAST), ("jackpot",))


def test_statistics_are_told_in_parts() -> None:
    shown = words(stats_screen(ENGLISH, PLAIN, ANN, own=True)).splitlines()
    assert shown == [
        "### 🏁 Statistics of Ann",
        "**Results**",
        "Matches: 2 · Won: 1 · Forfeited: 1",
        "Hands: 3 · Won: 2 (67%)",
        "Points: 1,240 · Best hand: 1,200",
        "Hands won in a row: 1 · Right now: 1",
        "**Nerve**",
        "Challenges: 2 · Won: 1",
        "Bluffs: 2 · Got away with: 2 · Caught: 0",
        "Catches: 1 · Caught not saying UNO: 0",
        "Most cards in hand: 21",
        "**Items**",
        f"{PLAIN['mushroom']} Mushroom: 0",
        f"{PLAIN['banana_peel']} Banana Peel: 0 · Others drew: 0 · Drew from it: 0",
        f"{PLAIN['green_shell']} Green Shell: 2 · Others drew: 1 · Drew from it: 1",
        f"{PLAIN['lightning']} Lightning: 0 · Others drew: 0 · Drew from it: 0",
        f"{PLAIN['bob_omb']} Bob-omb: 0 · Own cards drawn: 0",
        "**Company**",
        "Most played with: **Bob** (12 hands)",
        "Nemesis: **\\*** (won 4 hands of 5 together)",
        "**Achievements: 1 of 19**",
        "• **Jackpot**: score 300 points in one hand",
        "-# Counted: hands and matches with at least two people.",
    ]


def test_only_ones_own_card_can_be_shared() -> None:
    assert custom_ids(stats_screen(ENGLISH, PLAIN, ANN, own=True)) == {
        "Profile card": "ll:0:0:stats:card.7:",
        "Share": "ll:0:0:stats:share:",
    }
    assert list(custom_ids(stats_screen(ENGLISH, PLAIN, ANN, own=False))) == ["Profile card"]


def test_who_has_not_played_has_nothing_to_show() -> None:
    view = stats_screen(ENGLISH, PLAIN, Profile(7, "\u200b", add_up(Past()), ()), own=True)
    assert words(view).splitlines()[:2] == ["### 🏁 Statistics of Somebody", "Nothing to count yet."]
    assert custom_ids(view) == {}


def test_the_words_of_a_card_say_what_the_picture_shows() -> None:
    assert profile_card(ENGLISH, ANN).words.splitlines() == [
        "Ann",
        "Points: 1,240",
        "Hands won: 2 of 3",
        "Matches won: 1 of 2",
        "Best hand: 1,200",
        "Hands won in a row: 1",
        "Challenges won: 1 of 2",
        "Points over 3 hands",
        "Half of them after 3 hands",
        "Achievements: 1 of 19",
        "Jackpot",
    ]


@pytest.mark.parametrize(("text", "name"), [(ENGLISH, STARS[0]), (PSEUDO, "7"), (CYRILLIC, FLAGS[0])])
def test_the_longest_card_fits(text, name) -> None:
    course = tuple(range(0, 5000 * 100, 100))
    told = replace(ANN.statistics, points=course[-1], hands=len(course), course=course)
    card = profile_card(text, Profile(7, name, told, tuple(ACHIEVEMENTS)))
    assert len(card.words) <= MOST_WORDS
    if text is PSEUDO:
        assert not untranslated(card.words)
    image = Image.open(io.BytesIO(card.png()))
    assert image.size == (WIDTH, HEIGHT)


def brightness(png: bytes, at: tuple[int, int]) -> int:
    return Image.open(io.BytesIO(png)).convert("L").getpixel(at)


def test_the_line_rises_from_left_to_right_and_is_told_from_its_ground_by_brightness() -> None:
    png = draw_card("Ann", [], "Points", [10, 20, 30], "")
    # A column halfway: the line crosses it once, brighter than what is above and below it.
    column = [brightness(png, (WIDTH // 2, y)) for y in range(290, 460)]
    line = column.index(max(column))
    assert max(column) > 240
    assert abs(line - len(column) // 2) < 12
    assert max(column[: line - 6]) < column[line + 10] < 90
    late = [brightness(png, (WIDTH - 60, y)) for y in range(290, 460)]
    assert late.index(max(late)) < line


@pytest.mark.parametrize("course", [(), (0,), (0, 0), (5,)])
def test_a_short_course_is_drawn_too(course) -> None:
    assert Image.open(io.BytesIO(draw_card("Ann", [("Points", "0")], "", course, ""))).size == (WIDTH, HEIGHT)
