"""The lobby, the rules, the leaderboard and the answers in a sentence."""

import discord
import pytest

from bot.model.errors import Problem
from bot.model.options import Options
from bot.store import Board, BoardLine
from bot.tallies.boards import By
from bot.tallies.periods import Period
from bot.ui.kit.custom_ids import read
from bot.ui.screens.leaderboard import leaderboard_screen
from bot.ui.screens.lobby import Lobby, closed_screen, lobby_screen
from bot.ui.screens.rules import TOPICS, rules_screen
from bot.ui.text import problems, replies
from bot.ui.text.options import HOUSE_RULES, match_length, which_hand
from engine.rules import ONE_HAND, RULE_NAMES, Length, RuleSet
from tests.ui.positions import (
    ENGLISH,
    PLAIN,
    PSEUDO,
    buttons,
    components,
    custom_ids,
    labels,
    texts,
    untranslated,
    words,
)

# --- the lobby


def test_a_lobby_says_who_plays_and_what_is_agreed_on():
    lobby = Lobby(7, ("Ann", "**x**"), 1, Options(RuleSet(stack=True), Length(hands=3), 90))
    view = lobby_screen(ENGLISH, PLAIN, lobby)
    agreed = "-# Match: 3 hands\n-# Time for a turn: 90 seconds\n-# House rules: Stacking\n"
    agreed += "-# The host can start now."
    assert texts(view) == [
        "### 🏁 UNO Mario Kart: who plays?\n2 players of 10",
        "• **Ann**\n• **\\*\\*x\\*\\*** (host)",
        agreed,
    ]
    assert custom_ids(view) == {
        "Join": "ll:7:0:join::",
        "Leave": "ll:7:0:quit::",
        "Start": "ll:7:0:start::",
        "Cancel": "ll:7:0:cancel::",
        "Add CPU": "ll:7:0:computers::",
        "Rules": "ll:7:0:panel:rules:",
        "How to play": "ll:7:0:help::",
    }


def test_a_lobby_of_one_waits_for_another():
    view = lobby_screen(ENGLISH, PLAIN, Lobby(7, ("Ann",), 0, Options()))
    assert "1 player of 10" in words(view)
    assert "Two are needed to start: people who join, or computer players (Add CPU)." in words(view)


def test_a_closed_table_says_why():
    view = closed_screen(ENGLISH, "Everybody has left.")
    assert words(view) == "### This table is closed.\nEverybody has left."
    assert not buttons(view)


def test_the_length_of_a_match_is_told():
    assert match_length(ENGLISH, ONE_HAND) == "Match: 1 hand"
    assert match_length(ENGLISH, Length(target=500)) == "Match: the first to 500 points"
    assert which_hand(ENGLISH, ONE_HAND, 1) == "A match of one hand"


# --- the rules


@pytest.mark.parametrize("topic", TOPICS)
def test_every_topic_fits_a_phone(topic):
    view = rules_screen(ENGLISH, topic)
    assert sum(map(len, texts(view))) < 1200
    assert all(len(line) <= 110 for line in words(view).splitlines())
    assert [read(made.custom_id).args for made in buttons(view)] == [(key,) for key in TOPICS]
    (chosen,) = [made for made in buttons(view) if made.style.name == "primary"]
    assert f"### {chosen.label}" == words(view).splitlines()[0]


@pytest.mark.parametrize("topic", [None, "no_such_topic"])
def test_without_a_topic_it_is_the_first(topic):
    assert words(rules_screen(ENGLISH, topic)) == words(rules_screen(ENGLISH, "how"))


def test_every_house_rule_is_told_and_those_in_force_are_marked():
    shown = words(rules_screen(ENGLISH, "house", rules=RuleSet(jump_in=True)))
    assert set(HOUSE_RULES) == set(RULE_NAMES)
    for name in HOUSE_RULES.values():
        assert f"**{name}**" in shown
    assert "**Jump-in** (in force here)" in shown
    assert shown.count("in force") == 1


# --- the leaderboard


COUNTED = "Counted: hands and matches with at least two people."


def line(rank, name, points, won=1, played=2, **more):
    return BoardLine(rank, more.pop("user", rank), name, points, won, played, **more)


def shown(view):
    return words(view).splitlines()


def test_the_leaderboard_shows_ranks_as_they_are_given():
    lines = (line(1, "Ann", 300, 4, 9), line(2, "\u200b", 1), line(2, "*", 1, user=3))
    view = leaderboard_screen(ENGLISH, PLAIN, Board(lines))
    assert shown(view) == [
        "### 🏁 Leaderboard of this server",
        "-# Points · All time",
        "**1** · Ann: 300 points",
        "-# 4 of 9 hands won",
        "**2** · Somebody: 1 point",
        "-# 1 of 2 hands won",
        "**2** · \\*: 1 point",
        "-# 1 of 2 hands won",
        f"-# {COUNTED} Listed: anyone who has played with 1 other person.",
    ]


@pytest.mark.parametrize(
    ("by", "result", "besides"),
    [
        (By.HANDS, "**1** · Ann: 4 hands won", "9 hands played"),
        (By.MATCHES, "**1** · Ann: 1 match won", "1 of 2 matches won"),
        (By.RATE, "**1** · Ann: 44% of hands won", "4 of 9 hands won"),
        (By.AVERAGE, "**1** · Ann: 33.3 points a hand", "4 of 9 hands won"),
        (By.SKILL, "**1** · Ann: 1,744?", "1 of 2 matches won"),
    ],
)
def test_each_board_tells_what_it_is_ordered_by(by, result, besides):
    ann = line(1, "Ann", 300, 4, 9, matches=2, matches_won=1, average=33_333_333, skill=1744)
    view = leaderboard_screen(ENGLISH, PLAIN, Board((ann,)), by)
    assert shown(view)[2:4] == [result, f"-# {besides}"]


