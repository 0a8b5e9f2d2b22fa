"""How often a person may press, give commands and open tables, and a channel have pictures. Pure."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from enum import Enum
from typing import Final

from bot.model.errors import Problem, UserError

#: How many people are remembered before those whose time is over are forgotten.
_MANY: Final = 4096


class Verdict(Enum):
    """What to do with one press or command."""

    FINE = "fine"
    TOO_FAST = "too_fast"
    #: Too fast again by somebody who was told and has not slowed down since.
    TOLD_ALREADY = "told_already"


class Cooldowns:
    """A bucket of `burst` presses for each person, refilled by one every `pause` seconds (0: no limit).

    `start_pause` is how many seconds must pass between two new tables of one person, `share_pause` between
    two pictures in one channel.
    """

    def __init__(
        self,
        *,
        burst: int,
        pause: float,
        start_pause: float,
        now: Callable[[], datetime],
        share_pause: float = 0.0,
    ) -> None:
        self._pause = timedelta(seconds=pause)
        self._most = burst * self._pause
        self._start_pause = timedelta(seconds=start_pause)
        self._share_pause = timedelta(seconds=share_pause)
        self._now = now
        # When each person's bucket is full again, and when they may open a table again.
        self._full: dict[int, datetime] = {}
        self._free: dict[int, datetime] = {}
        self._told: set[int] = set()
        # When each channel may have a picture again.
        self._shared: dict[int, datetime] = {}

    def ask(self, user_id: int) -> Verdict:
        """Count one press or command, unless it comes too fast."""
        if not self._pause:
            return Verdict.FINE
        now = self._now()
        full = self._full.get(user_id, now)
        if full <= now:
            self._told.discard(user_id)
        full = max(full, now) + self._pause
        if full - now > self._most:
            if user_id in self._told:
                return Verdict.TOLD_ALREADY
            self._told.add(user_id)
            return Verdict.TOO_FAST
        _forget(self._full, now)
        self._full[user_id] = full
        self._told &= self._full.keys()
        return Verdict.FINE

    def start(self, user_id: int) -> None:
        """Count a new table; raises UserError if their last one is too recent."""
        now = self._now()
        if self._free.get(user_id, now) > now:
            raise UserError(Problem.START_TOO_SOON)
        if self._start_pause:
            _forget(self._free, now)
            self._free[user_id] = now + self._start_pause

    def share(self, channel_id: int) -> None:
        """Count a picture in a channel; raises UserError if the last one there is too recent."""
        now = self._now()
        if self._shared.get(channel_id, now) > now:
            raise UserError(Problem.SHARED_TOO_SOON)
        if self._share_pause:
            _forget(self._shared, now)
            self._shared[channel_id] = now + self._share_pause


def _forget(times: dict[int, datetime], now: datetime) -> None:
    if len(times) >= _MANY:
        for user_id in [user_id for user_id, until in times.items() if until <= now]:
            del times[user_id]
