"""What the bot tells over HTTP about how it is: /healthz and /metrics."""

import asyncio
import random
import socket
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import aiohttp
import pytest

from bot.model.errors import Problem
from bot.ui.text import problems
from bot.ui.text.translation import text_for
from tests.loopback.bell import PATIENCE
from tests.loopback.conftest import StartBot
from tests.loopback.limits import UNLIMITED, Limits
from tests.loopback.playing import play
from tests.loopback.process import BotProcess
from tests.loopback.room import Room
from tests.loopback.server import TOKEN, Loopback
from tests.loopback.stress import free_port


@pytest.fixture
def limits() -> Limits:
    return UNLIMITED


@pytest.fixture
def port() -> int:
    return free_port()


@pytest.fixture
def room(loopback: Loopback) -> Room:
    return Room(loopback, loopback.guild().channel("uno"))


async def ask(port: int, path: str) -> tuple[int, str]:
    async with (
        aiohttp.ClientSession() as session,
        session.get(f"http://127.0.0.1:{port}{path}") as response,
    ):
        return response.status, await response.text()


async def becomes(port: int, status: int, word: str) -> None:
    """Wait until this is what /healthz says; no request to Discord tells when."""
    for _ in range(int(PATIENCE / 0.02)):
        if (told := await ask(port, "/healthz")) == (status, f"{word}\n"):
            return
        await asyncio.sleep(0.02)
    raise AssertionError(told)


@contextmanager
def broken(database: Path) -> Iterator[None]:
    """Let no save of a table succeed meanwhile."""
    for old, new in (("tables", "away"), ("away", "tables")):
        with closing(sqlite3.connect(database)) as connection:
            connection.execute(f"ALTER TABLE {old} RENAME TO {new}")
        if new == "away":
            yield


async def numbers(port: int) -> dict[str, float]:
    status, text = await ask(port, "/metrics")
    assert status == 200
    lines = [line.rpartition(" ") for line in text.splitlines() if not line.startswith("#")]
    return {name: float(value) for name, _, value in lines}


async def test_without_a_port_nothing_listens(start_bot: StartBot, port: int) -> None:
    await start_bot()
    with pytest.raises(aiohttp.ClientConnectorError):
        await ask(port, "/healthz")


async def test_it_is_healthy_while_it_is_connected_and_gone_when_it_stops(
    loopback: Loopback, start_bot: StartBot, port: int
) -> None:
    bot = await start_bot(METRICS_PORT=str(port))
    await becomes(port, 200, "ok")
    async with loopback.gateway.outage():
        await becomes(port, 503, "not connected to Discord")
        assert (await numbers(port))["lastlap_healthy"] == 0
    await becomes(port, 200, "ok")
    assert (await numbers(port))["lastlap_healthy"] == 1
    assert await bot.stop() == 0, bot.said()
    with pytest.raises(aiohttp.ClientConnectorError):
        await ask(port, "/healthz")


async def health(asking: BotProcess) -> tuple[int, str]:
    """Ask by the command how the bot of this test is."""
    await asking.launch("health")
    status = await asking.wait()
    said = (asking.folder / "asking.out").read_text() if status == 0 else asking.said()
    asking.unexpected().clear()
    return status, said.splitlines()[-1]


@pytest.mark.parametrize("over_http", [True, False])
async def test_the_command_says_what_the_page_says(
    loopback: Loopback, room: Room, start_bot: StartBot, port: int, over_http: bool
) -> None:
    settings = {"METRICS_PORT": str(port)} if over_http else {}
    asking = await start_bot(ready=False, name="asking", **settings)

    async def says(status: int, word: str) -> None:
        for _ in range(40):
            if (told := await health(asking)) == (status, word):
                return
            await loopback.move(1)
        raise AssertionError(told)

    status, word = await health(asking)
    assert status == 1
    assert word.startswith(f"no answer from 127.0.0.1:{port}" if over_http else "no sign of life")
    bot = await start_bot(**settings)
    await says(0, "ok")
    async with loopback.gateway.outage():
        await says(1, "not connected to Discord")
    await says(0, "ok")
    ann, bob = room.channel.guild.join("Ann", "Bob")
    await room.command(ann, "uno start")
    with broken(bot.folder / "bot.db"):
        await room.click(bob, room.table(), "Join")
        await says(1, "the last save failed")
    bot.unexpected().clear()


