"""The files of a database: for their owner alone, and missed when they are gone."""

import asyncio
import os
import shutil
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest
import structlog

from bot.store import FileLost, Store, migrate
from bot.store.files import beside
from tests.store import making
from tests.store.conftest import url_of


def modes(file: Path) -> dict[str, int]:
    return {each.name: stat.S_IMODE(each.stat().st_mode) for each in file.parent.iterdir() if each.is_file()}


class TestMode:
    @pytest.fixture(autouse=True)
    def open_umask(self) -> Iterator[None]:
        """Let a file that is made carelessly be everybody's."""
        before = os.umask(0)
        yield
        os.umask(before)

    async def test_new_files_are_their_owners_alone(self, tmp_path: Path) -> None:
        file = tmp_path / "deep" / "lastlap.db"
        await asyncio.to_thread(migrate, url_of(file))
        store = Store(url_of(file))
        await store.open()
        await store.submit(making.opening())
        names = ("lastlap.db", "lastlap.db-shm", "lastlap.db-wal")
        assert modes(file) == dict.fromkeys(names, 0o600)
        await store.close()

    async def test_old_ones_are_closed_to_others(self, path: Path) -> None:
        store = Store(url_of(path))
        await store.open()
        files = [path, beside(path, "-wal"), beside(path, "-shm")]
        for file in files:
            file.chmod(0o664)
        await asyncio.to_thread(migrate, url_of(path))
        assert [stat.S_IMODE(file.stat().st_mode) for file in files] == [0o600] * 3
        assert await store.submit(making.opening()) is True
        await store.close()


class TestGone:
    """What is written into a file that was removed is read by nobody, so nothing is."""

    async def fails(self, store: Store, version: int) -> None:
        with pytest.raises(FileLost, match="removed or replaced"):
            await store.submit(making.turn(1, version))

    @pytest.mark.parametrize("ending", ["", "-wal"])
    async def test_removed(self, store: Store, path: Path, ending: str) -> None:
        await store.submit(making.opening())
        assert store.problem is None
        beside(path, ending).unlink()
        with structlog.testing.capture_logs() as logged:
            await self.fails(store, 2)
            await self.fails(store, 2)
        assert [(line["event"], line["log_level"]) for line in logged] == [("nothing_can_be_saved", "error")]
        assert store.problem == "the database file was removed or replaced while it was in use"
        assert not beside(path, ending).exists(), "no empty one was made in its place"

    async def test_removed_and_read(self, store: Store, path: Path) -> None:
        """Readers are connected when they are needed, and make no new file either."""
        await store.submit(making.opening())
        path.unlink()
        await asyncio.gather(*(store.next_table_id() for _ in range(10)), return_exceptions=True)
        assert not path.exists()

    async def test_replaced_by_a_copy(self, store: Store, path: Path, migrated: Path) -> None:
        await store.submit(making.opening())
        shutil.copy(migrated, path.with_name("copy.db"))
        path.with_name("copy.db").replace(path)
        await self.fails(store, 2)
        await self.fails(store, 2)
        assert path.read_bytes() == migrated.read_bytes()

    async def test_moved_away_and_back(self, store: Store, path: Path) -> None:
        await store.submit(making.opening())
        path.rename(path.with_name("away.db"))
        await self.fails(store, 2)
        path.with_name("away.db").rename(path)
        with structlog.testing.capture_logs() as logged:
            assert await store.submit(making.turn(1, 2)) is True
        assert [line["event"] for line in logged] == ["saving_works_again"]
        assert store.problem is None

    async def test_a_new_connection_to_the_same_file(self, store: Store) -> None:
        """The last connection to close takes the log with it, and the next one makes another."""
        await store.submit(making.opening())
        await store._engine.dispose()
        with pytest.raises(ZeroDivisionError):
            await store._writer.run(lambda connection: 1 / 0)
        assert await store.submit(making.turn(1, 2)) is True


@pytest.mark.parametrize("name", ["a b.db", "50%.db", "x?y#z.db", "ü.db"])
async def test_a_name_of_any_letters(tmp_path: Path, name: str) -> None:
    url = url_of(tmp_path / name.replace("?", "%3F"))
    await asyncio.to_thread(migrate, url)
    store = Store(url)
    await store.open()
    assert await store.submit(making.opening()) is True
    await store.close()
    assert len(list(tmp_path.glob("*.db"))) == 1
