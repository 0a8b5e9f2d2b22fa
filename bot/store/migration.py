"""Bringing a database file to the newest form. Imports Alembic, SQLAlchemy and `connections`."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Final

from alembic import command
from alembic.config import Config
from alembic.util import CommandError
from sqlalchemy import Connection

from bot.store.connections import explained, make_directory, make_engine
from bot.store.errors import StoreError

_SCRIPTS: Final = Path(__file__).resolve().parents[2] / "migrations"


def migrate(url: str) -> None:
    """Bring a database to the newest form, or leave it as it is; make it and its directory if need be.

    Blocks, and has an event loop of its own: from a running one, call it in a thread. Raises StoreError where
    the database cannot be written, or was made by a newer release.
    """
    with explained():
        try:
            asyncio.run(in_transaction(url, lambda given: command.upgrade(alembic_config(given), "head")))
        except CommandError as error:
            raise StoreError(f"it was made by a newer release, or by something else ({error})") from error


async def in_transaction(url: str, work: Callable[[Connection], object]) -> None:
    """Do something to the form of a database, all or nothing.

    Foreign keys are checked at the end and not on the way, for batch mode moves whole tables; raises
    StoreError if one points nowhere then.
    """
    make_directory(url)
    engine = make_engine(url, begin="BEGIN IMMEDIATE", foreign_keys=False)
    try:
        async with engine.begin() as connection:
            await connection.run_sync(work)
            lost = (await connection.exec_driver_sql("PRAGMA foreign_key_check")).all()
            if lost:
                raise StoreError(f"{len(lost)} rows of it point nowhere, the first in {lost[0][0]}")
    finally:
        await engine.dispose()


def alembic_config(connection: Connection) -> Config:
    """Describe to Alembic where the migrations are, and the connection to use."""
    config = Config(attributes={"connection": connection})
    config.set_main_option("script_location", str(_SCRIPTS).replace("%", "%%"))
    return config
