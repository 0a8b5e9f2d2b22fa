"""The one writer: saves queue up, and a task writes all that wait at once. Imports SQLAlchemy and `saving`.

The task is started when something is queued and ends when the queue is empty. It is nobody's to cancel:
whoever waits for a save shields its future. A transaction runs in one thread from its beginning to its end,
because handing each statement over to a thread takes longer than the statement.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Final, TypeVar

import structlog
from sqlalchemy import Connection, Engine
from sqlalchemy.exc import SQLAlchemyError

from bot.store.connections import problem
from bot.store.errors import FileLost, NotSaved, OwnershipLost, StoreError, Uncertain
from bot.store.records import Save
from bot.store.saving import not_saved, were_written, write_batch

#: The most saves that are written in one transaction.
BATCH: Final = 64
#: How long to wait after each COMMIT that may have been one, before looking and trying again, in seconds.
PAUSES: Final = (0.05, 0.2, 0.0)
#: Errors of a COMMIT that SQLite meets before it has written the last page of it, by their beginning.
_UNDONE: Final = (
    "SQLITE_BUSY",
    "SQLITE_CONSTRAINT",
    "SQLITE_FULL",
    "SQLITE_IOERR_WRITE",
    "SQLITE_READONLY",
)

_log = structlog.get_logger(__name__)

T = TypeVar("T")


class Writer:
    """The only thing that writes to the database."""

    def __init__(self, engine: Engine, check: Callable[[Connection], None]) -> None:
        """`check` is called at the beginning of each transaction; it raises if nothing may be written."""
        self._engine = engine
        self._check = check
        #: Why the last batch could not be saved; None if it was.
        self.problem: str | None = None
        self._connection: Connection | None = None
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="store writer")
        self._queue: deque[tuple[Save, asyncio.Future[bool]]] = deque()
        self._task: asyncio.Task[None] | None = None
        self._closed = self._disconnected = False

    def submit(self, save: Save) -> asyncio.Future[bool]:
        """Queue a save (see `Store.submit`)."""
        if self._closed:
            raise RuntimeError("the store is closed")
        loop = asyncio.get_running_loop()
        future: asyncio.Future[bool] = loop.create_future()
        self._queue.append((save, future))
        if self._task is None:
            self._task = loop.create_task(self._run(), name="store writer")
        return future

    async def close(self) -> None:
        """Write what is queued, take nothing more, and close the connection."""
        self._closed = True
        while self._task is not None:
            await asyncio.wait([self._task])
        if not self._disconnected:
            self._disconnected = True
            await self._in_thread(self._disconnect)
            self._thread.shutdown(wait=False)

    def _disconnect(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None
        self._engine.dispose()

    async def run(self, work: Callable[[Connection], T]) -> T:
        """Do something in a transaction on the writing connection, one at a time, and commit it.

        Raises Uncertain if the COMMIT failed and may still have been carried out; after any other exception
        nothing was written.
        """

        def transaction() -> T:
            with self._transaction() as connection:
                return work(connection)

        return await self._in_thread(transaction)

    async def _in_thread(self, work: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._thread, work)

    @contextmanager
    def _transaction(self) -> Iterator[Connection]:
        """Open a transaction in the thread; leaving it commits.

        A connection that failed is not used again, because the cause may be bound to it, such as a file
        opened read-only. One whose file is lost is kept: the file may come back.
        """
        committing = False
        try:
            if self._connection is None:
                self._connection = self._engine.connect()
            with self._connection.begin():
                self._check(self._connection)
                yield self._connection
                committing = True
        except FileLost:
            raise
        except BaseException as error:
            connection, self._connection = self._connection, None
            if connection is not None:
                connection.invalidate()
                connection.close()
            if committing and isinstance(error, SQLAlchemyError) and not _is_undone(error):
                raise Uncertain(problem(error)) from error
            raise

    async def _run(self) -> None:
        batch: list[tuple[Save, asyncio.Future[bool]]] = []
        try:
            while self._queue:
                batch = [self._queue.popleft() for _ in range(min(BATCH, len(self._queue)))]
                await self._write(batch)
        finally:
            self._task = None
            # Something is left only if the event loop itself is ending; nobody can say what became of it.
            for _, future in (*batch, *self._queue):
                future.cancel()
            self._queue.clear()

    async def _write(self, batch: list[tuple[Save, asyncio.Future[bool]]]) -> None:
        outcomes: Sequence[bool | StoreError]
        try:
            outcomes = await self._save([save for save, _ in batch])
            if self.problem is not None:
                self.problem = None
                _log.info("saving_works_again")
        except OwnershipLost:
            # What becomes of these tables is for another process to say: nobody is answered by this one.
            for _, future in batch:
                future.cancel()
            return
        except Exception as error:  # noqa: BLE001  # whatever it was, each is told and the writer lives on
            failure = error if isinstance(error, StoreError) else not_saved(error)
            outcomes = [failure for _ in batch]
            if str(failure) != self.problem:
                self.problem = str(failure)
                _log.error("nothing_can_be_saved", saves=len(batch), problem=self.problem)
        for (_, future), outcome in zip(batch, outcomes, strict=True):
            if future.done():
                continue
            if isinstance(outcome, StoreError):
                future.set_exception(outcome)
            else:
                future.set_result(outcome)

    async def _save(self, saves: Sequence[Save]) -> Sequence[bool | NotSaved]:
        """Write saves in one transaction and return what became of each.

        If the flush of a COMMIT fails (SQLITE_IOERR_FSYNC), nobody sees what it wrote, but it is in the
        write-ahead log and would come back after a crash. So the batch is looked up, and written again if it
        is not there, which overwrites the log. Raises Uncertain if that fails too; after any other exception
        nothing was written.
        """
        outcomes: list[bool | NotSaved] = []
        doubt: Uncertain | None = None

        def write(connection: Connection) -> None:
            if doubt is None or not were_written(connection, saves, outcomes):
                outcomes[:] = write_batch(connection, saves)

        for pause in PAUSES:
            try:
                await self.run(write)
                return outcomes
            except OwnershipLost:
                raise
            except Uncertain as error:
                doubt = error
            except Exception:
                if doubt is None:
                    raise
            await asyncio.sleep(pause)
        assert doubt is not None
        raise doubt


def _is_undone(error: SQLAlchemyError) -> bool:
    name = getattr(getattr(error, "orig", None), "sqlite_errorname", None) or ""
    return name.startswith(_UNDONE)
