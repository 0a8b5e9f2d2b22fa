from dataclasses import replace

import discord
import pytest

from bot.ui.kit.scene import Vote
from bot.ui.screens.table import table_screen
from engine.actions import CHALLENGE, LEAVE
from engine.views import table_view
from tests.ui.positions import (
    ENGLISH,
    PLAIN,
    SEATS,
    UPLOADED,
    buttons,
    custom_ids,
    label_rows,
    labels,
    play,
    position,
    scene,
    texts,
    words,
)

ROW = ["My hand", "UNO!", "Catch!"]
HANDS = [["R1", "R2", "R3"], ["W4", "B1"], ["G1", "G2"]]


def show(match, events=(), emojis=PLAIN, names=SEATS):
    return table_screen(ENGLISH, emojis, scene(events, names), table_view(match))


def given(hands=HANDS, *actions, **how):
    return play(position(hands, actions=list(map(list, actions)), **how))[0]


def test_the_table_says_whose_turn_it_is_and_what_to_match():
    view = show(given())
    assert texts(view)[0].splitlines() == [
        "### a is to play.",
        "Top card: Red 7 · **Match Red or 7**",
        "🔃 Clockwise ↓",
    ]
    assert texts(view)[1].splitlines() == ["▶️ **a**: 3 cards · host", "• **b**: 2 cards", "• **c**: 2 cards"]
    assert label_rows(view) == [ROW]


def test_the_other_direction_goes_up_the_list():
    assert "🔄 Anticlockwise ↑" in words(show(given(direction=-1)))


def test_the_colour_to_match_is_the_accent():
    for top, colour, accent in (("G5", None, "#42CE73"), ("W4", "yellow", "#FFC926")):
        (container,) = show(given(top=top, **({"colour": colour} if colour else {}))).children
        assert container.accent_colour == discord.Colour.from_str(accent)
    (container,) = show(given(top="WI")).children
    assert container.accent_colour is None


def test_the_top_card_is_a_picture_where_there_is_one():
    (section,) = [
        c for c in show(given(), emojis=UPLOADED).walk_children() if isinstance(c, discord.ui.Section)
    ]
    assert section.accessory.media.url == UPLOADED.url("R7")


@pytest.mark.parametrize("top", ["W4", "WI"])
def test_a_wild_shows_the_colour_that_was_named(top):
    view = show(given(top=top, colour="green"), emojis=UPLOADED)
    (section,) = [c for c in view.walk_children() if isinstance(c, discord.ui.Section)]
    assert section.accessory.media.url == UPLOADED.url(f"{top}_green")
    assert section.accessory.description.endswith(" (Green)")


def test_marks_stand_behind_the_names():
    match = given(HANDS, match={"target": 300}, start={"scores": {"b": 120, "c": 1}})
    match.game.streak[1] = 2
    match.apply(2, LEAVE)
    assert texts(show(match))[1].splitlines() == [
        "▶️ **a**: 3 cards · 0 points · host",
        "• **b**: 2 cards · 120 points · on autopilot",
        "• c has left",
    ]


def test_who_was_removed_is_told_so():
    match = given(HANDS)
    match.apply(2, LEAVE)
    view = table_screen(ENGLISH, PLAIN, replace(scene(), removed=frozenset({2})), table_view(match))
    assert texts(view)[1].splitlines()[2] == "• c was removed"


def test_many_seats_fold_into_one_line_with_their_points_below():
    hands = [["R1", "R2"], ["B1"], *[["G1", "G2", "G3"]] * 6]
    match = given(hands, match={"target": 300}, start={"scores": {"b": 120, "h": 1}}, direction=-1)
    match.game.said[1] = True
    match.game.streak[2] = 2
    match.apply(3, LEAVE)
    view = show(match)
    assert texts(view)[0].splitlines()[-1] == "🔄 Anticlockwise ←"
    assert texts(view)[1].replace("\N{NO-BREAK SPACE}", " ").splitlines() == [
        "▶️ **a** (2, host) · b (1, **UNO!**) · c (3, on autopilot) · e (3) · f (3) · g (3) · h (3)",
        "-# Points: b 120 · h 1",
        "-# No longer here: d",
    ]


def test_many_house_rules_are_counted():
    rules = dict.fromkeys(("stack", "jump_in", "seven_zero", "no_bluff"), True)
    assert texts(show(given(rules=rules)))[-1].endswith("4 house rules (in your hand: More, Rules)")


def test_a_pause_and_votes_have_buttons():
    votes = tuple(Vote(seat, 1, 2) for seat in (1, 2))
    at = replace(scene(), paused=True, votes=votes)
    view = table_screen(ENGLISH, PLAIN, at, table_view(given()))
    assert label_rows(view)[-1] == ["Resume", "Vote: remove b", "Vote: remove c"]
    assert custom_ids(view)["Vote: remove c"].split(":")[3:] == ["vote", "2", ""]
    assert "Paused, computers too" in words(view)


