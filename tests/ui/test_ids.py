import re
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.ui.ids import TEMPLATE, Press, Verb, read
from engine.cards import CODE, COLOUR_NAMES

NUMBERS = st.integers(0, 10**19 - 1)
COLOURS = st.sampled_from(COLOUR_NAMES)
ARGUMENTS = {
    Verb.PLAY: st.sampled_from([code for code in CODE if code != "W4"]).map(lambda code: (code,))
    | COLOURS.map(lambda name: ("W4", name)),
    Verb.PICK: st.just(("W4",)),
    Verb.COLOUR: COLOURS.map(lambda name: (name,)),
    Verb.TARGET: st.integers(0, 9).map(lambda seat: (str(seat),)),
    Verb.RULES: st.just(()) | st.from_regex("[a-z_]{1,32}", fullmatch=True).map(lambda topic: (topic,)),
    Verb.DETAILS: NUMBERS.map(lambda number: (str(number),)),
}
PRESSES = st.sampled_from(Verb).flatmap(
    lambda verb: st.builds(
        Press, NUMBERS, NUMBERS, st.just(verb), ARGUMENTS.get(verb, st.just(())), st.booleans()
    )
)


@given(PRESSES)
def test_every_press_is_read_as_it_was_written(press):
    assert read(press.custom_id) == press
    assert TEMPLATE.match(press.custom_id)
    assert len(press.custom_id) <= 100


@given(st.text() | st.from_regex(re.compile(r"ll:[0-9]+:[0-9]+:[a-z_]+:[A-Za-z0-9._]*:u?"), fullmatch=True))
def test_whatever_is_read_is_written_the_same(custom_id):
    press = read(custom_id)
    assert press is None or press.custom_id == custom_id


@given(PRESSES, st.data())
def test_a_press_with_one_character_more_is_read_as_nothing_or_itself(press, data):
    custom_id = press.custom_id
    place = data.draw(st.integers(0, len(custom_id)))
    other = custom_id[:place] + data.draw(st.characters()) + custom_id[place:]
    assert (found := read(other)) is None or found.custom_id == other


@pytest.mark.parametrize(
    "custom_id",
    [
        "",
        "ll",
        "ll:7:1:draw::x",
        "ll:7:1:draw:",
        "ll:7:1:draw::u\n",
        " ll:7:1:draw::",
        "ll:07:1:draw::",
        "ll:-7:1:draw::",
        "ll:7:1.0:draw::",
        "ll:\u0667:1:draw::",
        "ll:7:1:DRAW::",
        "ll:7:1:draw:R7:",
        "ll:7:1:play::",
        "ll:7:1:play:W4:",
        "ll:7:1:play:R7.red:",
        "ll:7:1:play:W4.pink:",
        "ll:7:1:play:r7:",
        "ll:7:1:pick:WI:",
        "ll:7:1:colour:wild:",
        "ll:7:1:target:10:",
        "ll:7:1:target::",
        "ll:7:1:rules:../etc:",
        "ll:7:1:rules:" + "x" * 33 + ":",
        "ll:7:1:details::",
        "ll:" + "9" * 20 + ":1:draw::",
        "lobby:7:1:draw::",
    ],
)
def test_what_is_no_press_is_read_as_nothing(custom_id):
    assert read(custom_id) is None


def test_a_press_its_verb_does_not_take_is_never_made():
    for args in ((), ("W4",), ("R7", "red"), ("R7.red",)):
        with pytest.raises(ValueError, match="is no press"):
            Press(7, 1, Verb.PLAY, args)
    with pytest.raises(ValueError, match="is no press"):
        Press(-1, 1, Verb.DRAW)


def test_two_presses_of_a_kind_differ_by_their_arguments():
    written = sorted(Press(7, 1, Verb.TARGET, (str(seat),)).custom_id for seat in range(10))
    assert all(one != other for one, other in pairwise(written))
