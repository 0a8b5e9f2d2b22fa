"""A directory that is kept current: a copy of the database, and what has changed since, every few seconds.

SQLite appends every changed page to the write-ahead log (https://www.sqlite.org/walformat.html). A follower
holds a read transaction, so that the log is not begun again before its pages are copied, and writes each
change as a file of whole pages that leads from one committed state to the next. Interaction tokens are
blanked.

`000001.db` is the copy that generation 1 begins with, `000001-00000001.pages` its first change. A file
appears whole or not at all. Imports the standard library and the store's `errors`, `files` and `lock`.
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import sqlite3
import struct
import sys
import time
import zlib
from collections import defaultdict
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Self
from urllib.parse import quote

from bot.store.errors import StoreError
from bot.store.files import OpenedFile, beside, explained, fresh, put
from bot.store.lock import FileLock

#: After how many changes, and how many bytes of them, a new generation begins; the bytes are at least those
#: of the database.
MOST_CHANGES: Final = 1200
MOST_BYTES: Final = 16 * 1024 * 1024
#: From how many pages on the write-ahead log is begun again; SQLite by itself does so at 1,000.
LONG_LOG: Final = 500
#: How long to wait for a lock of the bot, in seconds.
_PATIENCE: Final = 60.0

_BASE: Final = re.compile(r"(\d{6})\.db")
_CHANGE: Final = re.compile(r"(\d{6})-(\d{8})\.pages")
#: A change: this word, then compressed the size of a page, the pages of the database, and each changed page
#: after its number.
_WORD: Final = b"LASTLAP1"
_HEAD: Final = struct.Struct(">II")
_NUMBER: Final = struct.Struct(">I")
#: The index of the log: version, unused, changes, whether it is valid, byte order, page size, the last
#: committed page in the log, pages of the database. It is there twice, and valid if both are alike.
_INDEX: Final = struct.Struct("=IIIBBHII")
_INDEX_SIZE: Final = 48
_INDEX_VERSION: Final = 3007000
_SALT: Final = slice(32, 40)
#: The headers of the log and of a page in it, in bytes.
_LOG_HEAD, _PAGE_HEAD = 32, 24
#: By how many of its first bytes a token is looked for; Discord's all begin alike.
_TOKEN_HEAD: Final = 8


@dataclass(frozen=True, slots=True)
class _End:
    """The end of what is committed: which log, the pages in it, those of the database, and their size."""

    salt: bytes
    logged: int
    pages: int
    page_size: int


class Follower:
    """Keeps a directory current, from `open` to `close`; `step` writes what has changed."""

    def __init__(self, file: Path, directory: Path) -> None:
        self._file = file
        self._directory = directory
        self._lock = FileLock(directory / "lock")
        self._opened = OpenedFile(file)
        self._connections: list[sqlite3.Connection] = []
        self._descriptors: list[int] = []
        self._copied: _End | None = None
        self._generation = 0
        self._changes = 0
        self._bytes = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def open(self) -> int:
        """Begin with a copy of the whole database; returns its size in bytes. Raises StoreError."""
        if sys.platform == "win32":
            raise StoreError("a directory can be kept current on Unix only")
        if not self._file.is_file():
            raise StoreError(f"there is no database at {self._file}")
        if not self._directory.is_dir():
            raise StoreError(f"the directory {self._directory} is not there")
        with explained(self._directory):
            if not self._lock.take():
                raise StoreError(f"another process keeps {self._directory} current")
            for left in self._directory.glob("*.new*"):
                left.unlink()
        with explained(self._file):
            self._connections = [self._connect() for _ in range(3)]
            self._opened.note()
            # Held until all connections are closed: closing a descriptor of a file drops SQLite's own locks.
            for ending in ("-wal", "-shm"):
                self._descriptors.append(os.open(beside(self._file, ending), os.O_RDONLY))
        return self._begin()

    def step(self) -> int:
        """Write what has changed since the last step; returns the bytes written, 0 if nothing has changed.

        Raises StoreError if the database or the directory cannot be used any more.
        """
        if not self._opened.is_there():
            raise StoreError("the database file was removed or replaced while it was followed")
        with explained(self._file):
            end, pages, tokens = self._changed()
        if not pages:
            return 0
        content = _packed(end, pages, tokens)
        self._changes += 1
        name = f"{self._generation:06}-{self._changes:08}.pages"
        with explained(self._directory):
            new = self._directory / f"{name}.new"
            with fresh(new):
                new.write_bytes(content)
                put(new, self._directory / name)
        self._bytes += len(content)
        most = max(MOST_BYTES, end.pages * end.page_size)
        if self._changes >= MOST_CHANGES or self._bytes >= most:
            self._begin()
        return len(content)

    def close(self) -> None:
        """Stop following; what is written stays."""
        for connection in self._connections:
            with contextlib.suppress(sqlite3.Error):
                connection.close()
        for descriptor in self._descriptors:
            os.close(descriptor)
        self._connections, self._descriptors = [], []
        self._lock.release()

    # --- the database

    def _connect(self) -> sqlite3.Connection:
        name = f"file:{quote(str(self._file.absolute()))}?mode=rw"
        connection = sqlite3.connect(name, uri=True, isolation_level=None, timeout=_PATIENCE)
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("SELECT 1 FROM sqlite_master").fetchall()  # what opens the log
        return connection

    @contextmanager
    def _nobody_writes(self) -> Iterator[None]:
        """Keep everybody from writing meanwhile: for some milliseconds, not longer."""
        writer = self._connections[0]
        writer.execute("BEGIN IMMEDIATE")
        try:
            yield
        finally:
            writer.execute("ROLLBACK")

    def _pin(self) -> None:
        """Read from the newest state on, and keep the log from being begun again before the next step.

        If all of the log is in the database by now, it may be begun again once, and then not before that is
        copied: such a reader keeps the database itself from being written to.
        """
        reader = self._connections[1]
        if reader.in_transaction:
            reader.execute("ROLLBACK")
        reader.execute("BEGIN")
        reader.execute("SELECT 1 FROM sqlite_master").fetchall()

    def _changed(self) -> tuple[_End, dict[int, bytes], set[bytes]]:
        """Return the newest version of each page that has changed, and the tokens that stand there now."""
        long = self._end().logged >= LONG_LOG
        if long:
            self._move_log()  # most of it, while others write
        with self._nobody_writes():
            end = self._end()
            pages = self._pages(end)
            tokens = self._tokens() if pages else set()
            if long:
                self._connections[1].execute("ROLLBACK")
                self._move_log()
            self._pin()
            self._copied = end
        return end, pages, tokens

    def _move_log(self) -> None:
        self._connections[2].execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()

    def _end(self) -> _End:
        index = self._descriptors[1]
        for _ in range(1000):
            first, second = os.pread(index, _INDEX_SIZE, 0), os.pread(index, _INDEX_SIZE, _INDEX_SIZE)
            if first == second and len(first) == _INDEX_SIZE:
                version, _, _, valid, _, size, logged, pages = _INDEX.unpack_from(first)
                if version != _INDEX_VERSION:
                    raise StoreError("this release of SQLite has another kind of write-ahead log")
                if valid:
                    return _End(first[_SALT], logged, pages, 65536 if size == 1 else size)
            time.sleep(0.001)
        raise StoreError("the index of the write-ahead log cannot be read")

    def _pages(self, end: _End) -> dict[int, bytes]:
        assert self._copied is not None
        first = self._copied.logged if self._copied.salt == end.salt else 0
        log, size = self._descriptors[0], end.page_size
        newest: dict[int, int] = {}
        for number in range(first, end.logged):
            offset = _LOG_HEAD + number * (_PAGE_HEAD + size)
            head = os.pread(log, 16, offset)
            if head[8:] != end.salt:
                raise StoreError("the write-ahead log was begun again before it was copied")
            newest[int.from_bytes(head[:4], "big")] = offset + _PAGE_HEAD
        return {page: os.pread(log, size, offset) for page, offset in newest.items() if page <= end.pages}

    def _tokens(self) -> set[bytes]:
        writer = self._connections[0]
        named = "SELECT 1 FROM sqlite_master WHERE name = 'tokens'"
        if writer.execute(named).fetchone() is None:
            return set()
        return {str(token).encode() for (token,) in writer.execute("SELECT token FROM tokens")}

    # --- the directory

    def _begin(self) -> int:
        """Begin a generation, and remove those before."""
        with explained(self._file), self._nobody_writes():
            self._pin()
            self._copied = self._end()
        with explained(self._directory):
            before = _files(self._directory, _BASE) + _files(self._directory, _CHANGE)
            self._generation = 1 + max((int(match[1]) for match in before), default=0)
            self._changes = self._bytes = 0
            base = self._directory / f"{self._generation:06}.db"
            new = self._directory / f"{base.name}.new"
            with fresh(new):
                with closing(sqlite3.connect(new, isolation_level=None)) as copy:
                    self._connections[1].backup(copy)
                    _blank(copy)
                put(new, base)
            for match in before:
                (self._directory / match[0]).unlink()
        return base.stat().st_size


def assemble(directory: Path, new: Path) -> int:
    """Write the newest whole state in a followed directory to an empty file.

    Returns how many changes were passed over because they, or one before them, are damaged or missing.
    Raises StoreError if there is no state at all.
    """
    with explained(directory):
        bases = _files(directory, _BASE)
        if not bases:
            raise StoreError(f"there is no copy in {directory}")
        generation = max(int(match[1]) for match in bases)
        shutil.copyfile(directory / f"{generation:06}.db", new)
        numbers = sorted(int(match[2]) for match in _files(directory, _CHANGE) if int(match[1]) == generation)
        with new.open("r+b") as database:
            for count, number in enumerate(numbers):
                if number != count + 1 or not _apply(
                    directory / f"{generation:06}-{number:08}.pages", database.fileno()
                ):
                    return len(numbers) - count
    return 0


def _apply(change: Path, database: int) -> bool:
    """Write the pages of a change; returns False, and writes nothing, if the change is damaged."""
    content = change.read_bytes()
    try:
        if not content.startswith(_WORD):
            return False
        content = zlib.decompress(content[len(_WORD) :])
        size, pages = _HEAD.unpack_from(content)
    except (zlib.error, struct.error):
        return False
    for offset in range(_HEAD.size, len(content), _NUMBER.size + size):
        (page,) = _NUMBER.unpack_from(content, offset)
        begin = offset + _NUMBER.size
        os.pwrite(database, content[begin : begin + size], (page - 1) * size)
    os.ftruncate(database, pages * size)
    return True


def _packed(end: _End, pages: dict[int, bytes], tokens: Iterable[bytes]) -> bytes:
    by_head: defaultdict[bytes, set[bytes]] = defaultdict(set)
    for token in tokens:
        if token:
            by_head[token[:_TOKEN_HEAD]].add(token)
    parts = [_HEAD.pack(end.page_size, end.pages)]
    for number, page in pages.items():
        for head in by_head:
            if head in page:
                page = _without(page, by_head[head])  # noqa: PLW2901
        parts += [_NUMBER.pack(number), page]
    return _WORD + zlib.compress(b"".join(parts), 1)


def _without(page: bytes, tokens: Iterable[bytes]) -> bytes:
    for token in tokens:
        page = page.replace(token, b"0" * len(token))
    return page


def _blank(copy: sqlite3.Connection) -> None:
    """Blank the tokens in place: the pages must stay those that the changes go on from."""
    if copy.execute("SELECT 1 FROM sqlite_master WHERE name = 'tokens'").fetchone() is not None:
        blank = "substr(hex(zeroblob(length(token))), 1, length(token))"
        copy.execute(f"UPDATE tokens SET token = {blank}")  # noqa: S608


def _files(directory: Path, pattern: re.Pattern[str]) -> list[re.Match[str]]:
    return [match for each in directory.iterdir() if (match := pattern.fullmatch(each.name))]
