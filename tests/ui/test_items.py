"""What each item did, in words, to the table to the one who opened the box, and to whoever draws."""

import discord
import pytest

from bot.ui.screens.table import table_screen
from bot.ui.text.events import drawn
from bot.ui.text.items import item_effect
from bot.ui.text.notes import note
from bot.ui.text.translation import Players
from engine.actions import Play
from engine.cards import CARD_OF_CODE
from engine.events import public
from engine.views import table_view
from tests.ui.positions import (
    ENGLISH,
    PLAIN,
    PSEUDO,
    UPLOADED,
    WORDLESS,
    play,
    position,
    scene,
    untranslated,
)

NAMES = ("Ann", "Bob", "Cy")
THREE = [["WI", "R1", "R2"], ["B1", "B2"], ["G1", "G2"]]
LAST = [["WI"], ["B1", "B2"], ["G1", "G2"]]

#: Players, cards, the rest of the draw pile below the flipped card, answers, what is told.
TOLD = {
    "mushroom": (THREE, "R5", "Y1 Y2", [], "🍄 **Mushroom**: Ann plays again."),
    "peel": (THREE, "Y5", "Y1 Y2", [], "🍌 **Banana Peel**: Cy slips and draws 2 cards."),
    "peel, two": (THREE[:2], "Y5", "Y1 Y2", [], "🍌 **Banana Peel**: Bob slips and draws 2 cards."),
    "shell": (THREE, "G5", "Y1 Y2", [], "🐚 **Green Shell**: Ann takes aim."),
    "shell, hit": (
        THREE,
        "G5",
        "Y1 Y2",
        [["a", "target", "c"]],
        "🐚 **Green Shell**: Cy is hit and draws 1 card.",
    ),
    "lightning": (
        THREE,
        "B5",
        "Y1 Y2",
        [],
        "⚡ **Lightning**: everybody but Ann draws a card, and Ann plays again.",
    ),
    "lightning, two": (
        THREE[:2],
        "B5",
        "Y1 Y2",
        [],
        "⚡ **Lightning**: Bob draws a card, and Ann plays again.",
    ),
    "bob-omb": (THREE, "W4", "Y1 Y2", [], "💣 **Bob-omb**: Ann draws 2 cards and names the colour."),
    "last, mushroom": (
        LAST,
        "R5",
        "Y1 Y2",
        [],
        "🍄 **Mushroom**: it does nothing, since the box was the last card of Ann.",
    ),
    "last, bob-omb": (
        LAST,
        "W4",
        "Y1 Y2",
        [],
        "💣 **Bob-omb**: it does nothing, since the box was the last card of Ann.",
    ),
    "last, peel": (LAST, "Y5", "Y1 Y2", [], "🍌 **Banana Peel**: Cy slips and draws 2 cards."),
    "last, lightning": (LAST, "B5", "Y1 Y2", [], "⚡ **Lightning**: everybody but Ann draws a card."),
    "last, lightning, two": (LAST[:2], "B5", "Y1 Y2", [], "⚡ **Lightning**: Bob draws a card."),
    "last, shell": (
        LAST,
        "G5",
        "Y1 Y2",
        [["a", "target", "b"]],
        "🐚 **Green Shell**: Bob is hit and draws 1 card.",
    ),
}


def told_of(hands, flipped, draw, answers):
    return play(position(hands, draw=[flipped, *draw.split()], actions=[["a", "play", "WI"], *answers]))


def at_table(told, text=ENGLISH, names=NAMES):
    return item_effect(text, PLAIN, list(map(public, told)), Players(text, names))


@pytest.mark.parametrize(("hands", "flipped", "draw", "answers", "words"), TOLD.values(), ids=TOLD)
def test_the_table_is_told_what_an_item_did(hands, flipped, draw, answers, words):
    _, told = told_of(hands, flipped, draw, answers)
    assert at_table(told) == words
    assert not untranslated(at_table(told, PSEUDO, WORDLESS))


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("Y5", "🍌 **Banana Peel**: Cy is hit, but there are no cards left to draw."),
        ("B5", "⚡ **Lightning**: there are not enough cards left for everybody to draw. Ann plays again."),
        ("W4", "💣 **Bob-omb**: there are no cards left to draw. Ann names the colour."),
    ],
)
def test_the_table_is_told_where_no_cards_are_left(code, words):
    match, _ = play(position(THREE, draw=[code]))
    told = match.apply(0, Play(CARD_OF_CODE["WI"]))
    # The cards below would be shuffled into a new pile: here there are none.
    told = [event._replace(number=0, cards=()) if hasattr(event, "why") else event for event in told]
    assert at_table(told) == words


