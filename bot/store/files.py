"""The files of a database: readable by their owner only, and watched while in use. Imports SQLAlchemy.

Beside the file there are its write-ahead log and the index of that, `-wal` and `-shm`; SQLite creates them
with the mode of the file.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import structlog
from sqlalchemy import URL, make_url
from sqlalchemy.exc import ArgumentError

from bot.store.errors import StoreError

#: There are tokens and hands in a database, so others may not even read it.
MODE: Final = 0o600

_log = structlog.get_logger(__name__)


def read_url(url: str) -> URL:
    """Parse the address of a database; raises StoreError for anything but an SQLite file."""
    try:
        parts = make_url(url)
    except ArgumentError:
        parts = None
    name = parts and parts.drivername == "sqlite+aiosqlite" and parts.database
    if parts is None or not name or ":memory:" in name:
        raise StoreError("it must be a file, as sqlite+aiosqlite:///PATH")
    return parts


def file_of(url: str) -> Path | None:
    """Return the file of a database; None for a name that SQLite parses itself (file:…)."""
    name = read_url(url).database or ""
    return None if name.startswith("file:") else Path(name).absolute()


def beside(file: Path, ending: str) -> Path:
    """Return the file beside a database with this ending to its name."""
    return file.with_name(file.name + ending)


def make_file(url: str) -> None:
    """Create a database's directory and an empty file if they are missing, and tighten the mode of its files.

    Raises OSError if they cannot be created.
    """
    file = file_of(url)
    if file is None:
        return
    file.parent.mkdir(parents=True, exist_ok=True)
    # Not opened if it exists: closing any descriptor of a file drops all locks this process has on it,
    # also those of SQLite's connections, and another process would then remove the log under them.
    with contextlib.suppress(FileExistsError):
        os.close(os.open(file, os.O_RDWR | os.O_CREAT | os.O_EXCL, MODE))
    for each in (file, beside(file, "-wal"), beside(file, "-shm")):
        _keep_others_out(each)


def _keep_others_out(file: Path) -> None:
    try:
        mode = file.stat().st_mode & 0o777
        if mode & ~MODE:
            file.chmod(mode & MODE)
    except FileNotFoundError:
        pass
    except OSError as error:
        _log.warning("database_open_to_others", file=str(file), problem=error.strerror)


@contextmanager
def explained(where: Path) -> Iterator[None]:
    """Turn errors of SQLite and of files into StoreError that names the place."""
    try:
        yield
    except sqlite3.Error as error:
        raise StoreError(f"{where}: {error}") from error
    except OSError as error:
        raise StoreError(f"{error.filename or where}: {error.strerror or error}") from error


@contextmanager
def fresh(new: Path) -> Iterator[None]:
    """Make an empty file that only its owner can read, removed with its companions unless it was renamed."""
    companions = (new, beside(new, "-wal"), beside(new, "-shm"), beside(new, "-journal"))
    for each in companions:
        each.unlink(missing_ok=True)
    os.close(os.open(new, os.O_CREAT | os.O_EXCL | os.O_WRONLY, MODE))
    try:
        yield
    finally:
        for each in companions:
            with contextlib.suppress(OSError):
                each.unlink(missing_ok=True)


def put(new: Path, target: Path) -> None:
    """Rename a finished file to its place, so that it survives a loss of power."""
    descriptor = os.open(new, os.O_RDWR)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
    new.replace(target)
    if os.name == "posix":
        descriptor = os.open(target.parent, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


class OpenedFile:
    """A database file and its write-ahead log, which must stay the ones that were opened.

    SQLite goes on writing to a file that was removed or renamed, and nobody ever reads it again.
    """

    def __init__(self, file: Path) -> None:
        self._file = file
        self._log = beside(file, "-wal")
        self._first: tuple[int, int] | None = None
        self._opened: tuple[tuple[int, int] | None, tuple[int, int] | None] = None, None

    def note(self) -> None:
        """Note that a connection has opened both; the log is a new one if all others were closed."""
        if self._first is None:
            self._first = _identity(self._file)
        self._opened = self._first, _identity(self._log)

    def is_there(self) -> bool:
        """Whether both are still where they were opened."""
        return (_identity(self._file), _identity(self._log)) == self._opened


def _identity(file: Path) -> tuple[int, int] | None:
    try:
        found = file.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino
