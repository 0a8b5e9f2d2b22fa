"""docs/rules.md, Your turn; The piles; Blocked hands."""

import pytest

from tests.engine.cases import Case

PLAYING = [
    Case("turn/plays-by-colour", ["ann play R9"], {"turn": "bob", "top": "R9"}, {"ann": "R9 B5 B6"}),
    Case(
        "turn/plays-by-number",
        ["ann play B2"],
        {"turn": "bob", "colour": "blue"},
        {"ann": "B2 B5 B6"},
        events=["card_played"],
    ),
    *(
        Case(
            f"turn/plays-by-symbol-{code[1]}",
            [f"ann play {code}"],
            {"top": code, "colour": "blue"},
            {"ann": f"{code} B5 B6"},
            discard=f"R{code[1]}",
        )
        for code in ("BS", "BR", "BD")
    ),
    Case(
        "turn/other-symbol-does-not-match",
        ["ann play BS: does_not_match"],
        {},
        {"ann": "BS B5"},
        discard="RR",
    ),
    Case("turn/number-is-no-symbol", ["ann play B5: does_not_match"], {"turn": "ann"}),
    Case(
        "turn/any-wild-four-on-anything",
        ["ann play W4 green"],
        {"awaiting": "challenge", "colour": "green"},
        {"ann": "W4 B5 B6"},
    ),
    Case("turn/any-item-box-on-anything", ["ann play WI"], {"top": "G1"}, {"ann": "WI B5 B6"}),
    Case(
        "turn/wild-four-on-wild-four",
        ["ann play W4 red"],
        {"awaiting": "challenge", "colour": "red", "top": "W4"},
        {"ann": "W4 B5 B6"},
        discard="W4",
        colour="green",
    ),
    Case(
        "turn/on-a-wild-the-named-colour",
        ["ann play R4: does_not_match", "ann play G9"],
        {"turn": "bob"},
        {"ann": "R4 G9 B5"},
        discard="W4",
        colour="green",
    ),
    Case("turn/may-decline", ["ann draw"], {"turn": "bob", "top": "R2"}, {"ann": "R9 W4 WI"}),
    Case(
        "turn/drawn-unplayable-ends-the-turn",
        ["ann draw"],
        {"turn": "bob", "awaiting": "turn", "hands": {"ann": "B5 B6 B7 G1"}},
        events=["cards_drawn"],
    ),
    Case(
        "turn/drawn-playable-waits",
        ["ann draw", "bob draw: not_your_turn", "ann draw: not_now"],
        {"turn": "ann", "awaiting": "drawn", "hands": {"ann": "B5 B6 B7 R8"}},
        draw="R8 G1",
    ),
    Case(
        "turn/drawn-playable-is-played",
        ["ann draw", "ann play R8"],
        {"turn": "bob", "awaiting": "turn", "top": "R8", "hands": {"ann": "B5 B6 B7"}},
        draw="R8 G1",
    ),
    Case(
        "turn/drawn-playable-is-kept",
        ["ann draw", "ann keep"],
        {"turn": "bob", "top": "R2", "hands": {"ann": "B5 B6 B7 R8"}},
        draw="R8 G1",
        events=["card_kept"],
    ),
    Case(
        "turn/drawn-that-card-only",
        ["ann draw", "ann play R9: not_now", "ann play R7: not_in_hand", "ann play R8"],
        {"top": "R8"},
        {"ann": "R9 B5"},
        draw="R8 G1",
    ),
    Case(
        "turn/drawn-twin-is-the-same-card",
        ["ann draw", "ann play R8"],
        {"hands": {"ann": "R8 B5"}},
        {"ann": "R8 B5"},
        draw="R8 G1",
    ),
    Case(
        "turn/drawn-wild-four-may-bluff",
        ["ann draw", "ann play W4: colour_needed", "ann play W4 blue", "bob challenge"],
        {"turn": "bob", "awaiting": "turn", "hands": {"ann": "R9 B5 G1 G3 G4 G6"}},
        {"ann": "R9 B5"},
        draw="W4 " + "G1 G3 G4 G6 G7",
    ),
    Case(
        "turn/drawn-item-box-is-playable",
        ["ann draw", "ann play WI"],
        {"turn": "bob", "top": "Y8", "hands": {"ann": "B5 B6 B7", "cat": "Y7 Y8 Y9 G1 G3"}},
        draw="WI Y8 G1 G3",
    ),
    Case("turn/turns-go-round", ["ann draw", "bob draw", "cat draw"], {"turn": "ann"}),
    Case(
        "turn/turns-go-round-the-other-way",
        ["ann draw", "cat draw", "bob draw"],
        {"turn": "ann", "direction": -1},
        direction=-1,
    ),
    Case("turn/not-in-hand", ["ann play R9: not_in_hand"], {"turn": "ann"}),
    Case("turn/not-yours", ["bob play R9: not_your_turn", "bob draw: not_your_turn"], {}, {"bob": "R9 R8"}),
    Case(
        "turn/refused-changes-nothing",
        ["bob draw: not_your_turn", "ann play B5: does_not_match", "ann draw"],
        {"hands": {"ann": "B5 B6 B7 G1"}, "draw_count": 11},
    ),
]

