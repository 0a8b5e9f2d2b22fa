"""What is said in a channel beside the table: nudges, invitations, offers of a seat, apologies.

Nothing waits for any of it: each is a bounded task of its own, and what cannot be sent is not said.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from functools import partial
from typing import Final

import structlog

from bot.messages.requests import FAILURES, UNKNOWN_CHANNEL, UNKNOWN_MEMBER, UNKNOWN_USER, code_of
from bot.messages.tidying import Tidying
from bot.messages.tracker import Tracked
from bot.model.agenda import ask_after, nudge_at
from bot.model.ending import Ending
from bot.model.errors import UserError
from bot.model.seating import Person
from bot.tables import Change, Click, Table
from bot.tables.scheduler import RETRY
from bot.ui.kit.custom_ids import CustomId, Verb
from bot.ui.screens.call import call_screen
from bot.ui.screens.lobby import closed_screen
from bot.ui.screens.seat_offer import offer_screen
from bot.ui.text import replies
from bot.ui.text.translation import safe_name, text_for
from engine.awaiting import NO_SEAT, Awaiting

log = structlog.get_logger(__name__)

#: When the bot asks again whether a player is still on the server, after a question that failed.
ASK_AGAIN: Final = timedelta(minutes=1)


class Notices(Tidying):
    """What is said beside the tables."""

    def apologise(self, broken: Sequence[Table]) -> None:
        """Say in their channels that tables could not be restored, in place of the table if it is known."""
        for table in broken:
            self._requests.aside(self._apologise(table), "apology")

    async def _apologise(self, table: Table) -> None:
        screen = await self._store.screen(table.id)
        text = text_for(table.state.options.locale)
        view = closed_screen(text, replies.closed(text, Ending.UNREADABLE))
        channel = self._channel(Tracked(table))
        try:
            if screen is None:
                await self._requests.make("apology", channel.send(view=view))
            else:
                edit = channel.get_partial_message(screen.message_id).edit(view=view)
                await self._requests.make("apology", edit)
        except FAILURES as error:
            log.info("apology_not_sent", table=table.id, code=code_of(error))

    # --- calls to a turn

    def _note_turn(self, tracked: Tracked, change: Change) -> None:
        """Note when a turn begins, and take back the nudge of one that is over, or stands still."""
        before, after = change.before, change.after
        if before.match is None or after.match is None:
            began = after.match is not None
        else:
            same = (before.match.hand_no, before.match.turn) == (after.match.hand_no, after.match.turn)
            another = bool(change.events) and before.clock.full_at != after.clock.full_at
            began = not same or (another and after.match.awaiting is Awaiting.TURN)
        if began:
            tracked.turn_at = after.clock.full_at
        if began or after.clock.paused_at is not None or after.ended is not None:
            self._take_back_nudge(tracked)

    def _plan_calls(self, table: Table, *, overdue_until: datetime | None = None) -> None:
        """Schedule the nudge of the player a table waits for, and the question whether they left the server.

        What is overdue waits until `overdue_until`.
        """
        self._plan_nudge(table, overdue_until=overdue_until)
        self._plan_question(table, overdue_until=overdue_until)

    def _plan_nudge(self, table: Table, *, overdue_until: datetime | None = None) -> None:
        state, when = table.state, None
        if state.match is not None and self._tables.get(table.id) is table:
            tracked, turn = self._tracked(table), state.match.turn
            seen = None if turn == NO_SEAT else self.last_seen(table, turn)
            if not (seen is None and tracked.called == state.match.decision):
                when = nudge_at(state, self._tables.pace, seen, here=self._is_here(tracked, turn))
        if when is not None and overdue_until is not None and when <= self._now():
            when = overdue_until
        self._scheduler.at(("nudge", table.id), when, partial(self._nudge, table))

    @staticmethod
    def _is_here(tracked: Tracked, seat: int) -> bool:
        """Whether the person in a seat has pressed anything since the turn began."""
        user_id = tracked.table.state.seating.people[seat].user_id
        pressed = None if user_id is None else tracked.pressed.get(user_id)
        return pressed is not None and tracked.turn_at is not None and pressed > tracked.turn_at

    async def _nudge(self, table: Table, now: datetime) -> None:
        """Nudge the player a table waits for, if they want that and have pressed nothing in this turn."""
        match = table.state.match
        if match is not None and match.turn != NO_SEAT and self._is_here(self._tracked(table), match.turn):
            return
        try:
            change = await self._tables.nudged(table, now)
        except UserError as error:
            log.warning("nudge_put_off", table=table.id, problem=error.problem.value)
            self._plan_nudge(table, overdue_until=now + RETRY)
            return
        if change is None or change.after.match is None:
            return
        state, tracked = change.after, self._tracked(table)
        seat, turn_at = change.after.match.turn, tracked.turn_at
        user_id = state.seated_people[seat]
        seen = self.last_seen(table, seat)
        away = seen is None or (now - seen).total_seconds() >= self._settings.away_time
        wish = await self._wish(table, user_id)
        if wish == "never" or (wish == "away" and not away) or not self._may_say(tracked):
            return
        until = self._renderer.scene(table.id, state).until
        text = text_for(state.options.locale)
        view = call_screen(text, replies.nudge(text, f"<@{user_id}>", until), table.id)
        nudge = self._channel(tracked).send(view=view, allowed_mentions=self._mentioning([user_id]))
        try:
            sent = await self._requests.make("nudge", nudge)
        except FAILURES as error:
            log.warning("nudge_not_sent", table=table.id, code=code_of(error))
            if code_of(error) == UNKNOWN_CHANNEL:
                await self._vanished(tracked)
            return
        self._take_back_nudge(tracked)
        tracked.sent(sent.id)
        tracked.nudge_id = sent.id
        _ = self._save_screen(tracked)
        state = table.state
        if tracked.turn_at != turn_at or state.clock.paused_at is not None or state.ended is not None:
            self._take_back_nudge(tracked)  # the turn has ended while the nudge was on its way

    async def _wish(self, table: Table, user_id: int) -> str:
        """Return when somebody wants to be called: what they chose, else what their server did."""
        return await self._store.nudges(user_id) or (await self._guild_settings.get(table.guild_id)).nudges

    async def _call(self, tracked: Tracked, users: Sequence[int]) -> None:
        """Mention those who could not be sent their new hand, once."""
        state = tracked.table.state
        if state.match is None or state.ended is not None or not self._may_say(tracked):
            return
        called = [user_id for user_id in users if await self._wish(tracked.table, user_id) != "never"]
        if not called:
            return
        mentions = [f"<@{user_id}>" for user_id in called]
        text = text_for(state.options.locale)
        view = call_screen(text, replies.fetch_your_hand(text, mentions), tracked.table.id)
        send = self._channel(tracked).send(view=view, allowed_mentions=self._mentioning(called))
        try:
            tracked.sent((await self._requests.make("ping", send)).id)
        except FAILURES as error:
            log.warning("call_not_sent", table=tracked.table.id, code=code_of(error))

    # --- who has left the server

    def _plan_question(self, table: Table, *, overdue_until: datetime | None = None) -> None:
        """Schedule the question whether the player a table waits for has left. No event says so."""
        state, when = table.state, None
        if state.match is not None and self._tables.get(table.id) is table:
            tracked, turn = self._tracked(table), state.match.turn
            if turn != NO_SEAT and tracked.asked != state.match.decision:
                user_id = state.seating.people[turn].user_id
                pressed = None if user_id is None else tracked.pressed.get(user_id)
                seen = max(filter(None, (pressed, self.last_seen(table, turn))), default=None)
                when = ask_after(state, seen)
        if when is not None and overdue_until is not None and when <= self._now():
            when = overdue_until
        self._scheduler.at(("member", table.id), when, partial(self._ask, table))

    async def _ask(self, table: Table, now: datetime) -> None:
        """Ask whether the player a table waits for is still on the server; if not, they are removed."""
        state, tracked = table.state, self._tracked(table)
        guild = self._client.get_guild(table.guild_id)
        if state.match is None or state.match.turn == NO_SEAT or guild is None:
            return
        user_id = state.seating.people[state.match.turn].user_id
        if user_id is None:
            return
        tracked.asked = state.match.decision
        try:
            _ = await self._requests.make("member", guild.fetch_member(user_id))
        except FAILURES as error:
            if code_of(error) in (UNKNOWN_MEMBER, UNKNOWN_USER):
                await self._lost(table, user_id, now)
            else:
                log.info("member_unknown", table=table.id, code=code_of(error))
                self._ask_again(table)

    async def _lost(self, table: Table, user_id: int, now: datetime) -> None:
        """Remove somebody who has left the server."""
        try:
            await self._tables.lost(table, user_id, Click.of_the_clock(now))
        except UserError as error:
            log.warning("lost_player_stays", table=table.id, problem=error.problem.value)
            self._ask_again(table)

    def _ask_again(self, table: Table) -> None:
        self._tracked(table).asked = -1
        self._plan_question(table, overdue_until=self._now() + ASK_AGAIN)

    # --- invitations and offers

    def invite(self, table: Table, people: Sequence[Person]) -> None:
        """Mention people who may join a lobby now, once each."""
        self._requests.aside(self._invite(table, people), "invitation")

    async def _invite(self, table: Table, people: Sequence[Person]) -> None:
        state, tracked = table.state, self._tracked(table)
        mentions = [f"<@{person.user_id}>" for person in people]
        host = safe_name(state.seating.names[state.seating.host])
        sentence = replies.invitation(text_for(state.options.locale), mentions, host)
        users = [person.user_id for person in people if person.user_id is not None]
        if not self._may_say(tracked):
            return
        send = self._channel(tracked).send(sentence, allowed_mentions=self._mentioning(users))
        try:
            tracked.sent((await self._requests.make("invitation", send)).id)
        except FAILURES as error:
            log.warning("invitation_not_sent", table=table.id, code=code_of(error))

    def call_again(self, table: Table) -> None:
        """Mention the people of a match that are not in the lobby of its rematch yet, once."""
        self._requests.aside(self._call_again(table), "call to a rematch")

    async def _call_again(self, table: Table) -> None:
        state, tracked = table.state, self._tracked(table)
        absent = [person.user_id for person in state.seating.absent if person.user_id is not None]
        called = [user_id for user_id in absent if await self._wish(table, user_id) != "never"]
        if not called or state.match is not None or not self._may_say(tracked):
            return
        host = safe_name(state.seating.names[state.seating.host])
        mentions = [f"<@{user_id}>" for user_id in called]
        sentence = replies.rematch_call(text_for(state.options.locale), mentions, host)
        send = self._channel(tracked).send(sentence, allowed_mentions=self._mentioning(called))
        try:
            tracked.sent((await self._requests.make("invitation", send)).id)
        except FAILURES as error:
            log.warning("rematch_not_called", table=table.id, code=code_of(error))

    def offer(self, table: Table, seat: int) -> None:
        """Mention the person who may take over a seat once, with the button for it."""
        self._requests.aside(self._offer(table, seat), "offer of a seat")

    async def _offer(self, table: Table, seat: int) -> None:
        state, tracked = table.state, self._tracked(table)
        person = state.seating.offers.get(seat)
        if person is None or person.user_id is None or not self._may_say(tracked):
            return
        custom_id = CustomId(table.id, 0, Verb.TAKE, (str(seat),))
        player, other = safe_name(state.seating.names[seat]), f"<@{person.user_id}>"
        view = offer_screen(text_for(state.options.locale), player, other, custom_id)
        send = self._channel(tracked).send(view=view, allowed_mentions=self._mentioning([person.user_id]))
        try:
            sent = await self._requests.make("offer", send)
        except FAILURES as error:
            log.warning("offer_not_sent", table=table.id, code=code_of(error))
            return
        if (old := tracked.offers.pop(seat, None)) is not None:
            self._delete_notice(tracked, old)
        self.was_offered(table, seat, sent.id)
        self._take_back_offers(tracked)

    def was_offered(self, table: Table, seat: int, message_id: int) -> None:
        """Remember the message that offers a seat. It is deleted when the offer is gone."""
        tracked = self._tracked(table)
        tracked.sent(message_id)
        tracked.offers[seat] = message_id

    def _may_say(self, tracked: Tracked) -> bool:
        """Whether something may be posted beside a table, as far as that is known."""
        return self._place(tracked).hindrance(posting=True) is None
