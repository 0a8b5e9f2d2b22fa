"""Commands that need no table: rules, help, about, leaderboard, tables, notify, settings."""

from __future__ import annotations

import asyncio
from typing import Final

import discord

from bot import VERSION
from bot.interactions.commands.base import Commands, answer, text_of
from bot.interactions.guard import ANSWER_WITHIN, Interaction
from bot.ui.screens import leaderboard, rules
from bot.ui.screens.about import Links, about_screen
from bot.ui.screens.help import help_screen
from bot.ui.text import replies

#: Rows of a leaderboard: more than anybody reads, and well within a message.
LEADERS: Final = 10


class Anywhere(Commands):
    """What is asked of the bot."""

    async def rules(self, interaction: Interaction) -> None:
        """Show the rules."""
        # The topic of house rules names those of this channel's table, which its buttons carry along.
        table = self.bot.tables.in_channel(interaction.channel_id or 0)
        view = rules.rules_screen(text_of(interaction), None, table=0 if table is None else table.id)
        await self._show(interaction, view)

    async def help(self, interaction: Interaction) -> None:
        """Show a newcomer how it goes."""
        table = self.bot.tables.in_channel(interaction.channel_id or 0)
        number = 0 if table is None else table.id
        await self._show(interaction, help_screen(text_of(interaction), self.bot.pictures, table=number))

    async def about(self, interaction: Interaction) -> None:
        """Show what the bot is, and what it stores."""
        given = self.bot.settings
        links = Links(given.support_url, given.privacy_url, given.terms_url, given.source_url)
        await self._show(interaction, about_screen(text_of(interaction), self.bot.pictures, VERSION, links))

    @staticmethod
    async def _show(interaction: Interaction, view: discord.ui.LayoutView) -> None:
        async with asyncio.timeout(ANSWER_WITHIN):
            await interaction.response.send_message(view=view, ephemeral=True)

    async def leaderboard(self, interaction: Interaction) -> None:
        """Show who leads on this server."""
        assert interaction.guild_id is not None
        rows = await self.bot.store.leaderboard(interaction.guild_id, limit=LEADERS, offset=0)
        view = leaderboard.leaderboard_screen(text_of(interaction), self.bot.pictures, rows)
        await self._show(interaction, view)

    async def tables(self, interaction: Interaction) -> None:
        """List the tables of this server."""
        lines = [
            (f"<#{table.channel_id}>", len(table.state.people), table.state.playing)
            for table in self.bot.tables.live()
            if table.guild_id == interaction.guild_id
        ]
        await answer(interaction, replies.tables(text_of(interaction), lines))

    async def notify(self, interaction: Interaction, wish: str) -> None:
        """Note when somebody wants to be called."""
        await self.bot.store.set_nudges(interaction.user.id, wish)
        await answer(interaction, replies.nudges_set(text_of(interaction), wish))

    async def settings(self, interaction: Interaction) -> None:
        """Show the settings of this server to its managers."""
        await self.bot.components.panels.open_server(interaction, text_of(interaction))
