"""Skill: how the result of a match moves what is believed of those who played it (docs/rules.md, Skill).

A rating is a belief: `mu`, how well somebody plays, and `sigma`, how far that may be off. The mathematics is
openskill's Plackett-Luce model, which treats those who share a place alike. Imports the standard library and
openskill.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from math import sqrt
from typing import Final

from openskill.models import PlackettLuce

#: What is believed of somebody who has never played.
START_MU: Final = 25.0
START_SIGMA: Final = 4.0
#: How much luck there is in a match, and how much a player may change from one to the next. openskill's own
#: 25/6 and 25/300 take one hand of cards for far more than it says: see `make ratings`.
BETA: Final = 12.5
TAU: Final = 0.005
#: From this sigma downwards a rating has settled: after some thirty matches of two or three, sixty of four.
SETTLED: Final = 3.85
#: How many sigmas below `mu` the number that people see lies.
CAUTION: Final = 2.0
#: After how long without a match a belief begins to widen, and by how much variance a day.
STALE_AFTER: Final = timedelta(days=30)
WIDENS: Final = 0.01
#: How much of a match's effect is left each time the same people have met before on a day.
DAMPING: Final = 0.8

_MODEL: Final = PlackettLuce(mu=START_MU, sigma=START_SIGMA, beta=BETA, tau=TAU)


@dataclass(frozen=True, slots=True)
class Rating:
    """What is believed of a player."""

    mu: float = START_MU
    sigma: float = START_SIGMA

    @property
    def is_settled(self) -> bool:
        """Whether enough is known to rank by it."""
        return self.sigma <= SETTLED

    @property
    def shown(self) -> int:
        """The number people see: a lower bound, in points, never below 0."""
        return max(0, round(100 * (self.mu - CAUTION * self.sigma)))

    def after(self, absence: timedelta) -> Rating:
        """Return the belief after somebody has not played for a while: as good, less sure."""
        days = max(0.0, (absence - STALE_AFTER) / timedelta(days=1))
        return Rating(self.mu, min(START_SIGMA, sqrt(self.sigma**2 + WIDENS * days)))


def rate(
    before: Mapping[int, Rating], places: Sequence[Sequence[int]], *, met_before: float = 0
) -> dict[int, Rating]:
    """Return the ratings after a match.

    `places` are the people who share each place, the winners first; a place may be empty. `met_before` is how
    often these people have played together on this day already, on average: each time counts for less.
    """
    people = [(user, place) for place, users in enumerate(places) for user in users]
    if len(people) < 2:
        return dict(before)
    teams = [[_MODEL.rating(mu=before[user].mu, sigma=before[user].sigma)] for user, _ in people]
    rated = _MODEL.rate(teams, ranks=[float(place) for _, place in people])
    weight = DAMPING**met_before
    after = {}
    for (user, _), (new,) in zip(people, rated, strict=True):
        old = before[user]
        after[user] = Rating(
            old.mu + weight * (new.mu - old.mu), old.sigma + weight * (min(new.sigma, old.sigma) - old.sigma)
        )
    return after
