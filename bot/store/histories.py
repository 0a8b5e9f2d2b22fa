"""What is kept of the past of a person, and of a server. Imports SQLAlchemy and the store."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Collection, Sequence
from dataclasses import fields, replace
from typing import Any

from sqlalchemy import Row, Select, String, and_, cast, exists, func, or_, select, tuple_
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from bot.store import models
from bot.store.boards import hidden_on
from bot.store.records import FinishedMatch, HandLine, KeptMatch, MatchStanding, SeatRecord
from bot.tallies.statistics import Hand, Other, Past


class Histories:
    """The queries for statistics and for the history of a server."""

    _engine: AsyncEngine

    async def past(self, guild_id: int, user_id: int) -> Past:
        """Return all that is kept of one person's ranked hands and matches on a server."""
        hand, score = models.hands.c, models.hand_scores.c
        match, player = models.matches.c, models.match_players.c
        meeting, name = models.meetings.c, models.names.c
        beside = models.hand_scores.alias()
        players = (
            select(func.count())
            .where(beside.c.table_id == score.table_id, beside.c.hand_no == score.hand_no)
            .scalar_subquery()
        )
        hands = (
            # Reading the facts takes most of the time, and is done elsewhere.
            select(
                score.points,
                score.won,
                func.json_array_length(score.cards).label("left"),
                players.label("players"),
                cast(score.facts, String).label("facts"),
            )
            .join_from(
                models.hand_scores,
                models.hands,
                and_(hand.table_id == score.table_id, hand.hand_no == score.hand_no),
            )
            .where(score.guild_id == guild_id, score.user_id == user_id, score.ranked)
            .order_by(hand.ended_at, hand.table_id, hand.hand_no)
        )
        outcomes = (
            select(player.outcome)
            .join_from(models.match_players, models.matches)
            .where(player.user_id == user_id, player.ranked, match.guild_id == guild_id)
            .order_by(match.ended_at, match.table_id)
        )
        others = (
            select(meeting.other_id, func.coalesce(name.name, ""), meeting.hands, meeting.lost)
            .outerjoin_from(
                models.meetings,
                models.names,
                and_(name.user_id == meeting.other_id, name.guild_id == meeting.guild_id),
            )
            # Neither who was forgotten nor who is hidden is named.
            .where(meeting.guild_id == guild_id, meeting.user_id == user_id, meeting.other_id > 0)
            .where(meeting.other_id.not_in(hidden_on(guild_id)))
        )
        called = select(name.name).where(name.guild_id == guild_id, name.user_id == user_id)
        async with self._engine.connect() as connection:
            played = (await connection.execute(hands)).all()
            ended = (await connection.execute(outcomes)).scalars().all()
            met = (await connection.execute(others)).all()
            known = (await connection.execute(called)).scalar_one_or_none()
        return Past(
            known or "",
            await asyncio.to_thread(_hands, played),
            tuple(ended),
            tuple(Other(*row) for row in met),
        )

    async def history(
        self, guild_id: int, reader: int, channels: Collection[int], *, before: int = 0, limit: int = 5
    ) -> list[KeptMatch]:
        """Return finished matches of a server, the newest first, from the one before a table on (0: all).

        They are those in these channels, and those that the reader has played in.
        """
        match = models.matches.c
        statement = _matches(guild_id, reader, channels)
        if before:
            last = models.matches.alias().c
            ended = select(last.ended_at).where(last.table_id == before).scalar_subquery()
            statement = statement.where(tuple_(match.ended_at, match.table_id) < tuple_(ended, before))
        statement = statement.order_by(match.ended_at.desc(), match.table_id.desc())
        async with self._engine.connect() as connection:
            return await _kept(connection, statement.limit(limit))

    async def kept_match(
        self, table_id: int, guild_id: int, reader: int, channels: Collection[int]
    ) -> KeptMatch | None:
        """Return a finished match with its hands; None if there is none that the reader may see."""
        hand, score = models.hands.c, models.hand_scores.c
        statement = _matches(guild_id, reader, channels).where(models.matches.c.table_id == table_id)
        hands = (
            select(hand.hand_no, score.seat, hand.points)
            .outerjoin_from(
                models.hands,
                models.hand_scores,
                and_(hand.table_id == score.table_id, hand.hand_no == score.hand_no, score.won),
            )
            .where(hand.table_id == table_id)
            .order_by(hand.hand_no)
        )
        async with self._engine.connect() as connection:
            found = await _kept(connection, statement)
            lines = (await connection.execute(hands)).all()
        if not found:
            return None
        return replace(found[0], hands=tuple(HandLine(*line) for line in lines))


def _matches(guild_id: int, reader: int, channels: Collection[int]) -> Select[Any]:
    """Select the matches of a server that somebody may see."""
    match, table = models.matches.c, models.tables.c
    player = models.match_players.c
    took_part = exists().where(player.table_id == match.table_id, player.user_id == reader)
    return (
        select(match.table_id, match.ended_at, match.ended, match.terms)
        .join_from(models.matches, models.tables)
        .where(match.guild_id == guild_id, or_(table.channel_id.in_(channels), took_part))
    )


async def _kept(connection: AsyncConnection, statement: Select[Any]) -> list[KeptMatch]:
    """Read the matches of a statement, with their players."""
    rows = (await connection.execute(statement)).all()
    tables = [row.table_id for row in rows]
    player, seat = models.match_players.c, models.seats.c
    standings = await connection.execute(
        select(player.table_id, *(player[each.name] for each in fields(MatchStanding)))
        .where(player.table_id.in_(tables))
        .order_by(player.table_id, player.seat)
    )
    played = [(table_id, MatchStanding(*rest)) for table_id, *rest in standings]
    seated = await connection.execute(
        select(*(seat[each.name] for each in fields(SeatRecord)))
        .where(seat.table_id.in_(tables))
        .order_by(seat.table_id, seat.seat)
    )
    sat = [SeatRecord(*row) for row in seated]
    return [
        KeptMatch(
            row.table_id,
            row.ended_at,
            FinishedMatch(
                row.ended,
                tuple(standing for table_id, standing in played if table_id == row.table_id),
                row.terms,
            ),
            tuple(each for each in sat if each.table_id == row.table_id),
        )
        for row in rows
    ]


def _hands(rows: Sequence[Row[Any]]) -> tuple[Hand, ...]:
    return tuple(
        Hand(row.points, row.won, row.left, row.players, json.loads(row.facts or "{}")) for row in rows
    )
