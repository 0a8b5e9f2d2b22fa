import typing

import pytest

from bot.ui.kit.scene import Scene
from bot.ui.text.cards import briefly
from bot.ui.text.events import drawn, sentence, story
from engine import events as happened
from engine.cards import CARD_OF_CODE, Item
from engine.events import Event, Why, public
from tests.ui.positions import ENGLISH, PSEUDO, SEATS, WORDLESS, all_events, play, position, untranslated

NAMES = ("Ann", "Bob", "Cy")


def card(code):
    return CARD_OF_CODE[code]


def test_the_samples_have_every_type_of_event():
    assert {type(event) for event in all_events()} == set(typing.get_args(Event))


@pytest.mark.parametrize("event", all_events(), ids=repr)
def test_every_event_has_a_whole_sentence(event):
    words = sentence(ENGLISH, event, [seat.upper() for seat in SEATS])
    assert words[0].isupper()
    assert words[-1] in ".!"
    assert "{" not in words


@pytest.mark.parametrize("event", all_events(), ids=repr)
def test_a_sentence_tells_nothing_that_is_hidden(event):
    assert sentence(ENGLISH, event, SEATS) == sentence(ENGLISH, public(event), SEATS)


@pytest.mark.parametrize("event", all_events(), ids=repr)
def test_every_sentence_is_translated(event):
    assert not untranslated(sentence(PSEUDO, event, WORDLESS))


def tell(*events, most=9):
    return story(ENGLISH, Scene(table=7, names=NAMES, recent=tuple(events)), most)


def test_who_was_removed_did_not_leave_and_a_new_host_is_told():
    left = tuple(happened.PlayerLeft(seat) for seat in (0, 1))
    at = Scene(table=7, names=NAMES, recent=left, removed=frozenset({0}), heirs={0: 1, 1: 2})
    assert story(ENGLISH, at, 9) == [
        "Ann was removed from the match.",
        "Bob is the host now.",
        "Bob left the match.",
        "Cy is the host now.",
    ]


def test_a_card_turned_over_is_told_with_its_item():
    told = tell(
        happened.CardPlayed(0, card("WI"), jumped=False),
        happened.CardFlipped(card("Y4")),
        happened.ItemFired(0, Item.BANANA_PEEL),
        happened.CardsDrawn(2, 2, Why.BANANA_PEEL, ()),
    )
    assert told == [
        "Ann played: Wild Item Box.",
        "Ann turned over: Yellow 4 – Banana Peel!",
        "Cy slipped on the peel and drew 2 cards.",
    ]


def test_lightning_is_one_sentence_for_all_it_hits():
    told = tell(
        happened.CardFlipped(card("B3")),
        happened.ItemFired(0, Item.LIGHTNING),
        happened.CardsDrawn(1, 1, Why.LIGHTNING, ()),
        happened.CardsDrawn(2, 0, Why.LIGHTNING, ()),
    )
    assert told == [
        "Ann turned over: Blue 3 – Lightning! Everybody else draws a card.",
        "Cy drew nothing: there are no cards left to draw.",
    ]


def test_a_wild_draw_four_is_told_with_its_colour():
    told = tell(happened.CardPlayed(0, card("W4"), jumped=False), happened.ColourNamed(0, 3))
    assert told == ["Ann played: Wild Draw Four. The colour is Blue."]


def test_a_swap_is_told_once():
    told = tell(happened.TargetChosen(0, 1), happened.HandsSwapped(0, 1))
    assert told == ["Ann and Bob swapped hands."]
    assert tell(happened.TargetChosen(0, 1)) == ["Ann aimed at Bob."]


def test_a_challenge_is_told_once():
    told = tell(happened.ChallengeMade(1, 0, bluff=True), happened.HandShown(1, 0, ()))
    assert told == ["Bob challenged Ann: it was a bluff!"]


def test_a_story_begins_with_its_hand_and_ends_with_the_newest():
    old, new = happened.CardKept(0), happened.CardKept(1)
    assert tell(old, happened.HandStarted(2, 2), happened.HandDealt(0, ()), new) == [
        "Cy dealt hand 2.",
        "Bob kept the card.",
    ]
    assert tell(old, old, new, most=1) == ["Bob kept the card."]
    assert tell() == []


def test_a_real_hand_is_told():
    hands = [["WI", "R1", "R2"], ["B1", "B2"], ["G1", "G2"]]
    match, told = play(
        position(hands, draw=["G5", "Y1"], actions=[["a", "play", "WI"], ["a", "target", "c"]])
    )
    assert tell(*map(public, told)) == [
        "Cy dealt hand 1.",
        "Ann played: Wild Item Box.",
        "Ann turned over: Green 5 – Green Shell!",
        "Ann aimed at Cy.",
        "Cy was hit by the shell and drew 1 card.",
    ]
    assert match.turn == 1


def test_what_was_drawn_is_told_to_the_one_who_drew():
    events = [
        happened.CardsDrawn(0, 2, Why.DRAW_TWO, (card("R7"), card("W4"))),
        happened.CardsDrawn(1, 1, Why.TURN, (card("B2"),)),
        happened.CardsDrawn(0, 1, Why.UNO, (card("R7"),)),
    ]
    assert drawn(ENGLISH, events, 0) == (
        "You drew: Wild Draw Four · Red 7. You were caught without UNO and drew: Red 7."
    )
    assert drawn(ENGLISH, events, 2) is None
    assert drawn(ENGLISH, list(map(public, events)), 0) is None


def test_many_cards_are_named_briefly():
    held = [card(code) for code in ("R1", "W4", "R1", "Y2", "GS")]
    assert briefly(ENGLISH, held, 2) == "Wild Draw Four · Green Skip · 3 more"
    assert briefly(ENGLISH, held, 9) == "Wild Draw Four · Green Skip · Yellow 2 · Red 1 ×2"
    assert briefly(ENGLISH, [], 2) == ""
