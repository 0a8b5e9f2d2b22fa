"""The stand-in's time, which tests move, and the ids that carry it."""

import struct
import time
from datetime import UTC, datetime
from pathlib import Path

import discord

#: Discord's epoch, the first second of 2015, in milliseconds.
EPOCH = 1_420_070_400_000


class Clock:
    """The machine's time, moved forwards by `moved` seconds."""

    def __init__(self) -> None:
        self._began = discord.utils.utcnow().timestamp() - time.monotonic()
        self._last = 0
        self._shared: Path | None = None
        self.moved = 0.0

    @property
    def shared(self) -> bool:
        """Whether a bot moves with it."""
        return self._shared is not None

    def share(self, path: Path) -> None:
        """Write into a file, now and whenever it changes, by how much this clock was moved."""
        self._shared = path
        path.touch()  # never emptied: a bot may have it mapped
        self.move(0)

    def move(self, seconds: float) -> None:
        """Move forwards; a bot that shares this clock has moved with it at once."""
        self.moved += seconds
        if self._shared is not None:
            with self._shared.open("r+b") as file:
                file.write(struct.pack("d", self.moved))

    def seconds(self) -> float:
        """Return seconds that only ever grow, from any beginning."""
        return time.monotonic() + self.moved

    def now(self) -> datetime:
        """Return the time of day, in UTC."""
        return datetime.fromtimestamp(self._began + self.seconds(), UTC)

    def text(self) -> str:
        """Return the time of day as Discord writes it."""
        return self.now().isoformat()

    def snowflake(self, *, shard: int = 0, shards: int = 1) -> int:
        """Make a new id, greater than all before; as a server's id it belongs to this shard."""
        made = max(self._last + 1, int((self._began + self.seconds()) * 1000 - EPOCH) << 22)
        while (made >> 22) % shards != shard:
            made += 1 << 22
        self._last = made
        return made


def age(snowflake: int, now: datetime) -> float:
    """Return how many seconds ago an id was made."""
    return now.timestamp() - ((snowflake >> 22) + EPOCH) / 1000
