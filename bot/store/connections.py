"""How the database is opened: one file, the same pragmas on every connection.

Imports SQLAlchemy and the store's `errors` and `files`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final
from urllib.parse import quote

from sqlalchemy import URL, Connection, Engine, create_engine, event
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from bot.store.errors import StoreError
from bot.store.files import OpenedFile, file_of, read_url

#: How long a connection waits for a lock of another process, in seconds; less than a click waits for its
#: save.
BUSY_TIMEOUT: Final = 1.5


def _to_json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))


_OPTIONS: Final[dict[str, Any]] = {
    "max_overflow": 0,
    "json_serializer": _to_json,
    # The parameters hold cards and tokens, and an error's text ends up in the log.
    "hide_parameters": True,
}


def make_engine(
    url: str,
    *,
    begin: str,
    pool_size: int = 1,
    busy_timeout: float = BUSY_TIMEOUT,
    foreign_keys: bool = True,
    read_only: bool = False,
) -> AsyncEngine:
    """Make an engine for an existing database file; nothing is opened yet.

    `begin` is the statement that opens each transaction. Raises StoreError for anything but an SQLite file.
    """
    engine = create_async_engine(
        _never_made(url), connect_args={"timeout": busy_timeout}, pool_size=pool_size, **_OPTIONS
    )
    pragmas = {"foreign_keys": foreign_keys, "query_only": read_only}
    _prepare(engine.sync_engine, begin, pragmas, None)
    return engine


def make_blocking_engine(url: str, *, begin: str, opened: OpenedFile | None = None) -> Engine:
    """Make an engine for one connection in a thread of its own, to an existing database file.

    See `make_engine`. With `opened`, the connection has an SQL function `file_is_there()`.
    """
    plain = _never_made(url).set(drivername="sqlite+pysqlite")
    engine = create_engine(plain, connect_args={"timeout": BUSY_TIMEOUT}, pool_size=1, **_OPTIONS)
    _prepare(engine, begin, {"foreign_keys": True, "query_only": False}, opened)
    return engine


def _prepare(engine: Engine, begin: str, switches: dict[str, bool], opened: OpenedFile | None) -> None:
    """Let every connection be opened alike, and every transaction begin as it is told to."""
    pragmas = [
        *([] if switches["query_only"] else ["journal_mode = WAL"]),
        "synchronous = FULL",
        # What is deleted, a token or somebody's name, is not to stay readable in the file.
        "secure_delete = ON",
        *(f"{name} = {'ON' if on else 'OFF'}" for name, on in switches.items()),
    ]

    @event.listens_for(engine, "connect")
    def _open(connection: Any, record: object) -> None:
        # The driver's own way of beginning a transaction forgets savepoints: releasing one would commit.
        connection.isolation_level = None
        cursor = connection.cursor()
        for pragma in pragmas:
            cursor.execute(f"PRAGMA {pragma}")
        if opened is not None:
            cursor.execute("SELECT 1 FROM sqlite_master")  # what opens the write-ahead log
            cursor.fetchall()
            opened.note()
            # A function of SQL, for it is called where the disk is waited for and not in the event loop.
            connection.create_function("file_is_there", 0, opened.is_there)
        cursor.close()

    @event.listens_for(engine, "begin")
    def _begin(connection: Connection) -> None:
        connection.exec_driver_sql(begin)


def _never_made(url: str) -> URL:
    """Return an address with which SQLite does not create a file that is gone."""
    parts, file = read_url(url), file_of(url)
    if file is None:
        return parts
    name = f"file:{quote(str(file))}"
    return parts.set(database=name).update_query_dict({"uri": "true", "mode": "rw"})


@contextmanager
def explained() -> Iterator[None]:
    """Turn errors of the database and of files into StoreError."""
    try:
        yield
    except (SQLAlchemyError, OSError) as error:
        raise StoreError(problem(error)) from error


def problem(error: Exception) -> str:
    """Return in one line what went wrong, without the values that were to be written."""
    if isinstance(error, OSError | StoreError):
        return str(error)
    return str(getattr(error, "orig", None) or type(error).__name__)
