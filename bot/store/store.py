"""The store: one writer and the readers beside it, on one database file. Imports the store's own modules."""

from __future__ import annotations

import asyncio
from datetime import datetime
from typing import Any, Final

from sqlalchemy import delete, false
from sqlalchemy.dialects import sqlite

from bot.store import models
from bot.store.connections import explained, make_directory, make_engine
from bot.store.queries import Queries
from bot.store.records import Save
from bot.store.saving import old_tokens
from bot.store.writer import Writer

_READERS: Final = 4


class Store(Queries):
    """A database file that `migrate` has brought to its newest form."""

    def __init__(self, url: str) -> None:
        """Raise StoreError if `url` is not of a file (sqlite+aiosqlite:///PATH)."""
        super().__init__(make_engine(url, begin="BEGIN", pool_size=_READERS, read_only=True))
        self._writer = Writer(make_engine(url, begin="BEGIN IMMEDIATE"))
        self._url = url

    async def open(self) -> None:
        """See that the database can be written and read; raises StoreError if not."""
        make_directory(self._url)
        try:
            with explained():
                async with self._writer.transaction() as connection:
                    await connection.execute(delete(models.facts).where(false()))
                await self.next_table_id()
        except BaseException:
            await self.close()
            raise

    async def close(self) -> None:
        """Finish what is queued and let the database go; `submit` raises RuntimeError from now on."""
        await self._writer.close()
        await self._engine.dispose()

    def submit(self, save: Save) -> asyncio.Future[bool]:
        """Queue all of one click to be written, in one transaction, after whatever was submitted before.

        The future is released after the commit: True, saved; False, a move of this interaction was saved
        before and nothing of this save is written. It raises NotSaved if certainly nothing was written
        (StaleVersion if the table was at another version), and is cancelled only where the event loop ends
        before the outcome is known. Wait for it with a bound and shielded, so that neither it nor the writer
        is cancelled: `asyncio.wait_for(asyncio.shield(future), 2)`.
        """
        return self._writer.submit(save)

    async def forget_old_tokens(self, now: datetime) -> int:
        """Remove the tokens that are of no use any more at `now` and give their number.

        A save with a token does the same by itself, so this is for a start and for quiet times.
        """
        async with self._writer.transaction() as connection:
            return (await connection.execute(old_tokens(now))).rowcount

    async def set_fact(self, key: str, value: str) -> None:
        """Remember something about the bot itself, for `fact` to give back."""
        row = sqlite.insert(models.facts).values(key=key, value=value)
        async with self._writer.transaction() as connection:
            await connection.execute(row.on_conflict_do_update(index_elements=["key"], set_={"value": value}))

    async def set_nudges(self, user_id: int, nudges: str) -> None:
        """Remember when a person wants to be nudged, for `nudges` to give back."""
        row = sqlite.insert(models.wishes).values(user_id=user_id, nudges=nudges)
        async with self._writer.transaction() as connection:
            await connection.execute(
                row.on_conflict_do_update(index_elements=["user_id"], set_={"nudges": nudges})
            )

    async def set_guild_settings(self, guild_id: int, settings: dict[str, Any]) -> None:
        """Remember what a server's managers have chosen, for `guild_settings` to give back; {} forgets it."""
        row = sqlite.insert(models.guild_settings).values(guild_id=guild_id, settings=settings)
        async with self._writer.transaction() as connection:
            await connection.execute(
                row.on_conflict_do_update(index_elements=["guild_id"], set_={"settings": settings})
            )
