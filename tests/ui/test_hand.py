from dataclasses import replace

import discord
import pytest

from bot.ui.kit.custom_ids import read
from bot.ui.screens.asides import Log, Step
from bot.ui.screens.hand import MOST_CARD_BUTTONS, hand_screen, may_toggle
from engine.actions import CHALLENGE, DRAW, LEAVE
from engine.cards import CODE, FACES, WILD_FOUR
from engine.rules import matching
from engine.views import seat_view
from tests.ui.positions import (
    ALL_FACES,
    ENGLISH,
    HUGE,
    PLAIN,
    UPLOADED,
    buttons,
    components,
    crowd,
    custom_ids,
    label_rows,
    labels,
    play,
    position,
    scene,
    texts,
    uploaded,
    words,
)

LAST_ROW = ["Draw", "UNO!", "Catch!", "More"]


def show(match, seat=0, emojis=PLAIN, events=(), **how):
    return hand_screen(ENGLISH, emojis, scene(events), seat_view(match, seat), **how)


def given(hands, *actions, **how):
    return play(position(hands, actions=list(map(list, actions)), **how))[0]


def button(view, label):
    (found,) = [made for made in buttons(view) if made.label == label]
    return found


TWO = [["R1", "G5", "B2"], ["R3", "B4", "Y1"]]


# --- in turn


def test_what_can_be_played_is_a_button_and_the_rest_is_text():
    view = show(given([["R1", "R1", "G7", "B2", "BS", "WI"], ["R2", "R3"]]))
    assert texts(view)[0].splitlines() == ["### Your turn: match Red or 7.", "Top card: Red 7"]
    assert label_rows(view) == [["Red 1 ×2", "Green 7", "Wild Item Box"], LAST_ROW]
    assert texts(view)[-1].splitlines() == ["Also in your hand:", "🔵 **Blue**: 2 · Skip"]
    assert [str(made.emoji) for made in buttons(view)[:3]] == ["🟥", "🟩", "🃏"]


def test_every_press_carries_the_whole_action_and_the_decision():
    match = given([["R1", "G7", "W4"], ["R2", "R3"]])
    number = match.decision
    assert custom_ids(show(match)) == {
        "Red 1": f"ll:7:{number}:play:R1:",
        "Green 7": f"ll:7:{number}:play:G7:",
        "Wild Draw Four": f"ll:7:{number}:pick:W4:",
        "Draw": f"ll:7:{number}:draw::",
        "UNO!": f"ll:7:{number}:uno::",
        "Catch!": f"ll:7:{number}:catch::",
        "More": f"ll:7:{number}:more::",
    }


def test_the_top_card_is_a_picture_where_there_is_one():
    match = given(TWO)
    (section,) = [
        c for c in show(match, emojis=UPLOADED).walk_children() if isinstance(c, discord.ui.Section)
    ]
    assert section.accessory.media.url == UPLOADED.url("R7")
    assert section.accessory.description == "Red 7"
    assert not [c for c in show(match).walk_children() if isinstance(c, discord.ui.Section)]


def test_the_colour_to_match_is_the_accent_in_turn_only():
    (container,) = show(given(TWO)).children
    assert container.accent_colour == discord.Colour.from_str("#E5372F")
    (container,) = show(given(TWO), seat=1).children
    assert container.accent_colour is None


@pytest.mark.parametrize(
    ("hands", "how", "asked"),
    [
        (TWO, {}, "Your turn: match Red or 7."),
        (TWO, {"top": "BR"}, "Your turn: match Blue or Reverse."),
        (TWO, {"top": "WI", "colour": "green"}, "Your turn: match Green."),
        ([["B2"], ["R1"]], {}, "Your turn: nothing fits Red or 7, so draw."),
        ([["B2"], ["R1"]], {"top": "W4", "colour": "red"}, "Your turn: nothing fits Red, so draw."),
        (TWO, {"rules": {"force_play": True}}, "Your turn: you must play, match Red or 7."),
        (
            TWO,
            {"rules": {"force_play": True}, "top": "W4", "colour": "red"},
            "Your turn: you must play, match Red.",
        ),
        (TWO, {"top": "WI"}, "Name the colour to match."),
    ],
)
def test_it_says_what_to_do(hands, how, asked):
    assert texts(show(given(hands, **how)))[0].splitlines()[0] == f"### {asked}"


