"""Whether the rating puts players in the right order: `python -m benchmarks.ratings`, or `make ratings`.

A population of computer players of many strengths plays hands at tables of four drawn by lot, each hand a
match of its own. Their true strength is the share they win of all those hands; a pair counts where it differs
beyond its error. Printed is the share of pairs that the rating, and a plain win rate, put in the right order
after 20, 300 and 1,000 matches each, the same matches for both.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from itertools import combinations
from math import sqrt

from bot.tallies import ratings
from bot.tallies.ratings import Rating
from engine.actions import Action
from engine.awaiting import NO_SEAT
from engine.chance import words
from engine.match import Match
from engine.players import POLICIES
from engine.simulate import play_hand
from engine.views import SeatView

#: Each member: a policy, and in which share of its answers any legal one comes instead.
MEMBERS: tuple[tuple[str, float], ...] = tuple(
    (policy, share) for policy in ("easy", "normal", "sharp") for share in (0.0, 0.1, 0.25, 0.5)
)
TABLE = 4
AFTER = (20, 300, 1000)
RUNS = 10
#: The share of pairs that the rating has to put in the right order after 300 matches.
FLOOR = 0.93
#: Hands played in one process at a time.
PART = 250

#: Who sat at a table, and who of them won; None where the hand was blocked.
Played = tuple[tuple[int, ...], int | None]


class Mixture:
    """A computer player that gives any legal answer instead of its own in a share of all answers."""

    def __init__(self, policy: str, share: float, seed: str) -> None:
        self._player = POLICIES[policy](words(seed))
        self._share = share
        self._dice = random.Random(seed)
        self.jumps_in = self._player.jumps_in
        self.says_uno = self._player.says_uno
        self.catches = self._player.catches

    def answer(self, view: SeatView) -> Action:
        """Choose an answer."""
        if self._dice.random() < self._share:
            return self._dice.choice(view.answers)
        return self._player.answer(view)


def _part(job: tuple[str, int]) -> list[Played]:
    seed, hands = job
    dice = random.Random(seed)
    played: list[Played] = []
    for hand in range(hands):
        members = tuple(dice.sample(range(len(MEMBERS)), TABLE))
        match = Match(TABLE, seed=f"{seed}/{hand}")
        match.begin(hand % TABLE)
        play_hand(match, [Mixture(*MEMBERS[member], f"{seed}/{hand}/{member}") for member in members])
        winner = match.game.winner
        played.append((members, None if winner == NO_SEAT else members[winner]))
    return played


def play(hands: int, seed: str) -> list[Played]:
    """Play that many hands on all cores."""
    jobs = [(f"{seed}/{begun}", min(PART, hands - begun)) for begun in range(0, hands, PART)]
    with ProcessPoolExecutor() as processes:
        return [played for part in processes.map(_part, jobs) for played in part]


@dataclass
class Standing:
    """What is known of the members after so many hands."""

    believed: dict[int, Rating] = field(default_factory=lambda: {m: Rating() for m in range(len(MEMBERS))})
    hands: list[int] = field(default_factory=lambda: [0] * len(MEMBERS))
    wins: list[int] = field(default_factory=lambda: [0] * len(MEMBERS))

    def add(self, played: Played, *, rate: bool = True) -> None:
        """Count one hand."""
        members, winner = played
        for member in members:
            self.hands[member] += 1
        if winner is None:
            return
        self.wins[winner] += 1
        if rate:
            others = [member for member in members if member != winner]
            now = {member: self.believed[member] for member in members}
            self.believed.update(ratings.rate(now, [[winner], others]))

    def win_rate(self, member: int) -> float:
        """Return the share of a member's hands that they won."""
        return self.wins[member] / max(1, self.hands[member])


def tell_apart(standing: Standing) -> list[tuple[int, int]]:
    """Return the pairs (better, worse) whose strength differs beyond its error, at 95 %."""
    pairs = []
    for one, other in combinations(range(len(MEMBERS)), 2):
        a, b = standing.win_rate(one), standing.win_rate(other)
        error = sqrt(a * (1 - a) / standing.hands[one] + b * (1 - b) / standing.hands[other])
        if abs(a - b) > 1.96 * error:
            pairs.append((one, other) if a > b else (other, one))
    return pairs


def right(pairs: Sequence[tuple[int, int]], standing: Standing) -> tuple[float, float]:
    """Return the share of the pairs in the right order, by rating and by win rate; a tie is half right."""
    values = (
        [standing.believed[member].mu for member in range(len(MEMBERS))],
        [standing.win_rate(member) for member in range(len(MEMBERS))],
    )
    by_rating, by_rate = (
        sum((of[a] > of[b]) + 0.5 * (of[a] == of[b]) for a, b in pairs) / len(pairs) for of in values
    )
    return by_rating, by_rate


def after(matches: int, played: Sequence[Played], pairs: Sequence[tuple[int, int]]) -> tuple[float, float]:
    """Return the shares in the right order after so many matches each, over all runs that fit."""
    shares = list(_runs(matches * len(MEMBERS) // TABLE, played, pairs))
    by_rating, by_rate = (sum(share) / len(shares) for share in zip(*shares, strict=True))
    return by_rating, by_rate


def _runs(
    hands: int, played: Sequence[Played], pairs: Sequence[tuple[int, int]]
) -> Iterator[tuple[float, float]]:
    for start in range(0, min(RUNS * hands, len(played) - hands + 1), hands):
        standing = Standing()
        for one in played[start : start + hands]:
            standing.add(one)
        yield right(pairs, standing)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the benchmark; 1 where the rating falls short at 300 matches."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.ratings", description=__doc__)
    parser.add_argument(
        "--hands", type=int, default=20_000, help="of each member, for the true strength (20000)"
    )
    parser.add_argument("--seed", default="ratings")
    options = parser.parse_args(arguments)
    played = play(options.hands * len(MEMBERS) // TABLE, options.seed)
    true = Standing()
    for one in played:
        true.add(one, rate=False)
    pairs = tell_apart(true)
    every = len(MEMBERS) * (len(MEMBERS) - 1) // 2
    print(f"{len(played)} hands; {len(pairs)} of {every} pairs differ beyond their error")
    for member in sorted(range(len(MEMBERS)), key=true.win_rate, reverse=True):
        policy, share = MEMBERS[member]
        print(f"  wins {true.win_rate(member):.4f}  {policy}, any legal answer in {share:.0%}")
    print("matches each    rating  win rate")
    reached = {}
    for matches in AFTER:
        reached[matches], by_rate = after(matches, played, pairs)
        print(f"{matches:12}    {reached[matches]:.3f}   {by_rate:.3f}")
    return 0 if reached[300] >= FLOOR else 1


if __name__ == "__main__":
    sys.exit(main())
