"""What keeps people from playing: a line to Discord that is down, a server that is away, a failing disk.

No clock of a table runs meanwhile. Knows no table and not discord.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

#: What an outage is of: a shard with the number of shards, a server, or the saves of all tables.
Kind = tuple[str, int, int]

SAVES: Kind = ("saves", 0, 1)


def shard(shard_id: int, shards: int) -> Kind:
    """Name the line of one shard."""
    return ("shard", shard_id, max(shards, 1))


def server(guild_id: int) -> Kind:
    """Name one server."""
    return ("server", guild_id, 1)


def concerns(kind: Kind, guild_id: int) -> bool:
    """Whether an outage is one of a server's: Discord gives server `id` to shard `(id >> 22) % shards`."""
    what, number, shards = kind
    if what == "shard":
        return (guild_id >> 22) % shards == number
    return what == "saves" or number == guild_id


class Outages:
    """The outages there are, and since when."""

    def __init__(self) -> None:
        self._since: dict[Kind, datetime] = {}
        self._listeners: list[Callable[[Kind, datetime], None]] = []

    def listen(self, listener: Callable[[Kind, datetime], None]) -> None:
        """Call a listener at the end of each outage, with what it was of and since when."""
        self._listeners.append(listener)

    def begin(self, kind: Kind, now: datetime) -> None:
        """Note that an outage has begun; one that goes on is noted once."""
        self._since.setdefault(kind, now)

    def end(self, kind: Kind) -> None:
        """Note that an outage is over, if there was one."""
        since = self._since.pop(kind, None)
        if since is not None:
            for listener in self._listeners:
                listener(kind, since)

    def stop_play(self, guild_id: int) -> bool:
        """Whether people of a server cannot play now."""
        return any(concerns(kind, guild_id) for kind in self._since)

    def lasting(self) -> int:
        """Return how many outages there are."""
        return len(self._since)