@pytest.mark.parametrize("seat", [0, 1])
def test_on_autopilot_it_says_who_plays_and_how_one_comes_back(seat):
    match = given(TWO)
    match.game.streak[seat] = 2
    told = "The computer plays for you until you press any button here."
    assert told in words(show(match, seat))
    back = replace(scene(), woken=frozenset({seat}))
    assert told not in words(hand_screen(ENGLISH, PLAIN, back, seat_view(match, seat)))
    assert told not in words(show(match, 1 - seat))


@pytest.mark.parametrize(("seat", "first"), [(0, "**Green**: 5"), (1, "**Red**: 3")])
def test_a_line_divides_words_from_cards(seat, first):
    view = show(given([["R1", "G5", "B2"], ["R3", "B4", "Y1"]]), seat)
    (container,) = view.children
    kinds = [type(item) for item in container.children]
    assert kinds.count(discord.ui.Separator) == 1
    after = container.children[kinds.index(discord.ui.Separator) + 1]
    assert first in after.content


def test_who_was_removed_is_told_so():
    match = given([*TWO, ["Y2"]])
    match.apply(1, LEAVE)
    gone = replace(scene(), removed=frozenset({1}))
    assert "You were removed" in words(hand_screen(ENGLISH, PLAIN, gone, seat_view(match, 1)))


def test_others_are_counted_and_the_last_events_told():
    hands = [["R1", "G5", "B2"], ["R3", "B4"], ["R5", "Y1", "Y2"]]
    match, told = play(
        position(hands, turn="b", actions=[["b", "uno"], ["b", "play", "R3"], ["c", "play", "R5"]])
    )
    assert texts(show(match, events=told))[1].splitlines() == [
        "-# b played: Red 3.",
        "-# c played: Red 5.",
        "-# Up next: b\xa0(1,\xa0UNO!) · c\xa0(2)",
    ]


def test_of_many_others_the_next_and_the_dangerous_are_counted():
    hands = [["R1", "G5"], *[["R3"] * 5] * 6, ["Y1", "Y2"]]
    told = texts(show(given(hands)))[1].replace("\xa0", " ").splitlines()
    assert told[-1] == "-# Up next: b (5) · c (5) · d (5) · h (2) · …"


def test_a_note_stands_below_what_to_do():
    shown = show(given(TWO), note="That was an old hand.")
    assert texts(shown)[0].splitlines()[-1] == "That was an old hand."
    assert texts(show(given(TWO), 1, note="Too early."))[0].splitlines()[-1] == "Too early."


def test_draw_is_greyed_out_where_a_card_must_be_played():
    assert button(show(given(TWO, rules={"force_play": True})), "Draw").disabled
    assert not button(show(given(TWO)), "Draw").disabled


def styles(view):
    return {made.label: made.style for made in buttons(view)}


def test_the_loud_button_is_a_cards_and_draw_is_loud_where_nothing_fits():
    loud, quiet = discord.ButtonStyle.primary, discord.ButtonStyle.secondary
    shown = styles(show(given(TWO)))
    assert (shown.pop("Red 1"), set(shown.values())) == (loud, {quiet})
    shown = styles(show(given([["B2"], ["R1"]])))
    assert (shown.pop("Draw"), set(shown.values())) == (loud, {quiet})
    drawn = show(given([["B2", "R9"], ["R1", "R2"]], ["a", "draw"], draw=["R9", "G1"]))
    assert (styles(drawn)["Red 9"], styles(drawn)["Keep"]) == (loud, quiet)


def test_cards_that_do_not_fit_are_their_pictures_by_colour_equal_ones_once():
    hand = ["R1", "BS", "G5", "B2", "G5", "G5", "YR"]
    view = show(given([hand, ["R2", "R3"]]), emojis=UPLOADED)
    pictures = {code: str(UPLOADED[code]) for code in hand}
    assert texts(view)[-1].splitlines() == [
        "Also in your hand:",
        "\N{EM SPACE}".join([pictures["YR"], f"{pictures['G5']}×3", f"{pictures['B2']} {pictures['BS']}"]),
    ]


