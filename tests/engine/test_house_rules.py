"""docs/rules.md, House rules: each by itself, and where they meet."""

from pathlib import Path

import pytest

from engine.rules import RULE_NAMES, RuleSet
from tests.engine.cases import Case

FOUR_ON_FOUR = ["ann play W4 blue", "bob play W4 red"]

STACK = [
    Case("stack/off-by-default", ["ann play RD"], {"turn": "cat"}, {"ann": "RD B5 B6", "bob": "BD B1"}),
    Case(
        "stack/answered-with-any-draw-two",
        ["ann play RD", "bob play BD"],
        {"turn": "cat", "awaiting": "turn", "top": "BD", "hands": {"bob": "B1", "cat": "Y7 Y8 Y9"}},
        {"ann": "RD B5 B6", "bob": "BD B1"},
        rules="stack",
    ),
    Case(
        "stack/the-victim-is-always-asked",
        ["ann play RD", "cat draw: not_your_turn"],
        {"turn": "bob", "awaiting": "turn", "hands": {"bob": "B1 B3 B4"}},
        {"ann": "RD B5 B6"},
        rules="stack",
    ),
    Case(
        "stack/who-will-not-draws-the-sum-and-loses-the-turn",
        ["ann play RD", "bob play BD", "cat play YD", "ann draw"],
        {"turn": "bob", "hands": {"ann": "B5 B6 G1 G3 G4 G6 G7 G8"}},
        {"ann": "RD B5 B6", "bob": "BD B1", "cat": "YD Y8"},
        rules="stack",
        events=["cards_drawn"],
    ),
    Case(
        "stack/may-draw-though-able-to-answer",
        ["ann play RD", "bob draw"],
        {"turn": "cat", "hands": {"bob": "BD B1 G1 G3"}},
        {"ann": "RD B5 B6", "bob": "BD B1"},
        rules="stack",
    ),
    Case(
        "stack/nothing-but-a-draw-two",
        [
            "ann play RD",
            *(f"bob play {card}: does_not_match" for card in ("R9", "WI", "RS", "W4 red")),
            "bob play YD: not_in_hand",
            "bob keep: not_now",
            "bob accept: not_now",
            "bob challenge: not_now",
        ],
        {"turn": "bob", "awaiting": "turn"},
        {"ann": "RD B5 B6", "bob": "R9 WI RS W4"},
        rules="stack",
    ),
    Case(
        "stack/ends-with-the-draw",
        ["ann play RD", "bob draw", "cat play RD", "ann draw"],
        {"hands": {"ann": "B5 B6 G4 G6"}},
        {"ann": "RD B5 B6", "cat": "RD Y8 Y9"},
        rules="stack",
    ),
    Case(
        "stack/after-it-the-card-is-an-ordinary-one",
        ["ann play RD", "bob draw", "cat play R9"],
        {"turn": "ann", "top": "R9"},
        {"ann": "RD B5 B6", "cat": "R9 Y8 Y9"},
        rules="stack",
    ),
    Case(
        "stack/draws-as-many-as-there-are",
        ["ann play RD", "bob play BD", "cat draw"],
        {"hands": {"cat": "Y7 Y8 Y9 G1 R2 RD"}, "draw_count": 0, "turn": "ann"},
        {"ann": "RD B5 B6", "bob": "BD B1"},
        rules="stack",
        draw="G1",
    ),
    Case(
        "stack/a-sum-that-could-not-be-drawn-is-no-pass",
        ["ann play RD", "bob play BD", "cat draw", "ann draw", "bob draw"],
        {"awaiting": "turn", "turn": "cat"},
        {"ann": "RD B5 B6", "bob": "BD B1 B3"},
        rules="stack",
        draw="",
        discard="R2",
    ),
    Case(
        "stack/wild-four-leaves-its-victim-in-challenge",
        ["ann play W4 blue", "bob draw: not_now"],
        {"turn": "bob", "awaiting": "challenge"},
        {"ann": "W4 Y8 Y9"},
        rules="stack",
    ),
    Case(
        "stack/wild-four-on-wild-four",
        [*FOUR_ON_FOUR, "cat accept"],
        {"turn": "ann", "colour": "red", "hands": {"cat": "Y7 Y8 Y9 G1 G3 G4 G6 G7 G8 G9 Y1"}},
        {"ann": "W4 Y8 Y9", "bob": "W4 B1"},
        rules="stack",
    ),
    Case(
        "stack/not-off-the-rule",
        ["ann play W4 blue", "bob play W4 red: not_now"],
        {"turn": "bob"},
        {"ann": "W4 Y8 Y9", "bob": "W4 B1"},
    ),
    Case(
        "stack/wild-four-answers-no-draw-two",
        ["ann play RD", "bob play W4 red: does_not_match"],
        {},
        {"ann": "RD B5 B6", "bob": "W4 B1"},
        rules="stack",
    ),
    Case(
        "stack/draw-two-answers-no-wild-four",
        ["ann play W4 blue", "bob play BD: does_not_match", "bob play W4: not_in_hand"],
        {"awaiting": "challenge"},
        {"ann": "W4 Y8 Y9", "bob": "BD B1"},
        rules="stack",
    ),
    Case(
        "stack/challenge-upheld-draws-the-whole-sum",
        [*FOUR_ON_FOUR, "cat challenge"],
        # Bob held blue, the colour named below his card.
        {
            "turn": "cat",
            "awaiting": "turn",
            "hands": {"bob": "B1 G1 G3 G4 G6 G7 G8 G9 Y1", "cat": "Y7 Y8 Y9", "ann": "Y8 Y9"},
        },
        {"ann": "W4 Y8 Y9", "bob": "W4 B1"},
        rules="stack",
    ),
    Case(
        "stack/challenge-failed-draws-the-sum-plus-two",
        [*FOUR_ON_FOUR, "cat challenge"],
        {"turn": "ann", "hands": {"bob": "R1", "cat": "Y7 Y8 Y9 G1 G3 G4 G6 G7 G8 G9 Y1 Y3 Y4"}},
        {"ann": "W4 R8 Y9", "bob": "W4 R1"},
        rules="stack",
    ),
    Case(
        "stack/challenge-of-the-first-wild-four",
        ["ann play W4 blue", "bob challenge"],
        {"turn": "bob", "hands": {"ann": "R8 Y9 G1 G3 G4 G6"}},
        {"ann": "W4 R8 Y9"},
        rules="stack",
    ),
    Case(
        "stack/may-be-answered-by-a-bluff",
        FOUR_ON_FOUR,
        {"turn": "cat", "awaiting": "challenge"},
        {"ann": "W4 Y8 Y9", "bob": "W4 B1"},
        rules="stack force_play",
    ),
    Case(
        "stack/a-flipped-draw-two-starts-none",
        ["ann play WI", "bob draw"],
        {"turn": "cat", "hands": {"bob": "B1 B3 B4 G4"}},
        {"ann": "WI B5 B6"},
        rules="stack",
        draw="YD G1 G3 G4 G6",
    ),
    Case(
        "stack/the-first-card-starts-none",
        ["ann draw"],
        {"turn": "bob", "hands": {"ann": "B5 B6 B7 G1"}},
        discard="RD",
        rules="stack",
    ),
]

