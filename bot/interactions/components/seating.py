"""Buttons and menus about seats: computer players are added and removed, a seat is handed over."""

from __future__ import annotations

from typing import Final

from bot.interactions import resolved
from bot.interactions.context import ComponentContext
from bot.interactions.services import Services
from bot.interactions.showing import show_hand
from bot.model.errors import Problem, UserError
from bot.model.seating import Person
from bot.ui.kit.custom_ids import Verb
from bot.ui.screens.asides import Step
from bot.ui.text import replies
from bot.ui.text.translation import safe_name

#: What these buttons and menus ask for.
SEATING: Final = frozenset({Verb.COMPUTERS, Verb.ADD, Verb.REMOVE, Verb.OFFER, Verb.WITHDRAW, Verb.TAKE})


class Seating:
    """What each of them does."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._tables = services.tables
        self._messages = services.messages

    async def handle(self, context: ComponentContext) -> None:
        """Answer a press."""
        verb = context.custom_id.verb
        if verb is Verb.TAKE:
            await self._take(context)
        elif verb is Verb.OFFER:
            await self._offer(context)
        elif verb is Verb.WITHDRAW:
            await self._withdraw(context)
        else:
            await self._computers(context)

    # --- computer players

    async def _computers(self, context: ComponentContext) -> None:
        """Add or remove a computer player if asked to, and show the host all of them."""
        table, custom_id, click = context.table, context.custom_id, context.click
        if table.state.seating.people[table.state.seating.host].user_id != context.member.id:
            raise UserError(Problem.NOT_THE_HOST, host=table.state.host_name)
        if custom_id.verb is Verb.ADD:
            await self._tables.add_computer(table, click, custom_id.args[0])
        elif custom_id.verb is Verb.REMOVE:
            await self._tables.remove_computer(table, click, custom_id.args[0])
        state, seat = context.state, context.seat
        if state.match is not None and seat is not None:
            await show_hand(self._services, context, state, seat, step=Step.COMPUTERS)
            return
        await context.answer.show(self._services.renderer.computers(table.id, state, context.text))
        # The first hand is sent through the newest token, as a new message below the list.
        self._messages.holds(table, context.hand_token(), None)

    # --- handing over a seat

    async def _offer(self, context: ComponentContext) -> None:
        people = resolved.people(context.interaction, context.custom_id.values)
        if not people or people[0].bot:
            raise UserError(Problem.NO_PERSON)
        person = Person(people[0].user_id, people[0].name)
        change = await self._tables.offer(context.table, context.click, person)
        seat = change.after.seat_of(context.member.id)
        assert seat is not None
        note = replies.seat_offered(context.text, safe_name(person.name))
        await show_hand(self._services, context, change.after, seat, note=note)
        if change.before is not change.after:
            self._messages.offer(context.table, seat)

    async def _withdraw(self, context: ComponentContext) -> None:
        change = await self._tables.withdraw(context.table, context.click)
        seat = change.after.seat_of(context.member.id)
        assert seat is not None
        note = replies.offer_withdrawn(context.text)
        await show_hand(self._services, context, change.after, seat, note=note)

    async def _take(self, context: ComponentContext) -> None:
        """Promise a seat to the person it was offered to, and remove the offer."""
        table, seat = context.table, int(context.custom_id.args[0])
        message = None if context.on_private else context.interaction.message
        if message is not None and seat not in table.state.seating.offers:
            # Left over from before a restart: it is removed when the table is rendered next.
            self._messages.was_offered(table, seat, message.id)
        await self._tables.take(table, context.click, seat)
        if message is not None:
            self._messages.was_offered(table, seat, message.id)
        await context.answer.show(replies.plain(replies.in_at_the_next_hand(context.text)))
        self._messages.holds(table, context.hand_token(), None)
