"""One Discord for each test under this folder, and bots that run as processes of their own."""

import signal
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from tests.loopback.application import Emoji
from tests.loopback.bell import PATIENCE
from tests.loopback.limits import Limits
from tests.loopback.process import BotProcess, Launcher
from tests.loopback.server import Loopback
from tests.loopback.way import Way

StartBot = Callable[..., Awaitable[BotProcess]]
#: Sends a bare request and returns its status, JSON and headers.
Ask = Callable[..., Awaitable[tuple[int, Any, Any]]]


@pytest.fixture(scope="session")
def launcher() -> Iterator[Launcher]:
    launcher = Launcher()
    yield launcher
    launcher.close()


@pytest.fixture(scope="session")
def emojis() -> dict[int, Emoji]:
    """Keep the emojis of the application: the first bot uploads them, all others find them."""
    return {}


@pytest.fixture
def limits() -> Limits:
    return Limits()


@pytest.fixture
def way() -> Way | None:
    """Return the way between Discord and its bots; it takes no time unless a test overrides this."""
    return None


@pytest.fixture
async def loopback(limits: Limits, emojis: dict[int, Emoji], way: Way | None) -> AsyncIterator[Loopback]:
    """Make a Discord, and fail the test at its end for whatever the bot did wrong.

    It waits for an answer as long as a busy machine takes; that the bot is quick enough for Discord's 3 s is
    measured by `make stress`.
    """
    loopback = Loopback(limits=limits, emojis=emojis, way=way)
    loopback.answer_within = PATIENCE
    await loopback.start()
    yield loopback
    await loopback.close()
    loopback.check()


@pytest.fixture
async def start_bot(loopback: Loopback, launcher: Launcher, tmp_path: Path) -> AsyncIterator[StartBot]:
    """Give what starts a bot: forked and with a clock that moves, or `python -m bot` itself if `plain`.

    Settings are given as to the environment, and delays are 0 unless given. `ready` waits until it is logged
    in; else the test launches it. All bots of a test share one database, and log to files by their `name`.
    """
    bots: list[BotProcess] = []

    async def start(
        *, plain: bool = False, shards: int = 1, ready: bool = True, name: str = "bot", **settings: str
    ) -> BotProcess:
        none = dict.fromkeys(
            (
                (
                    "TABLE_EDIT_DELAY",
                    "ITEM_BOX_PAUSE",
                    "ITEM_SHOWN_PAUSE",
                    "CATCH_GRACE",
                    "CLICK_PAUSE",
                    "START_PAUSE",
                )
            ),
            "0",
        )
        patient = {"SAVE_TIMEOUT": str(PATIENCE)}  # a busy disk is no fault of the bot
        settings = none | patient | {"SHARD_COUNT": str(shards)} | settings
        bot = BotProcess(loopback, tmp_path, None if plain else launcher, name=name, **settings)
        bots.append(bot)
        if ready:
            await bot.start(shards=shards)
        return bot

    yield start
    await loopback.until(lambda: not loopback.pending, "an end to what is pending")
    for bot in bots:
        if bot.pid is not None:
            await bot.kill()
            if bot.status != -signal.SIGKILL:
                loopback.faults.append(f"the bot had ended by itself with {bot.status}")
        loopback.faults += [f"the bot logged an error: {line}" for line in bot.unexpected()]


@pytest.fixture
async def ask(loopback: Loopback) -> AsyncIterator[Ask]:
    async with aiohttp.ClientSession() as session:

        async def send(method: str, path: str, body: Any = None, *, token: str = loopback.token) -> Any:
            headers = {"Authorization": f"Bot {token}"}
            async with session.request(
                method, f"{loopback.url}/api/v10{path}", json=body, headers=headers
            ) as response:
                told = None if response.status == 204 else await response.json()
                return response.status, told, response.headers

        yield send
