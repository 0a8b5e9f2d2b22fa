"""What is read, on connections of the readers' own. Imports SQLAlchemy, models and records."""

from __future__ import annotations

import json
from dataclasses import fields
from typing import Any

from sqlalchemy import ColumnElement, LargeBinary, Table, and_, cast, func, select
from sqlalchemy.ext.asyncio import AsyncEngine

from bot.store import models
from bot.store.records import (
    FinishedHand,
    HandScore,
    HandToken,
    LeaderRow,
    LogRecord,
    ScreenRecord,
    SeatRecord,
    TableRecord,
)


class Queries:
    """The questions that can be asked; what they see is what was committed when they were asked."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine

    async def live_tables(self) -> list[tuple[TableRecord, list[SeatRecord]]]:
        """Read every table that is not closed, oldest first, with its seats in order."""
        table, seat = models.tables.c, models.seats.c
        # As bytes: one snapshot that is damaged must not keep the rest from being read.
        snapshot = cast(table.snapshot, LargeBinary)
        async with self._engine.connect() as connection:
            rows = await connection.execute(
                select(
                    table.id,
                    table.guild_id,
                    table.channel_id,
                    table.version,
                    snapshot,
                    table.updated_at,
                    table.due_at,
                )
                .where(table.closed_at.is_(None))
                .order_by(table.id)
            )
            seats = await connection.execute(
                select(*_columns(models.seats, SeatRecord))
                .join(models.tables)
                .where(table.closed_at.is_(None))
                .order_by(seat.table_id, seat.seat)
            )
        found: dict[int, tuple[TableRecord, list[SeatRecord]]] = {
            table_id: (TableRecord(table_id, guild, channel, version, _json_object(text), *times), [])
            for table_id, guild, channel, version, text, *times in rows
        }
        for row in seats:
            found[row.table_id][1].append(SeatRecord(*row))
        return list(found.values())

    async def next_table_id(self) -> int:
        """Give the lowest number above those of all tables there ever were; asked once, then counted on."""
        highest: int | None = (await self._all(select(func.max(models.tables.c.id))))[0][0]
        return 1 if highest is None else highest + 1

    async def moves(self, table_id: int, hand_no: int) -> list[LogRecord]:
        """Read the moves of a hand in order."""
        log = models.log.c
        rows = await self._all(
            select(*_columns(models.log, LogRecord))
            .where(log.table_id == table_id, log.hand_no == hand_no)
            .order_by(log.position)
        )
        return [LogRecord(*row) for row in rows]

    async def tokens(self, table_id: int) -> list[HandToken]:
        """Read the newest token of each person at a table that has one, by user id."""
        token = models.tokens.c
        rows = await self._all(
            select(*_columns(models.tokens, HandToken))
            .where(token.table_id == table_id)
            .order_by(token.user_id)
        )
        return [HandToken(*row) for row in rows]

    async def screen(self, table_id: int) -> ScreenRecord | None:
        """Read where a table's message stands, a closed one's too; None before it was posted."""
        rows = await self._all(
            select(*_columns(models.screens, ScreenRecord)).where(models.screens.c.table_id == table_id)
        )
        return ScreenRecord(*rows[0]) if rows else None

    async def seats(self, table_id: int) -> list[SeatRecord]:
        """Read who sat where at a table, a closed one's too, by seat."""
        columns = _columns(models.seats, SeatRecord)
        rows = await self._all(
            select(*columns).where(models.seats.c.table_id == table_id).order_by(models.seats.c.seat)
        )
        return [SeatRecord(*row) for row in rows]

    async def hand(self, table_id: int, hand_no: int, *, guild_id: int | None = None) -> FinishedHand | None:
        """Read a finished hand with its scores by seat; None if there is none, or it is another server's."""
        hand, score = models.hands.c, models.hand_scores.c
        async with self._engine.connect() as connection:
            row = (
                await connection.execute(
                    select(hand.hand_no, hand.end, hand.winner_user_id, hand.points, hand.scenario).where(
                        hand.table_id == table_id,
                        hand.hand_no == hand_no,
                        hand.guild_id == (hand.guild_id if guild_id is None else guild_id),
                    )
                )
            ).one_or_none()
            scores = await connection.execute(
                select(score.user_id, score.seat, score.points, score.cards, score.won, score.ranked)
                .where(score.table_id == table_id, score.hand_no == hand_no)
                .order_by(score.seat)
            )
        if row is None:
            return None
        return FinishedHand(
            *row,
            scores=tuple(
                HandScore(user_id, seat, points, tuple(cards), won, ranked)
                for user_id, seat, points, cards, won, ranked in scores
            ),
        )

    async def leaderboard(self, guild_id: int, limit: int, offset: int = 0) -> list[LeaderRow]:
        """Read a part of a server's leaderboard, over all ranked hands ever finished there.

        Most points first, then most hands won; who is equal in both has the same rank (1, 2, 2, 4), in the
        order of the user ids.
        """
        score, name = models.hand_scores.c, models.names.c
        total = (
            select(
                score.user_id,
                func.sum(score.points).label("points"),
                func.count().filter(score.won).label("hands_won"),
                func.count().label("hands_played"),
            )
            .where(score.guild_id == guild_id, score.ranked)
            .group_by(score.user_id)
            .subquery()
            .c
        )
        order = (total.points.desc(), total.hands_won.desc())
        rows = await self._all(
            select(
                func.rank().over(order_by=order),
                total.user_id,
                func.coalesce(name.name, ""),
                total.points,
                total.hands_won,
                total.hands_played,
            )
            .outerjoin_from(
                total.user_id.table,
                models.names,
                and_(name.user_id == total.user_id, name.guild_id == guild_id),
            )
            .order_by(*order, total.user_id)
            .limit(limit)
            .offset(offset)
        )
        return [LeaderRow(*row) for row in rows]

    async def options(self, table_id: int, *, guild_id: int, channel_id: int) -> dict[str, Any] | None:
        """Return the options of a finished match; None if there is none in this channel of this server."""
        match, table = models.matches.c, models.tables.c
        rows = await self._all(
            select(match.terms)
            .join_from(models.matches, models.tables)
            .where(match.table_id == table_id, match.guild_id == guild_id, table.channel_id == channel_id)
        )
        return rows[0][0] if rows else None

    async def has_finished(self, user_id: int) -> bool:
        """Tell whether a person has ever played a match to its end, on any server."""
        player = models.match_players.c
        finished = player.outcome.in_(("won", "lost"))
        rows = await self._all(select(player.seat).where(player.user_id == user_id, finished).limit(1))
        return bool(rows)

    async def guild_settings(self, guild_id: int) -> dict[str, Any]:
        """Return a server's settings as last saved; {} if it has none."""
        saved = models.guild_settings.c
        rows = await self._all(select(saved.settings).where(saved.guild_id == guild_id))
        return rows[0][0] if rows else {}

    async def nudges(self, user_id: int) -> str | None:
        """Read when a person wants to be nudged; None if they never said."""
        wish = models.wishes.c
        rows = await self._all(select(wish.nudges).where(wish.user_id == user_id))
        return rows[0][0] if rows else None

    async def fact(self, key: str) -> str | None:
        """Read what `set_fact` was told last; None if it never was."""
        rows = await self._all(select(models.facts.c.value).where(models.facts.c.key == key))
        return rows[0][0] if rows else None

    async def _all(self, statement: Any) -> Any:
        async with self._engine.connect() as connection:
            return (await connection.execute(statement)).all()


def _columns(table: Table, record: type) -> list[ColumnElement[Any]]:
    return [table.c[each.name] for each in fields(record)]


def _json_object(text: bytes | None) -> dict[str, Any]:
    """Read a JSON object; anything else is an empty one."""
    try:
        value = json.loads(text or b"{}")
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}
