"""docs/rules.md, Leaving; Time-outs; Autopilot: each decision, each seat, both directions."""

import itertools
from typing import Any

import pytest

from engine.actions import LEAVE, TIME_OUT
from engine.cards import CARD_OF_CODE, CODE
from engine.chance import shuffle
from engine.errors import IllegalAction
from engine.events import AutopilotSet
from engine.replay import replay
from tests.engine.cases import QUIET, Case, cards, check
from tests.engine.tables import SETTINGS, moves, table

NAMES = ("ann", "bob", "cat", "dan")

#: For each decision: the house rules, what the one who acts holds, the draw pile, what they do first, and how
#: many seats on the table then waits for somebody.
DECISIONS: dict[str, tuple[str, str, str, list[str], int]] = {
    "turn": ("", "B5 B6 B7", QUIET, [], 0),
    "drawn": ("", "B5 B6 B7", "R8 " + QUIET, ["draw"], 0),
    "colour": ("", "WI B5 B6", "W4 " + QUIET, ["play WI"], 0),
    "target": ("", "WI B5 B6", "G2 " + QUIET, ["play WI"], 0),
    "swap": ("seven_zero", "R7 B5 B6", QUIET, ["play R7"], 0),
    "challenge": ("", "W4 B5 B6", QUIET, ["play W4 green"], 1),
    "stack": ("stack", "RD B5 B6", QUIET, ["play RD"], 1),
    "stacked-challenge": ("stack", "W4 B5 B6", QUIET, ["play W4 green"], 1),
}
OTHERS = ("Y1 Y3", "Y4 Y5 Y6", "Y7 Y8 Y9 Y9")


def setting(decision: str, actor: int, direction: int) -> tuple[dict[str, Any], list[str]]:
    """Make a scenario in which the decision waits, and the names in turn order from the one waited for."""
    rules, hand, draw, first, on = DECISIONS[decision]
    order = [NAMES[(actor + step * direction) % 4] for step in range(4)]
    scenario = {
        "players": list(NAMES),
        "rules": dict.fromkeys(rules.split(), True),
        "position": {
            "hands": dict(zip(order, map(cards, (hand, *OTHERS)), strict=True)),
            "draw": cards(draw),
            "discard": ["R2"],
            "turn": order[0],
            "direction": direction,
        },
        "actions": [[order[0], *text.split()] for text in first],
    }
    return scenario, order[on:] + order[:on]


ALL = list(itertools.product(DECISIONS, range(4), (1, -1)))


@pytest.mark.parametrize(("decision", "actor", "direction"), ALL)
def test_who_is_waited_for_leaves(decision: str, actor: int, direction: int) -> None:
    scenario, order = setting(decision, actor, direction)
    before = replay(scenario)["state"]
    leaver, following = order[0], order[1]
    scenario["actions"] = [*scenario["actions"], [leaver, "leave"]]
    answer = replay(scenario)
    state = answer["state"]
    assert answer["results"][-1]["ok"]
    assert (state["turn"], state["awaiting"], state["out"]) == (following, "turn", [leaver])
    hands = {**before["hands"], leaver: []}
    if decision == "target":
        # Whoever has the fewest cards draws one: the next in turn order, with two.
        drawn = 1
        hands[following] = sorted([*hands[following], "G1"], key=CARD_OF_CODE.__getitem__)
    else:
        drawn = 0
    assert state["hands"] == hands
    assert state["draw_count"] == before["draw_count"] - drawn + len(before["hands"][leaver])
    assert state["colour"] == ("red" if decision == "colour" else before["colour"])


@pytest.mark.parametrize(("decision", "actor", "direction"), ALL)
@pytest.mark.parametrize("place", [1, 2, 3])
def test_somebody_else_leaves(decision: str, actor: int, direction: int, place: int) -> None:
    scenario, order = setting(decision, actor, direction)
    before = replay(scenario)["state"]
    leaver = order[place]
    scenario["actions"] = [*scenario["actions"], [leaver, "leave"]]
    state = replay(scenario)["state"]
    kept = ("turn", "awaiting", "colour", "top", "direction", "discard_count")
    assert {key: state[key] for key in kept} == {key: before[key] for key in kept}
    assert state["hands"] == {**before["hands"], leaver: []}
    assert state["out"] == [leaver]


