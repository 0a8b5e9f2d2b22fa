"""Old messages that are to go: nudges and offers that are over, and tables that are shown elsewhere by now.

Nothing waits for it. What was the message of a table is tried again until it is gone, through restarts too:
its buttons would otherwise stay.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from functools import partial
from typing import Final

import structlog

from bot.messages.requests import FAILURES, RefusedError, code_of, is_passing, is_refusal, pause_after
from bot.messages.tracker import Tracked, Tracker
from bot.ui.text import replies
from bot.ui.text.translation import text_for

log = structlog.get_logger(__name__)

#: How often a removal is tried at most: several days, if it is refused.
MOST_TRIES: Final = 100
#: How long it takes until something is tried again that Discord does not let the bot do.
REFUSED_PAUSE: Final = timedelta(hours=1)


class Tidying(Tracker):
    """Removes old messages."""

    def _take_back_offers(self, tracked: Tracked) -> None:
        """Delete the messages of offers that no longer stand."""
        state = tracked.table.state
        offered = () if state.ended is not None else state.offers
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

    def _remove_later(self, tracked: Tracked, message_id: int) -> None:
        """Delete a message in the channel of a table for certain."""
        tracked.leftovers[message_id] = tracked.table.channel_id
        self._tidy_up(tracked)

    def _tidy_up(self, tracked: Tracked) -> None:
        """Remove what is left behind, soon. What was in another channel will say where the table is."""
        if tracked.leftovers:
            tracked.leftover_tries = 0
            self._requests.aside(self._tidy(tracked), "old tables")

    async def _tidy(self, tracked: Tracked, now: datetime | None = None) -> None:
        """Remove what is left behind; what cannot be removed now is tried again later."""
        begun, pause = self._now(), None
        for message_id, channel_id in list(tracked.leftovers.items()):
            try:
                await self._remove(tracked, channel_id, message_id)
            except FAILURES as error:
                log.info("old_table_stays", table=tracked.table.id, code=code_of(error))
                if is_refusal(error):
                    pause = pause or REFUSED_PAUSE
                elif is_passing(error):
                    pause = timedelta(seconds=pause_after(tracked.leftover_tries + 1))
                if tracked.leftover_tries < MOST_TRIES and (is_refusal(error) or is_passing(error)):
                    continue
            tracked.leftovers.pop(message_id, None)
        tracked.leftover_tries += 1
        self._save_screen(tracked)
        when = None if pause is None else begun + pause
        self._scheduler.at(("leftovers", tracked.table.id), when, partial(self._tidy, tracked))

    async def _remove(self, tracked: Tracked, channel_id: int, message_id: int) -> None:
        if self._place(tracked).hindrance(posting=False) is not None:
            raise RefusedError
        message = self._channel_by_id(tracked, channel_id).get_partial_message(message_id)
        if channel_id == tracked.table.channel_id:
            await self._requests.make("table_delete", message.delete())
            return
        link = f"<#{tracked.table.channel_id}>"
        text = text_for(tracked.table.state.options.locale)
        edit = message.edit(view=replies.plain(replies.lobby_is_in(text, link)))
        await self._requests.make("pointer", edit)