def test_skill_that_has_settled_has_no_question_mark():
    view = leaderboard_screen(ENGLISH, PLAIN, Board((line(1, "Ann", 0, skill=1744, settled=True),)), By.SKILL)
    assert shown(view)[2] == "**1** · Ann: 1,744"


def test_the_readers_own_line_is_marked_and_shown_below_when_it_is_elsewhere():
    ann, bob = line(1, "Ann", 300), line(40, "Bob", 2)
    assert shown(leaderboard_screen(ENGLISH, PLAIN, Board((ann,), ann)))[2] == "▸ **1** · **Ann**: 300 points"
    elsewhere = shown(leaderboard_screen(ENGLISH, PLAIN, Board((ann,), bob, more=True)))
    assert elsewhere[2] == "**1** · Ann: 300 points"
    assert elsewhere[4:7] == ["…", "▸ **40** · **Bob**: 2 points", "-# 1 of 2 hands won"]


@pytest.mark.parametrize(
    ("by", "own", "why"),
    [
        (By.POINTS, {"others": 4}, "you have played with 4 different people."),
        (By.AVERAGE, {"others": 5}, "an average takes 10 hands, and you have played 2."),
        (By.SKILL, {"others": 5}, "you haven't finished a match."),
    ],
)
def test_who_is_not_listed_is_told_why(by, own, why):
    reader = line(None, "Bob", 2, user=7, **own)
    last = shown(leaderboard_screen(ENGLISH, PLAIN, Board((), reader, others_needed=5), by))[-1]
    assert last == f"-# You're not listed yet: {why}"


def test_an_empty_leaderboard_says_how_to_begin():
    assert "/uno start" in words(leaderboard_screen(ENGLISH, PLAIN, Board(())))


def pressable(view):
    return {made.label: made.custom_id for made in buttons(view) if not made.disabled}


def test_buttons_turn_pages_where_there_are_more():
    ann, bob = line(11, "Ann", 300, user=5), line(12, "Bob", 2, user=6)
    middle = leaderboard_screen(ENGLISH, PLAIN, Board((ann, bob), bob, more=True, earlier=True), By.RATE)
    assert pressable(middle) == {
        "Back": "ll:0:0:board:rate.all.before.5:",
        "My rank": "ll:0:0:board:rate.all.own:",
        "Next": "ll:0:0:board:rate.all.after.6:",
    }
    assert pressable(leaderboard_screen(ENGLISH, PLAIN, Board((ann, bob)))) == {}
    assert pressable(leaderboard_screen(ENGLISH, PLAIN, Board(()))) == {}


def test_menus_offer_the_other_boards_and_the_periods_there_are():
    def offered(by):
        view = leaderboard_screen(ENGLISH, PLAIN, Board(()), by, Period.SEASON)
        menus = [made for made in view.walk_children() if isinstance(made, discord.ui.Select)]
        return {made.custom_id: [option.value for option in made.options] for made in menus}

    assert offered(By.POINTS) == {
        "ll:0:0:board:by.season:": list(By),
        "ll:0:0:board:period.points:": list(Period),
    }
    assert offered(By.SKILL)["ll:0:0:board:period.skill:"] == ["all", "season"]


@pytest.mark.parametrize("text", [ENGLISH, PSEUDO], ids=["English", "pseudo"])
def test_a_long_leaderboard_shows_what_fits(text):
    lines = tuple(line(2**31, "*" * 32, 2**31, 2**31, 2**31) for _ in range(100))
    view = leaderboard_screen(text, PLAIN, Board(lines))
    assert components(view) <= 40
    assert "\n…" in words(view)


# --- answers in a sentence


def test_missing_permissions_are_named():
    names = problems.permission_names(ENGLISH, ("view_channel", "send_messages_in_threads", "new_one"))
    assert names == "View Channel, Send Messages in Threads and new_one"
    sentence = problems.problem(ENGLISH, Problem.MISSING_PERMISSIONS, permissions=names)
    assert sentence.startswith("I am missing permissions in this channel: View Channel,")


def test_an_unexpected_fault_has_a_reference():
    assert "12ab34cd" in problems.problem(ENGLISH, Problem.UNEXPECTED, reference="12ab34cd")


def test_other_sentences_are_whole_and_translated():
    for text in (ENGLISH, PSEUDO):
        said = [
            replies.you_left(text),
            replies.fetch_your_hand(text, ["<@123>"]),
            replies.lobby_is_in(text, "<#123>"),
            replies.thread_name(text, "**"),
            replies.thread_name(text, "\u200b"),
            replies.table_is_coming(text),
            replies.table_ended(text),
        ]
        assert all(said)
        if text is PSEUDO:
            assert not "".join(map(untranslated, said))


@pytest.mark.parametrize("name", ["x" * 500, "", "*" * 32, "a\nb"])
def test_a_thread_has_a_name_discord_takes(name):
    for text in (ENGLISH, PSEUDO):
        assert 1 <= len(replies.thread_name(text, name)) <= 100
        assert "\n" not in replies.thread_name(text, name)


def test_a_sentence_can_stand_for_a_screen():
    view = replies.plain("You have left.")
    assert words(view) == "You have left."
    assert labels(view) == []