@pytest.mark.parametrize(("decision", "actor", "direction"), ALL)
def test_time_out(decision: str, actor: int, direction: int) -> None:
    scenario, order = setting(decision, actor, direction)
    before = replay(scenario)["state"]
    waited, following = order[0], order[1]
    scenario["actions"] = [*scenario["actions"], [following, "timeout"], [waited, "timeout"]]
    answer = replay(scenario)
    state = answer["state"]
    assert [result.get("error") for result in answer["results"][-2:]] == ["not_your_turn", None]
    assert (state["turn"], state["awaiting"]) == (following, "turn")
    hands = dict(before["hands"])
    drawn = {
        "turn": {waited: 1},
        "target": {following: 1},
        "stack": {waited: 2},
        "challenge": {waited: 4},
        "stacked-challenge": {waited: 4},
    }.get(decision, {})
    if decision == "swap":
        hands[waited], hands[following] = hands[following], hands[waited]
    for name, number in drawn.items():
        assert len(state["hands"].pop(name)) == len(hands.pop(name)) + number
    assert state["hands"] == hands
    assert state["colour"] == ("green" if decision == "colour" else before["colour"])


LEAVING = [
    Case(
        "leaving/challenge-window-as-accepted-with-nothing-drawn",
        ["ann play W4 blue", "bob leave"],
        {"turn": "cat", "awaiting": "turn", "colour": "blue", "hands": {"ann": "Y8 Y9", "cat": "Y7 Y8 Y9"}},
        {"ann": "W4 Y8 Y9"},
        events=["penalty_void", "player_left"],
    ),
    Case(
        "leaving/a-stack-is-void",
        ["ann play RD", "bob play BD", "cat leave", "ann draw"],
        {"hands": {"ann": "B5 B6 G1"}, "turn": "bob"},
        {"ann": "RD B5 B6", "bob": "BD B1"},
        rules="stack",
    ),
    Case(
        "leaving/a-colour-is-red",
        ["ann play WI", "ann leave"],
        {"turn": "bob", "colour": "red", "top": "W4"},
        {"ann": "WI B5 B6"},
        draw="W4 G1 G3",
        events=["colour_named", "player_left"],
    ),
    Case(
        "leaving/the-colour-of-the-first-card-is-red",
        ["ann leave"],
        {"turn": "bob", "awaiting": "turn", "colour": "red", "top": "WI"},
        discard="WI",
    ),
    Case(
        "leaving/a-shell-goes-to-the-fewest-cards",
        ["ann play WI", "ann leave"],
        {"hands": {"cat": "Y7 Y8 G1", "bob": "B1 B3 B4"}},
        {"ann": "WI B5 B6", "cat": "Y7 Y8"},
        draw="G8 G1 G3",
    ),
    Case(
        "leaving/a-shell-goes-to-the-nearest-if-equal",
        ["ann play WI", "ann leave"],
        {"hands": {"cat": "Y7 Y8 Y9 G1", "bob": "B1 B3 B4"}},
        {"ann": "WI B5 B6"},
        draw="G8 G1 G3",
        direction=-1,
    ),
    Case(
        "leaving/a-swap-does-not-happen",
        ["ann play R7", "ann leave"],
        {"hands": {"bob": "B1 B3 B4", "cat": "Y7 Y8 Y9"}, "turn": "bob"},
        {"ann": "R7 B5 B6"},
        rules="seven_zero",
    ),
    Case(
        "leaving/a-drawn-card-goes-with-the-hand",
        ["ann draw", "ann leave"],
        {"turn": "bob", "hands": {"ann": []}, "draw_count": 5},
        draw="R8 G1",
    ),
    Case(
        "leaving/the-player-of-a-wild-four-leaves-and-it-is-accepted",
        ["ann play W4 blue", "ann leave", "bob accept"],
        {"turn": "cat", "hands": {"bob": "B1 B3 B4 G1 G3 G4 G6"}},
        {"ann": "W4 R8 Y9"},
    ),
    Case(
        "leaving/the-player-of-a-legal-wild-four-leaves-and-it-is-challenged",
        ["ann play W4 blue", "ann leave", "bob challenge"],
        {"turn": "cat", "hands": {"bob": "B1 B3 B4 G1 G3 G4 G6 G7 G8"}},
        {"ann": "W4 Y8 Y9"},
    ),
    Case(
        "leaving/the-player-of-a-bluff-leaves-and-draws-nothing",
        ["ann play W4 blue", "ann leave", "bob challenge"],
        {"turn": "bob", "awaiting": "turn", "hands": {"ann": [], "bob": "B1 B3 B4"}},
        {"ann": "W4 R8 Y9"},
        events=["challenge_made", "hand_shown", "penalty_void"],
    ),
    Case(
        "leaving/a-sum-of-which-the-player-left-is-void",
        ["ann play W4 blue", "bob play W4 red", "bob leave", "cat challenge"],
        {"turn": "cat", "awaiting": "turn", "hands": {"cat": "Y7 Y8 Y9", "ann": "Y8 Y9"}},
        {"ann": "W4 Y8 Y9", "bob": "W4 B1 B3"},
        rules="stack",
    ),
    Case(
        "leaving/twice",
        [
            "bob leave",
            "bob leave: left",
            "bob draw: left",
            "bob uno: left",
            "bob timeout: left",
            "bob deal: left",
        ],
        {"out": ["bob"], "turn": "ann"},
    ),
    Case(
        "leaving/one-left-wins-by-forfeit",
        ["cat leave", "bob leave"],
        {"winners": ["ann"], "hand_winner": None},
    ),
    Case(
        "leaving/the-hand-ends-unscored",
        ["ann leave"],
        {
            "scores": {"ann": 0, "bob": 0},
            "awaiting": "over",
            "turn": None,
            "colour": "red",
            "hands": {"bob": "B1 B3 B4"},
        },
        players=2,
    ),
    Case(
        "leaving/colour-of-a-hand-broken-off",
        ["ann play WI", "bob leave"],
        {"winners": ["ann"], "colour": None},
        {"ann": "WI B5 B6"},
        players=2,
        draw="W4 G1 G3",
    ),
    Case(
        "leaving/out-of-turn-while-others-play",
        ["cat leave", "ann draw", "bob draw"],
        {"turn": "ann", "out": ["cat"], "scores": {"cat": 0}, "hands": {"cat": []}},
    ),
    Case(
        "leaving/cards-of-a-finished-hand-go-under-the-draw-pile",
        ["ann play R9", "bob leave"],
        {"awaiting": "deal", "hands": {"bob": []}, "draw_count": 15, "scores": {"ann": 32}},
        {"ann": "R9"},
        match={"hands": 2},
    ),
    Case(
        "leaving/between-hands",
        ["ann play R9", "bob leave", "bob deal: left", "cat deal"],
        {"awaiting": "turn", "hand_no": 2, "hands": {"bob": []}, "out": ["bob"]},
        {"ann": "R9"},
        match={"hands": 2},
    ),
]

