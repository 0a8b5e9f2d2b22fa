"""The bot as a process of its own: what it says when it cannot run, and how it stops."""

import asyncio
import json
import signal

import pytest

from tests.loopback.conftest import StartBot
from tests.loopback.process import BotProcess
from tests.loopback.server import TOKEN, Loopback

SECRET = TOKEN.split(".")[1]


async def outcome(bot: BotProcess, *arguments: str) -> tuple[int, str]:
    """Run it to its end; returns the status and what it said, which is for people."""
    await bot.launch(*arguments)
    status = await bot.wait()
    bot.errors.clear()
    return status, bot.said()


@pytest.mark.parametrize("plain", [True, False])
async def test_a_missing_token_is_one_clear_line(start_bot: StartBot, plain: bool) -> None:
    status, said = await outcome(await start_bot(ready=False, plain=plain, DISCORD_TOKEN=""))
    assert status == 2
    assert said.startswith("DISCORD_TOKEN is not set")
    assert said.count("\n") == 1


async def test_a_refused_token_is_one_clear_line_without_the_token(
    loopback: Loopback, start_bot: StartBot
) -> None:
    loopback.refuses_token = True
    status, said = await outcome(await start_bot(ready=False, LOG_LEVEL="ERROR"))
    assert status == 3
    assert said.startswith("DISCORD_TOKEN was refused by Discord")
    assert said.count("\n") == 1
    assert SECRET not in said
    assert [call.name for call in loopback.calls] == ["GET /users/@me"]


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
async def test_a_bad_setting_is_named(start_bot: StartBot, name: str, value: str) -> None:
    settings = {"LOG_LEVEL": "ERROR", name: value}
    status, said = await outcome(await start_bot(ready=False, **settings))
    assert status != 0
    assert said.startswith(f"{name}: ")
    assert said.count("\n") == 1
    assert SECRET not in said


@pytest.mark.parametrize("sign", [signal.SIGTERM, signal.SIGINT])
async def test_it_stops_cleanly_and_soon_when_told_to(
    loopback: Loopback, start_bot: StartBot, sign: signal.Signals
) -> None:
    bot = await start_bot()
    await loopback.quiet()
    began = asyncio.get_running_loop().time()
    assert await bot.stop(sign) == 0, bot.said()
    assert asyncio.get_running_loop().time() - began < 30, "it takes about one, and Docker kills after ten"
    lines = [json.loads(line) for line in bot.said().splitlines()]
    assert lines[-1]["event"] == "stopped"
    assert not [line for line in lines if line["level"] in ("error", "critical")]
    assert SECRET not in bot.said()
    assert loopback.asked("PUT", "/commands")
