"""A directory kept current: its newest state is the database's, whatever happened to the log meanwhile."""

import random
import shutil
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.store import Follower, StoreError, restore
from bot.store import follow as following
from bot.store.follow import assemble
from tests.store.conftest import url_of
from tests.store.making import NOW
from tests.store.test_backup import rows

TOKEN = "aW50ZXJhY3Rpb246-secret-{}"


class Writer:
    """Writes at random, as a bot does: also deletes, grows, and shrinks the database."""

    def __init__(self, path: Path, seed: int = 1) -> None:
        self.database = sqlite3.connect(path, isolation_level=None)
        self.database.execute("PRAGMA journal_mode = WAL")
        self.random = random.Random(seed)
        self.count = 0

    def write(self, times: int = 1) -> None:
        for _ in range(times):
            self.count += 1
            key, size = f"key {self.random.randrange(60)}", self.random.choice((10, 500, 9000))
            self.database.execute("BEGIN IMMEDIATE")
            if self.random.random() < 0.3:
                self.database.execute("DELETE FROM facts WHERE key = ?", (key,))
            else:
                value = f"{self.count} " + "x" * size
                self.database.execute("INSERT OR REPLACE INTO facts VALUES (?, ?)", (key, value))
            self.database.execute("COMMIT")

    def give_up_a_large_one(self) -> None:
        """Begin a transaction that is too large for memory and roll it back: it leaves pages in the log."""
        self.database.execute("PRAGMA cache_size = 5")
        self.database.execute("BEGIN IMMEDIATE")
        for number in range(100):
            self.database.execute("INSERT INTO facts VALUES (?, ?)", (f"gone {number}", "y" * 5000))
        self.database.execute("ROLLBACK")

    def token(self, number: int) -> None:
        self.database.execute("PRAGMA foreign_keys = OFF")
        self.database.execute(
            "INSERT OR REPLACE INTO tokens VALUES (1, ?, ?, 5, 6, 'de', '2026-01-01')",
            (number, TOKEN.format(number)),
        )

    def facts(self) -> list[tuple[object, ...]]:
        return self.database.execute("SELECT key, value FROM facts ORDER BY key").fetchall()


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    made = tmp_path / "backup"
    made.mkdir()
    return made


@pytest.fixture
def writer(path: Path) -> Iterator[Writer]:
    writer = Writer(path)
    yield writer
    writer.database.close()


@pytest.fixture
def follower(path: Path, directory: Path) -> Iterator[Follower]:
    with Follower(path, directory) as follower:
        yield follower


def state(directory: Path, tmp_path: Path) -> list[tuple[object, ...]]:
    """Read the newest state in a directory; fails if it is damaged."""
    new = tmp_path / "state.db"
    new.unlink(missing_ok=True)
    new.touch()
    assert assemble(directory, new) == 0
    assert rows(new, "PRAGMA integrity_check") == [("ok",)]
    return rows(new, "SELECT key, value FROM facts ORDER BY key")


def checkpoint(writer: Writer, kind: str) -> None:
    writer.database.execute(f"PRAGMA wal_checkpoint({kind})").fetchall()


@pytest.mark.parametrize("kind", ["PASSIVE", "FULL", "RESTART", "TRUNCATE", ""])
def test_every_step_is_the_state_of_the_database(
    writer: Writer, follower: Follower, directory: Path, tmp_path: Path, kind: str
) -> None:
    """Whatever checkpoints somebody else makes."""
    writer.database.execute("PRAGMA busy_timeout = 0")
    writer.write(20)
    follower.open()
    for step in range(25):
        for _ in range(writer.random.randrange(4)):
            writer.write(writer.random.randrange(8))
            if kind:
                checkpoint(writer, kind)
        if step % 7 == 3:
            writer.give_up_a_large_one()
        follower.step()
        assert state(directory, tmp_path) == writer.facts()


def test_nothing_changed_is_nothing_written(writer: Writer, follower: Follower, directory: Path) -> None:
    follower.open()
    assert follower.step() == 0
    writer.write()
    assert follower.step() > 0
    assert follower.step() == 0
    assert sorted(each.name for each in directory.iterdir()) == ["000001-00000001.pages", "000001.db", "lock"]
    assert {each.stat().st_mode & 0o777 for each in directory.iterdir()} == {0o600}


