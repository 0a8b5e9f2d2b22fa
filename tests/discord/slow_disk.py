"""A disk that is slow, locked or full, and interactions that are sent while it is.

Saves and reads take so many seconds of the simulated Discord's time, which stands still while the real disk
is used: so nothing depends on how fast the machine is.
"""

import asyncio
import functools
from collections.abc import Callable
from typing import Any

from simcord import InteractionResult, MemberActor
from simcord.enums import InteractionType, OptionType
from simcord.interactions import base_payload, resolve_handle
from sqlalchemy.exc import OperationalError

from bot.store import NotSaved
from tests.discord.clicking import Room, Screen
from tests.discord.playing import bot_of

#: How far time is moved at once, in seconds, and how often the loop turns until the bot is surely done.
STEP = 0.25
TURNS = 200
_KINDS = {str: OptionType.STRING, int: OptionType.INTEGER, bool: OptionType.BOOLEAN}
READS = (
    *("board", "season", "hand", "seats", "played", "guild_settings", "nudges", "languages"),
    "has_finished",
    *("past", "history", "kept_match", "kept_of", "is_hidden", "champions", "exported"),
)
#: What saves without `submit`.
SAVES = ("forget", "hide", "close_season")


class SlowDisk:
    """The disk of a room's bot: what is saved, or read too, takes `seconds`, or fails where that is None."""

    def __init__(self, room: Room, seconds: float | None, *, reads_too: bool = False) -> None:
        self.room = room
        self._bot = bot_of(room)
        self._patched: list[str] = []
        # How much waits for the slow disk, and what is really written or read: time stands still meanwhile.
        self._waiting = 0
        self._busy: set[asyncio.Future[Any]] = set()
        store = self._bot.store
        submit, full = store.submit, NotSaved("the disk is full")
        self._patch("submit", lambda save: asyncio.ensure_future(self._after(seconds, submit, full, save)))
        for name in SAVES:
            self._patch(name, functools.partial(self._after, seconds, getattr(store, name), full))
        for name in READS:
            broken = OperationalError("SELECT", {}, Exception("disk I/O error"))
            delay = seconds if reads_too else 0.0
            self._patch(name, functools.partial(self._after, delay, getattr(store, name), broken))

    def _patch(self, name: str, fake: Callable[..., Any]) -> None:
        setattr(self._bot.store, name, fake)
        self._patched.append(name)

    def mend(self) -> None:
        """Let the disk be as it was."""
        for name in self._patched:
            delattr(self._bot.store, name)
        self._patched.clear()

    async def _after(
        self, seconds: float | None, work: Callable[..., Any], error: Exception, *args: Any, **options: Any
    ) -> Any:
        if seconds is None:
            raise error
        if seconds:
            self._waiting += 1
            try:
                await asyncio.sleep(seconds)
            finally:
                self._waiting -= 1
        working = asyncio.ensure_future(work(*args, **options))
        self._busy.add(working)
        working.add_done_callback(self._busy.discard)
        return await working

    async def turn(self, *under_way: "Asked") -> None:
        """Let the bot do what it can at this moment, and time go on a little."""
        for _ in range(TURNS):
            await asyncio.sleep(0)
            if self._busy:
                await asyncio.wait(self._busy)
        for asked in under_way:
            if asked.responded is None and asked.result.acknowledged:
                asked.responded = asked.waited
            asked.waited += STEP
        self.room.simulation.elapse(STEP)

    async def wait(self, *under_way: "Asked", most: float = 60.0) -> None:
        """Let time pass until the bot has answered everything, and all that waits for the disk is saved."""
        await self.turn(*under_way)
        while self._bot._parts.guard._unanswered or self._waiting:
            assert all(asked.waited < most for asked in under_way), f"never done: {under_way}"
            await self.turn(*under_way)
        await self.turn(*under_way)


class Asked:
    """One interaction on its way; `responded` is after how many seconds it had its first response."""

    def __init__(self, room: Room, result: InteractionResult) -> None:
        self.room = room
        self.result = result
        self.responded: float | None = None
        self.waited = 0.0

    @property
    def kind(self) -> str | None:
        return self.result._interaction.response_kind

    @property
    def told(self) -> list[str]:
        """All that its member was told by it: the answer's text, then those of the follow-ups."""
        response = self.result.response
        messages = ([] if response is None else [response]) + self.result.followups
        screens = [self.room.read(message.id) for message in messages]
        return [
            (screen.text or " ".join(each["filename"] for each in screen.payload.get("attachments", [])))
            or " ".join(_described(screen.payload["components"]))
            for screen in screens
        ]


def _described(components: list[dict[str, Any]]) -> list[str]:
    """Return what is said of the pictures in a message."""
    items = [item for part in components for item in part.get("items", ())]
    return [item["description"] for item in items if item.get("description")]


def command(room: Room, member: MemberActor, name: str, **options: Any) -> Asked:
    """Give a command without waiting for its answer."""
    resolved: dict[str, Any] = {}
    chosen = []
    for key, value in options.items():
        kind = _KINDS.get(type(value), OptionType.USER)
        if kind is OptionType.USER:
            resolve_handle(member, value, resolved, channel_id=room.channel.id)
        told = str(value.id) if kind is OptionType.USER else value
        chosen.append({"name": key, "type": kind, "value": told})
    backend = room.simulation.backend
    data = {
        "id": "1",
        "name": "uno",
        "type": 1,
        "options": [{"name": name, "type": 1, "options": chosen}],
        "resolved": resolved,
    }
    interaction, payload = base_payload(
        backend,
        type=InteractionType.APPLICATION_COMMAND,
        channel_id=room.channel.id,
        guild_id=member.guild.id,
        user_id=member.id,
        data=data,
    )
    backend.emit("INTERACTION_CREATE", payload)
    return Asked(room, InteractionResult(room.simulation, interaction))


def press(room: Room, member: MemberActor, screen: Screen, **data: Any) -> Asked:
    """Press what may or may not be on a message, without waiting for the answer."""
    return Asked(room, room._send(member, screen, {"component_type": 2} | data))
