"""What whoever runs the bot can ask it over HTTP: /healthz for a supervisor, /metrics for Prometheus."""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from typing import Final

from aiohttp import web
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from bot import metrics
from bot.client import Lastlap
from bot.model.state import State

#: What is live at a table, each told even where there is none.
PHASES: Final = ("lobby", "playing", "paused", "between_hands")


class NotServedError(Exception):
    """The port cannot be listened on; the text says why."""


@asynccontextmanager
async def watched(bot: Lastlap, host: str, port: int | None) -> AsyncIterator[None]:
    """Serve /healthz and /metrics meanwhile, if there is a port; raises NotServedError if that cannot be."""
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
    """Say in a few words what keeps the bot from working; None if all is well."""
    if not bot.is_connected():
        return "not connected to Discord"
    if bot.saves.failing:
        return "the last save failed"
    if bot.store.problem is not None:
        return f"nothing can be saved: {bot.store.problem}"
    if bot.saves.waited() > bot.settings.save_timeout:
        return "a save takes too long"
    return None


class _Health:
    def __init__(self, bot: Lastlap) -> None:
        self._bot = bot

    async def answer(self, request: web.Request) -> web.Response:
        """Answer 200, or 503 with what is wrong."""
        wrong = trouble(self._bot)
        return web.Response(status=200 if wrong is None else 503, text=f"{wrong or 'ok'}\n")


class _Metrics:
    def __init__(self, bot: Lastlap) -> None:
        self._now = CollectorRegistry()
        self._now.register(_Now(bot))

    async def answer(self, request: web.Request) -> web.Response:
        """Answer in Prometheus' text format."""
        body = generate_latest(metrics.REGISTRY) + generate_latest(self._now)
        return web.Response(body=body, headers={"Content-Type": CONTENT_TYPE_LATEST})


class _Now(Collector):
    """What is looked up when Prometheus asks."""

    def __init__(self, bot: Lastlap) -> None:
        self._bot = bot

    def describe(self) -> Iterator[Metric]:
        """Promise nothing: what there is, is looked up."""
        return iter(())

    def collect(self) -> Iterator[Metric]:
        """Look everything up."""
        bot = self._bot
        up = GaugeMetricFamily("lastlap_healthy", "1 while /healthz answers 200, else 0.")
        up.add_metric([], 1.0 if trouble(bot) is None else 0.0)
        yield up
        tables = GaugeMetricFamily("lastlap_tables", "Live tables, by what goes on there.", labels=["phase"])
        phases = Counter(phase(table.state) for table in bot.tables.live())
        for name in PHASES:
            tables.add_metric([name], phases[name])
        yield tables
        calls = CounterMetricFamily("lastlap_requests", "Requests made for tables, by kind.", labels=["kind"])
        for kind, number in sorted(bot.messages.calls.items()):
            calls.add_metric([kind], number)
        yield calls
        guild_settings = GaugeMetricFamily("lastlap_servers", "Servers the bot is on.")
        guild_settings.add_metric([], len(bot.guilds))
        yield guild_settings


def phase(state: State) -> str:
    """Name what goes on at a live table."""
    if state.match is None:
        return "lobby"
    if state.paused_at is not None:
        return "paused"
    return "between_hands" if state.match.game.end is not None else "playing"
