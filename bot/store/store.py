"""The store: one writer and the queries beside it, on one database file. Imports the store's modules."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any, Final

from sqlalchemy import Connection, delete, false
from sqlalchemy.dialects import sqlite

from bot.store import models
from bot.store.connections import explained, make_blocking_engine, make_engine
from bot.store.counting import TALLIES, counted_as, note_counted, recount
from bot.store.errors import FileLost
from bot.store.files import OpenedFile, file_of
from bot.store.forgetting import EVERYWHERE, Forgotten, forget, seated_at
from bot.store.owner import Owner
from bot.store.queries import Queries
from bot.store.records import Save, SeatFacts
from bot.store.seasons import close_season
from bot.store.writer import Writer

_READERS: Final = 4


class Store(Queries):
    """A database in its newest form (see `migrate`)."""

    def __init__(self, url: str, owner: Owner | None = None) -> None:
        """Raise StoreError if `url` is not of a file (sqlite+aiosqlite:///PATH).

        With an owner, nothing is written after another process has taken the database.
        """
        super().__init__(make_engine(url, begin="BEGIN", pool_size=_READERS, read_only=True))
        file = file_of(url)
        self._owner = owner
        self._opened = None if file is None else OpenedFile(file)
        self._writer = Writer(
            make_blocking_engine(url, begin="BEGIN IMMEDIATE", opened=self._opened), check=self._check
        )

    @property
    def problem(self) -> str | None:
        """Why nothing could be saved the last time; None while saving works."""
        return self._writer.problem

    async def open(self) -> None:
        """Check that the database can be written and read; raises StoreError if not.

        Recounts the tallies if an earlier release kept them otherwise, or not at all.
        """
        try:
            with explained():
                await self._writer.run(self._begin)
                await self.next_table_id()
        except BaseException:
            await self.close()
            raise

    @staticmethod
    def _begin(connection: Connection) -> None:
        connection.execute(delete(models.facts).where(false()))
        if counted_as(connection) != TALLIES:
            recount(connection)
            note_counted(connection, TALLIES)

    def _check(self, connection: Connection) -> None:
        """Raise FileLost if the file was removed or replaced, OwnershipLost if another process owns it."""
        there = "1" if self._opened is None else "file_is_there()"
        # One query, because a query costs more than what it asks.
        asked = f"SELECT {there}" if self._owner is None else f"SELECT {there}, epoch FROM owner"  # noqa: S608
        row = connection.exec_driver_sql(asked).one()
        if not row[0]:
            raise FileLost("the database file was removed or replaced while it was in use")
        if self._owner is not None:
            self._owner.check(connection, row.epoch)

    async def close(self) -> None:
        """Write what is queued and close the database; `submit` raises RuntimeError from now on."""
        await self._writer.close()
        await self._engine.dispose()

    def submit(self, save: Save) -> asyncio.Future[bool]:
        """Queue a save, to be written in one transaction after those submitted before.

        The future is done after the commit: True if it was saved; False if a move of this interaction was
        saved before, so that nothing of this save was written. It raises NotSaved if certainly nothing was
        written (StaleVersion if the stored table has another version) and Uncertain if that could not be
        found out. It is cancelled if the event loop ends first, or another process has taken the database.
        Wait for it with a timeout and shielded, so that it is not cancelled:
        `asyncio.wait_for(asyncio.shield(future), 2)`.
        """
        return self._writer.submit(save)

    def tidy(self, now: datetime) -> asyncio.Future[bool]:
        """Remove tokens older than 14 minutes, and the places of messages of tables closed that long ago.

        Called at the start and once a minute, so that no token is kept for more than the 15 minutes it works.
        Returns the future of `submit`.
        """
        return self.submit(Save(tidy_at=now))

    def servers_changed(
        self, now: datetime, *, left: Iterable[int] = (), back: Iterable[int] = ()
    ) -> asyncio.Future[bool]:
        """Save which servers the bot is no longer on, and which it is on again.

        Returns the future of `submit`.
        """
        return self.submit(Save(left=dict.fromkeys(left, now), back=frozenset(back)))

    def forget_departed(self, now: datetime) -> asyncio.Future[bool]:
        """Delete a part of what is kept of a server that removed the bot 30 days ago, if there is one.

        Called once a minute, after the servers the bot is on have been compared with those it knows. Returns
        the future of `submit`.
        """
        return self.submit(Save(forget_at=now))

    def keep_facts(self, facts: Sequence[SeatFacts]) -> asyncio.Future[bool]:
        """Save what seats did in hands saved before; returns the future of `submit`."""
        return self.submit(Save(seat_facts=tuple(facts)))

    def put_to_sleep(self, now: datetime) -> asyncio.Future[bool]:
        """Let those who have not played a match for long stand below the settled; called once a day.

        Returns the future of `submit`.
        """
        return self.submit(Save(asleep_at=now))

    async def rebuild_tallies(self, now: datetime) -> None:
        """Work all tallies, meetings and skill out from the stored hands and matches, in one transaction.

        Takes as long as there are many; nothing else is saved meanwhile. Raises StoreError.
        """
        with explained():
            await self._writer.run(lambda connection: recount(connection, now))

    async def forget(self, user_id: int, guild_id: int | None, now: datetime) -> list[int]:
        """Forget a person on a server, or everywhere; returns the channels of tables that stand in the way.

        Nothing is changed while they have a seat at a table that is not over. Raises StoreError.
        """
        where = EVERYWHERE if guild_id is None else guild_id

        def work(connection: Connection) -> list[int]:
            seated = seated_at(connection, user_id, where)
            if not seated:
                forget(connection, Forgotten(user_id, where, now))
            return seated

        with explained():
            return await self._writer.run(work)

    async def hide(self, guild_id: int, user_id: int, *, hidden: bool) -> None:
        """Save whether a person is left out of the boards of a server; raises StoreError."""
        row = {"guild_id": guild_id, "user_id": user_id}

        def work(connection: Connection) -> None:
            if hidden:
                connection.execute(sqlite.insert(models.hidden).on_conflict_do_nothing(), row)
            else:
                connection.execute(delete(models.hidden).filter_by(**row))

        with explained():
            await self._writer.run(work)

    async def close_season(self, guild_id: int, now: datetime) -> int | None:
        """Close a server's season; returns its number, None if none is on. Raises StoreError."""
        with explained():
            return await self._writer.run(lambda connection: close_season(connection, guild_id, now))

    def pack(self, now: datetime) -> asyncio.Future[bool]:
        """Pack the moves of hands that ended a while ago, a number of hands at a time; called once a minute.

        The moves of a table that was closed before a hand of it was recorded are removed: nobody can tell any
        more from which deal they were made. Returns the future of `submit`.
        """
        return self.submit(Save(pack_at=now))

    def beat(self) -> asyncio.Future[bool]:
        """Show that this process is alive, and find out whether it can save; called every `BEAT` seconds.

        Returns the future of `submit`.
        """
        return self._writer.submit(Save())

    def set_fact(self, key: str, value: str) -> asyncio.Future[bool]:
        """Save something about the bot itself, for `fact`; returns the future of `submit`."""
        return self.submit(Save(facts={key: value}))

    def set_nudges(self, user_id: int, nudges: str) -> asyncio.Future[bool]:
        """Save when a person wants to be nudged, for `nudges`; returns the future of `submit`."""
        return self.submit(Save(nudges={user_id: nudges}))

    def set_cards(self, user_id: int, cards: str) -> asyncio.Future[bool]:
        """Save how a person's cards are shown, "pictures" or "words"; returns the future of `submit`."""
        return self.submit(Save(cards={user_id: cards}))

    def set_language(self, user_id: int, language: str | None) -> asyncio.Future[bool]:
        """Save the language a person has chosen, for `languages`; returns the future of `submit`."""
        return self.submit(Save(languages={user_id: language}))

    def set_guild_settings(self, guild_id: int, settings: dict[str, Any]) -> asyncio.Future[bool]:
        """Save a server's settings, {} to remove them; returns the future of `submit`."""
        return self.submit(Save(guild_settings={guild_id: settings}))
