"""Forgetting a person: their results go to a made-up number, and all that is theirs alone is deleted.

The number is below zero, so that a forgotten seat is neither a person nor a computer player. It is drawn by
lot for each server and noted nowhere, and it keeps the results of others right: they have met somebody,
beaten somebody, lost to somebody. Imports SQLAlchemy and the store's modules.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any, Final, NamedTuple

from sqlalchemy import Connection, Table, delete, func, select, union, update

from bot.store import models
from bot.store.counting import recount, replace_rows
from bot.store.packing import unpack

#: Stands for all servers where somebody is forgotten.
EVERYWHERE: Final = 0
#: How many tables are named in one statement.
_AT_ONCE: Final = 5000

_seat, _table, _player = models.seats.c, models.tables.c, models.match_players.c
_score, _name = models.hand_scores.c, models.names.c


class Forgotten(NamedTuple):
    """Somebody who asked to be forgotten, where, and when."""

    user_id: int
    guild_id: int
    at: datetime


def seated_at(connection: Connection, user_id: int, guild_id: int) -> list[int]:
    """Return the channels of the tables that are not over and have a seat of this person."""
    rows = connection.execute(
        select(_table.channel_id)
        .join_from(models.seats, models.tables)
        .where(_seat.user_id == user_id, _table.closed_at.is_(None), *_here(models.tables, guild_id))
        .order_by(_table.id)
    )
    return list(rows.scalars())


def forget(connection: Connection, asked: Forgotten) -> None:
    """Forget a person who sits at no table; the request is remembered, so that it outlasts a restore."""
    connection.execute(replace_rows(models.forgotten), asked._asdict())
    for guild_id in _servers(connection, asked):
        _untie(connection, asked, guild_id)
    _delete_own(connection, asked)


def all_forgotten(connection: Connection) -> list[Forgotten]:
    """Return who asked to be forgotten, the first first."""
    asked = models.forgotten
    rows = connection.execute(select(asked.c.user_id, asked.c.guild_id, asked.c.at).order_by(asked.c.at))
    return [Forgotten(*row) for row in rows]


def forget_again(connection: Connection, asked: Iterable[Forgotten], now: datetime) -> int:
    """Forget those who asked after this state of the database; returns how many requests there were."""
    known = set(all_forgotten(connection))
    missing = [each for each in asked if each not in known]
    for each in missing:
        forget(connection, each)
    if missing:
        # Who has come back since is counted from what they have played since.
        recount(connection, now)
    return len(missing)


def _here(table: Table, guild_id: int) -> Sequence[Any]:
    return () if guild_id == EVERYWHERE else (table.c.guild_id == guild_id,)


def _servers(connection: Connection, asked: Forgotten) -> list[int]:
    """Return the servers on which there is something of a person."""
    if asked.guild_id != EVERYWHERE:
        return [asked.guild_id]
    found = union(
        select(_name.guild_id).where(_name.user_id == asked.user_id),
        select(_table.guild_id).join_from(models.seats, models.tables).where(_seat.user_id == asked.user_id),
        select(models.matches.c.guild_id)
        .join_from(models.match_players, models.matches)
        .where(_player.user_id == asked.user_id),
    )
    return list(connection.execute(found).scalars())


def _untie(connection: Connection, asked: Forgotten, guild_id: int) -> None:
    """Give a person's part in what was over by then on a server to a made-up number."""
    user = asked.user_id
    nobody = -1 - secrets.randbelow(2**53)
    found = union(
        select(_seat.table_id).where(_seat.user_id == user),
        select(_player.table_id).where(_player.user_id == user),
        select(_score.table_id).where(_score.guild_id == guild_id, _score.user_id == user),
    ).subquery()
    over = func.coalesce(_table.closed_at, _table.updated_at) <= asked.at
    ids = list(
        connection.execute(
            select(_table.id).where(_table.id.in_(select(found)), _table.guild_id == guild_id, over)
        ).scalars()
    )
    for start in range(0, len(ids), _AT_ONCE):
        part = ids[start : start + _AT_ONCE]
        for column, key in (
            (_score.user_id, _score.table_id),
            (_player.user_id, _player.table_id),
            (models.hands.c.winner_user_id, models.hands.c.table_id),
            (models.matches.c.host_user_id, models.matches.c.table_id),
            (_table.host_id, _table.id),
        ):
            changed = update(column.table).where(key.in_(part), column == user)
            connection.execute(changed.values({column: nobody}))
        mine = update(models.seats).where(_seat.table_id.in_(part), _seat.user_id == user)
        connection.execute(mine.values(user_id=nobody, name=""))
    for table in (models.tallies, models.skill_changes, models.meetings, models.hidden):
        own = (table.c.guild_id == guild_id, table.c.user_id == user)
        connection.execute(delete(table).where(*own))
    for column in (models.meetings.c.other_id, models.champions.c.user_id):
        named = (column.table.c.guild_id == guild_id, column == user)
        connection.execute(update(column.table).where(*named).values({column: nobody}))