def test_whoever_wants_words_gets_words():
    match = given([["R1", "BS", "G5"], ["R2", "R3"]])
    at = replace(scene(), in_words=frozenset({0}))
    view = hand_screen(ENGLISH, UPLOADED, at, seat_view(match, 0))
    assert texts(view)[-1].splitlines()[1:] == [
        f"{UPLOADED['green']} **Green**: 5",
        f"{UPLOADED['blue']} **Blue**: Skip",
    ]
    assert "**" not in texts(hand_screen(ENGLISH, UPLOADED, at, seat_view(match, 1)))[-1]


def test_a_picture_that_is_not_there_yet_leaves_words():
    emojis = uploaded()
    emojis._emojis["G5"] = PLAIN["G5"]
    match = given([["R1", "BS", "G5"], ["R2", "R3"]])
    assert "**Green**: 5" in words(show(match, emojis=emojis))


def test_a_wild_shows_the_colour_that_was_named():
    match = given(TWO, top="W4", colour="blue")
    (section,) = [
        c for c in show(match, emojis=UPLOADED).walk_children() if isinstance(c, discord.ui.Section)
    ]
    assert section.accessory.media.url == UPLOADED.url("W4_blue")
    assert section.accessory.description == "Wild Draw Four (Blue)"


# --- every decision


def test_a_drawn_card_is_played_or_kept():
    match = given([["B2", "R9"], ["R1", "R2"]], ["a", "draw"], draw=["R9", "G1"])
    view = show(match)
    assert texts(view)[0].splitlines()[0] == "### You drew: Red 9. Play it or keep it."
    assert label_rows(view) == [["Red 9"], ["Keep", "UNO!", "Catch!", "More"]]
    assert texts(view)[-1].splitlines() == ["Also in your hand:", "🔴 **Red**: 9", "🔵 **Blue**: 2"]


def test_a_drawn_card_that_must_be_played_cannot_be_kept():
    match = given([["B2"], ["R1", "R2"]], ["a", "draw"], draw=["R9", "G1"], rules={"force_play": True})
    view = show(match)
    assert texts(view)[0].splitlines()[0] == "### You drew: Red 9. You must play it."
    assert button(view, "Keep").disabled


def test_a_drawn_wild_draw_four_asks_for_its_colour():
    match = given([["B2", "G3"], ["R1", "R2"]], ["a", "draw"], draw=["W4", "G1"])
    assert custom_ids(show(match))["Wild Draw Four"].split(":")[3] == "pick"
    assert labels(show(match, step=Step.COLOURS)) == ["Red", "Yellow", "Green", "Blue", "Back"]


def test_a_drawn_card_no_longer_playable_can_only_be_kept():
    hands = [["Y1", "Y2"], ["Y3", "B1", "G1"], ["G9", "G8", "G7"]]
    actions = [["a", "play", "Y1"], ["b", "draw"]]
    match = given(hands, *actions, top="Y7", draw=["W4", "Y5", "G2"], rules={"no_bluff": True})
    assert match.turn == 2, "the rules do not let a bluff wait"
    hands = [["R1", "Y2"], ["B3", "B1", "G1"], ["G9", "G8", "G7"]]
    match = given(
        hands, ["a", "play", "R1"], ["b", "draw"], draw=["W4", "R5", "G2"], rules={"no_bluff": True}
    )
    match.game.hands[1].append(CODE.index("R9"))
    view = show(match, 1)
    assert texts(view)[0].splitlines()[0] == "### You drew: Wild Draw Four. You cannot play it now."
    assert label_rows(view) == [["Keep", "UNO!", "Catch!", "More"]]


def test_a_stack_is_answered_or_drawn():
    hands = [["RD", "R1", "R2"], ["YD", "YD", "B1", "R5"], ["R3", "R4"]]
    match = given(hands, ["a", "play", "RD"], rules={"stack": True})
    view = show(match, 1)
    assert texts(view)[0].splitlines()[0] == "### Your turn: answer with a Draw Two, or draw 2 cards."
    assert label_rows(view) == [["Yellow Draw Two ×2"], ["Draw 2", "UNO!", "Catch!", "More"]]


