"""docs/rules.md, UNO; Catching: who owes it, when it may be said, when and by whom one is caught."""

import pytest

from tests.engine.cases import Case

TWO = {"ann": "R5 G9"}
OWING = {"uno_owed": ["ann"], "uno_said": []}
SAID = {"uno_owed": [], "uno_said": ["ann"]}
CLEAR = {"uno_owed": [], "uno_said": []}
CAUGHT = {**CLEAR, "hands": {"ann": "G9 G1 G3"}}
#: A box that leaves ann one card and flips a Mushroom: the next turn is hers.
EXTRA = {"hands": {"ann": "WI G9"}, "draw": "R8 G1 G3 G4 G6 G7 G8"}

SAYING = [
    Case("uno/owed-at-one-card", ["ann play R5"], OWING, TWO),
    Case("uno/not-owed-at-two", ["ann play R5"], CLEAR, {"ann": "R5 G9 G8"}),
    Case("uno/said-after-the-play", ["ann play R5", "ann uno"], SAID, TWO, events=["uno_said"]),
    Case("uno/said-is-not-caught", ["ann play R5", "ann uno", "bob catch ann: nobody_to_catch"], SAID, TWO),
    Case("uno/said-at-two-in-ones-turn", ["ann uno"], SAID, TWO),
    Case("uno/said-at-two-stands-after-the-play", ["ann uno", "ann play R5"], SAID, TWO),
    Case(
        "uno/said-at-two-is-not-caught",
        ["ann uno", "ann play R5", "bob catch ann: nobody_to_catch"],
        {"hands": {"ann": "G9"}},
        TWO,
    ),
    Case("uno/said-twice", ["ann uno", "ann uno: nothing_to_call"], SAID, TWO),
    Case("uno/said-twice-after-the-play", ["ann play R5", "ann uno", "ann uno: nothing_to_call"], SAID, TWO),
    Case("uno/said-at-two-then-again", ["ann uno", "ann play R5", "ann uno: nothing_to_call"], SAID, TWO),
    Case("uno/not-at-three", ["ann uno: nothing_to_call"], CLEAR),
    Case("uno/not-at-two-out-of-turn", ["bob uno: nothing_to_call"], CLEAR, {"bob": "R5 G9"}),
    Case("uno/not-by-who-owes-none", ["ann play R5", "bob uno: nothing_to_call"], OWING, TWO),
    Case("uno/not-at-one-card-without-a-play", ["ann uno: nothing_to_call"], CLEAR, {"ann": "R5"}),
    Case(
        "uno/said-stays-while-one-card-is-held", ["ann play R5", "ann uno", "bob draw", "cat draw"], SAID, TWO
    ),
    Case(
        "uno/said-at-two-beside-a-drawn-card",
        ["ann draw", "ann uno", "ann play R8"],
        SAID,
        {"ann": "G9"},
        draw="R8 G1",
    ),
    Case("uno/said-at-two-is-void-once-one-draws", ["ann uno", "ann draw"], CLEAR, TWO, draw="R8 G1"),
    Case(
        "uno/said-at-two-is-void-after-drawing-and-playing",
        ["ann uno", "ann draw", "ann play R8"],
        CLEAR,
        TWO,
        draw="R8 G1",
    ),
    Case("uno/said-at-two-is-void-once-the-turn-ends", ["ann uno", "ann draw"], CLEAR, TWO, draw=""),
    Case(
        "uno/said-at-two-holds-for-that-turn-only",
        ["ann uno", "ann draw", "bob draw", "cat play R9", "ann play R5"],
        {"uno_owed": ["ann"], "hands": {"ann": "G9"}},
        {"ann": "R5 G9", "cat": "R9 Y8 Y9"},
        draw="",
    ),
    Case(
        "uno/said-at-two-beside-a-kept-card-is-void",
        ["ann draw", "ann uno", "ann keep"],
        CLEAR,
        {"ann": "G9"},
        draw="R8",
    ),
    Case(
        "uno/not-at-two-while-a-colour-is-owed",
        ["ann uno: nothing_to_call"],
        {"awaiting": "colour"},
        TWO,
        discard="WI R2",
    ),
    Case(
        "uno/not-at-two-in-a-challenge-window",
        ["ann play W4 red", "bob uno: nothing_to_call"],
        {"awaiting": "challenge"},
        {"ann": "W4 G8 G9", "bob": "B1 B3"},
    ),
    Case(
        "uno/at-two-in-a-challenge-window-under-stack",
        ["ann play W4 red", "bob uno", "bob play W4 blue"],
        {"uno_said": ["bob"], "uno_owed": [], "turn": "cat"},
        {"ann": "W4 G8 G9", "bob": "W4 B3"},
        rules="stack",
    ),
    Case(
        "uno/at-two-holds-through-an-upheld-challenge",
        ["ann play W4 red", "bob uno", "bob challenge", "bob play R9"],
        {"uno_said": ["bob"]},
        {"ann": "W4 R8 G9", "bob": "R9 B3"},
        rules="stack",
    ),
    Case(
        "uno/at-two-is-void-once-one-accepts",
        ["ann play W4 red", "bob uno", "bob accept"],
        CLEAR,
        {"ann": "W4 R8 G9", "bob": "R9 B3"},
        rules="stack",
    ),
    Case(
        "uno/at-two-on-a-stack",
        ["ann play RD", "bob uno", "bob play BD"],
        {"uno_said": ["bob"]},
        {"ann": "RD G8 G9", "bob": "BD B3"},
        rules="stack",
    ),
    Case("uno/not-caught-before-the-play", ["cat catch ann: nobody_to_catch"], CLEAR, TWO),
]