DRAWING = [
    Case(
        "draw-until-playable/one-draw-goes-on",
        ["ann draw"],
        {"awaiting": "drawn", "turn": "ann", "hands": {"ann": "B5 B6 B7 G1 G3 R8"}},
        draw="G1 G3 R8 R9",
        rules="draw_until_playable",
        events=["cards_drawn"],
    ),
    Case(
        "draw-until-playable/then-that-card-only",
        ["ann draw", "ann play R9: not_now", "ann play R8"],
        {"turn": "bob", "top": "R8"},
        {"ann": "R9 B5"},
        draw="G1 R8 R9",
        rules="draw_until_playable",
    ),
    Case(
        "draw-until-playable/may-keep",
        ["ann draw", "ann keep"],
        {"turn": "bob", "hands": {"ann": "B5 B6 B7 G1 R8"}},
        draw="G1 R8 R9",
        rules="draw_until_playable",
    ),
    Case(
        "draw-until-playable/until-the-piles-are-out",
        ["ann draw"],
        {"turn": "bob", "draw_count": 0, "hands": {"ann": "B5 B6 B7 G1 G3"}},
        draw="G1 G3",
        rules="draw_until_playable",
    ),
    Case(
        "draw-until-playable/through-a-shuffle",
        ["ann draw"],
        {"awaiting": "drawn", "hands": {"ann": "B5 B6 B7 G1 G3 R8"}, "discard_count": 1},
        draw="G1 G3",
        discard="R2 R8",
        rules="draw_until_playable",
        events=["pile_shuffled", "cards_drawn"],
    ),
    Case(
        "draw-until-playable/a-bluff-is-playable",
        ["ann draw"],
        {"awaiting": "drawn", "hands": {"ann": "R5 B6 G1 W4"}},
        {"ann": "R5 B6"},
        draw="G1 W4 R9",
        rules="draw_until_playable",
    ),
    Case(
        "draw-until-playable/under-no-bluff-a-bluff-is-not",
        ["ann draw"],
        {"awaiting": "drawn", "hands": {"ann": "R5 B6 G1 W4 R9"}},
        {"ann": "R5 B6"},
        draw="G1 W4 R9",
        rules="draw_until_playable no_bluff",
    ),
    Case(
        "draw-until-playable/with-nothing-to-draw-is-a-pass",
        ["ann draw", "bob draw", "cat draw"],
        {"awaiting": "over"},
        draw="",
        rules="draw_until_playable",
    ),
    Case(
        "draw-until-playable/not-for-a-stack",
        ["ann play RD", "bob draw"],
        {"turn": "cat", "hands": {"bob": "B1 B3 B4 G1 G3"}},
        {"ann": "RD B5 B6"},
        rules="draw_until_playable stack",
    ),
    Case(
        "force-play/may-not-decline",
        ["ann draw: not_legal", "ann play R9"],
        {"turn": "bob"},
        {"ann": "R9 B5 B6"},
        rules="force_play",
    ),
    Case("force-play/an-item-box-too", ["ann draw: not_legal"], {}, {"ann": "WI B5 B6"}, rules="force_play"),
    Case(
        "force-play/a-legal-wild-four-too",
        ["ann draw: not_legal"],
        {},
        {"ann": "W4 B5 B6"},
        rules="force_play",
    ),
    Case(
        "force-play/any-playable-card-will-do",
        ["ann play B2"],
        {"turn": "bob"},
        {"ann": "R9 B2 B6"},
        rules="force_play",
    ),
    Case("force-play/draws-with-nothing-playable", ["ann draw"], {"turn": "bob"}, rules="force_play"),
    Case(
        "force-play/must-not-bluff-but-may",
        ["ann draw: not_legal", "ann play W4 blue"],
        {"awaiting": "challenge"},
        {"ann": "W4 R9"},
        rules="force_play",
    ),
    Case(
        "force-play/a-drawn-card-must-be-played",
        ["ann draw", "ann keep: not_legal", "ann play R8"],
        {"turn": "bob", "top": "R8"},
        draw="R8 G1",
        rules="force_play",
    ),
    Case(
        "force-play/a-drawn-legal-wild-four-must-be-played",
        ["ann draw", "ann keep: not_legal"],
        {"awaiting": "drawn"},
        draw="W4 G1",
        rules="force_play",
    ),
    Case(
        "force-play/never-an-answer-to-a-stack",
        ["ann play RD", "bob draw"],
        {"turn": "cat", "hands": {"bob": "BD B1 G1 G3"}},
        {"ann": "RD B5 B6", "bob": "BD B1"},
        rules="force_play stack",
    ),
    Case(
        "force-play/never-an-answer-to-a-wild-four",
        ["ann play W4 blue", "bob accept"],
        {"turn": "cat"},
        {"ann": "W4 Y8 Y9", "bob": "W4 Y1"},
        rules="force_play stack",
    ),
    Case(
        "force-play/in-the-turn-of-an-upheld-challenge",
        ["ann play W4 blue", "bob challenge", "bob draw: not_legal", "bob play B1"],
        {"turn": "cat"},
        {"ann": "W4 R8 Y9"},
        rules="force_play",
    ),
    Case(
        "force-play/in-an-extra-turn",
        ["ann play WI", "ann draw: not_legal", "ann play R9"],
        {"turn": "bob"},
        {"ann": "WI R9 B6"},
        draw="R8 G1",
        rules="force_play",
    ),
    Case(
        "force-play/forces-no-jump-in",
        ["ann draw"],
        {"turn": "bob"},
        {"cat": "R2 Y8"},
        rules="force_play jump_in",
    ),
]