def test_the_log_is_begun_again_and_stays_short(
    writer: Writer, follower: Follower, directory: Path, tmp_path: Path, path: Path
) -> None:
    follower.open()
    for _ in range(30):
        writer.write(60)
        follower.step()
    assert state(directory, tmp_path) == writer.facts()
    assert path.with_name("lastlap.db-wal").stat().st_size < 3 * 1024 * 4096


def test_many_changes_begin_a_new_generation(
    writer: Writer, follower: Follower, directory: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(following, "MOST_CHANGES", 5)
    follower.open()
    for _ in range(13):
        writer.write(3)
        follower.step()
        assert state(directory, tmp_path) == writer.facts()
    changes = [f"000003-{number:08}.pages" for number in (1, 2, 3)]
    assert sorted(each.name for each in directory.iterdir()) == [*changes, "000003.db", "lock"]


def test_following_again_begins_again(path: Path, writer: Writer, directory: Path, tmp_path: Path) -> None:
    for _ in range(2):
        with Follower(path, directory) as follower:
            follower.open()
            writer.write(5)
            follower.step()
        writer.write(5)
    with Follower(path, directory) as follower:
        follower.open()
        assert state(directory, tmp_path) == writer.facts()
        with pytest.raises(StoreError, match="another process keeps"):
            Follower(path, directory).open()


def test_no_token_is_in_the_directory(writer: Writer, follower: Follower, directory: Path) -> None:
    writer.token(1)
    follower.open()
    for number in range(2, 40):
        writer.token(number)
        if number % 5 == 0:
            follower.step()
    follower.step()
    for each in directory.glob("*.pages"):
        content = following.zlib.decompress(each.read_bytes()[8:])
        assert b"secret" not in content
        assert b"0" * len(TOKEN.format(1)) in content, "it is there, blanked"
    assert b"secret" not in (directory / "000001.db").read_bytes()


async def test_the_newest_whole_state_is_restored(
    path: Path, writer: Writer, follower: Follower, directory: Path, tmp_path: Path
) -> None:
    writer.token(1)
    follower.open()
    states = [writer.facts()]
    for _ in range(6):
        writer.write(4)
        follower.step()
        states.append(writer.facts())
    new = tmp_path / "new.db"

    async def restored(folder: Path) -> tuple[int, list[tuple[object, ...]]]:
        done = await restore(url_of(new), folder, NOW)
        assert rows(new, "SELECT * FROM tokens") == []
        return done.passed_over, rows(new, "SELECT key, value FROM facts ORDER BY key")

    assert await restored(directory) == (0, states[6])
    whole = (directory / "000001-00000004.pages").read_bytes()
    damages = [whole[:-10], b"scrap", b"", whole[:300] + bytes(50) + whole[350:]]
    for number, damaged in enumerate(damages):
        copy = tmp_path / f"copy {number}"
        shutil.copytree(directory, copy)
        (copy / "000001-00000004.pages").write_bytes(damaged)
        assert await restored(copy) == (3, states[3])
    (copy / "000001-00000002.pages").unlink()
    assert await restored(copy) == (4, states[1])


def test_a_database_that_was_replaced_is_told(
    path: Path, writer: Writer, follower: Follower, tmp_path: Path
) -> None:
    follower.open()
    path.rename(tmp_path / "away.db")
    with pytest.raises(StoreError, match="removed or replaced"):
        follower.step()


def test_where_it_cannot_follow(path: Path, tmp_path: Path, directory: Path) -> None:
    with pytest.raises(StoreError, match=r"the directory .* is not there"):
        Follower(path, tmp_path / "nowhere").open()
    with pytest.raises(StoreError, match="there is no database"):
        Follower(tmp_path / "none.db", directory).open()


def test_a_backup_disk_that_is_gone_is_told(writer: Writer, follower: Follower, directory: Path) -> None:
    follower.open()
    writer.write()
    shutil.rmtree(directory)
    with pytest.raises(StoreError, match="No such file or directory"):
        follower.step()
