"""The gateway: sessions on shards, events numbered and kept, and whatever goes wrong with a connection."""

import asyncio
import contextlib
import json
import secrets
import zlib
from collections import deque
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from aiohttp import WSCloseCode, WSMsgType, web

from tests.loopback import payloads
from tests.loopback.way import Way
from tests.loopback.world import BOT_ID, Guild

if TYPE_CHECKING:
    from tests.loopback.server import Loopback

DISPATCH, HEARTBEAT = 0, 1
RECONNECT, INVALID_SESSION, HELLO, HEARTBEAT_ACK = 7, 9, 10, 11
GUILDS_INTENT = 1 << 0
PRIVILEGED = 1 << 1 | 1 << 8 | 1 << 15
EVERY_INTENT = (1 << 26) - 1
#: How many events a session keeps for a RESUME.
KEPT = 1000
#: Codes that a connection is closed with.
BAD_OP, BAD_TOKEN, TWICE, BAD_SHARD, BAD_INTENTS, NOT_ALLOWED = 4001, 4004, 4005, 4010, 4013, 4014


class Connection:
    """One WebSocket of the bot's; what is sent goes out in order, compressed as one stream if so asked."""

    def __init__(
        self, socket: web.WebSocketResponse, transport: Any, *, compressed: bool, way: Way | None = None
    ) -> None:
        self._socket = socket
        self._transport = transport
        self._stream = zlib.compressobj() if compressed else None
        self._way = way
        self._queue: asyncio.Queue[tuple[float, dict[str, Any]]] = asyncio.Queue()
        self._writer = asyncio.create_task(self._write())
        self.closed = False
        self.heartbeats = 0
        self.session: Session | None = None

    def send(self, op: int, data: Any = None, *, event: str | None = None, number: int | None = None) -> None:
        arrives = asyncio.get_running_loop().time() + (self._way.once() if self._way else 0)
        self._queue.put_nowait((arrives, {"op": op, "d": data, "s": number, "t": event}))

    async def _write(self) -> None:
        with contextlib.suppress(ConnectionError):
            while True:
                arrives, payload = await self._queue.get()
                # What was sent later never arrives before: it waits its turn in the queue.
                await asyncio.sleep(arrives - asyncio.get_running_loop().time())
                text = json.dumps(payload)
                if self._stream is None:
                    await self._socket.send_str(text)
                else:
                    packed = self._stream.compress(text.encode())
                    await self._socket.send_bytes(packed + self._stream.flush(zlib.Z_SYNC_FLUSH))

    async def close(self, code: int) -> None:
        """Say goodbye."""
        self.end()
        await self._socket.close(code=code)

    def cut(self) -> None:
        """End it without a word, as a broken line does."""
        self.end()
        if self._transport is not None:
            self._transport.abort()

    def end(self) -> None:
        self.closed = True
        self._writer.cancel()
        if self.session is not None and self.session.connection is self:
            self.session.connection = None


@dataclass(eq=False)
class Session:
    """One login of a shard. It outlives its connection, and keeps what it was sent for a RESUME."""

    id: str
    shard: int
    shards: int
    intents: int
    connection: Connection | None
    last: int = 0
    kept: deque[tuple[int, str, Any]] = field(default_factory=lambda: deque(maxlen=KEPT))

    def holds(self, guild: Guild) -> bool:
        return (guild.id >> 22) % self.shards == self.shard

    def push(self, event: str, payload: Any) -> None:
        self.last += 1
        self.kept.append((self.last, event, payload))
        if self.connection is not None:
            self.connection.send(DISPATCH, payload, event=event, number=self.last)

    def replay(self, since: int) -> None:
        """Send again all that came after event number `since`, then say that this is all."""
        assert self.connection is not None
        for number, event, payload in self.kept:
            if number > since:
                self.connection.send(DISPATCH, payload, event=event, number=number)
        self.push("RESUMED", {})