TIME_OUTS = [
    Case(
        "time-out/draws-one-and-keeps-it",
        ["ann timeout"],
        {"turn": "bob", "awaiting": "turn", "hands": {"ann": "B5 B6 B7 R8"}},
        draw="R8 G1",
        events=["timed_out", "cards_drawn"],
    ),
    Case(
        "time-out/draws-one-under-draw-until-playable",
        ["ann timeout"],
        {"turn": "bob", "hands": {"ann": "B5 B6 B7 G1"}},
        rules="draw_until_playable",
    ),
    Case(
        "time-out/draws-one-under-force-play",
        ["ann timeout"],
        {"turn": "bob", "hands": {"ann": "R5 B6 G1"}},
        {"ann": "R5 B6"},
        rules="force_play",
    ),
    Case(
        "time-out/keeps-under-force-play",
        ["ann draw", "ann keep: not_legal", "ann timeout"],
        {"turn": "bob", "hands": {"ann": "B5 B6 B7 R8"}},
        draw="R8 G1",
        rules="force_play",
        events=["timed_out", "card_kept"],
    ),
    Case(
        "time-out/draws-the-sum-of-a-stack",
        ["ann play RD", "bob play BD", "cat timeout"],
        {"turn": "ann", "hands": {"cat": "Y7 Y8 Y9 G1 G3 G4 G6"}},
        {"ann": "RD B5 B6", "bob": "BD B1"},
        rules="stack",
    ),
    Case(
        "time-out/accepts",
        ["ann play W4 blue", "bob timeout"],
        {"turn": "cat", "hands": {"ann": "R8 Y9", "bob": "B1 B3 B4 G1 G3 G4 G6"}},
        {"ann": "W4 R8 Y9"},
        events=["timed_out", "cards_drawn"],
    ),
    *(
        Case(
            f"time-out/colour-most-held-{colour}",
            ["ann play WI", "ann timeout"],
            {"turn": "bob", "colour": colour},
            {"ann": f"WI {hand}"},
            draw="W4 WI W4 G1",
            events=["timed_out", "colour_named"],
        )
        for colour, hand in {
            "red": "R1 Y1 G1 B1",
            "yellow": "R1 Y1 Y2 G1 G2 B1 B2",
            "green": "R1 G1 G2 B1 B2",
            "blue": "R1 Y1 B1 B2 WI WI",
        }.items()
    ),
    Case(
        "time-out/colour-with-wilds-alone-is-red",
        ["ann play WI", "ann timeout"],
        {"colour": "red"},
        {"ann": "WI WI"},
        draw="W4 WI W4 G1",
    ),
    Case(
        "time-out/colour-counts-the-cards-just-drawn",
        ["ann play WI", "ann timeout"],
        {"colour": "yellow"},
        {"ann": "WI R1"},
        draw="W4 Y1 Y2 G1",
    ),
    Case(
        "time-out/colour-of-the-first-card-then-the-turn",
        ["ann timeout"],
        {"turn": "ann", "awaiting": "turn", "colour": "blue"},
        discard="WI",
    ),
    Case(
        "time-out/target-fewest-cards",
        ["ann play WI", "ann timeout"],
        {"hands": {"cat": "Y7 G1"}},
        {"ann": "WI B5 B6", "cat": "Y7"},
        draw="G8 G1",
        events=["timed_out", "target_chosen", "cards_drawn"],
    ),
    Case(
        "time-out/target-nearest-if-equal",
        ["ann play WI", "ann timeout"],
        {"hands": {"cat": "Y7 Y8 Y9 G1"}},
        {"ann": "WI B5 B6"},
        draw="G8 G1",
        direction=-1,
    ),
    Case("time-out/only-of-who-is-waited-for", ["bob timeout: not_your_turn"], {"turn": "ann"}),
    Case(
        "time-out/not-between-hands",
        ["ann play R9", "ann timeout: not_now", "bob timeout: not_now"],
        {"awaiting": "deal"},
        {"ann": "R9"},
        match={"hands": 2},
    ),
]

