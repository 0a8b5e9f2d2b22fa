"""Tables on a real database file."""

import asyncio
import shutil
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.store import Store, migrate
from bot.tables import Outages, Tables
from tests.tables.sitting import PACE, Somebody
from tests.tables.slow import SlowStore


@pytest.fixture
def by() -> Somebody:
    return Somebody()


@pytest.fixture
async def store(tmp_path: Path, migrated: Path) -> AsyncIterator[Store]:
    shutil.copyfile(migrated, tmp_path / "tables.db")
    store = Store(f"sqlite+aiosqlite:///{tmp_path / 'tables.db'}")
    await store.open()
    yield store
    await store.close()


@pytest.fixture
def tables(store: Store) -> Tables:
    return Tables(store, PACE, Outages(), save_timeout=60.0, catch_grace=2.0)


@pytest.fixture
async def slow(tmp_path: Path) -> AsyncIterator[SlowStore]:
    url = f"sqlite+aiosqlite:///{tmp_path / 'slow.db'}"
    await asyncio.to_thread(migrate, url)
    store = SlowStore(url)
    await store.open()
    yield store
    await store.close()
