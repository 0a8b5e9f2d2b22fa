"""All that is sent outside an answer: per table one worker that draws the newest state.

It owns the tables' message ids and the tokens through which hands are reached, puts edits together, posts a
table anew when it has scrolled away, and knows what Discord's error codes mean. A worker is a task that
begins when there is something to draw and ends when there is not.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

import discord
import structlog

from bot import show
from bot.settings import Settings
from bot.state import State
from bot.store import HandToken, Save, ScreenRecord, Store
from bot.tables import Change, Table, Tables
from bot.ui import narrate
from bot.ui.emoji import Emojis
from bot.ui.replies import fetch_your_hand
from bot.ui.text import text_for
from engine.events import Event, HandStarted

log = structlog.get_logger(__name__)

UNKNOWN_CHANNEL, UNKNOWN_MESSAGE, UNKNOWN_WEBHOOK = 10003, 10008, 10015
MISSING_ACCESS, MISSING_PERMISSIONS, BAD_TOKEN = 50001, 50013, 50027
TOO_OLD_TO_EDIT, ARCHIVED = 30046, 50083

#: A hand as it was last drawn: the decision awaited and the cards.
Drawn = tuple[int, tuple[int, ...]]


@dataclass(slots=True)
class Board:
    """What is on screen of one table; `version` is that of the state drawn last.

    `unsure`: the bot was started anew and may have stopped between a save and the drawing of it.
    """

    table: Table
    message_id: int | None = None
    posted_at: datetime | None = None
    reposted_at: datetime | None = None
    looked_at: datetime | None = None
    edited_at: datetime | None = None
    version: int = 0
    hands: dict[int, HandToken] = field(default_factory=dict)
    drawn: dict[int, Drawn] = field(default_factory=dict)
    pending: list[Change] = field(default_factory=list)
    bring_down: bool = False
    unsure: bool = False
    answering: int = 0
    task: asyncio.Task[None] | None = None

    def wants_drawing(self) -> bool:
        """Tell whether there is something to draw."""
        return bool(self.pending) or self.bring_down or self.unsure


def drawn(state: State, seat: int) -> Drawn:
    """Tell what a hand drawn now would show."""
    assert state.match is not None
    return state.match.decision, tuple(sorted(state.match.game.hands[seat]))


class Screens:
    """The screens of all tables."""

    def __init__(
        self,
        client: discord.Client,
        tables: Tables,
        store: Store,
        emojis: Emojis,
        settings: Settings,
        now: Callable[[], datetime],
    ) -> None:
        self._client = client
        self._tables = tables
        self._store = store
        self._emojis = emojis
        self._settings = settings
        self._now = now
        self._boards: dict[int, Board] = {}
        #: Requests made, by kind.
        self.calls: Counter[str] = Counter()

    async def load(self) -> None:
        """Learn again where the live tables are shown and how their hands are reached."""
        await self._store.forget_old_tokens(self._now())
        for table in self._tables.live():
            board = self._board(table)
            if (screen := await self._store.screen(table.id)) is not None:
                board.message_id, board.posted_at = screen.message_id, screen.posted_at
            board.version, board.unsure = -1, True
            for token in await self._store.tokens(table.id):
                board.hands[token.user_id] = token

    def _board(self, table: Table) -> Board:
        return self._boards.setdefault(table.id, Board(table))

    # --- what others tell

    @contextmanager
    def answering(self, table: Table) -> Iterator[None]:
        """Hold back the drawing of a table until the click being answered is answered."""
        board = self._board(table)
        board.answering += 1
        try:
            yield
        finally:
            board.answering -= 1
            self._wake(board)

    def changed(self, change: Change) -> None:
        """Draw what changed, soon."""
        board = self._board(change.table)
        board.pending.append(change)
        self._wake(board)

    def posted(self, table: Table, message_id: int, version: int) -> None:
        """Note the message that shows a table now."""
        board = self._board(table)
        board.message_id, board.posted_at, board.version = message_id, self._now(), version
        self._submit(Save(screen=ScreenRecord(table.id, table.channel_id, message_id, self._now())))

    def updated(self, table: Table, version: int) -> None:
        """Note that an answer has brought the table's message up to date."""
        board = self._board(table)
        board.version, board.edited_at = version, self._now()

    def holds(self, table: Table, token: HandToken, hand: Drawn | None, *, saved: bool = False) -> None:
        """Note the token through which a hand is reached, and what it shows."""
        board = self._board(table)
        board.hands[token.user_id] = token
        if hand is not None:
            board.drawn[token.user_id] = hand
        if not saved:
            self._submit(Save(tokens=(token,)))

    def may_repost(self, table: Table) -> bool:
        """Tell whether the last repost is long enough ago."""
        board = self._board(table)
        pause = timedelta(seconds=self._settings.repost_pause)
        return board.reposted_at is None or self._now() - board.reposted_at >= pause

    def post_anew(self, table: Table) -> None:
        """Post a table at the bottom of its channel, soon, and remove the old one."""
        board = self._board(table)
        board.bring_down = True
        self._wake(board)

    def _submit(self, save: Save) -> None:
        self._store.submit(save).add_done_callback(_log_failure)

    async def close(self) -> None:
        """Finish what is being drawn."""
        tasks = [board.task for board in self._boards.values() if board.task is not None]
        await asyncio.gather(*tasks, return_exceptions=True)

    # --- the worker

    def _wake(self, board: Board) -> None:
        if board.answering or board.task is not None or not board.wants_drawing():
            return
        board.task = asyncio.create_task(self._work(board), name=f"screens of table {board.table.id}")

    async def _work(self, board: Board) -> None:
        try:
            while board.wants_drawing() and not board.answering:
                await self._wait_for_turn(board)
                changes, board.pending = board.pending, []
                try:
                    await self._draw(board, changes)
                except discord.HTTPException as error:
                    log.warning(
                        "screen_not_drawn", table=board.table.id, code=error.code, status=error.status
                    )
                except Exception:
                    log.exception("screen_failed", table=board.table.id)
        except asyncio.CancelledError:
            board.pending, board.bring_down, board.unsure = [], False, False
            raise
        finally:
            board.task = None
            if board.table.state.ended is not None and not board.pending:
                self._boards.pop(board.table.id, None)
            self._wake(board)

    async def _wait_for_turn(self, board: Board) -> None:
        """Wait until the table's message may be edited again; what happens meanwhile is drawn with it."""
        if board.edited_at is not None:
            due = board.edited_at + timedelta(seconds=self._settings.table_edit_delay)
            left = (due - self._now()).total_seconds()
            if left > 0:
                await asyncio.sleep(left)

    async def _draw(self, board: Board, changes: list[Change]) -> None:
        state = board.table.state
        new_hand = any(isinstance(event, HandStarted) for change in changes for event in change.events)
        anew = board.bring_down or (new_hand and state.match is not None and state.match.hand_no > 1)
        board.bring_down = board.unsure = False
        try:
            if await self._should_repost(board, changes, wanted=anew):
                await self._post(board, state)
            elif board.version != state.version:
                await self._edit(board, state)
        except discord.HTTPException as error:
            # The next change draws it; the hands below go another way and are not held up.
            log.warning("table_not_drawn", table=board.table.id, code=error.code, status=error.status)
        if state.match is None or state.ended not in (None, "won"):
            return
        if new_hand:
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
            async for _ in channel.history(limit=1, after=discord.Object(board.message_id)):
                return True
        except discord.HTTPException as error:
            log.info("history_unread", table=board.table.id, code=error.code)
        return False

    def _channel(self, board: Board) -> discord.PartialMessageable:
        return self._client.get_partial_messageable(board.table.channel_id, guild_id=board.table.guild_id)

    async def _edit(self, board: Board, state: State) -> None:
        assert board.message_id is not None
        self.calls["table_edit"] += 1
        message = self._channel(board).get_partial_message(board.message_id)
        try:
            await message.edit(view=show.board(board.table.id, state, self._emojis))
        except discord.HTTPException as error:
            # A message posted into an archived thread opens it again; an edit does not.
            if error.code not in (UNKNOWN_MESSAGE, TOO_OLD_TO_EDIT, ARCHIVED):
                raise
            log.info("table_posted_anew", table=board.table.id, code=error.code)
            await self._post(board, state)
            return
        board.version, board.edited_at = state.version, self._now()

    async def _post(self, board: Board, state: State) -> None:
        channel = self._channel(board)
        old = board.message_id
        self.calls["table_post"] += 1
        message = await channel.send(view=show.board(board.table.id, state, self._emojis))
        board.reposted_at = board.edited_at = self._now()
        self.posted(board.table, message.id, state.version)
        if old is not None:
            self.calls["table_delete"] += 1
            try:
                await channel.get_partial_message(old).delete()
            except discord.HTTPException as error:
                log.info("old_table_stays", table=board.table.id, code=error.code)

    # --- the hands

    async def _refresh(self, board: Board, state: State, changes: list[Change]) -> None:
        """Draw the hands anew in which something is different after these changes."""
        seats: set[int] = set()
        for change in changes:
            seats |= _stirred(change)
        for seat in sorted(seats):
            user_id = state.people[seat].user_id
            if state.seat_of(user_id) is not None and board.drawn.get(user_id) != drawn(state, seat):
                events = [event for change in changes for event in change.events]
                await self._draw_hand(board, state, seat, events)

    async def _deliver(self, board: Board, state: State) -> None:
        """Give every player the new hand who has not seen it; whoever cannot be reached is named once."""
        assert state.match is not None
        unreached = []
        for seat in state.match.game.seated():
            user_id = state.people[seat].user_id
            if board.drawn.get(user_id) == drawn(state, seat):
                continue
            if not await self._draw_hand(board, state, seat):
                unreached.append(user_id)
        if unreached:
            self.calls["ping"] += 1
            people = [discord.Object(user_id) for user_id in unreached]
            mentions = " ".join(f"<@{user_id}>" for user_id in unreached)
            sentence = fetch_your_hand(text_for(state.locale), mentions)
            await self._channel(board).send(sentence, allowed_mentions=discord.AllowedMentions(users=people))

    async def _draw_hand(self, board: Board, state: State, seat: int, events: Sequence[Event] = ()) -> bool:
        """Draw a hand through its newest token; False where there is none that Discord still knows."""
        user_id = state.people[seat].user_id
        token = board.hands.get(user_id)
        if token is None or token.channel_id != board.table.channel_id:
            return False
        if (self._now() - token.issued_at).total_seconds() >= self._settings.token_life:
            return False
        text = text_for(token.locale)
        note = narrate.drawn(text, events, seat)
        view = show.private_hand(board.table.id, state, seat, text, self._emojis, note=note)
        try:
            message_id = await self._send_hand(token, view)
        except discord.HTTPException as error:
            if error.code not in (BAD_TOKEN, UNKNOWN_WEBHOOK, UNKNOWN_MESSAGE):
                log.warning("hand_not_drawn", table=board.table.id, seat=seat, code=error.code)
            if board.hands.get(user_id) is token:
                del board.hands[user_id]
            return False
        if message_id is None:
            return False
        if message_id != token.message_id and board.hands.get(user_id) is token:
            now_known = replace(token, message_id=message_id)
            self.holds(board.table, now_known, None)
        board.drawn[user_id] = drawn(state, seat)
        return True

    async def _send_hand(self, token: HandToken, view: discord.ui.LayoutView) -> int | None:
        """Edit the hand that belongs to a token, or send one through it.

        That a click's token edits the message it updated is not documented; nothing else relies on it.
        """
        assert self._client.application_id is not None
        webhook = discord.Webhook.partial(self._client.application_id, token.token, client=self._client)
        # A partial webhook takes itself for a channel's own, which cannot send what one person alone sees.
        webhook.type = discord.WebhookType.application
        if token.message_id is not None:
            self.calls["hand_refresh"] += 1
            await webhook.edit_message(token.message_id, view=view)
            return token.message_id
        self.calls["hand_send"] += 1
        message = await webhook.send(view=view, ephemeral=True, wait=True)
        if not message.flags.ephemeral:
            log.error("hand_was_public", table=token.table_id)
            await message.delete()
            return None
        return message.id


def _turn(state: State) -> tuple[int, int]:
    """Tell whose turn it is, and in which hand."""
    return (0, -1) if state.match is None else (state.match.hand_no, state.match.turn)


def _stirred(change: Change) -> set[int]:
    """Find the seats whose hand looks different now: whose turn it is or was, whose cards changed."""
    before, after = change.before.match, change.after.match
    if before is None or after is None:
        return set()
    # While the number holds nothing may move under a thumb, after a restart neither.
    turns = () if before.decision == after.decision else (before.turn, after.turn)
    seats = {seat for seat in turns if seat >= 0}
    for seat, (old, new) in enumerate(zip(before.game.hands, after.game.hands, strict=False)):
        if sorted(old) != sorted(new):
            seats.add(seat)
    return {seat for seat in seats if not after.game.out[seat]}


def _log_failure(done: asyncio.Future[bool]) -> None:
    if not done.cancelled() and (error := done.exception()) is not None:
        log.warning("screen_not_saved", problem=type(error).__name__)
