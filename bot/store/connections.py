"""How the database is opened: one file, the same promises on every connection. Imports SQLAlchemy only."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from sqlalchemy import Connection, event, make_url
from sqlalchemy.exc import ArgumentError, SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from bot.store.errors import StoreError

#: How long a connection waits for a lock of another process, in seconds; less than a click waits for its
#: save.
BUSY_TIMEOUT: Final = 1.5


def make_engine(
    url: str,
    *,
    begin: str,
    pool_size: int = 1,
    busy_timeout: float = BUSY_TIMEOUT,
    foreign_keys: bool = True,
    read_only: bool = False,
) -> AsyncEngine:
    """Describe how to connect to a database file; nothing is opened yet.

    `begin` is the statement that opens each transaction. Raises StoreError for anything but a file of
    SQLite's.
    """
    _file(url)
    engine = create_async_engine(
        url,
        connect_args={"timeout": busy_timeout},
        pool_size=pool_size,
        max_overflow=0,
        json_serializer=_to_json,
        # The parameters hold cards and tokens, and an error's text ends up in the log.
        hide_parameters=True,
    )
    pragmas = [
        "journal_mode = WAL",
        "synchronous = FULL",
        f"foreign_keys = {'ON' if foreign_keys else 'OFF'}",
        f"query_only = {'ON' if read_only else 'OFF'}",
    ]

    @event.listens_for(engine.sync_engine, "connect")
    def _prepare(connection: Any, record: object) -> None:
        # The driver's own way of beginning a transaction forgets savepoints: releasing one would commit.
        connection.isolation_level = None
        cursor = connection.cursor()
        for pragma in pragmas:
            cursor.execute(f"PRAGMA {pragma}")
        cursor.close()

    @event.listens_for(engine.sync_engine, "begin")
    def _begin(connection: Connection) -> None:
        connection.exec_driver_sql(begin)

    return engine


def make_directory(url: str) -> None:
    """Make the directory of a database file if it is not there; raises StoreError where that cannot be."""
    name = _file(url)
    # A name that SQLite itself takes apart is for who knows what they do.
    if not name.startswith("file:"):
        with explained():
            Path(name).parent.mkdir(parents=True, exist_ok=True)


@contextmanager
def explained() -> Iterator[None]:
    """Turn what keeps a database from being opened into a StoreError."""
    try:
        yield
    except (SQLAlchemyError, OSError) as error:
        raise StoreError(problem(error)) from error


def problem(error: Exception) -> str:
    """Say in one line what went wrong, without any value that was to be written."""
    if isinstance(error, OSError | StoreError):
        return str(error)
    return str(getattr(error, "orig", None) or type(error).__name__)


def _file(url: str) -> str:
    try:
        parts = make_url(url)
    except ArgumentError:
        parts = None
    name = parts and parts.drivername == "sqlite+aiosqlite" and parts.database
    if not name or ":memory:" in name:
        raise StoreError("it must be a file, as sqlite+aiosqlite:///PATH")
    return name


def _to_json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
