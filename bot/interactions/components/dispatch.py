"""Every button and menu: its custom_id read, the table asked, the click answered.

All presses come in through the client's `on_interaction`, so buttons live as long as their table and outlive
a restart, and not one can go unanswered: discord.py's own dispatch to views and dynamic items passes over
what it cannot match and swallows what goes wrong before a callback. A click on a hand, or on another private
message, changes that message; a click on the table is answered with the clicker's own hand.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime
from typing import Final

from bot.interactions.components.panels import PANEL_VERBS, Panels
from bot.interactions.components.rematch import Rematches
from bot.interactions.components.seating import SEATING, Seating
from bot.interactions.context import Context, hand_token, is_private
from bot.interactions.guard import ANSWER_WITHIN, Interaction, Work, guard, say
from bot.interactions.permissions import check_permissions
from bot.messages import Messages, drawn
from bot.messages.renderer import Renderer
from bot.model.errors import Problem, UserError
from bot.model.results import KeptHand
from bot.model.state import Person, State
from bot.store import Store
from bot.tables import Change, Click, Table, Tables, not_seated
from bot.tables.guild_settings import GuildSettingsCache
from bot.ui.kit import custom_ids
from bot.ui.kit.custom_ids import CustomId, Verb
from bot.ui.kit.scene import Scene
from bot.ui.screens import rules as rules_screen
from bot.ui.screens import summary
from bot.ui.screens.hand import Step
from bot.ui.screens.help import help_screen
from bot.ui.screens.seat_offer import offer_screen
from bot.ui.text import events as event_text
from bot.ui.text import replies
from bot.ui.text.translation import Text, safe_name, text_for
from engine.actions import (
    ACCEPT,
    CHALLENGE,
    DEAL,
    DRAW,
    KEEP,
    SAY_UNO,
    Action,
    ChooseTarget,
    NameColour,
    Play,
)
from engine.awaiting import NO_SEAT, Awaiting
from engine.cards import CARD_OF_CODE, COLOUR_NAMES
from engine.errors import IllegalAction, Reason

#: Answers to a decision that take no argument: made for one number, refused at another.
_PLAIN: Final[dict[Verb, Action]] = {
    Verb.DRAW: DRAW,
    Verb.KEEP: KEEP,
    Verb.ACCEPT: ACCEPT,
    Verb.CHALLENGE: CHALLENGE,
    Verb.NEXT: DEAL,
}
#: Steps inside a decision: the same hand drawn otherwise, nothing done.
_STEPS: Final[dict[Verb, Step]] = {
    Verb.PICK: Step.COLOURS,
    Verb.TOGGLE: Step.MAIN,
    Verb.MORE: Step.MORE,
    Verb.BACK: Step.MAIN,
    Verb.LEAVE: Step.LEAVE,
    Verb.SEAT: Step.SEAT,
}


class Components:
    """What each button does."""

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
        self._renderer = renderer
        self._now = now
        self.panels = Panels(tables, messages, guild_settings)
        self._seating = Seating(tables, messages, renderer, self._show)
        #: What is asked of no live table.
        self._anywhere: dict[Verb, Callable[[Interaction, Text, CustomId], Work]] = {
            Verb.RULES: self._rules,
            Verb.HELP: self._help,
            Verb.SERVER: self.panels.server,
            Verb.AGAIN: Rematches(tables, messages, store, guild_settings, renderer, now).press,
        }
        self._lobby: dict[Verb, Callable[[Table, Click], Awaitable[Change]]] = {
            Verb.JOIN: tables.join,
            Verb.QUIT: tables.leave,
            Verb.START: tables.start,
            Verb.CANCEL: tables.cancel,
        }

    async def handle(
        self, interaction: Interaction, encoded: str, values: Sequence[object] | None = None
    ) -> None:
        """Answer one press of a button, or one choice in a menu, once."""
        text = text_for(str(interaction.locale))
        custom_id = custom_ids.read(encoded, values)
        if custom_id is not None and custom_id.verb in self._anywhere:
            work = self._anywhere[custom_id.verb](interaction, text, custom_id)
            await self._guarded(interaction, text, work)
            return
        table = None if custom_id is None else self._tables.get(custom_id.table)
        if custom_id is None or table is None or table.channel_id != interaction.channel_id:
            await self._guarded(interaction, text, self._gone(interaction, text, custom_id))
            return
        context = Context(interaction, text, custom_id, table, self._click(interaction, table))
        with self._messages.answering(table):
            if custom_id.verb in PANEL_VERBS:
                await self._guarded(interaction, text, self.panels.lobby(context))
                return
            await guard(
                interaction, text, self._press(context), lambda sentence: self._tell(context, sentence)
            )

    @staticmethod
    async def _guarded(interaction: Interaction, text: Text, work: Work) -> None:
        await guard(interaction, text, work, lambda sentence: say(interaction, sentence))

    def _click(self, interaction: Interaction, table: Table) -> Click:
        message = interaction.message
        on_hand = message is not None and is_private(interaction)
        token = hand_token(interaction, table, message.id if on_hand and message is not None else None)
        return Click(interaction.id, interaction.user.id, interaction.user.display_name, self._now(), token)

    async def _tell(self, context: Context, sentence: str) -> None:
        """Tell a sentence: on a hand as a note above its fresh cards, else as a message of its own."""
        state = context.table.state
        seat = state.seat_of(context.interaction.user.id)
        if context.on_private and seat is not None and state.playing:
            await self._redraw(context, state, seat, note=sentence)
        else:
            await say(context.interaction, sentence)

    async def _gone(self, interaction: Interaction, text: Text, custom_id: CustomId | None) -> None:
        """Answer a button whose table is over or elsewhere, or that never was one of a table here."""
        table = None if custom_id is None else self._tables.get(custom_id.table)
        if table is not None and interaction.guild is not None:
            thread = interaction.guild.get_thread(table.channel_id)
            if thread is not None and thread.parent_id == interaction.channel_id:
                raise UserError(Problem.MOVED, link=thread.mention)
        if custom_id is None or custom_id.verb is not Verb.DETAILS:
            another = self._tables.in_channel(interaction.channel_id or 0)
            raise UserError(Problem.TABLE_OVER if another is None else Problem.EARLIER_TABLE)
        await self._kept_details(interaction, text, custom_id)

    # --- presses

    async def _press(self, context: Context) -> None:
        verb, table, click = context.custom_id.verb, context.table, context.click
        if verb is Verb.DETAILS:
            await self._kept_details(context.interaction, context.text, context.custom_id)
            return
        if verb in self._lobby:
            await self._in_lobby(context)
            return
        if verb is Verb.TAKE or (verb in SEATING and table.state.match is None):
            await self._seating.handle(context)
            return
        seat = table.state.seat_of(context.interaction.user.id)
        if seat is None:
            await self._turn_away(context)
            return
        if table.state.match is None:
            raise UserError(Problem.NOT_STARTED)
        await self._tables.wake(table, click)
        if verb in _STEPS:
            await self._step(context, seat)
        elif verb is Verb.HAND:
            await self._show(context, table.state, seat)
        elif verb in SEATING:
            await self._seating.handle(context)
        elif verb is Verb.HERE:
            await self._bring_here(context, seat)
        elif verb is Verb.LEAVE_YES:
            await self._tables.leave(table, click)
            await self._say_goodbye(context)
        else:
            await self._play(context, seat)

    async def _play(self, context: Context, seat: int) -> None:
        """Answer a press that is an action of the game with the presser's hand."""
        try:
            change = await self._move(context.table, context.custom_id, context.click)
        except UserError as error:
            if error.problem is not Problem.OLD_HAND or context.on_private:
                raise
            # Somebody else was faster at the table; the presser's own hand tells how it stands now.
            note = replies.problem(context.text, Problem.TOO_LATE)
            await self._show(context, context.table.state, seat, note=note)
            return
        match = change.after.match
        assert match is not None
        asks = match.awaiting is Awaiting.DRAWN and match.turn == seat
        # The question what to do with the one card drawn names it.
        named = asks and not match.rules.draw_until_playable
        drew = None if named else event_text.drawn(context.text, change.events, seat)
        await self._show(context, change.after, seat, note=drew)

    async def _move(self, table: Table, custom_id: CustomId, click: Click) -> Change:
        """Carry out a press that is an action of the game."""
        verb, number = custom_id.verb, custom_id.number
        if verb is Verb.CATCH:
            return await self._tables.catch(table, click)
        if verb is Verb.UNO:
            return await self._tables.act(table, click, (SAY_UNO,))
        if verb is Verb.JUMP:
            return await self._jump(table, custom_id, click)
        action = _PLAIN.get(verb) or _read_action(custom_id)
        try:
            return await self._tables.act(table, click, (action,), number, uno=custom_id.uno)
        except IllegalAction as error:
            if verb in (Verb.ACCEPT, Verb.CHALLENGE) and error.reason is Reason.NOT_YOUR_TURN:
                raise UserError(Problem.NOT_YOUR_BUTTON) from error
            raise

    async def _jump(self, table: Table, custom_id: CustomId, click: Click) -> Change:
        match = table.state.match
        if match is None or match.turn == NO_SEAT:
            raise UserError(Problem.NO_JUMP)
        try:
            return await self._tables.act(table, click, (Play(match.game.discard[-1]),), custom_id.number)
        except IllegalAction as error:
            raise UserError(Problem.NO_JUMP) from error

    async def _in_lobby(self, context: Context) -> None:
        table, click = context.table, context.click
        change = await self._lobby[context.custom_id.verb](table, click)
        if context.on_private:
            view = replies.plain(replies.in_at_the_next_hand(context.text))
        else:
            view = self._renderer.table_message(table.id, table.state)
        async with asyncio.timeout(ANSWER_WITHIN):
            await context.interaction.response.edit_message(view=view)
        if context.custom_id.verb in (Verb.JOIN, Verb.START) and click.token is not None:
            self._messages.holds(table, click.token, None)
        if not context.on_private:
            self._messages.updated(table, change.after.version)

    async def _turn_away(self, context: Context) -> None:
        """Answer somebody who does not play: the next hand may have a seat for them."""
        state = context.table.state
        user_id = context.interaction.user.id
        offered = next((s for s, person in state.offers.items() if person.user_id == user_id), None)
        if offered is not None:
            custom_id = CustomId(context.table.id, 0, Verb.TAKE, (str(offered),))
            view = offer_screen(context.text, safe_name(state.names[offered]), f"<@{user_id}>", custom_id)
            async with asyncio.timeout(ANSWER_WITHIN):
                await context.interaction.response.send_message(view=view, ephemeral=True)
            return
        known = state.is_waiting(user_id) or any(person.user_id == user_id for person in state.people)
        scene = self._renderer.scene(context.table.id, state)
        if not state.may_come(user_id):
            raise UserError(Problem.BY_INVITATION)
        if context.custom_id.verb is not Verb.HAND or known or not scene.may_join or state.match is None:
            raise UserError(not_seated(state, user_id))
        custom_id = CustomId(context.table.id, state.match.decision, Verb.JOIN)
        async with asyncio.timeout(ANSWER_WITHIN):
            view = replies.stranger(context.text, custom_id)
            await context.interaction.response.send_message(view=view, ephemeral=True)

    async def _step(self, context: Context, seat: int) -> None:
        state, custom_id = context.table.state, context.custom_id
        assert state.match is not None
        if custom_id.verb is Verb.TOGGLE and state.options.calls_uno:
            raise UserError(Problem.UNO_IS_CALLED)
        uno = custom_id.uno
        if custom_id.number != state.match.decision:
            # A hand that does not know it is its player's turn is an old one: fetched just before a sudden
            # stop, its token was never saved. Its first press, whichever it is, makes it the fresh hand.
            unaware = state.match.turn == seat and custom_id.verb is not Verb.BACK
            if unaware or custom_id.verb in (Verb.PICK, Verb.TOGGLE):
                raise UserError(Problem.OLD_HAND)
            uno = False
        await self._show(context, state, seat, step=_STEPS[custom_id.verb], uno=uno)

    async def _bring_here(self, context: Context, seat: int) -> None:
        check_permissions(context.interaction)
        if not await self._messages.may_bring(context.table):
            raise UserError(Problem.REPOST_TOO_SOON)
        await self._show(context, context.table.state, seat)
        self._messages.post_anew(context.table)

    async def _say_goodbye(self, context: Context) -> None:
        sentence = replies.you_left(context.text)
        if not context.on_private:
            await say(context.interaction, sentence)
            return
        async with asyncio.timeout(ANSWER_WITHIN):
            await context.interaction.response.edit_message(view=replies.plain(sentence))

    # --- answers

    async def _show(
        self,
        context: Context,
        state: State,
        seat: int,
        *,
        step: Step = Step.MAIN,
        uno: bool = False,
        note: str | None = None,
    ) -> None:
        """Answer with the clicker's hand: in its place where they clicked on it, else as a new one."""
        if state.seat_of(context.interaction.user.id) != seat:
            # Somebody took over the seat with a deal that came meanwhile, or by this very press.
            await self._say_goodbye(context)
            return
        if context.on_private:
            await self._redraw(context, state, seat, step=step, uno=uno, note=note)
            return
        view = self._renderer.hand(context.table.id, state, seat, context.text, step=step, uno=uno, note=note)
        async with asyncio.timeout(ANSWER_WITHIN):
            answer = await context.interaction.response.send_message(view=view, ephemeral=True)
        token = hand_token(context.interaction, context.table, answer.message_id)
        self._messages.holds(context.table, token, drawn(state, seat))

    async def _redraw(
        self,
        context: Context,
        state: State,
        seat: int,
        *,
        step: Step = Step.MAIN,
        uno: bool = False,
        note: str | None = None,
    ) -> None:
        view = self._renderer.hand(context.table.id, state, seat, context.text, step=step, uno=uno, note=note)
        async with asyncio.timeout(ANSWER_WITHIN):
            await context.interaction.response.edit_message(view=view)
        assert context.click.token is not None
        self._messages.holds(context.table, context.click.token, drawn(state, seat))

    async def _rules(self, interaction: Interaction, text: Text, custom_id: CustomId) -> None:
        topic = custom_id.args[0] if custom_id.args else None
        table = self._tables.get(custom_id.table)
        rules = None if table is None else table.state.options.rules
        view = rules_screen.rules_screen(text, topic, table=custom_id.table, rules=rules)
        async with asyncio.timeout(ANSWER_WITHIN):
            if topic is not None and is_private(interaction):
                await interaction.response.edit_message(view=view)
            else:
                await interaction.response.send_message(view=view, ephemeral=True)

    async def _help(self, interaction: Interaction, text: Text, custom_id: CustomId) -> None:
        view = help_screen(text, self._renderer.emojis, table=custom_id.table)
        async with asyncio.timeout(ANSWER_WITHIN):
            await interaction.response.send_message(view=view, ephemeral=True)

    async def _kept_details(self, interaction: Interaction, text: Text, custom_id: CustomId) -> None:
        """Show how the points of a finished hand add up, from what is kept of it."""
        hand = await self._store.hand(custom_id.table, int(custom_id.args[0]), guild_id=interaction.guild_id)
        if hand is None:
            raise UserError(Problem.NO_SUCH_HAND)
        seats = await self._store.seats(custom_id.table)
        names = tuple(Person(seat.user_id, seat.name, seat.cpu).shown for seat in seats)
        scene = Scene(table=custom_id.table, names=names, host=None, recent=())
        view = summary.details(text, self._renderer.emojis, scene, KeptHand.of(hand, len(names)))
        async with asyncio.timeout(ANSWER_WITHIN):
            await interaction.response.send_message(view=view, ephemeral=True)


def _read_action(custom_id: CustomId) -> Action:
    """Read the action that a button carries in its arguments."""
    first, *rest = custom_id.args or ("",)
    if custom_id.verb is Verb.PLAY:
        return Play(CARD_OF_CODE[first], COLOUR_NAMES.index(rest[0]) if rest else None)
    if custom_id.verb is Verb.COLOUR:
        return NameColour(COLOUR_NAMES.index(first))
    if custom_id.verb is Verb.TARGET:
        return ChooseTarget(int(first))
    raise UserError(Problem.OLD_HAND)
