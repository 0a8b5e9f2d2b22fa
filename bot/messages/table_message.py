"""One worker a table: it draws the newest state on the table's message, then the hands that changed."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Any, Final

import discord
import structlog

from bot import metrics
from bot.messages.hands import Hands
from bot.messages.renderer import Renderer
from bot.messages.tracker import (
    ARCHIVED,
    FAILURES,
    TOO_OLD_TO_EDIT,
    UNKNOWN_CHANNEL,
    UNKNOWN_MESSAGE,
    Tracked,
    code_of,
    is_passing,
)
from bot.model.ending import Ending
from bot.model.state import State
from bot.settings import Settings
from bot.store import Store
from bot.tables import Change, Scheduler, Table, Tables
from bot.tables.clock import AFTER_START, SPREAD
from bot.tables.guild_settings import GuildSettingsCache
from bot.ui.text import replies
from bot.ui.text.translation import text_for
from engine.awaiting import Awaiting
from engine.events import HandStarted

log = structlog.get_logger(__name__)


#: Tables saved that long before the last of all may not have been drawn when the bot was stopped in a hurry.
LAST_MOMENTS: Final = timedelta(seconds=15)
#: How often the drawing of a table is tried again after a failure that may pass.
MOST_TRIES: Final = 3
#: How much longer than others a table counts as waiting whose hand or match has just ended.
HEAD_START: Final = timedelta(seconds=10)
#: How long a look at whether a table's message is still there may take, in seconds.
LOOK_WITHIN: Final = 1.0


class Messages(Hands):
    """The messages of all tables."""

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
        super().__init__(client, tables, store, guild_settings, renderer, settings, scheduler)
        tables.listen(self.changed)

    async def load(self) -> None:
        """Learn again where the live tables are shown and how their hands are reached."""
        await self._store.tidy(self._now())
        screens, tokens = await self._store.live_screens(), await self._store.live_tokens()
        for table in [*self._tables.live(), *self._tables.ended]:
            tracked = self._tracked(table)
            if (screen := screens.get(table.id)) is not None:
                tracked.message_id, tracked.posted_at = screen.message_id, screen.posted_at
                tracked.nudge_id = screen.nudge_id
                if screen.channel_id != table.channel_id:
                    self._leave_behind(tracked, screen.channel_id)
            tracked.unsure = True
            for token in tokens.get(table.id, ()):
                tracked.hands[token.user_id] = token
        for nth, table in enumerate(self._tables.live()):
            overdue_until = self._now() + AFTER_START + nth * SPREAD
            self._plan_nudge(table, overdue_until=overdue_until)
            self._plan_repost(table, overdue_until=overdue_until)

    def catch_up(self) -> None:
        """Draw what the bot may not have come to draw before it stopped: tables that changed last of all."""
        tables = [*self._tables.live(), *self._tables.ended]
        saved = [(table.saved_at, table) for table in tables if table.saved_at is not None]
        last = max((at for at, _ in saved), default=None)
        for at, table in saved:
            if last is not None and (last - at <= LAST_MOMENTS or table.state.ended is not None):
                tracked, state = self._tracked(table), table.state
                again = Change(table, state, state, (), None)
                tracked.undrawn.append(again)
                tracked.undealt.append(again)
                self._wake(tracked)
        self._tables.ended.clear()

    # --- what others tell

    @contextmanager
    def answering(self, table: Table) -> Iterator[None]:
        """Hold back the drawing of what changes meanwhile until the click being answered is answered.

        Clicks that come after that change do not hold it back, or a table at which many press would never be
        drawn.
        """
        tracked, click = self._tracked(table), object()
        tracked.answering.add(click)
        if tracked.message_id is None:
            tracked.ahead.add(click)  # this answer may be what shows the table
        try:
            yield
        finally:
            tracked.answering.discard(click)
            tracked.ahead.discard(click)
            self._wake(tracked)

    def changed(self, change: Change) -> None:
        """Draw what changed, soon."""
        tracked = self._tracked(change.table)
        if change.moved_from is not None:
            self._leave_behind(tracked, change.moved_from)
        if not (tracked.undrawn and tracked.undealt):
            tracked.ahead |= tracked.answering
        tracked.changed_at = tracked.changed_at or self._now()
        tracked.undrawn.append(change)
        tracked.undealt.append(change)
        self._plan_nudge(change.table)
        self._plan_repost(change.table)
        self._wake(tracked)

    @staticmethod
    def _leave_behind(tracked: Tracked, channel_id: int) -> None:
        """Note that a table has moved: it is posted where it is now, and its message there points to it."""
        if tracked.message_id is not None:
            tracked.left_behind = channel_id, tracked.message_id
        tracked.message_id = tracked.posted_at = None

    def posted(self, table: Table, message_id: int, version: int) -> None:
        """Note the message that shows a table now."""
        tracked = self._tracked(table)
        tracked.message_id, tracked.posted_at, tracked.version = message_id, self._now(), version
        tracked.shows = None
        self._save_screen(tracked)
        self._plan_repost(table)

    def updated(self, table: Table, version: int) -> None:
        """Note that an answer has brought the table's message up to date."""
        tracked = self._tracked(table)
        tracked.version, tracked.edited_at, tracked.shows = version, self._now(), None

    def may_repost(self, table: Table) -> bool:
        """Tell whether the last repost is long enough ago."""
        tracked = self._tracked(table)
        pause = timedelta(seconds=self._settings.repost_pause)
        return tracked.reposted_at is None or self._now() - tracked.reposted_at >= pause

    async def may_bring(self, table: Table) -> bool:
        """Tell whether somebody may have a table posted anew: now and then, and whenever it is not there."""
        tracked = self._tracked(table)
        if not self.may_repost(table) and tracked.message_id is not None and await self._is_gone(tracked):
            tracked.message_id = None
        return self.may_repost(table) or tracked.message_id is None

    def _plan_repost(self, table: Table, *, overdue_until: datetime | None = None) -> None:
        """Wait until a table's message is almost too old to be edited; it is reposted once in its age."""
        tracked, when = self._tracked(table), None
        if tracked.message_id is not None and tracked.posted_at is not None and table.state.ended is None:
            since = max(tracked.posted_at, tracked.renewed_at or tracked.posted_at)
            when = since + timedelta(seconds=self._settings.repost_before)
        if when is not None and overdue_until is not None and when < self._now():
            when = overdue_until
        self._scheduler.at(("repost", table.id), when, lambda now: self._repost(table, now))

    async def _repost(self, table: Table, now: datetime) -> None:
        """Repost a table whose message will soon be too old to edit (30046); tried once in its age."""
        tracked = self._tracked(table)
        tracked.renewed_at = now
        tracked.unsure = True
        self._wake(tracked)

    def post_anew(self, table: Table) -> None:
        """Post a table at the bottom of its channel, soon, and remove the old one."""
        tracked = self._tracked(table)
        tracked.bring_down = True
        self._wake(tracked)

    async def close(self, within: float) -> None:
        """Finish what is being drawn, in so many seconds at most, and draw nothing more."""
        tasks = [
            task for tracked in self._all.values() for task in (tracked.drawing, tracked.dealing) if task
        ]
        if tasks:
            _, late = await asyncio.wait(tasks, timeout=within)
            log.info("left_undrawn", tasks=len(late))
            for task in late:
                task.cancel()
            await asyncio.gather(*late, return_exceptions=True)

    # --- the worker

    def _wake(self, tracked: Tracked) -> None:
        if tracked.ahead:
            return
        name = f"table {tracked.table.id}"
        if tracked.drawing is None and tracked.wants_drawing():
            tracked.drawing = asyncio.create_task(self._draw_on(tracked), name=f"screen of {name}")
        if tracked.dealing is None and tracked.undealt:
            tracked.dealing = asyncio.create_task(self._deal_on(tracked), name=f"hands of {name}")

    async def _draw_on(self, tracked: Tracked) -> None:
        """Draw the table's message until it shows the newest state; a failure that passes is tried again."""
        tries = 0
        try:
            while tracked.wants_drawing() and not tracked.ahead:
                await self._wait_for_turn(tracked)
                changes, tracked.undrawn = tracked.undrawn, []
                wanted, since = tracked.bring_down, tracked.changed_at
                tracked.bring_down = tracked.unsure = False
                try:
                    await self._draw(tracked, changes, wanted=wanted)
                except FAILURES as error:
                    log.warning("table_not_drawn", table=tracked.table.id, code=code_of(error))
                    tracked.changed_at = since
                    if code_of(error) == UNKNOWN_CHANNEL:
                        await self._vanished(tracked)
                    tries += 1
                    if is_passing(error) and tries <= MOST_TRIES:
                        tracked.undrawn[:0] = changes
                        tracked.bring_down, tracked.unsure = tracked.bring_down or wanted, True
                        await asyncio.sleep(self._settings.redraw_pause)
                except Exception:
                    log.exception("screen_failed", table=tracked.table.id)
                else:
                    tries = 0
                    self._was_drawn(tracked, since)
        except asyncio.CancelledError:
            tracked.undrawn, tracked.bring_down, tracked.unsure = [], False, False
            raise
        finally:
            tracked.drawing = None
        self._done(tracked)

    async def _deal_on(self, tracked: Tracked) -> None:
        """Draw the hands until none looks different; they are not held up by the table's message."""
        try:
            while tracked.undealt and not tracked.ahead:
                changes, tracked.undealt = tracked.undealt, []
                try:
                    await self._deal(tracked, changes)
                except FAILURES as error:
                    log.warning("hands_not_drawn", table=tracked.table.id, code=code_of(error))
                except Exception:
                    log.exception("hands_failed", table=tracked.table.id)
        except asyncio.CancelledError:
            tracked.undealt = []
            raise
        finally:
            tracked.dealing = None
        self._done(tracked)

    def _done(self, tracked: Tracked) -> None:
        idle = not (tracked.wants_drawing() or tracked.undealt or tracked.drawing or tracked.dealing)
        if idle and tracked.table.state.ended is not None and self._all.get(tracked.table.id) is tracked:
            del self._all[tracked.table.id]
            _ = self._tables.put_away(tracked.table, self._now())
        self._wake(tracked)

    def _was_drawn(self, tracked: Tracked, since: datetime | None) -> None:
        """Measure how long the oldest change drawn has waited, and how much of it for Discord's limits."""
        if since is not None:
            metrics.drawn(tracked.held, (self._now() - since).total_seconds() - tracked.held)
        tracked.held = 0.0
        if not tracked.undrawn:
            tracked.changed_at = None

    async def _wait_for_turn(self, tracked: Tracked) -> None:
        """Wait until the table's message may be edited again; what happens meanwhile is drawn with it."""
        if tracked.edited_at is not None:
            pause = self._settings.table_edit_delay
            if tracked.opened > tracked.version:
                pause = max(pause, self._settings.item_box_pause)
            due = tracked.edited_at + timedelta(seconds=pause)
            left = (due - self._now()).total_seconds()
            if left > 0:
                await asyncio.sleep(left)
                tracked.held += left

    async def _wait_in_line(self, tracked: Tracked) -> None:
        """Wait until all tables together may make another request: the end of a hand and the oldest first."""

        def since() -> datetime:
            state = tracked.table.state
            over = state.ended is not None or state.awaiting is Awaiting.DEAL
            return (tracked.changed_at or asked_at) - (HEAD_START if over else timedelta())

        asked_at = self._now()
        await self._rate_limit.turn(since)
        tracked.held += (self._now() - asked_at).total_seconds()
        tracked.changed_at = None

    async def _draw(self, tracked: Tracked, changes: list[Change], *, wanted: bool) -> None:
        state = tracked.table.state
        if state.ended is Ending.VANISHED:
            return
        later = state.match is not None and state.match.hand_no > 1
        anew = wanted or (later and _new_hand(changes))
        if await self._should_repost(tracked, changes, wanted=anew):
            await self._post(tracked)
        elif (opening := self._opening(tracked, changes)) is not None:
            tracked.undrawn[:0] = changes
            await self._edit(tracked, opening)
        elif tracked.version != state.version:
            await self._edit(tracked)
        await self.take_back_offers(tracked)
        if tracked.table.state.ended is not None:
            await self.take_back_nudge(tracked)

    async def _deal(self, tracked: Tracked, changes: list[Change]) -> None:
        if _new_hand(changes) and tracked.drawing is not None:
            # The table is posted anew first, so that the hand lies below it.
            await asyncio.wait([tracked.drawing])
        state = tracked.table.state
        if state.match is None or state.ended is Ending.VANISHED:
            return
        if state.ended is None and _new_hand(changes):
            await self._deliver(tracked, state)
        else:
            await self._refresh(tracked, state, changes)

    async def _should_repost(self, tracked: Tracked, changes: list[Change], *, wanted: bool) -> bool:
        settings, now = self._settings, self._now()
        if tracked.message_id is None or tracked.posted_at is None:
            return True
        age = (now - tracked.posted_at).total_seconds()
        if age >= settings.repost_before:
            return True
        if not self.may_repost(tracked.table):
            return False
        if wanted:
            return True
        turn_began = any(_turn(change.before) != _turn(change.after) for change in changes)
        if not turn_began or age < settings.repost_after:
            return False
        if (
            tracked.looked_at is not None
            and (now - tracked.looked_at).total_seconds() < settings.repost_pause
        ):
            return False
        tracked.looked_at = now
        return await self._has_scrolled(tracked)

    async def _has_scrolled(self, tracked: Tracked) -> bool:
        self.calls["history"] += 1
        channel = self._channel(tracked)
        assert tracked.message_id is not None
        try:
            async for message in channel.history(limit=2, after=discord.Object(tracked.message_id)):
                # A nudge of the bot's own does not push the table away.
                if message.id != tracked.nudge_id:
                    return True
        except FAILURES as error:
            log.info("history_unread", table=tracked.table.id, code=code_of(error))
        return False

    async def _is_gone(self, tracked: Tracked) -> bool:
        """Ask whether somebody has deleted the table's message; no event tells."""
        assert tracked.message_id is not None
        self.calls["look"] += 1
        try:
            async with asyncio.timeout(LOOK_WITHIN):
                await self._channel(tracked).get_partial_message(tracked.message_id).fetch()
        except FAILURES as error:
            return code_of(error) == UNKNOWN_MESSAGE
        return False

    def _opening(self, tracked: Tracked, changes: list[Change]) -> discord.ui.LayoutView | None:
        """Draw a Wild Item Box that lies there unopened: once, and only if nothing came after it."""
        if not self._settings.item_box_pause or len(changes) != 1:
            return None
        (change,) = changes
        version = change.after.version
        if change.after is not tracked.table.state or not tracked.opened < version != tracked.version:
            return None
        opening = self._renderer.opening(change)
        if opening is not None:
            tracked.opened = version
        return opening

    async def _edit(self, tracked: Tracked, opening: discord.ui.LayoutView | None = None) -> None:
        """Draw the newest state on the table's message, or what is shown a moment before it."""
        state = tracked.table.state
        shown = None if opening else components_of(self._renderer.table_message(tracked.table.id, state))
        if tracked.version and shown == tracked.shows:
            tracked.version = state.version
            return
        self.calls["table_edit"] += 1
        await self._wait_in_line(tracked)
        if tracked.message_id is None:  # it has moved meanwhile
            await self._post(tracked)
            return
        # Whatever came meanwhile leaves no time for the moment before.
        opening = opening if tracked.table.state is state else None
        state = tracked.table.state
        view = opening or self._renderer.table_message(tracked.table.id, state)
        shows = components_of(view)
        message = self._channel(tracked).get_partial_message(tracked.message_id)
        try:
            await message.edit(view=view)
        except discord.HTTPException as error:
            # A message posted into an archived thread opens it again; an edit does not.
            if error.code not in (UNKNOWN_MESSAGE, TOO_OLD_TO_EDIT, ARCHIVED):
                raise
            log.info("table_posted_anew", table=tracked.table.id, code=error.code)
            await self._post(tracked)
            return
        tracked.version = state.version if opening is None else 0
        tracked.edited_at, tracked.shows = self._now(), shows

    async def _post(self, tracked: Tracked) -> None:
        self.calls["table_post"] += 1
        await self._wait_in_line(tracked)
        channel, old = self._channel(tracked), tracked.message_id
        state = tracked.table.state
        view = self._renderer.table_message(tracked.table.id, state)
        message = await channel.send(view=view)
        tracked.bring_down = False  # whoever wants it down here has it
        tracked.reposted_at = tracked.edited_at = self._now()
        self.posted(tracked.table, message.id, state.version)
        tracked.shows = components_of(view)
        if tracked.left_behind is not None:
            await self._point(tracked, state)
        if old is not None:
            self.calls["table_delete"] += 1
            try:
                await channel.get_partial_message(old).delete()
            except FAILURES as error:
                log.info("old_table_stays", table=tracked.table.id, code=code_of(error))

    async def _point(self, tracked: Tracked, state: State) -> None:
        """Let the message of a table that has moved say where it is."""
        assert tracked.left_behind is not None
        (channel_id, message_id), tracked.left_behind = tracked.left_behind, None
        channel = self._client.get_partial_messageable(channel_id, guild_id=tracked.table.guild_id)
        link = f"<#{tracked.table.channel_id}>"
        view = replies.plain(replies.lobby_is_in(text_for(state.options.locale), link))
        self.calls["table_edit"] += 1
        try:
            await channel.get_partial_message(message_id).edit(view=view)
        except FAILURES as error:
            log.info("no_pointer", table=tracked.table.id, code=code_of(error))


def components_of(view: discord.ui.LayoutView) -> list[dict[str, Any]]:
    """Write a message's components as they are sent."""
    components: list[dict[str, Any]] = view.to_components()  # type: ignore[no-untyped-call]  # discord.py's
    return components


def _new_hand(changes: list[Change]) -> bool:
    return any(isinstance(event, HandStarted) for change in changes for event in change.events)


def _turn(state: State) -> tuple[int, int]:
    """Tell whose turn it is, and in which hand."""
    return (0, -1) if state.match is None else (state.match.hand_no, state.match.turn)
