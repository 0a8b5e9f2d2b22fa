import re
from dataclasses import replace
from types import SimpleNamespace

import discord
import pytest

from bot.model.state import RECENT
from bot.ui.screens.summary import details, hand_summary, match_summary, standings
from engine.actions import DEAL, LEAVE
from engine.cards import CODE, FACES
from engine.events import End
from engine.rules import Length
from engine.views import table_view
from tests.ui.positions import (
    ENGLISH,
    PLAIN,
    UPLOADED,
    crowd,
    custom_ids,
    labels,
    play,
    position,
    scene,
    texts,
    words,
)

LEFT = [["R1"], ["R1", "Y3", "G4", "B8"], ["R9", "GS", "YR", "BD", "W4"]]
FEW = "**Red**: 1; **Yellow**: 3; **Green**: 4; **Blue**: 8"
MANY = "**Red**: 9; **Yellow**: Reverse; **Green**: Skip; **Blue**: Draw Two; **Wild**: Draw Four"


def given(hands, *actions, **how):
    return play(position(hands, actions=list(map(list, actions)), **how))[0]


def lines_of(view):
    """Give the lines about the players, with spaces where no line may end."""
    return texts(view)[1].replace("\N{NO-BREAK SPACE}", " ").splitlines()


def won(**how):
    return given(LEFT, ["a", "play", "R1"], **how)


def show(match, what=hand_summary):
    return what(ENGLISH, PLAIN, scene(), table_view(match))


# --- a hand


def test_each_player_has_a_line_and_the_winner_the_sum():
    match = won(match={"hands": 3}, start={"scores": {"a": 10, "b": 7}})
    view = show(match)
    assert texts(view)[0] == "### 🏁 a wins the hand: 135 points!\na went out with Red 1."
    assert lines_of(view) == [
        "🏁 **a**: +135 · **total 145**",
        "• **b**: 16 points in hand · **total 7**",
        f"-# {FEW}",
        "• **c**: 119 points in hand · **total 0**",
        f"-# {MANY}",
    ]
    assert texts(view)[2] == "-# Hand 1 of 3"
    assert custom_ids(view) == {
        "Details": f"ll:7:{match.decision}:details:1:",
        "Next hand": f"ll:7:{match.decision}:next::",
    }


@pytest.mark.parametrize("what", [hand_summary, match_summary])
def test_every_card_left_is_named_where_ten_players_leave_that_much_room(what):
    """Each of the nine is left with as many different cards as a hand of the usual size can have."""
    faces = ["R1", "Y2", "G3", "B4", "RS", "WI", "W4"]
    told = words(show(given([["R1"], *[faces] * 9], ["a", "play", "R1"]), what)).replace(
        "\N{NO-BREAK SPACE}", " "
    )
    assert told.count("**Blue**: 4; **Wild**: Draw Four · Item Box") == 9
    assert "in Details" not in told


@pytest.mark.parametrize("what", [hand_summary, match_summary])
def test_where_there_is_no_room_for_all_cards_the_dearest_are_named_and_the_rest_counted(what):
    held = [CODE[card] for card in range(FACES)]
    told = words(show(given([["R1"], *[held] * 9], ["a", "play", "R1"]), what)).replace(
        "\N{NO-BREAK SPACE}", " "
    )
    counts = re.findall(r"(\d+) more in Details", told)
    assert len(counts) == 9
    assert told.count("Draw Four · Item Box") == 9
    assert all(int(count) < FACES - 4 for count in counts), "as many as there is room for"
    assert not told.endswith("…")


def test_next_hand_is_there_only_while_one_is_to_be_dealt():
    assert labels(show(won())) == ["Details"]


def test_a_blocked_hand_scores_for_nobody():
    match = given([["B1", "B2"], ["R1", "R2"]], match={"hands": 2})
    match.game.actions = 999
    match.apply(0, match.legal_actions()[0])
    assert match.game.end is End.BLOCKED
    assert texts(show(match))[0] == "### 🏁 The hand is blocked: nobody scores."
    assert "in hand" in texts(show(match))[1]
    assert "nobody scores" in words(show(match, details))


def test_who_left_is_told_so():
    match = won(match={"hands": 3})
    match.apply(1, LEAVE)
    assert lines_of(show(match))[1:3] == [
        "• **b**: 16 points in hand · has left · **total 0**",
        f"-# {FEW}",
    ]
    # The sum of the hand still adds up.
    assert "= 135" in words(show(match, details)).replace("**", "")


