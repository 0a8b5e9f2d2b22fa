"""The queries, on connections of their own. Imports SQLAlchemy and the store's modules."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields, replace
from datetime import datetime
from typing import Any, TypeVar

import structlog
from sqlalchemy import ColumnElement, Select, Table, and_, func, select, union
from sqlalchemy.ext.asyncio import AsyncEngine

from bot.store import models
from bot.store.boards import Boards
from bot.store.departures import NOWHERE
from bot.store.records import (
    FinishedHand,
    FinishedMatch,
    HandScore,
    HandToken,
    LiveTable,
    LogRecord,
    MatchStanding,
    PlayedMatch,
    ScreenRecord,
    SeatRecord,
    StoredTable,
    TableRecord,
    UnreadHand,
)
from bot.store.rows import raw_columns, read_rows

_log = structlog.get_logger(__name__)

_Record = TypeVar("_Record")
_OfTable = TypeVar("_OfTable", SeatRecord, HandToken)


class Queries(Boards):
    """The queries; each sees what was committed when it began."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine

    async def live_tables(self) -> list[LiveTable]:
        """Return every table that is not closed, without its snapshot, by deadline; those without one last.

        A damaged row is logged and left out.
        """
        async with self._engine.connect() as connection:
            rows = await connection.execute(_live_tables(LiveTable))
        return read_rows(LiveTable, rows)[0]

    async def live_seats(self) -> dict[int, list[SeatRecord]]:
        """Return who sits where at the live tables, by table and seat."""
        return _by_table((await self._of_live_tables(models.seats, SeatRecord))[0])

    async def live_tokens(self) -> dict[int, list[HandToken]]:
        """Return the newest token of each person at the live tables, by table and user id."""
        return _by_table((await self._of_live_tables(models.tokens, HandToken))[0])

    async def live_screens(self) -> dict[int, ScreenRecord]:
        """Return where the messages of the live tables are, by table."""
        screens, _ = await self._of_live_tables(models.screens, ScreenRecord)
        return {screen.table_id: screen for screen in screens}

    async def stored_tables(self) -> list[StoredTable]:
        """Return every live table with its snapshot and seats, by deadline; two queries for all of them."""
        async with self._engine.connect() as connection:
            tables, _ = read_rows(TableRecord, await connection.execute(_live_tables(TableRecord)))
            rows = await connection.execute(_of_live_tables(models.seats, SeatRecord))
            seats, damaged = read_rows(SeatRecord, rows)
        by_table = _by_table(seats)
        return [_stored(table, by_table.get(table.id, []), damaged) for table in tables]

    async def table(self, table_id: int) -> StoredTable | None:
        """Return all that is kept of a live table; None if it is closed, unknown, or its row is damaged."""
        async with self._engine.connect() as connection:

            async def read(table: Table, record: type[_Record]) -> tuple[list[_Record], set[int]]:
                rows = select(*raw_columns(table, record)).where(table.c.table_id == table_id)
                ordered = rows.order_by(*table.primary_key.columns)
                return read_rows(record, await connection.execute(ordered))

            statement = _live_tables(TableRecord).where(models.tables.c.id == table_id)
            tables, _ = read_rows(TableRecord, await connection.execute(statement))
            if not tables:
                return None
            seats, damaged = await read(models.seats, SeatRecord)
            tokens, _ = await read(models.tokens, HandToken)
            screens, _ = await read(models.screens, ScreenRecord)
        stored = _stored(tables[0], seats, damaged)
        return replace(stored, tokens=tuple(tokens), screen=screens[0] if screens else None)

    async def next_table_id(self) -> int:
        """Return the first table id that was never used; asked once, then counted on."""
        highest: int | None = (await self._all(select(func.max(models.tables.c.id))))[0][0]
        return 1 if highest is None else highest + 1

    async def moves(self, table_id: int, hand_no: int) -> list[LogRecord]:
        """Return the moves of a hand in order."""
        log = models.log.c
        rows = await self._all(
            select(*_columns(models.log, LogRecord))
            .where(log.table_id == table_id, log.hand_no == hand_no)
            .order_by(log.position)
        )
        return [LogRecord(*row) for row in rows]

    async def screen(self, table_id: int) -> ScreenRecord | None:
        """Return where a table's message is, for a while after it closed too; None before it is posted."""
        rows = await self._all(
            select(*_columns(models.screens, ScreenRecord)).where(models.screens.c.table_id == table_id)
        )
        return ScreenRecord(*rows[0]) if rows else None

    async def seats(self, table_id: int) -> list[SeatRecord]:
        """Return who sits or sat where at a table, closed ones included, by seat."""
        columns = _columns(models.seats, SeatRecord)
        rows = await self._all(
            select(*columns).where(models.seats.c.table_id == table_id).order_by(models.seats.c.seat)
        )
        return [SeatRecord(*row) for row in rows]

    async def hand(
        self, table_id: int, hand_no: int, *, channel_id: int | None = None
    ) -> FinishedHand | None:
        """Return a finished hand with its scores by seat; None if there is none, or none in this channel."""
        hand, score, table = models.hands.c, models.hand_scores.c, models.tables.c
        async with self._engine.connect() as connection:
            row = (
                await connection.execute(
                    select(hand.hand_no, hand.end, hand.winner_user_id, hand.points, hand.scenario)
                    .join_from(models.hands, models.tables)
                    .where(
                        hand.table_id == table_id,
                        hand.hand_no == hand_no,
                        table.channel_id == (table.channel_id if channel_id is None else channel_id),
                    )
                )
            ).one_or_none()
            scores = await connection.execute(
                select(
                    score.user_id, score.seat, score.points, score.cards, score.won, score.ranked, score.facts
                )
                .where(score.table_id == table_id, score.hand_no == hand_no)
                .order_by(score.seat)
            )
        if row is None:
            return None
        return FinishedHand(
            *row,
            scores=tuple(
                HandScore(user_id, seat, points, tuple(cards), *rest)
                for user_id, seat, points, cards, *rest in scores
            ),
        )

    async def hands_without_facts(self, limit: int) -> list[UnreadHand]:
        """Return finished hands of which it is not known what each seat did, the newest first."""
        hand, score = models.hands.c, models.hand_scores.c
        without = (
            select(score.table_id, score.hand_no)
            .where(score.facts.is_(None))
            .distinct()
            .order_by(score.table_id.desc(), score.hand_no.desc())
            .limit(limit)
            .subquery()
        )
        rows = await self._all(
            select(hand.table_id, hand.hand_no, hand.scenario).join_from(
                models.hands,
                without,
                and_(hand.table_id == without.c.table_id, hand.hand_no == without.c.hand_no),
            )
        )
        return [UnreadHand(*row) for row in rows]

    async def scored_seats(self, table_id: int, hand_no: int) -> list[int]:
        """Return the seats that have a score in a finished hand."""
        score = models.hand_scores.c
        rows = await self._all(
            select(score.seat)
            .where(score.table_id == table_id, score.hand_no == hand_no)
            .order_by(score.seat)
        )
        return [seat for (seat,) in rows]

    async def played(self, table_id: int, *, guild_id: int, channel_id: int) -> PlayedMatch | None:
        """Return what is kept of a finished match; None if there is none in this channel of this server."""
        match, table, player = models.matches.c, models.tables.c, models.match_players.c
        async with self._engine.connect() as connection:
            row = (
                await connection.execute(
                    select(match.terms, match.host_user_id, match.ranked)
                    .join_from(models.matches, models.tables)
                    .where(
                        match.table_id == table_id,
                        match.guild_id == guild_id,
                        table.channel_id == channel_id,
                    )
                )
            ).one_or_none()
            players = await connection.execute(
                select(player.user_id, player.removed).where(player.table_id == table_id)
            )
            took_part = players.all()
        if row is None:
            return None
        removed = frozenset(user_id for user_id, removed in took_part if removed and user_id is not None)
        return PlayedMatch(row.terms, row.host_user_id, row.ranked, len(took_part), removed)

    async def match(self, table_id: int, *, guild_id: int, channel_id: int) -> FinishedMatch | None:
        """Return a finished match, its players by seat; None if there is none in this channel and server."""
        match, table, player = models.matches.c, models.tables.c, models.match_players.c
        async with self._engine.connect() as connection:
            found = await connection.execute(
                select(match.ended, match.terms)
                .join_from(models.matches, models.tables)
                .where(match.table_id == table_id, match.guild_id == guild_id, table.channel_id == channel_id)
            )
            row = found.one_or_none()
            players = await connection.execute(
                select(*_columns(models.match_players, MatchStanding))
                .where(player.table_id == table_id)
                .order_by(player.seat)
            )
        if row is None:
            return None
        return FinishedMatch(row.ended, tuple(MatchStanding(*each) for each in players), row.terms)

    async def has_finished(self, user_id: int) -> bool:
        """Whether a person has played a match to its end, on any server."""
        player = models.match_players.c
        finished = player.outcome.in_(("won", "lost"))
        rows = await self._all(select(player.seat).where(player.user_id == user_id, finished).limit(1))
        return bool(rows)

    async def guild_settings(self, guild_id: int) -> dict[str, Any]:
        """Return a server's settings as last saved; {} if it has none."""
        saved = models.guild_settings.c
        rows = await self._all(select(saved.settings).where(saved.guild_id == guild_id))
        return rows[0][0] if rows else {}

    async def servers(self) -> set[int]:
        """Return the ids of all servers of which anything is kept."""
        tables, settings = models.tables.c.guild_id, models.guild_settings.c.guild_id
        rows = await self._all(union(select(tables).where(tables != NOWHERE), select(settings)))
        return {guild_id for (guild_id,) in rows}

    async def departures(self) -> dict[int, datetime]:
        """Return the servers that have removed the bot, and when that was seen."""
        departed = models.departures.c
        rows = await self._all(select(departed.guild_id, departed.left_at))
        return dict(map(tuple, rows))

    async def nudges(self, user_id: int) -> str | None:
        """Return when a person wants to be nudged; None if they never said."""
        wish = models.wishes.c
        rows = await self._all(select(wish.nudges).where(wish.user_id == user_id))
        return rows[0][0] if rows else None

    async def in_words(self) -> set[int]:
        """Return the people whose cards are shown in words."""
        wish = models.wishes.c
        return {row[0] for row in await self._all(select(wish.user_id).where(wish.cards == "words"))}

    async def languages(self) -> dict[int, str]:
        """Return the languages that people have chosen, by user id."""
        wish = models.wishes.c
        rows = await self._all(select(wish.user_id, wish.language).where(wish.language.is_not(None)))
        return {row.user_id: row.language for row in rows}

    async def fact(self, key: str) -> str | None:
        """Return the value last saved by `set_fact`; None if there is none."""
        rows = await self._all(select(models.facts.c.value).where(models.facts.c.key == key))
        return rows[0][0] if rows else None

    async def _of_live_tables(self, table: Table, record: type[_Record]) -> tuple[list[_Record], set[int]]:
        async with self._engine.connect() as connection:
            return read_rows(record, await connection.execute(_of_live_tables(table, record)))

    async def _all(self, statement: Any) -> Any:
        async with self._engine.connect() as connection:
            return (await connection.execute(statement)).all()


