"""What can be found out about a database from outside, whether a bot runs on it or not; changes nothing.

Imports the store's modules and SQLite's own driver.
"""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from bot.store.backup import damage, database_file, opened, tables_of, version_of
from bot.store.files import MODE, beside, explained
from bot.store.lock import FileLock
from bot.store.migration import head, versions

#: The most channels that are looked up, those of the newest tables.
MOST_PLACES: Final = 20


@dataclass(frozen=True, slots=True)
class Examination:
    """What was found; `version` is the migration the database stands at, None if it is not one of Lastlap.

    `is_running` says whether a process holds the database's lock, `owner` what its row says. `places` are the
    servers and channels of live tables, `open_files` those that other users of the machine can read.
    """

    file: Path
    size: int
    damage: str | None
    dangling: int
    version: str | None
    newest_version: str
    is_known: bool
    owner: str
    is_running: bool
    newest: datetime | None
    places: tuple[tuple[int, int], ...]
    open_files: tuple[Path, ...]


def examine(url: str) -> Examination:
    """Examine a database; raises StoreError if it is not there or cannot be read at all."""
    file = database_file(url)
    open_files = tuple(_open_files(file))
    with explained(file), closing(opened(file)) as database:
        tables = tables_of(database)
        version = version_of(database)
        owner, newest, places = "", None, ()
        if version is not None:
            newest = database.execute("SELECT max(updated_at) FROM tables").fetchone()[0]
            live = "SELECT guild_id, channel_id FROM tables WHERE closed_at IS NULL ORDER BY id DESC LIMIT ?"
            places = tuple(database.execute(live, (MOST_PLACES,)))
        if "owner" in tables:
            owner = database.execute("SELECT owner FROM owner").fetchone()[0]
        return Examination(
            file=file,
            size=file.stat().st_size,
            damage=damage(database),
            dangling=len(database.execute("PRAGMA foreign_key_check").fetchall()),
            version=version,
            newest_version=head(),
            is_known=version in versions(),
            owner=owner,
            is_running=_is_locked(beside(file, "-lock")),
            newest=None if newest is None else datetime.fromisoformat(newest).replace(tzinfo=UTC),
            places=places,
            open_files=open_files,
        )


def _is_locked(file: Path) -> bool:
    if not file.exists():
        return False
    lock = FileLock(file)
    try:
        return not lock.take()
    finally:
        lock.release()


def _open_files(file: Path) -> list[Path]:
    files = [each for each in (file, beside(file, "-wal")) if each.exists()]
    return [each for each in files if each.stat().st_mode & 0o777 & ~MODE]
