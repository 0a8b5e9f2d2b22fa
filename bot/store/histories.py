"""What is kept of the past: one person's hands and matches. Imports SQLAlchemy and the store."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from typing import Any

from sqlalchemy import Row, String, and_, cast, func, select
from sqlalchemy.ext.asyncio import AsyncEngine

from bot.store import models
from bot.tallies.statistics import Hand, Other, Past


class Histories:
    """The queries for statistics."""

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
            .where(meeting.guild_id == guild_id, meeting.user_id == user_id)
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


def _hands(rows: Sequence[Row[Any]]) -> tuple[Hand, ...]:
    return tuple(
        Hand(row.points, row.won, row.left, row.players, json.loads(row.facts or "{}")) for row in rows
    )
