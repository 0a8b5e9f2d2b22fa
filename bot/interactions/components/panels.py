"""The presses of the panels: what a lobby is to be played by, and what holds for a whole server.

Each is checked anew, answered by the panel in its place, and drawn on the lobby by its worker.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Final

import discord
import structlog

from bot.interactions import resolved
from bot.interactions.context import Context, hand_token, is_private
from bot.interactions.guard import ANSWER_WITHIN, Interaction
from bot.interactions.permissions import check_permissions, manages, takes_threads
from bot.messages import Messages
from bot.messages.renderer import waiting
from bot.model.errors import Problem, UserError
from bot.model.guild_settings import GuildSettings, choose
from bot.model.options import SWITCHES
from bot.model.state import Person
from bot.tables import Change, Tables
from bot.tables.guild_settings import GuildSettingsCache
from bot.ui.kit.custom_ids import CustomId, Verb
from bot.ui.screens import lobby_settings, server_settings
from bot.ui.text import replies
from bot.ui.text.translation import LANGUAGES, Text, text_for

log = structlog.get_logger(__name__)

#: The presses of a lobby's panel, and of the button that opens it.
PANEL_VERBS: Final = frozenset({Verb.PANEL, Verb.AGREE, Verb.THREAD})
#: What is told above the panel, which then shows how it stands; anything else ends in a message of its own.
_NOTED: Final = frozenset(
    {Problem.SEATS_TAKEN, Problem.NOBODY_TO_INVITE, Problem.MOST_INVITED, Problem.NO_SUCH_CHOICE}
)
#: On which page of the server's panel a setting is; all others are on that of the table.
_SERVER_PAGES: Final = {
    **dict.fromkeys(("preset", *SWITCHES), "rules"),
    **dict.fromkeys(("channels", "locale", "nudges", "moderators_only", "thread"), "server"),
}


class Panels:
    """What each button and menu of a panel does."""

    def __init__(self, tables: Tables, messages: Messages, guild_settings: GuildSettingsCache) -> None:
        self._tables = tables
        self._messages = messages
        self._guild_settings = guild_settings

    # --- a lobby's

    async def lobby(self, context: Context) -> None:
        """Answer a press of a lobby's panel, or of the button that opens it."""
        verb, state = context.custom_id.verb, context.table.state
        if state.match is not None:
            raise UserError(Problem.TERMS_STAND)
        host = state.people[state.host].user_id == context.interaction.user.id
        if verb is Verb.PANEL and not host and not context.on_private:
            view = lobby_settings.agreed_screen(context.text, waiting(context.table.id, state))
            async with asyncio.timeout(ANSWER_WITHIN):
                await context.interaction.response.send_message(view=view, ephemeral=True)
            return
        self._tables.forming(context.table, context.click)
        if verb is Verb.PANEL:
            await self._show(context, context.custom_id.args[0])
        elif verb is Verb.THREAD:
            await self._move(context)
        else:
            await self._agree(context)

    async def _agree(self, context: Context) -> None:
        name = context.custom_id.args[0]
        page = "rules" if _SERVER_PAGES.get(name) == "rules" else "table"
        note, change = None, None
        try:
            change = await self._change(context, name)
        except UserError as error:
            if error.problem not in _NOTED:
                raise
            note = replies.problem(context.text, error.problem, **error.values)
        await self._show(context, page, note=note)
        if change is not None:
            before = change.before.invited
            if invited := [person for person in change.after.invited if person not in before]:
                await self._messages.invite(context.table, invited)

    async def _change(self, context: Context, name: str) -> Change:
        table, click, custom_id = context.table, context.click, context.custom_id
        if name == "invite":
            people = [
                Person(each.user_id, each.name)
                for each in resolved.people(context.interaction, custom_id.values)
                if not each.bot
            ]
            return await self._tables.invite(table, click, people)
        value = custom_id.args[1] if custom_id.menu is None else next(iter(custom_id.values), "")
        if (name, value) == ("preset", "server"):
            own = (await self._guild_settings.get(table.guild_id)).own_rules
            if own is None:
                raise UserError(Problem.NO_SUCH_CHOICE)
            return await self._tables.choose_rules(table, click, own)
        return await self._tables.choose(table, click, name, value)

    async def _show(self, context: Context, page: str, *, note: str | None = None) -> None:
        own = (await self._guild_settings.get(context.table.guild_id)).own_rules
        view = lobby_settings.lobby_panel(
            context.text,
            waiting(context.table.id, context.table.state),
            page,
            own=own,
            thread=takes_threads(context.interaction),
            note=note,
        )
        async with asyncio.timeout(ANSWER_WITHIN):
            await _put(context.interaction, view, in_place=context.on_private)
        # The first hand comes through the newest token, and not in the panel's place.
        token = hand_token(context.interaction, context.table, None)
        self._messages.holds(context.table, token, None)

    async def _move(self, context: Context) -> None:
        """Make a thread of the lobby's message and move the lobby there."""
        interaction, table = context.interaction, context.table
        if not takes_threads(interaction):
            raise UserError(Problem.NO_THREAD_HERE)
        check_permissions(interaction, thread=True)
        assert isinstance(interaction.channel, discord.TextChannel)
        message_id = self._messages.message_id(table)
        if message_id is None:
            raise UserError(Problem.NO_THREAD_MADE)
        async with asyncio.timeout(ANSWER_WITHIN):
            await _put(interaction, replies.plain(replies.moving(context.text)), in_place=context.on_private)
        name = replies.thread_name(text_for(table.state.options.locale), interaction.user.display_name)
        try:
            made = await interaction.channel.get_partial_message(message_id).create_thread(name=name)
            await self._tables.move(table, context.click, made.id)
            told = replies.lobby_moved(context.text, made.mention)
        except discord.HTTPException as error:
            log.warning("thread_not_made", code=error.code)
            told = replies.problem(context.text, Problem.NO_THREAD_MADE)
        except UserError as error:
            told = replies.problem(context.text, error.problem, **error.values)
        await interaction.edit_original_response(view=replies.plain(told))

    # --- a server's

    async def open_server(self, interaction: Interaction, text: Text) -> None:
        """Answer the command that opens a server's panel."""
        _only_who_manages(interaction)
        assert interaction.guild_id is not None
        view = server_settings.server_panel(
            text, await self._guild_settings.get(interaction.guild_id), "server"
        )
        async with asyncio.timeout(ANSWER_WITHIN):
            await _put(interaction, view, in_place=False)

    async def server(self, interaction: Interaction, text: Text, custom_id: CustomId) -> None:
        """Answer a press of a server's panel."""
        _only_who_manages(interaction)
        assert interaction.guild_id is not None
        name, *rest = custom_id.args
        note = None
        if name == "page":
            page, settings = rest[0], await self._guild_settings.get(interaction.guild_id)
        elif name == "reset":
            page = "server"
            settings = await self._guild_settings.change(interaction.guild_id, lambda _: GuildSettings())
            note = text.say("All settings are the usual ones again.")
        else:
            values = rest or custom_id.values
            if name == "channels":
                values = [str(channel) for channel in resolved.channels(interaction, custom_id.values)]
            page, settings = _SERVER_PAGES.get(name, "table"), await self._choose(interaction, name, values)
        view = server_settings.server_panel(text, settings, page, note=note)
        async with asyncio.timeout(ANSWER_WITHIN):
            await _put(interaction, view, in_place=is_private(interaction))

    async def _choose(self, interaction: Interaction, name: str, values: Sequence[str]) -> GuildSettings:
        assert interaction.guild_id is not None
        if name == "locale" and not set(values) <= {"own", *LANGUAGES}:
            raise UserError(Problem.NO_SUCH_CHOICE)
        try:
            return await self._guild_settings.change(
                interaction.guild_id, lambda settings: choose(settings, name, values)
            )
        except ValueError as error:
            raise UserError(Problem.NO_SUCH_CHOICE) from error


def _only_who_manages(interaction: Interaction) -> None:
    if not manages(interaction):
        raise UserError(Problem.NOT_A_MANAGER)


async def _put(interaction: Interaction, view: discord.ui.LayoutView, *, in_place: bool) -> None:
    """Answer with a private screen: in the place of the one that was pressed, or as a new one."""
    if in_place:
        await interaction.response.edit_message(view=view)
    else:
        await interaction.response.send_message(view=view, ephemeral=True)
