"""How the bot is: over HTTP (/healthz, /metrics), in a file beside the database, and by command.

All of them say what `trouble` returns.
"""

from __future__ import annotations

import asyncio
import http.client
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, suppress
from datetime import timedelta
from pathlib import Path
from typing import Final

import discord
from aiohttp import web
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from bot import metrics
from bot.client import Lastlap
from bot.model.state import State
from bot.settings import Settings

#: The phases of a live table; each is counted, even where there is none.
PHASES: Final = ("lobby", "playing", "paused", "between_hands", "idle")
#: What is said of a healthy bot.
OK: Final = "ok"
#: How often a running bot checks its health, in seconds; how often it writes it down if nothing has changed;
#: and how long that counts.
LOOK_EVERY: Final = 1.0
HEARTBEAT: Final = timedelta(seconds=20)
ALIVE_WITHIN: Final = timedelta(seconds=60)
#: How many seconds a running bot may take to answer.
_ANSWER_WITHIN: Final = 5.0


class NotServedError(Exception):
    """The port cannot be listened on; the text says why."""


@asynccontextmanager
async def watched(bot: Lastlap, host: str, port: int | None) -> AsyncIterator[None]:
    """Serve /healthz and /metrics meanwhile, if there is a port; raises NotServedError if that fails."""
    if port is None:
        yield
        return
    app = web.Application()
    app.add_routes([web.get("/healthz", _Health(bot).answer), web.get("/metrics", _Metrics(bot).answer)])
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=1.0)
    await runner.setup()
    try:
        try:
            await web.TCPSite(runner, host, port).start()
        except OSError as error:
            raise NotServedError(f"{host}:{port} cannot be listened on: {error.strerror}") from error
        yield
    finally:
        await runner.cleanup()


def trouble(bot: Lastlap) -> str | None:
    """Return in a few words what keeps the bot from working, None if nothing does."""
    if not bot.is_connected():
        return "not connected to Discord"
    if bot.saves.failing:
        return "the last save failed"
    if bot.store.problem is not None:
        return f"nothing can be saved: {bot.store.problem}"
    if bot.saves.waited() > bot.settings.save_timeout:
        return "a save takes too long"
    return None


# --- the sign of life


def heartbeat_file(settings: Settings) -> Path:
    """Return the path of the file, beside the database, in which a running bot writes its health."""
    database = settings.database_url.partition(":///")[2].partition("?")[0]
    return Path(database).parent / "lastlap.alive"


async def beat(bot: Lastlap, path: Path) -> None:
    """Write the bot's health to a file whenever it changes, and now and then, until cancelled."""
    said, at = None, bot.now()
    while True:
        word, now = trouble(bot) or OK, bot.now()
        if word != said or not timedelta() <= now - at < HEARTBEAT:
            # A full disk must not end the task.
            with suppress(OSError):
                await asyncio.to_thread(_replace, path, f"{word}\n")
                said, at = word, now
        await asyncio.sleep(LOOK_EVERY)


def _replace(path: Path, text: str) -> None:
    """Write a file atomically."""
    new = path.with_name(f"{path.name}.new")
    new.write_text(text)
    new.replace(path)


def asked(settings: Settings) -> str:
    """Return the health of a running bot with these settings, "ok" if it is healthy."""
    if settings.metrics_port is not None:
        return _over_http(settings.metrics_host, settings.metrics_port)
    return _by_file(heartbeat_file(settings))


def _over_http(host: str, port: int) -> str:
    # If it listens on all addresses, ask on this machine's own.
    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)  # noqa: S104  # nothing is bound here
    connection = http.client.HTTPConnection(host, port, timeout=_ANSWER_WITHIN)
    try:
        connection.request("GET", "/healthz")
        return connection.getresponse().read().decode(errors="replace").strip()
    except (OSError, http.client.HTTPException) as error:
        return f"no answer from {host}:{port}: {error}"
    finally:
        connection.close()


def _by_file(path: Path) -> str:
    try:
        age = discord.utils.utcnow().timestamp() - path.stat().st_mtime
        said = path.read_text().strip()
    except OSError:
        return f"no sign of life: {path} is not there"
    if age > ALIVE_WITHIN.total_seconds():
        return f"last sign of life {age:.0f} s ago"
    return said


# --- over HTTP


class _Health:
    def __init__(self, bot: Lastlap) -> None:
        self._bot = bot

    async def answer(self, request: web.Request) -> web.Response:
        """Answer 200, or 503 with what is wrong."""
        wrong = trouble(self._bot)
        return web.Response(status=200 if wrong is None else 503, text=f"{wrong or OK}\n")


class _Metrics:
    def __init__(self, bot: Lastlap) -> None:
        self._now = CollectorRegistry()
        self._now.register(_Now(bot))

    async def answer(self, request: web.Request) -> web.Response:
        """Answer in Prometheus' text format."""
        body = generate_latest(metrics.REGISTRY) + generate_latest(self._now)
        return web.Response(body=body, headers={"Content-Type": CONTENT_TYPE_LATEST})


class _Now(Collector):
    """Metrics that are looked up when Prometheus asks."""

    def __init__(self, bot: Lastlap) -> None:
        self._bot = bot

    def describe(self) -> Iterator[Metric]:
        """Describe nothing in advance: all is looked up."""
        return iter(())

    def collect(self) -> Iterator[Metric]:
        """Look everything up."""
        bot = self._bot
        up = GaugeMetricFamily("lastlap_healthy", "1 while /healthz answers 200, else 0.")
        up.add_metric([], 1.0 if trouble(bot) is None else 0.0)
        yield up
        tables = GaugeMetricFamily("lastlap_tables", "Live tables, by what goes on there.", labels=["phase"])
        phases = Counter(phase(table.state) for table in bot.tables.live())
        phases["idle"] = len(bot.tables.idle())
        for name in PHASES:
            tables.add_metric([name], phases[name])
        yield tables
        calls = CounterMetricFamily("lastlap_requests", "Requests made for tables, by kind.", labels=["kind"])
        for kind, number in sorted(bot.messages.calls.items()):
            calls.add_metric([kind], number)
        yield calls
        refused = GaugeMetricFamily(
            "lastlap_refusals_recent",
            "Answers of 401, 403 and 429 in the last ten minutes. Discord bans the address at 10,000.",
        )
        refused.add_metric([], bot.messages.refusals)
        yield refused
        tasks = GaugeMetricFamily("lastlap_tasks", "Tasks of the event loop.")
        tasks.add_metric([], len(asyncio.all_tasks()))
        yield tasks
        guild_settings = GaugeMetricFamily("lastlap_servers", "Servers the bot is on.")
        guild_settings.add_metric([], len(bot.guilds))
        yield guild_settings


def phase(state: State) -> str:
    """Return the phase of a live table."""
    if state.match is None:
        return "lobby"
    if state.clock.paused_at is not None:
        return "paused"
    return "between_hands" if state.match.game.end is not None else "playing"
