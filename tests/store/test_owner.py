"""One process owns a database; here the processes are owners with a lock and a row each, in one."""

import asyncio
import fcntl
import math
import sqlite3
import stat
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import structlog
from alembic import command

from bot.store import Owner, OwnershipLost, Save, Store, StoreError, migrate
from bot.store import owner as owner_module
from bot.store.files import beside
from bot.store.lock import FileLock
from tests.store import making
from tests.store.conftest import alembic, url_of

#: What the tests wait instead of a second and of fifteen.
LOOK, SILENCE = 0.01, 0.8

MakeOwner = Callable[..., Owner]


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(owner_module, "LOOK", LOOK)
    monkeypatch.setattr(owner_module, "SILENCE", SILENCE)


@pytest.fixture
async def make(path: Path) -> AsyncIterator[MakeOwner]:
    """Give a function that makes an owner of the database, released in the end."""
    made: list[Owner] = []

    def new(file: Path = path) -> Owner:
        made.append(Owner(url_of(file)))
        return made[-1]

    yield new
    for each in made:
        await each.release()


def row(path: Path) -> tuple[Any, ...]:
    with closing(sqlite3.connect(path)) as database:
        found: tuple[Any, ...] = database.execute("SELECT owner, lock, epoch, beat FROM owner").fetchone()
        return found


def change(path: Path, what: str) -> None:
    with closing(sqlite3.connect(path)) as database, database:
        database.execute(f"UPDATE owner SET {what}")


def killed(owner: Owner) -> None:
    """Let go of what the kernel lets go when a process is killed, and of nothing else."""
    owner._lock.release()


@pytest.fixture
def locks_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no silence end anybody."""
    monkeypatch.setattr(owner_module, "SILENCE", math.inf)


async def waits(taking: Awaitable[None], seconds: float = 3 * LOOK) -> asyncio.Task[None]:
    """Begin to take a database, and see that it is not taken that soon."""
    task = asyncio.ensure_future(taking)
    await asyncio.sleep(seconds)
    assert not task.done()
    return task


async def beats(owner: Owner, store: Store, seconds: float) -> None:
    """Show that an owner lives for so long."""
    end = asyncio.get_running_loop().time() + seconds
    while asyncio.get_running_loop().time() < end:
        owner._beat_at = 0.0
        await store.beat()
        await asyncio.sleep(LOOK)


class TestTaking:
    async def test_a_new_database_is_made(self, tmp_path: Path, make: MakeOwner) -> None:
        file = tmp_path / "deep" / "new.db"
        owner = make(file)
        await owner.take()
        name, held, epoch, _ = row(file)
        assert name.startswith("process ")
        assert (held, epoch) == (owner._lock.name, 1)
        assert stat.S_IMODE(beside(file, "-lock").stat().st_mode) == 0o600
        store = Store(url_of(file), owner)
        await store.open()
        assert await store.submit(making.opening()) is True
        await store.close()

    async def test_one_of_a_release_without_owners_is_brought_up_to_date(
        self, path: Path, make: MakeOwner
    ) -> None:
        await asyncio.to_thread(alembic, path, lambda config: command.downgrade(config, "0006"))
        await make().take()
        assert row(path)[2] == 1

    async def test_the_second_waits_in_one_line_until_the_first_is_done(
        self, path: Path, make: MakeOwner
    ) -> None:
        first, second = make(), make()
        with structlog.testing.capture_logs() as logged:
            await first.take()
            taking = await waits(second.take(), 10 * LOOK)
            await first.release()
            await taking
        assert [(line["event"], line.get("by")) for line in logged] == [
            ("database_in_use", first._name),
            ("database_taken_over", None),
        ]
        assert row(path)[2] == 2

    @pytest.mark.usefixtures("locks_alone")
    async def test_a_killed_one_is_followed_at_once(self, path: Path, make: MakeOwner) -> None:
        first, second = make(), make()
        await first.take()
        killed(first)
        await second.take()
        assert row(path)[2] == 2

    @pytest.mark.usefixtures("locks_alone")
    async def test_many_at_once_are_one(self, path: Path, make: MakeOwner) -> None:
        owners = [make() for _ in range(5)]
        taking = [asyncio.ensure_future(owner.take()) for owner in owners]
        await asyncio.wait(taking, return_when=asyncio.FIRST_COMPLETED)
        await asyncio.sleep(5 * LOOK)
        assert sum(task.done() for task in taking) == 1
        assert row(path)[2] == 1
        for task in taking:
            task.cancel()
        await asyncio.wait(taking)

    async def test_one_of_a_newer_release_is_refused_and_free(self, path: Path, make: MakeOwner) -> None:
        with closing(sqlite3.connect(path)) as database, database:
            database.execute("UPDATE alembic_version SET version_num = '9999'")
        owner = make()
        with pytest.raises(StoreError, match="newer release"):
            await owner.take()
        await owner.release()
        assert row(path)[0] == ""

    async def test_one_that_cannot_be_written_is_refused(self, path: Path, make: MakeOwner) -> None:
        with closing(sqlite3.connect(path, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            with pytest.raises(StoreError, match="locked"):
                await make().take()

    async def test_a_place_that_is_none(self, tmp_path: Path) -> None:
        (tmp_path / "file").write_text("")
        with pytest.raises(StoreError, match="file"):
            await Owner(url_of(tmp_path / "file" / "x.db")).take()


class TestSilence:
    """Where the lock says nothing: another machine, a lock file that was removed, no lock at all."""

    @pytest.fixture(params=["another-machine", "lock-removed", "no-locks", "unlocked-drive"])
    def blind(
        self, request: pytest.FixtureRequest, path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> Callable[[Owner], None]:
        """Give what to do once the first has taken the database, so that the second is not told by locks."""
        if request.param == "no-locks":
            monkeypatch.setattr(FileLock, "take", lambda self: True)
        if request.param == "unlocked-drive":

            def flock(descriptor: int, operation: int) -> None:
                raise OSError(95, "Operation not supported")

            monkeypatch.setattr(fcntl, "flock", flock)

        def make_blind(first: Owner) -> None:
            if request.param == "another-machine":
                killed(first)
                change(path, "lock = 'another boot:1:2'")
            if request.param == "lock-removed":
                beside(path, "-lock").unlink()

        return make_blind

    async def test_one_that_beats_is_waited_for_and_one_that_is_silent_loses_it(
        self, path: Path, make: MakeOwner, blind: Callable[[Owner], None]
    ) -> None:
        first, second = make(), make()
        await first.take()
        blind(first)
        store = Store(url_of(path), first)
        taking = await waits(second.take())
        await beats(first, store, 2 * SILENCE)
        assert not taking.done()
        assert not first.lost.is_set()
        await taking
        assert row(path)[2] == 2
        await store.close()

    @pytest.mark.usefixtures("locks_alone")
    async def test_a_clean_stop_is_not_waited_for(
        self, path: Path, make: MakeOwner, blind: Callable[[Owner], None]
    ) -> None:
        first, second = make(), make()
        await first.take()
        blind(first)
        await first.release()
        await second.take()
        assert row(path)[2] == 2

    async def test_one_that_hangs_with_its_lock_loses_it_too(self, path: Path, make: MakeOwner) -> None:
        first, second = make(), make()
        await first.take()
        await second.take()
        assert row(path)[2] == 2
        assert second._lock.name == ""
        store = Store(url_of(path), second)
        killed(first)
        second._beat_at = 0.0
        await store.beat()
        assert row(path)[1] == second._lock.name != ""
        await store.close()

    async def test_a_hang_in_the_middle_of_a_save_is_waited_for(self, path: Path, make: MakeOwner) -> None:
        first, second = make(), make()
        await first.take()
        with closing(sqlite3.connect(path, isolation_level=None)) as hanging:
            hanging.execute("BEGIN IMMEDIATE")
            taking = await waits(second.take(), SILENCE + 2)
        await taking

    async def test_one_that_slept_itself_looks_again(
        self, make: MakeOwner, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Both stood still, as processes of a machine that was suspended do."""
        first, second = make(), make()
        await first.take()
        monkeypatch.setattr(owner_module, "SILENCE", 60.0)
        loop, skip = asyncio.get_running_loop(), 0.0
        time = loop.time
        monkeypatch.setattr(loop, "time", lambda: time() + skip)
        taking = await waits(second.take())
        skip = 3600.0
        await asyncio.sleep(3 * LOOK)
        assert not taking.done()
        taking.cancel()
        await asyncio.wait([taking])

    def test_a_migration_ends_with_a_beat(self, tmp_path: Path) -> None:
        """Nobody could write one meanwhile, however long it took."""
        file = tmp_path / "new.db"
        migrate(url_of(file))
        assert row(file) == ("", "", 0, 1)
        migrate(url_of(file))
        assert row(file) == ("", "", 0, 1)