PILES = [
    Case(
        "piles/discard-becomes-draw-pile-when-a-card-must-be-drawn",
        ["ann draw"],
        {"draw_count": 1, "discard_count": 1, "top": "R2"},
        discard="R2 G8 G9",
        draw="",
        events=["pile_shuffled", "cards_drawn"],
    ),
    Case(
        "piles/not-before-a-card-must-be-drawn",
        ["ann draw"],
        {"draw_count": 0, "discard_count": 3},
        discard="R2 G8 G9",
        draw="G1",
        events=["cards_drawn"],
    ),
    Case(
        "piles/shuffled-in-the-middle-of-a-draw",
        ["ann play RD"],
        {"draw_count": 1, "discard_count": 1, "top": "RD", "turn": "cat"},
        {"ann": "RD B5 B6"},
        discard="R2 G8",
        draw="G1",
        events=["card_played", "pile_shuffled", "cards_drawn"],
    ),
    Case(
        "piles/a-wild-loses-its-colour-in-the-draw-pile",
        ["ann draw", "ann play WI"],
        {
            "awaiting": "turn",
            "top": "R2",
            "colour": "red",
            "draw_count": 0,
            "discard_count": 2,
            "turn": "ann",
        },
        discard="R2 WI",
        draw="",
    ),
    Case(
        "piles/draws-as-many-as-there-are",
        ["ann play RD"],
        {"turn": "cat", "hands": {"bob": "B1 B3 B4 R2"}, "draw_count": 0, "discard_count": 1},
        {"ann": "RD B5 B6"},
        draw="",
    ),
    Case(
        "piles/draws-none",
        ["ann draw"],
        {"turn": "bob", "hands": {"ann": "B5 B6 B7"}},
        draw="",
        events=["cards_drawn"],
    ),
    Case(
        "piles/item-box-turns-over-the-card-it-was-played-on",
        ["ann play WI"],
        {"top": "R2", "turn": "ann", "discard_count": 2, "draw_count": 0},
        {"ann": "WI B5 B6"},
        draw="",
        events=["card_played", "pile_shuffled", "card_flipped", "item_fired"],
    ),
    Case(
        "piles/item-box-flips-only-a-shuffled-pile",
        ["ann play WI"],
        {"discard_count": 2, "draw_count": 2},
        {"ann": "WI B5 B6"},
        discard="R2 R8 R9",
        draw="",
    ),
]

BLOCKED = [
    Case(
        "blocked/passes-all-round",
        ["ann draw", "bob draw", "cat draw"],
        {"awaiting": "over", "winners": []},
        draw="",
    ),
    Case(
        "blocked/not-one-pass-before",
        ["ann draw", "bob draw"],
        {"awaiting": "turn", "turn": "cat"},
        draw="",
    ),
    Case(
        "blocked/nobody-scores",
        ["ann draw", "bob draw", "cat draw"],
        {"hand_winner": None, "scores": {"ann": 0, "bob": 0, "cat": 0}, "turn": None},
        draw="",
        events=["cards_drawn", "hand_ended", "match_ended"],
    ),
    Case(
        "blocked/a-play-restarts-the-count",
        # Ann draws the red two from under the Draw Two; that is no turn of hers.
        ["ann draw", "bob draw", "cat play RD", "bob draw", "cat draw"],
        {"awaiting": "turn", "turn": "ann"},
        {"cat": "RD Y8 Y9"},
        draw="",
    ),
    Case(
        "blocked/a-leave-restarts-the-count",
        ["ann draw", "bob draw", "dan leave", "cat draw", "ann draw"],
        # Dan's cards were put under the draw pile and drawn by cat and ann.
        {"awaiting": "turn", "turn": "bob", "draw_count": 1},
        players=4,
        draw="",
    ),
    Case(
        "blocked/a-time-out-is-a-pass-too",
        ["ann timeout", "bob draw", "cat timeout"],
        {"awaiting": "over", "hand_winner": None},
        draw="",
    ),
    Case(
        "blocked/a-penalty-that-could-not-be-drawn-is-no-pass",
        [
            "ann play RD",  # bob draws the one card under the Draw Two, and no second
            "cat draw",
            "ann draw",
        ],
        {"awaiting": "turn", "turn": "bob"},
        {"ann": "RD B5 B6"},
        draw="",
    ),
    Case(
        "blocked/an-effect-that-could-not-be-drawn-is-no-pass",
        # Lightning: bob draws the box, and cat none.
        ["ann play WI", "ann draw", "bob draw"],
        {"awaiting": "turn", "turn": "cat", "hands": {"bob": "Y1 Y3 WI", "cat": "Y7 Y8 Y9"}},
        {"ann": "WI Y5 Y6", "bob": "Y1 Y3"},
        discard="B2",
        draw="",
    ),
    Case(
        "blocked/leavers-do-not-count",
        ["cat leave", "ann draw", "bob draw", "ann draw"],
        {"awaiting": "over", "hands": {"ann": "B5 B6 G9", "bob": "B1 B3"}},
        {"ann": "B5 B6", "bob": "B1 B3", "cat": "G9"},
        draw="",
    ),
    Case(
        "blocked/counts-as-one-of-the-hands",
        ["ann draw", "bob draw", "cat draw", "ann deal"],
        {"hand_no": 2, "awaiting": "turn"},
        draw="",
        match={"hands": 2},
    ),
    Case(
        "blocked/as-the-last-hand-ends-the-match",
        ["ann draw", "bob draw", "cat draw"],
        {"awaiting": "over", "winners": ["bob"]},
        draw="",
        match={"hands": 2},
        start={"hand_no": 2, "scores": {"bob": 40, "cat": 30}},
    ),
]


