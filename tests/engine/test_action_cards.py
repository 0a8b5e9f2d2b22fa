"""docs/rules.md, Action cards; Wild Draw Four; Challenge; Wild Item Box."""

import itertools
from collections.abc import Sequence
from typing import Any

import pytest

from tests.engine.cases import Case, check

SIMPLE = [
    Case(
        "draw-two/next-draws-two-and-loses-the-turn",
        ["ann play RD"],
        {"turn": "cat", "hands": {"bob": "B1 B3 B4 G1 G3"}},
        {"ann": "RD B5 B6"},
        events=["card_played", "cards_drawn"],
    ),
    Case(
        "draw-two/in-the-other-direction",
        ["ann play RD"],
        {"turn": "bob", "hands": {"cat": "Y7 Y8 Y9 G1 G3"}},
        {"ann": "RD B5 B6"},
        direction=-1,
    ),
    Case(
        "draw-two/with-two-the-same-player-again",
        ["ann play RD"],
        {"turn": "ann"},
        {"ann": "RD B5 B6"},
        players=2,
    ),
    Case(
        "draw-two/cannot-be-answered",
        ["ann play RD", "bob play BD: not_your_turn"],
        {"turn": "cat"},
        {"ann": "RD B5 B6", "bob": "BD B1"},
    ),
    Case("reverse/turns-round", ["ann play RR"], {"turn": "cat", "direction": -1}, {"ann": "RR B5 B6"}),
    Case(
        "reverse/turns-back",
        ["ann play RR"],
        {"turn": "bob", "direction": 1},
        {"ann": "RR B5 B6"},
        direction=-1,
    ),
    Case(
        "reverse/with-two-the-same-player-again",
        ["ann play RR", "ann play RR"],
        {"turn": "ann", "direction": 1},
        {"ann": "RR RR B5 B6"},
        players=2,
        events=["card_played", "direction_turned"],
    ),
    Case(
        "reverse/with-two-left-of-three",
        ["bob leave", "ann play RR"],
        {"turn": "ann", "direction": -1},
        {"ann": "RR B5 B6"},
    ),
    Case("skip/next-loses-the-turn", ["ann play RS"], {"turn": "cat"}, {"ann": "RS B5 B6"}),
    Case("skip/in-the-other-direction", ["ann play RS"], {"turn": "bob"}, {"ann": "RS B5 B6"}, direction=-1),
    Case(
        "skip/with-two-the-same-player-again", ["ann play RS"], {"turn": "ann"}, {"ann": "RS B5"}, players=2
    ),
    Case(
        "skip/passes-over-who-left",
        ["bob leave", "ann play RS"],
        {"turn": "dan"},
        {"ann": "RS B5 B6"},
        players=4,
        events=["card_played", "turn_skipped"],
    ),
]

BLUE_FOUR = "ann play W4 blue"
FOUR_DRAWN = "B1 B3 B4 G1 G3 G4 G6"
SIX_DRAWN = FOUR_DRAWN + " G7 G8"


def judged(name: str, hand: str, *, legal: bool, **setting: str) -> Case:
    """Make a case of a challenge: what ann held beside her Wild Draw Four makes it legal or not."""
    state = (
        {"turn": "cat", "hands": {"ann": hand, "bob": SIX_DRAWN}}
        if legal
        else {"turn": "bob", "awaiting": "turn", "hands": {"ann": hand + " G1 G3 G4 G6", "bob": "B1 B3 B4"}}
    )
    return Case(
        f"wild-four/{name}-makes-it-{'legal' if legal else 'illegal'}",
        [BLUE_FOUR, "bob challenge"],
        {**state, "top": "W4", "colour": "blue"},
        {"ann": f"W4 {hand}"},
        **setting,
    )


