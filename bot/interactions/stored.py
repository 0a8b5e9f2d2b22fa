"""Reading and saving on behalf of an interaction: bounded in time, with a sentence for each failure."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from datetime import datetime
from typing import Any, Final, TypeVar

import structlog

from bot.model.errors import Problem, UserError
from bot.store import Uncertain
from bot.tables import Table, Tables

log = structlog.get_logger(__name__)

#: How many seconds an interaction waits for the store; it is deferred long before.
STORE_WITHIN: Final = 5.0

T = TypeVar("T")


async def read(reading: Awaitable[T]) -> T:
    """Return what is read; raises UserError if that fails or takes too long."""
    return await _bounded(reading, failed=Problem.NOT_READ, late=Problem.NOT_READ)


async def table(tables: Tables, table_id: int, now: datetime) -> Table | None:
    """Return a live table by its number, None if there is none; raises UserError if it cannot be read."""
    if not tables.is_idle(table_id):
        return tables.get(table_id)
    return await read(tables.reach(table_id, now))


async def table_in(tables: Tables, channel_id: int, now: datetime) -> Table | None:
    """Return the live table of a channel, None if there is none; raises UserError if it cannot be read."""
    table_id = tables.id_in_channel(channel_id)
    return None if table_id is None else await table(tables, table_id, now)


async def save(saving: Awaitable[T]) -> T:
    """Wait until something is saved; raises UserError if that fails, or is not known in time."""
    return await _bounded(saving, failed=Problem.NOT_SAVED, late=Problem.STILL_SAVING)


async def _bounded(work: Awaitable[T], *, failed: Problem, late: Problem) -> T:
    """Wait for the store; what takes too long is not cancelled, it ends by itself."""
    task = asyncio.ensure_future(work)
    done, _ = await asyncio.wait({task}, timeout=STORE_WITHIN)
    if not done:
        log.warning("store_too_slow", problem=late.value)
        task.add_done_callback(_log_late)
        raise UserError(late)
    try:
        return task.result()
    except UserError:
        raise
    except Uncertain as error:
        log.exception(late.value)
        raise UserError(late) from error
    except Exception as error:
        log.exception(failed.value)
        raise UserError(failed) from error


def _log_late(task: asyncio.Future[Any]) -> None:
    if not task.cancelled() and (error := task.exception()) is not None:
        log.error("store_failed_late", problem=type(error).__name__)