def _columns(table: Table, record: type) -> list[ColumnElement[Any]]:
    return [table.c[each.name] for each in fields(record)]


def _live_tables(record: type) -> Select[Any]:
    table = models.tables.c
    return (
        select(*raw_columns(models.tables, record))
        .where(table.closed_at.is_(None))
        .order_by(table.due_at.is_(None), table.due_at, table.id)
    )


def _of_live_tables(table: Table, record: type) -> Select[Any]:
    """Select the rows of all live tables, through their index: there are far more closed ones."""
    live = select(models.tables.c.id).where(models.tables.c.closed_at.is_(None))
    return (
        select(*raw_columns(table, record))
        .where(table.c.table_id.in_(live))
        .order_by(*table.primary_key.columns)
    )


def _by_table(records: Iterable[_OfTable]) -> dict[int, list[_OfTable]]:
    found: dict[int, list[_OfTable]] = {}
    for record in records:
        found.setdefault(record.table_id, []).append(record)
    return found


def _stored(table: TableRecord, seats: list[SeatRecord], damaged: set[int]) -> StoredTable:
    """Put a table and its seats together; a table without all of them cannot be read."""
    whole = [seat.seat for seat in seats] == list(range(len(seats))) and all(
        (seat.user_id is None) == (seat.cpu is not None) for seat in seats
    )
    if table.id in damaged or not whole:
        _log.error("seats_damaged", table=table.id)
        table = replace(table, snapshot={})
    return StoredTable(table, tuple(seats))
