"""Tables on a real database file."""

import shutil
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.store import Store
from bot.tables import Outages, Tables
from tests.tables.sitting import PACE, Somebody


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
    return Tables(store, PACE, Outages(), save_timeout=2.0, catch_grace=2.0)
