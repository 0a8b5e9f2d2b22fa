"""What is on screen of each table, and what all that draws shares: client, store, newest tokens."""

from __future__ import annotations

import asyncio
from collections import Counter
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final

import aiohttp
import discord
import structlog

from bot.messages.rate_limit import RateLimit
from bot.messages.renderer import Renderer
from bot.model.errors import UserError
from bot.model.state import State
from bot.settings import Settings
from bot.store import HandToken, Save, ScreenRecord, Store
from bot.tables import Change, Click, Scheduler, Table, Tables
from bot.tables.guild_settings import GuildSettingsCache

log = structlog.get_logger(__name__)

UNKNOWN_CHANNEL, UNKNOWN_MEMBER, UNKNOWN_MESSAGE, UNKNOWN_WEBHOOK = 10003, 10007, 10008, 10015
MISSING_ACCESS, MISSING_PERMISSIONS, BAD_TOKEN = 50001, 50013, 50027
TOO_OLD_TO_EDIT, ARCHIVED = 30046, 50083

#: What a request may fail with: Discord says no, or nothing is heard of it.
FAILURES: Final = (discord.HTTPException, aiohttp.ClientError, TimeoutError, OSError)

#: A hand as it was last drawn: the decision awaited and the cards.
Drawn = tuple[int, tuple[int, ...], bool]


@dataclass(slots=True)
class Tracked:
    """What is on screen of one table.

    `version` is that of the state drawn last, 0 where nobody knows, `shows` the components it was drawn with.
    `unsure`: the bot was started anew, and may have stopped between a save and the drawing of it. `undrawn`
    are changes that the table's message does not show yet, `undealt` those that the hands do not: each list
    has a task that works it off. `changed_at` is when the oldest of the undrawn came, and `held` for how many
    seconds limits have held its drawing back. `answering` are the clicks being answered, `ahead` those of
    them whose answer comes before the drawing. `renewed_at` is when the message was last to be posted anew
    for its age. `left_behind` are the channel and the message of a table that has moved, `offers` by seat the
    messages that offer it. `opened` is the version of the last state before which a Wild Item Box was shown
    on its own.
    """

    table: Table
    message_id: int | None = None
    left_behind: tuple[int, int] | None = None
    nudge_id: int | None = None
    posted_at: datetime | None = None
    reposted_at: datetime | None = None
    looked_at: datetime | None = None
    edited_at: datetime | None = None
    renewed_at: datetime | None = None
    changed_at: datetime | None = None
    held: float = 0.0
    version: int = 0
    opened: int = 0
    shows: list[dict[str, Any]] | None = None
    offers: dict[int, int] = field(default_factory=dict)
    hands: dict[int, HandToken] = field(default_factory=dict)
    drawn: dict[int, Drawn] = field(default_factory=dict)
    undrawn: list[Change] = field(default_factory=list)
    undealt: list[Change] = field(default_factory=list)
    bring_down: bool = False
    unsure: bool = False
    answering: set[object] = field(default_factory=set)
    ahead: set[object] = field(default_factory=set)
    drawing: asyncio.Task[None] | None = None
    dealing: asyncio.Task[None] | None = None

    def wants_drawing(self) -> bool:
        """Tell whether the table's message has something to draw."""
        return bool(self.undrawn) or self.bring_down or self.unsure


def code_of(error: Exception) -> int | None:
    """Give Discord's code for a failure, None where Discord said nothing."""
    return error.code if isinstance(error, discord.HTTPException) else None


def is_passing(error: Exception) -> bool:
    """Tell whether a failure may be gone in a moment."""
    return not isinstance(error, discord.HTTPException) or error.status >= 500 or error.status == 429


#: What every hand shows once the table is closed.
_CLOSED: Final[Drawn] = (-1, (), False)


def drawn(state: State, seat: int) -> Drawn:
    """Tell what a hand drawn now would show."""
    assert state.match is not None
    if state.ended is not None:
        return _CLOSED
    return state.match.decision, tuple(sorted(state.match.game.hands[seat])), state.paused_at is not None


class Tracker:
    """The boards of all tables."""

    def __init__(
        self,
        client: discord.Client,
        tables: Tables,
        store: Store,
        guild_settings: GuildSettingsCache,
        renderer: Renderer,
        settings: Settings,
        scheduler: Scheduler,
    ) -> None:
        self._client = client
        self._tables = tables
        self._store = store
        self._guild_settings = guild_settings
        self._renderer = renderer
        self._settings = settings
        self._now = scheduler.now
        self._scheduler = scheduler
        self._all: dict[int, Tracked] = {}
        self._rate_limit = RateLimit(settings.table_request_pause, scheduler.now)
        #: Requests made, by kind.
        self.calls: Counter[str] = Counter()

    def _tracked(self, table: Table) -> Tracked:
        return self._all.setdefault(table.id, Tracked(table))

    def _save_screen(self, tracked: Tracked) -> None:
        if tracked.message_id is not None and tracked.posted_at is not None:
            table = tracked.table
            screen = ScreenRecord(
                table.id, table.channel_id, tracked.message_id, tracked.posted_at, tracked.nudge_id
            )
            self._submit(Save(screen=screen))

    def last_seen(self, table: Table, seat: int) -> datetime | None:
        """Tell when the person in a seat last pressed something, None where their hand cannot be reached."""
        user_id = table.state.people[seat].user_id
        token = None if user_id is None else self._tracked(table).hands.get(user_id)
        if token is None or token.channel_id != table.channel_id:
            return None
        return token.issued_at

    async def _vanished(self, tracked: Tracked) -> None:
        """End a table whose channel seems to be gone, once Discord says so of the channel itself."""
        try:
            await self._client.fetch_channel(tracked.table.channel_id)
        except FAILURES as error:
            if code_of(error) != UNKNOWN_CHANNEL:
                return
        else:
            return
        try:
            await self._tables.vanished(tracked.table, Click.of_the_clock(self._now()))
        except UserError as error:
            log.warning("vanished_table_stays", table=tracked.table.id, problem=error.problem.value)

    def _submit(self, save: Save) -> None:
        self._store.submit(save).add_done_callback(_log_failure)

    def message_id(self, table: Table) -> int | None:
        """Give the message that shows a table, None where there is none yet."""
        return self._tracked(table).message_id

    def _channel(self, tracked: Tracked) -> discord.PartialMessageable:
        return self._client.get_partial_messageable(tracked.table.channel_id, guild_id=tracked.table.guild_id)


def _log_failure(done: asyncio.Future[bool]) -> None:
    if not done.cancelled() and (error := done.exception()) is not None:
        log.warning("screen_not_saved", problem=type(error).__name__)
