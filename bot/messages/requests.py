"""Requests to Discord: each bounded and counted by kind, and held back while too many are refused.

Knows what Discord's error codes mean. Imports discord, aiohttp and structlog.
"""

from __future__ import annotations

import asyncio
from collections import Counter, deque
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final, TypeVar

import aiohttp
import discord
import structlog

log = structlog.get_logger(__name__)

T = TypeVar("T")

UNKNOWN_CHANNEL, UNKNOWN_MEMBER, UNKNOWN_MESSAGE = 10003, 10007, 10008
UNKNOWN_USER, UNKNOWN_WEBHOOK = 10013, 10015
MISSING_ACCESS, MISSING_PERMISSIONS, BAD_TOKEN = 50001, 50013, 50027
TOO_OLD_TO_EDIT, ARCHIVED, LOCKED = 30046, 50083, 160005


class NotSentError(Exception):
    """A request that was not made, because Discord would refuse it or has refused too many lately."""


class RefusedError(NotSentError):
    """A request that was not made, because Discord would refuse it here."""


#: How a request may fail: Discord refuses it, no answer comes, or it is not made at all.
FAILURES: Final = (discord.HTTPException, aiohttp.ClientError, TimeoutError, OSError, NotSentError)

#: How long a request may take that nothing waits for, the library's own retries included, in seconds.
SIDE_WITHIN: Final = 5.0
#: The same for a table or a hand: at first, and at most after several tries.
FIRST_WITHIN: Final = 2.5
LONGEST_WITHIN: Final = 10.0
#: The pause after a failed try, at first and at most, in seconds, and its part of the time that it fails.
FIRST_PAUSE: Final = 1.0
LONGEST_PAUSE: Final = 60.0
PAUSE_GROWS: Final = 0.25
#: How many refusals in ten minutes stop what is not needed, and everything but answers. Discord bans the
#: address of a bot at 10,000.
UNNEEDED_UP_TO: Final = 2000
NEEDED_UP_TO: Final = 5000


def code_of(error: Exception) -> int | None:
    """Return Discord's code for a failure, None if Discord said nothing."""
    return error.code if isinstance(error, discord.HTTPException) else None


def is_passing(error: Exception) -> bool:
    """Whether a failure may be gone in a moment."""
    return not isinstance(error, discord.HTTPException) or error.status >= 500 or error.status == 429


def is_refusal(error: Exception) -> bool:
    """Whether Discord does not let the bot do something here, until somebody changes that."""
    if isinstance(error, RefusedError):
        return True
    if not isinstance(error, discord.HTTPException):
        return False
    return error.status in (401, 403) or error.code in (ARCHIVED, LOCKED)


@dataclass(frozen=True, slots=True)
class Failing:
    """Something that has to be done in the end, and has failed so many times in a row since a moment."""

    since: datetime
    tries: int = 1

    @classmethod
    def again(cls, before: Failing | None, begun: datetime) -> Failing:
        """Return what follows on one more failure, of a try that was begun then."""
        return cls(begun) if before is None else cls(before.since, before.tries + 1)

    def retry_at(self, begun: datetime) -> datetime:
        """Return when to try again after a try that was begun then: the pauses grow with the time gone by."""
        elapsed = (begun - self.since).total_seconds()
        return begun + timedelta(seconds=min(LONGEST_PAUSE, max(FIRST_PAUSE, elapsed * PAUSE_GROWS)))


def within(failing: Failing | None, longest: float = LONGEST_WITHIN) -> float:
    """Return how many seconds the next try of something needed may take."""
    tries = 0 if failing is None else failing.tries
    return min(longest, FIRST_WITHIN * 2.0 ** min(tries // 2, 8))


class Refusals:
    """Counts the answers of 401, 403 and 429 in the last ten minutes, for the whole process."""

    WINDOW: Final = 600.0
    _SLICE: Final = 10.0

    def __init__(self, seconds: Callable[[], float]) -> None:
        self._seconds = seconds
        self._slices: deque[tuple[float, int]] = deque()
        self._total = 0

    def count(self) -> None:
        """Count one."""
        begun = self._seconds() // self._SLICE * self._SLICE
        self._forget()
        if self._slices and self._slices[-1][0] == begun:
            begun, number = self._slices.pop()
        else:
            number = 0
        self._slices.append((begun, number + 1))
        self._total += 1

    @property
    def recent(self) -> int:
        """How many there were in the last ten minutes."""
        self._forget()
        return self._total

    def allow(self, *, needed: bool) -> bool:
        """Whether a request may be made; one that is `needed` for longer."""
        return self.recent < (NEEDED_UP_TO if needed else UNNEEDED_UP_TO)

    def _forget(self) -> None:
        while self._slices and self._slices[0][0] <= self._seconds() - self.WINDOW - self._SLICE:
            self._total -= self._slices.popleft()[1]


class Requests:
    """Makes requests for the tables, and runs what nothing waits for."""

    def __init__(self, client: discord.Client, refusals: Refusals) -> None:
        self.client = client
        self.refusals = refusals
        #: Requests made, by kind.
        self.calls: Counter[str] = Counter()
        self._tasks: set[asyncio.Task[Any]] = set()
        self._closed = False

    async def make(
        self, kind: str, request: Coroutine[Any, Any, T], *, within: float = SIDE_WITHIN, needed: bool = False
    ) -> T:
        """Make a request and return its result; raises one of FAILURES after `within` seconds at most."""
        if self._closed or not self.refusals.allow(needed=needed):
            request.close()
            raise NotSentError(kind)
        self.calls[kind] += 1
        task = self._run(request, kind)
        try:
            done, _ = await asyncio.wait([task], timeout=within)
        except asyncio.CancelledError:
            task.cancel()
            raise
        if done:
            return task.result()
        if not self._is_globally_limited():
            task.cancel()
        raise TimeoutError(kind)

    def _is_globally_limited(self) -> bool:
        """Whether discord.py waits for the end of a limit on all requests.

        It lifts the limit when the request that met it has slept to the end of it. If that one were
        cancelled, no request would ever be made again.
        """
        over = getattr(self.client.http, "_global_over", None)
        return isinstance(over, asyncio.Event) and not over.is_set()

    def aside(self, work: Coroutine[Any, Any, None], name: str) -> None:
        """Do something that nothing waits for; what it raises is logged."""
        if self._closed:
            work.close()
        else:
            _ = self._run(self._logged(work, name), name)

    @staticmethod
    async def _logged(work: Coroutine[Any, Any, None], name: str) -> None:
        try:
            await work
        except Exception:
            log.exception("aside_failed", what=name)

    def _run(self, work: Coroutine[Any, Any, T], name: str) -> asyncio.Task[T]:
        task = asyncio.create_task(work, name=name)
        self._tasks.add(task)
        task.add_done_callback(self._ended)
        return task

    def _ended(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled():
            task.exception()  # one that was given up may fail unheard

    def under_way(self) -> set[asyncio.Task[Any]]:
        """Return the tasks of what is being done."""
        return set(self._tasks)

    def close(self) -> None:
        """Make no more requests."""
        self._closed = True
