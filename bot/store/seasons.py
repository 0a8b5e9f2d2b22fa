"""What the managers of a server may do with its results: close a season, export. Imports SQLAlchemy."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import Connection, and_, func, insert, select, tuple_, update

from bot.store import models
from bot.store.boards import KNOWN, ORDER, hidden_on, shown_on
from bot.tallies.boards import ENOUGH_PEOPLE, By, others_needed
from bot.tallies.periods import ALL_TIME, Period, period_key

_tally, _season = models.tallies.c, models.seasons.c


def close_season(connection: Connection, guild_id: int, now: datetime) -> int | None:
    """Close the season that is on and note its champions; returns its number, None if none is on.

    The next one begins with the next result. Who leads a board with others shares it with them.
    """
    is_on = (_season.guild_id == guild_id, _season.closed_at.is_(None))
    number: int | None = connection.execute(select(func.max(_season.number)).where(*is_on)).scalar_one()
    if number is None:
        return None
    connection.execute(update(models.seasons).where(*is_on).values(closed_at=now))
    everybody = select(_tally.user_id).where(_tally.guild_id == guild_id, _tally.period == ALL_TIME)
    people = connection.execute(
        select(func.count()).select_from(everybody.limit(ENOUGH_PEOPLE).subquery())
    ).scalar_one()
    period = period_key(Period.SEASON, "", number)
    for by, order in ORDER.items():
        stands = and_(
            _tally.guild_id == guild_id,
            _tally.period == period,
            _tally.others >= others_needed(people),
            shown_on(guild_id),
            *([KNOWN[by].is_not(None)] if by in KNOWN else []),
        )
        best = select(*order).where(stands).order_by(*(each.desc() for each in order)).limit(1)
        if (first := connection.execute(best).one_or_none()) is None:
            continue
        lead = connection.execute(select(_tally.user_id).where(stands, tuple_(*order) == tuple(first)))
        rows = [
            {"guild_id": guild_id, "season": number, "board": by.value, "user_id": user}
            for user in lead.scalars()
        ]
        connection.execute(insert(models.champions), rows)
    return number


def champions(connection: Connection, guild_id: int) -> tuple[int, list[tuple[By, int, str]]] | None:
    """Return the number of the season closed last and its champions: board, person, last known name.

    A person who was forgotten has a number below zero and no name; who is hidden is not named. None if no
    season was closed yet.
    """
    closed = (_season.guild_id == guild_id, _season.closed_at.is_not(None))
    number: int | None = connection.execute(select(func.max(_season.number)).where(*closed)).scalar_one()
    if number is None:
        return None
    champion, name = models.champions.c, models.names.c
    rows = connection.execute(
        select(champion.board, champion.user_id, func.coalesce(name.name, ""))
        .outerjoin_from(
            models.champions,
            models.names,
            and_(name.user_id == champion.user_id, name.guild_id == champion.guild_id),
        )
        .where(
            champion.guild_id == guild_id,
            champion.season == number,
            champion.user_id.not_in(hidden_on(guild_id)),
        )
        .order_by(champion.board, champion.user_id)
    )
    order = list(By)
    named = [(By(board), user, name) for board, user, name in rows]
    return number, sorted(named, key=lambda each: order.index(each[0]))


#: The columns of an export.
EXPORTED = (
    "period",
    "user_id",
    "name",
    "hands",
    "hands_won",
    "points",
    "matches",
    "matches_won",
    "forfeits",
    "skill",
)


def exported(connection: Connection, guild_id: int) -> list[tuple[Any, ...]]:
    """Return what a server's results add up to by period and person (`EXPORTED`), without the hidden."""
    name = models.names.c
    columns = [func.coalesce(name.name, "") if column == "name" else _tally[column] for column in EXPORTED]
    rows = connection.execute(
        select(*columns)
        .outerjoin_from(
            models.tallies,
            models.names,
            and_(name.user_id == _tally.user_id, name.guild_id == _tally.guild_id),
        )
        .where(_tally.guild_id == guild_id, shown_on(guild_id))
        .order_by(_tally.period, _tally.points.desc(), _tally.user_id)
    )
    return [tuple(row) for row in rows]
