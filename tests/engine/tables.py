"""Matches in every decision a table can wait for, for tests that go through them all."""

from collections.abc import Iterator

from engine.actions import LEAVE, SAY_UNO, TIME_OUT, Action, Catch
from engine.awaiting import NO_SEAT
from engine.match import Match
from engine.notation import read_scenario
from tests.engine.cases import Case

SETTINGS = {
    "turn": Case("", [], hands={"ann": "R5 G9"}),
    "turn-uno-owed": Case("", ["ann play R5"], hands={"ann": "R5 G9"}),
    "turn-extra-uno-owed": Case("", ["ann play WI"], hands={"ann": "WI G9"}, draw="R8 G1 G3 R9 Y1"),
    "turn-uno-said": Case("", ["ann uno"], hands={"ann": "R5 G9"}),
    "turn-after-timeouts": Case("", ["ann timeout", "bob draw", "cat draw", "ann timeout"]),
    "turn-with-a-leaver": Case("", ["bob leave"], players=4),
    "turn-stack": Case("", ["ann play RD"], hands={"ann": "RD B5 B6"}, rules="stack jump_in"),
    "turn-shown": Case("", ["ann play W4 blue", "bob challenge"], hands={"ann": "W4 R9 Y9"}),
    "drawn": Case("", ["ann draw"], draw="R8 G1"),
    "colour-first": Case("", [], discard="WI"),
    "colour-bob-omb": Case("", ["ann play WI"], hands={"ann": "WI B5 B6"}, draw="W4 G1 G3"),
    "target-shell": Case("", ["ann play WI"], hands={"ann": "WI B5 B6"}, draw="G8 G1"),
    "target-last-shell": Case("", ["ann play WI"], hands={"ann": "WI"}, draw="G8 G1"),
    "target-swap": Case("", ["ann play R7"], hands={"ann": "R7 B5"}, rules="seven_zero"),
    "challenge": Case("", ["ann play W4 blue"], hands={"ann": "W4 R9 Y9"}, direction=-1),
    "challenge-stack": Case(
        "", ["ann play W4 blue", "bob play W4 red"], hands={"ann": "W4 R9 Y9", "bob": "W4 B1"}, rules="stack"
    ),
    "deal": Case("", ["ann play R9"], hands={"ann": "R9"}, match={"hands": 2}),
    "deal-after-blocked": Case("", ["ann draw", "bob draw", "cat draw"], draw="", match={"target": 500}),
    "over": Case("", ["ann play R9"], hands={"ann": "R9"}),
    "over-by-forfeit": Case("", ["ann leave"], players=2),
}


def table(name: str) -> Match:
    """Set a table up and play up to the decision of that name."""
    scenario = read_scenario(SETTINGS[name].scenario())
    for move in scenario.moves:
        scenario.match.apply(move.seat, move.action, move.auto)
    return scenario.match


def moves(match: Match) -> Iterator[tuple[int, Action]]:
    """Return everything that players can do now, and some of what they cannot."""
    game = match.game
    for seat in game.seated():
        for action in match.legal_actions(seat):
            yield seat, action
        yield seat, SAY_UNO
        yield seat, LEAVE
        if game.owed not in (NO_SEAT, seat):
            yield seat, Catch(game.owed)
    if game.turn != NO_SEAT:
        yield game.turn, TIME_OUT
