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
from bot.interactions.context import Asked, hand_token, is_private
from bot.interactions.guard import ANSWER_WITHIN, Interaction
from bot.interactions.permissions import check_permissions, manages, takes_threads
from bot.messages import Screens
from bot.messages.renderer import waiting
from bot.model.errors import Problem, UserError
from bot.model.guild_settings import ServerSettings, choose
from bot.model.options import SWITCHES
from bot.model.state import Person
from bot.tables import Change, Tables
from bot.tables.guild_settings import Servers
from bot.ui.kit.custom_ids import Press, Verb
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

    def __init__(self, tables: Tables, screens: Screens, servers: Servers) -> None:
        self._tables = tables
        self._screens = screens
        self._servers = servers

    # --- a lobby's

    async def lobby(self, asked: Asked) -> None:
        """Answer a press of a lobby's panel, or of the button that opens it."""
        verb, state = asked.press.verb, asked.table.state
        if state.match is not None:
            raise UserError(Problem.TERMS_STAND)
        host = state.people[state.host].user_id == asked.interaction.user.id
        if verb is Verb.PANEL and not host and not asked.on_private:
            view = lobby_settings.agreed_screen(asked.text, waiting(asked.table.id, state))
            async with asyncio.timeout(ANSWER_WITHIN):
                await asked.interaction.response.send_message(view=view, ephemeral=True)
            return
        self._tables.forming(asked.table, asked.click)
        if verb is Verb.PANEL:
            await self._show(asked, asked.press.args[0])
        elif verb is Verb.THREAD:
            await self._move(asked)
        else:
            await self._agree(asked)

    async def _agree(self, asked: Asked) -> None:
        name = asked.press.args[0]
        page = "rules" if _SERVER_PAGES.get(name) == "rules" else "table"
        note, change = None, None
        try:
            change = await self._change(asked, name)
        except UserError as error:
            if error.problem not in _NOTED:
                raise
            note = replies.problem(asked.text, error.problem, **error.values)
        await self._show(asked, page, note=note)
        if change is not None:
            before = change.before.invited
            if invited := [person for person in change.after.invited if person not in before]:
                await self._screens.invite(asked.table, invited)

    async def _change(self, asked: Asked, name: str) -> Change:
        table, click, press = asked.table, asked.click, asked.press
        if name == "invite":
            people = [
                Person(each.user_id, each.name)
                for each in resolved.people(asked.interaction, press.values)
                if not each.bot
            ]
            return await self._tables.invite(table, click, people)
        value = press.args[1] if press.menu is None else next(iter(press.values), "")
        if (name, value) == ("preset", "server"):
            own = (await self._servers.get(table.guild_id)).own_rules
            if own is None:
                raise UserError(Problem.NO_SUCH_CHOICE)
            return await self._tables.agree_rules(table, click, own)
        return await self._tables.agree(table, click, name, value)

    async def _show(self, asked: Asked, page: str, *, note: str | None = None) -> None:
        own = (await self._servers.get(asked.table.guild_id)).own_rules
        view = lobby_settings.lobby_panel(
            asked.text,
            waiting(asked.table.id, asked.table.state),
            page,
            own=own,
            thread=takes_threads(asked.interaction),
            note=note,
        )
        async with asyncio.timeout(ANSWER_WITHIN):
            await _put(asked.interaction, view, in_place=asked.on_private)
        # The first hand comes through the newest token, and not in the panel's place.
        token = hand_token(asked.interaction, asked.table, None)
        self._screens.holds(asked.table, token, None)

    async def _move(self, asked: Asked) -> None:
        """Make a thread of the lobby's message and move the lobby there."""
        interaction, table = asked.interaction, asked.table
        if not takes_threads(interaction):
            raise UserError(Problem.NO_THREAD_HERE)
        check_permissions(interaction, thread=True)
        assert isinstance(interaction.channel, discord.TextChannel)
        message_id = self._screens.message_id(table)
        if message_id is None:
            raise UserError(Problem.NO_THREAD_MADE)
        async with asyncio.timeout(ANSWER_WITHIN):
            await _put(interaction, replies.plain(replies.moving(asked.text)), in_place=asked.on_private)
        name = replies.thread_name(text_for(table.state.terms.locale), interaction.user.display_name)
        try:
            made = await interaction.channel.get_partial_message(message_id).create_thread(name=name)
            await self._tables.move(table, asked.click, made.id)
            told = replies.lobby_moved(asked.text, made.mention)
        except discord.HTTPException as error:
            log.warning("thread_not_made", code=error.code)
            told = replies.problem(asked.text, Problem.NO_THREAD_MADE)
        except UserError as error:
            told = replies.problem(asked.text, error.problem, **error.values)
        await interaction.edit_original_response(view=replies.plain(told))

    # --- a server's

    async def open_server(self, interaction: Interaction, text: Text) -> None:
        """Answer the command that opens a server's panel."""
        _only_who_manages(interaction)
        assert interaction.guild_id is not None
        view = server_settings.server_panel(text, await self._servers.get(interaction.guild_id), "server")
        async with asyncio.timeout(ANSWER_WITHIN):
            await _put(interaction, view, in_place=False)

    async def server(self, interaction: Interaction, text: Text, press: Press) -> None:
        """Answer a press of a server's panel."""
        _only_who_manages(interaction)
        assert interaction.guild_id is not None
        name, *rest = press.args
        note = None
        if name == "page":
            page, settings = rest[0], await self._servers.get(interaction.guild_id)
        elif name == "reset":
            page = "server"
            settings = await self._servers.change(interaction.guild_id, lambda _: ServerSettings())
            note = text.say("All settings are the usual ones again.")
        else:
            values = rest or press.values
            if name == "channels":
                values = [str(channel) for channel in resolved.channels(interaction, press.values)]
            page, settings = _SERVER_PAGES.get(name, "table"), await self._choose(interaction, name, values)
        view = server_settings.server_panel(text, settings, page, note=note)
        async with asyncio.timeout(ANSWER_WITHIN):
            await _put(interaction, view, in_place=is_private(interaction))

    async def _choose(self, interaction: Interaction, name: str, values: Sequence[str]) -> ServerSettings:
        assert interaction.guild_id is not None
        if name == "locale" and not set(values) <= {"own", *LANGUAGES}:
            raise UserError(Problem.NO_SUCH_CHOICE)
        try:
            return await self._servers.change(
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
