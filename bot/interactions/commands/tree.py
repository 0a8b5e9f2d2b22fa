"""The command tree: every slash command goes through the guard, unknown ones too."""

from __future__ import annotations

from contextlib import suppress
from typing import Any, Final

import discord
from discord import app_commands

from bot.interactions.answer import Interaction
from bot.interactions.commands.offered import offered_command, suggests
from bot.interactions.context import Context
from bot.interactions.guard import Guard, Work
from bot.messages.requests import FAILURES
from bot.model.errors import UserError

#: Marks a command whose answer is public, and the key under which a callback leaves its work.
PUBLIC: Final = "public"
_WORK: Final = "work"


class CommandTree(app_commands.CommandTree[discord.Client]):
    """The commands, carried out by the guard."""

    def __init__(self, client: discord.Client, guard: Guard) -> None:
        super().__init__(client)
        self._guard = guard

    async def _call(self, interaction: Interaction) -> None:
        """Carry out a command; discord.py would only log what fails before its callback."""
        if interaction.type is discord.InteractionType.autocomplete:
            await self._suggest(interaction)
            return

        refused, public = None, False
        try:
            public = PUBLIC in offered_command(self, interaction).extras
        except UserError as error:
            refused = error

        async def work(context: Context) -> None:
            if refused is not None:
                raise refused
            await super(CommandTree, self)._call(interaction)
            await interaction.extras[_WORK](context)

        await self._guard.answer(interaction, work, public=public)

    async def _suggest(self, interaction: Interaction) -> None:
        """Answer with suggestions for a command being typed, with none if there are none."""
        if suggests(self, interaction):
            await super()._call(interaction)
        if not interaction.response.is_done():
            with suppress(*FAILURES):
                await interaction.response.autocomplete([])

    async def on_error(self, interaction: Interaction, error: app_commands.AppCommandError, /) -> None:
        """Let the guard answer what discord.py raises."""
        raise error


def do(interaction: discord.Interaction[Any], work: Work) -> None:
    """Leave a command's work to the guard; discord.py would wrap and log what a callback raises."""
    interaction.extras[_WORK] = work