CATCHING = [
    Case(
        "uno/caught-draws-two",
        ["ann play R5", "cat catch ann"],
        CAUGHT,
        TWO,
        events=["uno_caught", "cards_drawn"],
    ),
    Case(
        "uno/caught-by-the-next-player-too", ["ann play R5", "bob catch ann"], {**CAUGHT, "turn": "bob"}, TWO
    ),
    Case(
        "uno/first-catch-wins",
        ["ann play R5", "bob catch ann", "cat catch ann: nobody_to_catch"],
        CAUGHT,
        TWO,
    ),
    Case(
        "uno/caught-has-nothing-to-say",
        ["ann play R5", "bob catch ann", "ann uno: nothing_to_call"],
        CAUGHT,
        TWO,
    ),
    Case("uno/not-oneself", ["ann play R5", "ann catch ann: bad_target"], OWING, TWO),
    Case(
        "uno/catch-with-nobody-costs-nothing",
        ["bob catch ann: nobody_to_catch"],
        {"hands": {"bob": "B1 B3 B4"}},
    ),
    Case("uno/catch-the-wrong-one", ["ann play R5", "bob catch cat: nobody_to_catch"], OWING, TWO),
    Case(
        "uno/catch-with-no-cards-left",
        ["ann play WI", "bob catch ann"],
        # The flipped card and the box are all there is besides the hands.
        {"uno_owed": [], "uno_said": [], "hands": {"ann": "G9 WI"}},
        {"ann": "WI G9"},
        draw="",
    ),
]

