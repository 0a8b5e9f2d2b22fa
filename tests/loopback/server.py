"""The stand-in itself: it listens on 127.0.0.1, answers the bot, and keeps all that it saw."""

import asyncio
import contextlib
import json
import secrets
import traceback
from collections import Counter, deque
from collections.abc import AsyncIterator, Callable, Mapping
from typing import Any, TypeVar

from aiohttp import web

from tests.loopback import answers, application, channels, kinds, limits, payloads, wire
from tests.loopback.answers import Interaction
from tests.loopback.application import Emoji
from tests.loopback.bell import PATIENCE, Bell
from tests.loopback.clock import Clock
from tests.loopback.fault import Fault
from tests.loopback.gateway import Gateway
from tests.loopback.kinds import Kind
from tests.loopback.limits import Buckets, Limits
from tests.loopback.way import Way
from tests.loopback.wire import Call, Refusal, Route
from tests.loopback.world import Channel, Guild, Member, Message, World

__all__ = ["TOKEN", "Loopback"]

TOKEN = "MTAwMA.secret.of-the-test"
API = "/api/v10"
#: The largest step of a moved clock, in seconds: the bot takes a gateway silent for 60 s for dead.
STEP = 45.0

#: For how long an answer of 401, 403 or 429 counts, in seconds: 10,000 of them are a ban.
COUNTED = 600.0

#: The modules whose routes are answered.
_ANSWERED = (answers, application, channels)

T = TypeVar("T")


