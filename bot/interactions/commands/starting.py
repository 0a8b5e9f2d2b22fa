"""`/uno start`: the lobby, in the channel or in a thread made for it."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import discord
import structlog

from bot.interactions import stored
from bot.interactions.answer import FOLLOW_UP_WITHIN
from bot.interactions.context import Context, TableContext
from bot.interactions.permissions import check_permissions, check_place, takes_threads
from bot.interactions.services import Services
from bot.interactions.showing import show_lobby
from bot.interactions.spoken import of_server
from bot.messages.requests import FAILURES
from bot.model.errors import Problem, UserError
from bot.store import HandToken
from bot.tables import Options, Table
from bot.ui.text import problems, replies
from bot.ui.text.translation import text_for

log = structlog.get_logger(__name__)


class Starting:
    """Opening a table."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._tables = services.tables

    async def start(
        self, context: Context, wishes: dict[str, Any], *, thread: bool | None, levels: Sequence[str] = ()
    ) -> None:
        """Open a lobby, here or in a thread; raises UserError.

        `wishes` override the server's options; `levels` are those of the computer players to seat.
        """
        self._services.cooldowns.start(context.member.id)
        settings = await stored.read(self._services.guild_settings.get(context.guild_id))
        check_place(context, settings)
        locale = of_server(context.interaction, settings)
        options = replace(settings.options, locale=locale, **wishes)
        if thread is None:
            thread = settings.thread and takes_threads(context)
        if thread and not takes_threads(context):
            raise UserError(Problem.NO_THREAD_HERE)
        check_permissions(context, thread=thread)
        if thread:
            await self._start_in_thread(context, options, levels)
            return
        table = await self._tables.open_lobby(
            context.guild_id, context.channel_id, context.click, options, levels
        )
        await show_lobby(self._services, TableContext.of(context, table))

    async def _start_in_thread(self, context: Context, options: Options, levels: Sequence[str]) -> None:
        """Answer with one line, save the lobby, then make a thread of that line, where the lobby is posted.

        A thread made from a message is of the right kind in text and announcement channels alike, and has the
        message's id. So the lobby is saved before there is a thread, and a failed save leaves no empty one.
        """
        public = text_for(options.locale)
        message_id = await context.answer.send(replies.lobby_opens(public), public=True)
        try:
            table, link = await self._open_thread(context, message_id, options, levels)
        except UserError as error:
            await context.answer.replace(problems.problem(public, error.problem, **error.values))
            return
        try:
            await context.answer.replace(replies.lobby_is_in(public, link))
        except FAILURES as error:
            log.info("pointer_not_sent", table=table.id, problem=str(error))
            self._services.messages.point_to(table, message_id, context.channel_id)
        else:
            self._services.messages.pointed(table, message_id)

    async def _open_thread(
        self, context: Context, message_id: int, options: Options, levels: Sequence[str]
    ) -> tuple[Table, str]:
        """Open a lobby in the thread of a message; return it and the thread's mention, or raise UserError."""
        # Saved with the lobby, so that a restart knows of the line that is to say where it is.
        token = HandToken(
            table_id=0,  # it has none before it is opened
            user_id=context.member.id,
            token=context.interaction.token,
            message_id=message_id,
            channel_id=context.channel_id,
            locale=context.text.key,
            issued_at=context.now,
        )
        click = replace(context.click, token=token)
        table = await self._tables.open_lobby(context.guild_id, message_id, click, options, levels)
        self._services.messages.will_point(table, message_id, context.channel_id)
        name = replies.thread_name(text_for(options.locale), context.member.display_name)
        channel = context.interaction.channel
        assert isinstance(channel, discord.TextChannel)
        # This command's token belongs to the channel: no hand in the thread can be sent through it.
        with self._services.messages.answering(table):
            try:
                async with asyncio.timeout(FOLLOW_UP_WITHIN):
                    made = await channel.get_partial_message(message_id).create_thread(name=name)
            except FAILURES as error:
                log.warning("thread_not_made", problem=str(error))
                await self._tables.vanished(table, context.click)
                raise UserError(Problem.NO_THREAD_MADE) from error
            return table, made.mention
