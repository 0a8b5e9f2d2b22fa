"""How the tables of a memory come to wait for what they wait for: real deals, played on until it is so.

A lead is looked for in the engine alone; played again with the same seeds it leads the bot to the same hand.
"""

import hashlib
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from engine.actions import DEAL, SAY_UNO, Action, Draw, Keep, Play
from engine.awaiting import NO_SEAT, Awaiting
from engine.cards import WILD_FOUR
from engine.match import Match
from engine.rules import ONE_HAND, Length, RuleSet

Goal = Callable[[Match], bool]
OFFICIAL = RuleSet()
#: How many deals are looked at, and how many actions of each hand.
_DEALS, _ACTIONS = 20_000, 60


@dataclass(frozen=True)
class Lead:
    """The seeds in the order in which the bot asks for them, the moves, and where they lead."""

    seeds: tuple[str, ...]
    moves: tuple[tuple[int, Action], ...]
    match: Match


def look(
    name: str,
    seats: int,
    goal: Goal,
    *,
    rules: RuleSet = OFFICIAL,
    length: Length = ONE_HAND,
    least: int = 6,
) -> Lead:
    """Look for the first deal from which chance leads to the goal, after so many moves at least."""
    for deal in range(_DEALS):
        lead = _play(f"{name}/{deal}", seats, rules, length, goal, least)
        if lead is not None:
            return lead
    raise AssertionError(f"nothing leads to {name}")


def _play(name: str, seats: int, rules: RuleSet, length: Length, goal: Goal, least: int) -> Lead | None:
    dice = random.Random(name)
    seeds = _seeds(name)
    used = [next(seeds), next(seeds)]
    match = Match(seats, rules, length, used[0], [used[1]])
    match.begin()
    moves: list[tuple[int, Action]] = []
    for _ in range(_ACTIONS * (length.hands or 3)):
        if len(moves) >= least and goal(match):
            return Lead(tuple(used), tuple(moves), match)
        if match.awaiting is Awaiting.OVER:
            return None
        seat, action = _choose(match, dice)
        if action is DEAL:
            used.append(next(seeds))
            match.hand_seeds.append(used[-1])
        match.apply(seat, action)
        moves.append((seat, action))
    return None


def _choose(match: Match, dice: random.Random) -> tuple[int, Action]:
    owed = match.game.owed
    if owed != NO_SEAT and dice.random() < 0.7:
        return owed, SAY_UNO
    if match.awaiting is Awaiting.DEAL:
        return dice.choice(match.game.seated()), DEAL
    answers = match.legal_actions(match.turn)
    active = [answer for answer in answers if not isinstance(answer, Draw | Keep)]
    return match.turn, dice.choice(active if active and dice.random() < 0.85 else answers)


def _seeds(name: str) -> Iterator[str]:
    number = 0
    while True:
        yield hashlib.sha256(f"{name}/{number}".encode()).hexdigest()[:32]
        number += 1


# --- what a table can wait for


def _plays(match: Match) -> list[Play]:
    return [answer for answer in match.legal_actions(match.turn) if isinstance(answer, Play)]


def _calm(match: Match) -> bool:
    game = match.game
    return match.awaiting is Awaiting.TURN and not game.due and game.owed == NO_SEAT


def turn(match: Match) -> bool:
    """Wait for a turn in which a Wild Draw Four and two other cards may be played, or one may draw."""
    cards = {play.card for play in _plays(match)} if _calm(match) else set()
    return len(cards) > 2 and WILD_FOUR in cards


def long_turn(match: Match) -> bool:
    """Wait for a turn of a hand in which somebody has one card and has said so."""
    return _calm(match) and any(match.game.said) and bool(_plays(match))


def two_cards(match: Match) -> bool:
    """Wait for a turn in which UNO may be said with the play."""
    return _calm(match) and len(match.game.hands[match.turn]) == 2 and bool(_plays(match))


def jump(match: Match) -> bool:
    """Wait for a turn in which somebody else may jump in."""
    game = match.game
    return _calm(match) and any(
        seat != match.turn and game.may_jump_in(seat, game.discard[-1]) for seat in game.seated()
    )


def stack(match: Match) -> bool:
    """Wait for a turn with a stack of Draw Twos, which may be raised."""
    return match.awaiting is Awaiting.TURN and match.game.due >= 4 and bool(_plays(match))


def shown(match: Match) -> bool:
    """Wait for the turn of one who was shown a hand."""
    return match.awaiting is Awaiting.TURN and match.game.shown is not None


def drawn(match: Match) -> bool:
    """Wait for what becomes of a card just drawn, which may be kept."""
    return match.awaiting is Awaiting.DRAWN and len(match.legal_actions(match.turn)) > 1


def drawn_and_forced(match: Match) -> bool:
    """Wait for the play of a card just drawn, which has to be played."""
    return match.awaiting is Awaiting.DRAWN and len(match.legal_actions(match.turn)) == 1


def first_colour(match: Match) -> bool:
    """Wait for the colour of a Wild Item Box that was the first card."""
    return match.awaiting is Awaiting.COLOUR and match.game.opening


def colour(match: Match) -> bool:
    """Wait for the colour after a Bob-omb."""
    return match.awaiting is Awaiting.COLOUR and not match.game.opening


def shell(match: Match) -> bool:
    """Wait for the target of a Green Shell."""
    return match.awaiting is Awaiting.TARGET and not match.game.swap and match.game.winner == NO_SEAT


def last_shell(match: Match) -> bool:
    """Wait for the target of a Green Shell that was somebody's last card."""
    return match.awaiting is Awaiting.TARGET and match.game.winner != NO_SEAT


def swap(match: Match) -> bool:
    """Wait for whom to swap hands with."""
    return match.awaiting is Awaiting.TARGET and match.game.swap


def challenge(match: Match) -> bool:
    """Wait for the answer to a Wild Draw Four."""
    return match.awaiting is Awaiting.CHALLENGE


def challenge_of_stack(match: Match) -> bool:
    """Wait for the answer to a Wild Draw Four upon another, to which a third may be laid."""
    return match.awaiting is Awaiting.CHALLENGE and match.game.due > 4 and bool(_plays(match))


def owed(match: Match) -> bool:
    """Wait for a turn while somebody owes a UNO."""
    return match.awaiting is Awaiting.TURN and match.game.owed not in (NO_SEAT, match.turn)


def between(match: Match) -> bool:
    """Wait for the next hand."""
    return match.awaiting is Awaiting.DEAL


def over(match: Match) -> bool:
    """Wait for nothing any more."""
    return match.awaiting is Awaiting.OVER
