"""What each seat did in a finished hand, worked out from its moves."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import pytest

from bot.model.facts import NotReplayedError, hand_facts
from engine.actions import Action
from engine.chance import words
from engine.events import Event
from engine.match import Match
from engine.notation import write_move, write_scenario
from engine.players import POLICIES
from engine.rules import RuleSet
from engine.simulate import play_hand

Hands = dict[str, list[str]]


def told(hands: Hands, *moves: list[Any], top: str = "R9", **more: Any) -> list[dict[str, Any]]:
    """Return the facts of the seats, in order, after these moves; the first in `hands` is to play."""
    draw = more.pop("draw", ["G1", "G2", "G3", "G4", "G5", "G6", "G7", "G8"])
    position = {"hands": hands, "draw": draw, "discard": [top], "turn": next(iter(hands))}
    scenario = {"players": list(hands), "position": position} | more
    facts = hand_facts(scenario, [list(move) for move in moves])
    return [facts[int(name[1:])] for name in hands]


def test_the_least_there_is_to_tell() -> None:
    winner, loser = told({"s0": ["R1"], "s1": ["B1", "B2"]}, ["s0", "play", "R1"])
    assert winner == {"turns": 1, "played": 1, "most": 1, "out": "R1"}
    assert loser == {"most": 2}


def test_draw_two_and_skip_say_whose_doing_they_were() -> None:
    first, second, third = told(
        {"s0": ["RD", "R1"], "s1": ["B1", "B2"], "s2": ["RS", "R5"]},
        ["s0", "uno"],
        ["s0", "play", "RD"],
        ["s2", "uno"],
        ["s2", "play", "RS"],
        ["s1", "draw"],
        ["s2", "play", "R5"],
    )
    assert first["gave"] == {"draw_two": {"1": 2}}
    assert second["took"] == {"draw_two": 2, "turn": 1}
    assert (third["skips"], first["skipped"], third["unos"]) == (1, 1, 1)
    assert (second["most"], third["out"]) == (5, "R5")


@pytest.mark.parametrize(
    ("hand", "answer", "bluffer", "challenger"),
    [
        (["W4", "R3", "R4"], "accept", {"bluffs": 1, "bluffs_passed": 1}, {}),
        (["W4", "R3", "R4"], "challenge", {"bluffs": 1, "bluffs_caught": 1}, {"challenges": [True]}),
        (["W4", "B3", "B4"], "challenge", {}, {"challenges": [False]}),
        (["W4", "B3", "B4"], "accept", {}, {}),
    ],
)
def test_bluffs_and_challenges(
    hand: list[str], answer: str, bluffer: dict[str, int], challenger: dict[str, Any]
) -> None:
    facts = told(
        {"s0": hand, "s1": ["G9", "Y3"], "s2": ["Y1"]},
        ["s0", "play", "W4", "yellow"],
        ["s1", answer],
        *([["s1", "draw"]] if bluffer.get("bluffs_caught") else []),
        ["s2", "play", "Y1"],
        draw=["G1", "G2", "G3", "G4", "G5", "G6", "G7", "G8", "B1"],
    )
    for name in ("bluffs", "bluffs_passed", "bluffs_caught"):
        assert facts[0].get(name, 0) == bluffer.get(name, 0), name
    assert facts[1].get("challenges", []) == challenger.get("challenges", [])
    gave = {"accept": ("wild_four", 0, 1, 4), "challenge": ("failed_challenge", 0, 1, 6)}[answer]
    why, giver, taker, number = ("bluff", 1, 0, 4) if bluffer.get("bluffs_caught") else gave
    assert facts[giver]["gave"] == {why: {str(taker): number}}
    assert facts[taker]["took"][why] == number


def test_a_catch_between_a_draw_four_and_its_answer_confuses_nobody() -> None:
    first, _, third = told(
        {"s0": ["W4", "B3"], "s1": ["G9", "Y3"], "s2": ["Y1"]},
        ["s0", "play", "W4", "yellow"],
        ["s2", "catch", "s0"],
        ["s1", "accept"],
        ["s2", "play", "Y1"],
    )
    assert first["gave"] == {"wild_four": {"1": 4}}
    assert third["gave"] == {"uno": {"0": 2}}
    assert (first["caught"], third["catches"], first["took"]) == (1, 1, {"uno": 2})


@pytest.mark.parametrize(
    ("flipped", "then", "item", "gave"),
    [
        ("R5", [["s0", "play", "R3"]], "mushroom", {}),
        ("Y5", [["s1", "play", "Y8"]], "banana_peel", {"banana_peel": {"2": 2}}),
        ("G5", [["s0", "target", "s2"], ["s1", "play", "G8"]], "green_shell", {"green_shell": {"2": 1}}),
        ("B5", [["s0", "play", "B3"]], "lightning", {"lightning": {"1": 1, "2": 1}}),
        ("W4", [["s0", "colour", "yellow"], ["s1", "play", "Y8"]], "bob_omb", {}),
    ],
)
def test_items_and_whom_they_hit(flipped: str, then: list[Any], item: str, gave: dict[str, Any]) -> None:
    facts = told(
        {"s0": ["WI", "R3", "B3"], "s1": ["Y8", "G8"], "s2": ["R7", "B7"]},
        ["s0", "play", "WI"],
        *then,
        ["s0", "leave"],
        ["s1", "leave"],
        draw=[flipped, "G1", "G2", "G3", "G4", "G5", "G6"],
    )
    assert facts[0]["items"] == {item: 1}
    assert facts[0].get("gave", {}) == gave
    assert facts[0]["left"]
    assert facts[0].get("took", {}).get("bob_omb", 0) == (2 if item == "bob_omb" else 0)


def test_going_out_on_a_bob_omb() -> None:
    winner, _ = told({"s0": ["WI"], "s1": ["B1", "B2"]}, ["s0", "play", "WI"], draw=["W4", "G1"])
    assert (winner["out"], winner["out_item"]) == ("WI", "bob_omb")
    assert "items" not in winner, "it does nothing any more"


def test_seats_are_those_of_the_table() -> None:
    """Who left before the deal is not in the scenario."""
    position = {"hands": {"s1": ["RD"], "s4": ["B1"]}, "draw": ["G1", "G2"], "discard": ["R9"], "turn": "s1"}
    facts = hand_facts({"players": ["s1", "s4"], "position": position}, [["s1", "play", "RD"]])
    assert set(facts) == {1, 4}
    assert facts[1]["gave"] == {"draw_two": {"4": 2}}


@pytest.mark.parametrize("moves", [[], [["s1", "play", "B1"]], [["s0", "play", "B9"]], [["s0", "fly"]]])
def test_moves_that_do_not_end_the_hand_are_no_facts(moves: list[list[str]]) -> None:
    with pytest.raises(NotReplayedError):
        told({"s0": ["R1"], "s1": ["B1", "B2"]}, *moves)


# --- whole hands


class Recorded(Match):
    """A match that writes down its moves."""

    __slots__ = ("events", "moves")

    def apply(self, seat: int, action: Action, auto: bool = False) -> list[Event]:
        happened = super().apply(seat, action, auto)
        self.moves.append(write_move([f"s{n}" for n in range(9)], seat, action, auto))
        return happened


@pytest.mark.parametrize("number", range(24))
def test_the_cards_of_whole_hands_add_up(number: int) -> None:
    """Everybody holds in the end what they were dealt and drew, less what they played."""
    rules = RuleSet(stack=bool(number % 2), jump_in=bool(number % 3), draw_until_playable=bool(number % 5))
    seats = 2 + number % 4
    match = Recorded(seats, rules, seed=f"facts/{number}")
    match.moves = []
    match.begin(0)
    scenario = write_scenario(match, [f"s{seat}" for seat in range(seats)])
    dice: Sequence[Any] = [words(f"{number}/{seat}") for seat in range(seats)]
    policies = ["easy", "normal", "sharp", "random"]
    happened = play_hand(
        match, [POLICIES[policies[(number + seat) % 4]](dice[seat]) for seat in range(seats)]
    )
    facts = hand_facts(scenario, match.moves)
    for seat, hand in enumerate(match.game.hands):
        took = sum(facts[seat].get("took", {}).values())
        # What the first card made somebody draw came before the first move.
        assert 7 + took - facts[seat].get("played", 0) == len(hand), seat
    names = Counter(type(event).__name__ for event in happened)
    for name, counted in (("CardPlayed", "played"), ("UnoSaid", "unos"), ("UnoCaught", "caught")):
        assert sum(each.get(counted, 0) for each in facts.values()) == names[name]
    assert sum(len(each.get("challenges", [])) for each in facts.values()) == names["ChallengeMade"]
    given = sum(sum(to.values()) for each in facts.values() for to in each.get("gave", {}).values())
    assert given <= sum(sum(each.get("took", {}).values()) for each in facts.values())
