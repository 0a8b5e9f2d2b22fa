"""The panels: the host's for the options of a lobby, the managers' for the settings of a server.

Each press is checked again and answered by the panel as it is then; the lobby is rendered by its worker.
"""

from __future__ import annotations

import asyncio
import csv
import io
from collections.abc import Sequence
from typing import Any, Final

import discord
import structlog

from bot.interactions import resolved, stored
from bot.interactions.answer import FOLLOW_UP_WITHIN
from bot.interactions.context import ComponentContext, Context
from bot.interactions.permissions import check_permissions, manages, takes_threads
from bot.interactions.services import Services
from bot.messages.renderer import waiting
from bot.messages.requests import FAILURES
from bot.model.errors import Problem, UserError
from bot.model.guild_settings import GuildSettings, choose
from bot.model.options import SWITCHES
from bot.model.seating import Person
from bot.store.seasons import EXPORTED
from bot.tables import Change
from bot.ui.kit.custom_ids import CustomId, Verb
from bot.ui.screens import lobby_settings, server_settings
from bot.ui.screens.leaderboard import champions
from bot.ui.text import problems, replies
from bot.ui.text.translation import LANGUAGES, text_for

log = structlog.get_logger(__name__)

#: What a lobby's panel asks for, and the button that opens it.
PANEL_VERBS: Final = frozenset({Verb.PANEL, Verb.OPTION, Verb.THREAD})
#: What is said above the panel; other problems are answered by a message of their own.
_NOTED: Final = frozenset(
    {
        Problem.SEATS_TAKEN,
        Problem.NOBODY_TO_INVITE,
        Problem.MOST_INVITED,
        Problem.INVITED_ENOUGH,
        Problem.NO_SUCH_CHOICE,
    }
)
#: The page of the server's panel that each setting is on; all others are on the page of the table.
_SERVER_PAGES: Final = {
    **dict.fromkeys(("preset", *SWITCHES), "rules"),
    **dict.fromkeys(("channels", "locale", "nudges", "moderators_only", "thread"), "server"),
}