async def test_a_save_that_fails_is_told_until_one_succeeds(
    room: Room, start_bot: StartBot, port: int
) -> None:
    bot = await start_bot(METRICS_PORT=str(port))
    ann, bob = room.channel.guild.join("Ann", "Bob")
    await room.command(ann, "uno start")
    await becomes(port, 200, "ok")
    with broken(bot.folder / "bot.db"):
        answer = await room.click(bob, room.table(), "Join")
        assert answer.text == problems.problem(text_for("en-US"), Problem.NOT_SAVED)
        assert await ask(port, "/healthz") == (503, "the last save failed\n")
    told = await numbers(port)
    assert told['lastlap_saves_total{outcome="failed"}'] == 1
    assert told['lastlap_refused_total{problem="not_saved"}'] == 1
    await room.click(bob, room.table(), "Join")
    assert await ask(port, "/healthz") == (200, "ok\n")
    assert {line["event"] for line in bot.unexpected()} == {"not_saved"}
    bot.errors.clear()


async def test_what_happens_is_counted_and_nobody_is_named(
    loopback: Loopback, room: Room, start_bot: StartBot, port: int
) -> None:
    await start_bot(METRICS_PORT=str(port))
    people = room.channel.guild.join("Ann", "Bob")
    await room.command(people[0], "uno start")
    lobby = await numbers(port)
    assert (lobby['lastlap_tables{phase="lobby"}'], lobby['lastlap_tables{phase="playing"}']) == (1, 0)
    await room.click(people[1], room.table(), "Join")
    await room.click(people[0], room.table(), "Start")
    moves = await play(room, people, random.Random(1), most=6)
    stranger = room.channel.guild.join("Cleo")[0]
    loopback.inject("PATCH", "/channels/*/messages/*", code=50013)
    await room.click(stranger, room.table(), "UNO!")
    moves += await play(room, people, random.Random(1), most=2)
    await loopback.until(lambda: [call for call in loopback.calls if call.code == 50013])
    await loopback.quiet()
    told = await numbers(port)
    answered = len([call for call in loopback.asked("/interactions/", "/callback") if call.status < 400])
    assert told["lastlap_answer_seconds_count"] == answered
    assert 0 < told["lastlap_answer_seconds_sum"] < 3 * answered
    assert told['lastlap_tables{phase="playing"}'] == 1
    assert 2 <= told['lastlap_moves_total{by="person"}'] <= len(moves) + 1
    assert told['lastlap_discord_errors_total{code="50013",status="403"}'] == 1
    assert told['lastlap_refused_total{problem="not_seated"}'] == 1
    assert told['lastlap_requests_total{kind="table_edit"}'] == len(loopback.asked("PATCH /channels/"))
    assert told['lastlap_saves_total{outcome="saved"}'] >= len(moves)
    assert told['lastlap_saves_total{outcome="failed"}'] == 0
    assert told["lastlap_servers"] == 1
    _, text = await ask(port, "/metrics")
    for secret in ("Ann", "Bob", str(room.channel.id), str(people[0].id), TOKEN.split(".")[1]):
        assert secret not in text


async def test_what_is_done_late_is_told(
    loopback: Loopback, room: Room, start_bot: StartBot, port: int
) -> None:
    await start_bot(METRICS_PORT=str(port))
    ann = room.channel.guild.join("Ann")[0]
    await room.command(ann, "uno start")
    assert (await numbers(port))["lastlap_deadline_late_seconds_count"] == 0
    await loopback.move(901)
    await room.until(lambda: not room.screens()[-1].buttons, "the lobby's end")
    told = await numbers(port)
    assert told["lastlap_deadline_late_seconds_count"] == 1
    assert told['lastlap_tables{phase="lobby"}'] == 0


async def test_a_port_that_is_taken_is_one_clear_line(start_bot: StartBot, port: int) -> None:
    with socket.create_server(("127.0.0.1", port)):
        bot = await start_bot(ready=False, METRICS_PORT=str(port), LOG_LEVEL="ERROR")
        await bot.launch()
        assert await bot.wait() == 5
    bot.errors.clear()
    assert bot.said().startswith(f"METRICS_PORT: 127.0.0.1:{port} cannot be listened on: ")
    assert bot.said().count("\n") == 1
