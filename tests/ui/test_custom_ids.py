import re
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.model import guild_settings
from bot.model.guild_settings import NUDGES
from bot.model.options import CHOICES, FLAGS, LEVELS
from bot.ui.kit.custom_ids import LOBBY_PAGES, SERVER_PAGES, TEMPLATE, CustomId, Verb, read
from bot.ui.screens import lobby_settings, server_settings
from engine.cards import CODE, COLOUR_NAMES
from engine.players import POLICIES
from engine.rules import RULE_NAMES

NUMBERS = st.integers(0, 10**18 - 1)
COLOURS = st.sampled_from(COLOUR_NAMES)
ARGUMENTS = {
    Verb.PLAY: st.sampled_from([code for code in CODE if code != "W4"]).map(lambda code: (code,))
    | COLOURS.map(lambda name: ("W4", name)),
    Verb.PICK: st.just(("W4",)),
    Verb.COLOUR: COLOURS.map(lambda name: (name,)),
    Verb.TARGET: st.integers(0, 9).map(lambda seat: (str(seat),)),
    Verb.ADD: st.sampled_from(LEVELS).map(lambda level: (level,)),
    Verb.OFFER: st.just(("seat",)),
    Verb.TAKE: st.integers(0, 9).map(lambda seat: (str(seat),)),
    Verb.VOTE: st.integers(0, 9).map(lambda seat: (str(seat),)),
    Verb.REMOVE: st.from_regex("[A-Z][a-z]{1,15}", fullmatch=True).map(lambda name: (name,)),
    Verb.RULES: st.just(()) | st.from_regex("[a-z_]{1,32}", fullmatch=True).map(lambda topic: (topic,)),
    Verb.DETAILS: NUMBERS.map(lambda number: (str(number),)),
    Verb.END: st.sampled_from([("yes",), ("no",)]),
    Verb.PANEL: st.sampled_from([("rules",), ("table",)]),
    Verb.OPTION: st.sampled_from([("stack", "1"), ("calls_uno", "0"), ("length",), ("invite",)]),
    Verb.SERVER: st.sampled_from(
        [("thread", "1"), ("jump_in", "0"), ("channels",), ("page", "reset"), ("reset",)]
    ),
    Verb.HISTORY: st.sampled_from(
        [("first",), ("older",), ("match",), ("show",), ("hand",), ("at",), ("file",)]
    ),
    Verb.STATS: st.sampled_from([("card", "9" * 19), ("share",)]),
    Verb.FORGET: st.sampled_from([("ask", "here"), ("yes", "everywhere"), ("back",)]),
    Verb.BOARD: st.sampled_from(
        [("by", "week"), ("period", "skill"), ("points", "all", "own"), ("rate", "month", "after", "9" * 19)]
    ),
}
PRESSES = st.sampled_from(Verb).flatmap(
    lambda verb: st.builds(
        CustomId, NUMBERS, NUMBERS, st.just(verb), ARGUMENTS.get(verb, st.just(())), st.booleans()
    )
)


@given(PRESSES)
def test_every_press_is_read_as_it_was_written(press):
    assert read(press.encoded, None if press.menu is None else []) == press
    assert TEMPLATE.match(press.encoded)
    assert len(press.encoded) <= 100


@given(st.text() | st.from_regex(re.compile(r"ll:[0-9]+:[0-9]+:[a-z_]+:[A-Za-z0-9._]*:u?"), fullmatch=True))
def test_whatever_is_read_is_written_the_same(custom_id):
    if (press := read(custom_id)) is not None:
        assert press.encoded == custom_id


@given(PRESSES, st.data())
def test_a_press_with_one_character_more_is_read_as_nothing_or_itself(press, data):
    custom_id = press.encoded
    place = data.draw(st.integers(0, len(custom_id)))
    other = custom_id[:place] + data.draw(st.characters()) + custom_id[place:]
    if (found := read(other)) is not None:
        assert found.encoded == other


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
        with pytest.raises(ValueError, match="is no custom_id of ours"):
            CustomId(7, 1, Verb.PLAY, args)
    with pytest.raises(ValueError, match="is no custom_id of ours"):
        CustomId(-1, 1, Verb.DRAW)


