"""Servers that removed the bot: what is kept of them goes after 30 days. Imports SQLAlchemy and `models`.

Every table with a `table_id` or a `guild_id` belongs to a server, those of later migrations too.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any, Final

from sqlalchemy import Connection, delete, func, select, update
from sqlalchemy.dialects import sqlite

from bot.store import models

#: How long what is kept of a server outlasts the bot's removal from it.
KEPT_FOR: Final = timedelta(days=30)
#: The most tables whose rows one pass deletes, so that no click waits for it.
MOST_TABLES: Final = 50
#: Stands for the server and the channel of a row that is kept for its id alone.
NOWHERE: Final = 0

_departed = models.departures.c
#: Rows that refer to others come first.
_IN_ORDER: Final = tuple(reversed(models.metadata.sorted_tables))


def write_departures(connection: Connection, left: Iterable[dict[str, Any]], back: Iterable[int]) -> None:
    """Note servers that the bot is no longer on, since when it was first seen, and those it is back on."""
    if left := list(left):
        first_seen = sqlite.insert(models.departures).on_conflict_do_nothing()
        connection.execute(first_seen, left)
    for guild_id in back:
        connection.execute(delete(models.departures).where(_departed.guild_id == guild_id))


def forget_departed(connection: Connection, now: datetime) -> None:
    """Delete a part of what is kept of the server that left longest ago, if that was 30 days ago."""
    due = select(_departed.guild_id).where(_departed.left_at <= now - KEPT_FOR)
    guild_id = (connection.execute(due.order_by(_departed.left_at).limit(1))).scalar_one_or_none()
    if guild_id is None:
        return
    of_server = select(models.tables.c.id).where(models.tables.c.guild_id == guild_id)
    found = (connection.execute(of_server.order_by(models.tables.c.id).limit(MOST_TABLES))).scalars()
    if ids := list(found):
        _forget_tables(connection, ids)
        return
    for table in _IN_ORDER:
        if "guild_id" in table.c:
            connection.execute(delete(table).where(table.c.guild_id == guild_id))


def _forget_tables(connection: Connection, ids: list[int]) -> None:
    """Delete tables and all that belongs to them; the highest id stays, so that none is given twice."""
    for table in _IN_ORDER:
        if "table_id" in table.c:
            connection.execute(delete(table).where(table.c.table_id.in_(ids)))
    tables = models.tables.c
    last: int = (connection.execute(select(func.max(tables.id)))).scalar_one()
    connection.execute(delete(models.tables).where(tables.id.in_(ids), tables.id != last))
    if last in ids:
        nowhere = {
            "guild_id": NOWHERE,
            "channel_id": NOWHERE,
            "snapshot": None,
            "due_at": None,
            "host_id": None,
        }
        closed = func.coalesce(tables.closed_at, tables.updated_at)
        emptied = update(models.tables).where(tables.id == last).values(**nowhere, closed_at=closed)
        connection.execute(emptied)
