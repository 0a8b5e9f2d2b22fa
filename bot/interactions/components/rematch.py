"""Rematch: a match that is over is opened again as a lobby, from what the store kept of it.

The first to press opens it, all others come to it; so the button works as long as its message stands.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import datetime

import structlog

from bot.interactions.context import hand_token
from bot.interactions.guard import ANSWER_WITHIN, Interaction, say
from bot.interactions.lobby_message import answer_with_lobby
from bot.interactions.permissions import check_permissions, check_place
from bot.messages import Messages
from bot.messages.renderer import Renderer
from bot.model.errors import Problem, UserError
from bot.model.options import read_options
from bot.model.state import Person
from bot.store import Store
from bot.tables import Click, Options, Table, Tables
from bot.tables.guild_settings import GuildSettingsCache
from bot.ui.kit.custom_ids import CustomId
from bot.ui.text import replies
from bot.ui.text.translation import Text, safe_name

log = structlog.get_logger(__name__)


class Rematches:
    """What a press of Rematch does."""

    def __init__(
        self,
        tables: Tables,
        messages: Messages,
        store: Store,
        guild_settings: GuildSettingsCache,
        renderer: Renderer,
        now: Callable[[], datetime],
    ) -> None:
        self._tables = tables
        self._messages = messages
        self._store = store
        self._guild_settings = guild_settings
        self._renderer = renderer
        self._now = now

    async def press(self, interaction: Interaction, text: Text, custom_id: CustomId) -> None:
        """Open a lobby for an old table, or come to the one that is open; raises UserError."""
        options, people = await self._kept(interaction, custom_id)
        assert interaction.guild_id is not None
        table = self._tables.again(interaction.guild_id, custom_id.table)
        if table is not None:
            await self._come(interaction, text, table)
            return
        check_place(interaction, await self._guild_settings.get(interaction.guild_id))
        check_permissions(interaction, thread=False)
        try:
            await self._open(interaction, options, (custom_id.table, people))
        except UserError:
            # Somebody may have been faster while this was looked up.
            table = self._tables.again(interaction.guild_id, custom_id.table)
            if table is None:
                raise
            await self._come(interaction, text, table)

    async def _kept(self, interaction: Interaction, custom_id: CustomId) -> tuple[Options, list[Person]]:
        """Read on which terms the match was played and who sat there; the presser must have."""
        kept = await self._store.options(
            custom_id.table, guild_id=interaction.guild_id or 0, channel_id=interaction.channel_id or 0
        )
        if kept is None:
            raise UserError(Problem.NO_SUCH_MATCH)
        try:
            options = read_options(kept)
        except (KeyError, TypeError, ValueError) as error:
            log.warning("terms_unreadable", table=custom_id.table, problem=repr(error))
            raise UserError(Problem.NO_SUCH_MATCH) from error
        seats = await self._store.seats(custom_id.table)
        people = [Person(seat.user_id, seat.name, seat.cpu) for seat in seats]
        if all(person.user_id != interaction.user.id for person in people):
            raise UserError(Problem.NOT_THEIR_MATCH)
        return options, people

    async def _open(self, interaction: Interaction, options: Options, old: tuple[int, list[Person]]) -> None:
        assert interaction.guild_id is not None
        assert interaction.channel_id is not None
        interaction.client.cooldowns.start(interaction.user.id)
        table = await self._tables.open_again(
            interaction.guild_id, interaction.channel_id, self._click(interaction), options, old
        )
        await answer_with_lobby(interaction, table, self._messages, self._renderer)

    async def _come(self, interaction: Interaction, text: Text, table: Table) -> None:
        if table.channel_id != interaction.channel_id:
            raise UserError(Problem.MOVED, link=f"<#{table.channel_id}>")
        with self._messages.answering(table):
            change = await self._tables.join(table, self._click(interaction))
            after = change.after
            if after.match is None:
                sentence = replies.in_again(text, safe_name(after.people[after.host].name))
            else:
                sentence = replies.in_at_the_next_hand(text)
            async with asyncio.timeout(ANSWER_WITHIN):
                await say(interaction, sentence)
            self._messages.holds(table, hand_token(interaction, table, None), None)

    def _click(self, interaction: Interaction) -> Click:
        return Click(interaction.id, interaction.user.id, interaction.user.display_name, self._now())