def test_an_item_is_news_until_somebody_goes_on():
    hands = [THREE[0], ["Y9", "B1"], THREE[2]]
    assert at_table(told_of(hands, "Y5", "Y1 Y2 Y3", [])[1]) is not None
    for answer in (["b", "draw"], ["b", "play", "Y9"]):
        assert at_table(told_of(hands, "Y5", "Y1 Y2 Y3", [answer])[1]) is None


def test_a_card_turned_over_at_the_start_is_no_item():
    _, told = play({"players": ["a", "b"], "seed": 3, "actions": []})
    assert at_table(told) is None


def test_whoever_an_item_hits_is_told_what_hit_them():
    hit = {
        "Y5": (2, "You slipped on a Banana Peel and drew: Yellow 2 · Yellow 1."),
        "B5": (1, "Lightning struck, and you drew: Yellow 1."),
        "W4": (0, "Your Bob-omb blew up, and you drew: Yellow 2 · Yellow 1."),
    }
    for code, (seat, words) in hit.items():
        _, told = told_of(THREE, code, "Y1 Y2", [])
        assert drawn(ENGLISH, told, seat) == words
        assert drawn(ENGLISH, list(map(public, told)), seat) is None
    _, told = told_of(THREE, "G5", "Y1 Y2", [["a", "target", "b"]])
    assert drawn(ENGLISH, told, 1) == "A Green Shell hit you, and you drew: Yellow 1."


# --- to the one who opened the box

MINE = {
    "mushroom": ("R5", [], 0, "🍄 You turned over Red 5: Mushroom! You play again."),
    "peel": ("Y5", [], 0, "🍌 You turned over Yellow 5: Banana Peel! Cy drew 2 cards."),
    "shell": ("G5", [], 0, "🐚 You turned over Green 5: Green Shell!"),
    "shell, hit": ("G5", [["a", "target", "c"]], 1, "🐚 Your Green Shell hit Cy, who drew 1 card."),
    "lightning": ("B5", [], 0, "⚡ You turned over Blue 5: Lightning! Everybody else drew a card."),
    "bob-omb": ("W4", [], 0, "💣 You turned over Wild Draw Four: Bob-omb! Your Bob-omb blew up, and you"),
}


@pytest.mark.parametrize(("flipped", "answers", "nth", "words"), MINE.values(), ids=MINE)
def test_who_opened_a_box_is_told_what_it_did(flipped, answers, nth, words):
    """Each press is told what it did itself, the one that aims a shell whom it hit."""
    changes = [told_of(THREE, flipped, "Y1 Y2", answers[:number])[1] for number in range(len(answers) + 1)]
    before = changes[nth - 1] if nth else play(position(THREE, draw=[flipped, "Y1", "Y2"]))[1]
    told = changes[nth][len(before) :]
    assert note(ENGLISH, PLAIN, told, 0, NAMES).removesuffix(" drew: Yellow 2 · Yellow 1.") == words
    assert not untranslated(note(PSEUDO, PLAIN, told, 0, WORDLESS))
    assert "You turned over" not in (note(ENGLISH, PLAIN, told, 2, NAMES) or "")


def test_a_last_box_that_does_nothing_is_told_as_a_card():
    _, told = told_of(LAST, "R5", "Y1 Y2", [])
    assert note(ENGLISH, PLAIN, told, 0, NAMES) == "🍄 You turned over Red 5."


def test_the_table_has_a_picture_of_the_item_while_it_is_news():
    def pictures(answers, text=ENGLISH):
        match, told = told_of([THREE[0], ["Y9", "B1"], THREE[2]], "Y5", "Y1 Y2 Y3", answers)
        view = table_screen(text, UPLOADED, scene(told, NAMES), table_view(match))
        found = [child for child in view.walk_children() if isinstance(child, discord.ui.MediaGallery)]
        return [(item.media.url, item.description) for gallery in found for item in gallery.items]

    assert pictures([]) == [(UPLOADED.url("banana_peel"), "Banana Peel")]
    assert pictures([["b", "draw"]]) == []
