"""Two processes on one database: the second waits, and whoever lost it stops."""

import asyncio
import os
import signal
import sqlite3
from contextlib import closing

import pytest

from tests.loopback.conftest import StartBot
from tests.loopback.limits import UNLIMITED, Limits
from tests.loopback.process import PATIENCE, BotProcess
from tests.loopback.room import Room
from tests.loopback.server import Loopback
from tests.loopback.test_watch import ask, becomes, free_port


@pytest.fixture
def limits() -> Limits:
    return UNLIMITED


@pytest.fixture
def room(loopback: Loopback) -> Room:
    return Room(loopback, loopback.guild().channel("uno"))


async def says(bot: BotProcess, event: str, within: float = PATIENCE) -> dict[str, object]:
    """Wait until a bot has logged this; no request to Discord tells when."""
    async with asyncio.timeout(within):
        while not (lines := bot.logged(event)):  # noqa: ASYNC110  # another process writes them
            await asyncio.sleep(0.05)
    return lines[0]


async def beats(loopback: Loopback) -> None:
    """Let some beats of a bot pass."""
    for _ in range(5):
        await loopback.move(5)
        await asyncio.sleep(0.05)


def hang(bot: BotProcess) -> None:
    """Stop a bot where it stands, but not in the middle of a save: that would keep everybody from saving."""
    assert bot.pid is not None
    with closing(sqlite3.connect(bot.folder / "bot.db", isolation_level=None)) as database:
        database.execute("BEGIN IMMEDIATE")
        os.kill(bot.pid, signal.SIGSTOP)
        database.execute("ROLLBACK")


def stored(bot: BotProcess) -> dict[int, int]:
    with closing(sqlite3.connect(bot.folder / "bot.db")) as database:
        return dict(database.execute("SELECT id, version FROM tables"))


async def test_the_second_waits_and_takes_over_when_the_first_is_killed(
    loopback: Loopback, room: Room, start_bot: StartBot
) -> None:
    ann, bob, cat = room.channel.guild.join("Ann", "Bob", "Cat")
    first = await start_bot(name="first")
    await room.command(ann, "uno start")
    second = await start_bot(ready=False, name="second")
    logins = loopback.gateway.identifies
    await second.launch()
    waiting = await says(second, "database_in_use")
    assert f"process {first.pid} " in str(waiting["by"])
    await room.click(bob, room.table(), "Join")
    await asyncio.sleep(2.5)
    assert len(second.lines) == 1, "it says one line and no more"
    assert loopback.gateway.identifies == logins, "it does not log in"
    await first.kill()
    await says(second, "database_taken_over")
    await loopback.until(lambda: loopback.gateway.identifies > logins, "the second bot", within=PATIENCE)
    await room.click(cat, room.table(), "Join")
    await room.until(lambda: "Cat" in room.table().text)
    assert await second.stop() == 0


async def test_a_stop_while_it_waits_is_clean(start_bot: StartBot) -> None:
    await start_bot(name="first")
    second = await start_bot(ready=False, name="second")
    await second.launch()
    await says(second, "database_in_use")
    assert await second.stop() == 0
    assert [line["event"] for line in second.lines] == ["database_in_use", "stopped"]


async def test_a_port_is_free_for_the_one_that_waits(loopback: Loopback, start_bot: StartBot) -> None:
    port = free_port()
    first = await start_bot(name="first", METRICS_PORT=str(port))
    second = await start_bot(ready=False, name="second", METRICS_PORT=str(port))
    await second.launch()
    await says(second, "database_in_use")
    assert await first.stop() == 0
    await says(second, "ready")
    await becomes(port, 200, "ok")


async def test_one_that_hung_and_wakes_has_lost_it_and_stops(
    loopback: Loopback, room: Room, start_bot: StartBot
) -> None:
    """Its lock file is gone too, so that nothing but the row tells of it."""
    ann, bob, cat = room.channel.guild.join("Ann", "Bob", "Cat")
    first = await start_bot(name="first")
    await room.command(ann, "uno start")
    await loopback.quiet(1.0)  # its pictures are uploaded
    hang(first)
    (first.folder / "bot.db-lock").unlink()
    second = await start_bot(ready=False, name="second")
    logins = loopback.gateway.identifies
    await second.launch()
    await says(second, "database_in_use")
    for _ in range(40):
        loopback.clock.move(1)
        await asyncio.sleep(0.25)
        if second.logged("database_taken_over"):
            break
    await loopback.until(lambda: loopback.gateway.identifies > logins, "the second bot", within=PATIENCE)
    await room.click(bob, room.table(), "Join")
    before = stored(second)
    os.kill(first.pid, signal.SIGCONT)
    assert await first.wait() == 7
    assert [line["event"] for line in first.unexpected()] == ["database_lost"]
    first.errors.clear()
    assert stored(second) == before, "it wrote nothing more"
    await room.click(cat, room.table(), "Join")
    await room.until(lambda: all(name in room.table().text for name in ("Ann", "Bob", "Cat")))


async def test_a_database_file_that_is_gone_is_told_in_quiet_times_too(
    loopback: Loopback, start_bot: StartBot
) -> None:
    port = free_port()
    bot = await start_bot(METRICS_PORT=str(port))
    await becomes(port, 200, "ok")
    (bot.folder / "bot.db").rename(bot.folder / "away.db")
    await beats(loopback)
    await becomes(
        port,
        503,
        "nothing can be saved: the database file was removed or replaced while it was in use",
    )
    await beats(loopback)
    assert [line["event"] for line in bot.unexpected()] == ["nothing_can_be_saved"]
    bot.errors.clear()
    assert not (bot.folder / "bot.db").exists()
    (bot.folder / "away.db").rename(bot.folder / "bot.db")
    await beats(loopback)
    await becomes(port, 200, "ok")
    assert (await ask(port, "/healthz"))[0] == 200


async def test_tokens_go_in_quiet_times_too(loopback: Loopback, room: Room, start_bot: StartBot) -> None:
    bot = await start_bot(LOBBY_TIME="86400")
    ann, bob = room.channel.guild.join("Ann", "Bob")
    await room.command(ann, "uno start")
    await room.click(bob, room.table(), "Join")

    def tokens() -> int:
        with closing(sqlite3.connect(bot.folder / "bot.db")) as database:
            found: int = database.execute("SELECT count(*) FROM tokens").fetchone()[0]
            return found

    await loopback.quiet()
    assert tokens() > 0
    await loopback.move(13 * 60)
    assert tokens() > 0
    await loopback.move(60)
    for _ in range(3):
        await beats(loopback)
    assert tokens() == 0
