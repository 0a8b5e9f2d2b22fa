"""The private hands: the token through which each is reached, and which of them a change made stale.

Each hand is refreshed by a task of its own, so that a request that fails or hangs holds up no other.
"""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from typing import Final

import discord
import structlog

from bot.messages.notices import Notices
from bot.messages.requests import (
    BAD_TOKEN,
    FAILURES,
    UNKNOWN_MESSAGE,
    UNKNOWN_WEBHOOK,
    Failing,
    code_of,
    is_passing,
    is_refusal,
    within,
)
from bot.messages.tidying import REFUSED_PAUSE
from bot.messages.tracker import RenderedHand, StaleHand, Tracked, rendered_hand
from bot.model.ending import Ending
from bot.model.state import State
from bot.store import HandToken, Save
from bot.tables import Change, Table, hand_so_far
from bot.ui.screens.asides import Log, Step
from bot.ui.text import notes, replies
from bot.ui.text.translation import text_for
from engine.events import Event, HandStarted

log = structlog.get_logger(__name__)

#: How long a new hand waits for the table to be posted above it, in seconds.
TABLE_FIRST: Final = 1.0
#: A token is saved again if the one saved for the same hand is so much older: a press of a card is then one
#: commit, that of the move, and a hand is reached after a sudden stop all the same.
SAVED_AGAIN: Final = timedelta(seconds=60)
_GONE: Final = (BAD_TOKEN, UNKNOWN_WEBHOOK, UNKNOWN_MESSAGE)


