"""What is said in a channel beside the table: nudges, and that a table could not be brought back."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

import discord
import structlog

from bot.messages.tracker import FAILURES, UNKNOWN_CHANNEL, UNKNOWN_MEMBER, Tracked, Tracker, code_of
from bot.model.agenda import nudge_at
from bot.model.ending import Ending
from bot.model.state import Person
from bot.tables import Click, Table
from bot.ui.kit.custom_ids import CustomId, Verb
from bot.ui.screens.lobby import closed_screen
from bot.ui.screens.seat_offer import offer_screen
from bot.ui.text import replies
from bot.ui.text.translation import safe_name, text_for
from engine.awaiting import NO_SEAT

log = structlog.get_logger(__name__)


class Notices(Tracker):
    """What is said beside the tables."""

    async def apologise(self, broken: Sequence[Table]) -> None:
        """Tell in their channels that tables could not be brought back, instead of them where they stood."""
        for table in broken:
            tracked = Tracked(table)
            if (screen := await self._store.screen(table.id)) is not None:
                tracked.message_id = screen.message_id
            text = text_for(table.state.options.locale)
            view = closed_screen(text, replies.closed(text, Ending.UNREADABLE))
            try:
                if tracked.message_id is None:
                    await self._channel(tracked).send(view=view)
                else:
                    message = self._channel(tracked).get_partial_message(tracked.message_id)
                    await message.edit(view=view)
            except FAILURES as error:
                log.info("apology_not_sent", table=table.id, code=code_of(error))

    def _plan_nudge(self, table: Table, *, overdue_until: datetime | None = None) -> None:
        """Wait until the one a table waits for is to be nudged; an overdue nudge may wait longer."""
        state, when = table.state, None
        if state.match is not None and self._tables.get(table.id) is table:
            turn = state.match.turn
            seen = None if turn == NO_SEAT else self.last_seen(table, turn)
            when = nudge_at(state, self._tables.pace, seen)
        if when is not None and overdue_until is not None and when < self._now():
            when = overdue_until
        self._scheduler.at(("nudge", table.id), when, lambda now: self._nudge(table, now))

    async def _nudge(self, table: Table, now: datetime) -> None:
        """Nudge the one a table waits for, if they want it; somebody no longer on the server is taken out.

        There is one such message at a time: the last one is deleted.
        """
        change = await self._tables.nudged(table, now)
        if change is None or change.after.match is None:
            return
        state, tracked = change.after, self._tracked(table)
        seat = change.after.match.turn
        user_id = state.seated_people[seat]
        if not await self._is_member(table, user_id):
            await self._tables.lost(table, user_id, Click.of_the_clock(now))
            return
        wish = await self._store.nudges(user_id) or (await self._guild_settings.get(table.guild_id)).nudges
        seen = self.last_seen(table, seat)
        away = seen is None or (now - seen).total_seconds() >= self._settings.away_time
        if wish == "never" or (wish == "away" and not away):
            return
        until = self._renderer.scene(table.id, state).until
        sentence = replies.nudge(text_for(state.options.locale), f"<@{user_id}>", until)
        channel = self._channel(tracked)
        old, tracked.nudge_id = tracked.nudge_id, None
        self.calls["nudge"] += 1
        try:
            people = discord.AllowedMentions(users=[discord.Object(user_id)])
            sent = await channel.send(sentence, allowed_mentions=people)
        except FAILURES as error:
            log.warning("nudge_not_sent", table=table.id, code=code_of(error))
            if code_of(error) == UNKNOWN_CHANNEL:
                await self._vanished(tracked)
            return
        tracked.nudge_id = sent.id
        self._save_screen(tracked)
        await self._remove(tracked, old)

    async def invite(self, table: Table, people: Sequence[Person]) -> None:
        """Mention people once who may join a lobby now."""
        state, tracked = table.state, self._tracked(table)
        mentions = [f"<@{person.user_id}>" for person in people]
        host = safe_name(state.names[state.host])
        sentence = replies.invitation(text_for(state.options.locale), mentions, host)
        users = [discord.Object(person.user_id) for person in people if person.user_id is not None]
        self.calls["invitation"] += 1
        try:
            await self._channel(tracked).send(sentence, allowed_mentions=discord.AllowedMentions(users=users))
        except FAILURES as error:
            log.warning("invitation_not_sent", table=table.id, code=code_of(error))

    async def offer(self, table: Table, seat: int) -> None:
        """Mention somebody once who may take over a seat, with the button for it."""
        state, tracked = table.state, self._tracked(table)
        person = state.offers.get(seat)
        if person is None or person.user_id is None:
            return
        custom_id = CustomId(table.id, 0, Verb.TAKE, (str(seat),))
        player, other = safe_name(state.names[seat]), f"<@{person.user_id}>"
        view = offer_screen(text_for(state.options.locale), player, other, custom_id)
        self.calls["offer"] += 1
        try:
            people = discord.AllowedMentions(users=[discord.Object(person.user_id)])
            sent = await self._channel(tracked).send(view=view, allowed_mentions=people)
        except FAILURES as error:
            log.warning("offer_not_sent", table=table.id, code=code_of(error))
            return
        await self._remove(tracked, tracked.offers.pop(seat, None))
        self.was_offered(table, seat, sent.id)
        await self.take_back_offers(tracked)

    def was_offered(self, table: Table, seat: int, message_id: int) -> None:
        """Note the message that offers a seat; it goes with the offer."""
        self._tracked(table).offers[seat] = message_id

    async def take_back_offers(self, tracked: Tracked) -> None:
        """Remove the messages that offer a seat which is not offered any more."""
        state = tracked.table.state
        offered = () if state.ended is not None else state.offers
        for seat in [seat for seat in tracked.offers if seat not in offered]:
            await self._remove(tracked, tracked.offers.pop(seat))

    async def take_back_nudge(self, tracked: Tracked) -> None:
        """Remove the last nudge of a table that waits for nobody any more."""
        nudge_id, tracked.nudge_id = tracked.nudge_id, None
        await self._remove(tracked, nudge_id)

    async def _remove(self, tracked: Tracked, message_id: int | None) -> None:
        if message_id is None:
            return
        try:
            await self._channel(tracked).get_partial_message(message_id).delete()
        except FAILURES as error:
            log.info("old_notice_stays", table=tracked.table.id, code=code_of(error))

    async def _is_member(self, table: Table, user_id: int) -> bool:
        """Ask whether somebody is still on the server; no event tells."""
        guild = self._client.get_guild(table.guild_id)
        if guild is None:
            return True
        self.calls["member"] += 1
        try:
            await guild.fetch_member(user_id)
        except FAILURES as error:
            return code_of(error) != UNKNOWN_MEMBER
        return True
