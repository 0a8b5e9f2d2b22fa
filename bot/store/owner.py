"""The ownership of a database: one process at a time has it, and others wait.

The owner holds a lock on a file beside the database, which the kernel releases when the process ends, and
stands in a row, with a number that rises with each owner (the epoch) and one that rises while the owner is
alive (the beat). The row is for cases in which the lock says nothing: another machine on a shared volume, a
lock file that was removed, an owner that hangs. Every transaction checks the epoch, so a process that has
lost the database writes nothing more. Imports SQLAlchemy and the store's modules.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import platform
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Final

import structlog
from sqlalchemy import Connection, Update, select, update

from bot.store import models
from bot.store.connections import explained, make_engine
from bot.store.errors import OwnershipLost, StoreError
from bot.store.files import beside, file_of
from bot.store.lock import FileLock
from bot.store.migration import migrate

#: How often the owner shows that it is alive, and how often a waiting process looks, in seconds.
BEAT: Final = 4.0
LOOK: Final = 1.0
#: After how long without a beat an owner counts as ended, in seconds.
SILENCE: Final = 15.0
#: How long a release may take, in seconds.
RELEASE_WITHIN: Final = 1.0

_log = structlog.get_logger(__name__)
_row = models.owner.c


@dataclass(frozen=True, slots=True)
class _Holder:
    """The row: the owner's name, "" if there is none, and the name of its lock, "" if it has none."""

    owner: str
    lock: str
    epoch: int
    beat: int

    def has_ended(self, lock: str) -> bool:
        """Whether the owner has certainly ended, seen by a process that holds this lock."""
        return self.owner == "" or (self.lock != "" and self.lock == lock)


