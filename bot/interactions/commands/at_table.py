"""Commands at the table of a channel: hand, table, leave, end, kick, host, pause, resume."""

from __future__ import annotations

from datetime import timedelta

import discord

from bot.interactions import stored
from bot.interactions.components.ending import Ending, hosts_may
from bot.interactions.context import Context, TableContext
from bot.interactions.permissions import check_permissions, moderates
from bot.interactions.services import Services
from bot.interactions.showing import answered_first, show_hand
from bot.model.errors import Problem, UserError
from bot.tables import not_seated
from bot.ui.screens.asides import Step
from bot.ui.text import replies
from bot.ui.text.options import not_updated
from bot.ui.text.translation import safe_name


class AtTable:
    """What each of them does."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._tables = services.tables
        self._messages = services.messages
        self._ending = Ending(services)

    async def _here(self, context: Context) -> TableContext:
        """Return the context at this channel's table; raises UserError if there is none."""
        table = await stored.table_in(self._tables, context.channel_id, context.now)
        if table is None:
            raise UserError(Problem.NO_TABLE_HERE)
        return TableContext.of(context, table)

    async def hand(self, context: Context) -> None:
        """Show the asker their hand."""
        here = await self._here(context)
        if here.seat is None:
            raise UserError(not_seated(here.state, here.member.id))
        if here.state.match is None:
            raise UserError(Problem.NOT_STARTED, host=here.state.host_name)
        await self._show_hand(here, here.seat, Step.MAIN)

    async def _show_hand(self, here: TableContext, seat: int, step: Step) -> None:
        with answered_first(self._services, here):
            await self._tables.wake(here.table, here.click)
            if here.seat != seat:
                raise UserError(Problem.NOT_SEATED)
            await show_hand(self._services, here, here.state, seat, step=step)

    async def bring_table(self, context: Context) -> None:
        """Repost the table at the bottom of the channel."""
        here = await self._here(context)
        check_permissions(here)
        self._messages.pressed(here.table, here.member.id, context.interaction.app_permissions)
        if (hindrance := self._messages.hindrance(here.table)) is not None:
            await here.answer.send(not_updated(here.text, hindrance))
            return
        if not await self._messages.may_bring(here.table):
            raise UserError(
                Problem.REPOST_TOO_SOON, time=timedelta(seconds=self._services.settings.repost_pause)
            )
        await here.answer.send(replies.table_is_coming(here.text))
        self._messages.repost(here.table)

    async def leave(self, context: Context) -> None:
        """Leave for good: a lobby at once, a match after a question."""
        here = await self._here(context)
        if here.seat is not None and here.state.match is not None:
            await self._show_hand(here, here.seat, Step.LEAVE)
            return
        with answered_first(self._services, here):
            await self._tables.leave(here.table, here.click)
            await here.answer.send(replies.you_left(here.text))

    async def end(self, context: Context) -> None:
        """Ask the host or a moderator whether to end the table."""
        await self._ending.ask(await self._here(context))

    async def kick(self, context: Context, member: discord.Member | discord.User) -> None:
        """Remove somebody, or vote to."""
        here, host_may = await self._here(context), await hosts_may(self._services, context)
        name, text = safe_name(member.display_name), here.text
        with answered_first(self._services, here):
            change = await self._tables.kick(
                here.table, here.click, member.id, moderator=moderates(here), host_may=host_may
            )
            seat = change.before.seat_of(member.id)
            if change.after.seat_of(member.id) is None or change.after.ended is not None:
                await here.answer.send(replies.removed(text, name))
                return
            votes = self._services.renderer.scene(here.table.id, change.after).votes
            vote = next(vote for vote in votes if vote.seat == seat)
            await here.answer.send(replies.voted(text, name, vote.got, vote.needed))

    async def hand_over(self, context: Context, member: discord.Member | discord.User) -> None:
        """Make somebody else the host."""
        here = await self._here(context)
        with answered_first(self._services, here):
            moderator = moderates(here)
            await self._tables.hand_over(here.table, here.click, member.id, moderator=moderator)
            await here.answer.send(replies.host_is(here.text, safe_name(member.display_name)))

    async def pause(self, context: Context, *, stop: bool) -> None:
        """Stop the clock, or start it again."""
        here = await self._here(context)
        with answered_first(self._services, here):
            await self._tables.pause(here.table, here.click, stop=stop)
            most = timedelta(seconds=self._services.settings.longest_break)
            sentence = replies.paused(here.text, most) if stop else replies.resumed(here.text)
            await here.answer.send(sentence)
