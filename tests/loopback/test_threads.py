"""`/uno start thread:True` and a kill before the line that announced it says what became of it."""

import asyncio

import pytest

from tests.loopback.bell import PATIENCE
from tests.loopback.conftest import StartBot
from tests.loopback.limits import UNLIMITED, Limits
from tests.loopback.room import Room
from tests.loopback.screens import Screen
from tests.loopback.server import Loopback
from tests.loopback.world import Channel

#: What a client waits for all of its servers, in seconds; only then it takes itself for ready.
READY = 2.0
#: The requests that follow on the line.
MAKES_THREAD = ("POST", "/channels/*/messages/*/threads")
EDITS_LINE = ("PATCH", "/webhooks/*/*/messages/@original")


@pytest.fixture
def limits() -> Limits:
    return UNLIMITED


async def line_after_a_kill(
    loopback: Loopback, start_bot: StartBot, held: tuple[str, str]
) -> tuple[str, list[Channel]]:
    """Kill the bot while a request is held, return what the line says then, and the threads."""
    guild = loopback.guild()
    room = Room(loopback, guild.channel("uno"))
    (ann,) = guild.join("Ann")
    bot = await start_bot()
    fault = loopback.inject(*held, hold=True)
    room.give(ann, "uno start", thread=True)
    await loopback.until(lambda: fault.struck, "a request that is held")
    if held == EDITS_LINE:
        await loopback.until(
            lambda: any(
                c.is_thread and any(m.is_table for m in c.messages.values()) for c in guild.channels.values()
            ),
            "a table in the thread",
        )
    (line,) = room.channel.messages.values()
    assert "Opening" in Screen(line).text
    await bot.kill()
    fault.times = 0
    await loopback.idle(0)
    await bot.start()
    began = asyncio.get_running_loop().time()
    await loopback.gateway.poke()
    await loopback.move(READY)
    while "Opening" in Screen(line).text and asyncio.get_running_loop().time() < began + PATIENCE:
        await loopback.move(1.0)
    return Screen(line).text, [channel for channel in guild.channels.values() if channel.is_thread]


async def test_a_kill_before_the_thread_is_made_leaves_a_line_that_says_so(
    loopback: Loopback, start_bot: StartBot
) -> None:
    told, threads = await line_after_a_kill(loopback, start_bot, MAKES_THREAD)
    assert told == "Discord made no thread. Try again, or start without one."
    assert threads == []


async def test_a_kill_once_the_thread_is_made_leaves_a_line_that_leads_there(
    loopback: Loopback, start_bot: StartBot
) -> None:
    told, (thread,) = await line_after_a_kill(loopback, start_bot, EDITS_LINE)
    assert f"<#{thread.id}>" in told
    assert sum(message.is_table for message in thread.messages.values()) == 1
