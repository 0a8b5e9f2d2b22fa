"""The private hands: through which token each is reached, which of them a change has made look different."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import discord
import structlog

from bot.messages.notices import Notices
from bot.messages.tracker import (
    BAD_TOKEN,
    FAILURES,
    UNKNOWN_MESSAGE,
    UNKNOWN_WEBHOOK,
    Drawn,
    Tracked,
    code_of,
    drawn,
    is_passing,
)
from bot.model.state import State
from bot.store import HandToken, Save
from bot.tables import Change, Table
from bot.ui.text import events as event_text
from bot.ui.text import replies
from bot.ui.text.translation import text_for
from engine.events import Event

log = structlog.get_logger(__name__)


class Hands(Notices):
    """The hands of all players."""

    def holds(self, table: Table, token: HandToken, hand: Drawn | None) -> None:
        """Note the token through which a hand is reached, and what it shows.

        Only once its interaction was answered: until then it reaches nothing, and what the one before it
        reached would be lost.
        """
        tracked = self._tracked(table)
        tracked.hands[token.user_id] = token
        if hand is not None:
            tracked.drawn[token.user_id] = hand
        self._submit(Save(tokens=(token,)))
        self._plan_nudge(table)

    async def _refresh(self, tracked: Tracked, state: State, changes: list[Change]) -> None:
        """Draw the hands anew in which something is different after these changes."""
        seats: set[int] = set()
        for change in changes:
            seats |= self._unseen(tracked, state) if change.before is change.after else _stirred(change)
        for seat, user_id in state.seated_people.items():
            if seat in seats and tracked.drawn.get(user_id) != drawn(state, seat):
                events = [event for change in changes for event in change.events]
                await self._draw_hand(tracked, state, seat, events)

    def _unseen(self, tracked: Tracked, state: State) -> set[int]:
        """Find whose hand may be old after a sudden stop: who pressed nothing since this decision began.

        Nothing moves under the thumb of those who did.
        """
        tokens = {seat: tracked.hands.get(user_id) for seat, user_id in state.seated_people.items()}
        return {seat for seat, token in tokens.items() if token and token.issued_at < state.began_at}

    async def _deliver(self, tracked: Tracked, state: State) -> None:
        """Give every player the new hand who has not seen it; whoever cannot be reached is named once."""
        unreached = []
        for seat, user_id in state.seated_people.items():
            if tracked.drawn.get(user_id) == drawn(state, seat):
                continue
            if not await self._draw_hand(tracked, state, seat, anew=True):
                unreached.append(user_id)
        if unreached:
            self.calls["ping"] += 1
            people = [discord.Object(user_id) for user_id in unreached]
            mentions = [f"<@{user_id}>" for user_id in unreached]
            sentence = replies.fetch_your_hand(text_for(state.options.locale), mentions)
            await self._channel(tracked).send(
                sentence, allowed_mentions=discord.AllowedMentions(users=people)
            )

    async def _draw_hand(
        self, tracked: Tracked, state: State, seat: int, events: Sequence[Event] = (), *, anew: bool = False
    ) -> bool:
        """Draw a hand through its newest token; False where there is none that Discord still knows.

        `anew`: as a new message, at the bottom of the channel, where the last one is far above by now.
        """
        user_id = state.seated_people[seat]
        token = tracked.hands.get(user_id)
        if token is None or token.channel_id != tracked.table.channel_id:
            return False
        if (self._now() - token.issued_at).total_seconds() >= self._settings.token_life:
            return False
        text = text_for(token.locale)
        note = event_text.drawn(text, events, seat)
        view = self._renderer.hand(tracked.table.id, state, seat, text, note=note)
        try:
            message_id = await self._send_hand(replace(token, message_id=None) if anew else token, view)
        except FAILURES as error:
            code = code_of(error)
            if code not in (BAD_TOKEN, UNKNOWN_WEBHOOK, UNKNOWN_MESSAGE):
                log.warning("hand_not_drawn", table=tracked.table.id, seat=seat, code=code)
            if not is_passing(error) and tracked.hands.get(user_id) is token:
                del tracked.hands[user_id]
            return False
        if message_id is None:
            return False
        if message_id != token.message_id and tracked.hands.get(user_id) is token:
            now_known = replace(token, message_id=message_id)
            self.holds(tracked.table, now_known, None)
        tracked.drawn[user_id] = drawn(state, seat)
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


def _stirred(change: Change) -> set[int]:
    """Find the seats whose hand looks different now: whose turn it is or was, whose cards changed."""
    before, after = change.before.match, change.after.match
    if before is None or after is None:
        return set()
    if change.before.ended != change.after.ended:
        return set(after.game.seated())
    if change.before.paused_at != change.after.paused_at:
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
