"""Commands at the table of a channel: hand, table, leave, end, kick, host, pause, resume."""

from __future__ import annotations

import asyncio

import discord

from bot.interactions.commands.base import Commands, answer, text_of
from bot.interactions.context import hand_token
from bot.interactions.guard import ANSWER_WITHIN, Interaction
from bot.interactions.permissions import check_permissions, moderates
from bot.messages import drawn
from bot.model.errors import Problem, UserError
from bot.tables import Table, not_seated
from bot.ui.screens.hand import Step
from bot.ui.text import replies
from bot.ui.text.translation import safe_name


class AtTable(Commands):
    """What is asked at a table."""

    async def hand(self, interaction: Interaction) -> None:
        """Show the asker their hand."""
        table = self.table(interaction)
        seat = table.state.seat_of(interaction.user.id)
        if seat is None:
            raise UserError(not_seated(table.state, interaction.user.id))
        if table.state.match is None:
            raise UserError(Problem.NOT_STARTED)
        await self._show(interaction, table, seat, Step.MAIN)

    async def _show(self, interaction: Interaction, table: Table, seat: int, step: Step) -> None:
        """Answer with a hand, at a step of its own."""
        with self.bot.messages.answering(table):
            await self.bot.tables.wake(table, self.click(interaction))
            state = table.state
            if state.seat_of(interaction.user.id) != seat:
                raise UserError(Problem.NOT_SEATED)
            view = self.bot.renderer.hand(table.id, state, seat, text_of(interaction), step=step)
            async with asyncio.timeout(ANSWER_WITHIN):
                sent = await interaction.response.send_message(view=view, ephemeral=True)
            token = hand_token(interaction, table, sent.message_id)
            self.bot.messages.holds(table, token, drawn(state, seat))

    async def bring_table(self, interaction: Interaction) -> None:
        """Post the table anew at the bottom of the channel."""
        table = self.table(interaction)
        check_permissions(interaction)
        if not await self.bot.messages.may_bring(table):
            raise UserError(Problem.REPOST_TOO_SOON)
        await answer(interaction, replies.table_is_coming(text_of(interaction)))
        self.bot.messages.post_anew(table)

    async def leave(self, interaction: Interaction) -> None:
        """Leave for good: a match that one plays in after a question, a lobby at once."""
        table = self.table(interaction)
        seat = table.state.seat_of(interaction.user.id)
        if seat is not None and table.state.match is not None:
            await self._show(interaction, table, seat, Step.LEAVE)
            return
        with self.bot.messages.answering(table):
            await self.bot.tables.leave(table, self.click(interaction))
            await answer(interaction, replies.you_left(text_of(interaction)))

    async def end(self, interaction: Interaction) -> None:
        """End the table: its host, or a moderator."""
        table = self.table(interaction)
        with self.bot.messages.answering(table):
            settings = await self.bot.guild_settings.get(table.guild_id)
            await self.bot.tables.end(
                table,
                self.click(interaction),
                moderator=moderates(interaction),
                host_may=not settings.moderators_only,
            )
            await answer(interaction, replies.table_ended(text_of(interaction)))

    async def kick(self, interaction: Interaction, member: discord.Member | discord.User) -> None:
        """Remove somebody, or vote to."""
        table, text = self.table(interaction), text_of(interaction)
        name = safe_name(member.display_name)
        with self.bot.messages.answering(table):
            settings = await self.bot.guild_settings.get(table.guild_id)
            change = await self.bot.tables.kick(
                table,
                self.click(interaction),
                member.id,
                moderator=moderates(interaction),
                host_may=not settings.moderators_only,
            )
            seat = change.before.seat_of(member.id)
            if change.after.seat_of(member.id) is None or change.after.ended is not None:
                await answer(interaction, replies.removed(text, name))
                return
            votes = self.bot.renderer.scene(table.id, change.after).votes
            vote = next(vote for vote in votes if vote.seat == seat)
            await answer(interaction, replies.voted(text, name, vote.got, vote.needed))

    async def hand_over(self, interaction: Interaction, member: discord.Member | discord.User) -> None:
        """Make somebody else the host."""
        table = self.table(interaction)
        with self.bot.messages.answering(table):
            click = self.click(interaction)
            await self.bot.tables.hand_over(table, click, member.id, moderator=moderates(interaction))
            name = safe_name(member.display_name)
            await answer(interaction, replies.host_is(text_of(interaction), name))

    async def pause(self, interaction: Interaction, *, stop: bool) -> None:
        """Stop the clock, or let it go on."""
        table, text = self.table(interaction), text_of(interaction)
        with self.bot.messages.answering(table):
            await self.bot.tables.pause(table, self.click(interaction), stop=stop)
            await answer(interaction, replies.paused(text) if stop else replies.resumed(text))