WILD_FOUR = [
    Case(
        "wild-four/waits-for-the-next-player",
        [
            BLUE_FOUR,
            "cat challenge: not_your_turn",
            "ann challenge: not_your_turn",
            "cat accept: not_your_turn",
        ],
        {"awaiting": "challenge", "turn": "bob", "colour": "blue", "top": "W4", "hands": {"bob": "B1 B3 B4"}},
        {"ann": "W4 Y8 Y9"},
    ),
    Case(
        "wild-four/accepted",
        [BLUE_FOUR, "bob accept"],
        {"awaiting": "turn", "turn": "cat", "colour": "blue", "hands": {"bob": FOUR_DRAWN}},
        {"ann": "W4 R9 Y9"},
        events=["cards_drawn"],
    ),
    Case(
        "wild-four/accept-or-challenge-and-nothing-else",
        [BLUE_FOUR, "bob draw: not_now", "bob play B1: not_now", "bob keep: not_now", "bob play R9: not_now"],
        {"awaiting": "challenge"},
        {"ann": "W4 R9 Y9"},
    ),
    Case("wild-four/the-colour-comes-with-the-play", ["ann play W4: colour_needed"], {}, {"ann": "W4 R9"}),
    Case(
        "wild-four/may-name-the-same-colour",
        ["ann play W4 red", "bob accept"],
        {"colour": "red"},
        {"ann": "W4 Y8 Y9"},
    ),
    judged("nothing-of-the-colour", "Y8 G9 B5", legal=True),
    judged("a-card-of-the-colour", "R9 Y8", legal=False),
    judged("an-action-card-of-the-colour", "RS Y8", legal=False),
    judged("an-item-box", "WI Y8", legal=False),
    judged("another-wild-four", "W4 Y8", legal=True),
    judged("a-card-of-the-number", "Y2 G9", legal=True),
    judged("a-card-of-the-symbol", "YS G9", legal=True, discard="RS"),
    judged("on-a-wild-a-card-of-the-named-colour", "G9 Y8", legal=False, discard="W4 R2", colour="green"),
    judged("on-a-wild-a-card-of-the-colour-below-it", "R9 Y8", legal=True, discard="W4 R2", colour="green"),
    judged("a-card-of-the-colour-it-names", "B9 Y8", legal=True),
    Case(
        "challenge/judged-by-the-hand-at-the-play",
        [BLUE_FOUR, "dan catch ann", "bob challenge"],
        # The red card came with the catch, after the play.
        {"turn": "cat", "hands": {"ann": "Y8 R8 G1"}},
        {"ann": "W4 Y8"},
        players=4,
        draw="R8 " + "G1 G3 G4 G6 G7 G8 G9",
    ),
    Case(
        "challenge/upheld-takes-a-normal-turn",
        [BLUE_FOUR, "bob challenge", "bob play B1"],
        {"turn": "cat", "top": "B1"},
        {"ann": "W4 R9 Y9"},
    ),
    Case(
        "challenge/upheld-turn-may-draw",
        [BLUE_FOUR, "bob challenge", "bob draw"],
        {"turn": "cat", "hands": {"bob": "B1 B3 B4 G7"}},
        {"ann": "W4 R9 Y9"},
    ),
    Case(
        "challenge/only-where-a-wild-four-waits",
        ["ann challenge: not_now", "ann accept: not_now", "bob challenge: not_your_turn"],
    ),
    Case(
        "challenge/of-a-wild-four-on-a-last-but-one-card",
        [BLUE_FOUR, "bob challenge"],
        {"turn": "bob", "hands": {"ann": "R9 G1 G3 G4 G6"}, "uno_owed": []},
        {"ann": "W4 R9"},
    ),
    Case(
        "challenge/with-two-accepting-gives-the-turn-back",
        [BLUE_FOUR, "bob accept"],
        {"turn": "ann", "awaiting": "turn"},
        {"ann": "W4 R9 Y9"},
        players=2,
    ),
    Case(
        "challenge/with-too-few-cards-draws-what-there-is",
        [BLUE_FOUR, "bob challenge"],
        {"turn": "cat", "hands": {"bob": "B1 B3 B4 G1 R2"}, "draw_count": 0},
        {"ann": "W4 Y8 Y9"},
        draw="G1",
    ),
]