#: Turn actions of a hand that goes on for ever: nobody can play what the pile gives.
ENDLESS = ("ann draw", "bob draw")


def endless(name: str, last: list[str], state: dict[str, object], *, rules: str = "", **setting: str) -> Case:
    """Make a case of 999 draws, whose last moves are those named; cards left in the pile come first."""
    hands = {"ann": setting.get("ann", "B5 B6 B7"), "bob": setting.get("bob", "B1 B3 B4")}
    draw = "G1*999 " + setting.get("next", "G3 G4 G6 G7 G8 G9")
    before = [ENDLESS[number % 2] for number in range(999)]
    return Case(f"blocked/1000th-{name}", [*before, *last], state, hands, 2, rules, draw=draw)


THOUSAND = [
    endless("draw", ["bob draw"], {"awaiting": "over", "winners": [], "hand_winner": None}),
    endless("not-before", [], {"awaiting": "turn", "turn": "bob"}),
    endless("play", ["bob play R9"], {"awaiting": "over", "top": "R9", "scores": {"bob": 0}}, bob="R9 B1"),
    endless(
        "carried-out", ["bob play RD"], {"awaiting": "over", "top": "RD", "colour": "red"}, bob="RD B1 B3"
    ),
    endless("drawn-card-is-not-asked", ["bob draw"], {"awaiting": "over", "turn": None}, next="R9 G3"),
    endless(
        "colour-is-not-asked",
        ["bob play WI"],
        {"awaiting": "over", "colour": None},
        bob="WI B1",
        next="W4 G3 G4",
    ),
    endless("target-is-not-asked", ["bob play WI"], {"awaiting": "over", "turn": None}, bob="WI B1"),
    endless(
        "challenge-is-not-asked", ["bob play W4 blue"], {"awaiting": "over", "colour": "blue"}, bob="W4 B1"
    ),
    endless("swap-is-not-asked", ["bob play R7"], {"awaiting": "over"}, bob="R7 B1", rules="seven_zero"),
    endless("stack-is-not-asked", ["bob play RD"], {"awaiting": "over"}, bob="RD B1", rules="stack"),
    endless("time-out", ["bob timeout"], {"awaiting": "over", "hand_winner": None}),
]
#: With two players bob's Skips give him every turn, so that his thousandth action can win.
SKIPS = ["bob play RS"] * 999
THOUSAND += [
    Case(
        "blocked/1000th-wins",
        [*SKIPS, "bob play R9"],
        {"hand_winner": "bob", "winners": ["bob"], "scores": {"bob": 18}},
        {"bob": "RS*999 R9"},
        2,
        turn="bob",
    ),
    Case(
        "blocked/1000th-wins-and-still-aims",
        [*SKIPS, "bob play WI", "bob target ann"],
        {"hand_winner": "bob", "winners": ["bob"], "scores": {"bob": 21}},
        {"bob": "RS*999 WI"},
        2,
        turn="bob",
        draw="G1 G3",
    ),
]


@pytest.mark.parametrize("case", PLAYING + PILES + BLOCKED + THOUSAND, ids=lambda case: case.name)
def test_rule(case: Case) -> None:
    case.check()