def _delete_own(connection: Connection, asked: Forgotten) -> None:
    """Delete a person's names and tokens, and everywhere what they have chosen."""
    user, here = asked.user_id, asked.guild_id
    connection.execute(delete(models.names).where(_name.user_id == user, *_here(models.names, here)))
    tables = select(_table.id).where(*_here(models.tables, here))
    token = models.tokens.c
    connection.execute(delete(models.tokens).where(token.user_id == user, token.table_id.in_(tables)))
    if here == EVERYWHERE:
        connection.execute(delete(models.wishes).where(models.wishes.c.user_id == user))


# --- what is kept


def kept_of(connection: Connection, user_id: int) -> dict[str, list[dict[str, Any]]]:
    """Return every row about a person, by table, without what is written into a token."""
    found: dict[str, list[dict[str, Any]]] = {}
    servers = select(_name.guild_id).where(_name.user_id == user_id)
    for table in models.metadata.sorted_tables:
        if "user_id" not in table.c:
            continue
        columns = [column for column in table.c if column.name != "token"]
        mine = [table.c.user_id == user_id]
        if table in (models.tallies, models.skill_changes, models.meetings, models.hand_scores):
            # The server comes first in the index.
            mine.append(table.c.guild_id.in_(servers))
        order = table.primary_key.columns
        rows = connection.execute(select(*columns).where(*mine).order_by(*order)).mappings()
        found[table.name] = [dict(row) for row in rows]
    found["hosted"] = [
        dict(row)
        for row in connection.execute(
            select(models.matches.c.table_id, models.matches.c.guild_id, models.matches.c.ended_at)
            .join_from(models.match_players, models.matches)
            .where(_player.user_id == user_id, models.matches.c.host_user_id == user_id)
            .order_by(models.matches.c.table_id)
            .distinct()
        ).mappings()
    ]
    found["moves"] = _moves_of(connection, found)
    return found


def _moves_of(connection: Connection, found: dict[str, list[dict[str, Any]]]) -> list[dict[str, Any]]:
    """Return the moves of a person: of each hand they finished, and of a hand that is on."""
    log, packed = models.log, models.packed_moves
    seats = {(row["table_id"], row["hand_no"]): row["seat"] for row in found["hand_scores"]}
    own_seat = {row["table_id"]: row["seat"] for row in found["seats"]}
    moves: list[dict[str, Any]] = []
    for table_id in sorted({table for table, _ in seats} | set(own_seat)):
        rows = connection.execute(
            select(log.c.hand_no, log.c.position, log.c.seat, log.c.move, log.c.auto, log.c.at)
            .where(log.c.table_id == table_id)
            .order_by(log.c.hand_no, log.c.position)
        )
        played = [tuple(row) for row in rows]
        for hand_no, blob in connection.execute(
            select(packed.c.hand_no, packed.c.moves).where(packed.c.table_id == table_id)
        ).all():
            played += [
                (hand_no, each.position, each.seat, each.move, each.auto, each.at)
                for each in unpack(blob, table_id, hand_no)
            ]
        moves += [
            {"table_id": table_id, "hand_no": hand_no, "position": position, "move": move}
            | {"auto": auto, "at": at}
            for hand_no, position, seat, move, auto, at in played
            if seats.get((table_id, hand_no), own_seat.get(table_id)) == seat
        ]
    return moves