def test_a_stack_that_cannot_be_answered_is_drawn():
    hands = [["RD", "R1", "R2"], ["B1", "R5"], ["R3", "R4"]]
    match = given(hands, ["a", "play", "RD"], rules={"stack": True, "force_play": True})
    view = show(match, 1)
    assert texts(view)[0].splitlines()[0] == "### Your turn: you have no Draw Two, so draw 2 cards."
    assert not button(view, "Draw 2").disabled


def test_a_colour_owed_replaces_the_cards():
    match = given(TWO, top="WI")
    view = show(match)
    assert label_rows(view) == [["Red", "Yellow", "Green", "Blue"], LAST_ROW[1:]]
    assert custom_ids(view)["Blue"] == f"ll:7:{match.decision}:colour:blue:"


def test_a_target_owed_lists_the_others_with_their_cards():
    hands = [["WI", "R1", "R2"], ["B1", "R5"], ["R3"]]
    match = given(hands, ["a", "play", "WI"], draw=["G5", "G1"])
    view = show(match)
    assert texts(view)[0].splitlines()[0] == "### Aim your Green Shell: who draws a card?"
    assert label_rows(view) == [["b: 2 cards", "c: 1 card"], LAST_ROW[1:]]
    assert custom_ids(view)["c: 1 card"] == f"ll:7:{match.decision}:target:2:"


def test_a_seven_asks_whose_hand():
    match = given(
        [["R7", "R1", "R2"], ["B1", "R5"]], ["a", "play", "R7"], top="R5", rules={"seven_zero": True}
    )
    assert texts(show(match))[0].splitlines()[0] == "### Swap hands: with whom?"


FOUR = [["W4", "B1", "B2"], ["W4", "G1", "G2"], ["R5", "R6"]]


@pytest.mark.parametrize(
    ("rules", "asked", "row"),
    [
        ({}, "draw 4 cards, or challenge.", ["Accept +4", "Challenge (+6 if wrong)"]),
        (
            {"stack": True},
            "draw 4 cards, challenge, or answer with another.",
            ["Accept +4", "Challenge (+6 if wrong)", "Wild Draw Four"],
        ),
        (
            {"stack": True, "no_bluff": True},
            "draw 4 cards, or answer with another.",
            ["Accept +4", "Wild Draw Four"],
        ),
    ],
)
def test_a_wild_draw_four_is_accepted_or_challenged(rules, asked, row):
    match = given(FOUR, ["a", "play", "W4", "red"], rules=rules)
    view = show(match, 1)
    assert texts(view)[0].splitlines()[0] == f"### Wild Draw Four from a: {asked}"
    assert label_rows(view) == [row, LAST_ROW[1:]]


@pytest.mark.parametrize(
    ("actions", "rules", "told"),
    [
        (
            [["a", "play", "W4", "yellow"]],
            {},
            "🔴 Challenge if you think a held a Red card or an Item Box. Right: a draws 4.",
        ),
        (
            [["a", "play", "W4", "yellow"], ["b", "play", "W4", "blue"]],
            {"stack": True},
            "🟡 Challenge if you think b held a Yellow card or an Item Box. Right: b draws 8.",
        ),
    ],
)
def test_the_odds_of_a_challenge_are_told_with_the_colour_that_counts(actions, rules, told):
    match = given(FOUR, *actions, rules=rules)
    told = f"{told} Wrong: you draw {match.game.due + 2}."
    assert told in words(show(match, match.turn)).splitlines()
    assert told not in words(show(match, 0 if match.turn else 1)).splitlines(), "nobody else decides"


def test_where_nothing_can_be_challenged_there_are_no_odds():
    match = given(FOUR, ["a", "play", "W4", "red"], rules={"stack": True, "no_bluff": True})
    assert "Challenge if" not in words(show(match, 1))


