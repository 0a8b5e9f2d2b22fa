"""What all commands need: the bot, the table of the channel, the click, the guard."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import discord

from bot.interactions.guard import ANSWER_WITHIN, Interaction, Work, guard, say
from bot.model.errors import Problem, UserError
from bot.tables import Click, Table
from bot.ui.text.translation import Text, text_for

if TYPE_CHECKING:
    from bot.client import Lastlap


def text_of(interaction: Interaction) -> Text:
    """Give the language of whoever asks."""
    return text_for(str(interaction.locale))


async def guarded(interaction: Interaction, work: Work) -> None:
    """Do what a command asks, or tell why not."""
    await guard(interaction, text_of(interaction), work, lambda sentence: say(interaction, sentence))


async def answer(interaction: Interaction, sentence: str) -> None:
    """Answer with one private sentence, in time."""
    async with asyncio.timeout(ANSWER_WITHIN):
        await say(interaction, sentence)


class Commands:
    """The bot, and what commands ask of it."""

    def __init__(self, bot: Lastlap) -> None:
        self.bot = bot

    def table(self, interaction: Interaction) -> Table:
        """Find the table of this channel; raises UserError."""
        table = self.bot.tables.in_channel(interaction.channel_id or 0)
        if table is None:
            raise UserError(Problem.NO_TABLE_HERE)
        return table

    def click(self, interaction: Interaction) -> Click:
        """Say who asks, and when."""
        return Click(interaction.id, interaction.user.id, interaction.user.display_name, self.bot.now())


def no_mentions() -> discord.AllowedMentions:
    """Notify nobody, whatever a text says."""
    return discord.AllowedMentions.none()
