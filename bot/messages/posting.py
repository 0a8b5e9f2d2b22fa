"""How the message of a table is edited and posted, within Discord's limits and never twice."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

import discord
import structlog
from discord.http import Route

from bot.messages.rate_limit import remaining
from bot.messages.reposts import Reposts
from bot.messages.requests import (
    ARCHIVED,
    FAILURES,
    TOO_OLD_TO_EDIT,
    UNKNOWN_MESSAGE,
    UNKNOWN_WEBHOOK,
    RefusedError,
    code_of,
    is_refusal,
    within,
)
from bot.messages.tidying import REFUSED_PAUSE
from bot.messages.tracker import Tracked, Unrendered
from bot.model.ending import Ending
from bot.model.state import State
from bot.store import HandToken
from bot.tables import Table
from engine.awaiting import Awaiting

log = structlog.get_logger(__name__)

#: A table whose hand or match has just ended counts as waiting this much longer than others.
HEAD_START: Final = timedelta(seconds=10)
#: How long a post waits for the database to note it, in seconds.
NOTED_WITHIN: Final = 1.0
#: The flags of a message that one person alone sees, and of one that says that the bot is thinking.
_UNSEEN: Final = 1 << 6 | 1 << 7


@dataclass(frozen=True, slots=True)
class _Rendered:
    """A state rendered once: the view, and its components as they are sent."""

    state: State
    view: discord.ui.LayoutView
    shows: list[dict[str, Any]]


class Posting(Reposts):
    """Brings the newest state to the message of a table."""

    def posted(self, table: Table, message_id: int, version: int) -> None:
        """Remember the message that shows a table now."""
        tracked = self._tracked(table)
        tracked.message_id, tracked.posted_at, tracked.version = message_id, self._now(), version
        tracked.shows, tracked.opening = None, None
        tracked.posting, tracked.posting_tried = tracked.posting + 1, False
        tracked.sent(message_id)
        _ = self._save_screen(tracked)
        self._plan_repost(table)

    def updated(self, table: Table, message_id: int, version: int) -> None:
        """Remember that an answer has brought a message of a table up to date.

        If it is not the table's own, it is an old one that is to go, and the table is still to be rendered.
        """
        tracked = self._tracked(table)
        if tracked.message_id is None:
            self.posted(table, message_id, version)
        elif tracked.message_id == message_id:
            tracked.version, tracked.edited_at, tracked.shows = version, self._now(), None
        else:
            self._leave_behind(tracked, message_id)

    async def _render(self, tracked: Tracked, work: Unrendered) -> None:
        """Bring a table's message up to date; raises one of FAILURES."""
        state = tracked.table.state
        if state.ended is Ending.VANISHED:
            return
        await self._look_at_end(tracked)
        if self._should_repost(tracked, work):
            await self._repost_or_edit(tracked)
        elif (opening := self._opening(tracked, work)) is not None:
            tracked.unrendered = work if tracked.unrendered is None else work.then(tracked.unrendered)
            await self._edit(tracked, opening)
        else:
            if tracked.version != state.version:
                await self._edit(tracked)
            if work.turn_began and state.ended is None:
                self._look_below(tracked)
        self._take_back_offers(tracked)

    def _opening(self, tracked: Tracked, work: Unrendered) -> discord.ui.LayoutView | None:
        """Render a Wild Item Box that is still closed: once, and only if nothing came after it."""
        change = work.only
        if not self._settings.item_box_pause or change is None:
            return None
        version = change.after.version
        if change.after is not tracked.table.state or not tracked.opened < version != tracked.version:
            return None
        opening = self._renderer.opening(change)
        if opening is not None:
            tracked.opened = version
        return opening

    # --- limits

    async def _wait_for_turn(self, tracked: Tracked) -> None:
        """Wait until the table's message may be edited again. What happens meanwhile is rendered with it."""
        if tracked.edited_at is None:
            return
        pause = self._settings.table_edit_delay
        if tracked.opened > tracked.version:
            pause = max(pause, self._settings.item_box_pause)
        left = remaining(tracked.edited_at, pause, self._now())
        if left:
            await asyncio.sleep(left)
            tracked.held += left

    async def _wait_in_line(self, tracked: Tracked) -> None:
        """Wait until the limit of all tables allows another request: ends of hands, then the oldest."""

        def since() -> datetime:
            state = tracked.table.state
            over = state.ended is not None or state.awaiting is Awaiting.DEAL
            return (tracked.changed_at or asked_at) - (HEAD_START if over else timedelta())

        asked_at = self._now()
        await self._rate_limit.turn(since)
        tracked.held += max(0.0, (self._now() - asked_at).total_seconds())
        tracked.changed_at = None

    def _check_place(self, tracked: Tracked, *, posting: bool) -> None:
        """Raise RefusedError if Discord would refuse a request, as far as the cache knows."""
        if tracked.refusal is not None and tracked.refusal.trusted:
            return
        if (hindrance := self._place(tracked).hindrance(posting=posting)) is not None:
            raise RefusedError(hindrance.value)

    # --- editing

    def _rendered(self, tracked: Tracked, view: discord.ui.LayoutView | None = None) -> _Rendered:
        state = tracked.table.state
        view = view or self._renderer.table_message(tracked.table.id, state)
        return _Rendered(state, view, components_of(view))

    async def _edit(self, tracked: Tracked, opening: discord.ui.LayoutView | None = None) -> None:
        """Render the newest state to the table's message, or what is shown a moment before it."""
        now = self._rendered(tracked, opening)
        if opening is None and tracked.version and now.shows == tracked.shows:
            tracked.version = now.state.version
            self._tables.shown(tracked.table, now.state, self._now())
            return
        await self._wait_in_line(tracked)
        if tracked.message_id is None:  # it has moved meanwhile
            await self._post(tracked)
            return
        if tracked.table.state is not now.state:  # what came meanwhile leaves no time for the moment before
            opening, now = None, self._rendered(tracked)
        self._check_place(tracked, posting=False)
        edit = self._channel(tracked).get_partial_message(tracked.message_id).edit(view=now.view)
        try:
            _ = await self._requests.make(
                "table_edit", edit, within=within(tracked.failing), needed=tracked.failing is None
            )
        except discord.HTTPException as error:
            # A message posted into an archived thread opens it again; an edit does not.
            if error.code not in (UNKNOWN_MESSAGE, TOO_OLD_TO_EDIT, ARCHIVED):
                raise
            log.info("table_reposted", table=tracked.table.id, code=error.code)
            await self._post(tracked)
            return
        tracked.version = now.state.version if opening is None else 0
        tracked.edited_at, tracked.shows = self._now(), now.shows
        if opening is None:
            self._tables.shown(tracked.table, now.state, tracked.edited_at)

    # --- posting

    async def _repost_or_edit(self, tracked: Tracked) -> None:
        """Post a table again; if Discord refuses that, the message there is stays the table's."""
        try:
            await self._post(tracked)
        except FAILURES as error:
            if tracked.message_id is None or not is_refusal(error):
                raise
            log.warning("table_not_reposted", table=tracked.table.id, code=code_of(error))
            tracked.no_post_until = self._now() + REFUSED_PAUSE
            tracked.no_post_why = self._place(tracked).refused(error)
            if tracked.version != tracked.table.state.version:
                await self._edit(tracked)

    async def _post(self, tracked: Tracked) -> None:
        """Post a table at the bottom of its channel.

        A post whose answer was lost is repeated with the same nonce: Discord then returns the message that it
        made of it, with what it showed at that time.
        """
        await self._wait_in_line(tracked)
        if tracked.message_id is None and await self._find_answer(tracked):
            return
        self._check_place(tracked, posting=True)
        now, repeated, old = self._rendered(tracked), tracked.posting_tried, tracked.message_id
        if not repeated:
            tracked.posting_tried = True
            if (saved := self._save_screen(tracked)) is not None:
                # A restart that finds this noted repeats the post, and so finds what became of it.
                await asyncio.wait([saved], timeout=NOTED_WITHIN)
        nonce = f"{tracked.table.id}:{tracked.posting}"
        post = self._channel(tracked).send(view=now.view, nonce=nonce)
        message = await self._requests.make(
            "table_post", post, within=within(tracked.failing), needed=tracked.failing is None
        )
        tracked.reposted_at = tracked.edited_at = self._now()
        tracked.no_post_until, tracked.scrolled = None, False
        self._plan_bringing(tracked)
        if old is not None and old != message.id:
            self._leave_behind(tracked, old)
        self.posted(tracked.table, message.id, 0 if repeated else now.state.version)
        if repeated:
            tracked.needs(Unrendered(unsure=True))
        else:
            tracked.shows = now.shows
            self._tables.shown(tracked.table, now.state, self._now())

    async def _find_answer(self, tracked: Tracked) -> bool:
        """Find the answer that was to show a new table, where it is not known whether Discord took it."""
        token, tracked.opening = tracked.opening, None
        if token is None or (self._now() - token.issued_at).total_seconds() >= self._settings.token_life:
            return False
        try:
            message_id = await self._answer_by(token)
        except FAILURES as error:
            if code_of(error) in (UNKNOWN_MESSAGE, UNKNOWN_WEBHOOK):
                return False
            tracked.opening = token
            raise
        if message_id is None:
            return False
        self.posted(tracked.table, message_id, 0)
        tracked.needs(Unrendered(unsure=True))
        if token.user_id not in tracked.hands:
            self.holds(tracked.table, token, None)
        return True

    async def _answer_by(self, token: HandToken) -> int | None:
        """Return the id of the message by which an interaction was answered, None if nobody sees it."""
        path = "/webhooks/{application_id}/{token}/messages/@original"
        route = Route("GET", path, application_id=self._client.application_id, token=token.token)
        found = await self._requests.make("answer", self._client.http.request(route), needed=True)
        seen = not int(found.get("flags") or 0) & _UNSEEN
        return int(found["id"]) if seen else None


def components_of(view: discord.ui.LayoutView) -> list[dict[str, Any]]:
    """Return the components of a message as they are sent."""
    components: list[dict[str, Any]] = view.to_components()  # type: ignore[no-untyped-call]  # discord.py's
    return components
