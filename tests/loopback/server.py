"""The stand-in itself: it listens on 127.0.0.1, answers the bot, and keeps all that it saw."""

import asyncio
import json
import secrets
import traceback
from collections.abc import Callable
from typing import Any, TypeVar

from aiohttp import web

from tests.loopback import answers, application, channels, limits, payloads, wire
from tests.loopback.answers import Interaction
from tests.loopback.application import Emoji
from tests.loopback.bell import Bell
from tests.loopback.clock import Clock
from tests.loopback.faults import Fault
from tests.loopback.gateway import Gateway
from tests.loopback.limits import Buckets, Limits
from tests.loopback.wire import Call, Refusal, Route
from tests.loopback.world import Channel, Guild, Member, Message, World

__all__ = ["TOKEN", "Loopback"]

TOKEN = "MTAwMA.secret.of-the-test"
API = "/api/v10"
#: The largest step of a moved clock, in seconds: the bot takes a gateway silent for 60 s for dead.
STEP = 45.0

#: The modules whose routes are answered.
_ANSWERED = (answers, application, channels)

T = TypeVar("T")


class Loopback:
    """One Discord. `faults` is what the bot did wrong, each a sentence: see `check`.

    `emojis` may be shared with another one, so that a bot finds its pictures uploaded. `shards` is how many
    the gateway recommends.
    """

    def __init__(
        self,
        *,
        limits: Limits | None = None,
        emojis: dict[int, Emoji] | None = None,
        shards: int = 1,
        token: str = TOKEN,
    ) -> None:
        self.limits = Limits() if limits is None else limits
        self.emojis = {} if emojis is None else emojis
        self.shards = shards
        self.token = token
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
        self.faults: list[str] = []
        self.url = ""
        self._injected: list[Fault] = []
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
        await web.TCPSite(self._runner, "127.0.0.1", 0).start()
        self.url = f"http://127.0.0.1:{self._runner.addresses[0][1]}"

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

    def asked(self, *parts: str) -> list[Call]:
        """Return the requests whose "METHOD /path" holds all these parts, oldest first."""
        return [call for call in self.calls if all(part in call.name for part in parts)]

    def wasted(self) -> list[Call]:
        """Return the requests answered with 401, 403 or 429: 10,000 of them in ten minutes are a ban."""
        return [call for call in self.calls if call.status in (401, 403, 429)]

    async def until(self, true: Callable[[], T], what: str = "it", *, within: float = 5.0) -> T:
        """Wait until something is true, looking whenever anything has happened; returns what it is.

        Raises AssertionError after `within` seconds.
        """
        return await self.bell.until(true, what, within=within)

    async def quiet(self, seconds: float = 0.05, *, within: float = 10.0) -> None:
        """Wait until no request is under way, none has come for so long, and the bot could have made one.

        The last is asked over the gateway, so that a bot that is slow to run is waited for.
        """
        loop = asyncio.get_running_loop()
        heard = -1
        while heard != self._heard:
            heard = self._heard
            await self.until(lambda: not self._under_way, "an end to all requests", within=within)
            await asyncio.sleep(max(0.0, self._last_heard + seconds - loop.time()))
            await self.gateway.poke()

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
        call = await _read(request)
        self.calls.append(call)
        self._under_way += 1
        self._heard += 1
        self._last_heard = call.at
        try:
            return await self._respond(call, request)
        except Exception:
            self.faults.append(f"{call.name} broke the stand-in:\n{traceback.format_exc()}")
            raise
        finally:
            self._under_way -= 1
            call.finish(asyncio.get_running_loop().time())
            self.bell.ring()

    async def _respond(self, call: Call, request: web.Request) -> web.Response:
        fault = next((fault for fault in self._injected if fault.strikes(call)), None)
        if fault is not None:
            self.bell.ring()
            if fault.rewrite is not None:
                call.body = fault.rewrite(call.body)
        response = self._carry_out(call) if fault is None or fault.after else None
        if fault is not None:
            await fault.wait()
            if request.transport is None or request.transport.is_closing():
                return web.Response()  # the bot died meanwhile: what was held on its way never arrived
            refusal = fault.refusal()
            asked = self.interactions.get(call.args.get("token", "")) if fault.after else None
            if asked is not None and (fault.cut or refusal):
                asked.lost += 1
            if fault.cut:
                request.transport.abort()
                return web.Response()
            if refusal is not None:
                return _refused(call, refusal, {"Via": "1.1 google"} if fault.via else {})
        return self._carry_out(call) if response is None else response

    def _carry_out(self, call: Call) -> web.Response:
        found = wire.find(call.method, call.path)
        headers = {"Via": "1.1 google"}
        if found is None:
            self.faults.append(f"{call.name} is not simulated")
            return _refused(call, Refusal(0, status=404, message="404: Not Found"), headers)
        route, call.args = found
        call.template = route.template
        try:
            self._authorise(route, call)
            self._limit(route, call, headers)
            return _json(call, route.handler(self, call), headers)
        except Refusal as refusal:
            if refusal.code in (50035, 50006):
                self.faults.append(f"{call.name} sent what is refused: {refusal}")
            return _refused(call, refusal, headers)

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


async def _read(request: web.Request) -> Call:
    text = "{}"
    files: list[dict[str, Any]] = []
    if request.content_type == "multipart/form-data":
        form = await request.post()
        text = str(form.get("payload_json", "{}"))
        for number, part in enumerate(part for part in form.values() if isinstance(part, web.FileField)):
            size = len(part.file.read())
            file = {"id": str(number), "filename": part.filename, "size": size}
            files.append(file | dict.fromkeys(("url", "proxy_url"), f"attachment://{part.filename}"))
    elif request.can_read_body:
        text = await request.text()
    return Call(
        method=request.method,
        path=request.path.removeprefix(API),
        query=dict(request.query),
        text=text,
        files=files,
        authorization=request.headers.get("Authorization", ""),
        at=asyncio.get_running_loop().time(),
    )


def _json(call: Call, value: Any, headers: dict[str, str]) -> web.Response:
    call.status = 204 if value is None else 200
    if value is None:
        return web.Response(status=204, headers=headers)
    # Exactly this type: with a charset behind it discord.py would take the JSON for text.
    headers["Content-Type"] = "application/json"
    return web.Response(body=json.dumps(value).encode(), headers=headers)


def _refused(call: Call, refusal: Refusal, headers: dict[str, str]) -> web.Response:
    call.status, call.code = refusal.status, refusal.code
    if refusal.retry_after is not None:
        headers["Retry-After"] = f"{refusal.retry_after:.3f}"
    headers["Content-Type"] = "application/json"
    return web.Response(body=json.dumps(refusal.body).encode(), status=refusal.status, headers=headers)