def test_without_an_answer_and_a_challenge_there_is_only_accepting():
    hands = [["W4", "B1", "B2"], ["G1", "G2"], ["R5", "R6"]]
    match = given(hands, ["a", "play", "W4", "red"], rules={"stack": True, "no_bluff": True})
    view = show(match, 1)
    assert texts(view)[0].splitlines()[0] == "### Wild Draw Four from a: draw 4 cards."
    assert label_rows(view)[0] == ["Accept +4"]


def test_a_challenge_shows_the_hand_to_the_challenger_alone():
    match = given(FOUR, ["a", "play", "W4", "red"])
    match.apply(1, CHALLENGE)
    assert "**a** held:\n🔵 **Blue**: 1 · 2" in words(show(match, 1))
    assert "shown" not in words(show(match, 2)) + words(show(match, 0))


def test_between_hands_there_is_nothing_to_play():
    match = given([["R1"], ["R5", "R6"]], ["a", "play", "R1"], match={"hands": 2})
    view = show(match)
    assert words(view).splitlines() == [
        "### 🏁 You win the hand: 11 points!",
        "You went out with Red 1.",
        "**a** scores 11 points.",
        "This hand is over. Press Next hand under the result to go on.",
    ]
    assert words(show(match, 1)).startswith("### 🏁 a wins the hand: 11 points!\na went out with Red 1.\n")
    assert labels(view) == ["More"]
    assert labels(show(match, step=Step.MORE)) == ["Log", "Rules", "Table here", "Back", "Leave"]


def test_after_the_match_each_reads_their_own_result_and_may_play_again():
    match = given([["R1"], ["R5", "R6"], ["W4"]], ["a", "play", "R1"])
    won = ["### 🏁 You win the match!", "You went out with Red 1.", "**a** scores 11 + 50 = 61 points."]
    lost = [
        "### 🏁 a wins the match!",
        "Your place: 3 of 3, with 50 points left in hand.",
        "a went out with Red 1.",
        "**a** scores 11 + 50 = 61 points.",
    ]
    for step in Step:
        assert words(show(match, step=step)).splitlines() == won
        assert words(show(match, 2, step=step)).splitlines() == lost
        assert custom_ids(show(match, 2, step=step)) == {"Rematch": "ll:7:0:again::"}


def test_after_a_match_of_several_hands_the_place_is_by_points():
    match = given(
        [["R1"], ["R5", "R6"], ["W4"]],
        ["a", "play", "R1"],
        match={"hands": 2},
        start={"hand_no": 2, "scores": {"b": 70, "c": 100}},
    )
    assert words(show(match, 2)).splitlines()[0] == "### 🏁 You win the match!"
    assert words(show(match, 1)).splitlines()[:3] == [
        "### 🏁 c wins the match!",
        "Your place: 2 of 3, with 70 points.",
        "a went out with Red 1.",
    ]


def test_after_a_blocked_match_nobody_has_won():
    match = given([["B1", "B2"], ["R1", "R2"]])
    match.game.actions = 999
    match.apply(0, match.legal_actions()[0])
    assert words(show(match)).splitlines() == [
        "### 🏁 The match is over: nobody wins.",
        "Your place: 2 of 2, with 4 points left in hand.",
    ]


def test_who_has_left_is_told_so():
    match = given([["R1", "R2"], ["R5", "R6"], ["B1"]], ["c", "leave"])
    assert words(show(match, 2)) == "You have left this match."
    assert not buttons(show(match, 2, step=Step.MORE))


# --- a Wild Draw Four


def test_its_colours_carry_the_whole_play():
    match = given(FOUR)
    view = show(match, step=Step.COLOURS)
    assert label_rows(view) == [["Red", "Yellow", "Green", "Blue"], ["Back"]]
    assert custom_ids(view)["Blue"] == f"ll:7:{match.decision}:play:W4.blue:"
    assert custom_ids(view)["Back"] == f"ll:7:{match.decision}:back::"


def test_a_bluff_is_told_to_its_holder():
    bluff = "A Wild Draw Four would be a bluff: you hold Red. If challenged, you draw."
    match = given([["W4", "R1"], ["R5", "W4"]])
    assert bluff in words(show(match))
    assert bluff in words(show(match, step=Step.COLOURS))
    assert "bluff" not in words(show(match, 1))
    assert "bluff" not in words(show(given(FOUR)))