def test_uno_said_is_marked_and_uno_owed_is_not():
    two = [["R1", "R2"], ["B1", "B2"]]
    said = given(two, ["a", "uno"], ["a", "play", "R1"])
    owed = given(two, ["a", "play", "R1"])
    assert "• **a**: 1 card · **UNO!**" in words(show(said))
    assert "• **a**: 1 card · host\n" in words(show(owed))


@pytest.mark.parametrize(
    ("match", "asked"),
    [
        (given(top="WI"), "a is naming the colour."),
        (
            given([["B1", "B2"], ["R1"]], ["a", "draw"], draw=["R9", "G1"]),
            "a drew a card that can be played.",
        ),
        (given([["WI", "B2"], ["R1"]], ["a", "play", "WI"], draw=["G9"]), "a is aiming the Green Shell."),
        (
            given([["R7", "B2"], ["R1"]], ["a", "play", "R7"], rules={"seven_zero": True}),
            "a is picking a hand to swap with.",
        ),
        (
            given([["RD", "B2"], ["R1"]], ["a", "play", "RD"], rules={"stack": True}),
            "b: answer with a Draw Two, or draw 2 cards.",
        ),
        (given([["W4", "B2"], ["R1"]], ["a", "play", "W4", "red"]), "b: draw 4 cards, or challenge."),
        (
            given(
                [["W4", "B2"], ["R1"]], ["a", "play", "W4", "red"], rules={"stack": True, "no_bluff": True}
            ),
            "b: answer with a Wild Draw Four, or draw 4 cards.",
        ),
    ],
    ids=["colour", "drawn", "shell", "swap", "stack", "challenge", "no challenge"],
)
def test_it_says_whom_the_table_waits_for_and_for_what(match, asked):
    assert texts(show(match))[0].splitlines()[0] == f"### {asked}"


def test_the_last_events_are_told_oldest_first():
    match, told = play(
        position(HANDS, actions=[["a", "play", "R1"], ["b", "play", "W4", "green"], ["c", "accept"]])
    )
    told_last = texts(show(match, told))[2].splitlines()
    assert told_last == [
        "• c dealt hand 1.",
        "• a played: Red 1.",
        "• b played: Wild Draw Four. The colour is Green.",
        "• c drew 4 cards.",
    ]
    assert texts(show(match, told * 3))[2].splitlines() == told_last
    assert len(texts(show(match, told[1:] * 3))[2].splitlines()) == 5


def test_what_was_agreed_on_stands_below():
    rules = {"stack": True, "jump_in": True, "score_target": True}
    below = texts(show(given(rules=rules)))[-1]
    assert below == "-# Hand 1, to 500 points · House rules: Stacking and Jump-in"
    assert texts(show(given(match={"hands": 3}, start={"hand_no": 2})))[-1] == "-# Hand 2 of 3"


def test_the_victim_of_a_wild_draw_four_has_two_more_buttons():
    match = given([["W4", "B2"], ["R1"]], ["a", "play", "W4", "red"])
    view = show(match)
    assert label_rows(view) == [ROW, ["Accept +4", "Challenge (+6 if wrong)"]]
    assert "🔴 Before the Wild Draw Four: Red" in texts(view)[0].splitlines()
    assert custom_ids(view)["Challenge (+6 if wrong)"] == f"ll:7:{match.decision}:challenge::"
    match.apply(1, CHALLENGE)
    assert label_rows(show(match)) == [ROW]
    rules = {"stack": True, "no_bluff": True}
    match = given([["W4", "B2"], ["R1"]], ["a", "play", "W4", "red"], rules=rules)
    assert label_rows(show(match))[1] == ["Accept +4"]


def test_jump_in_is_there_while_a_turn_is_awaited_in_which_nothing_was_drawn():
    rules = {"jump_in": True, "stack": True}
    match = given(rules=rules)
    assert custom_ids(show(match))["Jump in"] == f"ll:7:{match.decision}:jump::"
    assert "Jump in" not in labels(show(given()))
    drawn = given([["B1", "B2"], ["R1"]], ["a", "draw"], draw=["R9", "G1"], rules=rules)
    stacked = given([["RD", "B2"], ["R1"]], ["a", "play", "RD"], rules=rules)
    wild = given(top="W4", colour="red", rules=rules)
    for match in (drawn, stacked, wild):
        assert "Jump in" not in labels(show(match))


def test_a_hand_that_is_over_is_its_summary():
    match = given([["R1"], ["R5", "R6"]], ["a", "play", "R1"], match={"hands": 2})
    assert labels(show(match)) == ["Details", "Next hand"]
    match = given([["R1"], ["R5", "R6"]], ["a", "play", "R1"])
    assert labels(show(match)) == ["Details", "Rematch", "Share"]


def test_nobody_is_pinged_and_no_name_breaks_a_line():
    names = ("@everyone", "**x**\n# y", "<@123456789012345678>")
    view = show(given(), names=names)
    assert texts(view)[0].splitlines()[0] == "### @\u200beveryone is to play."
    assert texts(view)[1].splitlines() == [
        "▶️ **@\u200beveryone**: 3 cards · host",
        "• **\\*\\*x\\*\\* # y**: 2 cards",
        "• **\\<@\u200b12345678901234567…**: 2 cards",
    ]
    assert all(made.custom_id for made in buttons(view))
