"""Tables on a real database file."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.store import Store, migrate
from bot.tables import Tables
from tests.tables.sitting import PACE, Somebody


@pytest.fixture
def by() -> Somebody:
    return Somebody()


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[Store]:
    url = f"sqlite+aiosqlite:///{tmp_path / 'tables.db'}"
    await asyncio.to_thread(migrate, url)
    store = Store(url)
    await store.open()
    yield store
    await store.close()


@pytest.fixture
def tables(store: Store) -> Tables:
    return Tables(store, PACE, save_timeout=2.0, catch_grace=2.0)