@pytest.mark.parametrize(
    ("rules", "said"),
    [
        ({}, "A Wild Draw Four would be a bluff: you hold a Wild Item Box. If challenged, you draw."),
        ({"no_bluff": True}, "A Wild Draw Four cannot be played while you hold a Wild Item Box."),
    ],
)
def test_a_colour_that_is_not_held_is_not_named(rules, said):
    view = show(given([["W4", "WI", "B3"], ["R5", "W4"]], rules=rules))
    assert said in words(view)
    assert "hold Red" not in words(view)


def test_what_no_bluff_forbids_is_explained():
    match = given([["W4", "R1"], ["R5", "W4"]], rules={"no_bluff": True})
    view = show(match)
    assert "A Wild Draw Four cannot be played while you hold Red." in words(view)
    assert "Wild Draw Four" not in labels(view)
    assert labels(show(match, step=Step.COLOURS)) == labels(view)


# --- UNO


def flags(view):
    return {made.label: read(made.custom_id).uno for made in buttons(view)}


def test_at_two_cards_uno_is_a_switch():
    match = given([["R1", "W4"], ["R5", "R6"]])
    view = show(match)
    assert may_toggle(seat_view(match, 0))
    assert not button(view, "UNO!").disabled
    assert custom_ids(view)["UNO!"] == f"ll:7:{match.decision}:toggle::u"
    assert not any(flag for label, flag in flags(view).items() if label != "UNO!")


@pytest.mark.parametrize("step", [Step.MAIN, Step.COLOURS, Step.MORE, Step.LEAVE])
def test_pressed_it_is_carried_by_every_button(step):
    match = given([["R1", "W4"], ["R5", "R6"]])
    view = show(match, step=step, uno=True)
    carried = flags(view)
    assert carried.pop("UNO! ✓", False) is False
    assert carried
    assert all(carried.values())


def test_pressed_it_looks_pressed_and_can_be_let_go():
    match = given([["R1", "W4"], ["R5", "R6"]])
    pressed = button(show(match, uno=True), "UNO! ✓")
    assert pressed.style is discord.ButtonStyle.success
    assert pressed.custom_id == f"ll:7:{match.decision}:toggle::"


@pytest.mark.parametrize(
    "match",
    [
        given([["B2", "B3"], ["R1", "R2"]], ["a", "draw"], draw=["R9", "G1"]),
        given([["R1", "R2", "R3"], ["R1", "R2"]]),
        given([["R1"], ["R1", "R2"]]),
    ],
    ids=["three with the drawn card", "three", "one"],
)
def test_where_it_cannot_be_said_it_is_greyed_out_and_never_carried(match):
    view = show(match, uno=True)
    assert button(view, "UNO!").disabled
    assert not any(flags(view).values())


def test_beside_a_drawn_card_it_is_a_switch_too():
    match = given([["B2"], ["R1", "R2"]], ["a", "draw"], draw=["R9", "G1"])
    view = show(match, uno=True)
    assert flags(view) == {"Red 9": True, "Keep": True, "UNO! ✓": False, "Catch!": True, "More": True}


def test_with_one_card_owed_it_is_said_at_once():
    match = given([["R1", "R2"], ["R5", "R6"]], ["a", "play", "R1"])
    view = show(match)
    assert custom_ids(view)["UNO!"] == f"ll:7:{match.decision}:uno::"
    assert not button(view, "UNO!").disabled
    match = given([["R1", "RS"], ["R5", "R6"]], ["a", "play", "RS"])
    assert match.turn == 0, "an extra turn, with UNO owed"
    assert custom_ids(show(match, uno=True))["UNO!"] == f"ll:7:{match.decision}:uno::"


def test_once_said_it_shows_pressed():
    for actions in ([["a", "uno"]], [["a", "uno"], ["a", "play", "R1"]], [["a", "play", "R1"], ["a", "uno"]]):
        match = given([["R1", "R2"], ["R5", "R6"]], *actions)
        pressed = button(show(match), "UNO! ✓")
        assert pressed.disabled
        assert pressed.style is discord.ButtonStyle.success


