"""What the doctor finds: each check for itself, on a real file."""

import shutil
import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bot.ops import doctor
from bot.ops.doctor import Finding, Verdict, findings
from bot.settings import Settings
from bot.store import Owner

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)


@pytest.fixture(autouse=True)
def few_pictures(monkeypatch: pytest.MonkeyPatch) -> None:
    """Draw two pictures and not all."""
    monkeypatch.setattr(doctor, "all_pictures", lambda: {"R7": b"a picture", "W4": b"another"})


@pytest.fixture
def file(tmp_path: Path, migrated: Path) -> Path:
    copy = tmp_path / "lastlap.db"
    shutil.copyfile(migrated, copy)
    copy.chmod(0o600)
    return copy


def settings(file: Path) -> Settings:
    return Settings(_env_file=None, database_url=f"sqlite+aiosqlite:///{file}")


async def found(file: Path) -> dict[str, Finding]:
    return {finding.about: finding async for finding in findings(settings(file), NOW, online=False)}


def change(file: Path, statement: str) -> None:
    with closing(sqlite3.connect(file)) as database, database:
        database.execute(statement)


async def test_all_is_well(file: Path) -> None:
    before = file.read_bytes()
    all_found = await found(file)
    assert list(all_found) == [
        *("settings", "database", "migrations", "files", "disk", "owner", "clock", "pictures")
    ]
    assert {each.verdict for each in all_found.values()} <= {Verdict.WELL, Verdict.NOTE}
    assert str(all_found["owner"]) == "ok     owner: no bot runs on it"
    assert file.read_bytes() == before
    assert [each.name for each in file.parent.iterdir()] == ["lastlap.db"]


async def test_before_the_first_start(tmp_path: Path) -> None:
    all_found = await found(tmp_path / "none.db")
    assert all_found["database"].verdict is Verdict.NOTE
    assert "the first start of the bot makes it" in all_found["database"].text
    assert list(all_found) == ["settings", "database", "pictures"]
    assert not (tmp_path / "none.db").exists()


@pytest.mark.parametrize(
    ("statement", "about", "text"),
    [
        ("UPDATE alembic_version SET version_num = '9999'", "migrations", "9999, of a newer release"),
        ("DROP TABLE alembic_version", "migrations", "not a database of Lastlap"),
        (
            "INSERT INTO screens VALUES (4, 1, 1, '2026-01-01', NULL, 1, 0, 0, '{}')",
            "database",
            "1 rows point at rows that are not there",
        ),
        (
            (
                "INSERT INTO tables (id, guild_id, channel_id, version, updated_at) "
                "VALUES (1, 1, 1, 1, '2026-03-01 13:00:00.000000')"
            ),
            "clock",
            "this machine is 1:00:00 behind the last change in the database",
        ),
    ],
)
async def test_a_fault(file: Path, statement: str, about: str, text: str) -> None:
    change(file, statement)
    all_found = await found(file)
    assert all_found[about].verdict is Verdict.FAULT
    assert text in all_found[about].text
    others = {name: each.verdict for name, each in all_found.items() if name != about}
    assert Verdict.FAULT not in others.values()


async def test_an_older_database_is_a_note(file: Path) -> None:
    change(file, "UPDATE alembic_version SET version_num = '0003'")
    migrations = (await found(file))["migrations"]
    assert migrations.verdict is Verdict.NOTE
    assert migrations.text.startswith("0003; the next start of the bot goes on to ")


async def test_what_is_no_database(file: Path) -> None:
    file.write_bytes(b"scrap" * 4000)
    database = (await found(file))["database"]
    assert database.verdict is Verdict.FAULT
    assert "file is not a database" in database.text


async def test_a_file_that_others_can_read(file: Path) -> None:
    file.chmod(0o644)
    files = (await found(file))["files"]
    assert files.verdict is Verdict.FAULT
    assert files.text == f"other users can read {file}: chmod 600"


async def test_who_owns_it(file: Path) -> None:
    owner = Owner(settings(file).database_url)
    await owner.take()
    held = (await found(file))["owner"]
    assert held.verdict is Verdict.FAULT
    assert "no sign of life" in held.text
    file.with_name("lastlap.alive").write_text("ok\n")
    held = (await found(file))["owner"]
    assert held.verdict is Verdict.WELL
    assert held.text.endswith(": ok")
    owner._lock.release()
    ended = (await found(file))["owner"]
    assert ended.verdict is Verdict.NOTE
    assert "has ended without handing over" in ended.text
    await owner.release()


async def test_online_without_a_token(file: Path) -> None:
    online = [finding async for finding in findings(settings(file), NOW, online=True)]
    assert online[-1] == Finding(Verdict.FAULT, "token", "there is none, so Discord cannot be asked")
