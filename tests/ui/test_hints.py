"""What somebody in their first match is told: one line that fits the moment, or none."""

from dataclasses import replace

import pytest

from bot.ui.screens.hand import hand_screen
from engine.cards import Item
from engine.views import seat_view
from tests.ui.positions import ENGLISH, PLAIN, PSEUDO, WORDLESS, play, position, scene, texts, untranslated

SIX = ["R1", "R2", "G5", "B2", "B3", "B4"]
THREE = ["R1", "G5", "B2"]
OTHER = ["R3", "B4", "Y1"]

#: Hands, actions, the seat that looks, what it is told; None for nothing.
TOLD = {
    "first turn": ([SIX, OTHER], [], 0, "Press a card to play it."),
    "nothing fits": ([["G1", "G2", "B1", "B2", "B3", "Y1"], OTHER], [], 0, "No card of yours is a button"),
    "waiting": ([OTHER, SIX], [], 1, "Nothing to do yet"),
    "a box": ([["WI", *OTHER], OTHER], [], 0, "A Wild Item Box always fits"),
    "drawn": ([OTHER, OTHER], [["a", "draw"]], 0, "Press the card to play it, or Keep"),
    "two cards": ([["R1", "G5"], OTHER], [], 0, "Two cards left: press UNO! first"),
    "one card": ([["R1", "G5"], OTHER], [["a", "play", "R1"]], 0, "One card left: press UNO! now"),
    "somebody's": ([["R1", "G5"], OTHER], [["a", "play", "R1"]], 1, "Somebody has one card"),
    "challenge": (
        [["W4", "G5", "G6"], OTHER],
        [["a", "play", "W4", "red"]],
        1,
        "Accept, and you lose your turn.",
    ),
    "later turns": ([THREE, OTHER], [], 0, None),
    "later waiting": ([OTHER, THREE], [], 1, None),
}


def hints(view):
    return [line for words in texts(view) for line in words.split("\n") if "💡" in line]


def items_told(view):
    """Return which items a screen explains, in order."""
    lines = [line for words in texts(view) for line in words.split("\n")]
    return [item for line in lines for item in Item if line.startswith(f"-# {PLAIN[item.value]} **")]


def shown(hands, actions, seat, *, learning=True, text=ENGLISH, names=("a", "b"), **how):
    match, _ = play(position(hands, draw=["R9", "R8", "G1", "G2"], actions=actions, **how))
    at = replace(scene((), names), learning=frozenset({seat} if learning else {1 - seat}))
    return hand_screen(text, PLAIN, at, seat_view(match, seat))


@pytest.mark.parametrize(("hands", "actions", "seat", "words"), TOLD.values(), ids=TOLD)
def test_one_line_fits_the_moment(hands, actions, seat, words):
    told = hints(shown(hands, actions, seat))
    assert [line.startswith(f"-# 💡 {words}") for line in told] == ([] if words is None else [True])
    assert hints(shown(hands, actions, seat, learning=False)) == [], "in a later match"
    for line in hints(shown(hands, actions, seat, text=PSEUDO, names=WORDLESS)):
        assert not untranslated(line)


@pytest.mark.parametrize(
    ("name", "told"), [("first turn", True), ("waiting", True), ("a box", True), ("two cards", False)]
)
def test_the_first_hint_says_what_the_five_items_do(name, told):
    hands, actions, seat, _ = TOLD[name]
    assert items_told(shown(hands, actions, seat)) == (list(Item) if told else [])
    assert items_told(shown(hands, actions, seat, learning=False)) == []


@pytest.mark.parametrize("name", ["first turn", "nothing fits", "waiting"])
def test_how_to_play_is_told_until_the_first_turn_is_over(name):
    hands, actions, seat, _ = TOLD[name]
    match, _ = play(position(hands, actions=actions))
    at = replace(scene(()), learning=frozenset({seat}), had_turn=frozenset({seat}))
    assert hints(hand_screen(ENGLISH, PLAIN, at, seat_view(match, seat))) == []


def test_nobody_is_told_again_what_they_have_just_done():
    match, _ = play(position([["R1", "G5"], OTHER]))
    at = replace(scene(()), learning=frozenset({0}))
    assert hints(hand_screen(ENGLISH, PLAIN, at, seat_view(match, 0), uno=True)) == []


def test_where_the_bot_says_uno_nobody_is_told_to():
    match, _ = play(position([["R1", "G5"], OTHER]))
    at = replace(scene(()), learning=frozenset({0}), calls_uno=True)
    assert hints(hand_screen(ENGLISH, PLAIN, at, seat_view(match, 0))) == []


def test_where_nothing_can_be_challenged_nothing_is_said_of_it():
    rules = {"no_bluff": True, "stack": True}
    view = shown([["W4", "G5", "G6"], ["W4", "Y1"]], [["a", "play", "W4", "red"]], 1, rules=rules)
    assert not any("Challenge" in line for line in hints(view))


def test_how_to_play_a_card_is_told_in_the_first_hand_alone():
    match, _ = play(position([SIX, OTHER], match={"hands": 3}, start={"hand_no": 2}))
    at = replace(scene(()), learning=frozenset({0, 1}))
    assert hints(hand_screen(ENGLISH, PLAIN, at, seat_view(match, 0))) == []
