"""The engine's speed beside RLCard's raw UNO game: `python -m benchmarks.engine`, or `make bench`.

Both play whole hands by themselves, one legal action at random at a time, in turns within the same process,
so that whatever slows the machine slows both. `simulate` is what `python -m engine simulate` does: random
players decide from views, and every event is hashed. What a move is on either side, and what was learnt:
benchmarks/README.md.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from rlcard.games.uno import Game as RLCardGame

from engine.actions import DRAW, KEEP
from engine.awaiting import NO_SEAT
from engine.match import Match
from engine.simulate import simulate

#: Hands each side plays before the other one has its turn.
ROUND = 20


@dataclass
class Tally:
    """What one side has done so far; `seconds` are of processor time."""

    hands: int = 0
    moves: int = 0
    seconds: float = 0.0

    def add(self, play: Callable[[int, int, random.Random], int], players: int, dice: random.Random) -> None:
        """Play a round of hands and add it up."""
        began = time.process_time()
        for _ in range(ROUND):
            self.moves += play(players, self.hands, dice)
            self.hands += 1
        self.seconds += time.process_time() - began

    @property
    def per_second(self) -> float:
        """Moves per second."""
        return self.moves / self.seconds


def any_legal(players: int, hand: int, dice: random.Random) -> int:
    """Play a hand of ours, every legal action as likely as any other; returns its turn actions."""
    match = Match(players, seed=str(hand))
    match.begin(hand % players)
    game = match.game
    choice = dice.choice
    while game.turn != NO_SEAT:
        match.apply(game.turn, choice(match.legal_actions()))
    return game.actions


def draw_last(players: int, hand: int, dice: random.Random) -> int:
    """Play a hand of ours as RLCard offers it: draw only if nothing can be played, keep nothing playable."""
    match = Match(players, seed=str(hand))
    match.begin(hand % players)
    game = match.game
    choice = dice.choice
    while game.turn != NO_SEAT:
        actions = match.legal_actions()
        if len(actions) > 1 and (actions[-1] is DRAW or actions[-1] is KEEP):
            actions.pop()
        match.apply(game.turn, choice(actions))
    return game.actions


def simulated(players: int, hand: int, dice: random.Random) -> int:
    """Play a hand of ours between random players that see views alone; they throw dice of their own."""
    return simulate(["random"] * players, 1, str(hand)).moves


def rlcard(players: int, hand: int, dice: random.Random) -> int:
    """Play a hand of RLCard's; the legal actions are those of the state that each step returns anyway."""
    game = RLCardGame(num_players=players)
    game.np_random = np.random.RandomState(hand)
    state, _ = game.init_game()
    choice = dice.choice
    moves = 0
    while not game.is_over():
        state, _ = game.step(choice(state["legal_actions"]))
        moves += 1
    return moves


SIDES = {"any legal": any_legal, "draw last": draw_last, "simulate": simulated, "RLCard": rlcard}


def measure(players: int, seconds: float) -> dict[str, Tally]:
    """Let the sides play in turns until each has had that many seconds."""
    dice = random.Random(players)
    tallies = {name: Tally() for name in SIDES}
    while min(tally.seconds for tally in tallies.values()) < seconds:
        for name, play in SIDES.items():
            if tallies[name].seconds < seconds:
                tallies[name].add(play, players, dice)
    return tallies


def main(arguments: list[str] | None = None) -> int:
    """Run the command line; returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.engine", description=__doc__)
    parser.add_argument("--seconds", type=float, default=8.0, help="of processor time, per side and table")
    parser.add_argument("--players", type=int, nargs="+", default=[2, 4, 10])
    options = parser.parse_args(arguments)
    print(f"{'players':>7}  {'side':<10} {'hands/s':>9} {'moves/s':>9} {'moves/hand':>11} {'ratio':>7}")
    for players in options.players:
        tallies = measure(players, options.seconds)
        reference = tallies["RLCard"].per_second
        for name, tally in tallies.items():
            print(
                f"{players:>7}  {name:<10} {tally.hands / tally.seconds:>9.1f} {tally.per_second:>9.0f} "
                f"{tally.moves / tally.hands:>11.1f} {tally.per_second / reference:>7.2f}"
            )
    return 0


if __name__ == "__main__":
    sys.exit(main())
