"""What is on screen for each table, and what every part of this package shares."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Final

import discord
import structlog

from bot.messages.place import Place, place_of
from bot.messages.rate_limit import RateLimit
from bot.messages.renderer import Renderer
from bot.messages.requests import FAILURES, SIDE_WITHIN, UNKNOWN_CHANNEL, Failing, Requests, code_of
from bot.model.errors import UserError
from bot.model.state import State
from bot.settings import Settings
from bot.store import HandToken, Save, ScreenRecord, Store
from bot.tables import Change, Click, Scheduler, Table, Tables
from bot.tables.guild_settings import GuildSettingsCache
from bot.ui.kit.scene import Hindrance
from bot.ui.screens.asides import Log, Step
from engine.events import Event, HandStarted

log = structlog.get_logger(__name__)

#: What a hand shows: the decision awaited, the cards, and whether the clock is stopped.
RenderedHand = tuple[int, tuple[int, ...], bool]
#: How many of the messages under a table are known to be the bot's own.
_OWN: Final = 64


@dataclass(frozen=True, slots=True)
class Unrendered:
    """What the message of a table does not show yet.

    `new_hand` and `turn_began` say what happened since the last render. `only` is the change, if there was
    one alone. `bring_down` is whether the table is to be posted again, `unsure` whether the message may show
    something else than is known.
    """

    new_hand: bool = False
    turn_began: bool = False
    only: Change | None = None
    bring_down: bool = False
    unsure: bool = False

    @classmethod
    def by(cls, change: Change) -> Unrendered:
        """Return what one change leaves to be rendered."""
        return cls(
            any(isinstance(event, HandStarted) for event in change.events),
            _turn(change.before) != _turn(change.after),
            change,
        )

    def then(self, later: Unrendered) -> Unrendered:
        """Return both together."""
        return Unrendered(
            self.new_hand or later.new_hand,
            self.turn_began or later.turn_began,
            None,
            self.bring_down or later.bring_down,
            self.unsure or later.unsure,
        )


@dataclass(slots=True)
class StaleHand:
    """A hand that is to be refreshed, `as_new` by a new message, and what happened since it was rendered.

    While its refresh is `failing`, or `refused`, the next try waits until `retry_at`.
    """

    as_new: bool = False
    events: tuple[Event, ...] = ()
    failing: Failing | None = None
    refused: bool = False
    retry_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Refusal:
    """Discord does not let the bot show a table.

    `why` is what is known about the reason, `since` when it refused first, `standing` what the cache said of
    the channel when it refused last. A press that shows that the bot may do it is worth a try from
    `not_before` on; it is `trusted` more than the cache.
    """

    why: Hindrance
    since: datetime
    standing: Hashable
    not_before: datetime
    tries: int = 1
    trusted: bool = False


@dataclass(slots=True)
class Tracked:
    """What is on screen for one table.

    Its message: `message_id`, `posted_at`, when it was `reposted_at` last or `edited_at`, and `renewed_at`,
    when it was last to be reposted for its age. `posting` counts the messages that the table has had;
    `posting_tried` is whether the next one may have been sent already. `opening` is the token of the
    interaction whose answer is to be the first one. `placeless` is whether a restart has left it open if the
    thread was made in which that is to be.

    What it shows: `version` is that of the state rendered last, 0 if unknown, `shows` the components,
    `opened` the version of the last state before which a Wild Item Box was shown alone. `unrendered` is what
    it does not show since `changed_at`, `held` back by limits for so many seconds. While that is `failing`,
    the next try waits until `retry_at`; `refusal` is set while Discord does not let the bot. `pending` is
    whether the database knows that the newest state may not be on screen.

    Hands: the newest token of each user in `hands`, the last one saved in `saved`, what each shows in
    `rendered_hands`, those `stale`, and
    in `asides` the panel that hides somebody's cards.
    `unreached` are users who could not be sent a new hand and are not called yet. `called` is the decision
    somebody was called to by that.

    Beside it: the `nudge_id`, the `offers` by seat, messages of the bot's `own` below it, and `leftovers`:
    old messages of the table with their channel that are to go. `turn_at` is when the turn began, `asked` the
    decision for which the bot asked whether the player is still on the server, `pressed` when each user
    pressed something last. `look_at` is when the channel may be looked at again, `scrolled` whether something
    was written below the table. `no_post_until` is when a post is worth a try that was refused because of
    `no_post_why`.

    `answering` are the clicks being answered, `ahead` those whose answer comes before the next render.
    """

    table: Table
    message_id: int | None = None
    posted_at: datetime | None = None
    reposted_at: datetime | None = None
    edited_at: datetime | None = None
    renewed_at: datetime | None = None
    posting: int = 0
    posting_tried: bool = False
    opening: HandToken | None = None
    placeless: bool = False

    version: int = 0
    shows: list[dict[str, Any]] | None = None
    opened: int = 0
    unrendered: Unrendered | None = None
    changed_at: datetime | None = None
    held: float = 0.0
    failing: Failing | None = None
    retry_at: datetime | None = None
    refusal: Refusal | None = None
    pending: bool = False
    rendering: asyncio.Task[None] | None = None

    hands: dict[int, HandToken] = field(default_factory=dict)
    saved: dict[int, HandToken] = field(default_factory=dict)
    rendered_hands: dict[int, RenderedHand] = field(default_factory=dict)
    asides: dict[int, Step | Log] = field(default_factory=dict)
    stale: dict[int, StaleHand] = field(default_factory=dict)
    refreshing: dict[int, asyncio.Task[None]] = field(default_factory=dict)
    unreached: list[int] = field(default_factory=list)
    called: int = -1

    nudge_id: int | None = None
    offers: dict[int, int] = field(default_factory=dict)
    own: list[int] = field(default_factory=list)
    leftovers: dict[int, int] = field(default_factory=dict)
    turn_at: datetime | None = None
    asked: int = -1
    pressed: dict[int, datetime] = field(default_factory=dict)
    look_at: datetime | None = None
    scrolled: bool = False
    no_post_until: datetime | None = None
    no_post_why: Hindrance | None = None

    answering: list[object] = field(default_factory=list)
    ahead: list[object] = field(default_factory=list)

    def sent(self, message_id: int) -> None:
        """Remember a message of the bot's own in the channel."""
        self.own = [*self.own[1 - _OWN :], message_id]

    def needs(self, work: Unrendered) -> None:
        """Add to what is to be rendered."""
        self.unrendered = work if self.unrendered is None else self.unrendered.then(work)