SWAPS = [
    Case(
        "seven-zero/off-by-default", ["ann play R7"], {"awaiting": "turn", "turn": "bob"}, {"ann": "R7 B5 B6"}
    ),
    Case(
        "seven-zero/seven-swaps-with-whom-one-chooses",
        ["ann play R7", "ann target cat"],
        {"turn": "bob", "hands": {"ann": "Y7 Y8 Y9", "cat": "B5 B6", "bob": "B1 B3 B4"}, "colour": "red"},
        {"ann": "R7 B5 B6"},
        rules="seven_zero",
        events=["target_chosen", "hands_swapped"],
    ),
    Case(
        "seven-zero/seven-waits-for-the-choice",
        [
            "ann play R7",
            "bob draw: not_your_turn",
            "ann draw: not_now",
            "ann target ann: bad_target",
            "bob target cat: not_your_turn",
        ],
        {"awaiting": "target", "turn": "ann"},
        {"ann": "R7 B5 B6"},
        rules="seven_zero",
    ),
    Case(
        "seven-zero/seven-with-two",
        ["ann play R7", "ann target bob"],
        {"turn": "bob", "hands": {"ann": "B1 B3 B4", "bob": "B5 B6"}},
        {"ann": "R7 B5 B6"},
        2,
        rules="seven_zero",
    ),
    Case(
        "seven-zero/not-with-who-left",
        ["bob leave", "ann play R7", "ann target bob: bad_target"],
        {"awaiting": "target"},
        {"ann": "R7 B5 B6"},
        rules="seven_zero",
    ),
    Case(
        "seven-zero/zero-passes-on-clockwise",
        ["ann play R0"],
        {"turn": "bob", "hands": {"bob": "B5 B6", "cat": "B1 B3 B4", "ann": "Y7 Y8 Y9"}},
        {"ann": "R0 B5 B6"},
        rules="seven_zero",
        events=["card_played", "hands_passed_on"],
    ),
    Case(
        "seven-zero/zero-passes-on-the-other-way",
        ["ann play R0"],
        {"turn": "cat", "hands": {"cat": "B5 B6", "bob": "Y7 Y8 Y9", "ann": "B1 B3 B4"}},
        {"ann": "R0 B5 B6"},
        rules="seven_zero",
        direction=-1,
    ),
    Case(
        "seven-zero/zero-passes-over-who-left",
        ["bob leave", "ann play R0"],
        {"hands": {"cat": "B5 B6", "dan": "Y7 Y8 Y9", "ann": "G3 G4 G6", "bob": []}},
        {"ann": "R0 B5 B6"},
        4,
        rules="seven_zero",
    ),
    Case(
        "seven-zero/zero-with-two-swaps",
        ["ann play R0"],
        {"turn": "bob", "hands": {"bob": "B5 B6", "ann": "B1 B3 B4"}},
        {"ann": "R0 B5 B6"},
        2,
        rules="seven_zero",
    ),
    Case(
        "seven-zero/by-a-drawn-seven",
        ["ann draw", "ann play R7", "ann target bob"],
        {"hands": {"ann": "B1 B3 B4", "bob": "B5 B6 B7"}},
        draw="R7 G1",
        rules="seven_zero",
    ),
]