class TestEpoch:
    async def test_whoever_lost_it_writes_and_answers_nothing(self, path: Path, make: MakeOwner) -> None:
        first, second = make(), make()
        await first.take()
        old = Store(url_of(path), first)
        await old.open()
        assert await old.submit(making.opening(1)) is True
        killed(first)
        await second.take()
        new = Store(url_of(path), second)
        await new.open()
        assert await new.submit(making.turn(1, 2)) is True
        saves = [making.turn(1, 2), making.opening(2), Save(tokens=(making.token(),))]
        futures = [*map(old.submit, saves), old.set_fact("key", "value"), old.beat()]
        await asyncio.wait(futures)
        assert all(future.cancelled() for future in futures)
        assert first.lost.is_set()
        assert not second.lost.is_set()
        assert [(table.id, table.version) for table in await new.live_tables()] == [(1, 2)]
        assert (await making.tokens(new), await new.fact("key")) == ([], None)
        with pytest.raises(OwnershipLost):
            await Store(url_of(path), first).open()
        await first.release()
        assert row(path)[0] == second._name, "it has nothing to release"
        assert await new.submit(making.turn(1, 3)) is True
        for store in (old, new):
            await store.close()

    async def test_a_save_is_a_beat_now_and_then(self, path: Path, make: MakeOwner) -> None:
        owner = make()
        await owner.take()
        store = Store(url_of(path), owner)
        before = row(path)[3]
        for version in range(1, 5):
            await store.submit(making.turn(1, version) if version > 1 else making.opening(1))
        assert row(path)[3] == before
        owner._beat_at -= owner_module.BEAT
        await store.submit(making.turn(1, 5))
        assert row(path)[3] == before + 1
        await store.close()

    async def test_its_lock_file_is_made_again(self, path: Path, make: MakeOwner) -> None:
        owner = make()
        await owner.take()
        store = Store(url_of(path), owner)
        beside(path, "-lock").unlink()
        owner._beat_at = 0.0
        await store.beat()
        assert row(path)[1] == owner._lock.name != ""
        assert beside(path, "-lock").exists()
        taking = await waits(make().take())
        taking.cancel()
        await store.close()
