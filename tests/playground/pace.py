"""The playground on a busy machine, for the tests that open one."""

import pytest

from bot.playground.world import World

#: The most time that passes at once there, in seconds.
STEP = 0.1


@pytest.fixture(autouse=True)
def unhurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a playground's time wait for a machine that stalls, and its bot for a slow disk.

    Otherwise time would jump, and what the bot does within seconds would be late before it had begun.
    """
    tick = World._tick
    monkeypatch.setattr(World, "_tick", lambda world, seconds: tick(world, min(seconds, STEP)))
    monkeypatch.setenv("SAVE_TIMEOUT", "3600")
