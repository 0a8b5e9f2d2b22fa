import asyncio
import shutil
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest
from alembic.config import Config

from bot.store import Store, migrate
from bot.store.migration import alembic_config, in_transaction


def url_of(path: Path) -> str:
    return f"sqlite+aiosqlite:///{path}"


@pytest.fixture(scope="session")
def migrated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a database in its newest form, once, to be copied for each test."""
    path = tmp_path_factory.mktemp("migrated") / "lastlap.db"
    migrate(url_of(path))
    return path


@pytest.fixture
def path(migrated: Path, tmp_path: Path) -> Path:
    copy = tmp_path / "lastlap.db"
    shutil.copy(migrated, copy)
    return copy


@pytest.fixture
async def store(path: Path) -> AsyncIterator[Store]:
    store = Store(url_of(path))
    await store.open()
    yield store
    await store.close()
    assert asyncio.all_tasks() == {asyncio.current_task()}, "a task outlived the store"


def alembic(path: Path, work: Callable[[Config], object]) -> None:
    """Do something by Alembic's commands to a database that nobody has open."""
    asyncio.run(in_transaction(url_of(path), lambda connection: work(alembic_config(connection))))
