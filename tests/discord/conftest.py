"""One simulated Discord, one bot and one server for each test under this folder."""

import logging
import random
import shutil
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import discord
import pytest
import pytest_asyncio

from tests.discord.clicking import Room
from tests.discord.simulation import Simulation


class _Errors(logging.Handler):
    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.records: list[logging.LogRecord] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.records.append(record)


@contextmanager
def refused_errors() -> Iterator[list[logging.LogRecord]]:
    """Fail if anybody logs an error meanwhile; those taken out of the list are forgiven."""
    handler = _Errors()
    logging.getLogger().addHandler(handler)
    try:
        yield handler.records
    finally:
        logging.getLogger().removeHandler(handler)
    if handler.records:
        pytest.fail("errors were logged:\n" + "\n".join(map(logging.Formatter().format, handler.records)))


@pytest.fixture(autouse=True)
def logged_errors() -> Iterator[list[logging.LogRecord]]:
    """Fail a test in which an error is logged, by whomever.

    discord.py only logs what a button's callback raises. A test that wants an error looks at this list and
    clears it.
    """
    with refused_errors() as records:
        yield records


@pytest.fixture(autouse=True)
def dealt_alike(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    """Deal the same cards in every run of a test; give a function that takes another seed."""
    dice = random.Random(1)
    chance = SimpleNamespace(token_hex=lambda size: dice.randbytes(size).hex())
    monkeypatch.setattr("bot.tables.draft.secrets", chance)
    return dice.seed


@pytest.fixture
def settings(tmp_path: Path, migrated: Path) -> Any:
    """Give the bot a database of its own and no delay anywhere; nothing is read from .env."""
    from bot.settings import Settings

    shutil.copyfile(migrated, tmp_path / "lastlap.sqlite3")
    delays = {name: 0 for name in Settings.model_fields if name.endswith(("_delay", "_pause", "_grace"))}
    database = f"sqlite+aiosqlite:///{tmp_path / 'lastlap.sqlite3'}"
    return Settings(_env_file=None, database_url=database, shard_count=1, **delays)


@pytest_asyncio.fixture
async def simulate(
    logged_errors: list[logging.LogRecord],
) -> AsyncIterator[Callable[..., Awaitable[Simulation]]]:
    """Give a function that runs a client on a Discord of its own, closed after the test."""
    running: list[Simulation] = []

    async def start(client: discord.Client, *, emojis: Iterable[str] = (), **options: Any) -> Simulation:
        simulation = Simulation(client, **options)
        for name in emojis:
            simulation.backend.create_application_emoji(name)
        await simulation.start()
        running.append(simulation)
        return simulation

    yield start
    for simulation in running:
        await simulation.close()


@pytest.fixture(scope="session")
def emojis() -> list[str]:
    """Name the application's emojis as they are once the pictures were uploaded."""
    from bot.ui.kit.pictures import all_pictures, emoji_name

    return [emoji_name(key, picture) for key, picture in all_pictures().items()]


@pytest_asyncio.fixture
async def simulation(
    simulate: Callable[..., Awaitable[Simulation]], settings: Any, emojis: list[str]
) -> Simulation:
    """Start a simulated Discord and log the bot in; its pictures were uploaded before."""
    from bot import create_bot

    return await simulate(create_bot(settings), emojis=emojis)


@pytest.fixture
def room(simulation: Simulation) -> Room:
    """Make a server with one text channel; `room.members("Ann", "Bob")` lets people join."""
    return Room(simulation, simulation.create_guild("Server").create_text_channel("uno"))


@pytest.fixture
def restart(simulation: Simulation, settings: Any) -> Callable[..., Awaitable[None]]:
    """Give a function that starts the bot anew on the same database; see `Simulation.restart`."""
    from bot import create_bot

    async def again(*, killed: bool = False) -> None:
        await simulation.restart(create_bot(settings), killed=killed)

    return again
