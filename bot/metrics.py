"""What Prometheus is told: counters that are counted where things happen, and what is looked up when it asks.

Counts and times only: no names, no ids, no cards. Imports prometheus_client, aiohttp and the store.
"""

from __future__ import annotations

import asyncio
import functools
import json
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Final

import aiohttp
from prometheus_client import CollectorRegistry, Counter, Histogram, ProcessCollector

from bot.model.errors import Problem
from bot.store import Owner, Save, StaleVersion, Store

REGISTRY: Final = CollectorRegistry()
ProcessCollector(registry=REGISTRY)

MOVES: Final = Counter(
    "lastlap_moves",
    "Moves carried out and saved, the start of a match and a deal among them.",
    ["by"],
    registry=REGISTRY,
)
ANSWER_SECONDS: Final = Histogram(
    "lastlap_answer_seconds",
    "Time from an interaction's arrival until Discord has taken the answer to it.",
    buckets=(0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0),
    registry=REGISTRY,
)
UNANSWERED: Final = Counter(
    "lastlap_unanswered", "Interactions that Discord took no answer to from the bot.", registry=REGISTRY
)
REFUSED: Final = Counter(
    "lastlap_refused", "Presses and commands refused, by problem.", ["problem"], registry=REGISTRY
)
ERRORS: Final = Counter(
    "lastlap_discord_errors",
    "Requests that Discord refused, by HTTP status and Discord's own code (0: none), repeated ones too.",
    ["status", "code"],
    registry=REGISTRY,
)
LOST: Final = Counter(
    "lastlap_discord_lost", "Requests that nothing was heard of from Discord.", registry=REGISTRY
)
LATE_SECONDS: Final = Histogram(
    "lastlap_deadline_late_seconds",
    "How late what was due at a table was begun.",
    buckets=(0.01, 0.05, 0.1, 0.5, 1.0, 2.0, 5.0, 15.0, 60.0),
    registry=REGISTRY,
)
_RENDER_BUCKETS: Final = (0.05, 0.1, 0.25, 0.5, 1.0, 1.5, 2.5, 5.0, 10.0, 30.0)
HELD_SECONDS: Final = Histogram(
    "lastlap_table_held_seconds",
    "How long the rendering of a change at a table was held back to keep Discord's limits.",
    buckets=_RENDER_BUCKETS,
    registry=REGISTRY,
)
RENDERED_SECONDS: Final = Histogram(
    "lastlap_table_drawn_seconds",
    "Time from a change at a table until it was on screen, without what it was held back for limits.",
    buckets=_RENDER_BUCKETS,
    registry=REGISTRY,
)
SAVES: Final = Counter("lastlap_saves", "Saves, by how they ended.", ["outcome"], registry=REGISTRY)
for _outcome in ("saved", "failed"):
    SAVES.labels(_outcome)

_ANSWER: Final = re.compile(r"/interactions/(\d+)/[^/]+/callback\Z")
#: When each interaction arrived that is being answered, by the event loop's clock.
_arrived: Final[dict[int, float]] = {}


@contextmanager
def answering(interaction_id: int) -> Iterator[None]:
    """Measure how long one interaction takes to be answered."""
    _arrived[interaction_id] = asyncio.get_running_loop().time()
    try:
        yield
    finally:
        _arrived.pop(interaction_id, None)


def refused(problem: Problem) -> None:
    """Count a press or command that was refused."""
    REFUSED.labels(problem.value).inc()


def rendered(held: float, besides: float) -> None:
    """Count a rendering: seconds it was held back for Discord's limits, and seconds it took besides."""
    HELD_SECONDS.observe(held)
    RENDERED_SECONDS.observe(max(0.0, besides))


# --- requests


def trace(refused: Callable[[], None]) -> aiohttp.TraceConfig:
    """Return what counts the requests of an HTTP session, those that discord.py repeats by itself too.

    `refused` is called at each answer of 401, 403 or 429 that Discord counts towards a ban.
    """
    config = aiohttp.TraceConfig()
    config.on_request_end.append(functools.partial(_ended, refused))
    config.on_request_exception.append(_broke)
    return config


async def _ended(
    refused: Callable[[], None],
    session: aiohttp.ClientSession,
    context: SimpleNamespace,
    ended: aiohttp.TraceRequestEndParams,
) -> None:
    response = ended.response
    # A limit that bots share is not this bot's doing.
    if response.status in (401, 403, 429) and response.headers.get("X-RateLimit-Scope") != "shared":
        refused()
    if response.status >= 400:
        ERRORS.labels(str(response.status), str(await _code(response))).inc()
        return
    answer = _ANSWER.search(ended.url.path)
    if answer is not None and (at := _arrived.pop(int(answer[1]), None)) is not None:
        ANSWER_SECONDS.observe(asyncio.get_running_loop().time() - at)


async def _broke(
    session: aiohttp.ClientSession, context: SimpleNamespace, broken: aiohttp.TraceRequestExceptionParams
) -> None:
    LOST.inc()


async def _code(response: aiohttp.ClientResponse) -> int:
    """Read Discord's own code of a refusal; the body is kept for whoever asked."""
    try:
        told = json.loads(await response.read())
        return int(told["code"])
    except (aiohttp.ClientError, OSError, ValueError, TypeError, KeyError):
        return 0


# --- saves


class Saves:
    """Watches saves: what became of each, and since when the oldest of those under way is waited for."""

    def __init__(self) -> None:
        self._waiting: dict[asyncio.Future[bool], float] = {}
        self._listeners: list[Callable[[], None]] = []
        #: Whether the last one that came to an end failed because of the machine.
        self.failing = False

    def listen(self, listener: Callable[[], None]) -> None:
        """Call a listener whenever a save has come to an end."""
        self._listeners.append(listener)

    def watch(self, save: asyncio.Future[bool]) -> None:
        """Watch one to its end."""
        self._waiting[save] = asyncio.get_running_loop().time()
        save.add_done_callback(self._settled)

    def waited(self) -> float:
        """Give the seconds that the oldest save under way has taken so far, 0 where there is none."""
        if not self._waiting:
            return 0.0
        return asyncio.get_running_loop().time() - min(self._waiting.values())

    def _settled(self, save: asyncio.Future[bool]) -> None:
        del self._waiting[save]
        if save.cancelled():
            return
        error = save.exception()
        # A save that does not follow on what is stored is refused by the rules of the store, not by the disk.
        self.failing = error is not None and not isinstance(error, StaleVersion)
        SAVES.labels("saved" if error is None else "failed").inc()
        for listener in self._listeners:
            listener()


class WatchedStore(Store):
    """The store, with somebody who watches what becomes of its saves."""

    def __init__(self, url: str, saves: Saves, owner: Owner | None = None) -> None:
        super().__init__(url, owner)
        self._saves = saves

    def submit(self, save: Save) -> asyncio.Future[bool]:
        """Queue a save (see `Store.submit`)."""
        future = super().submit(save)
        self._saves.watch(future)
        return future
