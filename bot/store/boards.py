"""Leaderboards, read from the tallies in the order of their indexes. Imports SQLAlchemy and the store.

A page is found from a person's place in that order and never by an offset, ranks by counting who is ahead.
The statements are made once: making one costs more than carrying it out.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import cache
from typing import Any, Final

from sqlalchemy import (
    BigInteger,
    ColumnElement,
    Executable,
    Integer,
    Row,
    Select,
    String,
    and_,
    bindparam,
    func,
    select,
    true,
    tuple_,
    union_all,
)
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from bot.store import models
from bot.store.records import Board, BoardLine
from bot.tallies.boards import ENOUGH_PEOPLE, By, Turn, others_needed
from bot.tallies.periods import ALL_TIME

_T: Final = models.tallies.c
#: What each board is ordered by, the highest first; equal in both is the same rank.
ORDER: Final[dict[By, tuple[ColumnElement[Any], ColumnElement[Any]]]] = {
    By.POINTS: (_T.points, _T.hands_won),
    By.HANDS: (_T.hands_won, _T.points),
    By.MATCHES: (_T.matches_won, _T.points),
    By.RATE: (_T.win_bound, _T.hands),
    By.AVERAGE: (_T.average, _T.hands),
    By.SKILL: (_T.settled, _T.skill),
}
#: What has to be known of somebody to stand on a board.
KNOWN: Final[dict[By, ColumnElement[Any]]] = {By.AVERAGE: _T.average, By.SKILL: _T.skill}
_SHOWN: Final = tuple(each.name for each in fields(BoardLine) if each.name not in ("rank", "name"))

#: A place in the order of a board: the two values, and the person.
_Place = tuple[Any, Any, int]

#: What the statements are filled in with.
_GUILD: Final = bindparam("guild", type_=BigInteger)
_PERIOD: Final = bindparam("period", type_=String)
_NEEDED: Final = bindparam("needed", type_=Integer)
_SIZE: Final = bindparam("size", type_=Integer)


def hidden_on(guild: Any) -> Select[tuple[int]]:
    """Select the people who do not want to be seen on the boards of a server."""
    return select(models.hidden.c.user_id).where(models.hidden.c.guild_id == guild)


def shown_on(guild: Any) -> ColumnElement[bool]:
    """Leave out whoever does not want to be seen on the boards of a server."""
    return _T.user_id.not_in(hidden_on(guild))


class Boards:
    """The queries for leaderboards."""

    _engine: AsyncEngine

    async def season(self, guild_id: int) -> int:
        """Return the number of the season that is on; that of the next one if none is."""
        season = models.seasons.c
        statement = select(
            func.max(season.number), func.max(season.number).filter(season.closed_at.is_(None))
        ).where(season.guild_id == guild_id)
        async with self._engine.connect() as connection:
            last, current = (await connection.execute(statement)).one()
        return int(current or (last or 0) + 1)

    async def board(
        self,
        guild_id: int,
        by: By = By.POINTS,
        period: str = ALL_TIME,
        *,
        reader: int | None = None,
        turn: Turn = Turn.FIRST,
        user: int | None = None,
        limit: int = 10,
    ) -> Board:
        """Return a page of a server's leaderboard for a period (`period_key`), and the reader's own line.

        `turn` says which page: the first, the one after or before `user`, or the one that `reader` is on. It
        is the first where that person has no place.
        """
        statements = _statements(by)
        filled: dict[str, Any] = {"guild": guild_id, "period": period, "size": limit}
        async with self._engine.connect() as connection:
            # Each statement costs more than what it reads, so there are three of them.
            users = {"reader": reader or 0, "other": user or 0}
            asked = (await connection.execute(statements.known, filled | users)).all()
            known = {row.user_id: row for row in asked if row.user_id is not None}
            filled["needed"] = needed = others_needed(asked[0].people)
            own, own_place = known.get(reader), _place(known.get(reader), needed)
            anchor = own_place if turn is Turn.OWN else _place(known.get(user), needed)
            rows, more = await _read(connection, statements, filled, turn, anchor)
            first = _place(rows[0], needed) if rows else own_place
            rank, own_rank, before = 1, None, 0
            if first is not None:
                places = _at(first) | _at(own_place or first, "own_")
                counted = (await connection.execute(statements.counts, filled | places)).one()
                rank, own_rank, before = counted.ahead + 1, counted.own + 1, counted.before
        return Board(
            _ranked(rows, rank, before),
            None if own is None else _line(own, None if own_place is None else own_rank),
            more=more,
            earlier=before > 0,
            others_needed=needed,
        )


@dataclass(frozen=True, slots=True)
class _Statements:
    """The statements of one board; each of a page reads one row more than it shows.

    `known` asks for the reader and another person, and how many people the server has. `around` reads as many
    rows before a place as a page has, `own` as many as stand before it on its page, both those from it on
    too. `counts` counts who is ahead of a place, before it, and ahead of the reader's.
    """

    known: Executable
    first: Executable
    after: Executable
    around: Executable
    own: Executable
    counts: Executable


@cache
def _statements(by: By) -> _Statements:
    value, second = ORDER[by]
    order = (value, second, _T.user_id)
    of_period = and_(_T.guild_id == _GUILD, _T.period == _PERIOD, shown_on(_GUILD))
    stands = and_(of_period, _T.others >= _NEEDED, *([KNOWN[by].is_not(None)] if by in KNOWN else []))

    def place(prefix: str = "") -> tuple[ColumnElement[Any], ...]:
        names = (f"{prefix}value", f"{prefix}second", f"{prefix}user")
        return tuple(bindparam(name, type_=column.type) for name, column in zip(names, order, strict=True))

    def forwards(where: ColumnElement[bool]) -> Select[Any]:
        best_first = (column.desc() for column in order)
        return _lines(value, second, where).order_by(*best_first).limit(_SIZE + 1)

    before = and_(stands, tuple_(*order) > tuple_(*place()))
    following = select(forwards(and_(stands, tuple_(*order) <= tuple_(*place()))).subquery())

    def around(earlier: ColumnElement[int]) -> Executable:
        rows = _lines(value, second, before).order_by(*order).limit(earlier).subquery()
        return union_all(select(rows), following)

    def ahead(prefix: str = "") -> ColumnElement[int]:
        return _number(stands, tuple_(value, second) > tuple_(*place(prefix)[:2]))

    everybody = select(_T.user_id).where(_T.guild_id == _GUILD, _T.period == ALL_TIME).limit(ENOUGH_PEOPLE)
    people = select(func.count().label("people")).select_from(everybody.subquery()).subquery()
    whose = _T.user_id.in_((bindparam("reader", type_=BigInteger), bindparam("other", type_=BigInteger)))
    asked = _lines(value, second, and_(of_period, whose)).subquery()
    return _Statements(
        known=select(people.c.people, asked).outerjoin_from(people, asked, true()),
        first=forwards(stands),
        after=forwards(and_(stands, tuple_(*order) < tuple_(*place()))),
        around=around(_SIZE),
        own=around(_number(before) % _SIZE),
        counts=select(ahead().label("ahead"), _number(before).label("before"), ahead("own_").label("own")),
    )


def _lines(value: ColumnElement[Any], second: ColumnElement[Any], where: ColumnElement[bool]) -> Select[Any]:
    name = models.names.c
    last_known = and_(name.user_id == _T.user_id, name.guild_id == _GUILD)
    shown = (*(_T[column] for column in _SHOWN), func.coalesce(name.name, "").label("name"))
    values = (value.label("value"), second.label("second"))
    return select(*shown, *values).outerjoin_from(models.tallies, models.names, last_known).where(where)


def _number(*where: ColumnElement[bool]) -> ColumnElement[int]:
    return select(func.count()).select_from(models.tallies).where(*where).scalar_subquery()


async def _read(
    connection: AsyncConnection,
    statements: _Statements,
    filled: dict[str, Any],
    turn: Turn,
    anchor: _Place | None,
) -> tuple[list[Row[Any]], bool]:
    """Return the rows of a page, the best first, and whether there are more after it."""
    statement = statements.first
    if anchor is not None and turn is not Turn.FIRST:
        filled |= _at(anchor)
        of_turn = {Turn.AFTER: statements.after, Turn.BEFORE: statements.around, Turn.OWN: statements.own}
        statement = of_turn[turn]
    rows = await _best_first(connection, statement, filled)
    if turn is Turn.BEFORE and anchor is not None:
        before = [row.user_id for row in rows].index(anchor[2])
        if before < filled["size"]:
            # There are fewer before somebody than a page holds: it is the first page.
            rows = await _best_first(connection, statements.first, filled)
    return rows[: filled["size"]], len(rows) > filled["size"]


async def _best_first(
    connection: AsyncConnection, statement: Executable, filled: dict[str, Any]
) -> list[Row[Any]]:
    rows = (await connection.execute(statement, filled)).all()
    return sorted(rows, key=lambda row: (row.value, row.second, row.user_id), reverse=True)


def _place(row: Row[Any] | None, needed: int) -> _Place | None:
    """Return the place of somebody; None if they do not stand on this board."""
    if row is None or row.others < needed or row.value is None or row.second is None:
        return None
    return row.value, row.second, row.user_id


def _at(place: _Place, prefix: str = "") -> dict[str, Any]:
    return {f"{prefix}value": place[0], f"{prefix}second": place[1], f"{prefix}user": place[2]}


def _line(row: Row[Any], rank: int | None) -> BoardLine:
    return BoardLine(rank, name=row.name, **{column: getattr(row, column) for column in _SHOWN})


def _ranked(rows: list[Row[Any]], rank: int, before: int) -> tuple[BoardLine, ...]:
    """Return the lines of a page, of which the first has this rank and so many are before it."""
    lines: list[BoardLine] = []
    last: tuple[Any, Any] | None = None
    for number, row in enumerate(rows, before + 1):
        values = (row.value, row.second)
        if last is not None and values != last:
            rank = number
        last = values
        lines.append(_line(row, rank))
    return tuple(lines)
