"""`python -m bot doctor --rebuild`."""

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from bot.__main__ import main
from bot.store import Save, Store
from bot.store.migration import migrate
from tests.store import making
from tests.store.conftest import url_of
from tests.store.making import ANN, BOB
from tests.store.test_leaderboard import summed


async def test_the_doctor_recounts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "lastlap.db"
    await asyncio.to_thread(migrate, url_of(path))
    store = Store(url_of(path))
    await store.open()
    hand = making.finished_hand((ANN, 20, True), (BOB, 0, False))
    await store.submit(Save(table=making.table(), seats=making.seats(), hands=(hand,)))
    await store.close()
    right = summed(path)
    assert right["tallies"]
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("UPDATE tallies SET points = points + 7")
    monkeypatch.setenv("DATABASE_URL", url_of(path))
    assert await asyncio.to_thread(main, ["doctor", "--rebuild"]) == 0
    assert "recounted" in capsys.readouterr().out
    assert summed(path) == right
