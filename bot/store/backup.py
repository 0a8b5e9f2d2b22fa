"""Copies of the database: made beside a running bot, checked, and put in its place again.

A copy has no interaction tokens, no owner, and can be read by the user who made it alone. Imports the store's
modules and SQLite's own driver, because copies are made by SQLite itself.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final
from urllib.parse import quote

from sqlalchemy import Connection
from sqlalchemy.exc import SQLAlchemyError

from bot.store.connections import make_blocking_engine
from bot.store.errors import StoreError
from bot.store.files import beside, explained, file_of, fresh, put
from bot.store.follow import assemble
from bot.store.forgetting import all_forgotten, forget_again
from bot.store.migration import head, migrate, versions
from bot.store.owner import Owner

#: How long to wait for a lock of the bot, in seconds.
_PATIENCE: Final = 30.0


@dataclass(frozen=True, slots=True)
class Contents:
    """What a copy holds; `newest` is when a table was last changed, None if there never was one."""

    version: str
    size: int
    live_tables: int
    hands: int
    newest: datetime | None


@dataclass(frozen=True, slots=True)
class Restored:
    """What was put in place.

    `passed_over` counts changes in a followed directory that are damaged, `forgotten` the requests to forget
    somebody that the former database had and the copy had not.
    """

    contents: Contents
    former: Path | None
    passed_over: int
    forgotten: int = 0


def backup(url: str, target: Path) -> Contents:
    """Copy the database to a file, beside a running bot, in the state of one moment.

    The file appears whole or not at all. Raises StoreError.
    """
    source = database_file(url)
    if target.is_dir():
        raise StoreError(f"{target} is a directory: name a file, or keep a directory current with --follow")
    _need_directory(target)
    if target.exists() and target.samefile(source):
        raise StoreError(f"{target} is the database itself")
    new = beside(target, ".new")
    with explained(target), fresh(new):
        with closing(opened(source)) as database:
            # Unlike a copy of pages this leaves nothing behind that was deleted.
            database.execute("VACUUM INTO ?", (str(new),))
        contents = _finished(new)
        put(new, target)
    return contents


async def restore(url: str, source: Path, now: datetime) -> Restored:
    """Put a copy, or the newest state in a followed directory, in the place of the database.

    The former database is kept beside it. Raises StoreError, and changes nothing, if a bot runs on it or if
    the copy is damaged, of something else or of a newer release.
    """
    file = _place_for(url, source)
    owner = Owner(url)
    await owner.hold()
    try:
        return await asyncio.to_thread(_replace, file, source, now)
    finally:
        await owner.release()


def _place_for(url: str, source: Path) -> Path:
    file = file_of(url)
    if file is None:
        raise StoreError("the database must be a plain file")
    if not source.exists():
        raise StoreError(f"{source} is not there")
    if file.exists() and source.samefile(file):
        raise StoreError(f"{source} is the database itself")
    with explained(file.parent):
        file.parent.mkdir(parents=True, exist_ok=True)
    return file


def _replace(file: Path, source: Path, now: datetime) -> Restored:
    new = beside(file, ".restoring")
    with explained(file), fresh(new):
        with explained(source):
            passed_over = _taken(source, new)
            contents = _finished(new)
        forgotten = _forgotten_again(file, new, now)
        former = _kept_aside(file, now)
        put(new, file)
    return Restored(contents, former, passed_over, forgotten)


def _forgotten_again(file: Path, new: Path, now: datetime) -> int:
    """Forget in a copy whom the former database was asked to forget; returns how many requests it were."""
    try:
        with _writing(file) as connection:
            asked = all_forgotten(connection)
    except (SQLAlchemyError, sqlite3.Error, OSError):
        return 0  # there is no former database, or none that can be read, or an old one
    if not asked:
        return 0
    migrate(_url(new))
    with _writing(new) as connection:
        done = forget_again(connection, asked, now)
    with closing(opened(new)) as database:
        database.execute("PRAGMA journal_mode = DELETE")
    return done


def _url(file: Path) -> str:
    return f"sqlite+aiosqlite:///{file}"


@contextlib.contextmanager
def _writing(file: Path) -> Iterator[Connection]:
    if not file.exists():
        raise FileNotFoundError(file)
    engine = make_blocking_engine(_url(file), begin="BEGIN IMMEDIATE")
    try:
        with engine.begin() as connection:
            yield connection
    finally:
        engine.dispose()


def database_file(url: str) -> Path:
    """Return the file of an existing database; raises StoreError if there is none."""
    file = file_of(url)
    if file is None or not file.is_file():
        raise StoreError(f"there is no database at {file or url}")
    return file


def opened(file: Path, *, mode: str = "rw") -> sqlite3.Connection:
    """Open an existing database in autocommit mode."""
    return sqlite3.connect(
        f"file:{quote(str(file.absolute()))}?mode={mode}", uri=True, isolation_level=None, timeout=_PATIENCE
    )


def damage(database: sqlite3.Connection) -> str | None:
    """Return the first damage that SQLite finds, None if there is none; reads the whole database."""
    found: str = database.execute("PRAGMA integrity_check(1)").fetchone()[0]
    return None if found == "ok" else found.replace("\n", " ")


def version_of(database: sqlite3.Connection) -> str | None:
    """Return the migration that a database stands at, None if it is not one of Lastlap."""
    if "alembic_version" not in tables_of(database):
        return None
    row = database.execute("SELECT version_num FROM alembic_version").fetchone()
    return None if row is None else str(row[0])


def tables_of(database: sqlite3.Connection) -> set[str]:
    """Return the names of the tables of a database."""
    return {name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}


def _need_directory(target: Path) -> None:
    if not target.absolute().parent.is_dir():
        raise StoreError(f"the directory {target.absolute().parent} is not there")


def _taken(source: Path, new: Path) -> int:
    """Write the state to be restored to a new file; returns how many changes had to be passed over."""
    if source.is_dir():
        return assemble(source, new)
    with closing(opened(source, mode="ro")) as copy, closing(opened(new)) as database:
        copy.backup(database)
    return 0


def _finished(new: Path) -> Contents:
    """Check a copy and take out of it what is not to be kept; raises StoreError if it cannot be used."""
    with closing(opened(new)) as database:
        database.execute("PRAGMA journal_mode = DELETE")
        version = version_of(database)
        if version is None:
            raise StoreError("this is not a database of Lastlap")
        if version not in versions():
            raise StoreError(f"it was made by a newer release (migration {version}, known up to {head()})")
        if (found := damage(database)) is not None:
            raise StoreError(f"the database is damaged: {found}")
        tables = tables_of(database)
        database.execute("PRAGMA secure_delete = ON")
        database.execute("DELETE FROM tokens")
        if "owner" in tables:
            database.execute("UPDATE owner SET owner = '', lock = ''")
        live = database.execute("SELECT count(*) FROM tables WHERE closed_at IS NULL").fetchone()[0]
        hands = database.execute("SELECT count(*) FROM hands").fetchone()[0]
        newest = database.execute("SELECT max(updated_at) FROM tables").fetchone()[0]
    at = None if newest is None else datetime.fromisoformat(newest).replace(tzinfo=UTC)
    return Contents(version, new.stat().st_size, live, hands, at)


def _kept_aside(file: Path, now: datetime) -> Path | None:
    """Keep the database under another name too, with what is in its log; None if there is none.

    The name in use stays until the new file takes its place, so there is a database at every moment.
    """
    if not file.exists():
        for ending in ("-wal", "-shm"):
            beside(file, ending).unlink(missing_ok=True)
        return None
    # Closing the last connection moves the log into the file. A damaged one keeps its log.
    with contextlib.suppress(sqlite3.Error), closing(opened(file)) as database:
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    former = beside(file, f".before-{now.astimezone(UTC):%Y%m%dT%H%M%SZ}")
    number = 1
    while former.exists():
        number += 1
        former = beside(file, f".before-{now.astimezone(UTC):%Y%m%dT%H%M%SZ}-{number}")
    log = beside(file, "-wal")
    for old, kept in ((file, former), (log, beside(former, "-wal"))):
        if old.exists():
            try:
                os.link(old, kept)
            except OSError:  # a drive without hard links
                shutil.copy2(old, kept)
    for ending in ("-wal", "-shm"):
        beside(file, ending).unlink(missing_ok=True)
    return former