class Hands(Notices):
    """The hands of all players."""

    def holds(
        self,
        table: Table,
        token: HandToken,
        hand: RenderedHand | None,
        aside: Step | Log | None = None,
        *,
        saved: bool = False,
    ) -> None:
        """Remember the token through which a hand is reached, what the hand shows, and what hides its cards.

        Call this after its interaction was answered. Before that the token reaches nothing, and the hand of
        the previous token would be lost. `saved` is whether it was saved with what the interaction changed.
        """
        tracked = self._tracked(table)
        old, tracked.hands[token.user_id] = tracked.hands.get(token.user_id), token
        if old is not None and old.message_id is not None and token.message_id not in (None, old.message_id):
            self._replace_copy(tracked, old)
        if token.message_id is not None:
            tracked.sent(token.message_id)
        if hand is not None:
            tracked.rendered_hands[token.user_id] = hand
            tracked.asides.pop(token.user_id, None)
            if aside is not None:
                tracked.asides[token.user_id] = aside
        if saved:
            tracked.saved[token.user_id] = token
        elif not _serves(tracked.saved.get(token.user_id), token):
            self._save_tokens(tracked, [token])
        self._plan_calls(table)

    def _save_tokens(self, tracked: Tracked, tokens: list[HandToken]) -> None:
        tracked.saved.update({token.user_id: token for token in tokens})
        _ = self._submit(Save(tokens=tuple(tokens)))

    def _save_newest_tokens(self) -> None:
        """Save all tokens that are newer than the saved ones, before the bot stops."""
        for tracked in self._all.values():
            newer = [token for user, token in tracked.hands.items() if tracked.saved.get(user) is not token]
            if newer:
                self._save_tokens(tracked, newer)

    def speak(self, user_id: int, locale: str) -> None:
        """Refresh the hands of somebody in another language from now on."""
        for tracked in self._all.values():
            if (token := tracked.hands.get(user_id)) is not None:
                self.holds(tracked.table, replace(token, locale=locale), None)

    def _replace_copy(self, tracked: Tracked, old: HandToken) -> None:
        """Say in the former copy of a hand that there is another one, as long as its token lives."""
        life = timedelta(seconds=self._settings.token_life)
        if self._now() - old.issued_at < life:
            self._requests.aside(self._say_replaced(tracked, old), "former copy of a hand")

    async def _say_replaced(self, tracked: Tracked, old: HandToken) -> None:
        assert old.message_id is not None
        view = replies.plain(replies.hand_is_elsewhere(text_for(old.locale)))
        edit = self._webhook(old).edit_message(old.message_id, view=view)
        try:
            await self._requests.make("hand_replaced", edit)
        except FAILURES as error:
            log.info("former_hand_stays", table=tracked.table.id, code=code_of(error))

    # --- which hands are stale

    def _make_stale(self, tracked: Tracked, change: Change) -> None:
        """Note which hands look different after a change, that of the player it waits for first."""
        after = change.after
        if after.match is None or after.ended is Ending.VANISHED:
            return
        new_hand = after.ended is None and any(isinstance(event, HandStarted) for event in change.events)
        if change.before is change.after:
            seats = self._unseen(tracked, after)
        elif new_hand:
            seats = set(after.seated_people)
            tracked.called = after.match.decision  # who cannot be reached is called to the new hand
        else:
            seats = _stirred(change)
        turn = after.match.turn
        for seat, user_id in sorted(after.seated_people.items(), key=lambda entry: entry[0] != turn):
            if seat in seats:
                stale = tracked.stale.setdefault(user_id, StaleHand())
                stale.as_new |= new_hand
                stale.events += change.events
                stale.retry_at = None

    @staticmethod
    def _unseen(tracked: Tracked, state: State) -> set[int]:
        """Return the seats whose hand may be stale after a sudden stop: no press since the decision began.

        Nothing moves under the thumb of the others.
        """
        tokens = {seat: tracked.hands.get(user_id) for seat, user_id in state.seated_people.items()}
        return {seat for seat, token in tokens.items() if token and token.issued_at < state.clock.began_at}

    # --- refreshing

    def _wake_hands(self, tracked: Tracked) -> None:
        """Start a task for each stale hand that has none, and is not waiting after a failure."""
        for user_id, stale in tracked.stale.items():
            if user_id not in tracked.refreshing and stale.retry_at is None:
                work = self._keep_refreshing(tracked, user_id)
                name = f"hand at table {tracked.table.id}"
                tracked.refreshing[user_id] = asyncio.create_task(work, name=name)

    async def _keep_refreshing(self, tracked: Tracked, user_id: int) -> None:
        """Refresh one hand until it is not stale, or a try fails."""
        try:
            while user_id in tracked.stale and not tracked.ahead:
                stale = tracked.stale.pop(user_id)
                if stale.as_new and stale.failing is None and tracked.rendering is not None:
                    # The table is reposted first, so that the hand lies below it.
                    await asyncio.wait([tracked.rendering], timeout=TABLE_FIRST)
                if not await self._try_refresh(tracked, user_id, stale):
                    break
        except Exception:
            log.exception("refresh_failed", table=tracked.table.id)
        finally:
            del tracked.refreshing[user_id]
        if tracked.unreached and not tracked.refreshing:
            unreached, tracked.unreached = tracked.unreached, []
            self._requests.aside(self._call(tracked, unreached), "call to new hands")
        self._done(tracked)

    async def _try_refresh(self, tracked: Tracked, user_id: int, stale: StaleHand) -> bool:
        """Refresh a hand that is still stale. Returns False if that failed and is to be tried later."""
        state, begun = tracked.table.state, self._now()
        seat = next((seat for seat, user in state.seated_people.items() if user == user_id), None)
        if seat is None or state.match is None or state.ended is Ending.VANISHED:
            return True
        if tracked.rendered_hands.get(user_id) == rendered_hand(state, seat):
            return True
        stale.as_new = stale.as_new and state.ended is None
        token = self._usable_token(tracked, user_id)
        try:
            reached = token is not None and await self._refresh_hand(tracked, state, seat, token, stale)
        except FAILURES as error:
            log.warning("hand_not_refreshed", table=tracked.table.id, seat=seat, code=code_of(error))
            stale.failing = Failing.again(stale.failing, begun)
            stale.refused = is_refusal(error)
            stale.retry_at = begun + REFUSED_PAUSE if stale.refused else stale.failing.retry_at(begun)
            if (newer := tracked.stale.get(user_id)) is not None:
                stale.as_new |= newer.as_new
                stale.events += newer.events
                stale.retry_at = newer.retry_at
            tracked.stale[user_id] = stale
            self._note_pending(tracked, pending=True)
            self._plan_refresh(tracked, user_id)
            return stale.retry_at is None
        if not reached:
            if stale.as_new:
                tracked.unreached.append(user_id)
            else:
                self._plan_nudge(tracked.table)
        return True

    def _plan_refresh(self, tracked: Tracked, user_id: int) -> None:
        """Schedule the next try of a hand."""
        stale = tracked.stale.get(user_id)
        when = None if stale is None else stale.retry_at
        key = ("hand", tracked.table.id, user_id)
        self._scheduler.at(key, when, partial(self._retry_hand, tracked, user_id))

    async def _retry_hand(self, tracked: Tracked, user_id: int, now: datetime) -> None:
        """Try to refresh a hand again."""
        if (stale := tracked.stale.get(user_id)) is not None:
            stale.retry_at = None
            self._wake(tracked)

    async def _refresh_hand(
        self, tracked: Tracked, state: State, seat: int, token: HandToken, stale: StaleHand
    ) -> bool:
        """Refresh a hand through a token. Returns False if it reaches nothing; raises what may change."""
        user_id = token.user_id
        text = text_for(token.locale).beside(text_for(state.options.locale))
        note = notes.note(text, self._renderer.emojis, stale.events, seat, state.seating.names)
        if stale.as_new:
            tracked.asides.pop(user_id, None)
        step = tracked.asides.get(user_id, Step.MAIN)
        if isinstance(step, Log):
            step = replace(step, events=await self._history(tracked.table))
        view = self._renderer.hand(tracked.table.id, state, seat, text, step=step, note=note)
        try:
            message_id = await self._send_hand(token, view, stale)
        except FAILURES as error:
            if code_of(error) not in _GONE and (is_passing(error) or is_refusal(error)):
                raise
            if code_of(error) not in _GONE:
                log.warning("hand_not_refreshed", table=tracked.table.id, seat=seat, code=code_of(error))
            if tracked.hands.get(user_id) is token:
                del tracked.hands[user_id]
            return False
        if message_id is None:
            return False
        if message_id != token.message_id and tracked.hands.get(user_id) is token:
            self.holds(tracked.table, replace(token, message_id=message_id), None)
        tracked.rendered_hands[user_id] = rendered_hand(state, seat)
        return True

    async def _history(self, table: Table) -> tuple[Event, ...]:
        """Return all events of the hand, those that the table remembers where they cannot be read."""
        try:
            return await hand_so_far(self._store, table)
        except Exception:  # whatever is wrong with the store, the hand says whose turn it is
            log.exception("hand_not_read", table=table.id)
            return table.state.log.recent

    def _webhook(self, token: HandToken) -> discord.Webhook:
        """Return what edits and sends through a token."""
        assert self._client.application_id is not None
        webhook = discord.Webhook.partial(self._client.application_id, token.token, client=self._client)
        # A partial webhook takes itself for a channel's own, which cannot send what one person alone sees.
        webhook.type = discord.WebhookType.application
        return webhook

    async def _send_hand(self, token: HandToken, view: discord.ui.LayoutView, stale: StaleHand) -> int | None:
        """Edit the hand of a token, or send one through it.

        It is not documented that the token of a press edits the message it updated. Only this relies on it.
        """
        webhook = self._webhook(token)
        most, needed = within(stale.failing), stale.failing is None
        if token.message_id is not None and not stale.as_new:
            edit = webhook.edit_message(token.message_id, view=view)
            await self._requests.make("hand_refresh", edit, within=most, needed=needed)
            return token.message_id
        send = webhook.send(view=view, ephemeral=True, wait=True)
        message = await self._requests.make("hand_send", send, within=most, needed=needed)
        if not message.flags.ephemeral:
            log.error("hand_was_public", table=token.table_id)
            self._leave_behind(self._all[token.table_id], message.id)
            return None
        return message.id


def _serves(saved: HandToken | None, token: HandToken) -> bool:
    """Whether a hand is still reached by a saved token, so that the newer one need not be saved yet."""
    return (
        saved is not None
        and (saved.message_id, saved.locale) == (token.message_id, token.locale)
        and token.issued_at - saved.issued_at < SAVED_AGAIN
    )


def _stirred(change: Change) -> set[int]:
    """Return the seats whose hand looks different now: the turn came or went, or the cards changed."""
    before, after = change.before.match, change.after.match
    if before is None or after is None:
        return set()
    if change.before.ended != change.after.ended:
        return set(after.game.seated())
    if change.before.clock.paused_at != change.after.clock.paused_at:
        return {after.turn}
    if before.game.end is None and after.game.end is not None:
        return set(after.game.seated())
    # While the number holds nothing may move under a thumb, after a restart neither.
    turns = () if before.decision == after.decision else (before.turn, after.turn)
    seats = {seat for seat in turns if seat >= 0}
    for seat, (old, new) in enumerate(zip(before.game.hands, after.game.hands, strict=False)):
        if sorted(old) != sorted(new):
            seats.add(seat)
    return {seat for seat in seats if not after.game.out[seat]}