WINDOW = [
    Case(
        "uno/window-closes-on-a-play",
        ["ann play R5", "bob play R3", "cat catch ann: nobody_to_catch"],
        CLEAR,
        {**TWO, "bob": "R3 B1 B3"},
    ),
    Case(
        "uno/window-closes-on-a-draw",
        ["ann play R5", "bob draw", "cat catch ann: nobody_to_catch"],
        CLEAR,
        TWO,
    ),
    Case(
        "uno/window-closes-on-a-drawn-card-that-waits",
        ["ann play R5", "bob draw", "cat catch ann: nobody_to_catch"],
        {"awaiting": "drawn"},
        TWO,
        draw="R8 G1",
    ),
    Case(
        "uno/window-closes-on-a-time-out",
        ["ann play R5", "bob timeout", "cat catch ann: nobody_to_catch"],
        CLEAR,
        TWO,
    ),
    Case(
        "uno/window-closes-on-accept",
        ["ann play W4 blue", "bob accept", "cat catch ann: nobody_to_catch"],
        CLEAR,
        {"ann": "W4 G9"},
    ),
    Case(
        "uno/window-closes-on-challenge",
        ["ann play W4 blue", "bob challenge", "cat catch ann: nobody_to_catch"],
        {"hands": {"ann": "G9"}},
        {"ann": "W4 G9"},
    ),
    Case(
        "uno/window-is-open-in-a-challenge-window",
        ["ann play W4 blue", "cat catch ann"],
        {"hands": {"ann": "G9 G1 G3"}, "awaiting": "challenge"},
        {"ann": "W4 G9"},
    ),
    Case(
        "uno/window-closed-nothing-to-say",
        ["ann play R5", "bob draw", "ann uno: nothing_to_call"],
        CLEAR,
        TWO,
    ),
    Case(
        "uno/window-is-open-in-an-extra-turn",
        ["ann play WI", "bob catch ann"],
        {"hands": {"ann": "G9 G1 G3"}, "turn": "ann"},
        **EXTRA,
    ),
    Case(
        "uno/window-closes-on-own-extra-turn",
        ["ann play WI", "ann draw", "bob catch ann: nobody_to_catch"],
        {"hands": {"ann": "G9 G1"}},
        **EXTRA,
    ),
    Case(
        "uno/window-closes-on-own-play-in-an-extra-turn",
        ["ann play WI", "bob catch ann", "ann play R9", "bob catch ann: nobody_to_catch"],
        {"hands": {"ann": "G9 G1"}},
        {"ann": "WI G9"},
        draw="R8 R9 G1 G3",
    ),
    Case("uno/said-in-an-extra-turn", ["ann play WI", "ann uno"], SAID, **EXTRA),
    Case(
        "uno/keep-closes-nothing",
        ["ann draw", "ann play R8", "bob catch ann"],
        {"hands": {"ann": "B5 G1 G3"}},
        {"ann": "B5"},
        draw="R8 G1 G3",
    ),
    Case(
        "uno/another-keep-closes-nothing-more",
        ["ann play R5", "bob draw", "bob keep", "cat catch ann: nobody_to_catch"],
        {"turn": "cat"},
        TWO,
        draw="R8 G1",
    ),
    Case(
        "uno/target-closes-nothing",
        ["ann play WI", "ann target bob", "cat catch ann"],
        {"turn": "bob", "hands": {"ann": "G9 G3 G4"}},
        {"ann": "WI G9"},
        draw="G8 G1 G3 G4",
    ),
    Case(
        "uno/caught-while-aiming",
        ["ann play WI", "cat catch ann", "ann target bob"],
        {"turn": "bob", "hands": {"ann": "G9 G1 G3", "bob": "B1 B3 B4 G4"}},
        {"ann": "WI G9"},
        draw="G8 G1 G3 G4",
    ),
    Case(
        "uno/colour-closes-nothing",
        # Every card is out: the Bob-omb gives ann none, and she still owes with the colour named.
        ["ann play WI", "ann colour blue", "bob catch ann: nobody_to_catch"],
        {"hands": {"ann": "G9 WI"}},
        {"ann": "WI G9"},
        discard="W4",
        colour="red",
        draw="",
    ),
    Case(
        "uno/leave-closes-nothing",
        ["ann play R5", "bob leave", "cat catch ann"],
        {"turn": "cat", "hands": {"ann": "G9 G1 G3"}},
        TWO,
    ),
    Case(
        "uno/refused-closes-nothing",
        ["ann play R5", "bob play R9: not_in_hand", "cat catch ann"],
        CAUGHT,
        TWO,
    ),
    Case(
        "uno/catch-closes-nothing-of-the-turn",
        ["ann play R5", "bob uno: nothing_to_call", "bob catch cat: nobody_to_catch", "bob catch ann"],
        CAUGHT,
        TWO,
    ),
]

