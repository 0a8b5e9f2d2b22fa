"""docs/rules.md, Going out; Points; Winning the match."""

from typing import Any

import pytest

from tests.engine.cases import Case

OUT = {"awaiting": "over", "hand_winner": "ann", "turn": None}
BLUE = {"bob": "B1 B3 B4", "cat": "Y7 Y8 Y9"}  # 8 and 24 points


def last(name: str, card: str, score: int, state: dict[str, Any] | None = None, **setting: Any) -> Case:
    """Make a case of a last card of ann's, and what the hand scores."""
    play = f"ann play {card} green" if card == "W4" else f"ann play {card}"
    moves = [play, *setting.pop("moves", ())]
    return Case(
        f"going-out/{name}",
        moves,
        {**OUT, "scores": {"ann": score}, **(state or {})},
        {"ann": card},
        **setting,
    )


GOING_OUT = [
    last("last-number", "R9", 32, events=["card_played", "hand_ended", "match_ended"]),
    last("last-skip-does-nothing", "RS", 32, events=["card_played", "hand_ended", "match_ended"]),
    last("last-reverse-does-nothing", "RR", 32, {"direction": 1}),
    last("last-draw-two-is-drawn", "RD", 36, {"hands": {"bob": "B1 B3 B4 G1 G3"}}),
    last(
        "last-draw-two-in-the-other-direction", "RD", 36, {"hands": {"cat": "Y7 Y8 Y9 G1 G3"}}, direction=-1
    ),
    last("last-wild-four-is-drawn", "W4", 46, {"hands": {"bob": "B1 B3 B4 G1 G3 G4 G6"}, "colour": "green"}),
    last("last-wild-four-cannot-be-challenged", "W4", 46, moves=["bob challenge: match_over"]),
    last(
        "last-wild-four-cannot-be-challenged-in-a-longer-match",
        "W4",
        46,
        {"awaiting": "deal"},
        moves=["bob challenge: not_now", "bob accept: not_now"],
        match={"hands": 2},
    ),
    Case(
        "going-out/last-wild-four-needs-a-colour",
        ["ann play W4: colour_needed"],
        {"awaiting": "turn"},
        {"ann": "W4"},
    ),
    last("last-draw-two-with-the-piles-out", "RD", 34, {"hands": {"bob": "B1 B3 B4 R2"}}, draw=""),
    last("last-seven-does-nothing", "R7", 32, rules="seven_zero"),
    last("last-zero-does-nothing", "R0", 32, {"hands": {"ann": [], "bob": "B1 B3 B4"}}, rules="seven_zero"),
    Case(
        "going-out/last-draw-two-cannot-be-answered",
        ["ann play RD", "bob play BD: match_over"],
        {**OUT, "scores": {"ann": 49}, "hands": {"bob": "BD B1 G1 G3"}},
        {"ann": "RD", "bob": "BD B1"},
        rules="stack",
    ),
    Case(
        "going-out/last-draw-two-cannot-be-jumped-on",
        ["ann play RD", "cat play RD: not_now"],
        {**OUT, "awaiting": "deal"},
        {"ann": "RD", "cat": "RD Y8"},
        rules="jump_in",
        match={"hands": 2},
    ),
    Case(
        "going-out/last-card-ends-a-stack",
        ["ann play RD", "bob play BD"],
        {"awaiting": "over", "hand_winner": "bob", "hands": {"cat": "Y7 Y8 Y9 G1 G3 G4 G6"}},
        {"ann": "RD B5", "bob": "BD"},
        rules="stack",
    ),
    Case(
        "going-out/last-wild-four-ends-a-stack",
        ["ann play W4 blue", "bob play W4 red"],
        {"hand_winner": "bob", "hands": {"cat": "Y7 Y8 Y9 G1 G3 G4 G6 G7 G8 G9 Y1"}, "colour": "red"},
        {"ann": "W4 B5", "bob": "W4"},
        rules="stack",
    ),
    Case(
        "going-out/by-a-jump-in",
        ["cat play R2"],
        {"awaiting": "over", "hand_winner": "cat", "scores": {"cat": 26}},
        {"cat": "R2"},
        rules="jump_in",
    ),
]


def box(name: str, flipped: str, score: int, state: dict[str, Any] | None = None, **setting: Any) -> Case:
    """Make a case of a Wild Item Box as a last card."""
    return last(f"last-item-box-{name}", "WI", score, state, draw=f"{flipped} G1 G3 G4 G6", **setting)


