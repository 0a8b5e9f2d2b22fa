"""Rematch: opens a finished match again as a lobby, from what the store has kept of it.

The first to press opens the lobby, the others join it; the button works as long as its message is there.
"""

from __future__ import annotations

from dataclasses import replace

import structlog

from bot.interactions import stored
from bot.interactions.context import Context, TableContext
from bot.interactions.permissions import check_permissions, check_place
from bot.interactions.services import Services
from bot.interactions.showing import answered_first, show_lobby
from bot.interactions.spoken import of_server
from bot.model.errors import Problem, UserError
from bot.model.options import read_options
from bot.model.seating import MatchBefore, Person
from bot.tables import Options, Table
from bot.ui.kit.custom_ids import CustomId
from bot.ui.text import replies
from bot.ui.text.translation import safe_name

log = structlog.get_logger(__name__)


class Rematches:
    """What a press of Rematch does."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._tables = services.tables

    async def press(self, context: Context, custom_id: CustomId) -> None:
        """Open a lobby for an old table, or join the one that is open; raises UserError."""
        options, before = await self._kept(context, custom_id)
        table = await self._opened(context, custom_id)
        if table is not None:
            await self._come(context, table)
            return
        settings = await stored.read(self._services.guild_settings.get(context.guild_id))
        check_place(context, settings)
        check_permissions(context)
        options = replace(options, locale=of_server(context.interaction, settings))
        try:
            await self._open(context, options, before)
        except UserError:
            # Somebody may have been faster while this was looked up.
            table = await self._opened(context, custom_id)
            if table is None:
                raise
            await self._come(context, table)

    async def _opened(self, context: Context, custom_id: CustomId) -> Table | None:
        return await stored.read(self._tables.again(context.guild_id, custom_id.table, context.now))

    async def _kept(self, context: Context, custom_id: CustomId) -> tuple[Options, MatchBefore]:
        """Return what is kept of the match; raises UserError if the presser took no part in it."""
        store = self._services.store
        kept = await stored.read(
            store.played(custom_id.table, guild_id=context.guild_id, channel_id=context.channel_id)
        )
        if kept is None:
            raise UserError(Problem.NO_SUCH_MATCH)
        try:
            options = read_options(kept.options)
        except (KeyError, TypeError, ValueError) as error:
            log.warning("terms_unreadable", table=custom_id.table, problem=repr(error))
            raise UserError(Problem.NO_SUCH_MATCH) from error
        seats = await stored.read(store.seats(custom_id.table))
        # Who had only waited for a seat took no part.
        people = tuple(Person(seat.user_id, seat.name, seat.cpu) for seat in seats[: kept.seats])
        if all(person.user_id != context.member.id for person in people):
            raise UserError(Problem.NOT_THEIR_MATCH)
        return options, MatchBefore(custom_id.table, people, kept.host_user_id, kept.removed)

    async def _open(self, context: Context, options: Options, before: MatchBefore) -> None:
        self._services.cooldowns.start(context.member.id)
        table = await self._tables.open_again(
            context.guild_id, context.channel_id, context.click, options, before
        )
        await show_lobby(self._services, TableContext.of(context, table))
        self._services.messages.call_again(table)

    async def _come(self, context: Context, table: Table) -> None:
        if table.channel_id != context.channel_id:
            raise UserError(Problem.MOVED, link=f"<#{table.channel_id}>")
        at_table = TableContext.of(context, table)
        with answered_first(self._services, at_table):
            token = at_table.hand_token()
            change = await self._tables.join(table, replace(context.click, token=token))
            after = change.after
            if after.match is None:
                host = safe_name(after.seating.people[after.seating.host].name)
                sentence = replies.in_again(context.text, host)
            else:
                sentence = replies.in_at_the_next_hand(context.text)
            await context.answer.send(sentence)
            self._services.messages.holds(table, token, None, saved=True)