def test_challenge_shows_the_hand_to_the_challenger_alone() -> None:
    case = Case("challenge/shown", [BLUE_FOUR, "bob challenge"], hands={"ann": "W4 R9 Y9"})
    answer = check(case.scenario(), [True, True], {})
    made, shown, drawn = answer["results"][1]["events"]
    assert made == {"type": "challenge_made", "seat": "bob", "other": "ann", "bluff": True}
    assert shown == {
        "type": "hand_shown",
        "seat": "bob",
        "other": "ann",
        "private": {"for": "bob", "cards": ["R9", "Y9"]},
    }
    assert drawn["seat"] == "ann"
    assert drawn["private"] == {"for": "ann", "cards": ["G1", "G3", "G4", "G6"]}


def box(
    name: str, flipped: str, state: dict[str, Any], moves: Sequence[str] = ("ann play WI",), **setting: Any
) -> Case:
    """Make a case of a Wild Item Box that flips a card; ann keeps two cards."""
    draw = f"{flipped} G1 G3 G4 G6 G7"
    return Case(f"item-box/{name}", moves, state, {"ann": "WI B5 B6"}, draw=draw, **setting)


BOB_TWO = "B1 B3 B4 G1 G3"
CAT_TWO = "Y7 Y8 Y9 G1 G3"
ITEMS = [
    box(
        "takes-the-flipped-card-as-the-top",
        "Y8",
        {"top": "Y8", "colour": "yellow", "discard_count": 3},
        events=["card_played", "card_flipped", "item_fired", "cards_drawn"],
    ),
    box("play-goes-on-by-the-flipped-number", "Y4", {"turn": "cat"}, moves=["ann play WI", "bob play B4"]),
    *(
        box(f"mushroom-{code}-is-an-extra-turn", code, {"turn": "ann", "awaiting": "turn", "direction": 1})
        for code in ("R8", "RS", "RR", "RD")
    ),
    box("mushroom-turn-may-draw", "R8", {"turn": "bob"}, moves=["ann play WI", "ann draw"]),
    box("mushroom-turn-may-play", "B5", {"turn": "ann"}),
    box(
        "mushroom-is-mandatory",
        "R8",
        {},
        moves=["ann play WI", "ann keep: not_now", "bob draw: not_your_turn"],
    ),
    *(
        box(
            f"banana-{code}-hits-the-one-before",
            code,
            {"turn": "bob", "hands": {"cat": CAT_TWO}, "direction": 1},
        )
        for code in ("Y8", "YS", "YR", "YD")
    ),
    box("banana-in-the-other-direction", "Y8", {"turn": "cat", "hands": {"bob": BOB_TWO}}, direction=-1),
    box("banana-with-two-hits-the-opponent", "Y8", {"turn": "bob", "hands": {"bob": BOB_TWO}}, players=2),
    box(
        "banana-passes-over-who-left",
        "Y8",
        {"turn": "bob", "hands": {"cat": CAT_TWO}},
        players=4,
        moves=["dan leave", "ann play WI"],
    ),
    *(
        box(
            f"shell-{code}-is-aimed",
            code,
            {"turn": "bob", "awaiting": "turn", "hands": {"cat": "Y7 Y8 Y9 G1"}, "colour": "green"},
            moves=["ann play WI", "ann target cat"],
            events=["target_chosen", "cards_drawn"],
        )
        for code in ("G8", "GS", "GR", "GD")
    ),
    box("shell-costs-no-turn", "G8", {"turn": "bob"}, moves=["ann play WI", "ann target bob"]),
    box(
        "shell-not-at-oneself",
        "G8",
        {"awaiting": "target", "turn": "ann", "colour": "green"},
        moves=[
            "ann play WI",
            "ann target ann: bad_target",
            "bob target cat: not_your_turn",
            "ann draw: not_now",
        ],
    ),
    box(
        "shell-not-at-who-left",
        "G8",
        {"awaiting": "target"},
        moves=["cat leave", "ann play WI", "ann target cat: bad_target"],
    ),
    box(
        "shell-is-asked-with-one-opponent-too",
        "G8",
        {"awaiting": "turn", "turn": "bob", "hands": {"bob": "B1 B3 B4 G1"}},
        players=2,
        moves=["ann play WI", "bob draw: not_your_turn", "ann target bob"],
    ),
    *(
        box(
            f"lightning-{code}-hits-everybody-else",
            code,
            {"turn": "ann", "hands": {"bob": "B1 B3 B4 G1", "cat": "Y7 Y8 Y9 G3", "ann": "B5 B6"}},
        )
        for code in ("B8", "BS", "BR", "BD")
    ),
    box(
        "lightning-in-turn-order",
        "B8",
        {"turn": "ann", "hands": {"cat": "Y7 Y8 Y9 G1", "bob": "B1 B3 B4 G3"}},
        direction=-1,
    ),
    box(
        "lightning-passes-over-who-left",
        "B8",
        {"turn": "ann", "hands": {"bob": [], "cat": "Y7 Y8 Y9 G1"}},
        moves=["bob leave", "ann play WI"],
    ),
    *(
        box(
            f"bob-omb-{code}-draws-two-then-asks-the-colour",
            code,
            {"awaiting": "colour", "turn": "ann", "colour": None, "hands": {"ann": "B5 B6 G1 G3"}},
            events=["card_played", "card_flipped", "item_fired", "cards_drawn"],
        )
        for code in ("W4", "WI")
    ),
    box(
        "bob-omb-then-the-next-player",
        "WI",
        {"turn": "bob", "awaiting": "turn", "colour": "green", "top": "WI"},
        moves=["ann play WI", "bob colour green: not_your_turn", "ann draw: not_now", "ann colour green"],
        events=["colour_named"],
    ),
    box(
        "bob-omb-wild-four-waits-on-nobody",
        "W4",
        {"turn": "bob", "awaiting": "turn", "hands": {"bob": "B1 B3 B4"}},
        moves=["ann play WI", "ann colour green", "bob challenge: not_now"],
    ),
    box(
        "seven-flipped-swaps-nothing",
        "Y7",
        {"hands": {"ann": "B5 B6"}, "awaiting": "turn", "turn": "bob"},
        rules="seven_zero",
    ),
    box("zero-flipped-passes-nothing-on", "R0", {"hands": {"ann": "B5 B6"}}, rules="seven_zero"),
    box(
        "draw-two-flipped-starts-no-stack", "YD", {"hands": {"bob": "B1 B3 B4"}, "turn": "bob"}, rules="stack"
    ),
    box(
        "bob-omb-is-played-on-by-colour-alone",
        "W4",
        {"top": "W4", "turn": "bob", "awaiting": "drawn"},
        moves=["ann play WI", "ann colour green", "bob play B4: does_not_match", "bob draw"],
    ),
]


@pytest.mark.parametrize("case", SIMPLE + WILD_FOUR + ITEMS, ids=lambda case: case.name)
def test_rule(case: Case) -> None:
    case.check()


@pytest.mark.parametrize(
    ("players", "direction", "seat"),
    [(n, way, seat) for n in (2, 3, 10) for way, seat in itertools.product((1, -1), range(n))],
)
def test_the_next_player_is_the_neighbour(players: int, direction: int, seat: int) -> None:
    names = [f"p{number}" for number in range(players)]
    scenario = {
        "players": names,
        "position": {
            "hands": {name: ["RD", "B5", "B6"] for name in names},
            "draw": ["G1"] * 4,
            "discard": ["R2"],
            "turn": names[seat],
            "direction": direction,
        },
        "actions": [[names[seat], "play", "RD"]],
    }
    victim, after = names[(seat + direction) % players], names[(seat + 2 * direction) % players]
    check(scenario, [True], {"turn": after, "hands": {victim: "RD B5 B6 G1 G1"}})
