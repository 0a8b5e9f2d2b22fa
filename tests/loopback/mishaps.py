"""All that can go wrong between a bot and Discord, one thing after another while it plays."""

import asyncio
import random
from collections import Counter
from collections.abc import Sequence
from typing import Any

from tests.loopback.fault import Fault
from tests.loopback.room import Room
from tests.loopback.screens import UnreachableError
from tests.loopback.server import Loopback

ANSWER = ("POST", "/interactions/*/*/callback")
#: Seconds between two looks at what has come of it all; whoever cannot be answered is excused within 3.
LOOK = 0.1
HAND = ("PATCH", "/webhooks/*/*/messages/*")
TABLE = ("PATCH", "/channels/*/messages/*")

_ANYWHERE: tuple[dict[str, Any], ...] = (
    {"status": 429, "retry_after": 0.3},
    {"status": 500},
    {"status": 502},
    {"cut": True},
    {"cut": True, "after": True},
    {"status": 500, "after": True},
    {"delay": 0.7},
)
#: What befalls each kind of request; the last line of all is a message that somebody deletes.
FAULTS: tuple[tuple[tuple[str, str], dict[str, Any]], ...] = (
    *((ANSWER, how) for how in _ANYWHERE),
    (ANSWER, {"status": 429, "via": False}),
    *((HAND, how) for how in _ANYWHERE),
    (HAND, {"status": 429, "via": False}),
    (HAND, {"code": 50027}),
    (HAND, {"code": 10008}),
    *((TABLE, how) for how in _ANYWHERE),
    (TABLE, {"status": 429, "via": False}),
    (TABLE, {"status": 503}),
    (TABLE, {"code": 10008}),
    *((("DELETE", ""), {}) for _ in range(3)),
)


class Mishaps:
    """Injects faults; counts them, and the requests made, and notes when the end of a match was shown.

    One thing goes wrong for `every` so many presses: the last tables get no more of it than the first.
    `shown` has for each channel the loop's time.
    """

    def __init__(self, loopback: Loopback, rooms: Sequence[Room], dice: random.Random, *, every: int) -> None:
        self.loopback = loopback
        self.seen: Counter[str] = Counter()
        self.shown: dict[int, float] = {}
        self._rooms = {room.channel.id: room for room in rooms}
        self._dice = dice
        self._every = every
        self._injected: list[tuple[str, Fault]] = []
        self._struck: Counter[str] = Counter()

    async def go_on(self) -> None:
        """Let one thing after another go wrong, until cancelled."""
        due = self._every
        while True:
            await asyncio.sleep(LOOK)
            self._count()
            if len(self.loopback.interactions) < due:
                continue
            due += self._every
            (method, path), how = self._dice.choice(FAULTS)
            if method == "DELETE":
                self._delete()
            else:
                fault = self.loopback.inject(method, path, **how)
                self._injected.append((f"{method} {path} {how}", fault))

    def stop(self) -> None:
        """Let nothing more go wrong."""
        self._count()
        for _, fault in self._injected:
            fault.times = 0

    def _delete(self) -> None:
        try:
            table = self._dice.choice(list(self._rooms.values())).table()
        except UnreachableError:
            return
        if table.has("Catch!"):  # not the end of a match, which nobody would post again
            table.message.delete()
            self.seen["messages deleted"] += 1

    def _count(self) -> None:
        """Note what has come of the faults, and of all requests since the last time."""
        for name, fault in [entry for entry in self._injected if entry[1].struck]:
            self.seen["faults"] += 1
            if ANSWER[1] in name:
                for call in fault.struck:
                    self._excuse(call.path.split("/")[3], fault)
            self.loopback._injected.remove(fault)
        self._injected = [entry for entry in self._injected if not entry[1].struck]
        finished = [call for call in self.loopback.calls if call.took is not None]
        for call in finished:
            self._count_request(call.method, call.path, call.status)
            if call.method in ("PATCH", "POST") and call.path.startswith("/channels/") and call.status == 200:
                self._see_the_end(int(call.path.split("/")[2]), call.at + (call.took or 0))
        self.loopback.calls = [call for call in self.loopback.calls if call.took is None]

    def _excuse(self, token: str, fault: Fault) -> None:
        """Expect no answer where there is no way to give one within 3 s.

        It was refused by whoever is between Discord and the bot, or something befell a second try too.
        """
        self._struck[token] += 1
        if not fault.via or self._struck[token] > 1:
            self.loopback.excuse(self.loopback.interactions[token])
            self.loopback.bell.ring()

    def _count_request(self, method: str, path: str, status: int | None) -> None:
        kind = {"/channels": "table", "/webhooks": "hand"}.get(path[:9])
        if kind is not None and method == "PATCH":
            self.seen[f"{kind} edits"] += 1
        if status == 429:
            self.seen["answered 429"] += 1

    def _see_the_end(self, channel: int, at: float) -> None:
        room = self._rooms.get(channel)
        if room is None or channel in self.shown:
            return
        try:
            over = any(":details:" in custom_id for custom_id in room.table().custom_ids)
        except UnreachableError:
            return
        if over:
            self.shown[channel] = at