def test_the_last_row_keeps_its_places():
    for hands in ([["R1", "R2"], ["R5"]], [["R1", "R2", "R3"], ["R5"]], [["R1"], ["R5"]]):
        row = label_rows(show(given(hands)))[-1]
        assert row == LAST_ROW


# --- out of turn


def test_out_of_turn_nothing_goes_stale():
    match = given(TWO, rules={"jump_in": True}, turn="b")
    view = show(match, step=Step.COLOURS)
    about = "-# Jump-in: hold the very card on top, and **Jump in** under the table plays it out of turn."
    assert texts(view) == ["### Your hand: 3 cards", about, "🔴 **Red**: 1\n🟢 **Green**: 5\n🔵 **Blue**: 2"]
    assert label_rows(view) == [["UNO!", "Catch!", "More"]]
    assert not any(made.disabled for made in buttons(view))


def test_more_and_leave_replace_the_rows_with_a_way_back():
    match = given(TWO)
    for seat in (0, 1):
        view = show(match, seat, step=Step.MORE)
        assert label_rows(view) == [["Log", "Rules", "Table here", "Back"], ["Leave"]]
        view = show(match, seat, step=Step.LEAVE)
        assert label_rows(view) == [["Keep playing"]]
        assert words(view).startswith("### Leave this match?")


@pytest.mark.parametrize("step", [Step.MORE, Step.LEAVE, Log(())])
def test_a_panel_says_when_the_turn_comes_and_nothing_on_it_moves(step):
    match = given(TWO)
    mine, theirs = (show(match, seat, step=step) for seat in (0, 1))
    assert "-# ▶️ **Your turn**" in words(mine)
    assert "-# Not your turn yet" in words(theirs)
    assert words(mine).count("\n") == words(theirs).count("\n")
    assert label_rows(mine) == label_rows(theirs)


def test_the_log_has_every_event_by_pages():
    draws = [[name, "draw"] for _ in range(8) for name in ("a", "b")]
    pile = ["G1", "Y2"] * 10
    match, told = play(position([["B2", "B3"], ["B4", "B5"]], draw=pile, actions=draws))
    last = show(match, step=Log(tuple(told)))
    first = show(match, step=Log(tuple(told), 0))
    assert words(first).splitlines()[:3] == ["### The hand so far", "-# ▶️ **Your turn**", "• b dealt hand 1."]
    shown = [line for view in (first, last) for line in words(view).splitlines() if line.startswith("• ")]
    assert shown.count("• a drew 1 card.") == shown.count("• b drew 1 card.") == 8
    assert "Page 1 of 2" in words(first)
    assert (button(first, "Older").disabled, button(first, "Newer").disabled) == (True, False)
    assert custom_ids(first)["Newer"] == f"ll:7:{match.decision}:log:1:"
    assert (button(last, "Older").disabled, button(last, "Newer").disabled) == (False, True)
    assert words(show(match, step=Log(tuple(told), 99))) == words(last)


# --- big hands


def test_no_more_than_eighteen_cards_can_be_playable_at_once():
    most = max(
        len(matching(top, colour, 0))
        for top in range(FACES)
        for colour in range(4)
        if top >= WILD_FOUR or colour == top // 13
    )
    assert most == MOST_CARD_BUTTONS == 18


def test_a_hand_of_105_cards_has_a_button_for_all_that_can_be_played():
    match = given(crowd(HUGE), top="R7")
    view = show(match, emojis=UPLOADED)
    assert len(match.game.hands[0]) == 105
    assert list(map(len, label_rows(view))) == [5, 5, 5, 3, 4]
    assert components(view) <= 34
    named = [made.custom_id.split(":")[4] for made in buttons(view)[:18]]
    assert set(named) == {code for code in ALL_FACES if code[0] in "RW" or code[1] == "7"}


