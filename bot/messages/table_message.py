"""One worker for each table: it renders the newest state to the table's message.

What is not on screen yet is remembered until it is: a try that fails is made again after a pause that grows,
and where Discord does not let the bot, once something there has changed.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from typing import Final

import discord
import structlog

from bot import metrics
from bot.messages.posting import Posting
from bot.messages.renderer import Renderer
from bot.messages.requests import (
    FAILURES,
    LONGEST_PAUSE,
    UNKNOWN_CHANNEL,
    Failing,
    Requests,
    code_of,
    is_passing,
    is_refusal,
)
from bot.messages.tidying import KEPT, REFUSED_PAUSE
from bot.messages.tracker import Refusal, Tracked, Unrendered
from bot.model.ending import Ending
from bot.model.state import LONG_AGO
from bot.settings import Settings
from bot.store import HandToken, Store, StoredTable
from bot.tables import Change, Scheduler, Table, Tables
from bot.tables.clock import AFTER_START
from bot.tables.guild_settings import GuildSettingsCache
from bot.tables.restoring import SPREAD

log = structlog.get_logger(__name__)

#: Tables saved this long before the last of all may not have been rendered when the bot was killed: longer
#: than a table ever waits in line.
LAST_MOMENTS: Final = timedelta(seconds=45)
#: How many tables are restored before the bot is ready, so that what they lack is rendered at once.
AT_START: Final = 500
#: What the bot needs to post in a channel, and in a thread.
_NEEDED: Final = discord.Permissions(view_channel=True, send_messages=True)
_NEEDED_IN_THREAD: Final = discord.Permissions(view_channel=True, send_messages_in_threads=True)


class Messages(Posting):
    """The messages of all tables."""

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
        super().__init__(requests, tables, store, guild_settings, renderer, settings, scheduler)
        self._closed = False
        self._last_saved_at = LONG_AGO
        self._caught_up = False
        self._unreadable: list[Table] = []
        tables.listen(self.changed)
        tables.listen_restored(self._restored)
        tables.listen_unreadable(self._found_unreadable)

    async def load(self) -> None:
        """Restore the newest of the tables that may not be on screen as they are; the others come later."""
        await self._store.tidy(self._now())
        self._renderer.in_words |= await self._store.in_words()
        self._last_saved_at = max((idle.updated_at for idle in self._tables.idle()), default=LONG_AGO)
        await self._tables.restore(self._behind()[:AT_START], self._now())

    def _behind(self) -> list[int]:
        """Return the idle tables that may not be on screen as they are, the newest first.

        Those are the tables that changed last, those whose message is not as it should be, and those that
        wait for nothing, because they have ended.
        """
        behind = [
            idle
            for idle in self._tables.idle()
            if idle.unshown or idle.due_at is None or self._is_recent(idle.updated_at)
        ]
        return [idle.id for idle in sorted(behind, key=lambda idle: idle.updated_at, reverse=True)]

    def _is_recent(self, saved_at: datetime) -> bool:
        return self._last_saved_at - saved_at <= LAST_MOMENTS

    def _restored(self, table: Table, stored: StoredTable) -> None:
        """Take in where a table is shown and how its hands are reached."""
        tracked = self._track(table)
        tracked.posting_tried = tracked.pending = True
        if (screen := stored.screen) is not None:
            tracked.posting, tracked.pending = screen.posting, screen.pending
            tracked.posting_tried = screen.posting_tried
            if screen.posting_tried:
                tracked.needs(Unrendered(bring_down=True))
            tracked.leftovers = _read_leftovers(screen.leftovers)
            if screen.channel_id == table.channel_id:
                tracked.message_id, tracked.posted_at = screen.message_id, screen.posted_at
                tracked.nudge_id = screen.nudge_id
            else:
                tracked.leftovers[screen.message_id] = screen.channel_id
        tracked.hands = {token.user_id: token for token in stored.tokens}
        if stored.screen is None:
            self._find_lines(tracked)
        tracked.saved = dict(tracked.hands)
        nth = 0 if self._caught_up else len(self._all)
        overdue_until = self._now() + AFTER_START + nth * SPREAD
        self._plan_calls(table, overdue_until=overdue_until)
        self._plan_repost(table, overdue_until=overdue_until)
        if self._caught_up:
            self._catch_up(tracked)

    @staticmethod
    def _find_lines(tracked: Tracked) -> None:
        """Find the line from which the thread of a table was to be made: the two have the same id."""
        channel_id = tracked.table.channel_id
        for user_id, token in list(tracked.hands.items()):
            if token.message_id == channel_id != token.channel_id:
                tracked.leftovers[channel_id], tracked.placeless = token.channel_id, True
                del tracked.hands[user_id]

    def catch_up(self) -> None:
        """Render what may not have been rendered before the bot stopped."""
        self._caught_up = True
        for tracked in list(self._all.values()):
            self._catch_up(tracked)
        self.apologise(self._unreadable)
        self._unreadable.clear()
        if behind := self._behind():
            self._requests.aside(self._tables.restore(behind, self._now()), "tables not on screen")

    def _catch_up(self, tracked: Tracked) -> None:
        table, state, at = tracked.table, tracked.table.state, tracked.table.saved_at
        recent = at is not None and self._is_recent(at)
        if recent or tracked.pending or tracked.unrendered is not None or state.ended is not None:
            tracked.needs(Unrendered(unsure=True))
            self._make_stale(tracked, Change(table, state, state, (), None))
            self._wake(tracked)
        for message_id, channel_id in tracked.leftovers.items():
            self._leave_behind(tracked, message_id, channel_id)

    def _found_unreadable(self, table: Table) -> None:
        """Apologise for a table that could not be restored, once the channels are known."""
        if self._caught_up:
            self.apologise([table])
        else:
            self._unreadable.append(table)

    # --- what others say

    @contextmanager
    def answering(self, table: Table, opening: HandToken | None = None) -> Iterator[None]:
        """Hold back rendering what changes meanwhile until the click is answered.

        Clicks that come after the change do not hold it back. Otherwise a table at which many people press
        would never be rendered. `opening` is the token of an interaction whose answer is to be the message of
        a new table.
        """
        tracked, click = self._tracked(table), object()
        tracked.answering.append(click)
        tracked.opening = opening or tracked.opening
        if tracked.message_id is None:
            tracked.ahead.append(click)  # this answer may be what shows the table
        try:
            yield
        finally:
            tracked.answering.remove(click)
            if click in tracked.ahead:
                tracked.ahead.remove(click)
            self._wake(tracked)

    def changed(self, change: Change) -> None:
        """Render what changed, soon."""
        tracked = self._track(change.table)
        if change.moved_from is not None:
            if tracked.message_id is not None:
                self._leave_behind(tracked, tracked.message_id, change.moved_from)
            tracked.message_id = tracked.posted_at = None
        if not tracked.ahead:
            tracked.ahead = tracked.answering[:]
        tracked.changed_at = tracked.changed_at or self._now()
        tracked.needs(Unrendered.by(change))
        if tracked.refusal is None:
            tracked.retry_at = None
        self._make_stale(tracked, change)
        self._note_turn(tracked, change)
        self._plan_calls(change.table)
        self._plan_repost(change.table)
        self._wake(tracked)

    def pressed(self, table: Table, user_id: int, permissions: discord.Permissions) -> None:
        """Remember that somebody pressed something at a table, and what the bot was let do there then."""
        tracked, now = self._tracked(table), self._now()
        tracked.pressed[user_id] = now
        refusal = tracked.refusal
        if refusal is None or tracked.rendering is not None:
            return
        if permissions >= _NEEDED or permissions >= _NEEDED_IN_THREAD:
            tracked.refusal = replace(refusal, trusted=True)
            when = max(now, refusal.not_before)
            if tracked.retry_at is not None and when < tracked.retry_at:
                tracked.retry_at = when
                self._plan_retry(tracked)

    def will_point(self, table: Table, message_id: int, channel_id: int) -> None:
        """Let a message in another channel say where a table is, after a restart if not before."""
        self._tracked(table).leftovers[message_id] = channel_id

    def pointed(self, table: Table, message_id: int) -> None:
        """Remember that a message in another channel says where a table is."""
        tracked = self._tracked(table)
        tracked.leftovers.pop(message_id, None)
        _ = self._save_screen(tracked)

    def point_to(self, table: Table, message_id: int, channel_id: int) -> None:
        """Let a message in another channel say for certain where a table is."""
        self._leave_behind(self._tracked(table), message_id, channel_id)

    def permissions_changed(self, guild_id: int) -> None:
        """Try the tables of a server again that could not be shown, if something has changed there."""
        for tracked in list(self._of_guild.get(guild_id, {}).values()):
            tracked.no_post_until = None
            if tracked.refusal is not None and tracked.refusal.standing != self._place(tracked).standing:
                tracked.retry_at = None
            for stale in tracked.stale.values():
                stale.retry_at = None if stale.refused else stale.retry_at
            self._wake(tracked)

    async def close(self, within: float) -> None:
        """Finish what is being rendered within so many seconds, then send nothing more."""
        self._closed = True
        tasks = self._requests.under_way()
        for tracked in self._all.values():
            tasks |= {*tracked.refreshing.values(), *filter(None, [tracked.rendering])}
        if tasks:
            _, late = await asyncio.wait(tasks, timeout=within)
            log.info("left_unrendered", tasks=len(late))
        self._requests.close()
        late = {task for task in tasks | self._requests.under_way() if not task.done()}
        for task in late:
            task.cancel()
        await asyncio.gather(*late, return_exceptions=True)
        self._save_newest_tokens()

    # --- the worker

    def _wake(self, tracked: Tracked) -> None:
        """Start the tasks that a table needs: to render its message, to refresh its hands."""
        if self._closed or tracked.ahead:
            return
        if tracked.rendering is None and tracked.unrendered is not None and tracked.retry_at is None:
            name = f"message of table {tracked.table.id}"
            tracked.rendering = asyncio.create_task(self._keep_rendering(tracked), name=name)
        self._wake_hands(tracked)

    async def _keep_rendering(self, tracked: Tracked) -> None:
        """Render the table's message until it shows the newest state, or a try fails."""
        try:
            while tracked.unrendered is not None and not tracked.ahead:
                await self._wait_for_turn(tracked)
                if tracked.ahead:
                    break
                work, tracked.unrendered = tracked.unrendered, None
                since, begun = tracked.changed_at, self._now()
                try:
                    await self._render(tracked, work)
                except FAILURES as error:
                    tracked.changed_at = since
                    if not await self._failed(tracked, work, error, begun):
                        break
                except Exception:
                    log.exception("render_failed", table=tracked.table.id)
                else:
                    self._was_rendered(tracked, since)
        finally:
            tracked.rendering = None
        self._done(tracked)

    async def _failed(self, tracked: Tracked, work: Unrendered, error: Exception, begun: datetime) -> bool:
        """Keep in mind what was not rendered. Returns whether it is to be tried again at once."""
        log.warning("table_not_rendered", table=tracked.table.id, code=code_of(error))
        tracked.failing = Failing.again(tracked.failing, begun)
        tracked.version, tracked.shows = 0, None
        gone = code_of(error) == UNKNOWN_CHANNEL
        if gone:
            await self._vanished(tracked)
        newer = tracked.unrendered
        if gone or is_passing(error) or is_refusal(error):
            work = replace(work, unsure=True)
            tracked.unrendered = work if newer is None else work.then(newer)
            tracked.retry_at = None
            if is_refusal(error):
                self._hold(tracked, error)
            elif newer is None:
                tracked.retry_at = tracked.failing.retry_at(begun)
            self._note_pending(tracked, pending=True)
            self._plan_retry(tracked)
        return tracked.unrendered is not None and tracked.retry_at is None

    def _hold(self, tracked: Tracked, error: Exception) -> None:
        """Make no request for a table that Discord does not let the bot show, until there is a reason to."""
        place, now, before = self._place(tracked), self._now(), tracked.refusal
        tries = 1 if before is None else before.tries + 1
        not_before = now + timedelta(seconds=min(LONGEST_PAUSE, 2.0 ** min(tries - 1, 8)))
        since = now if before is None else before.since
        why = place.refused(error)
        tracked.refusal = Refusal(why, since, place.standing, not_before, tries)
        until = place.timed_out_until
        tracked.retry_at = now + REFUSED_PAUSE if until is None else min(until, now + REFUSED_PAUSE)
        self._renderer.hinder(tracked.table.id, why)

    def _plan_retry(self, tracked: Tracked) -> None:
        key, when = ("render", tracked.table.id), tracked.retry_at
        self._scheduler.at(key, when, partial(self._retry, tracked))

    async def _retry(self, tracked: Tracked, now: datetime) -> None:
        """Try to render a table again."""
        tracked.retry_at = None
        self._wake(tracked)

    def _was_rendered(self, tracked: Tracked, since: datetime | None) -> None:
        """Note that a table shows its newest state, and how long that took."""
        tracked.failing = None
        if tracked.refusal is not None:
            tracked.refusal = None
            self._renderer.hinder(tracked.table.id, None)
        if since is not None:
            metrics.rendered(tracked.held, (self._now() - since).total_seconds() - tracked.held)
        tracked.held = 0.0
        if tracked.unrendered is None:
            tracked.changed_at = None

    def _note_pending(self, tracked: Tracked, *, pending: bool) -> None:
        """Let the database know whether the newest state may not be on screen."""
        if tracked.pending != pending:
            tracked.pending = pending
            _ = self._save_screen(tracked)

    def _done(self, tracked: Tracked) -> None:
        """Look for more to do at a table, and put it away once it has ended and that is shown."""
        if self._closed:
            return
        if tracked.rendering is None and not tracked.refreshing:
            shown = tracked.unrendered is None and not tracked.stale
            if shown:
                self._note_pending(tracked, pending=False)
            if tracked.table.state.ended is not None and (shown or self._is_hopeless(tracked)):
                self._put_away(tracked)
                return
        self._wake(tracked)

    def _is_hopeless(self, tracked: Tracked) -> bool:
        """Whether the end of a table cannot be shown: for days Discord has not let the bot."""
        if tracked.table.state.ended is Ending.VANISHED:
            return True
        if tracked.refusal is None:
            return False
        return self._now() - (tracked.table.saved_at or tracked.refusal.since) >= KEPT

    def _put_away(self, tracked: Tracked) -> None:
        table = tracked.table
        if self._all.get(table.id) is tracked:
            self._untrack(tracked)
            self._renderer.hinder(table.id, None)
            self._scheduler.at(("render", table.id), None, partial(self._retry, tracked))
            _ = self._tables.put_away(table, self._now())


def _read_leftovers(kept: dict[str, int]) -> dict[int, int]:
    """Read which old messages are to go; what is damaged is left out."""
    return {
        int(message): channel
        for message, channel in kept.items()
        if message.isdecimal() and isinstance(channel, int)
    }