TWO = ["ann timeout", "bob draw", "ann timeout"]
AUTOPILOT = [
    Case("autopilot/not-after-one", ["ann timeout"], {"autopilot": []}, players=2),
    Case(
        "autopilot/after-two-in-a-row",
        TWO,
        {"autopilot": ["ann"]},
        players=2,
        events=["timed_out", "autopilot_set", "cards_drawn"],
    ),
    Case(
        "autopilot/not-after-one-and-an-own-action",
        ["ann timeout", "bob draw", "ann draw", "bob draw"],
        {"autopilot": []},
        players=2,
    ),
    Case(
        "autopilot/drawn-and-turn-are-two",
        ["ann draw", "ann timeout", "bob draw", "ann timeout"],
        {"autopilot": ["ann"]},
        players=2,
        draw="R8 G1 G3",
    ),
    Case("autopilot/stays", [*TWO, "bob draw", "ann timeout"], {"autopilot": ["ann"]}, players=2),
    *(
        Case(
            f"autopilot/ended-by-{text.split()[0]}",
            [*TWO, "bob draw", f"ann {text}"],
            {"autopilot": []},
            {"ann": "R5 B6"},
            2,
        )
        for text in ("draw", "play R5")
    ),
    Case(
        "autopilot/ended-out-of-turn-by-a-catch",
        ["ann timeout", "bob draw", "ann timeout", "bob play R5", "ann catch bob"],
        {"autopilot": []},
        {"bob": "R5"},
        2,
        draw="G1 B8 G3 G4 G6",
        events=["uno_caught", "cards_drawn", "autopilot_set"],
    ),
    Case(
        "autopilot/not-ended-by-a-refusal",
        [*TWO, "ann draw: not_your_turn", "ann uno: nothing_to_call"],
        {"autopilot": ["ann"]},
        players=2,
    ),
    Case(
        "autopilot/not-ended-by-the-clock",
        [*TWO, "bob draw", "ann draw *"],
        {"autopilot": ["ann"]},
        players=2,
    ),
    Case(
        "autopilot/what-a-computer-plays-does-not-break-the-row",
        ["ann timeout", "bob draw", "ann draw *", "bob draw", "ann timeout"],
        {"autopilot": ["ann"]},
        players=2,
    ),
    Case(
        "autopilot/what-the-player-does-breaks-the-row",
        ["ann timeout", "bob draw", "ann draw", "bob draw", "ann timeout"],
        {"autopilot": []},
        players=2,
    ),
    Case(
        "autopilot/each-seat-by-itself",
        ["ann timeout", "bob timeout", "ann timeout", "bob timeout"],
        {"autopilot": ["ann", "bob"]},
        players=2,
    ),
    Case(
        "autopilot/never-names-who-left",
        ["ann timeout", "bob draw", "cat draw", "ann timeout", "ann leave"],
        {"autopilot": [], "out": ["ann"]},
    ),
    Case(
        "autopilot/counted-across-hands",
        ["ann timeout", "bob play R9", "bob deal"],
        {"autopilot": [], "hand_no": 2},
        {"bob": "R9"},
        2,
        match={"hands": 2},
    ),
    Case(
        "autopilot/ended-by-dealing",
        ["ann timeout", "bob play R5", "ann timeout", "bob play R9", "ann deal"],
        {"autopilot": [], "hand_no": 2},
        {"bob": "R5 R9"},
        2,
        match={"hands": 2},
    ),
    Case(
        "autopilot/not-ended-by-the-clock-dealing",
        ["ann timeout", "bob play R5", "ann timeout", "bob play R9", "ann deal *"],
        {"autopilot": ["ann"], "hand_no": 2},
        {"bob": "R5 R9"},
        2,
        match={"hands": 2},
    ),
]