class Panels:
    """What each button and menu of the panels does."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._tables = services.tables
        self._guild_settings = services.guild_settings

    # --- a lobby's

    async def lobby(self, context: ComponentContext) -> None:
        """Answer a press of a lobby's panel, or of the button that opens it."""
        verb, state = context.custom_id.verb, context.state
        if state.match is not None:
            raise UserError(Problem.TERMS_STAND)
        host = state.seating.people[state.seating.host].user_id == context.member.id
        if verb is Verb.PANEL and not host and not context.on_private:
            view = lobby_settings.options_screen(context.text, waiting(context.table.id, state))
            await context.answer.send(view)
            return
        self._tables.forming(context.table, context.click)
        if verb is Verb.PANEL:
            await self._show(context, context.custom_id.args[0])
        elif verb is Verb.THREAD:
            await self._move(context)
        else:
            await self._agree(context)

    async def _agree(self, context: ComponentContext) -> None:
        name = context.custom_id.args[0]
        page = "rules" if _SERVER_PAGES.get(name) == "rules" else "table"
        note, change = None, None
        try:
            change = await self._change(context, name)
        except UserError as error:
            if error.problem not in _NOTED:
                raise
            note = problems.problem(context.text, error.problem, **error.values)
        await self._show(context, page, note=note)
        if change is not None:
            before = change.before.seating.invited
            if invited := [person for person in change.after.seating.invited if person not in before]:
                self._services.messages.invite(context.table, invited)

    async def _change(self, context: ComponentContext, name: str) -> Change:
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
            own = (await self._settings(context)).own_rules
            if own is None:
                raise UserError(Problem.NO_SUCH_CHOICE)
            return await self._tables.choose_rules(table, click, own)
        return await self._tables.choose(table, click, name, value)

    async def _show(self, context: ComponentContext, page: str, *, note: str | None = None) -> None:
        view = lobby_settings.lobby_panel(
            context.text,
            waiting(context.table.id, context.state),
            page,
            own=(await self._settings(context)).own_rules,
            thread=takes_threads(context),
            note=note,
        )
        await context.answer.show(view)
        # The first hand is sent through the newest token, as a new message below the panel.
        self._services.messages.holds(context.table, context.hand_token(), None)

    async def _move(self, context: ComponentContext) -> None:
        """Make a thread of the lobby's message and move the lobby there."""
        table, channel = context.table, context.interaction.channel
        if not isinstance(channel, discord.TextChannel):
            raise UserError(Problem.NO_THREAD_HERE)
        check_permissions(context, thread=True)
        message_id = self._services.messages.message_id(table)
        if message_id is None:
            raise UserError(Problem.NO_THREAD_MADE)
        await context.answer.show(replies.plain(replies.moving(context.text)))
        name = replies.thread_name(text_for(table.state.options.locale), context.member.display_name)
        try:
            async with asyncio.timeout(FOLLOW_UP_WITHIN):
                made = await channel.get_partial_message(message_id).create_thread(name=name)
            await self._tables.move(table, context.click, made.id)
            told = replies.lobby_moved(context.text, made.mention)
        except FAILURES as error:
            log.warning("thread_not_made", problem=str(error))
            told = problems.problem(context.text, Problem.NO_THREAD_MADE)
        except UserError as error:
            told = problems.problem(context.text, error.problem, **error.values)
        await context.answer.replace(replies.plain(told))

    # --- a server's

    async def open_server(self, context: Context, time_zone: str | None = None) -> None:
        """Show a server's panel to somebody who manages the server, in a new time zone if one is given."""
        _only_who_manages(context)
        if time_zone is None:
            settings = await self._settings(context)
        else:
            settings = await self._choose(context, "time_zone", [time_zone])
        await context.answer.send(server_settings.server_panel(context.text, settings, "server"))

    async def server(self, context: Context, custom_id: CustomId) -> None:
        """Answer a press of a server's panel."""
        _only_who_manages(context)
        name, *rest = custom_id.args
        note = None
        if name == "season":
            await context.answer.ask(server_settings.season_window(context.text))
            return
        if name == "export":
            rows = await stored.read(self._services.store.exported(context.guild_id))
            words = context.text.gettext("The results of this server")
            await context.answer.send(await asyncio.to_thread(_csv, rows, words))
            return
        if name == "page":
            page, settings = rest[0], await self._settings(context)
        elif name == "reset":
            page = "server"
            settings = await stored.save(
                self._guild_settings.change(context.guild_id, lambda _: GuildSettings())
            )
            note = context.text.gettext("All settings are the usual ones again.")
        else:
            values = rest or custom_id.values
            if name == "channels":
                chosen = resolved.channels(context.interaction, custom_id.values, server_settings.KINDS)
                values = [str(channel) for channel in chosen]
            page, settings = _SERVER_PAGES.get(name, "table"), await self._choose(context, name, values)
        await context.answer.show(server_settings.server_panel(context.text, settings, page, note=note))

    async def submitted(self, context: Context) -> None:
        """Close the season if the window that asks for it was filled in as it says."""
        told: Any = context.interaction.data or {}
        if told.get("custom_id") != server_settings.SEASON:
            raise UserError(Problem.UNREADABLE)
        _only_who_manages(context)
        wanted = server_settings.confirmation(context.text)
        if _typed(told.get("components")).strip().casefold() != wanted.casefold():
            raise UserError(Problem.NOT_TYPED)
        number = await stored.save(self._services.store.close_season(context.guild_id, context.now))
        if number is None:
            raise UserError(Problem.NO_SEASON)
        closed = await stored.read(self._services.store.champions(context.guild_id))
        named = [] if closed is None else closed[1]
        await context.answer.send(
            replies.plain(
                "\n".join(
                    [replies.season_closed(context.text, number), *champions(context.text, number, named)]
                )
            )
        )

    async def _choose(self, context: Context, name: str, values: Sequence[str]) -> GuildSettings:
        if name == "locale" and not set(values) <= {"own", *LANGUAGES}:
            raise UserError(Problem.NO_SUCH_CHOICE)

        def change(settings: GuildSettings) -> GuildSettings:
            try:
                return choose(settings, name, values)
            except ValueError as error:
                raise UserError(Problem.NO_SUCH_CHOICE) from error

        return await stored.save(self._guild_settings.change(context.guild_id, change))

    async def _settings(self, context: Context) -> GuildSettings:
        return await stored.read(self._guild_settings.get(context.guild_id))


def _typed(components: Any) -> str:
    """Return what was typed into the one field of a window; "" if it cannot be found."""
    for each in components if isinstance(components, list) else [components]:
        if isinstance(each, dict):
            if isinstance(each.get("value"), str):
                return str(each["value"])
            if found := _typed(each.get("component") or each.get("components")):
                return found
    return ""


def _csv(rows: Sequence[Sequence[Any]], words: str) -> discord.File:
    written = io.StringIO()
    writer = csv.writer(written)
    writer.writerow(EXPORTED)
    # A spreadsheet must not take a name for a formula.
    writer.writerows(
        [
            f"'{cell}" if isinstance(cell, str) and cell.startswith(("=", "+", "-", "@")) else cell
            for cell in row
        ]
        for row in rows
    )
    return discord.File(io.BytesIO(written.getvalue().encode("utf-8-sig")), "results.csv", description=words)


def _only_who_manages(context: Context) -> None:
    if not manages(context):
        raise UserError(Problem.NOT_A_MANAGER)
