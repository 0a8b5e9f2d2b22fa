import asyncio
import sqlite3
from pathlib import Path

import pytest
import structlog
from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory

from bot.store import StoreError, migrate
from bot.store.connections import make_engine
from bot.store.files import make_file
from bot.store.models import metadata
from tests.store.conftest import alembic, url_of


@pytest.fixture
def new(tmp_path: Path) -> Path:
    return tmp_path / "new.db"


def form(path: Path) -> dict[str, str]:
    """Read the statements that make up a database."""
    database = sqlite3.connect(path)
    rows = database.execute("SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL").fetchall()
    database.close()
    return dict(rows)


def test_up_from_nothing_and_down_again_and_up(new: Path) -> None:
    migrate(url_of(new))
    newest = form(new)
    assert set(metadata.tables) < set(newest)
    alembic(new, lambda config: command.downgrade(config, "base"))
    assert set(form(new)) == {"alembic_version"}
    migrate(url_of(new))
    assert form(new) == newest


def test_the_models_are_what_the_migrations_make(new: Path) -> None:
    migrate(url_of(new))
    alembic(new, command.check)


def test_the_models_are_what_the_migrations_make_to_the_letter(new: Path, tmp_path: Path) -> None:
    """Alembic's own comparison does not see CHECK constraints and names."""
    migrate(url_of(new))
    made = tmp_path / "made.db"

    async def make() -> None:
        make_file(url_of(made))
        engine = make_engine(url_of(made), begin="BEGIN IMMEDIATE")
        async with engine.begin() as connection:
            await connection.run_sync(metadata.create_all)
        await engine.dispose()

    asyncio.run(make())

    def parts(path: Path) -> dict[str, set[str]]:
        return {
            name: {line.strip(" ,").replace('"', "") for line in sql.splitlines()}
            for name, sql in form(path).items()
            if name != "alembic_version"
        }

    assert parts(new) == parts(made)


def test_every_constraint_has_a_name(new: Path) -> None:
    migrate(url_of(new))
    for name, sql in form(new).items():
        if name in metadata.tables:
            constraints = [
                line for line in sql.splitlines() if "KEY" in line or "CHECK" in line or "UNIQUE" in line
            ]
            assert constraints
            assert all(line.strip().startswith("CONSTRAINT ") for line in constraints), name


def test_one_line_of_migrations_each_with_a_way_back() -> None:
    scripts = ScriptDirectory.from_config(_config())
    assert len(scripts.get_heads()) == 1
    assert [script.revision for script in scripts.walk_revisions()][-1] == "0001"


def test_a_migration_that_fails_leaves_the_database_as_it_was(new: Path) -> None:
    migrate(url_of(new))
    before = form(new)

    def break_off(config: Config) -> None:
        command.downgrade(config, "base")
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        alembic(new, break_off)
    assert form(new) == before


def test_a_migration_may_lose_no_reference(new: Path) -> None:
    migrate(url_of(new))

    def lose(config: Config) -> None:
        config.attributes["connection"].exec_driver_sql(
            "INSERT INTO screens VALUES (404, 1, 1, '2026-01-01 00:00:00.000000', NULL, 1, 0, 0, '{}')"
        )

    with pytest.raises(StoreError, match="1 rows of it point nowhere, the first in screens"):
        alembic(new, lose)


def test_what_closed_tables_left_is_removed(new: Path) -> None:
    """Table 1 is live, 2 a lobby that never began, 3 has a move, 4 a hand with a score, 5 a match."""
    migrate(url_of(new))
    alembic(new, lambda config: command.downgrade(config, "0005"))
    time = "'2026-01-01 00:00:00.000000'"
    with sqlite3.connect(new) as database:
        for number in range(1, 6):
            closed = "NULL" if number == 1 else time
            database.execute(f"INSERT INTO tables VALUES ({number}, 9, 9, 1, NULL, {time}, {closed}, NULL)")
            database.execute(f"INSERT INTO seats VALUES ({number}, 0, {number}, 'P', NULL)")
            database.execute(f"INSERT INTO names VALUES ({number}, 9, 'P', {time})")
            database.execute(f"INSERT INTO tokens VALUES ({number}, 1, 't', 1, 1, 'de', {time})")
            database.execute(f"INSERT INTO screens VALUES ({number}, 1, 1, {time}, NULL)")
        database.execute(f"INSERT INTO log VALUES (3, 1, 0, 1, 0, 0, '[]', 0, {time})")
        database.execute(f"INSERT INTO hands VALUES (4, 1, 9, {time}, 'won', 4, 5, '{{}}')")
        columns = "table_id, hand_no, seat, guild_id, user_id, ranked, points, won, cards"
        database.execute(f"INSERT INTO hand_scores ({columns}) VALUES (4, 1, 0, 9, 4, 1, 5, 1, '[]')")
        database.execute(f"INSERT INTO matches VALUES (5, 9, {time}, 'won', '{{}}')")
    database.close()
    migrate(url_of(new))
    with sqlite3.connect(new) as database:

        def left(column: str, table: str) -> list[int]:
            return [value for (value,) in database.execute(f"SELECT {column} FROM {table} ORDER BY 1")]

        assert left("id", "tables") == [1, 2, 3, 4, 5]
        assert left("table_id", "seats") == [1, 3, 4, 5]
        assert left("table_id", "tokens") == left("table_id", "screens") == [1]
        assert left("user_id", "names") == [4]
    database.close()


