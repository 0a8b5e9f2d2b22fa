"""How strong the computer players are: `python -m tests.engine.strength`, or `make strength`.

Each level plays the one below it over thousands of hands, moving round the table so that both come to deal
and to begin equally often: two against two, one against one, four against four, and mixed. Prints the share
of the hands won with Wilson's interval, in which it lies with 95 % likelihood, and what a decision costs.
Ends with 1 where a level does not win clearly more than the one below, two against two.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from math import sqrt

from engine.actions import Action
from engine.chance import words
from engine.match import Match
from engine.players import POLICIES, Player
from engine.simulate import play_hand, simulate
from engine.views import SeatView

#: Stronger and weaker.
PAIRINGS = (("sharp", "normal"), ("normal", "easy"))
#: What the stronger has to win of the hands two against two, and the least the interval may reach down to.
LEAST, LEAST_BOUND = 0.54, 0.51
#: Tables at which each seat plays for itself.
MIXED = (
    ("random", "easy", "normal", "sharp"),
    ("sharp", "normal", "normal", "normal"),
    ("easy", "normal", "normal", "normal"),
)
#: Hands played in one process at a time.
PART = 200


def wilson(wins: int, hands: int) -> tuple[float, float]:
    """Return the ends of Wilson's 95 % interval for a share."""
    z = 1.96
    share = wins / hands
    middle = share + z * z / (2 * hands)
    reach = z * sqrt(share * (1 - share) / hands + z * z / (4 * hands * hands))
    return (middle - reach) / (1 + z * z / hands), (middle + reach) / (1 + z * z / hands)


def _part(job: tuple[list[str], int, str]) -> list[int]:
    policies, hands, seed = job
    return simulate(policies, hands, seed, rotate=True).wins


def wins(policies: Sequence[str], hands: int, seed: str) -> dict[str, int]:
    """Play that many hands, on all cores, and count the wins of each policy."""
    jobs = [(list(policies), min(PART, hands - begun), f"{seed}/{begun}") for begun in range(0, hands, PART)]
    won = dict.fromkeys(policies, 0)
    with ProcessPoolExecutor() as processes:
        for part in processes.map(_part, jobs):
            for policy, number in zip(policies, part, strict=True):
                won[policy] += number
    return won


class _Timed:
    """A player whose decisions are timed."""

    def __init__(self, player: Player) -> None:
        self._player = player
        self.says_uno, self.catches, self.jumps_in = player.says_uno, player.catches, player.jumps_in
        self.seconds = 0.0
        self.decisions = 0

    def answer(self, view: SeatView) -> Action:
        began = time.process_time()
        answer = self._player.answer(view)
        self.seconds += time.process_time() - began
        self.decisions += 1
        return answer


def milliseconds(policy: str, seats: int, hands: int) -> float:
    """Measure what a decision costs on average."""
    players = [_Timed(POLICIES[policy](words(str(seat)))) for seat in range(seats)]
    for hand in range(hands):
        match = Match(seats, seed=f"time/{hand}")
        match.begin(hand % seats)
        play_hand(match, players)
    return 1000 * sum(one.seconds for one in players) / sum(one.decisions for one in players)


def _say(line: str) -> None:
    # At once, or the processes that are forked to play write it too.
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hands", type=int, default=4000)
    parser.add_argument("--seed", default="strength")
    options = parser.parse_args(arguments)
    strong = True
    for stronger, weaker in PAIRINGS:
        for seats in (4, 2, 8):
            won = wins([stronger, weaker] * (seats // 2), options.hands, f"{options.seed}/{seats}")
            hands = sum(won.values())
            low, high = wilson(won[stronger], hands)
            share = won[stronger] / hands
            what = f"{stronger} against {weaker}, {seats} seats: {won[stronger]} of {hands} hands won"
            _say(f"{what}, {share:.1%} ({low:.1%} to {high:.1%})")
            strong &= seats != 4 or (share >= LEAST and low > LEAST_BOUND)
    for policies in MIXED:
        won = wins(policies, options.hands, options.seed)
        shares = ", ".join(f"{policy} {number / sum(won.values()):.1%}" for policy, number in won.items())
        _say(f"{', '.join(policies)} at one table: {shares}")
    for policy in POLICIES:
        costs = ", ".join(
            f"{milliseconds(policy, seats, min(options.hands, 40)):.3f} ms at {seats} seats"
            for seats in (2, 4, 10)
        )
        _say(f"a decision of {policy}: {costs}")
    return not strong


if __name__ == "__main__":
    sys.exit(main())
