"""The presses about who sits where: computer players added and removed, a seat handed over."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, Final

import discord

from bot.interactions import resolved
from bot.interactions.context import Context, hand_token
from bot.interactions.guard import ANSWER_WITHIN
from bot.messages import Messages
from bot.messages.renderer import Renderer
from bot.model.errors import Problem, UserError
from bot.model.state import Person
from bot.tables import Tables
from bot.ui.kit.custom_ids import Verb
from bot.ui.screens.hand import Step
from bot.ui.text import replies
from bot.ui.text.translation import safe_name

#: The presses of these buttons and menus.
SEATING: Final = frozenset({Verb.COMPUTERS, Verb.ADD, Verb.REMOVE, Verb.OFFER, Verb.WITHDRAW, Verb.TAKE})

#: Answers with the hand of a seat: takes the press, the table's state, the seat, and `step` and `note`.
ShowHand = Callable[..., Coroutine[Any, Any, None]]


class Seating:
    """What each of them does; `show_hand` answers with the presser's hand."""

    def __init__(self, tables: Tables, messages: Messages, renderer: Renderer, show_hand: ShowHand) -> None:
        self._tables = tables
        self._messages = messages
        self._renderer = renderer
        self._show_hand = show_hand

    async def handle(self, context: Context) -> None:
        """Answer a press."""
        verb = context.custom_id.verb
        if verb is Verb.TAKE:
            await self._take(context)
        elif verb is Verb.OFFER:
            await self._offer(context)
        elif verb is Verb.WITHDRAW:
            change = await self._tables.withdraw(context.table, context.click)
            seat = change.after.seat_of(context.interaction.user.id)
            await self._show_hand(context, change.after, seat, note=replies.offer_withdrawn(context.text))
        else:
            await self._computers(context)

    # --- computer players

    async def _computers(self, context: Context) -> None:
        """Show the host the computer players, one more or one less of them if that was asked for."""
        table, custom_id = context.table, context.custom_id
        if table.state.people[table.state.host].user_id != context.interaction.user.id:
            raise UserError(Problem.NOT_THE_HOST)
        if custom_id.verb is Verb.ADD:
            await self._tables.add_computer(table, context.click, custom_id.args[0])
        elif custom_id.verb is Verb.REMOVE:
            await self._tables.remove_computer(table, context.click, custom_id.args[0])
        state = table.state
        if state.match is not None:
            seat = state.seat_of(context.interaction.user.id)
            await self._show_hand(context, state, seat, step=Step.COMPUTERS)
            return
        view = self._renderer.computers(table.id, state, context.text)
        async with asyncio.timeout(ANSWER_WITHIN):
            if context.on_private:
                await context.interaction.response.edit_message(view=view)
            else:
                await context.interaction.response.send_message(view=view, ephemeral=True)
        # The first hand comes through the newest token, and not in the list's place.
        self._messages.holds(table, hand_token(context.interaction, table, None), None)

    # --- handing over a seat

    async def _offer(self, context: Context) -> None:
        people = resolved.people(context.interaction, context.custom_id.values)
        if not people or people[0].bot:
            raise UserError(Problem.NO_PERSON)
        person = Person(people[0].user_id, people[0].name)
        change = await self._tables.offer(context.table, context.click, person)
        seat = change.after.seat_of(context.interaction.user.id)
        assert seat is not None
        note = replies.seat_offered(context.text, safe_name(person.name))
        await self._show_hand(context, change.after, seat, note=note)
        if change.before is not change.after:
            await self._messages.offer(context.table, seat)

    async def _take(self, context: Context) -> None:
        """Promise a seat to the one it was offered to; the offer goes."""
        interaction, table, seat = context.interaction, context.table, int(context.custom_id.args[0])
        message = None if context.on_private else interaction.message
        if message is not None and seat not in table.state.offers:
            # Left over from before a restart: it goes when the table is drawn next.
            self._messages.was_offered(table, seat, message.id)
        await self._tables.take(table, context.click, seat)
        if message is not None:
            self._messages.was_offered(table, seat, message.id)
        view: discord.ui.LayoutView = replies.plain(replies.in_at_the_next_hand(context.text))
        async with asyncio.timeout(ANSWER_WITHIN):
            if context.on_private:
                await interaction.response.edit_message(view=view)
            else:
                await interaction.response.send_message(view=view, ephemeral=True)
        self._messages.holds(table, hand_token(interaction, table, None), None)