def test_matches_of_earlier_releases_rank_if_two_people_took_part(new: Path) -> None:
    """In match 1 two people play, in 2 one and a computer, in 3 one of two leaves before it counts."""
    migrate(url_of(new))
    alembic(new, lambda config: command.downgrade(config, "0008"))
    time = "'2026-01-01 00:00:00.000000'"
    players = {1: [("1", "won"), ("2", "lost")], 2: [("1", "won"), ("NULL", "lost")]}
    players[3] = [("1", "won"), ("2", "left")]
    with sqlite3.connect(new) as database:
        for number, took_part in players.items():
            columns = "id, guild_id, channel_id, version, updated_at"
            database.execute(f"INSERT INTO tables ({columns}) VALUES ({number}, 9, 9, 1, {time})")
            database.execute(f"INSERT INTO matches VALUES ({number}, 9, {time}, 'won', '{{}}')")
            for seat, (user, outcome) in enumerate(took_part):
                values = f"({number}, {seat}, {user}, 0, 0, '{outcome}')"
                database.execute(f"INSERT INTO match_players VALUES {values}")
    database.close()
    migrate(url_of(new))
    with sqlite3.connect(new) as database:
        rows = database.execute("SELECT table_id, host_user_id, ranked FROM matches ORDER BY 1").fetchall()
        assert rows == [(1, None, 1), (2, None, 0), (3, None, 0)]
        assert database.execute("SELECT sum(removed) FROM match_players").fetchall() == [(0,)]
    database.close()


def test_a_row_that_points_nowhere_keeps_no_release_from_starting(new: Path) -> None:
    migrate(url_of(new))
    alembic(new, lambda config: command.downgrade(config, "0007"))
    with sqlite3.connect(new) as database:
        database.execute("INSERT INTO screens VALUES (404, 1, 1, '2026-01-01 00:00:00.000000', NULL)")
    database.close()
    with structlog.testing.capture_logs() as logged:
        migrate(url_of(new))
        migrate(url_of(new))
    assert [(line["event"], line["rows"]) for line in logged] == [("rows_point_nowhere", {"screens": 1})]


def test_the_host_of_a_live_table_is_found_in_its_snapshot(new: Path) -> None:
    migrate(url_of(new))
    alembic(new, lambda config: command.downgrade(config, "0008"))
    tables = [
        (1, '{"host": 1}', None),
        (2, '{"host": 0}', None),
        (3, "not json", None),
        (4, None, "2026-01-01 00:00:00.000000"),
    ]
    with sqlite3.connect(new) as database:
        for number, snapshot, closed_at in tables:
            database.execute(
                "INSERT INTO tables (id, guild_id, channel_id, version, snapshot, updated_at, closed_at)"
                " VALUES (?, 1, 1, 1, ?, '2026-01-01 00:00:00.000000', ?)",
                (number, snapshot, closed_at),
            )
            database.execute("INSERT INTO seats VALUES (?, 0, NULL, 'Turbo', 'normal')", (number,))
            database.execute("INSERT INTO seats VALUES (?, 1, 77, 'Ann', NULL)", (number,))
    database.close()
    migrate(url_of(new))
    with sqlite3.connect(new) as database:
        hosts = database.execute("SELECT id, host_id FROM tables ORDER BY id").fetchall()
    database.close()
    assert hosts == [(1, 77), (2, None), (3, None), (4, None)]


def test_a_database_of_a_newer_release_is_left_alone(new: Path) -> None:
    migrate(url_of(new))
    with sqlite3.connect(new) as database:
        database.execute("UPDATE alembic_version SET version_num = '9999'")
    database.close()
    before = form(new)
    with pytest.raises(StoreError, match="newer release"):
        migrate(url_of(new))
    assert form(new) == before


def test_again_is_nothing(new: Path) -> None:
    migrate(url_of(new))
    before = form(new)
    migrate(url_of(new))
    assert form(new) == before


def _config() -> Config:
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parents[2] / "migrations"))
    return config