class Owner:
    """The ownership of a database by this process, from `take` to `release`, or until it is `lost`."""

    def __init__(self, url: str) -> None:
        """Raise StoreError if `url` is not of a file (sqlite+aiosqlite:///PATH)."""
        file = file_of(url)
        self._url = url
        self._file = file
        self._lock = FileLock(None if file is None else beside(file, "-lock"))
        self._name = f"process {os.getpid()} on {platform.node()}"
        self._epoch: int | None = None
        self._beat_at = 0.0
        self._loop: asyncio.AbstractEventLoop | None = None
        #: Set when another process has taken the database.
        self.lost = asyncio.Event()

    async def take(self) -> None:
        """Wait until no other process owns the database, own it, and migrate it.

        An owner counts as ended when its lock is free, or after fifteen seconds without a beat by this
        process's own clock. Raises StoreError if the database cannot be used.
        """
        self._loop = asyncio.get_running_loop()
        with explained():
            if self._file is not None:
                self._file.parent.mkdir(parents=True, exist_ok=True)
        waited = False
        async for holder, ended in self._looks():
            try:
                if ended and await self._seize(holder):
                    break
            except StoreError:
                # A silent owner may still hold the lock of the database, and is waited for.
                if holder is None or holder.has_ended(self._lock.name):
                    raise
            if not waited:
                waited = True
                _log.warning(
                    "database_in_use",
                    by=holder.owner if holder is not None else "a process that starts",
                    advice="This process waits, and takes over when that one has ended.",
                )
        if waited:
            _log.info("database_taken_over", epoch=self._epoch)
        await asyncio.to_thread(migrate, self._url)

    async def hold(self) -> None:
        """Keep every process from owning the database until `release`; raises StoreError if one does.

        Does not migrate, and takes a database that cannot be read for one without an owner.
        """
        with explained():
            held = self._lock.take()
        holder = await self._look_if_whole()
        if not held:
            by = f" ({holder.owner})" if holder is not None and holder.owner else ""
            raise StoreError(f"a bot is running on it{by}: stop it first")
        waited = 0.0
        while not (holder is None or holder.has_ended(self._lock.name) or waited >= SILENCE):
            await asyncio.sleep(LOOK)
            waited += LOOK
            if await self._look_if_whole() != holder:
                self._lock.release()
                raise StoreError(f"a bot is running on it ({holder.owner}): stop it first")

    async def _look_if_whole(self) -> _Holder | None:
        try:
            return await self._look()
        except StoreError:
            return None

    async def _looks(self) -> AsyncIterator[tuple[_Holder | None, bool]]:
        """Look every second at who owns the database, and whether that process has ended."""
        loop = asyncio.get_running_loop()
        seen: _Holder | None = None
        silence, looked_at = 0.0, loop.time()
        while True:
            with explained():
                held = self._lock.take()
            holder = await self._look()
            # The time this process slept itself, such as with the machine, is no silence.
            passed = min(loop.time() - looked_at, 2 * LOOK)
            silence = silence + passed if holder is not None and holder == seen else 0.0
            seen, looked_at = holder, loop.time()
            ended = held and (holder is None or holder.has_ended(self._lock.name))
            yield holder, ended or silence >= SILENCE
            await asyncio.sleep(LOOK)

    def check(self, connection: Connection, epoch: int) -> None:
        """Raise OwnershipLost if the epoch is not this process's; every few seconds, write a beat.

        Called in the transaction that has read the epoch, and in its thread.
        """
        assert self._loop is not None
        if epoch != self._epoch:
            self._loop.call_soon_threadsafe(self.lost.set)
            raise OwnershipLost("another process has taken the database")
        now = self._loop.time()
        if now - self._beat_at >= BEAT / 2:
            self._beat_at = now
            with contextlib.suppress(OSError):
                self._lock.take()  # or again: its file may have been removed
            connection.execute(update(models.owner).values(beat=_row.beat + 1, lock=self._lock.name))

    async def release(self) -> None:
        """Give up the database, so that the next process has it at once; does nothing without it."""
        if self._epoch is not None and not self.lost.is_set():
            nobody = update(models.owner).where(_row.epoch == self._epoch).values(owner="", lock="")
            try:
                async with asyncio.timeout(RELEASE_WITHIN):
                    await self._write(nobody)
            except (StoreError, TimeoutError) as error:
                _log.info("database_not_handed_over", problem=str(error))
        self._epoch = None
        self._lock.release()

    async def _look(self) -> _Holder | None:
        """Return the row; None if there is none yet: no database, or one of a release without owners."""
        if self._file is not None and not await asyncio.to_thread(self._file.exists):
            return None
        engine = make_engine(self._url, begin="BEGIN", read_only=True)
        try:
            with explained():
                async with engine.connect() as connection:
                    named = "SELECT 1 FROM sqlite_master WHERE name = 'owner'"
                    if (await connection.exec_driver_sql(named)).first() is None:
                        return None
                    row = await connection.execute(select(_row.owner, _row.lock, _row.epoch, _row.beat))
                    return _Holder(*row.one())
        finally:
            await engine.dispose()

    async def _seize(self, holder: _Holder | None) -> bool:
        """Own the database if the row has not changed since it was read; returns whether it does."""
        if holder is None:
            await asyncio.to_thread(migrate, self._url)  # only who has the lock comes here
            holder = await self._look()
            if holder is None or holder.owner != "":
                return False
        seen = update(models.owner).where(_row.epoch == holder.epoch, _row.beat == holder.beat)
        epoch = holder.epoch + 1
        mine = {"owner": self._name, "lock": self._lock.name, "epoch": epoch, "beat": holder.beat + 1}
        if await self._write(seen.values(mine)) != 1:
            return False
        self._epoch, self._beat_at = epoch, asyncio.get_running_loop().time()
        return True

    async def _write(self, statement: Update) -> int:
        engine = make_engine(self._url, begin="BEGIN IMMEDIATE")
        try:
            with explained():
                async with engine.begin() as connection:
                    return (await connection.execute(statement)).rowcount
        finally:
            await engine.dispose()