class Loopback:
    """One Discord. `faults` is what the bot did wrong, each a sentence: see `check`.

    `emojis` may be shared with another one, so that a bot finds its pictures uploaded. `shards` is how many
    the gateway recommends. With a `way` all takes its time between it and the bot.
    """

    def __init__(
        self,
        *,
        limits: Limits | None = None,
        emojis: dict[int, Emoji] | None = None,
        shards: int = 1,
        token: str = TOKEN,
        way: Way | None = None,
    ) -> None:
        self.limits = Limits() if limits is None else limits
        self.emojis = {} if emojis is None else emojis
        self.shards = shards
        self.token = token
        self.way = way
        self.refuses_token = False
        #: Whether a list of messages is answered with 500 where a channel holds a container.
        self.lists_fail = True
        #: Seconds that an interaction waits for its first answer.
        self.answer_within = 3.0
        self.clock = Clock()
        self.bell = Bell()
        self.buckets = Buckets()
        self.gateway = Gateway(self)
        self.world = World(self.clock, self.gateway.emit)
        self.commands: list[dict[str, Any]] = []
        self.interactions: dict[str, Interaction] = {}
        #: The newest message of each channel and nonce.
        self.nonces: dict[tuple[int, str], Message] = {}
        self.pending: set[Interaction] = set()
        self.calls: list[Call] = []
        #: How many requests of each kind there were.
        self.counts: Counter[Kind] = Counter()
        self.faults: list[str] = []
        self.url = ""
        self._injected: list[Fault] = []
        self._wasted: deque[tuple[float, Call]] = deque()
        self._under_way = self._heard = 0
        self._last_heard = 0.0
        app = web.Application(client_max_size=8 * 1024 * 1024)
        app.router.add_route("*", API + "/{path:.*}", self._serve)
        app.router.add_get("/", self.gateway.accept)
        app.router.add_get("/resume", self.gateway.accept)
        app.router.add_get(r"/emojis/{emoji:\d+}.{kind}", self._picture)
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)

    # --- its life

    async def start(self) -> None:
        """Listen, on a port of 127.0.0.1 that `url` then names."""
        await self._runner.setup()
        await self._listen(0)
        self.url = f"http://127.0.0.1:{self._runner.addresses[0][1]}"

    async def _listen(self, port: int) -> None:
        self._site = web.TCPSite(self._runner, "127.0.0.1", port)
        await self._site.start()

    async def close(self) -> None:
        """Stop, once every interaction was answered or its 3 s are over."""
        await self.until(lambda: not self.pending, "an end to what is pending", within=self.answer_within + 1)
        for fault in self._injected:
            fault.release()
        self.gateway.cut()
        await self._runner.cleanup()

    def check(self) -> None:
        """Raise AssertionError if the bot did anything wrong that the test has not taken from `faults`."""
        faults, self.faults = self.faults, []
        assert not faults, "the bot did wrong:\n" + "\n".join(faults)

    @property
    def gateway_url(self) -> str:
        return self.url.replace("http", "ws", 1) + "/"

    def accepts(self, token: Any) -> bool:
        """Say whether the bot's token is good."""
        return token == self.token and not self.refuses_token

    # --- what tests do

    def guild(self, name: str = "Server", *, locale: str = "en-US", shard: int = 0, shards: int = 1) -> Guild:
        """Make a server with the bot in it; see World.guild."""
        return self.world.guild(name, locale=locale, shard=shard, shards=shards)

    def inject(self, method: str, path: str, **how: Any) -> Fault:
        """Make requests fail, wait or change; see Fault. Later faults go first."""
        fault = Fault(method, path, **how)
        self._injected.insert(0, fault)
        return fault

    def strike(
        self,
        kind: Kind,
        how: Mapping[str, Any],
        *,
        channel: Channel | None = None,
        seconds: float | None = None,
    ) -> Fault:
        """Let every request of a kind go wrong, everywhere or in one channel, for so long or until stopped.

        What is held stays held until the bot gives it up.
        """
        until = None if seconds is None else asyncio.get_running_loop().time() + seconds
        fault = Fault(kind=kind, channel=channel, until=until, times=None, **how)
        self._injected.insert(0, fault)
        return fault

    @contextlib.asynccontextmanager
    async def no_line(self) -> AsyncIterator[None]:
        """Break all connections and refuse new ones inside this block."""
        _, port = self._runner.addresses[0]
        await self._site.stop()
        try:
            async with self.gateway.outage():
                assert self._runner.server is not None
                for connection in self._runner.server.connections:
                    if connection.transport is not None:
                        connection.transport.abort()
                yield
        finally:
            await self._listen(port)

    def asked(self, *parts: str) -> list[Call]:
        """Return the requests whose "METHOD /path" holds all these parts, oldest first."""
        return [call for call in self.calls if all(part in call.name for part in parts)]

    def wasted(self) -> list[Call]:
        """Return the requests of the last ten minutes that were answered with 401, 403 or 429."""
        while self._wasted and self._wasted[0][0] <= self.clock.seconds() - COUNTED:
            self._wasted.popleft()
        return [call for _, call in self._wasted]

    async def until(self, true: Callable[[], T], what: str = "it", *, within: float = PATIENCE) -> T:
        """Wait until something is true, looking whenever anything has happened; returns what it is.

        Raises AssertionError after `within` seconds.
        """
        return await self.bell.until(true, what, within=within)

    async def quiet(self, seconds: float = 0.05, *, within: float = PATIENCE) -> None:
        """Wait until no request is under way, none has come for so long, and the bot could have made one.

        The last is asked over the gateway, so that a bot that is slow to run is waited for.
        """
        heard = -1
        while heard != self._heard:
            await self.idle(seconds, within=within)
            heard = self._heard
            await self.gateway.poke()

    async def idle(self, seconds: float, *, within: float = PATIENCE) -> None:
        """Wait until no request is under way and none has come for so long, without asking the bot."""
        loop, heard = asyncio.get_running_loop(), -1
        while heard != self._heard:
            heard = self._heard
            await self.until(lambda: not self._under_way, "an end to all requests", within=within)
            await asyncio.sleep(max(0.0, self._last_heard + seconds - loop.time()))

    async def move(self, seconds: float) -> None:
        """Move the clock forwards, in steps; a bot that shares it does at every step what is due.

        What takes it longer than a moment is done by the clock of a later step.
        """
        while seconds > 0:
            step = min(seconds, STEP)
            self.clock.move(step)
            seconds -= step
            if self.clock.shared:
                await self.gateway.poke()
                await self.quiet(0.01)
        if self.clock.shared:
            await self.quiet()

    def excuse(self, *excused: Interaction) -> None:
        """Expect no answer to these, or not an orderly one."""
        for asked in excused:
            asked.excused = True
            self.pending.discard(asked)

    # --- interactions

    def interact(
        self,
        member: Member,
        channel: Channel,
        kind: int,
        data: dict[str, Any],
        *,
        what: str,
        source: Message | None = None,
        seen: dict[str, Any] | None = None,
    ) -> Interaction:
        """Send an interaction to the bot, as a member's client makes Discord do."""
        loop = asyncio.get_running_loop()
        number, token = self.clock.snowflake(), secrets.token_urlsafe(48)
        sent, created = loop.time(), self.clock.seconds()
        asked = Interaction(number, token, kind, member, channel, data, source, sent, created, what)
        asked.payload = json.dumps(payloads.interaction(asked, seen))
        self.interactions[token] = asked
        self.pending.add(asked)
        asked.delivered = 0
        self.deliver_again(asked)
        loop.call_later(self.answer_within, self._expire, asked)
        return asked

    def deliver_again(self, asked: Interaction) -> None:
        """Send an interaction that was sent before once more, as a resumed gateway may."""
        payload = json.loads(asked.payload)
        asked.delivered += self.gateway.emit(asked.channel.guild, "INTERACTION_CREATE", payload)

    def _expire(self, asked: Interaction) -> None:
        if asked in self.pending and not asked.excused:
            self.faults.append(f"not answered within {self.answer_within:g} s: {asked.what}")
        self.pending.discard(asked)
        self.bell.ring()

    # --- requests

    async def _serve(self, request: web.Request) -> web.StreamResponse:
        call = await wire.read(request, API)
        self.calls.append(call)
        self._under_way += 1
        self._heard += 1
        self._last_heard = call.at
        try:
            await self._on_the_way()
            response = await self._respond(call, request)
            await self._on_the_way()
            return response
        except Exception:
            self.faults.append(f"{call.name} broke the stand-in:\n{traceback.format_exc()}")
            raise
        finally:
            self._under_way -= 1
            if call.status in (401, 403, 429):
                self._wasted.append((self.clock.seconds(), call))
            call.finish(asyncio.get_running_loop().time())
            self.bell.ring()

    async def _on_the_way(self) -> None:
        if self.way is not None:
            await asyncio.sleep(self.way.once())

    def _recognise(self, call: Call) -> None:
        """Find out what a request is for and about, and count it."""
        found = wire.find(call.method, call.path)
        if found is not None:
            call.route, call.args = found
            call.kind = kinds.kind_of(self, call)
            call.guild, call.channel = kinds.place_of(self, call)
            self.counts[call.kind] += 1

    async def _respond(self, call: Call, request: web.Request) -> web.Response:
        self._recognise(call)
        fault = next((fault for fault in self._injected if fault.strikes(call)), None)
        if fault is not None and fault.rewrite is not None:
            call.body = fault.rewrite(call.body)
        response = self._carry_out(call) if fault is None or fault.after else None
        self.bell.ring()
        if fault is not None:
            await fault.wait(lambda: wire.gave_up(request))
            refusal = fault.refusal()
            asked = self.interactions.get(call.args.get("token", "")) if fault.after else None
            if asked is not None and (fault.cut or refusal or wire.gave_up(request)):
                asked.lost += 1
            if request.transport is None or wire.gave_up(request):
                return web.Response()  # what was held on its way never arrived
            if fault.cut:
                request.transport.abort()
                return web.Response()
            if refusal is not None:
                return wire.refused(call, refusal, fault.headers)
        return self._carry_out(call) if response is None else response

    def _carry_out(self, call: Call) -> web.Response:
        route, headers = call.route, {"Via": "1.1 google"}
        if route is None:
            self.faults.append(f"{call.name} is not simulated")
            return wire.refused(call, Refusal(0, status=404, message="404: Not Found"), headers)
        try:
            if call.guild is not None and call.guild.unavailable:
                raise Refusal(0, status=503, message="503: Service Unavailable")
            self._authorise(route, call)
            self._limit(route, call, headers)
            return wire.answered(call, route.handler(self, call), headers)
        except Refusal as refusal:
            if refusal.code in (50035, 50006):
                self.faults.append(f"{call.name} sent what is refused: {refusal}")
            return wire.refused(call, refusal, headers)

    def _authorise(self, route: Route, call: Call) -> None:
        if not route.interaction and not self.accepts(call.authorization.removeprefix("Bot ")):
            raise Refusal(0)

    def _limit(self, route: Route, call: Call, headers: dict[str, str]) -> None:
        now = self.clock.seconds()
        overall = self.limits.overall
        if overall is not None and not route.interaction:
            taken = self.buckets.take(("overall", ""), overall, now)
            if not taken.granted:
                headers |= {"X-RateLimit-Global": "true", "X-RateLimit-Scope": "global"}
                raise _too_many(taken, globally=True)
        limit = getattr(self.limits, route.bucket) if route.bucket else None
        if limit is None or route.bucket is None:
            return
        taken = self.buckets.take((route.bucket, call.args.get(route.major or "", "")), limit, now)
        headers |= limits.headers(route.bucket, limit, taken, self.clock.now().timestamp())
        if not taken.granted:
            headers["X-RateLimit-Scope"] = "user"
            raise _too_many(taken)

    async def _picture(self, request: web.Request) -> web.Response:
        emoji = self.emojis.get(int(request.match_info["emoji"]))
        if emoji is None:
            raise web.HTTPNotFound
        return web.Response(body=emoji.picture, content_type=f"image/{emoji.kind}")


def _too_many(taken: limits.Taken, *, globally: bool = False) -> Refusal:
    return Refusal(
        0,
        status=429,
        message="You are being rate limited.",
        retry_after=max(taken.reset_after, 0.001),
        globally=globally,
    )