BOXES = [
    box("mushroom-does-nothing", "R8", 32, {"top": "R8", "colour": "red", "hands": {"ann": []}}),
    box("banana-counts", "Y8", 36, {"hands": {"cat": "Y7 Y8 Y9 G1 G3"}}),
    box("banana-in-the-other-direction", "Y8", 36, {"hands": {"bob": "B1 B3 B4 G1 G3"}}, direction=-1),
    box("lightning-counts", "B8", 36, {"hands": {"bob": "B1 B3 B4 G1", "cat": "Y7 Y8 Y9 G3", "ann": []}}),
    box(
        "shell-is-aimed-by-the-winner", "G8", 33, {"hands": {"bob": "B1 B3 B4 G1"}}, moves=["ann target bob"]
    ),
    box("shell-is-aimed-by-the-clock", "G8", 33, {"hands": {"bob": "B1 B3 B4 G1"}}, moves=["ann timeout"]),
    box("bob-omb-does-nothing", "W4", 32, {"top": "W4", "colour": None, "hands": {"ann": []}}),
    box("flips-another-box", "WI", 32, {"top": "WI", "colour": None}),
    box(
        "winner-leaves-while-aiming",
        "G8",
        33,
        {"out": ["ann"], "winners": ["ann"], "hands": {"bob": "B1 B3 B4 G1"}},
        moves=["ann leave"],
    ),
    box("last-target-leaves", "G8", 0, {"winners": ["ann"]}, moves=["bob leave", "cat leave"]),
    box("a-target-leaves", "G8", 9, {"hands": {"bob": "B1 B3 B4 G1"}}, moves=["cat leave", "ann target bob"]),
    box(
        "of-two-the-winner-leaves-while-aiming",
        "G8",
        9,
        {"winners": ["ann"], "hand_winner": "ann"},
        moves=["ann leave"],
        players=2,
    ),
]

WON_LATER = [
    Case(
        "going-out/later-leaving-does-not-undo-it",
        ["ann play R9", "ann leave", "bob deal"],
        {"scores": {"ann": 32}, "out": ["ann"], "hand_no": 2, "hand_winner": None},
        {"ann": "R9"},
        match={"hands": 3},
    ),
    Case(
        "going-out/winner-and-points-stay-until-the-next-deal",
        ["ann play R9", "bob leave"],
        {"hand_winner": "ann", "scores": {"ann": 32}, "awaiting": "deal", "top": "R9"},
        {"ann": "R9"},
        match={"hands": 3},
    ),
    Case(
        "going-out/the-first-last-card-wins",
        ["ann play R9", "bob play R8: match_over"],
        {"winners": ["ann"]},
        {"ann": "R9", "bob": "R8"},
    ),
]

SCORING = [
    Case(
        f"scoring/{code}-counts-{points}",
        ["ann play R9"],
        {"scores": {"ann": points}},
        {"ann": "R9", "bob": code},
        players=2,
    )
    for code, points in [
        *((f"{colour}{number}", number) for colour, number in zip("RYGBRYGBRY", range(10), strict=True)),
        *((f"{colour}{action}", 20) for colour in "RYGB" for action in "SRD"),
        ("W4", 50),
        ("WI", 50),
    ]
]
SCORING += [
    Case(
        "scoring/example-of-the-rules",
        ["ann play R9"],
        {"scores": {"ann": 135, "bob": 0, "cat": 0}},
        {"ann": "R9", "bob": "R1 Y3 G4 B8 R9", "cat": "BS YR GD W4"},
    ),
    Case(
        "scoring/adds-to-the-tally",
        ["ann play R9"],
        {"scores": {"ann": 42, "bob": 7}},
        {"ann": "R9"},
        match={"hands": 3},
        start={"scores": {"ann": 10, "bob": 7}},
    ),
    Case(
        "scoring/leavers-cards-do-not-count",
        ["cat leave", "ann play R9"],
        {"scores": {"ann": 8}},
        {"ann": "R9"},
    ),
]


def match(
    name: str, match: dict[str, int] | None, scores: dict[str, int], winners: list[str] | None, **setting: Any
) -> Case:
    """Make a case of a hand that ann wins with 32 points, and whom the match then goes to."""
    hand_no = setting.pop("hand_no", (match or {}).get("hands", 1))
    return Case(
        f"match/{name}",
        setting.pop("moves", ["ann play R9"]),
        {"winners": winners, "awaiting": "deal" if winners is None else "over"},
        setting.pop("hands", {"ann": "R9"}),
        match=match,
        start={"hand_no": hand_no, "scores": scores},
        **setting,
    )