def test_every_card_of_a_big_hand_is_there():
    match = given(crowd(HUGE), turn="b")
    assert words(show(match)).count("×2") == 51
    assert words(show(match)).splitlines()[1:] == [
        f"{dot} **{name}**: "
        + " · ".join(
            f"{symbol} ×2" if (colour, symbol) != ("B", "Draw Two") else symbol
            for symbol in [*map(str, range(10)), "Skip", "Reverse", "Draw Two"]
        )
        for colour, dot, name in (
            ("R", "🔴", "Red"),
            ("Y", "🟡", "Yellow"),
            ("G", "🟢", "Green"),
            ("B", "🔵", "Blue"),
        )
    ] + ["🌈 **Wild**: Draw Four · Item Box"]


def test_every_picture_of_a_big_hand_is_there():
    match = given(crowd(HUGE), turn="b")
    shown = texts(show(match, emojis=UPLOADED))[-1]
    assert all(str(UPLOADED[code]) in shown for code in ALL_FACES)
    assert shown.count("×2") == 51


def test_a_screen_is_fresh_and_stopped():
    match = given(TWO)
    one, other = show(match), show(match)
    assert one is not other
    assert one.timeout is None


async def test_a_screen_is_not_kept_by_the_client():
    assert show(given(TWO)).is_finished()


def test_a_draw_that_was_made_is_gone():
    match = given([["B2", "B3"], ["R1", "R2"]])
    before = custom_ids(show(match))
    match.apply(0, DRAW)
    match.apply(1, DRAW)
    after = custom_ids(show(match))
    assert not set(before.values()) & set(after.values())


# --- what house rules bring


@pytest.mark.parametrize(
    ("rules", "hands", "actions", "told"),
    [
        (["stack"], [["RD", "R1"], ["B1", "GD"]], [["a", "play", "RD"]], "Stacking: an answer passes all"),
        (["force_play"], [["R1", "B2"], ["R2", "Y5"]], [["a", "play", "R1"]], "Forced play: you hold a card"),
        (["force_play"], [["B1", "B2"], ["R2"]], [["a", "draw"]], "Forced play: a drawn card"),
        (
            ["draw_until_playable"],
            [["R1", "B2"], ["B2", "Y5"]],
            [["a", "play", "R1"]],
            "Draw until playable: ",
        ),
        (["seven_zero"], [["R1", "B2"], ["R7", "Y5"]], [["a", "play", "R1"]], "Sevens and zeros: a 7 swaps"),
        (["jump_in"], [["R1", "B2"], ["R7", "Y5"]], [], "Jump-in: hold the very card"),
        (
            ["stack"],
            [["W4", "B2"], ["W4", "Y5"]],
            [["a", "play", "W4", "red"]],
            "Stacking: an answer passes all of it on, and adds four.",
        ),
        (
            ["stack", "no_bluff"],
            [["W4", "B2"], ["R7", "Y5"]],
            [["a", "play", "W4", "red"]],
            "No bluffing: it has to be",
        ),
    ],
)
def test_the_hand_says_what_a_house_rule_brings_and_is_silent_without_it(rules, hands, actions, told):
    on = dict.fromkeys(rules, True)
    seat = 0 if actions and actions[-1][1] == "draw" else 1
    match = given(hands, *actions, rules=on, draw=["R9", "G1", "G2", "G3", "G4", "G5", "G6", "G7"])
    assert told in words(show(match, seat)), words(show(match, seat))
    match = given(hands, *actions, rules={}, draw=["R9", "G1", "G2", "G3", "G4", "G5", "G6", "G7"])
    assert told not in words(show(match, seat))


def test_a_seven_or_a_zero_as_the_last_card_swaps_nothing():
    match = given([["R1", "B2"], ["R7"]], ["a", "play", "R1"], rules={"seven_zero": True})
    assert "Sevens and zeros" not in words(show(match, 1))


def test_where_the_bot_says_uno_there_is_nothing_to_call():
    for seat in (0, 1):
        match = given([["R1", "B2"], ["R7"]])
        at = replace(scene(()), calls_uno=True)
        view = hand_screen(ENGLISH, PLAIN, at, seat_view(match, seat), uno=True)
        assert not {"UNO!", "UNO! ✓", "Catch!"} & set(labels(view))
        assert not any(custom_id.endswith(":u") for custom_id in custom_ids(view).values())
        assert "More" in labels(view)
