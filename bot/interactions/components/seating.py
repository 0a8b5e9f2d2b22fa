"""The presses about who sits where: computer players added and removed, a seat handed over."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, Final

import discord

from bot.interactions import resolved
from bot.interactions.context import Asked, hand_token
from bot.interactions.guard import ANSWER_WITHIN
from bot.messages import Screens
from bot.messages.renderer import Painter
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

    def __init__(self, tables: Tables, screens: Screens, painter: Painter, show_hand: ShowHand) -> None:
        self._tables = tables
        self._screens = screens
        self._painter = painter
        self._show_hand = show_hand

    async def handle(self, asked: Asked) -> None:
        """Answer a press."""
        verb = asked.press.verb
        if verb is Verb.TAKE:
            await self._take(asked)
        elif verb is Verb.OFFER:
            await self._offer(asked)
        elif verb is Verb.WITHDRAW:
            change = await self._tables.withdraw(asked.table, asked.click)
            seat = change.after.seat_of(asked.interaction.user.id)
            await self._show_hand(asked, change.after, seat, note=replies.offer_withdrawn(asked.text))
        else:
            await self._computers(asked)

    # --- computer players

    async def _computers(self, asked: Asked) -> None:
        """Show the host the computer players, one more or one less of them if that was asked for."""
        table, press = asked.table, asked.press
        if table.state.people[table.state.host].user_id != asked.interaction.user.id:
            raise UserError(Problem.NOT_THE_HOST)
        if press.verb is Verb.ADD:
            await self._tables.add_computer(table, asked.click, press.args[0])
        elif press.verb is Verb.REMOVE:
            await self._tables.remove_computer(table, asked.click, press.args[0])
        state = table.state
        if state.match is not None:
            seat = state.seat_of(asked.interaction.user.id)
            await self._show_hand(asked, state, seat, step=Step.COMPUTERS)
            return
        view = self._painter.computers(table.id, state, asked.text)
        async with asyncio.timeout(ANSWER_WITHIN):
            if asked.on_private:
                await asked.interaction.response.edit_message(view=view)
            else:
                await asked.interaction.response.send_message(view=view, ephemeral=True)
        # The first hand comes through the newest token, and not in the list's place.
        self._screens.holds(table, hand_token(asked.interaction, table, None), None)

    # --- handing over a seat

    async def _offer(self, asked: Asked) -> None:
        people = resolved.people(asked.interaction, asked.press.values)
        if not people or people[0].bot:
            raise UserError(Problem.NO_PERSON)
        person = Person(people[0].user_id, people[0].name)
        change = await self._tables.offer(asked.table, asked.click, person)
        seat = change.after.seat_of(asked.interaction.user.id)
        assert seat is not None
        note = replies.seat_offered(asked.text, safe_name(person.name))
        await self._show_hand(asked, change.after, seat, note=note)
        if change.before is not change.after:
            await self._screens.offer(asked.table, seat)

    async def _take(self, asked: Asked) -> None:
        """Promise a seat to the one it was offered to; the offer goes."""
        interaction, table, seat = asked.interaction, asked.table, int(asked.press.args[0])
        message = None if asked.on_private else interaction.message
        if message is not None and seat not in table.state.offers:
            # Left over from before a restart: it goes when the table is drawn next.
            self._screens.was_offered(table, seat, message.id)
        await self._tables.take(table, asked.click, seat)
        if message is not None:
            self._screens.was_offered(table, seat, message.id)
        view: discord.ui.LayoutView = replies.plain(replies.in_at_the_next_hand(asked.text))
        async with asyncio.timeout(ANSWER_WITHIN):
            if asked.on_private:
                await interaction.response.edit_message(view=view)
            else:
                await interaction.response.send_message(view=view, ephemeral=True)
        self._screens.holds(table, hand_token(interaction, table, None), None)
