"""What holds for all tests."""

from pathlib import Path

import pytest
from hypothesis import settings

# Machines that run the tests are busy: no example fails for having been slow once.
settings.register_profile("lastlap", deadline=None)
settings.load_profile("lastlap")


@pytest.fixture(scope="session")
def migrated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make an empty database of the newest form once: that takes longer than most tests."""
    from bot.store import migrate

    file = tmp_path_factory.mktemp("migrated") / "lastlap.sqlite3"
    migrate(f"sqlite+aiosqlite:///{file}")
    return file
