"""`/uno start`: the lobby, in the channel or in a thread made for it."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import discord
import structlog

from bot.interactions.commands.base import Commands, no_mentions
from bot.interactions.guard import ANSWER_WITHIN, Interaction
from bot.interactions.lobby_message import answer_with_lobby
from bot.interactions.permissions import check_permissions, check_place, takes_threads
from bot.model.errors import Problem, UserError
from bot.tables import Options, Table
from bot.ui.text import replies
from bot.ui.text.translation import text_for

log = structlog.get_logger(__name__)


class Starting(Commands):
    """Opening a table."""

    async def start(
        self,
        interaction: Interaction,
        wishes: dict[str, Any],
        *,
        thread: bool | None,
        levels: Sequence[str] = (),
    ) -> None:
        """Open a lobby, here or in a thread; `wishes` are terms that are not to be as the server has them.

        `levels` are those of the computer players in it. The guard answers what cannot be.
        """
        assert interaction.guild_id is not None
        settings = await self.bot.guild_settings.get(interaction.guild_id)
        check_place(interaction, settings)
        locale = settings.locale or str(interaction.guild_locale or "en-US")
        options = replace(settings.options, locale=locale, **wishes)
        if thread is None:
            thread = settings.thread and takes_threads(interaction)
        if thread and not takes_threads(interaction):
            raise UserError(Problem.NO_THREAD_HERE)
        check_permissions(interaction, thread=thread)
        if thread:
            await self._start_in_thread(interaction, options, levels)
            return
        assert interaction.channel_id is not None
        table = await self._open(interaction, interaction.channel_id, options, levels)
        await answer_with_lobby(interaction, table, self.bot.messages, self.bot.renderer)

    async def _start_in_thread(
        self, interaction: Interaction, options: Options, levels: Sequence[str]
    ) -> None:
        """Answer with one line, make a thread of it, and let the lobby be posted there.

        A thread that begins at a message is of the right kind in text and announcement channels alike.
        """
        public = text_for(options.locale)
        name = replies.thread_name(public, interaction.user.display_name)
        async with asyncio.timeout(ANSWER_WITHIN):
            answer = await interaction.response.send_message(
                replies.lobby_opens(public), allowed_mentions=no_mentions()
            )
        message = answer.resource
        assert isinstance(message, discord.InteractionMessage)
        try:
            made = await message.create_thread(name=name)
        except discord.HTTPException as error:
            log.warning("thread_not_made", code=error.code)
            await message.edit(content=replies.problem(public, Problem.NO_THREAD_MADE))
            return
        # The token of this command belongs to the channel, not to the thread: it reaches no hand there.
        table = await self._open(interaction, made.id, options, levels)
        self.bot.messages.post_anew(table)
        await message.edit(content=replies.lobby_is_in(public, made.mention))

    async def _open(
        self, interaction: Interaction, channel_id: int, options: Options, levels: Sequence[str]
    ) -> Table:
        assert interaction.guild_id is not None
        click = self.click(interaction)
        return await self.bot.tables.open_lobby(interaction.guild_id, channel_id, click, options, levels)
