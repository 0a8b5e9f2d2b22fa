"""Counting results: what a finished hand or match adds to the tallies, in the transaction that saves it.

Imports SQLAlchemy, the store's modules and `bot.tallies`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from sqlalchemy import Connection, Executable, Table, bindparam, delete, func, insert, select, text
from sqlalchemy.dialects import sqlite

from bot.store import models
from bot.store.records import FinishedHand, FinishedMatch, Save
from bot.tallies.ledger import ASLEEP_AFTER, Ledger, Meeting, Score, SkillChange, Standing, Tally, TallyKey
from bot.tallies.periods import day_of, period_keys
from bot.tallies.ratings import Rating

#: The most people of whom a pass over the sleeping changes the standing.
ASLEEP_AT_ONCE: Final = 10_000

#: How tallies are counted; raised when that changes, so that those of an earlier release are recounted.
TALLIES: Final = "1"

#: User ids up to here are those of nobody: they stand for people who were forgotten.
FORGOTTEN: Final = -1

_TALLY_KEY: Final = ("guild_id", "period", "user_id")
_COUNTS: Final = ("hands", "hands_won", "points", "matches", "matches_won", "forfeits", "others")


def replace_rows(table: Table) -> Executable:
    """Return a statement that writes rows in place of those with the same key."""
    statement = sqlite.insert(table)
    keys = [column.name for column in table.primary_key.columns]
    return statement.on_conflict_do_update(
        index_elements=keys,
        set_={c.name: statement.excluded[c.name] for c in table.columns if c.name not in keys},
    )


_KEEP_TALLY: Final = replace_rows(models.tallies)
_KEEP_MEETING: Final = replace_rows(models.meetings)
_UNSETTLE: Final = text(
    "UPDATE tallies SET settled = 0 WHERE guild_id = :of_guild AND period = :of_period AND user_id = :of_user"
)
#: A damaged row of settings must not keep a hand from being saved.
_ZONES: Final = text(
    "SELECT guild_id, CASE WHEN json_valid(settings) THEN json_extract(settings, '$.time_zone') END AS zone "
    "FROM servers WHERE guild_id IN :guilds"
).bindparams(bindparam("guilds", expanding=True))


@dataclass(frozen=True, slots=True)
class When:
    """When a result of a server counts: the day in its time zone, and its season."""

    day: str
    season: int


def when(connection: Connection, saves: Iterable[Save]) -> dict[int, When]:
    """Return when the results in these saves count, by table; begins the first season of a server."""
    tables = [save.table for save in saves if save.table is not None and (save.hands or save.match)]
    if not tables:
        return {}
    guilds = {table.guild_id for table in tables}
    zones = _zones(connection, guilds)
    seasons = _seasons(connection, {table.guild_id: table.updated_at for table in tables})
    return {
        table.id: When(day_of(table.updated_at, zones.get(table.guild_id)), seasons[table.guild_id])
        for table in tables
    }


def _zones(connection: Connection, guilds: Collection[int]) -> dict[int, str | None]:
    rows = connection.execute(_ZONES, {"guilds": list(guilds)})
    return {row.guild_id: row.zone if isinstance(row.zone, str) else None for row in rows}


def _seasons(connection: Connection, guilds: dict[int, datetime]) -> dict[int, int]:
    season = models.seasons.c
    rows = connection.execute(
        select(
            season.guild_id,
            func.max(season.number),
            func.max(season.number).filter(season.closed_at.is_(None)),
        )
        .where(season.guild_id.in_(guilds))
        .group_by(season.guild_id)
    )
    known = {guild: (last, current) for guild, last, current in rows}
    new = [
        {"guild_id": guild, "number": known.get(guild, (0, None))[0] + 1, "began_at": at, "closed_at": None}
        for guild, at in guilds.items()
        if known.get(guild, (0, None))[1] is None
    ]
    if new:
        connection.execute(insert(models.seasons), new)
    return {guild: current for guild, (_, current) in known.items() if current is not None} | {
        row["guild_id"]: row["number"] for row in new
    }


# --- a hand or match that has just ended


def count(connection: Connection, saves: Sequence[Save], at: dict[int, When]) -> None:
    """Add the results in these saves to the tallies."""
    ending = [save for save in saves if save.table is not None and save.table.id in at]
    if not ending:
        return
    ledger = _ledger(connection, ending, at)
    for save in ending:
        assert save.table is not None
        table, counts = save.table, at[save.table.id]
        for hand in save.hands:
            ledger.count_hand(table.guild_id, counts.day, counts.season, scores(hand))
        if save.match is not None:
            ledger.count_match(
                table.guild_id, counts.day, counts.season, table.id, table.updated_at, standings(save.match)
            )
    _write(connection, ledger, insert(models.skill_changes))


def scores(hand: FinishedHand) -> list[Score]:
    """Return the ranked results of a hand."""
    return [
        Score(score.user_id, score.points, score.won)
        for score in hand.scores
        if score.ranked and score.user_id is not None
    ]


def standings(match: FinishedMatch) -> list[Standing]:
    """Return the results of a match for people."""
    return [
        Standing(each.user_id, each.outcome, each.ranked)
        for each in match.standings
        if each.user_id is not None
    ]


def _ledger(connection: Connection, saves: Iterable[Save], at: dict[int, When]) -> Ledger:
    """Read all that these saves may change."""
    people: defaultdict[int, set[int]] = defaultdict(set)
    periods: defaultdict[int, set[str]] = defaultdict(set)
    for save in saves:
        assert save.table is not None
        guild = save.table.guild_id
        people[guild] |= {score.user_id for hand in save.hands for score in scores(hand)}
        if save.match is not None:
            people[guild] |= {each.user_id for each in standings(save.match)}
        counts = at[save.table.id]
        periods[guild] |= set(period_keys(counts.day, counts.season))
    ledger = Ledger()
    tally, meeting = models.tallies.c, models.meetings.c
    for guild, users in people.items():
        rows = connection.execute(
            select(models.tallies).where(
                tally.guild_id == guild, tally.period.in_(periods[guild]), tally.user_id.in_(users)
            )
        )
        ledger.tallies |= dict(map(_read_tally, rows))
        rows = connection.execute(
            select(models.meetings).where(
                meeting.guild_id == guild, meeting.user_id.in_(users), meeting.other_id.in_(users)
            )
        )
        ledger.meetings |= {
            (row.guild_id, row.user_id, row.other_id): Meeting(row.hands, row.lost, row.day, row.matches)
            for row in rows
        }
    return ledger


def _read_tally(row: Any) -> tuple[TallyKey, Tally]:
    counts = {name: getattr(row, name) for name in _COUNTS}
    rating = None if row.mu is None else Rating(row.mu, row.sigma)
    tally = Tally(**counts, rating=rating, rated_at=row.rated_at, settled=row.settled)
    return (row.guild_id, row.period, row.user_id), tally


def _write(connection: Connection, ledger: Ledger, keep_change: Executable) -> None:
    """Write what has changed in a ledger; of the forgotten there is what others have met, and no more."""
    if tallies := [_tally_row(key, ledger.tallies[key]) for key in ledger.touched if key[2] > FORGOTTEN]:
        connection.execute(_KEEP_TALLY, tallies)
    if meetings := [_meeting_row(key, ledger.meetings[key]) for key in ledger.met if key[1] > FORGOTTEN]:
        connection.execute(_KEEP_MEETING, meetings)
    if changes := [_change_row(each) for each in ledger.changes if each.user_id > FORGOTTEN]:
        connection.execute(keep_change, changes)


def _tally_row(key: TallyKey, tally: Tally) -> dict[str, Any]:
    rating = tally.rating
    return dict(zip(_TALLY_KEY, key, strict=True)) | {
        **{name: getattr(tally, name) for name in _COUNTS},
        "win_bound": tally.win_bound,
        "average": tally.average,
        "mu": None if rating is None else rating.mu,
        "sigma": None if rating is None else rating.sigma,
        "rated_at": tally.rated_at,
        "settled": tally.settled,
        "skill": None if rating is None else rating.shown,
    }


def _meeting_row(key: tuple[int, int, int], meeting: Meeting) -> dict[str, Any]:
    guild_id, user_id, other_id = key
    return {
        "guild_id": guild_id,
        "user_id": user_id,
        "other_id": other_id,
        "hands": meeting.hands,
        "lost": meeting.lost,
        "day": meeting.day,
        "matches": meeting.matches,
    }


def _change_row(change: SkillChange) -> dict[str, Any]:
    return {
        "guild_id": change.guild_id,
        "period": change.period,
        "user_id": change.user_id,
        "table_id": change.table_id,
        "mu_before": change.before.mu,
        "sigma_before": change.before.sigma,
        "mu": change.after.mu,
        "sigma": change.after.sigma,
    }


# --- all over again


def counted_as(connection: Connection) -> str | None:
    """Return how the stored tallies were counted (see `TALLIES`); None if they never were."""
    value = select(models.facts.c.value).where(models.facts.c.key == "tallies")
    return (connection.execute(value)).scalar_one_or_none()


def note_counted(connection: Connection, how: str) -> None:
    """Note how the tallies are counted now."""
    connection.execute(replace_rows(models.facts), {"key": "tallies", "value": how})


@dataclass(slots=True)
class _StoredHand:
    day: str
    season: int
    scores: list[Score]


@dataclass(slots=True)
class _StoredMatch:
    day: str
    season: int
    table_id: int
    at: datetime
    standings: list[Standing]


#: When something ended, at which table, and what comes first there: the hands, then the match.
_Order = tuple[datetime, int, int]
_NO_HAND: Final = 1 << 30


def recount(connection: Connection, now: datetime | None = None) -> None:
    """Work all tallies out from the stored hands and matches, in the order in which they ended.

    With `now`, those who have not played for long stand below the settled.
    """
    for table in (models.skill_changes, models.meetings, models.tallies):
        connection.execute(delete(table))
    rows = connection.execute(
        select(models.hands.c.guild_id).union(select(models.matches.c.guild_id)).order_by("guild_id")
    )
    for (guild_id,) in rows.all():
        ledger = Ledger()
        ended: list[tuple[_Order, _StoredHand | _StoredMatch]] = [
            *_stored_hands(connection, guild_id),
            *_stored_matches(connection, guild_id),
        ]
        for _, result in sorted(ended, key=lambda each: each[0]):
            if isinstance(result, _StoredHand):
                ledger.count_hand(guild_id, result.day, result.season, result.scores)
            else:
                ledger.count_match(
                    guild_id, result.day, result.season, result.table_id, result.at, result.standings
                )
        if now is not None:
            ledger.put_to_sleep(now, ledger.tallies)
        _write(connection, ledger, insert(models.skill_changes))


def _stored_hands(connection: Connection, guild_id: int) -> list[tuple[_Order, _StoredHand]]:
    hand, score = models.hands.c, models.hand_scores.c
    rows = connection.execute(
        select(hand.ended_at, hand.table_id, hand.hand_no, hand.day, hand.season)
        .add_columns(score.user_id, score.points, score.won)
        .join_from(models.hands, models.hand_scores)
        .where(hand.guild_id == guild_id, score.ranked, score.user_id.is_not(None))
        .order_by(score.table_id, score.hand_no, score.seat)
    )
    found: dict[_Order, _StoredHand] = {}
    for ended_at, table_id, hand_no, day, season, *result in rows:
        stored = found.setdefault((ended_at, table_id, hand_no), _StoredHand(day, season, []))
        stored.scores.append(Score(*result))
    return list(found.items())


def _stored_matches(connection: Connection, guild_id: int) -> list[tuple[_Order, _StoredMatch]]:
    match, player = models.matches.c, models.match_players.c
    rows = connection.execute(
        select(match.ended_at, match.table_id, match.day, match.season)
        .add_columns(player.user_id, player.outcome, player.ranked)
        .join_from(models.matches, models.match_players)
        .where(match.guild_id == guild_id, player.user_id.is_not(None))
        .order_by(player.table_id, player.seat)
    )
    found: dict[_Order, _StoredMatch] = {}
    for ended_at, table_id, day, season, *result in rows:
        order = (ended_at, table_id, _NO_HAND)
        stored = found.setdefault(order, _StoredMatch(day, season, table_id, ended_at, []))
        stored.standings.append(Standing(*result))
    return list(found.items())


def put_to_sleep(connection: Connection, now: datetime) -> None:
    """Let those who have not played for long stand below the settled, so many of them at most."""
    tally = models.tallies.c
    asleep = (
        select(tally.guild_id, tally.period, tally.user_id)
        .where(text("settled"), tally.rated_at <= now - ASLEEP_AFTER)
        .limit(ASLEEP_AT_ONCE)
    )
    keys = [
        dict(zip(("of_guild", "of_period", "of_user"), row, strict=True))
        for row in connection.execute(asleep)
    ]
    if keys:
        connection.execute(_UNSETTLE, keys)
