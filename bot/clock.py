"""The time the bot goes by: what the machine's clock said at the start, and what has passed since.

A machine's clock that is set forward or back while the bot runs would let turns run out or never end. Imports
the standard library only.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Final

import structlog

log = structlog.get_logger(__name__)

#: A difference from the machine's clock that is worth a line for the operator.
_WORTH_A_LINE: Final = timedelta(seconds=5)


def _wall() -> datetime:
    return datetime.fromtimestamp(time.time(), UTC)  # noqa: TID251  # the one place that reads the clock


def _passed() -> float:
    """Return seconds that only ever grow, those a suspended machine slept through included."""
    return time.clock_gettime(time.CLOCK_BOOTTIME) if hasattr(time, "CLOCK_BOOTTIME") else time.monotonic()


class SteadyClock:
    """Returns the time when it is called; unmoved by jumps of the machine's clock."""

    def __init__(self, wall: Callable[[], datetime] = _wall, passed: Callable[[], float] = _passed) -> None:
        self._wall = wall
        self._passed = passed
        self._started = wall()
        self._at_start = passed()
        self._told = timedelta()

    def __call__(self) -> datetime:
        """Return the time by this clock, in UTC."""
        now = self._started + timedelta(seconds=self._passed() - self._at_start)
        off = self._wall() - now
        if abs(off - self._told) >= _WORTH_A_LINE:
            self._told = off
            log.warning(
                "machine_clock_was_set",
                seconds=round(off.total_seconds()),
                advice="The bot goes on by its own time; restart it once the machine's clock is right.",
            )
        return now