#: What every hand shows once the table is closed.
_CLOSED: Final[RenderedHand] = (-1, (), False)


def rendered_hand(state: State, seat: int) -> RenderedHand:
    """Return what a hand would show if it were rendered now."""
    assert state.match is not None
    if state.ended is not None:
        return _CLOSED
    return (
        state.match.decision,
        tuple(sorted(state.match.game.hands[seat])),
        state.clock.paused_at is not None,
    )


class Tracker(ABC):
    """What is on screen for all tables."""

    def __init__(
        self,
        requests: Requests,
        tables: Tables,
        store: Store,
        guild_settings: GuildSettingsCache,
        renderer: Renderer,
        settings: Settings,
        scheduler: Scheduler,
    ) -> None:
        self._requests = requests
        self._client = requests.client
        self._tables = tables
        self._store = store
        self._guild_settings = guild_settings
        self._renderer = renderer
        self._settings = settings
        self._now = scheduler.now
        self._scheduler = scheduler
        self._all: dict[int, Tracked] = {}
        self._of_guild: defaultdict[int, dict[int, Tracked]] = defaultdict(dict)
        self._rate_limit = RateLimit(settings.table_request_pause, scheduler.now)

    @property
    def calls(self) -> Counter[str]:
        """Requests made, by kind."""
        return self._requests.calls

    @property
    def refusals(self) -> int:
        """Answers of 401, 403 and 429 in the last ten minutes."""
        return self._requests.refusals.recent

    @abstractmethod
    def _wake(self, tracked: Tracked) -> None:
        """Start the tasks that a table needs: to render its message, to refresh its hands."""

    @abstractmethod
    def _done(self, tracked: Tracked) -> None:
        """Look for more to do at a table, and put it away once it has ended and that is shown."""

    @abstractmethod
    def _note_pending(self, tracked: Tracked, *, pending: bool) -> None:
        """Let the database know whether the newest state may not be on screen."""

    def _tracked(self, table: Table) -> Tracked:
        """Return what is on screen for a table; nothing is kept of one that has ended and is put away."""
        if table.state.ended is None:
            return self._track(table)
        return self._all.get(table.id) or Tracked(table)

    def _track(self, table: Table) -> Tracked:
        tracked = self._all.get(table.id)
        if tracked is None:
            tracked = self._all[table.id] = Tracked(table)
            self._of_guild[table.guild_id][table.id] = tracked
        return tracked

    def _untrack(self, tracked: Tracked) -> None:
        table = tracked.table
        del self._all[table.id]
        there = self._of_guild[table.guild_id]
        del there[table.id]
        if not there:
            del self._of_guild[table.guild_id]

    def _save_screen(self, tracked: Tracked) -> asyncio.Future[bool] | None:
        """Save where a table is shown, if it is; returns what comes of it."""
        if tracked.message_id is None or tracked.posted_at is None:
            return None
        screen = ScreenRecord(
            table_id=tracked.table.id,
            channel_id=tracked.table.channel_id,
            message_id=tracked.message_id,
            posted_at=tracked.posted_at,
            nudge_id=tracked.nudge_id,
            posting=tracked.posting,
            posting_tried=tracked.posting_tried,
            pending=tracked.pending,
            leftovers={str(message): channel for message, channel in tracked.leftovers.items()},
        )
        return self._submit(Save(screen=screen))

    def last_seen(self, table: Table, seat: int) -> datetime | None:
        """Return when the person in a seat last pressed something, None if their hand cannot be reached."""
        tracked, user_id = self._tracked(table), table.state.seating.people[seat].user_id
        if user_id is None or (token := self._usable_token(tracked, user_id)) is None:
            return None
        return max(token.issued_at, tracked.pressed.get(user_id, token.issued_at))

    def _usable_token(self, tracked: Tracked, user_id: int) -> HandToken | None:
        """Return the token through which a hand is reached, None if there is none that Discord knows."""
        token = tracked.hands.get(user_id)
        if token is None or token.channel_id != tracked.table.channel_id:
            return None
        life = timedelta(seconds=self._settings.token_life)
        return None if self._now() - token.issued_at >= life else token

    async def _vanished(self, tracked: Tracked) -> None:
        """End a table whose channel seems to be gone, if Discord says so about the channel itself."""
        channel = self._client.fetch_channel(tracked.table.channel_id)
        try:
            await self._requests.make("channel", channel, within=SIDE_WITHIN)
        except FAILURES as error:
            if code_of(error) != UNKNOWN_CHANNEL:
                return
        else:
            return
        try:
            await self._tables.vanished(tracked.table, Click.of_the_clock(self._now()))
        except UserError as error:
            log.warning("vanished_table_stays", table=tracked.table.id, problem=error.problem.value)

    def _submit(self, save: Save) -> asyncio.Future[bool]:
        future = self._store.submit(save)
        future.add_done_callback(_log_failure)
        return future

    def message_id(self, table: Table) -> int | None:
        """Return the id of the message that shows a table, None if there is none yet."""
        return self._tracked(table).message_id

    def _place(self, tracked: Tracked) -> Place:
        return place_of(self._client, tracked.table)

    def _channel(self, tracked: Tracked) -> discord.PartialMessageable:
        return self._channel_by_id(tracked, tracked.table.channel_id)

    def _channel_by_id(self, tracked: Tracked, channel_id: int) -> discord.PartialMessageable:
        return self._client.get_partial_messageable(channel_id, guild_id=tracked.table.guild_id)

    @staticmethod
    def _mentioning(users: Iterable[int]) -> discord.AllowedMentions:
        return discord.AllowedMentions(users=[discord.Object(user_id) for user_id in users])


def _turn(state: State) -> tuple[int, int]:
    """Return the number of the hand and whose turn it is."""
    return (0, -1) if state.match is None else (state.match.hand_no, state.match.turn)


def _log_failure(done: asyncio.Future[bool]) -> None:
    if not done.cancelled() and (error := done.exception()) is not None:
        log.warning("screen_not_saved", problem=type(error).__name__)
