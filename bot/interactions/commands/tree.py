"""The command tree: every slash command goes through the guard, unknown ones and unknown options too."""

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

#: What marks a command whose answer everybody sees, and where a callback leaves what the guard is to do.
PUBLIC: Final = "public"
_WORK: Final = "work"


class CommandTree(app_commands.CommandTree[discord.Client]):
    """The commands, each answered by the guard."""

    def __init__(self, client: discord.Client, guard: Guard) -> None:
        super().__init__(client)
        self._guard = guard

    async def _call(self, interaction: Interaction) -> None:
        """Carry out a command; discord.py would only log what goes wrong before its callback."""
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
        """Answer a command that is being typed; nothing to suggest is an answer, too."""
        if suggests(self, interaction):
            await super()._call(interaction)
        if not interaction.response.is_done():
            with suppress(*FAILURES):
                await interaction.response.autocomplete([])

    async def on_error(self, interaction: Interaction, error: app_commands.AppCommandError, /) -> None:
        """Hand what discord.py makes of a command on to the guard, which answers."""
        raise error


def do(interaction: discord.Interaction[Any], work: Work) -> None:
    """Let the guard do what a command asks for, now that discord.py has read it.

    What a callback itself raises discord.py would wrap and log.
    """
    interaction.extras[_WORK] = work