ENDING = [
    Case(
        "uno/nothing-owed-once-the-hand-is-not-one-card",
        ["ann play WI"],
        {"uno_owed": [], "hands": {"ann": "G9 G1 G3"}},
        {"ann": "WI G9"},
        draw="W4 G1 G3",
    ),
    Case(
        "uno/said-stays-when-others-draw",
        ["ann play R5", "ann uno", "bob play RD"],
        {"uno_said": ["ann"]},
        {**TWO, "bob": "RD B1 B3"},
    ),
    Case(
        "uno/said-ends-with-the-card",
        ["ann play R5", "ann uno", "bob play RD", "bob catch ann: nobody_to_catch"],
        {"hands": {"ann": "G9 G1 G3"}, "uno_said": [], "uno_owed": []},
        {**TWO, "bob": "RD B1 B3"},
        players=2,
    ),
    Case("uno/who-leaves-owes-none", ["ann play R5", "ann leave", "bob catch ann: bad_target"], CLEAR, TWO),
    Case("uno/who-leaves-has-said-none", ["ann play R5", "ann uno", "ann leave"], CLEAR, TWO),
    Case(
        "uno/a-swap-ends-the-debt-of-both",
        ["ann play R7", "ann target bob"],
        {"uno_owed": [], "uno_said": [], "hands": {"ann": "B1 B3 B4", "bob": "G9"}},
        {"ann": "R7 G9"},
        rules="seven_zero",
    ),
    Case(
        "uno/owed-until-the-swap",
        ["ann play R7", "cat catch ann", "ann target bob"],
        {"hands": {"bob": "G9 G1 G3", "ann": "B1 B3 B4"}},
        {"ann": "R7 G9"},
        rules="seven_zero",
    ),
    Case(
        "uno/a-swap-ends-the-calls-of-both",
        ["ann uno", "ann play R5", "bob play R7", "bob target ann"],
        {"uno_owed": [], "uno_said": [], "hands": {"ann": "B1 B3", "bob": "G9"}},
        {**TWO, "bob": "R7 B1 B3"},
        rules="seven_zero",
    ),
    Case(
        "uno/a-swap-of-others-ends-nothing",
        ["ann uno", "ann play R5", "bob play R7", "bob target cat"],
        {"uno_said": ["ann"]},
        {**TWO, "bob": "R7 B1 B3"},
        rules="seven_zero",
    ),
    Case(
        "uno/passing-hands-on-ends-all-of-it",
        ["ann uno", "ann play R5", "bob play R0"],
        {"uno_owed": [], "uno_said": [], "hands": {"ann": "Y7 Y8 Y9", "bob": "G9", "cat": "B1"}},
        {**TWO, "bob": "R0 B1"},
        rules="seven_zero",
    ),
    Case(
        "uno/swapped-into-one-card-owes-none",
        ["ann play R7", "ann target bob", "bob catch ann: nobody_to_catch", "ann uno: nothing_to_call"],
        {"hands": {"ann": "B1"}, "uno_owed": []},
        {"ann": "R7 G9 G8", "bob": "B1"},
        rules="seven_zero",
    ),
    Case(
        "uno/nothing-stands-once-the-hand-is-over",
        ["ann play R5", "ann uno", "bob play R9"],
        {**CLEAR, "awaiting": "over"},
        {**TWO, "bob": "R9"},
    ),
    Case(
        "uno/nothing-stands-while-the-winner-aims",
        [
            *("ann uno", "ann play R5", "bob draw", "cat draw", "ann play WI"),
            *("ann uno: nothing_to_call", "bob catch ann: nobody_to_catch"),
        ],
        {**CLEAR, "awaiting": "target", "turn": "ann"},
        {"ann": "R5 WI"},
        draw="G1 G3 G8 G4",
    ),
]


@pytest.mark.parametrize("case", SAYING + CATCHING + WINDOW + ENDING, ids=lambda case: case.name)
def test_rule(case: Case) -> None:
    case.check()
