"""Everything that can be met has words of its own: what is new in the engine or the model fails here."""

import re
from datetime import timedelta

import pytest

from bot.interactions import permissions
from bot.model.ending import Ending
from bot.model.errors import Problem
from bot.model.guild_settings import NUDGES
from bot.model.options import LEVELS, PRESETS, SWITCHES, TURN_TIMES
from bot.ui.kit.emoji import FALLBACKS
from bot.ui.kit.scene import Scene
from bot.ui.screens import computers, rules, server_settings, summary
from bot.ui.text import events, problems, replies
from bot.ui.text.items import BY_ITEM, item_effect
from bot.ui.text.options import EXPLAINED, HOUSE_RULES, PRESET_NAMES, turn_time
from bot.ui.text.translation import Players, item
from engine import events as happened
from engine.cards import CODE, ITEM, Item
from engine.errors import Reason
from engine.events import End, Why, public
from engine.rules import RULE_NAMES
from tests.ui.positions import ENGLISH, PLAIN, PSEUDO, WORDLESS, play, position, untranslated

NAMES = ("Ann", "Bob", "Cy")
#: What fills the placeholders of any problem's sentence.
VALUES = {
    "time": timedelta(minutes=1),
    "permissions": "0",
    "reference": "0",
    "most": 30,
    "channels": "0",
    "link": "0",
    "host": "0",
}


def is_sentence(words):
    return words[0].isupper() and words[-1] in ".!" and "{" not in words


def all_different(words):
    return len(set(words)) == len(words)


def acted(which, text=ENGLISH, names=NAMES):
    """Play a Wild Item Box that turns over a card with an item, and tell it at the table."""
    hands = [["WI", "R1", "R2"], ["B1", "B2"], ["G1", "G2"]]
    flipped = CODE[ITEM.index(which)]
    _, told = play(position(hands, draw=[flipped, "Y1", "Y2"], actions=[["a", "play", "WI"]]))
    return item_effect(text, PLAIN, list(map(public, told)), Players(text, names))


# --- the engine's


@pytest.mark.parametrize("which", Item)
def test_every_item_is_told(which):
    name = item(ENGLISH, which)
    fired = happened.ItemFired(0, which)
    turned = happened.CardFlipped(ITEM.index(which))
    (flip,) = events.story(ENGLISH, Scene(table=7, names=NAMES, recent=(turned, fired)), 9)
    assert f"{name}!" in flip
    assert events.sentence(ENGLISH, fired, NAMES).startswith(f"{name}!")
    assert acted(which).startswith(f"{FALLBACKS[which.value]} **{name}**: ")
    assert not untranslated(acted(which, PSEUDO, WORDLESS))


def test_no_two_items_are_told_alike():
    for tell in (
        acted,
        lambda which: events.sentence(ENGLISH, happened.ItemFired(0, which), NAMES),
        lambda which: str(FALLBACKS[which.value]),
    ):
        assert all_different([tell(which).replace(item(ENGLISH, which), "") for which in Item])


@pytest.mark.parametrize("why", Why)
def test_every_reason_to_draw_is_told(why):
    card = CODE.index("R7")
    assert is_sentence(events.sentence(ENGLISH, happened.CardsDrawn(0, 1, why, (card,)), NAMES))
    told = events.drawn(ENGLISH, [happened.CardsDrawn(0, 1, why, (card,))], 0)
    assert re.search(r"drew(?: 1)?: Red 7\.$", told)
    nothing = events.drawn(ENGLISH, [happened.CardsDrawn(0, 0, why, ())], 0)
    assert (nothing is None) == (why not in {*BY_ITEM, Why.BLUFF, Why.FAILED_CHALLENGE})


def test_no_two_items_are_told_alike_to_those_they_hit():
    for cards in ((), (1,)):
        drew = [happened.CardsDrawn(0, len(cards), why, cards) for why in BY_ITEM]
        assert all_different([events.drawn(ENGLISH, [event], 0) for event in drew])


@pytest.mark.parametrize("end", End)
def test_every_end_of_a_hand_is_told(end):
    winner = 0 if end is End.WON else None
    assert is_sentence(events.sentence(ENGLISH, happened.HandEnded(end, winner, 1), NAMES))
    assert (end in summary._NO_WINNER) == (winner is None)


def test_every_house_rule_is_told():
    assert set(HOUSE_RULES) == set(rules._HOUSE) == set(RULE_NAMES)
    assert set(EXPLAINED) == set(SWITCHES)
    for words in (HOUSE_RULES, EXPLAINED):
        assert all_different([ENGLISH.gettext(msgid) for msgid in words.values()])


@pytest.mark.parametrize("reason", Reason)
def test_every_refusal_is_told(reason):
    assert is_sentence(problems.refusal(ENGLISH, reason))
    assert not untranslated(problems.refusal(PSEUDO, reason))


# --- the model's


@pytest.mark.parametrize("which", Problem)
def test_every_problem_is_told(which):
    assert is_sentence(problems.problem(ENGLISH, which, **VALUES))
    assert not untranslated(problems.problem(PSEUDO, which, **VALUES))


def test_no_two_refusals_or_problems_read_the_same():
    said = [problems.refusal(ENGLISH, reason) for reason in Reason]
    assert all_different(said + [problems.problem(ENGLISH, which, **VALUES) for which in Problem])


def test_every_end_of_a_table_is_told():
    assert all(is_sentence(replies.closed(ENGLISH, how)) for how in Ending)
    # These two are shown to nobody.
    shown = set(Ending) - {Ending.WON, Ending.VANISHED}
    assert all_different([replies.closed(ENGLISH, how) for how in shown])


@pytest.mark.parametrize(
    ("hands", "counts"),
    [
        (0, "No hand was finished, so nothing counts."),
        (1, "1 finished hand counts."),
        (2, "2 finished hands count."),
    ],
)
def test_who_ended_a_table_is_told_with_what_counts(hands, counts):
    told = replies.closed(ENGLISH, Ending.STOPPED, by="*Ann*", hands=hands)
    assert told == f"\\*Ann\\* ended this table. {counts} /uno start opens a new one."


def test_every_choice_has_a_name():
    assert set(PRESET_NAMES) == {*PRESETS, "server"}
    assert set(computers._LEVELS) == set(LEVELS)
    assert set(server_settings._NUDGES) == set(NUDGES)
    assert all_different([replies.nudges_set(ENGLISH, wish) for wish in NUDGES])
    assert all_different([turn_time(ENGLISH, seconds) for seconds in TURN_TIMES])


def test_every_permission_that_is_needed_has_a_name():
    needed = {*permissions._NEEDED, *permissions._NEEDED_IN_THREAD, *permissions._NEEDED_FOR_THREAD}
    for name in needed:
        assert problems.permission_names(ENGLISH, [name]).casefold() == name.replace("_", " ")
        assert not untranslated(problems.permission_names(PSEUDO, [name]))
