"""The bot as a process of its own: what it says when it cannot run, and how it stops."""

import asyncio
import json
import os
import signal
import sys
import zlib
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from aiohttp import WSMsgType, web

BOT = {"id": "1000", "username": "lastlap", "discriminator": "0", "avatar": None, "bot": True}
TOKEN = "MTAwMA.secret.of-the-test"


class Loopback:
    """A stand-in for Discord that knows how to log a bot in, or refuses it."""

    def __init__(self, *, refuse: bool = False) -> None:
        self.refuse = refuse
        self.asked: list[str] = []
        self.identified = asyncio.Event()
        app = web.Application()
        app.router.add_route("*", "/api/v10/{path:.*}", self._answer)
        app.router.add_get("/", self._gateway)
        self._runner = web.AppRunner(app, shutdown_timeout=0.1)
        self.url = ""

    async def start(self) -> None:
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", 0)
        await site.start()
        self.url = f"http://127.0.0.1:{self._runner.addresses[0][1]}"

    async def close(self) -> None:
        await self._runner.cleanup()

    async def _answer(self, request: web.Request) -> web.Response:
        path = request.match_info["path"]
        self.asked.append(f"{request.method} {path}")
        if self.refuse:
            return _json({"message": "401: Unauthorized", "code": 0}, status=401)
        if path == "users/@me":
            return _json(BOT)
        if path in ("applications/@me", "oauth2/applications/@me"):
            return _json(
                {"id": "1000", "name": "lastlap", "flags": 0, "bot_public": True, "verify_key": ""} | _APP
            )
        if path == "gateway/bot":
            limits = {"total": 1000, "remaining": 1000, "reset_after": 0, "max_concurrency": 1}
            return _json({"url": self.url.replace("http", "ws"), "shards": 1, "session_start_limit": limits})
        if path.endswith("/emojis") and request.method == "GET":
            return _json({"items": []})
        if path.endswith("/emojis"):
            name = (await request.json())["name"]
            return _json({"id": str(5000 + len(self.asked)), "name": name, "animated": False})
        return _json([])

    async def _gateway(self, request: web.Request) -> web.WebSocketResponse:
        socket = web.WebSocketResponse()
        await socket.prepare(request)
        stream = zlib.compressobj()

        async def send(payload: dict[str, Any]) -> None:
            data = stream.compress(json.dumps(payload).encode()) + stream.flush(zlib.Z_SYNC_FLUSH)
            await socket.send_bytes(data)

        await send({"op": 10, "d": {"heartbeat_interval": 41250}, "s": None, "t": None})
        async for message in socket:
            if message.type is not WSMsgType.TEXT:
                continue
            payload = json.loads(message.data)
            if payload["op"] == 2:
                ready = {
                    "v": 10,
                    "user": BOT,
                    "guilds": [],
                    "session_id": "s",
                    "resume_gateway_url": self.url.replace("http", "ws"),
                    "shard": [0, 1],
                    "application": {"id": "1000", "flags": 0},
                }
                await send({"op": 0, "t": "READY", "s": 1, "d": ready})
                self.identified.set()
            elif payload["op"] == 1:
                await send({"op": 11, "d": None, "s": None, "t": None})
        return socket


_APP: dict[str, Any] = {"icon": None, "description": "", "summary": "", "owner": BOT, "team": None, "bot_require_code_grant": False}


def _json(value: object, *, status: int = 200) -> web.Response:
    return web.Response(
        body=json.dumps(value).encode(), status=status, headers={"Content-Type": "application/json"}
    )


@pytest.fixture
async def discord_here() -> AsyncIterator[Loopback]:
    loopback = Loopback()
    await loopback.start()
    yield loopback
    await loopback.close()