@pytest.mark.parametrize("case", LEAVING + TIME_OUTS + AUTOPILOT, ids=lambda case: case.name)
def test_rule(case: Case) -> None:
    case.check()


def test_two_time_outs_in_two_hands_are_a_row() -> None:
    case = Case(
        "", ["ann timeout", "bob play R9", "bob deal"], {}, {"bob": "R9"}, 2, match={"hands": 2}, dealer="ann"
    )
    scenario = case.scenario()
    first = replay(scenario)["state"]["turn"]
    between = [] if first == "ann" else [["bob", "timeout"]]
    scenario["actions"] += [*between, ["ann", "timeout"]]
    assert "ann" in replay(scenario)["state"]["autopilot"]


@pytest.mark.parametrize("name", SETTINGS)
def test_what_is_done_for_players_neither_wakes_them_nor_breaks_their_row(name: str) -> None:
    done = 0
    for (seat, action), row in itertools.product(moves(table(name)), (1, 2)):
        if action in (TIME_OUT, LEAVE):
            continue
        by_itself, by_hand = table(name), table(name)
        by_itself.game.streak[seat] = by_hand.game.streak[seat] = row
        try:
            events = by_itself.apply(seat, action, auto=True)
        except IllegalAction:
            continue
        done += 1
        assert by_itself.game.streak[seat] == row
        assert not any(isinstance(event, AutopilotSet) for event in events)
        woken = [event for event in by_hand.apply(seat, action) if isinstance(event, AutopilotSet)]
        assert by_hand.game.streak[seat] == 0
        assert woken == ([AutopilotSet(seat, on=False)] if row == 2 else [])
    assert (done > 0) != name.startswith("over")


def test_leavers_cards_lie_shuffled_under_the_draw_pile() -> None:
    hand = cards("W4 B5 R9 Y2 G3")
    case = Case("", ["bob leave", "ann draw"], {}, {"bob": " ".join(hand)}, draw="G1", discard="R2")
    buried = sorted(CARD_OF_CODE[code] for code in hand)
    shuffle(buried, "0/1", 1)
    scenario = case.scenario()
    # Ann draws the last card of the old pile, then the leaver's come up, top first.
    scenario["actions"] += [[name, "timeout"] for name in ("cat", "ann", "cat", "ann", "cat")]
    answer = replay(scenario)
    drawn = [
        code
        for result in answer["results"]
        for event in result["events"]
        if event["type"] == "cards_drawn"
        for code in event["private"]["cards"]
    ]
    assert drawn == ["G1", *(CODE[card] for card in buried)]


def test_an_empty_seat_is_passed_over_all_round() -> None:
    case = Case("", ["bob leave", "dan leave", "ann draw", "cat draw", "ann draw"], players=4)
    check(case.scenario(), [True] * 5, {"turn": "cat", "out": ["bob", "dan"]})
