"""Migrating a database file to its newest form. Imports Alembic, SQLAlchemy and the store's modules."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Final

import structlog
from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from alembic.util import CommandError
from sqlalchemy import Connection

from bot.store.connections import explained, make_engine
from bot.store.errors import StoreError
from bot.store.files import make_file

_log = structlog.get_logger(__name__)

_SCRIPTS: Final = Path(__file__).resolve().parents[2] / "migrations"


def migrate(url: str) -> None:
    """Migrate a database to its newest form, all or nothing; creates it and its directory if missing.

    Blocks, and runs an event loop of its own: call it in a thread from a running one. Raises StoreError if
    the database cannot be written, or was made by a newer release.
    """
    with explained():
        try:
            asyncio.run(_run(url, _upgrade))
        except CommandError as error:
            raise StoreError(f"it was made by a newer release, or by something else ({error})") from error


async def in_transaction(url: str, work: Callable[[Connection], object]) -> None:
    """Change the schema of a database, all or nothing.

    Foreign keys are checked once at the end, because batch mode copies whole tables. Raises StoreError if
    there are more dangling rows then than before.
    """
    await _run(url, lambda connection: _checked(connection, work))


async def _run(url: str, work: Callable[[Connection], object]) -> None:
    with explained():
        make_file(url)
    engine = make_engine(url, begin="BEGIN IMMEDIATE", foreign_keys=False)
    try:
        async with engine.begin() as connection:
            await connection.run_sync(work)
    finally:
        await engine.dispose()


def _checked(connection: Connection, work: Callable[[Connection], object]) -> None:
    before = _dangling(connection)
    if before:
        _log.warning("rows_point_nowhere", rows=dict(before))
    work(connection)
    lost = _dangling(connection) - before
    if lost:
        raise StoreError(f"{lost.total()} rows of it point nowhere, the first in {next(iter(lost))}")


def alembic_config(connection: Connection) -> Config:
    """Return Alembic's configuration: where the migrations are, and the connection to use."""
    config = Config(attributes={"connection": connection})
    config.set_main_option("script_location", str(_SCRIPTS).replace("%", "%%"))
    return config


def head() -> str:
    """Return the newest migration that this release knows."""
    newest = ScriptDirectory(str(_SCRIPTS)).get_current_head()
    assert newest is not None
    return newest


def versions() -> frozenset[str]:
    """Return all migrations that this release knows."""
    return frozenset(script.revision for script in ScriptDirectory(str(_SCRIPTS)).walk_revisions())


def _upgrade(connection: Connection) -> None:
    config = alembic_config(connection)
    there = MigrationContext.configure(connection).get_current_heads()
    # The check reads the whole database, so it is left out if there is nothing to migrate.
    if set(there) != set(ScriptDirectory.from_config(config).get_heads()):
        _checked(connection, lambda _: command.upgrade(config, "head"))
        # The owner could not write a beat meanwhile.
        connection.exec_driver_sql("UPDATE owner SET beat = beat + 1")


def _dangling(connection: Connection) -> Counter[str]:
    """Count dangling rows by table."""
    return Counter(row[0] for row in connection.exec_driver_sql("PRAGMA foreign_key_check"))
