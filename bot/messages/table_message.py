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
from bot.messages.notices import Notices
from bot.messages.tracker import (
    ARCHIVED,
    FAILURES,
    TOO_OLD_TO_EDIT,
    UNKNOWN_CHANNEL,
    UNKNOWN_MESSAGE,
    Board,
    code_of,
    is_passing,
)
from bot.model.state import State
from bot.tables import Change, Table
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


class Screens(Hands, Notices):
    """The screens of all tables."""

    async def load(self) -> None:
        """Learn again where the live tables are shown and how their hands are reached."""
        await self._store.forget_old_tokens(self._now())
        for table in [*self._tables.live(), *self._tables.ended]:
            board = self._board(table)
            if (screen := await self._store.screen(table.id)) is not None:
                board.message_id, board.posted_at = screen.message_id, screen.posted_at
                board.nudge_id = screen.nudge_id
                if screen.channel_id != table.channel_id:
                    self._leave_behind(board, screen.channel_id)
            board.unsure = True
            for token in await self._store.tokens(table.id):
                board.hands[token.user_id] = token

    def catch_up(self) -> None:
        """Draw what the bot may not have come to draw before it stopped: tables that changed last of all."""
        tables = [*self._tables.live(), *self._tables.ended]
        saved = [(table.saved_at, table) for table in tables if table.saved_at is not None]
        last = max((at for at, _ in saved), default=None)
        for at, table in saved:
            if last is not None and (last - at <= LAST_MOMENTS or table.state.ended is not None):
                board, state = self._board(table), table.state
                again = Change(table, state, state, (), None)
                board.undrawn.append(again)
                board.undealt.append(again)
                self._wake(board)
        self._tables.ended.clear()

    # --- what others tell

    @contextmanager
    def answering(self, table: Table) -> Iterator[None]:
        """Hold back the drawing of what changes meanwhile until the click being answered is answered.

        Clicks that come after that change do not hold it back, or a table at which many press would never be
        drawn.
        """
        board, click = self._board(table), object()
        board.answering.add(click)
        if board.message_id is None:
            board.ahead.add(click)  # this answer may be what shows the table
        try:
            yield
        finally:
            board.answering.discard(click)
            board.ahead.discard(click)
            self._wake(board)

    def changed(self, change: Change) -> None:
        """Draw what changed, soon."""
        board = self._board(change.table)
        if change.moved_from is not None:
            self._leave_behind(board, change.moved_from)
        if not (board.undrawn and board.undealt):
            board.ahead |= board.answering
        board.changed_at = board.changed_at or self._now()
        board.undrawn.append(change)
        board.undealt.append(change)
        self._wake(board)

    @staticmethod
    def _leave_behind(board: Board, channel_id: int) -> None:
        """Note that a table has moved: it is posted where it is now, and its message there points to it."""
        if board.message_id is not None:
            board.left_behind = channel_id, board.message_id
        board.message_id = board.posted_at = None

    def posted(self, table: Table, message_id: int, version: int) -> None:
        """Note the message that shows a table now."""
        board = self._board(table)
        board.message_id, board.posted_at, board.version = message_id, self._now(), version
        board.shows = None
        self._save_screen(board)
        self.moved(table)

    def updated(self, table: Table, version: int) -> None:
        """Note that an answer has brought the table's message up to date."""
        board = self._board(table)
        board.version, board.edited_at, board.shows = version, self._now(), None

    def may_repost(self, table: Table) -> bool:
        """Tell whether the last repost is long enough ago."""
        board = self._board(table)
        pause = timedelta(seconds=self._settings.repost_pause)
        return board.reposted_at is None or self._now() - board.reposted_at >= pause

    async def may_bring(self, table: Table) -> bool:
        """Tell whether somebody may have a table posted anew: now and then, and whenever it is not there."""
        board = self._board(table)
        if not self.may_repost(table) and board.message_id is not None and await self._is_gone(board):
            board.message_id = None
        return self.may_repost(table) or board.message_id is None

    def renew(self, table: Table) -> None:
        """Post a table anew whose message is old, lest Discord refuse its edits; tried once in an age."""
        board = self._board(table)
        board.renewed_at = self._now()
        board.unsure = True
        self._wake(board)

    def post_anew(self, table: Table) -> None:
        """Post a table at the bottom of its channel, soon, and remove the old one."""
        board = self._board(table)
        board.bring_down = True
        self._wake(board)

    async def close(self, within: float) -> None:
        """Finish what is being drawn, in so many seconds at most, and draw nothing more."""
        tasks = [task for board in self._boards.values() for task in (board.drawing, board.dealing) if task]
        if tasks:
            _, late = await asyncio.wait(tasks, timeout=within)
            log.info("left_undrawn", tasks=len(late))
            for task in late:
                task.cancel()
            await asyncio.gather(*late, return_exceptions=True)

    # --- the worker

    def _wake(self, board: Board) -> None:
        if board.ahead:
            return
        name = f"table {board.table.id}"
        if board.drawing is None and board.wants_drawing():
            board.drawing = asyncio.create_task(self._draw_on(board), name=f"screen of {name}")
        if board.dealing is None and board.undealt:
            board.dealing = asyncio.create_task(self._deal_on(board), name=f"hands of {name}")

    async def _draw_on(self, board: Board) -> None:
        """Draw the table's message until it shows the newest state; a failure that passes is tried again."""
        tries = 0
        try:
            while board.wants_drawing() and not board.ahead:
                await self._wait_for_turn(board)
                changes, board.undrawn = board.undrawn, []
                wanted, since = board.bring_down, board.changed_at
                board.bring_down = board.unsure = False
                try:
                    await self._draw(board, changes, wanted=wanted)
                except FAILURES as error:
                    log.warning("table_not_drawn", table=board.table.id, code=code_of(error))
                    board.changed_at = since
                    if code_of(error) == UNKNOWN_CHANNEL:
                        await self._vanished(board)
                    tries += 1
                    if is_passing(error) and tries <= MOST_TRIES:
                        board.undrawn[:0] = changes
                        board.bring_down, board.unsure = board.bring_down or wanted, True
                        await asyncio.sleep(self._settings.redraw_pause)
                except Exception:
                    log.exception("screen_failed", table=board.table.id)
                else:
                    tries = 0
                    self._was_drawn(board, since)
        except asyncio.CancelledError:
            board.undrawn, board.bring_down, board.unsure = [], False, False
            raise
        finally:
            board.drawing = None
        self._done(board)

    async def _deal_on(self, board: Board) -> None:
        """Draw the hands until none looks different; they are not held up by the table's message."""
        try:
            while board.undealt and not board.ahead:
                changes, board.undealt = board.undealt, []
                try:
                    await self._deal(board, changes)
                except FAILURES as error:
                    log.warning("hands_not_drawn", table=board.table.id, code=code_of(error))
                except Exception:
                    log.exception("hands_failed", table=board.table.id)
        except asyncio.CancelledError:
            board.undealt = []
            raise
        finally:
            board.dealing = None
        self._done(board)

    def _done(self, board: Board) -> None:
        idle = not (board.wants_drawing() or board.undealt or board.drawing or board.dealing)
        if idle and board.table.state.ended is not None and self._boards.get(board.table.id) is board:
            del self._boards[board.table.id]
            _ = self._tables.put_away(board.table, self._now())
        self._wake(board)

    def _was_drawn(self, board: Board, since: datetime | None) -> None:
        """Measure how long the oldest change drawn has waited, and how much of it for Discord's limits."""
        if since is not None:
            metrics.drawn(board.held, (self._now() - since).total_seconds() - board.held)
        board.held = 0.0
        if not board.undrawn:
            board.changed_at = None

    async def _wait_for_turn(self, board: Board) -> None:
        """Wait until the table's message may be edited again; what happens meanwhile is drawn with it."""
        if board.edited_at is not None:
            pause = self._settings.table_edit_delay
            if board.opened > board.version:
                pause = max(pause, self._settings.item_box_pause)
            due = board.edited_at + timedelta(seconds=pause)
            left = (due - self._now()).total_seconds()
            if left > 0:
                await asyncio.sleep(left)
                board.held += left

    async def _wait_in_line(self, board: Board) -> None:
        """Wait until all tables together may make another request: the end of a hand and the oldest first."""

        def since() -> datetime:
            state = board.table.state
            over = state.ended is not None or state.awaiting is Awaiting.DEAL
            return (board.changed_at or asked_at) - (HEAD_START if over else timedelta())

        asked_at = self._now()
        await self._pacing.turn(since)
        board.held += (self._now() - asked_at).total_seconds()
        board.changed_at = None

    async def _draw(self, board: Board, changes: list[Change], *, wanted: bool) -> None:
        state = board.table.state
        if state.ended == "vanished":
            return
        later = state.match is not None and state.match.hand_no > 1
        anew = wanted or (later and _new_hand(changes))
        if await self._should_repost(board, changes, wanted=anew):
            await self._post(board)
        elif (opening := self._opening(board, changes)) is not None:
            board.undrawn[:0] = changes
            await self._edit(board, opening)
        elif board.version != state.version:
            await self._edit(board)
        await self.take_back_offers(board)
        if board.table.state.ended is not None:
            await self.take_back_nudge(board)

    async def _deal(self, board: Board, changes: list[Change]) -> None:
        if _new_hand(changes) and board.drawing is not None:
            # The table is posted anew first, so that the hand lies below it.
            await asyncio.wait([board.drawing])
        state = board.table.state
        if state.match is None or state.ended == "vanished":
            return
        if state.ended is None and _new_hand(changes):
            await self._deliver(board, state)
        else:
            await self._refresh(board, state, changes)

    async def _should_repost(self, board: Board, changes: list[Change], *, wanted: bool) -> bool:
        settings, now = self._settings, self._now()
        if board.message_id is None or board.posted_at is None:
            return True
        age = (now - board.posted_at).total_seconds()
        if age >= settings.repost_before:
            return True
        if not self.may_repost(board.table):
            return False
        if wanted:
            return True
        turn_began = any(_turn(change.before) != _turn(change.after) for change in changes)
        if not turn_began or age < settings.repost_after:
            return False
        if board.looked_at is not None and (now - board.looked_at).total_seconds() < settings.repost_pause:
            return False
        board.looked_at = now
        return await self._has_scrolled(board)

    async def _has_scrolled(self, board: Board) -> bool:
        self.calls["history"] += 1
        channel = self._channel(board)
        assert board.message_id is not None
        try:
            async for message in channel.history(limit=2, after=discord.Object(board.message_id)):
                # A nudge of the bot's own does not push the table away.
                if message.id != board.nudge_id:
                    return True
        except FAILURES as error:
            log.info("history_unread", table=board.table.id, code=code_of(error))
        return False

    async def _is_gone(self, board: Board) -> bool:
        """Ask whether somebody has deleted the table's message; no event tells."""
        assert board.message_id is not None
        self.calls["look"] += 1
        try:
            async with asyncio.timeout(LOOK_WITHIN):
                await self._channel(board).get_partial_message(board.message_id).fetch()
        except FAILURES as error:
            return code_of(error) == UNKNOWN_MESSAGE
        return False

    def _opening(self, board: Board, changes: list[Change]) -> discord.ui.LayoutView | None:
        """Draw a Wild Item Box that lies there unopened: once, and only if nothing came after it."""
        if not self._settings.item_box_pause or len(changes) != 1:
            return None
        (change,) = changes
        version = change.after.version
        if change.after is not board.table.state or not board.opened < version != board.version:
            return None
        opening = self._painter.opening(change)
        if opening is not None:
            board.opened = version
        return opening

    async def _edit(self, board: Board, opening: discord.ui.LayoutView | None = None) -> None:
        """Draw the newest state on the table's message, or what is shown a moment before it."""
        state = board.table.state
        shown = None if opening else components_of(self._painter.board(board.table.id, state))
        if board.version and shown == board.shows:
            board.version = state.version
            return
        self.calls["table_edit"] += 1
        await self._wait_in_line(board)
        if board.message_id is None:  # it has moved meanwhile
            await self._post(board)
            return
        # Whatever came meanwhile leaves no time for the moment before.
        opening = opening if board.table.state is state else None
        state = board.table.state
        view = opening or self._painter.board(board.table.id, state)
        shows = components_of(view)
        message = self._channel(board).get_partial_message(board.message_id)
        try:
            await message.edit(view=view)
        except discord.HTTPException as error:
            # A message posted into an archived thread opens it again; an edit does not.
            if error.code not in (UNKNOWN_MESSAGE, TOO_OLD_TO_EDIT, ARCHIVED):
                raise
            log.info("table_posted_anew", table=board.table.id, code=error.code)
            await self._post(board)
            return
        board.version = state.version if opening is None else 0
        board.edited_at, board.shows = self._now(), shows

    async def _post(self, board: Board) -> None:
        self.calls["table_post"] += 1
        await self._wait_in_line(board)
        channel, old = self._channel(board), board.message_id
        state = board.table.state
        view = self._painter.board(board.table.id, state)
        message = await channel.send(view=view)
        board.bring_down = False  # whoever wants it down here has it
        board.reposted_at = board.edited_at = self._now()
        self.posted(board.table, message.id, state.version)
        board.shows = components_of(view)
        if board.left_behind is not None:
            await self._point(board, state)
        if old is not None:
            self.calls["table_delete"] += 1
            try:
                await channel.get_partial_message(old).delete()
            except FAILURES as error:
                log.info("old_table_stays", table=board.table.id, code=code_of(error))

    async def _point(self, board: Board, state: State) -> None:
        """Let the message of a table that has moved say where it is."""
        assert board.left_behind is not None
        (channel_id, message_id), board.left_behind = board.left_behind, None
        channel = self._client.get_partial_messageable(channel_id, guild_id=board.table.guild_id)
        link = f"<#{board.table.channel_id}>"
        view = replies.plain(replies.lobby_is_in(text_for(state.terms.locale), link))
        self.calls["table_edit"] += 1
        try:
            await channel.get_partial_message(message_id).edit(view=view)
        except FAILURES as error:
            log.info("no_pointer", table=board.table.id, code=code_of(error))


def components_of(view: discord.ui.LayoutView) -> list[dict[str, Any]]:
    """Write a message's components as they are sent."""
    components: list[dict[str, Any]] = view.to_components()  # type: ignore[no-untyped-call]  # discord.py's
    return components


def _new_hand(changes: list[Change]) -> bool:
    return any(isinstance(event, HandStarted) for change in changes for event in change.events)


def _turn(state: State) -> tuple[int, int]:
    """Tell whose turn it is, and in which hand."""
    return (0, -1) if state.match is None else (state.match.hand_no, state.match.turn)
