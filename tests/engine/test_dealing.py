"""docs/rules.md, Deck; The deal: the cards, the deal, the first card, the dealer."""

from collections import Counter
from typing import Any

import pytest

from engine.cards import CODE, COLOUR, COLOUR_NAMES, DECK, ITEM, NO_COLOUR, POINTS, Item
from engine.replay import replay
from tests.engine.cases import Case, cards, check
from tests.engine.test_chance import below, shuffled, words

NAMES = ("ann", "bob", "cat", "dan", "eve", "fay", "gus", "hal", "ida", "jon")


def test_deck_is_of_112_cards() -> None:
    count = Counter(CODE[card] for card in DECK)
    expected: dict[str, int] = {}
    for colour in "RYGB":
        expected[f"{colour}0"] = 1
        expected |= {f"{colour}{face}": 2 for face in "123456789SRD"}
    assert count == expected | {"W4": 4, "WI": 8}
    assert sum(count.values()) == 112


@pytest.mark.parametrize(
    ("colour", "item"),
    {
        "red": Item.MUSHROOM,
        "yellow": Item.BANANA_PEEL,
        "green": Item.GREEN_SHELL,
        "blue": Item.LIGHTNING,
    }.items(),
)
def test_deck_item_of_a_colour(colour: str, item: Item) -> None:
    faces = [card for card in range(len(CODE)) if COLOUR[card] == COLOUR_NAMES.index(colour)]
    assert len(faces) == 13
    assert {ITEM[card] for card in faces} == {item}


def test_deck_item_of_the_wilds() -> None:
    wilds = [card for card in range(len(CODE)) if COLOUR[card] == NO_COLOUR]
    assert [CODE[card] for card in wilds] == ["W4", "WI"]
    assert {ITEM[card] for card in wilds} == {Item.BOB_OMB}


def test_deck_points() -> None:
    assert sum(POINTS[card] for card in DECK) == 4 * 2 * 45 + 24 * 20 + 12 * 50


@pytest.mark.parametrize("players", range(2, 11))
def test_hand_seven_cards_each(players: int) -> None:
    names = list(NAMES[:players])
    state = replay({"players": names, "seed": players})["state"]
    assert isinstance(state, dict)
    assert {len(hand) for hand in state["hands"].values()} == {7}
    assert state["draw_count"] + state["discard_count"] == 112 - 7 * players
    assert state["direction"] == 1


@pytest.mark.parametrize("dealer", range(4))
def test_hand_dealt_one_at_a_time_from_the_dealers_left(dealer: int) -> None:
    names = list(NAMES[:4])
    deck = [f"{colour}{number}" for colour in "RYGB" for number in range(10)]
    order = [names[(dealer + step) % 4] for step in (1, 2, 3, 4)]
    hands = {name: deck[place:28:4] for place, name in enumerate(order)}
    check(
        {"players": names, "dealer": names[dealer], "deck": deck},
        [],
        {"hands": hands, "top": deck[28], "turn": order[0], "draw_count": 11, "discard_count": 1},
    )


@pytest.mark.parametrize("seed", [0, 1, 7, "x", "a seed"])
@pytest.mark.parametrize("players", [2, 3, 10])
def test_hand_first_dealer_by_lot(seed: int | str, players: int) -> None:
    names = list(NAMES[:players])
    start: Any = replay({"players": names, "seed": seed})["start"]
    assert start[0] == {
        "type": "hand_started",
        "hand_no": 1,
        "dealer": names[below(players, words(f"{seed}/dealer:0"))],
    }


def dealt(first: str, seed: int = 0, moves: list[list[str]] | None = None) -> dict[str, Any]:
    """Deal two players blue cards, with these cards to flip next, and return the scenario's answer."""
    scenario = {
        "players": ["ann", "bob"],
        "dealer": "bob",
        "seed": seed,
        "deck": cards(f"B5*14 {first}"),
        "actions": moves or [],
    }
    answer: dict[str, Any] = replay(scenario)
    return answer


FIRST_TURN = {"turn": "ann", "awaiting": "turn", "direction": 1}


@pytest.mark.parametrize(
    ("first", "top", "discards"),
    [("R0 G1", "R0", 1), ("R7 G1", "R7", 1)]
    + [(f"{code} G1", "G1", 2) for code in ("RS", "RR", "RD")]
    + [("RS YR BD GS G1 G2", "G1", 5)],
)
def test_hand_first_card(first: str, top: str, discards: int) -> None:
    state = dealt(first)["state"]
    assert (state["top"], state["discard_count"]) == (top, discards)
    assert {key: state[key] for key in FIRST_TURN} == FIRST_TURN
    assert state["hands"] == {"ann": ["B5"] * 7, "bob": ["B5"] * 7}


@pytest.mark.parametrize("seed", range(6))
def test_hand_first_wild_four_goes_back(seed: int) -> None:
    pile = cards("W4 G1 G2 G3")
    answer = dealt(" ".join(pile), seed)
    shuffles = 0
    while pile[0] == "W4":
        shuffles += 1
        pile = shuffled(pile, f"{seed}/1:{shuffles}")
    state = answer["state"]
    assert (state["top"], state["discard_count"], state["draw_count"]) == (pile[0], 1, 3)
    assert [event["type"] for event in answer["start"]].count("wild_four_returned") == shuffles


def test_hand_wild_four_under_an_action_card_goes_back_too() -> None:
    state = dealt("RS W4 G1 G2")["state"]
    pile, shuffles = cards("W4 G1 G2"), 0
    while pile[0] == "W4":
        shuffles += 1
        pile = shuffled(pile, f"0/1:{shuffles}")
    assert state["top"] == pile[0]
    assert state["discard_count"] == 2


