"""The queries, on connections of their own. Imports SQLAlchemy and the store's modules."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import fields, replace
from datetime import datetime
from typing import Any, Final, TypeVar

import structlog
from sqlalchemy import (
    ColumnElement,
    LargeBinary,
    Select,
    String,
    Table,
    and_,
    cast,
    func,
    literal_column,
    or_,
    select,
    union,
)
from sqlalchemy.ext.asyncio import AsyncEngine

from bot.store import models, seasons
from bot.store.boards import Boards
from bot.store.departures import NOWHERE
from bot.store.forgetting import kept_of
from bot.store.histories import Histories
from bot.store.packing import unpack
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
from bot.tallies.boards import By

_log = structlog.get_logger(__name__)

_OfTable = TypeVar("_OfTable", SeatRecord, HandToken, ScreenRecord)


class Queries(Boards, Histories):
    """The queries; each sees what was committed when it began."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine

    async def live_tables(self) -> list[LiveTable]:
        """Return every table that is not closed, without its snapshot, by deadline; those without one last.

        A damaged row is logged and left out.
        """
        async with self._engine.connect() as connection:
            rows = await connection.execute(_LIVE_TABLES)
        return read_rows(LiveTable, rows)[0]

    async def stored_tables(self, ids: Collection[int] | None = None) -> list[StoredTable]:
        """Return all that is kept of the live tables, or of those with these ids, by deadline.

        Four queries, however many there are. A damaged row of a table is logged and left out.
        """
        async with self._engine.connect() as connection:

            async def read(
                table: Table, record: type[_OfTable]
            ) -> tuple[dict[int, list[_OfTable]], set[int]]:
                rows = await connection.execute(_of_live_tables(table, record, ids))
                found, damaged = read_rows(record, rows)
                return _by_table(found), damaged

            statement = _live_tables(raw_columns(models.tables, TableRecord))
            if ids is not None:
                statement = statement.where(models.tables.c.id.in_(ids))
            tables, _ = read_rows(TableRecord, await connection.execute(statement))
            seats, damaged = await read(models.seats, SeatRecord)
            tokens, _ = await read(models.tokens, HandToken)
            screens, _ = await read(models.screens, ScreenRecord)
        return [
            replace(
                _stored(table, seats.get(table.id, []), damaged),
                tokens=tuple(tokens.get(table.id, ())),
                screen=next(iter(screens.get(table.id, ())), None),
            )
            for table in tables
        ]

    async def table(self, table_id: int) -> StoredTable | None:
        """Return all that is kept of a live table; None if it is closed, unknown, or its row is damaged."""
        return next(iter(await self.stored_tables([table_id])), None)

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
        if rows:
            return [LogRecord(*row) for row in rows]
        packed = models.packed_moves.c
        rows = await self._all(
            select(packed.moves).where(packed.table_id == table_id, packed.hand_no == hand_no)
        )
        return unpack(rows[0][0], table_id, hand_no) if rows else []

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
        # Nobody waits for who was forgotten.
        gone = frozenset(user for user, removed in took_part if user is not None and (removed or user < 0))
        host = None if row.host_user_id in gone else row.host_user_id
        return PlayedMatch(row.terms, host, row.ranked, len(took_part), gone)

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

    async def is_hidden(self, guild_id: int, user_id: int) -> bool:
        """Whether a person does not want to be seen on the boards of a server."""
        hidden = models.hidden.c
        return bool(
            await self._all(
                select(hidden.user_id).where(hidden.guild_id == guild_id, hidden.user_id == user_id)
            )
        )

    async def kept_of(self, user_id: int) -> dict[str, list[dict[str, Any]]]:
        """Return every row about a person, by table (see `bot.store.forgetting`)."""
        async with self._engine.connect() as connection:
            return await connection.run_sync(lambda sync: kept_of(sync, user_id))

    async def champions(self, guild_id: int) -> tuple[int, list[tuple[By, int, str]]] | None:
        """Return the season closed last and who led its boards; None if none was closed."""
        async with self._engine.connect() as connection:
            return await connection.run_sync(lambda sync: seasons.champions(sync, guild_id))

    async def exported(self, guild_id: int) -> list[tuple[Any, ...]]:
        """Return what a server's results add up to, a row by period and person (`seasons.EXPORTED`)."""
        async with self._engine.connect() as connection:
            return await connection.run_sync(lambda sync: seasons.exported(sync, guild_id))

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

    async def _all(self, statement: Any) -> Any:
        async with self._engine.connect() as connection:
            return (await connection.execute(statement)).all()


def _columns(table: Table, record: type) -> list[ColumnElement[Any]]:
    return [table.c[each.name] for each in fields(record)]


def _live_tables(columns: Sequence[ColumnElement[Any]]) -> Select[Any]:
    table = models.tables.c
    return (
        select(*columns)
        .where(table.closed_at.is_(None))
        .order_by(table.due_at.is_(None), table.due_at, table.id)
    )


def _of_live_tables(table: Table, record: type, ids: Collection[int] | None) -> Select[Any]:
    """Select the rows of tables by their ids, or of all live ones through their index."""
    live = select(models.tables.c.id).where(models.tables.c.closed_at.is_(None))
    return (
        select(*raw_columns(table, record))
        .where(table.c.table_id.in_(live if ids is None else ids))
        .order_by(*table.primary_key.columns)
    )


_screen = models.screens.c
_LIVE_TABLES: Final = _live_tables(
    [
        *(
            cast(models.tables.c[each.name], LargeBinary)
            for each in fields(LiveTable)
            if each.name != "unshown"
        ),
        cast(
            or_(
                _screen.table_id.is_(None),
                _screen.pending,
                _screen.posting_tried,
                cast(_screen.leftovers, String) != literal_column("'{}'"),
            ),
            LargeBinary,
        ),
    ]
).outerjoin_from(models.tables, models.screens)


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