MATCHES = [
    match("one-hand-its-winner", None, {}, ["ann"]),
    match("one-hand-whatever-the-points", {"hands": 1}, {"bob": 400}, ["ann"]),
    match(
        "one-hand-blocked-nobody", None, {"bob": 40}, [], moves=["ann draw", "bob draw", "cat draw"], draw=""
    ),
    match("several-not-before-the-last", {"hands": 3}, {}, None, hand_no=2),
    match("several-most-points", {"hands": 3}, {"bob": 400}, ["bob"]),
    match("several-most-points-with-the-last-hand", {"hands": 3}, {"bob": 31}, ["ann"]),
    match("several-equal-points-share", {"hands": 3}, {"bob": 32}, ["ann", "bob"]),
    match("several-three-share", {"hands": 3}, {"bob": 32, "cat": 32}, ["ann", "bob", "cat"]),
    match(
        "several-nobody-scored-nobody-wins",
        {"hands": 3},
        {},
        [],
        moves=["ann draw", "bob draw", "cat draw"],
        draw="",
    ),
    match(
        "several-only-those-seated",
        {"hands": 3},
        {"bob": 400, "cat": 33},
        ["cat"],
        moves=["bob leave", "ann play R9"],
        draw="",
    ),
    match(
        "several-none-of-those-seated-scored",
        {"hands": 3},
        {"bob": 400},
        [],
        moves=["bob leave", "ann draw", "cat draw", "ann draw"],
        hands={"ann": "B5", "bob": "G9", "cat": "Y7"},
        draw="",
    ),
    match("several-the-first-hand-of-two", {"hands": 2}, {}, None, hand_no=1),
    match("target-not-reached", {"target": 500}, {"ann": 467}, None),
    match("target-reached-exactly", {"target": 500}, {"ann": 468}, ["ann"]),
    match("target-passed", {"target": 500}, {"ann": 499, "bob": 499}, ["ann"]),
    match("target-first-to-reach-it", {"target": 32}, {"bob": 31}, ["ann"]),
    match(
        "target-blocked-goes-on",
        {"target": 500},
        {"ann": 499},
        None,
        moves=["ann draw", "bob draw", "cat draw"],
        draw="",
    ),
    match("target-by-house-rule", None, {"ann": 468}, ["ann"], rules="score_target"),
    match("target-by-house-rule-not-reached", None, {"ann": 467}, None, rules="score_target"),
    match("target-another-with-the-house-rule", {"target": 40}, {"ann": 8}, ["ann"], rules="score_target"),
    Case(
        "match/target-reached-by-who-leaves-while-aiming",
        ["ann play WI", "ann leave"],
        {"winners": ["ann"], "scores": {"ann": 33}},
        {"ann": "WI"},
        draw="G8 G1",
        match={"target": 33},
    ),
    Case(
        "match/target-not-reached-by-who-leaves-while-aiming",
        ["ann play WI", "ann leave"],
        {"winners": None, "awaiting": "deal", "scores": {"ann": 33}},
        {"ann": "WI"},
        draw="G8 G1",
        match={"target": 34},
    ),
    Case(
        "match/last-winner-who-left-while-aiming-was-seated",
        ["ann play WI", "ann leave"],
        {"winners": ["ann"]},
        {"ann": "WI"},
        draw="G8 G1",
        match={"hands": 3},
        start={"hand_no": 3, "scores": {"bob": 30}},
    ),
    Case(
        "match/last-winner-who-left-while-aiming-may-lose",
        ["ann play WI", "ann leave"],
        {"winners": ["bob"]},
        {"ann": "WI"},
        draw="G8 G1",
        match={"hands": 3},
        start={"hand_no": 3, "scores": {"bob": 34}},
    ),
    Case(
        "match/last-winner-who-left-while-aiming-and-nobody-has-scored",
        ["ann play WI", "ann leave"],
        {"winners": ["bob"], "hand_winner": "ann", "scores": {"ann": 0, "bob": 0}},
        {"ann": "WI", "bob": "G0"},
        players=2,
        draw="G8 R0",
        match={"hands": 3},
        start={"hand_no": 3},
    ),
    Case(
        "match/winner-of-an-earlier-hand-who-leaves-cannot-win",
        ["ann play R9", "ann leave", "cat leave"],
        {"winners": ["bob"], "scores": {"ann": 32}, "awaiting": "over"},
        {"ann": "R9"},
        match={"hands": 2},
    ),
    Case(
        "match/forfeit-in-a-hand",
        ["bob leave", "cat leave"],
        {"winners": ["ann"], "hand_winner": None, "scores": {"ann": 0}, "awaiting": "over"},
        events=["player_left", "hand_ended", "match_ended"],
    ),
    Case(
        "match/forfeit-of-the-one-whose-turn-it-was",
        ["ann leave"],
        {"winners": ["bob"], "hand_winner": None, "turn": None},
        players=2,
    ),
    Case(
        "match/forfeit-between-hands",
        ["ann play R9", "bob leave", "cat leave"],
        {"winners": ["ann"], "scores": {"ann": 32}, "hand_winner": "ann"},
        {"ann": "R9"},
        match={"hands": 3},
        events=["player_left", "match_ended"],
    ),
    Case(
        "match/forfeit-whatever-the-points",
        ["bob leave"],
        {"winners": ["ann"], "scores": {"bob": 400, "ann": 0}},
        players=2,
        match={"hands": 3},
        start={"scores": {"bob": 400}},
    ),
    Case(
        "match/forfeit-in-the-last-hand-that-stays-won",
        ["ann play WI", "bob leave"],
        {"winners": ["ann"], "hand_winner": "ann", "scores": {"ann": 0, "bob": 10}},
        {"ann": "WI"},
        players=2,
        draw="G8 G1",
        match={"hands": 3},
        start={"hand_no": 3, "scores": {"bob": 10}},
    ),
    Case(
        "match/over-is-over",
        [
            "ann play R9",
            *(
                f"bob {verb}: match_over"
                for verb in ("draw", "deal", "leave", "timeout", "uno", "catch ann", "accept")
            ),
        ],
        {"out": []},
        {"ann": "R9"},
    ),
]


@pytest.mark.parametrize(
    "case", GOING_OUT + BOXES + WON_LATER + SCORING + MATCHES, ids=lambda case: case.name
)
def test_rule(case: Case) -> None:
    case.check()