def test_who_was_removed_is_told_so():
    match = won(match={"hands": 3})
    match.apply(1, LEAVE)
    for made in (hand_summary, match_summary):
        told = words(made(ENGLISH, PLAIN, replace(scene(), removed=frozenset({1})), table_view(match)))
        assert "was removed" in told
        assert "has left" not in told


def test_a_crowd_has_one_short_line_each_above_its_cards():
    names = [f"Player {number}" for number in range(10)]
    crowded = [["R1"], *crowd(["B7", "B8", "G1", "Y2", "W4", "WI"], ["B7", "B8", "G1", "Y2", "W4"])[:9]]
    match = play(position(crowded, actions=[["a", "play", "R1"]], match={"hands": 2}))[0]
    for made in (hand_summary, match_summary):
        lines = texts(made(ENGLISH, PLAIN, scene(names=names), table_view(match)))[1].splitlines()
        seats = [line for line in lines if not line.startswith("-# ")]
        assert (len(seats), len(lines)) == (10, 19)
        assert max(len(line.replace("*", "")) for line in seats) <= 46


# --- card by card


def test_the_sum_is_shown_card_by_card():
    assert words(show(won(), details)).splitlines() == [
        "### Hand 1, card by card",
        "**b**: 16 points",
        "**Red**: 1",
        "**Yellow**: 3",
        "**Green**: 4",
        "**Blue**: 8",
        "**c**: 119 points",
        "**Red**: 9",
        "**Yellow**: Reverse (20)",
        "**Green**: Skip (20)",
        "**Blue**: Draw Two (20)",
        "**Wild**: Draw Four (50)",
        "**a** scores 16 + 119 = 135 points.",
    ]


def test_twins_are_counted_together():
    match = given([["R1"], ["B7", "B7", "WI", "WI", "WI", "R0"]], ["a", "play", "R1"])
    shown = words(show(match, details))
    assert "**Blue**: 7 ×2 (14)" in shown
    assert "**Wild**: Item Box ×3 (150)" in shown
    assert "**Red**: 0" in shown
    assert "**a** scores 164 points." in shown


def test_a_hand_won_for_nothing_shows_its_sum_too():
    match = given([["R1"], ["R0"]], ["a", "play", "R1"])
    assert "**a** scores 0 points." in words(show(match, details))


def test_the_sum_can_be_shown_from_what_was_kept():
    kept = SimpleNamespace(hand_no=4, end=End.WON, hand_winner=1, points=7, remaining=((7,), ()))
    shown = words(details(ENGLISH, PLAIN, scene(), kept))
    assert shown.splitlines() == [
        "### Hand 4, card by card",
        "**a**: 7 points",
        "**Red**: 7",
        "**b** scores 7 points.",
    ]


# --- a match


def test_a_match_of_one_hand():
    view = show(won(), match_summary)
    assert texts(view)[0] == "### 🏁 a wins the match!\na went out with Red 1."
    assert lines_of(view) == [
        "🏁 **1** · a: 135 points",
        "• **2** · b: 16 points in hand",
        f"-# {FEW}",
        "• **3** · c: 119 points in hand",
        f"-# {MANY}",
    ]
    assert labels(view) == ["Details", "Rematch", "Share"]


def test_a_match_of_several_hands_tells_its_last_one_too():
    match = won(match={"hands": 2}, start={"hand_no": 2, "scores": {"b": 200}})
    assert texts(show(match, match_summary))[0].splitlines() == [
        "### 🏁 b wins the match!",
        "a wins the hand: 135 points!",
        "a went out with Red 1.",
    ]


def test_equal_points_share_the_win():
    match = won(match={"hands": 2}, start={"hand_no": 2, "scores": {"b": 135}})
    view = show(match, match_summary)
    assert texts(view)[0].splitlines()[0] == "### 🏁 The match is over: a and b share the win!"
    assert [line[:5] for line in lines_of(view)[:2]] == ["🏁 **1", "🏁 **1"]


def test_nobody_wins_a_blocked_match():
    match = given([["B1", "B2"], ["R1", "R2"]])
    match.game.actions = 999
    match.apply(0, match.legal_actions()[0])
    assert texts(show(match, match_summary))[0].splitlines() == [
        "### 🏁 The match is over: nobody wins.",
        "The hand is blocked: nobody scores.",
    ]


