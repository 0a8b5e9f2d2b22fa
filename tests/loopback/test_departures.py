"""Servers that remove the bot, while it runs and while it is off, and those that are only unavailable."""

import asyncio
import sqlite3
from contextlib import closing

import pytest

from tests.loopback.conftest import StartBot
from tests.loopback.limits import UNLIMITED, Limits
from tests.loopback.process import PATIENCE, BotProcess
from tests.loopback.room import Room
from tests.loopback.server import Loopback

DAY = 24 * 3600.0


@pytest.fixture
def limits() -> Limits:
    return UNLIMITED


def servers(bot: BotProcess, table: str) -> set[int]:
    with closing(sqlite3.connect(bot.folder / "bot.db")) as database:
        return {guild for (guild,) in database.execute(f"SELECT guild_id FROM {table} WHERE guild_id != 0")}


async def becomes(loopback: Loopback, bot: BotProcess, table: str, expected: set[int]) -> None:
    """Wait until these servers are in a table of the database; the minutes pass quickly."""
    async with asyncio.timeout(PATIENCE):
        while servers(bot, table) != expected:
            await loopback.move(30)
            await asyncio.sleep(0.02)


async def test_what_is_kept_of_them_goes_after_thirty_days(loopback: Loopback, start_bot: StartBot) -> None:
    gone, off, down = (loopback.guild() for _ in range(3))
    bot = await start_bot()
    for guild in (gone, off, down):
        room = Room(loopback, guild.channel("uno"))
        (ann,) = guild.join("Ann")
        await room.command(ann, "uno start")
    await loopback.quiet()
    gone.expel()
    await becomes(loopback, bot, "departures", {gone.id})
    await bot.stop()
    off.expel()
    down.fail()
    await bot.start()
    await becomes(loopback, bot, "departures", {gone.id, off.id})
    # One of them takes it back in time, while it is off.
    await bot.stop()
    await loopback.move(29 * DAY)
    gone.invite()
    await loopback.move(2 * DAY)
    await bot.start()
    await becomes(loopback, bot, "tables", {gone.id, down.id})
    await becomes(loopback, bot, "departures", set())