JUMPS = [
    Case("jump-in/off-by-default", ["cat play R2: not_your_turn"], {}, {"cat": "R2 Y8"}),
    Case(
        "jump-in/an-identical-card-out-of-turn",
        ["cat play R2"],
        {"turn": "ann", "top": "R2", "hands": {"cat": "Y8 Y9"}, "discard_count": 2},
        {"cat": "R2 Y8 Y9"},
        rules="jump_in",
        events=["card_played"],
    ),
    Case(
        "jump-in/play-goes-on-from-there",
        ["bob play R2"],
        {"turn": "cat"},
        {"bob": "R2 B1 B3"},
        rules="jump_in",
    ),
    Case(
        "jump-in/in-the-other-direction",
        ["bob play R2"],
        {"turn": "ann"},
        {"bob": "R2 B1 B3"},
        rules="jump_in",
        direction=-1,
    ),
    *(
        Case(
            f"jump-in/not-with-{name}",
            [f"cat play {card}: not_your_turn"],
            {"turn": "ann"},
            {"cat": f"{card.split()[0]} Y8 Y9"},
            rules="jump_in",
            discard=discard,
            colour=colour,
        )
        for name, card, discard, colour in [
            ("the-same-colour", "R3", "R2", None),
            ("the-same-number", "B2", "R2", None),
            ("a-wild-four", "W4 red", "W4", "red"),
            ("an-item-box", "WI", "WI", "red"),
        ]
    ),
    Case("jump-in/not-with-a-card-not-held", ["cat play R2: not_your_turn"], {}, rules="jump_in"),
    *(
        Case(
            f"jump-in/with-{card}",
            [f"cat play {card}"],
            state,
            {"cat": f"{card} Y8 Y9"},
            rules="jump_in",
            discard=card,
        )
        for card, state in {
            "RS": {"turn": "bob"},
            "RR": {"turn": "bob", "direction": -1},
            "RD": {"turn": "bob", "hands": {"ann": "B5 B6 B7 G1 G3"}},
            "R9": {"turn": "ann"},
        }.items()
    ),
    Case(
        "jump-in/own-turn-is-a-play",
        ["ann play R2"],
        {"turn": "bob"},
        {"ann": "R2 B5 B6"},
        rules="jump_in",
    ),
    Case(
        "jump-in/not-once-a-card-was-drawn",
        ["ann draw", "cat play R2: not_your_turn"],
        {"awaiting": "drawn"},
        {"cat": "R2 Y8"},
        rules="jump_in",
        draw="R8 G1",
    ),
    Case(
        "jump-in/not-on-a-stack",
        ["ann play RD", "cat play RD: not_your_turn"],
        {"turn": "bob"},
        {"ann": "RD B5 B6", "cat": "RD Y8"},
        rules="jump_in stack",
    ),
    Case(
        "jump-in/starts-a-stack-on-one-drawn",
        ["ann play RD", "bob draw", "ann play RD", "bob draw"],
        {"hands": {"bob": "B1 B3 B4 G1 G3 G4 G6"}, "turn": "cat"},
        {"ann": "RD RD B5"},
        rules="jump_in stack",
    ),
    Case(
        "jump-in/not-while-a-target-is-owed",
        ["ann play WI", "cat play G8: not_your_turn"],
        {"awaiting": "target"},
        {"ann": "WI B5 B6", "cat": "G8 Y8"},
        rules="jump_in",
        draw="G8 G1 G3",
    ),
    Case(
        "jump-in/on-a-flipped-card",
        ["ann play WI", "cat play R8"],
        {"turn": "ann", "top": "R8"},
        {"ann": "WI B5 B6", "cat": "R8 Y8 Y9"},
        rules="jump_in",
        draw="R8 G1 G3",
    ),
    Case(
        "jump-in/closes-the-window",
        ["ann play R9", "cat play R9", "bob catch ann: nobody_to_catch"],
        {"turn": "ann", "uno_owed": []},
        {"ann": "R9 B5", "cat": "R9 Y8 Y9"},
        rules="jump_in",
    ),
    Case(
        "jump-in/may-owe-uno",
        ["cat play R2", "bob catch cat"],
        {"hands": {"cat": "Y8 G1 G3"}},
        {"cat": "R2 Y8"},
        rules="jump_in",
    ),
    Case(
        "jump-in/ends-what-was-said-at-two",
        ["ann uno", "cat play R2", "ann play R9"],
        {"uno_owed": ["ann"]},
        {"ann": "R9 B5", "cat": "R2 Y8 Y9"},
        rules="jump_in",
    ),
    Case(
        "jump-in/not-by-who-left",
        ["cat leave", "cat play R2: left"],
        {},
        {"cat": "R2 Y8"},
        rules="jump_in",
    ),
    Case(
        "jump-in/with-a-seven",
        ["cat play R7", "cat target ann"],
        {"turn": "ann", "hands": {"ann": "Y8 Y9", "cat": "B5 B6 B7"}},
        {"cat": "R7 Y8 Y9"},
        rules="jump_in seven_zero",
        discard="R7",
    ),
    Case(
        "jump-in/with-two-a-reverse-gives-the-turn-to-who-jumped",
        ["bob play RR"],
        {"turn": "bob"},
        {"bob": "RR B1 B3"},
        2,
        rules="jump_in",
        discard="RR",
    ),
]