BOX_FIRST = [
    (
        "names-the-colour-first",
        [["ann", "draw"]],
        ["not_now"],
        {"awaiting": "colour", "turn": "ann", "colour": None},
    ),
    (
        "then-takes-the-turn",
        [["ann", "colour", "blue"], ["ann", "play", "B5"]],
        [True, True],
        {"turn": "bob", "top": "B5"},
    ),
    (
        "its-item-does-nothing",
        [],
        [],
        {"hands": {"ann": "B5*7", "bob": "B5*7"}, "top": "WI", "discard_count": 1},
    ),
    ("not-by-another", [["bob", "colour", "blue"]], ["not_your_turn"], {"awaiting": "colour"}),
    ("a-colour-there-is", [["ann", "colour", "mauve"]], ["bad_colour"], {"awaiting": "colour"}),
]


@pytest.mark.parametrize(("name", "moves", "results", "state"), BOX_FIRST, ids=[row[0] for row in BOX_FIRST])
def test_hand_first_item_box(name: str, moves: Any, results: Any, state: Any) -> None:
    scenario = {"players": ["ann", "bob"], "dealer": "bob", "deck": cards("B5*14 WI G1 G2"), "actions": moves}
    check(scenario, results, state)


def deals(players: int, dealer: str, moves: list[str]) -> str:
    """Play a last card of ann's after a few moves, deal the next hand, and return who dealt it."""
    case = Case(
        "",
        [*moves, "ann play R9", "ann deal"],
        hands={"ann": "R9"},
        players=players,
        match={"hands": 9},
        dealer=dealer,
    )
    answer = check(case.scenario(), [True] * (len(moves) + 2), {"hand_no": 2, "direction": 1})
    started = answer["results"][-1]["events"][0]
    assert started["type"] == "hand_started"
    dealer = started["dealer"]
    assert isinstance(dealer, str)
    return dealer


@pytest.mark.parametrize(
    ("players", "dealer", "moves", "next_dealer"),
    [
        (2, "ann", [], "bob"),
        (2, "bob", [], "ann"),
        (4, "ann", [], "bob"),
        (4, "dan", [], "ann"),
        (4, "ann", ["bob leave"], "cat"),
        (4, "ann", ["bob leave", "cat leave"], "dan"),
        (4, "bob", ["cat leave", "dan leave"], "ann"),
        (4, "bob", ["bob leave"], "cat"),
        (4, "bob", ["bob leave", "cat leave"], "dan"),
        (4, "dan", ["dan leave"], "ann"),
    ],
)
def test_hand_the_deal_moves_on(players: int, dealer: str, moves: list[str], next_dealer: str) -> None:
    assert deals(players, dealer, moves) == next_dealer


DEALING = [
    Case(
        "deal/starts-clockwise-left-of-the-dealer",
        ["ann play RR", "cat play R9", "cat deal"],
        # Cat, on ann's right, dealt the hand set up; so ann deals, and bob begins.
        {"hand_no": 2, "direction": 1, "turn": "bob", "out": []},
        {"ann": "RR B5 B6", "cat": "R9"},
        match={"hands": 2},
    ),
    Case(
        "deal/from-the-full-deck",
        ["ann play R9", "bob deal"],
        {"hand_no": 2, "hand_winner": None, "awaiting": "turn"},
        {"ann": "R9"},
        match={"hands": 2},
    ),
    Case(
        "deal/by-any-player-still-seated",
        ["ann play R9", "cat deal"],
        {"hand_no": 2},
        {"ann": "R9"},
        match={"hands": 2},
    ),
    Case(
        "deal/not-during-a-hand",
        ["ann deal: not_now", "bob deal: not_now"],
        {"hand_no": 1},
        match={"hands": 2},
    ),
    Case("deal/not-after-the-last", ["ann play R9", "bob deal: match_over"], {"hand_no": 1}, {"ann": "R9"}),
    Case(
        "deal/once",
        ["ann play R9", "bob deal", "cat deal: not_now"],
        {"hand_no": 2},
        {"ann": "R9"},
        match={"hands": 2},
    ),
    Case(
        "deal/nothing-else-between-hands",
        [
            "ann play R9",
            *(
                f"bob {verb}: not_now"
                for verb in (
                    "play B1",
                    "play W4 red",
                    "draw",
                    "keep",
                    "colour red",
                    "target ann",
                    "challenge",
                    "accept",
                    "uno",
                    "catch ann",
                    "catch bob",
                    "timeout",
                )
            ),
        ],
        {"awaiting": "deal", "hand_winner": "ann", "turn": None, "top": "R9", "hands": {"bob": "B1 B3 B4"}},
        {"ann": "R9"},
        match={"hands": 2},
    ),
]


@pytest.mark.parametrize("case", DEALING, ids=lambda case: case.name)
def test_rule(case: Case) -> None:
    case.check()


@pytest.mark.parametrize(
    ("seeds", "text"),
    [
        ({}, "0/2"),
        ({"seed": 5}, "5/2"),
        ({"hand_seeds": ["one", "two"]}, "two"),
        ({"hand_seeds": [1, 2]}, "2"),
        ({"hand_seeds": ["one"]}, "0/2"),
    ],
)
def test_deal_from_the_full_deck_by_the_hands_seed(seeds: dict[str, Any], text: str) -> None:
    case = Case("", ["ann play R9", "bob deal"], hands={"ann": "R9"}, match={"hands": 2}, dealer="cat")
    pile = shuffled([CODE[card] for card in DECK], f"{text}:0")
    # Ann deals, so bob gets the first card.
    hands = {name: pile[place:21:3] for place, name in enumerate(("bob", "cat", "ann"))}
    check({**case.scenario(), **seeds}, [True, True], {"hands": hands})
