"""Every test of this folder is run on the memory of each release."""

import logging
import shutil
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest

from bot.store import Store
from tests.discord.conftest import refused_errors
from tests.releases.memory import Memory, Opened, url_of, versions


@pytest.fixture(autouse=True)
def logged_errors() -> Iterator[list[logging.LogRecord]]:
    """Fail a test in which an error is logged: that is what a press leads to that goes wrong inside."""
    with refused_errors() as records:
        yield records


@pytest.fixture(params=versions(), scope="session")
def memory(request: pytest.FixtureRequest) -> Memory:
    return Memory.of(request.param)


@pytest.fixture(scope="session")
def remembered(memory: Memory, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a database in today's form of what the release has left, once."""
    return memory.migrated(tmp_path_factory.mktemp(memory.version) / "lastlap.sqlite3")


@pytest.fixture
def database(remembered: Path, tmp_path: Path) -> Path:
    return Path(shutil.copyfile(remembered, tmp_path / "lastlap.sqlite3"))


@pytest.fixture
async def store(database: Path) -> AsyncIterator[Store]:
    store = Store(url_of(database))
    await store.open()
    yield store
    await store.close()


@pytest.fixture
async def opened(memory: Memory, database: Path) -> AsyncIterator[Callable[..., Any]]:
    """Give a function that starts the bot on the memory's database; see `Opened`."""
    async with AsyncExitStack() as stack:

        async def start(**options: Any) -> Opened:
            return await stack.enter_async_context(
                Opened(memory, options.pop("database", database), **options)
            )

        yield start