async def run_bot(folder: Path, *arguments: str, **settings: str) -> asyncio.subprocess.Process:
    env = {"PATH": os.environ["PATH"], "PYTHONPATH": str(Path(__file__).parents[2]), "LC_ALL": "C.UTF-8"}
    env |= {"DATABASE_URL": f"sqlite+aiosqlite:///{folder / 'bot.db'}", "SHARD_COUNT": "1"}
    return await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "bot",
        *arguments,
        cwd=folder,
        env=env | settings,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )


async def outcome(process: asyncio.subprocess.Process) -> tuple[int | None, str]:
    _, errors = await asyncio.wait_for(process.communicate(), 30)
    return process.returncode, errors.decode()


async def test_a_missing_token_is_one_clear_line(tmp_path: Path) -> None:
    status, said = await outcome(await run_bot(tmp_path))
    assert status == 2
    assert said.startswith("DISCORD_TOKEN is not set")
    assert said.count("\n") == 1


async def test_a_refused_token_is_one_clear_line_without_the_token(
    tmp_path: Path, discord_here: Loopback
) -> None:
    discord_here.refuse = True
    process = await run_bot(
        tmp_path, DISCORD_TOKEN=TOKEN, DISCORD_LOOPBACK=discord_here.url, LOG_LEVEL="ERROR"
    )
    status, said = await outcome(process)
    assert status == 3
    assert said.startswith("DISCORD_TOKEN was refused by Discord")
    assert said.count("\n") == 1
    assert "secret" not in said
    assert discord_here.asked == ["GET users/@me"]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("DATABASE_URL", "postgresql://somewhere"),
        ("DATABASE_URL", "sqlite+aiosqlite:////proc/nowhere/bot.db"),
        ("LOG_LEVEL", "LOUD"),
        ("SHARD_COUNT", "none"),
        ("DISCORD_LOOPBACK", "http://example.com"),
        ("TABLE_EDIT_DELAY", "-1"),
    ],
)
async def test_a_bad_setting_is_named(tmp_path: Path, discord_here: Loopback, name: str, value: str) -> None:
    settings = {
        "DISCORD_TOKEN": TOKEN,
        "DISCORD_LOOPBACK": discord_here.url,
        "LOG_LEVEL": "ERROR",
        name: value,
    }
    status, said = await outcome(await run_bot(tmp_path, **settings))
    assert status not in (0, None)
    assert said.startswith(f"{name}: ")
    assert said.count("\n") == 1
    assert "secret" not in said


@pytest.mark.parametrize("sign", [signal.SIGTERM, signal.SIGINT])
async def test_it_stops_cleanly_and_soon_when_told_to(
    tmp_path: Path, discord_here: Loopback, sign: signal.Signals
) -> None:
    process = await run_bot(
        tmp_path, DISCORD_TOKEN=TOKEN, DISCORD_LOOPBACK=discord_here.url, LOG_FORMAT="json"
    )
    await asyncio.wait_for(discord_here.identified.wait(), 20)
    await asyncio.sleep(0.3)
    began = asyncio.get_running_loop().time()
    process.send_signal(sign)
    status, said = await outcome(process)
    assert status == 0, said
    assert asyncio.get_running_loop().time() - began < 5
    lines = [json.loads(line) for line in said.splitlines()]
    assert lines[-1]["event"] == "stopped"
    assert not [line for line in lines if line["level"] in ("error", "critical")]
    assert "secret" not in said
    assert any(path.endswith("commands") for path in discord_here.asked)


async def test_health_tells_whether_a_bot_is_alive(tmp_path: Path, discord_here: Loopback) -> None:
    status, said = await outcome(await run_bot(tmp_path, "health"))
    assert status == 1
    assert "no sign of life" in said
    process = await run_bot(tmp_path, DISCORD_TOKEN=TOKEN, DISCORD_LOOPBACK=discord_here.url)
    for _ in range(200):
        await asyncio.sleep(0.1)
        if (tmp_path / "lastlap.alive").exists():
            break
    status, said = await outcome(await run_bot(tmp_path, "health"))
    assert status == 0, said
    process.send_signal(signal.SIGTERM)
    await outcome(process)
