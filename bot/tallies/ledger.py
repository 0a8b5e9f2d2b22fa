"""Adding results up: one tally a server, period and person, who has met whom, and skill.

The same code counts a hand that has just ended and recounts all hands there ever were. Imports the standard
library and its neighbours.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import combinations
from typing import Final

from bot.tallies import boards, ratings
from bot.tallies.periods import ALL_TIME, Period, period_key, period_keys
from bot.tallies.ratings import Rating

#: The place of each outcome of a match that counts, the best first (docs/rules.md, What counts).
PLACES: Final = {"won": 0, "lost": 1, "none": 1, "forfeit": 2}
#: Who has not played a match for so long stands below those whose skill has settled.
ASLEEP_AFTER: Final = timedelta(days=60)

#: Server, period, person.
TallyKey = tuple[int, str, int]
#: Server, person, other person.
MeetingKey = tuple[int, int, int]


@dataclass(slots=True)
class Tally:
    """The ranked results of a person on a server in a period.

    `others` is how many different people they have met on this server at all. `rating` and `rated_at` are set
    for all time and for seasons, from the first rated match on.
    """

    hands: int = 0
    hands_won: int = 0
    points: int = 0
    matches: int = 0
    matches_won: int = 0
    forfeits: int = 0
    others: int = 0
    rating: Rating | None = None
    rated_at: datetime | None = None
    settled: bool = False

    @property
    def win_bound(self) -> int:
        """The lower bound of the share of hands won, in millionths."""
        return boards.win_bound(self.hands_won, self.hands)

    @property
    def average(self) -> int | None:
        """The average points a hand, in millionths; None for too few hands."""
        return boards.average(self.points, self.hands)


@dataclass(slots=True)
class Meeting:
    """What a person has played with another: hands, those the other won, and rated matches of one day."""

    hands: int = 0
    lost: int = 0
    day: str = ""
    matches: int = 0


@dataclass(frozen=True, slots=True)
class Score:
    """A ranked result of a hand for one person."""

    user_id: int
    points: int
    won: bool


@dataclass(frozen=True, slots=True)
class Standing:
    """The result of a match for one person; one that is not ranked is there to be compared with."""

    user_id: int
    outcome: str
    ranked: bool


@dataclass(frozen=True, slots=True)
class SkillChange:
    """How a match changed what is believed of a person, for all time or a season (`period`)."""

    guild_id: int
    period: str
    user_id: int
    table_id: int
    before: Rating
    after: Rating


@dataclass(slots=True)
class Ledger:
    """Tallies and meetings, and what has happened to them since they were put in."""

    tallies: dict[TallyKey, Tally] = field(default_factory=dict)
    meetings: dict[MeetingKey, Meeting] = field(default_factory=dict)
    changes: list[SkillChange] = field(default_factory=list)
    touched: set[TallyKey] = field(default_factory=set)
    met: set[MeetingKey] = field(default_factory=set)

    def tally(self, guild_id: int, period: str, user_id: int) -> Tally:
        """Return a tally to be changed."""
        key = (guild_id, period, user_id)
        self.touched.add(key)
        return self.tallies.setdefault(key, Tally())

    def _meeting(self, guild_id: int, user_id: int, other: int) -> Meeting:
        key = (guild_id, user_id, other)
        self.met.add(key)
        return self.meetings.setdefault(key, Meeting())

    # --- hands

    def count_hand(self, guild_id: int, day: str, season: int, scores: Sequence[Score]) -> None:
        """Count a hand for the people whose results are ranked."""
        self._meet(guild_id, scores)
        for score in scores:
            others = self.tally(guild_id, ALL_TIME, score.user_id).others
            for period in period_keys(day, season):
                tally = self.tally(guild_id, period, score.user_id)
                tally.hands += 1
                tally.hands_won += score.won
                tally.points += score.points
                tally.others = others

    def _meet(self, guild_id: int, scores: Sequence[Score]) -> None:
        for score in scores:
            for other in scores:
                if other.user_id == score.user_id:
                    continue
                meeting = self._meeting(guild_id, score.user_id, other.user_id)
                if not meeting.hands:
                    self.tally(guild_id, ALL_TIME, score.user_id).others += 1
                meeting.hands += 1
                meeting.lost += other.won

    # --- matches

    def count_match(
        self, guild_id: int, day: str, season: int, table_id: int, at: datetime, standings: Sequence[Standing]
    ) -> None:
        """Count a match that ended at `at`, and rate those who played it."""
        ranked = [standing for standing in standings if standing.ranked]
        for standing in ranked:
            others = self.tally(guild_id, ALL_TIME, standing.user_id).others
            for period in period_keys(day, season):
                tally = self.tally(guild_id, period, standing.user_id)
                tally.matches += 1
                tally.matches_won += standing.outcome == "won"
                tally.forfeits += standing.outcome == "forfeit"
                tally.others = others
        places = [
            [each.user_id for each in standings if PLACES.get(each.outcome) == place]
            for place in sorted(set(PLACES.values()))
        ]
        if ranked and sum(map(bool, places)) > 1:
            met_before = self._met_before(guild_id, day, places)
            for period in (ALL_TIME, period_key(Period.SEASON, day, season)):
                self._rate(guild_id, period, table_id, at, places, ranked, met_before)

    def _met_before(self, guild_id: int, day: str, places: Sequence[Sequence[int]]) -> float:
        """Count a rated match between these people; returns how many a pair has had on this day before."""
        pairs = list(combinations(sorted({user for users in places for user in users}), 2))
        before = 0
        for one, other in pairs:
            for key in ((one, other), (other, one)):
                meeting = self._meeting(guild_id, *key)
                if meeting.day != day:
                    meeting.day, meeting.matches = day, 0
                meeting.matches += 1
            before += self._meeting(guild_id, one, other).matches - 1
        return before / max(1, len(pairs))

    def _rate(
        self,
        guild_id: int,
        period: str,
        table_id: int,
        at: datetime,
        places: Sequence[Sequence[int]],
        ranked: Sequence[Standing],
        met_before: float,
    ) -> None:
        before = {}
        for user in (user for users in places for user in users):
            tally = self.tallies.get((guild_id, period, user), Tally())
            rating = tally.rating or Rating()
            before[user] = rating if tally.rated_at is None else rating.after(at - tally.rated_at)
        after = ratings.rate(before, places, met_before=met_before)
        for user in (standing.user_id for standing in ranked if standing.outcome in PLACES):
            tally = self.tally(guild_id, period, user)
            tally.rating, tally.rated_at, tally.settled = after[user], at, after[user].is_settled
            self.changes.append(SkillChange(guild_id, period, user, table_id, before[user], after[user]))

    def put_to_sleep(self, now: datetime, keys: Iterable[TallyKey]) -> None:
        """Let those who have not played for long stand below the settled."""
        for key in keys:
            tally = self.tallies[key]
            if tally.settled and tally.rated_at is not None and tally.rated_at <= now - ASLEEP_AFTER:
                tally.settled = False
                self.touched.add(key)
