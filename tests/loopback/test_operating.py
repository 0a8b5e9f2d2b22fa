"""`python -m bot backup`, `restore` and `doctor`, as an operator types them."""

import asyncio
from pathlib import Path

import pytest

from tests.loopback.conftest import StartBot
from tests.loopback.limits import UNLIMITED, Limits
from tests.loopback.process import PATIENCE, BotProcess
from tests.loopback.room import Room
from tests.loopback.server import Loopback


@pytest.fixture
def limits() -> Limits:
    return UNLIMITED


@pytest.fixture
def room(loopback: Loopback) -> Room:
    return Room(loopback, loopback.guild().channel("uno"))


async def ran(operator: BotProcess, *arguments: str) -> tuple[int, list[str]]:
    """Run a command to its end; returns its status and the lines it printed, those of errors too."""
    files = [operator.folder / f"operator.{ending}" for ending in ("out", "err")]
    for file in files:
        file.write_text("")
    operator._read = 0
    await operator.launch(*arguments)
    status = await operator.wait()
    operator.unexpected().clear()
    return status, [line for file in files for line in file.read_text().splitlines()]


async def test_a_day_of_an_operator(
    loopback: Loopback, room: Room, start_bot: StartBot, tmp_path: Path
) -> None:
    ann, bob = room.channel.guild.join("Ann", "Bob")
    bot = await start_bot(name="bot", LOBBY_TIME="86400")
    operator = await start_bot(ready=False, name="operator")
    await room.command(ann, "uno start")
    await loopback.quiet(1.0)
    copy = str(tmp_path / "copy.db")
    status, (line,) = await ran(operator, "backup", copy)
    assert status == 0
    assert line.startswith(f"backed up to {copy}: 1 live tables, 0 finished hands, last change ")
    await room.click(bob, room.table(), "Join")
    await room.until(lambda: "Bob" in room.table().text)
    await loopback.quiet(1.0)

    async with asyncio.timeout(PATIENCE):
        while (tmp_path / "lastlap.alive").read_text() != "ok\n":  # another process writes it
            await loopback.move(1)
            await asyncio.sleep(0.05)
    status, lines = await ran(operator, "doctor", "--online")
    assert [line[:5].strip() for line in lines] == ["ok"] * len(lines), lines
    assert status == 0
    assert [line[7:].partition(":")[0] for line in lines] == [
        *("settings", "database", "migrations", "files", "disk", "owner", "clock"),
        *("token", "pictures", "clock", "permissions"),
    ]
    assert lines[-1].endswith("all that is needed, in 1 channels with live tables")

    status, lines = await ran(operator, "restore", copy)
    assert (status, len(lines)) == (4, 1)
    assert "a bot is running on it" in lines[0]

    await bot.stop()
    status, (line,) = await ran(operator, "restore", copy)
    assert status == 0
    assert line.startswith(f"restored from {copy}: 1 live tables, 0 finished hands")
    assert "; the former database is kept as " in line
    await bot.start()
    await room.click(bob, room.table(), "Join")
    await room.until(lambda: "Bob" in room.table().text)