def test_two_presses_of_a_kind_differ_by_their_arguments():
    written = sorted(CustomId(7, 1, Verb.TARGET, (str(seat),)).encoded for seat in range(10))
    assert all(one != other for one, other in pairwise(written))


#: A few values of each menu; what the model lets be chosen is below.
CHOSEN = {
    ("agree", "preset"): ["official", "party", "ruthless", "server"],
    ("agree", "length"): ["hands.1", "hands.20", "target.100", "target.1000"],
    ("agree", "turn_time"): ["off", "15", "600"],
    ("agree", "seats"): ["2", "10"],
    ("agree", "invite"): ["1", "9" * 19],
    ("offer", "seat"): ["1", "9" * 19],
    ("server", "channels"): ["123456789012345678"],
    ("server", "locale"): ["own", "de", "pt-BR"],
    ("server", "nudges"): ["never"],
}


@pytest.mark.parametrize(("verb", "name"), CHOSEN)
def test_what_a_menu_offers_is_read_and_nothing_else(verb, name):
    custom_id = f"ll:7:0:{verb}:{name}:"
    for value in CHOSEN[verb, name]:
        press = read(custom_id, [value])
        assert press == CustomId(7, 0, Verb(verb), (name,), values=(value,))
        assert press.encoded == custom_id
    assert read(custom_id, []).values == ()
    assert read(custom_id) is None, "a menu without a choice"
    for value in ("", "x" * 101, "hands.0", "hands.21", "target.99", "target.1001", "0", "٣", "own\n", 7):
        assert read(custom_id, [value]) is None, value
    twice = [CHOSEN[verb, name][0]] * 2
    assert read(custom_id, twice) is None


def test_more_than_may_be_chosen_is_not_read():
    people = [str(number) for number in range(1, 12)]
    assert read("ll:7:0:agree:invite:", people[:10]).values == tuple(people[:10])
    assert read("ll:7:0:agree:invite:", people) is None
    assert read("ll:7:0:agree:seats:", ["2", "3"]) is None


def test_a_button_carries_no_choice():
    assert read("ll:7:0:agree:stack.1:") is not None
    for values in ([], ["1"], ["stack"]):
        assert read("ll:7:0:agree:stack.1:", values) is None
        assert read("ll:7:0:draw::", values) is None


# --- what may be chosen is carried, and stands in the model alone


@pytest.mark.parametrize("verb", [Verb.OPTION, Verb.SERVER])
def test_every_option_of_a_table_can_be_chosen(verb):
    for name in (*RULE_NAMES, *FLAGS):
        carried = [read(f"ll:7:0:{verb}:{name}.{on}:") is not None for on in (0, 1)]
        # What a match is played to is its length.
        assert carried == ([False, False] if name == "score_target" else [True, True]), name
    for name, values in CHOICES.items():
        for value in values:
            assert read(f"ll:7:0:{verb}:{name}:", [value]) is not None, value


def test_every_setting_of_a_server_can_be_chosen():
    for name in guild_settings.FLAGS:
        assert CustomId(0, 0, Verb.SERVER, (name, "1")).menu is None
    for value in NUDGES:
        assert read("ll:0:0:server:nudges:", [value]).values == (value,)


def test_every_level_can_be_added():
    assert set(LEVELS) == set(POLICIES) - {"random"}
    for level in LEVELS:
        assert read(f"ll:7:0:add:{level}:").args == (level,)
    assert read("ll:7:0:add:random:") is None


def test_every_page_of_a_panel_can_be_turned_to():
    assert set(lobby_settings.PAGES) == set(LOBBY_PAGES)
    assert {*server_settings.PAGES, "reset"} == set(SERVER_PAGES)
    for page in LOBBY_PAGES:
        assert read(f"ll:7:0:panel:{page}:").args == (page,)
    for page in SERVER_PAGES:
        assert read(f"ll:0:0:server:page.{page}:").args == ("page", page)