class Gateway:
    """All sessions. Its acts take one shard, or without one all shards."""

    def __init__(self, loopback: "Loopback") -> None:
        self._loopback = loopback
        self._connections: set[Connection] = set()
        self._accepts = asyncio.Event()
        self._accepts.set()
        self.sessions: list[Session] = []
        self.identifies = 0
        self.resumes = 0
        #: Seconds between the heartbeats asked for, and whether they are acknowledged.
        self.heartbeat_interval = 41.25
        self.acknowledges = True

    # --- what tests do

    def connected(self, shard: int | None = None) -> list[Session]:
        """Return the sessions that are connected now."""
        return [s for s in self.sessions if s.connection is not None and shard in (None, s.shard)]

    @property
    def hello(self) -> bool:
        """Whether a connection is there that has not logged in yet."""
        return any(c.session is None and c.heartbeats for c in self._connections)

    def cut(self, shard: int | None = None) -> None:
        """Break the connections; the sessions can be resumed."""
        for connection in self._of(shard):
            connection.cut()

    async def close(self, code: int, shard: int | None = None) -> None:
        """Close the connections with one of Discord's codes."""
        for connection in self._of(shard):
            await connection.close(code)

    def ask_to_reconnect(self, shard: int | None = None) -> None:
        """Ask the bot to connect and resume anew, as Discord does every few hours."""
        for connection in self._of(shard):
            connection.send(RECONNECT)

    def invalidate(self, shard: int | None = None) -> None:
        """End the sessions: what is sent from now until the next login is lost."""
        for connection in self._of(shard):
            connection.send(INVALID_SESSION, False)
            if connection.session is not None:
                self.sessions.remove(connection.session)

    @contextlib.asynccontextmanager
    async def outage(self, shard: int | None = None) -> AsyncIterator[None]:
        """Break the connections and accept no new one inside this block; events wait for the RESUME."""
        self._accepts.clear()
        self.cut(shard)
        try:
            yield
        finally:
            self._accepts.set()

    async def poke(self) -> None:
        """Ask every connection for a heartbeat and wait for it: then all sent before has been read.

        A bot that was not forked gives 110 a minute.
        """
        for session in self.connected():
            connection = session.connection
            assert connection is not None
            before = connection.heartbeats
            connection.send(HEARTBEAT)

            def beaten(connection: Connection = connection, before: int = before) -> bool:
                return connection.heartbeats > before or connection.closed

            await self._loopback.until(beaten, "a heartbeat")

    def _of(self, shard: int | None) -> list[Connection]:
        return [c for c in self._connections if shard is None or (c.session and c.session.shard == shard)]

    def emit(self, guild: Guild, event: str, payload: dict[str, Any]) -> int:
        """Send an event to the sessions of a server; returns how many have it, or will when they resume."""
        reached = [
            session
            for session in self.sessions
            if session.holds(guild) and (event == "INTERACTION_CREATE" or session.intents & GUILDS_INTENT)
        ]
        for session in reached:
            session.push(event, payload)
        return len(reached)

    # --- what the bot does

    async def accept(self, request: web.Request) -> web.WebSocketResponse:
        await self._accepts.wait()
        socket = web.WebSocketResponse(max_msg_size=4096)
        await socket.prepare(request)
        query = request.query
        if query.get("v") != "10" or query.get("encoding") != "json":
            await socket.close(code=4012)
            return socket
        compressed = query.get("compress") == "zlib-stream"
        way = self._loopback.way
        connection = Connection(socket, request.transport, compressed=compressed, way=way)
        self._connections.add(connection)
        connection.send(HELLO, {"heartbeat_interval": int(self.heartbeat_interval * 1000)})
        try:
            async for message in socket:
                if message.type is WSMsgType.TEXT and not connection.closed:
                    await self._hear(connection, json.loads(message.data))
                    self._loopback.bell.ring()
        finally:
            self._forget(connection, socket.close_code)
        return socket

    def _forget(self, connection: Connection, code: int | None) -> None:
        session, closed_here = connection.session, connection.closed
        connection.end()
        self._connections.discard(connection)
        # A client that closes with these ends its session too.
        if not closed_here and code in (WSCloseCode.OK, WSCloseCode.GOING_AWAY) and session in self.sessions:
            self.sessions.remove(session)
        self._loopback.bell.ring()

    async def _hear(self, connection: Connection, payload: dict[str, Any]) -> None:
        data: Any = payload.get("d")
        match payload.get("op"):
            case 1:  # heartbeat
                connection.heartbeats += 1
                if self.acknowledges:
                    connection.send(HEARTBEAT_ACK)
            case 2 | 6 if connection.session is not None:
                await connection.close(TWICE)
            case 2:  # identify
                await self._identify(connection, data)
            case 6:  # resume
                self._resume(connection, data)
            case 3:  # presence
                pass
            case op:
                self._loopback.faults.append(f"gateway operation {op} is not simulated")
                await connection.close(BAD_OP)

    async def _identify(self, connection: Connection, data: dict[str, Any]) -> None:
        shard, shards = data.get("shard") or (0, 1)
        intents = data.get("intents", -1)
        refused = self._refusal(data.get("token"), shard, shards, intents)
        if refused is not None:
            await connection.close(refused)
            return
        # A login in place of one that was lost: nobody resumes that any more.
        self.sessions = [s for s in self.sessions if s.connection is not None or s.shard != shard]
        session = Session(secrets.token_hex(8), shard, shards, intents, connection)
        connection.session = session
        self.sessions.append(session)
        self.identifies += 1
        mine = [g for g in self._loopback.world.guilds.values() if session.holds(g) and BOT_ID in g.members]
        ready = {
            "v": 10,
            "user": payloads.user(self._loopback.world.bot),
            "guilds": [{"id": str(guild.id), "unavailable": True} for guild in mine],
            "session_id": session.id,
            "resume_gateway_url": f"{self._loopback.gateway_url}resume",
            "shard": [shard, shards],
            "application": {"id": str(BOT_ID), "flags": 0},
        }
        session.push("READY", ready)
        if intents & GUILDS_INTENT:
            for guild in mine:
                if not guild.unavailable:
                    session.push("GUILD_CREATE", payloads.guild(guild))

    def _refusal(self, token: Any, shard: int, shards: int, intents: int) -> int | None:
        checks: list[tuple[bool, int]] = [
            (self._loopback.accepts(token), BAD_TOKEN),
            (0 <= shard < shards, BAD_SHARD),
            (0 <= intents <= EVERY_INTENT, BAD_INTENTS),
            (not intents & PRIVILEGED, NOT_ALLOWED),
        ]
        return next((code for good, code in checks if not good), None)

    def _resume(self, connection: Connection, data: dict[str, Any]) -> None:
        session = next((s for s in self.sessions if s.id == data.get("session_id")), None)
        since = int(data.get("seq") or 0)
        if session is None or not self._loopback.accepts(data.get("token")) or since > session.last:
            connection.send(INVALID_SESSION, False)
            return
        if session.connection is not None:
            session.connection.cut()
        session.connection, connection.session = connection, session
        self.resumes += 1
        session.replay(since)
