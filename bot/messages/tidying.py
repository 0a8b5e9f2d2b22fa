"""Old messages that are to go: nudges and offers that are over, and tables that are shown elsewhere by now.

Nothing waits for it. What was the message of a table is tried again until it is gone, through restarts too:
its buttons would otherwise stay.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from functools import partial
from typing import Final

import structlog

from bot.messages.requests import (
    FAILURES,
    Failing,
    NotSentError,
    RefusedError,
    code_of,
    is_passing,
    is_refusal,
    within,
)
from bot.messages.tracker import Tracked, Tracker
from bot.model.ending import Ending
from bot.model.errors import Problem
from bot.ui.text import problems, replies
from bot.ui.text.translation import text_for

log = structlog.get_logger(__name__)

#: How long something is tried that Discord does not let the bot do.
KEPT: Final = timedelta(days=3)
#: How long it takes until something is tried again that Discord does not let the bot do.
REFUSED_PAUSE: Final = timedelta(hours=1)


class Tidying(Tracker):
    """Removes old messages."""

    def _take_back_offers(self, tracked: Tracked) -> None:
        """Delete the messages of offers that no longer stand."""
        state = tracked.table.state
        offered = () if state.ended is not None else state.seating.offers
        for seat in [seat for seat in tracked.offers if seat not in offered]:
            self._delete_notice(tracked, tracked.offers.pop(seat))

    def _take_back_nudge(self, tracked: Tracked) -> None:
        """Delete the last nudge of a table."""
        if tracked.nudge_id is not None:
            self._delete_notice(tracked, tracked.nudge_id)
            tracked.nudge_id = None

    def _delete_notice(self, tracked: Tracked, message_id: int) -> None:
        self._requests.aside(self._try_to_delete(tracked, message_id), "deletion of a notice")

    async def _try_to_delete(self, tracked: Tracked, message_id: int) -> None:
        if self._place(tracked).hindrance(posting=False) is not None:
            return
        message = self._channel(tracked).get_partial_message(message_id)
        try:
            await self._requests.make("notice_delete", message.delete())
        except FAILURES as error:
            log.info("old_notice_stays", table=tracked.table.id, code=code_of(error))

    # --- old messages of tables

    def _leave_behind(self, tracked: Tracked, message_id: int, channel_id: int | None = None) -> None:
        """Delete an old message of a table for certain; one in another channel says where the table is."""
        tracked.leftovers[message_id] = channel_id or tracked.table.channel_id
        self._requests.aside(self._remove(tracked, message_id, None, self._now()), "old message of a table")

    async def _remove(
        self, tracked: Tracked, message_id: int, failing: Failing | None, begun: datetime
    ) -> None:
        """Remove an old message of a table; if that fails, it is tried again later."""
        when = None
        try:
            await self._try_to_remove(tracked, message_id, failing)
        except FAILURES as error:
            log.info("old_table_stays", table=tracked.table.id, code=code_of(error))
            failing = Failing.again(failing, begun)
            if begun - failing.since < KEPT:
                if is_refusal(error):
                    when = begun + REFUSED_PAUSE
                elif is_passing(error):
                    when = failing.retry_at(begun)
        if when is None:
            tracked.leftovers.pop(message_id, None)
        if when is None or (failing is not None and failing.tries == 1):
            _ = self._save_screen(tracked)
        key = ("old message", tracked.table.id, message_id)
        self._scheduler.at(key, when, partial(self._remove, tracked, message_id, failing))

    async def _try_to_remove(self, tracked: Tracked, message_id: int, failing: Failing | None) -> None:
        if self._place(tracked).hindrance(posting=False) is not None:
            raise RefusedError
        channel_id = tracked.leftovers[message_id]
        message = self._channel_by_id(tracked, channel_id).get_partial_message(message_id)
        if channel_id == tracked.table.channel_id:
            await self._requests.make("table_delete", message.delete(), within=within(failing))
            return
        state = tracked.table.state
        text = text_for(state.options.locale)
        if state.ended is Ending.VANISHED:
            told = problems.problem(text, Problem.NO_THREAD_MADE)
        elif state.ended is None and tracked.message_id is None and tracked.placeless:
            raise NotSentError("it is not known yet whether there is a place for the table")
        else:
            told = replies.lobby_is_in(text, f"<#{tracked.table.channel_id}>")
        edit = message.edit(content=None, view=replies.plain(told))
        _ = await self._requests.make("pointer", edit, within=within(failing))
