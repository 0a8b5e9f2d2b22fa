"""What touched a player since their last turn, from what a table keeps to the words in the hand."""

import pytest

from bot.model.state import TOUCHES, HandLog
from bot.ui.text.since import since_last_turn
from bot.ui.text.translation import Players
from engine.actions import TimeOut
from engine.notation import read_scenario
from tests.ui.positions import ENGLISH, PSEUDO, WORDLESS, position, untranslated

THREE = ["G1", "G2", "G3"]
CASES = {
    "draw two": (["RD", *THREE], [["a", "play", "RD"]], {}, "a played: Red Draw Two. You drew 2 cards."),
    "skip": (["RS", *THREE], [["a", "play", "RS"]], {}, "a played: Red Skip. You were skipped."),
    "peel": (
        ["WI", *THREE],
        [["a", "play", "WI"]],
        {"draw": ["Y5", *["G1"] * 9], "direction": -1},
        "A Banana Peel from a: you drew 2 cards.",
    ),
    "shell": (
        ["WI", *THREE],
        [["a", "play", "WI"], ["a", "target", "b"]],
        {"draw": ["G5", "G1", "G2"]},
        "A Green Shell from a: you drew 1 card.",
    ),
    "lightning": (
        ["WI", *THREE],
        [["a", "play", "WI"]],
        {"draw": ["B5", *["G1"] * 9]},
        "Lightning from a: you drew 1 card.",
    ),
    "swap": (
        ["R7", *THREE],
        [["a", "play", "R7"], ["a", "target", "b"]],
        {"rules": {"seven_zero": True}, "top": "R5"},
        "a swapped hands with you.",
    ),
    "passed on": (
        ["R0", *THREE],
        [["a", "play", "R0"]],
        {"rules": {"seven_zero": True}},
        "All hands moved on one player, clockwise.",
    ),
    "nothing": (["R1", *THREE], [["a", "play", "R1"]], {}, None),
}


def touched(actions, seat=1, hands=None, **more):
    """Play on, and keep what touched a seat as a table does."""
    read = read_scenario(position(hands or [["R1"], THREE, THREE], actions=actions, **more))
    log = HandLog()
    for move in read.moves:
        happened = read.match.apply(move.seat, move.action, move.auto)
        log.touch(move.seat, happened, range(3), auto=move.auto)
    return log.touched.get(seat, ())


def told(events, seat=1, text=ENGLISH, names=("a", "b", "c")):
    return since_last_turn(text, events, seat, Players(text, names))


@pytest.mark.parametrize(("own", "actions", "more", "sentence"), CASES.values(), ids=CASES)
def test_what_others_did_to_a_player_is_told(own, actions, more, sentence):
    events = touched(actions, hands=[own, THREE, THREE], **more)
    assert told(events) == ([] if sentence is None else [sentence])
    assert all(not untranslated(line) for line in told(events, text=PSEUDO, names=WORDLESS))


def test_a_catch_and_a_bluff_are_told_with_who_found_out():
    caught = touched([["b", "play", "R1"], ["a", "catch", "b"]], hands=[THREE, ["R1", "B1"], THREE], turn="b")
    assert told(caught) == ["a caught you not saying UNO! You drew 2 cards."]
    bluffed = [["b", "play", "W4", "green"], ["c", "challenge"]]
    bluffed = touched(bluffed, hands=[THREE, ["W4", "R1", "B1"], THREE], turn="b")
    assert told(bluffed) == ["c challenged your Wild Draw Four: a bluff! You drew 4 cards."]
    honest = [["b", "play", "W4", "green"], ["c", "challenge"]]
    honest = touched(honest, hands=[THREE, ["W4", "B1", "B2"], THREE], turn="b")
    assert told(honest) == ["c challenged your Wild Draw Four: no bluff!"]


def test_what_the_clock_and_the_computer_did_for_a_player_is_told_to_them():
    log = HandLog()
    read = read_scenario(position([["R1", "G1"], THREE, THREE], turn="b"))
    log.touch(1, read.match.apply(1, TimeOut(), True), range(3), auto=True)
    assert told(log.touched[1]) == ["Your time ran out.", "You drew 1 card."]


def test_an_own_turn_begins_the_list_again_and_it_never_grows_without_end():
    log = HandLog()
    read = read_scenario(position([["RD", *THREE], ["B1", "B2"], THREE], turn="a", draw=["G1"] * 9))
    happened = read.match.apply(0, read.match.legal_actions(0)[0])
    for _ in range(2 * TOUCHES):
        log.touch(0, happened, range(3), auto=False)
    assert set(log.touched) == {1}
    assert len(log.touched[1]) == TOUCHES
    log.touch(1, [], range(3), auto=False)
    assert log.touched == {}