def test_the_last_one_left_wins_by_forfeit():
    match = given(LEFT, ["a", "leave"], ["c", "leave"])
    view = show(match, match_summary)
    assert texts(view)[0].splitlines() == [
        "### 🏁 b wins the match: everybody else left.",
        "Only one player is left: nobody scores.",
    ]
    assert lines_of(view)[0] == "🏁 **1** · b: 0 points"
    assert "• **2** · c: 0 points · has left" in texts(view)[1]


def test_the_last_one_left_between_two_hands_wins_by_forfeit():
    match = won(match={"hands": 3})
    for seat in (0, 1):
        match.apply(seat, LEAVE)
    assert (
        texts(show(match, match_summary))[0].splitlines()[0]
        == "### 🏁 c wins the match: everybody else left."
    )


def test_a_last_hand_won_because_the_other_left_is_no_forfeit():
    match = given([["WI"], ["R1", "R2"]], ["a", "play", "WI"], draw=["G5", "G6"])
    match.apply(1, LEAVE)
    assert match.winners == (0,)
    assert texts(show(match, match_summary))[0].splitlines()[0] == "### 🏁 a wins the match!"


@pytest.mark.parametrize(
    ("scores", "left", "winners", "ranks"),
    [
        ((300, 20, 20, 5), (), (0,), [(1, 0), (2, 1), (2, 2), (4, 3)]),
        ((5, 20, 20, 300), (), (3,), [(1, 3), (2, 1), (2, 2), (4, 0)]),
        ((20, 20, 0, 0), (), (0, 1), [(1, 0), (1, 1), (3, 2), (3, 3)]),
        ((0, 0, 0, 0), (), (), [(1, 0), (1, 1), (1, 2), (1, 3)]),
        ((0, 0, 0, 0), (), (2,), [(1, 2), (2, 0), (2, 1), (2, 3)]),
        ((90, 10, 50, 50), (0,), (2, 3), [(1, 2), (1, 3), (3, 1), (4, 0)]),
        ((90, 90, 50, 0), (0, 1, 2), (3,), [(1, 3), (2, 0), (2, 1), (4, 2)]),
    ],
)
def test_equal_seats_have_equal_ranks_in_a_stable_order(scores, left, winners, ranks):
    seats = tuple(
        SimpleNamespace(seat=seat, score=score, left=seat in left) for seat, score in enumerate(scores)
    )
    view = SimpleNamespace(seats=seats, winners=winners, length=Length(hands=2))
    assert [(rank, info.seat) for rank, info in standings(view)] == ranks


def test_in_a_match_of_one_hand_the_fewest_points_left_come_next():
    hands = [["R1"], ["W4"], ["R5"], ["B5"], ["G0"]]
    match = given(hands, ["e", "leave"], ["a", "play", "R1"])
    assert [(rank, info.seat) for rank, info in standings(table_view(match))] == [
        (1, 0),
        (2, 2),
        (2, 3),
        (4, 1),
        (5, 4),
    ]


@pytest.mark.parametrize("what", [hand_summary, match_summary])
@pytest.mark.parametrize(
    ("hands", "actions", "draw", "card"),
    [
        ([["R1"], ["R5"]], [["a", "play", "R1"]], ["G1"], "R1"),
        # Below the card that it turned over.
        ([["WI"], ["R5"]], [["a", "play", "WI"]], ["Y5", "G1", "G2"], "WI"),
        ([["WI"], *[["R5", "R6"]] * 9], [["a", "play", "WI"]], ["B5", *["G1"] * 9], "WI"),
    ],
)
def test_the_card_that_won_stays_as_a_picture(what, hands, actions, draw, card):
    match, told = play(position(hands, actions=actions, draw=draw))
    recent = scene(told[-RECENT:])
    view = what(ENGLISH, UPLOADED, recent, table_view(match))
    (section,) = [child for child in view.walk_children() if isinstance(child, discord.ui.Section)]
    assert section.accessory.media.url == UPLOADED.url(card)
    assert f"a went out with {section.accessory.description}." in words(view)


def test_a_blocked_hand_has_no_card_that_won():
    match = given([["B1", "B2"], ["R1", "R2"]])
    match.game.actions = 999
    match.apply(0, match.legal_actions()[0])
    assert "went out" not in words(show(match, match_summary))


def test_the_number_of_the_hand_goes_on():
    match = won(match={"hands": 3})
    match.apply(0, DEAL)
    assert match.hand_no == 2
