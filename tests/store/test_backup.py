"""Copies of the database: made while it is written, put back, and refused where they are no good."""

import asyncio
import errno
import os
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from bot.store import FinishedHand, Owner, Save, Store, StoreError, backup, restore
from tests.store import making
from tests.store.conftest import url_of
from tests.store.making import ANN, BOB, NOW

TOKEN = "aW50ZXJhY3Rpb246-a-secret"


def hand() -> FinishedHand:
    return making.finished_hand((ANN, 20, True), (BOB, 0, False))


async def played(store: Store, number: int = 1, versions: int = 3) -> None:
    """Save a table with tokens, a hand and some moves."""
    await store.submit(
        Save(
            table=making.table(number),
            seats=making.seats(number),
            tokens=(making.token(ANN, number, text=TOKEN),),
            screen=making.screen(number),
        )
    )
    for version in range(2, versions + 1):
        await store.submit(making.turn(number, version, hands=(hand(),) if version == 2 else ()))


def rows(path: Path, statement: str) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(path)) as database:
        return database.execute(statement).fetchall()


def versions(path: Path) -> list[tuple[object, ...]]:
    return rows(path, "SELECT id, version FROM tables ORDER BY id")


class TestBackup:
    async def test_a_copy_beside_a_running_bot(self, store: Store, path: Path, tmp_path: Path) -> None:
        await played(store)
        target = tmp_path / "copy.db"
        contents = await asyncio.to_thread(backup, url_of(path), target)
        assert (contents.live_tables, contents.hands, contents.newest) == (1, 1, NOW)
        assert contents.size == target.stat().st_size
        assert target.stat().st_mode & 0o777 == 0o600
        assert versions(target) == [(1, 3)]
        assert rows(target, "SELECT count(*) FROM log") == [(2,)]
        assert not list(tmp_path.glob("copy.db?*")), "nothing else stays there"
        await store.submit(making.turn(1, 4))
        assert versions(target) == [(1, 3)]

    async def test_it_has_no_tokens_and_no_owner(self, path: Path, tmp_path: Path) -> None:
        owner = Owner(url_of(path))
        await owner.take()
        store = Store(url_of(path), owner)
        await store.open()
        await played(store)
        target = tmp_path / "copy.db"
        backup(url_of(path), target)
        assert rows(path, "SELECT token FROM tokens") == [(TOKEN,)]
        assert rows(target, "SELECT token FROM tokens") == []
        assert TOKEN.encode() not in target.read_bytes()
        assert rows(target, "SELECT owner, lock FROM owner") == [("", "")]
        await store.close()
        await owner.release()

    async def test_an_earlier_copy_is_replaced_only_by_a_whole_one(
        self, store: Store, path: Path, tmp_path: Path
    ) -> None:
        target = tmp_path / "copy.db"
        target.write_text("yesterday's")
        backup(url_of(path), target)
        assert versions(target) == []
        good = target.read_bytes()
        with pytest.raises(StoreError, match="there is no database"):
            backup(url_of(tmp_path / "none.db"), target)
        assert target.read_bytes() == good

    async def test_a_deleted_token_is_not_left_in_the_database_itself(self, store: Store, path: Path) -> None:
        await played(store)
        await store.submit(Save(table=making.table(1, 4), closes=True))
        await store.close()
        assert TOKEN.encode() not in path.read_bytes()

    @pytest.mark.parametrize(
        ("target", "said"),
        [
            ("nowhere/copy.db", "the directory .*nowhere is not there"),
            (".", "is a directory"),
            ("lastlap.db", "is the database itself"),
        ],
    )
    async def test_where_it_cannot_be_written(
        self, path: Path, tmp_path: Path, target: str, said: str
    ) -> None:
        before = path.read_bytes()
        with pytest.raises(StoreError, match=said):
            backup(url_of(path), tmp_path / target)
        assert path.read_bytes() == before

    async def test_a_full_disk_is_said(
        self, path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def full(descriptor: int) -> None:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

        monkeypatch.setattr(os, "fsync", full)
        with pytest.raises(StoreError, match=r"copy\.db: No space left on device"):
            backup(url_of(path), tmp_path / "copy.db")
        assert sorted(each.name for each in tmp_path.iterdir()) == ["lastlap.db"]

    async def test_what_is_no_database(self, tmp_path: Path) -> None:
        other = tmp_path / "other.db"
        other.write_text("not a database at all, but long enough to be read as one" * 20)
        with pytest.raises(StoreError, match="file is not a database"):
            backup(url_of(other), tmp_path / "copy.db")
        with closing(sqlite3.connect(tmp_path / "foreign.db")) as foreign:
            foreign.execute("CREATE TABLE songs (name TEXT)")
        with pytest.raises(StoreError, match="not a database of Lastlap"):
            backup(url_of(tmp_path / "foreign.db"), tmp_path / "copy.db")


class TestRestore:
    async def test_a_copy_is_put_back_and_the_former_kept(
        self, store: Store, path: Path, tmp_path: Path
    ) -> None:
        await played(store)
        backup(url_of(path), tmp_path / "copy.db")
        await store.submit(making.turn(1, 4))
        await store.close()
        restored = await restore(url_of(path), tmp_path / "copy.db", NOW)
        assert restored.former == tmp_path / "lastlap.db.before-20260101T120000Z"
        assert (restored.contents.hands, restored.passed_over) == (1, 0)
        assert (versions(path), versions(restored.former)) == ([(1, 3)], [(1, 4)])
        assert path.stat().st_mode & 0o777 == 0o600
        again = Store(url_of(path))
        await again.open()
        assert await again.submit(making.turn(1, 4)) is True
        await again.close()
        twice = await restore(url_of(path), tmp_path / "copy.db", NOW)
        assert twice.former == tmp_path / "lastlap.db.before-20260101T120000Z-2"

    async def test_where_there_is_no_database_yet(self, path: Path, tmp_path: Path) -> None:
        new = tmp_path / "new" / "lastlap.db"
        restored = await restore(url_of(new), path, NOW)
        assert restored.former is None
        owner = Owner(url_of(new))
        await asyncio.wait_for(owner.take(), 10)
        await owner.release()

    async def test_a_lost_disk_that_left_a_log_behind(self, store: Store, path: Path, tmp_path: Path) -> None:
        await played(store)
        backup(url_of(path), tmp_path / "copy.db")
        await store.submit(making.turn(1, 4))
        new = tmp_path / "new.db"
        shutil.copy(f"{path}-wal", f"{new}-wal")
        await restore(url_of(new), tmp_path / "copy.db", NOW)
        assert versions(new) == [(1, 3)]

    async def test_a_damaged_database_is_kept_as_it_is(self, path: Path, tmp_path: Path) -> None:
        backup(url_of(path), tmp_path / "copy.db")
        path.write_bytes(b"scrap" * 4000)
        restored = await restore(url_of(path), tmp_path / "copy.db", NOW)
        assert restored.former is not None
        assert restored.former.read_bytes() == b"scrap" * 4000
        assert versions(path) == []

    async def test_not_while_a_bot_runs(self, path: Path, tmp_path: Path) -> None:
        backup(url_of(path), tmp_path / "copy.db")
        owner = Owner(url_of(path))
        await owner.take()
        before = path.read_bytes()
        with pytest.raises(StoreError, match=r"a bot is running on it \(process \d+ on .*\): stop it first"):
            await restore(url_of(path), tmp_path / "copy.db", NOW)
        assert path.read_bytes() == before
        await owner.release()
        await restore(url_of(path), tmp_path / "copy.db", NOW)

    async def test_not_while_an_owner_elsewhere_gives_signs_of_life(
        self, path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """The lock says nothing of another machine; its beat does."""
        backup(url_of(path), tmp_path / "copy.db")
        monkeypatch.setattr("bot.store.owner.LOOK", 0.01)
        monkeypatch.setattr("bot.store.owner.SILENCE", 0.05)

        def elsewhere(beat: int) -> None:
            with closing(sqlite3.connect(path)) as database, database:
                database.execute("UPDATE owner SET owner = 'over there', lock = 'x', beat = ?", (beat,))

        async def beating() -> None:
            for beat in range(1000):
                elsewhere(beat)
                await asyncio.sleep(0)

        task = asyncio.create_task(beating())
        with pytest.raises(StoreError, match="over there"):
            await restore(url_of(path), tmp_path / "copy.db", NOW)
        task.cancel()
        restored = await restore(url_of(path), tmp_path / "copy.db", NOW)
        assert restored.former is not None, "it has been silent"

    async def test_what_is_no_copy(self, path: Path, tmp_path: Path) -> None:
        before = path.read_bytes()
        copy = tmp_path / "copy.db"
        copy.write_text("not a database at all, but long enough to be read as one" * 20)
        with pytest.raises(StoreError, match=r"copy\.db: file is not a database"):
            await restore(url_of(path), copy, NOW)
        copy.write_bytes(b"")
        with pytest.raises(StoreError, match="not a database of Lastlap"):
            await restore(url_of(path), copy, NOW)
        with pytest.raises(StoreError, match="is not there"):
            await restore(url_of(path), tmp_path / "none.db", NOW)
        with pytest.raises(StoreError, match="is the database itself"):
            await restore(url_of(path), path, NOW)
        (tmp_path / "empty").mkdir()
        with pytest.raises(StoreError, match="there is no copy in"):
            await restore(url_of(path), tmp_path / "empty", NOW)
        assert path.read_bytes() == before
        assert not list(tmp_path.glob("*.restoring*"))

    async def test_a_damaged_copy(self, store: Store, path: Path, tmp_path: Path) -> None:
        await played(store, versions=30)
        copy = tmp_path / "copy.db"
        backup(url_of(path), copy)
        await store.close()
        ((page,),) = rows(copy, "SELECT rootpage FROM sqlite_master WHERE name = 'log'")
        assert isinstance(page, int)
        content = bytearray(copy.read_bytes())
        content[(page - 1) * 4096 + 8 : (page - 1) * 4096 + 24] = b"\xff" * 16
        copy.write_bytes(content)
        before = path.read_bytes()
        with pytest.raises(StoreError, match="the database is damaged"):
            await restore(url_of(path), copy, NOW)
        assert path.read_bytes() == before

    async def test_a_copy_of_a_newer_release(self, path: Path, tmp_path: Path) -> None:
        copy = tmp_path / "copy.db"
        backup(url_of(path), copy)
        with closing(sqlite3.connect(copy)) as database, database:
            database.execute("UPDATE alembic_version SET version_num = '9999'")
        with pytest.raises(StoreError, match="made by a newer release"):
            await restore(url_of(path), copy, NOW)