NO_BLUFF = [
    Case(
        "no-bluff/only-when-legal",
        ["ann play W4 blue: not_legal"],
        {"turn": "ann", "awaiting": "turn"},
        {"ann": "W4 R9 B5"},
        rules="no_bluff",
    ),
    Case(
        "no-bluff/an-item-box-makes-it-illegal",
        ["ann play W4 blue: not_legal"],
        {},
        {"ann": "W4 WI B5"},
        rules="no_bluff",
    ),
    Case(
        "no-bluff/the-next-player-draws-at-once",
        ["ann play W4 blue"],
        {"turn": "cat", "awaiting": "turn", "colour": "blue", "hands": {"bob": "B1 B3 B4 G1 G3 G4 G6"}},
        {"ann": "W4 Y8 B5"},
        rules="no_bluff",
        events=["card_played", "colour_named", "cards_drawn"],
    ),
    Case(
        "no-bluff/no-challenge",
        ["ann play W4 blue", "bob challenge: not_your_turn", "cat challenge: not_now"],
        {},
        {"ann": "W4 Y8 B5"},
        rules="no_bluff",
    ),
    Case(
        "no-bluff/with-stack-accepted",
        ["ann play W4 blue", "bob challenge: not_legal", "bob accept"],
        {"turn": "cat", "hands": {"bob": "B1 B3 B4 G1 G3 G4 G6"}},
        {"ann": "W4 Y8 B5"},
        rules="no_bluff stack",
    ),
    Case(
        "no-bluff/with-stack-answered",
        ["ann play W4 blue", "bob play W4 green", "cat accept"],
        {"turn": "ann", "hands": {"cat": "Y7 Y8 Y9 G1 G3 G4 G6 G7 G8 G9 Y1"}},
        {"ann": "W4 Y8 B5", "bob": "W4 Y1 G3"},
        rules="no_bluff stack",
    ),
    Case(
        "no-bluff/with-stack-no-bluff-as-an-answer",
        ["ann play W4 blue", "bob play W4 green: not_legal"],
        {"awaiting": "challenge"},
        {"ann": "W4 Y8 B5", "bob": "W4 B1"},
        rules="no_bluff stack",
    ),
    Case(
        "no-bluff/a-drawn-bluff-is-not-playable",
        ["ann draw"],
        {"turn": "bob", "awaiting": "turn", "hands": {"ann": "R9 B5 W4"}},
        {"ann": "R9 B5"},
        rules="no_bluff",
        draw="W4 G1",
    ),
    Case(
        "no-bluff/a-drawn-legal-one-is",
        ["ann draw", "ann play W4 blue"],
        {"turn": "cat"},
        {"ann": "G9 B5"},
        rules="no_bluff",
        draw="W4 G1 G3 G4 G6",
    ),
    Case(
        "no-bluff/forced-when-it-is-the-only-card",
        ["ann draw: not_legal", "ann play W4 red"],
        {"turn": "cat"},
        {"ann": "W4 G9 Y8"},
        rules="no_bluff force_play",
    ),
]


@pytest.mark.parametrize("case", STACK + DRAWING + SWAPS + JUMPS + NO_BLUFF, ids=lambda case: case.name)
def test_rule(case: Case) -> None:
    case.check()


def test_the_rules_on_are_named() -> None:
    assert RULE_NAMES == (
        "stack",
        "draw_until_playable",
        "force_play",
        "seven_zero",
        "jump_in",
        "no_bluff",
        "score_target",
    )
    assert RuleSet().names() == ()
    assert RuleSet(no_bluff=True, stack=True).names() == ("stack", "no_bluff")


def test_the_rules_page_names_each() -> None:
    page = (Path(__file__).parents[2] / "docs" / "rules.md").read_text()
    assert [name for name in RULE_NAMES if f"\n### {name}\n" in page] == list(RULE_NAMES)
