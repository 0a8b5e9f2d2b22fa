"""When a table is posted again at the bottom of its channel, and what was written below it since."""

from __future__ import annotations

from datetime import datetime, timedelta
from functools import partial
from typing import Final

import structlog

from bot.messages.hands import Hands
from bot.messages.rate_limit import remaining
from bot.messages.requests import FAILURES, UNKNOWN_MESSAGE, code_of
from bot.messages.tracker import Tracked, Unrendered
from bot.model.ending import Ending
from bot.tables import Table
from bot.ui.kit.scene import Hindrance

log = structlog.get_logger(__name__)

#: How many seconds a look at the channel or at the table's message may take.
LOOK_WITHIN: Final = 1.0
#: How long no look is taken at a channel after one that failed.
LOOK_AGAIN: Final = timedelta(minutes=10)


#: After how long a table that has scrolled away is posted again, if no turn began meanwhile.
BROUGHT_AFTER: Final = timedelta(seconds=15)


class Reposts(Hands):
    """Decides when the message of a table is posted again."""

    def may_repost(self, table: Table) -> bool:
        """Whether the last repost is long enough ago."""
        since = self._tracked(table).reposted_at
        return since is None or not remaining(since, self._settings.repost_pause, self._now())

    async def may_bring(self, table: Table) -> bool:
        """Whether somebody may have a table reposted: not too often, but always if its message is gone."""
        tracked = self._tracked(table)
        if not self.may_repost(table) and tracked.message_id is not None and await self._is_gone(tracked):
            tracked.message_id = None
        return self.may_repost(table) or tracked.message_id is None

    def hindrance(self, table: Table) -> Hindrance | None:
        """Return why a table cannot be posted in its channel, as far as that is known."""
        tracked = self._tracked(table)
        place = self._place(tracked)
        if tracked.refusal is not None:
            return tracked.refusal.why
        return tracked.no_post_why if self._post_was_refused(tracked) else place.hindrance(posting=True)

    def repost(self, table: Table) -> None:
        """Post a table at the bottom of its channel, soon, and delete its old message."""
        tracked = self._tracked(table)
        tracked.needs(Unrendered(bring_down=True))
        self._wake(tracked)

    # --- before it is too old

    def _plan_repost(self, table: Table, *, overdue_until: datetime | None = None) -> None:
        """Schedule the repost of a table before its message is too old to be edited."""
        tracked, when = self._tracked(table), None
        if tracked.message_id is not None and tracked.posted_at is not None and table.state.ended is None:
            since = max(tracked.posted_at, tracked.renewed_at or tracked.posted_at)
            when = since + timedelta(seconds=self._settings.repost_before)
        if when is not None and overdue_until is not None and when <= self._now():
            when = overdue_until
        self._scheduler.at(("repost", table.id), when, partial(self._renew, table))

    async def _renew(self, table: Table, now: datetime) -> None:
        """Repost a table whose message will soon be too old to edit (30046)."""
        tracked = self._tracked(table)
        tracked.renewed_at = now
        tracked.needs(Unrendered(unsure=True))
        self._wake(tracked)

    # --- whether it is to be posted now

    def _should_repost(self, tracked: Tracked, work: Unrendered) -> bool:
        """Whether the table is to be posted again for what is to be rendered."""
        if tracked.message_id is None or tracked.posted_at is None:
            return True
        if self._place(tracked).hindrance(posting=True) is not None or self._post_was_refused(tracked):
            return False
        age = (self._now() - tracked.posted_at).total_seconds()
        if age >= self._settings.repost_before:
            return True
        match = tracked.table.state.match
        later_hand = work.new_hand and match is not None and match.hand_no > 1
        over = tracked.table.state.ended is not None
        wanted = work.bring_down or later_hand or (tracked.scrolled and (work.turn_began or over))
        return wanted and self.may_repost(tracked.table)

    def _post_was_refused(self, tracked: Tracked) -> bool:
        return tracked.no_post_until is not None and self._now() < tracked.no_post_until

    def _look_below(self, tracked: Tracked) -> None:
        """Look whether something was written below a table when a turn begins there.

        The table is not held up by that: if it has scrolled away, it is posted again when the next turn
        begins, or by itself if that takes long.
        """
        now, posted_at = self._now(), tracked.posted_at
        if not self._settings.look_at_channel or tracked.message_id is None or posted_at is None:
            return
        if (now - posted_at).total_seconds() < self._settings.repost_after or not self.may_repost(
            tracked.table
        ):
            return
        if tracked.scrolled or (tracked.look_at is not None and now < tracked.look_at):
            return
        tracked.look_at = now + timedelta(seconds=self._settings.repost_pause)
        self._requests.aside(self._look(tracked, tracked.message_id), "look below a table")

    async def _look(self, tracked: Tracked, message_id: int) -> None:
        """Ask for the channel, which tells its last message. No list of messages is ever asked for."""
        channel_id = tracked.table.channel_id
        try:
            channel = await self._requests.make(
                "look", self._client.fetch_channel(channel_id), within=LOOK_WITHIN
            )
        except FAILURES as error:
            log.info("channel_not_looked_at", table=tracked.table.id, code=code_of(error))
            tracked.look_at = self._now() + LOOK_AGAIN
            return
        last = getattr(channel, "last_message_id", None)
        below = last is not None and last > message_id and last not in tracked.own
        if below and tracked.message_id == message_id and tracked.table.state.ended in (None, Ending.WON):
            tracked.scrolled = True
            self._plan_bringing(tracked)

    async def _look_at_end(self, tracked: Tracked) -> None:
        """Look whether a table has scrolled away before the end of its match is shown there."""
        message_id, state = tracked.message_id, tracked.table.state
        if state.ended is not Ending.WON or message_id is None or tracked.version == state.version:
            return
        if self._settings.look_at_channel and not tracked.scrolled and self.may_repost(tracked.table):
            await self._look(tracked, message_id)

    def _plan_bringing(self, tracked: Tracked) -> None:
        """Schedule the repost of a table that has scrolled away, if the next turn does not bring it down."""
        waiting = tracked.scrolled and tracked.table.state.ended is None
        when = self._now() + BROUGHT_AFTER if waiting else None
        self._scheduler.at(("scrolled", tracked.table.id), when, partial(self._bring_down, tracked))

    async def _bring_down(self, tracked: Tracked, now: datetime) -> None:
        if tracked.scrolled and tracked.table.state.ended is None:
            self.repost(tracked.table)

    async def _is_gone(self, tracked: Tracked) -> bool:
        """Ask whether somebody has deleted the table's message. No event says so."""
        assert tracked.message_id is not None
        message = self._channel(tracked).get_partial_message(tracked.message_id)
        try:
            _ = await self._requests.make("message", message.fetch(), within=LOOK_WITHIN)
        except FAILURES as error:
            return code_of(error) == UNKNOWN_MESSAGE
        return False
