"""Receives every press of a button and choice in a menu, and answers those of the game.

All come in through the client's `on_interaction`, so buttons live as long as their table, through restarts,
and none goes unanswered: discord.py's own dispatch to views and dynamic items skips what it cannot match and
swallows what fails before a callback. A press on a hand, or on another private message, edits that message; a
press on the table is answered with the presser's own hand.
"""

from __future__ import annotations

import functools
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import replace
from datetime import timedelta
from typing import Any, Final

import discord

from bot.interactions import stored
from bot.interactions.answer import Interaction
from bot.interactions.components.anywhere import Anywhere
from bot.interactions.components.ending import Ending
from bot.interactions.components.history import History
from bot.interactions.components.leaderboard import Leaderboard
from bot.interactions.components.panels import PANEL_VERBS, Panels
from bot.interactions.components.rematch import Rematches
from bot.interactions.components.seating import SEATING, Seating
from bot.interactions.components.share import Shares
from bot.interactions.components.statistics import Statistics
from bot.interactions.context import ComponentContext, Context, TableContext
from bot.interactions.guard import Guard, refusal
from bot.interactions.permissions import check_permissions
from bot.interactions.privacy import Privacy
from bot.interactions.services import Services
from bot.interactions.showing import answered_first, say_goodbye, show_hand
from bot.model.errors import Problem, UserError
from bot.tables import Change, Click, Table, hand_so_far, not_invited, not_seated
from bot.ui.kit import custom_ids
from bot.ui.kit.custom_ids import CustomId, Verb
from bot.ui.screens.asides import Log, Step
from bot.ui.screens.seat_offer import offer_screen
from bot.ui.text import notes, problems, replies
from bot.ui.text.translation import safe_name
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

#: Actions without an argument; each button is made for one decision and refused at another.
_PLAIN: Final[dict[Verb, Action]] = {
    Verb.DRAW: DRAW,
    Verb.KEEP: KEEP,
    Verb.ACCEPT: ACCEPT,
    Verb.CHALLENGE: CHALLENGE,
    Verb.NEXT: DEAL,
}
#: Steps inside a decision: they render the same hand differently and do nothing.
_STEPS: Final[dict[Verb, Step]] = {
    Verb.PICK: Step.COLOURS,
    Verb.TOGGLE: Step.MAIN,
    Verb.MORE: Step.MORE,
    Verb.BACK: Step.MAIN,
    Verb.LEAVE: Step.LEAVE,
    Verb.SEAT: Step.SEAT,
}
#: Discord's numbers for buttons, and for menus of words, people, roles, both, and channels.
_BUTTON: Final = discord.ComponentType.button.value
_MENUS: Final = frozenset({3, 5, 6, 7, 8})


class Components:
    """What each button and menu does."""

    def __init__(self, services: Services, guard: Guard) -> None:
        tables = services.tables
        self._services = services
        self._guard = guard
        self._tables = tables
        self._panels = Panels(services)
        self._seating = Seating(services)
        self._ending = Ending(services)
        anywhere = Anywhere(services)
        self._details = anywhere.details
        #: What needs no live table.
        self._anywhere: dict[Verb, Callable[[Context, CustomId], Coroutine[Any, Any, None]]] = {
            Verb.RULES: anywhere.rules,
            Verb.HELP: anywhere.help,
            Verb.DETAILS: anywhere.details,
            Verb.SERVER: self._panels.server,
            Verb.FORGET: Privacy(services).press,
            Verb.BOARD: Leaderboard(services).press,
            Verb.STATS: Statistics(services).press,
            Verb.HISTORY: History(services).press,
            Verb.AGAIN: Rematches(services).press,
            Verb.SHARE: Shares(services).press,
        }
        #: What a player does that is no move.
        self._at_table: dict[Verb, Callable[[ComponentContext, int], Coroutine[Any, Any, None]]] = {
            Verb.LOG: self._log,
            Verb.HERE: self._bring_here,
            Verb.RESUME: self._for_the_table,
            Verb.VOTE: self._for_the_table,
        }
        self._lobby: dict[Verb, Callable[[Table, Click], Awaitable[Change]]] = {
            Verb.JOIN: tables.join,
            Verb.QUIT: tables.leave,
            Verb.START: tables.start,
            Verb.CANCEL: tables.cancel,
        }
        #: What needs a table, but no seat at it.
        self._without_seat: dict[Verb, Callable[[ComponentContext], Coroutine[Any, Any, None]]] = {
            **dict.fromkeys(PANEL_VERBS, self._panels.lobby),
            **dict.fromkeys(self._lobby, self._in_lobby),
            Verb.END: self._ending.press,
        }

    async def handle(self, interaction: Interaction) -> None:
        """Answer an interaction that is not a command."""
        await self._guard.answer(interaction, self._answer)

    async def _answer(self, context: Context) -> None:
        if context.interaction.type is discord.InteractionType.modal_submit:
            await self._panels.submitted(context)
            return
        custom_id = _read_custom_id(context.interaction)
        if custom_id is not None and custom_id.verb in self._anywhere:
            self._note_press(context, custom_id)
            await self._anywhere[custom_id.verb](context, custom_id)
            return
        if custom_id is None:
            raise self._gone(context, None)
        table = await stored.table(self._tables, custom_id.table, context.now)
        if table is None or table.channel_id != context.channel_id:
            raise self._gone(context, table)
        at_table = ComponentContext.read(TableContext.of(context, table), custom_id)
        with answered_first(self._services, at_table):
            try:
                await self._press(at_table)
            except (UserError, IllegalAction) as error:
                await self._refuse(at_table, error)

    def _note_press(self, context: Context, custom_id: CustomId) -> None:
        """Note that somebody pressed something of a table in this channel, so that they are not nudged."""
        table = self._tables.get(custom_id.table)
        if table is not None and table.channel_id == context.channel_id:
            permissions = context.interaction.app_permissions
            self._services.messages.pressed(table, context.member.id, permissions)

    def _gone(self, context: Context, table: Table | None) -> UserError:
        """Return why a button does nothing: its table is over or elsewhere, or it never had one."""
        guild = context.interaction.guild
        if table is not None and guild is not None:
            thread = guild.get_thread(table.channel_id)
            if thread is not None and thread.parent_id == context.channel_id:
                return UserError(Problem.MOVED, link=thread.mention)
        another = self._tables.id_in_channel(context.channel_id)
        return UserError(Problem.TABLE_OVER if another is None else Problem.EARLIER_TABLE)

    async def _refuse(self, context: ComponentContext, error: UserError | IllegalAction) -> None:
        """Say why something was refused: on a hand as a note above the refreshed cards, else as a message."""
        seat, state = context.seat, context.state
        on_hand = context.on_private and seat is not None and state.playing
        if seat is None or not on_hand or context.answer.given or context.custom_id.verb in PANEL_VERBS:
            raise error
        note = refusal(context.text, error)
        await show_hand(self._services, context, state, seat, note=note)

    # --- presses

    async def _press(self, context: ComponentContext) -> None:
        verb, table = context.custom_id.verb, context.table
        if (handle := self._without_seat.get(verb)) is not None:
            await handle(context)
            return
        if verb is Verb.TAKE or (verb in SEATING and table.state.match is None):
            await self._seating.handle(context)
            return
        seat = context.seat
        if seat is None:
            await self._turn_away(context)
            return
        if table.state.match is None:
            raise UserError(Problem.NOT_STARTED, host=table.state.host_name)
        woke = await self._tables.wake(table, context.click)
        note = replies.you_are_back(context.text) if woke else None
        if verb in _STEPS:
            await self._step(context, seat, note)
        elif verb is Verb.HAND:
            await self._show(context, seat, note=note)
        elif verb in self._at_table:
            await self._at_table[verb](context, seat)
        elif verb in SEATING:
            await self._seating.handle(context)
        elif verb is Verb.LEAVE_YES:
            await self._tables.leave(table, context.click)
            await say_goodbye(context)
        else:
            await self._play(context, seat, note)

    async def _play(self, context: ComponentContext, seat: int, note: str | None) -> None:
        """Carry out an action of the game, and answer with the presser's hand."""
        try:
            change = await self._move(context.table, context.custom_id, context.click)
        except UserError as error:
            if error.problem is not Problem.OLD_HAND or context.on_private:
                raise
            # Somebody else was faster at the table; the presser's own hand shows how it stands now.
            await self._show(context, seat, note=problems.problem(context.text, Problem.TOO_LATE))
            return
        match = change.after.match
        assert match is not None
        asks = match.awaiting is Awaiting.DRAWN and match.turn == seat
        # The question about the one card drawn names it already.
        named = asks and not match.rules.draw_until_playable
        told = None
        if not named:
            emojis, names = self._services.renderer.emojis, change.after.seating.names
            told = notes.note(context.text, emojis, change.events, seat, names)
        note = " ".join(filter(None, (note, told))) or None
        await show_hand(self._services, context, change.after, seat, note=note)

    async def _move(self, table: Table, custom_id: CustomId, click: Click) -> Change:
        """Carry out an action of the game."""
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

    async def _in_lobby(self, context: ComponentContext) -> None:
        """Answer a press of the lobby by updating the lobby.

        It is never deferred, because the first hand is sent through this answer's token.
        """
        table, answer = context.table, context.answer
        if not context.on_private:
            answer.defer_by(functools.partial(self._show_lobby_meanwhile, context))
        click = context.click
        if context.custom_id.verb is Verb.JOIN:
            # Nobody who comes has a hand yet that an earlier token reaches.
            click = replace(click, token=context.pressed_token)
        change = await self._lobby[context.custom_id.verb](table, click)
        if context.on_private:
            await answer.update(replies.plain(replies.in_at_the_next_hand(context.text)))
        elif not answer.responded:
            await answer.update(self._services.renderer.table_message(table.id, table.state))
            if (message := context.interaction.message) is not None:
                self._services.messages.updated(table, message.id, change.after.version)
        else:
            return
        self._reach_hand(context)

    async def _show_lobby_meanwhile(self, context: ComponentContext) -> None:
        """Show the lobby as it stands while a change is saved, which is then rendered as any other."""
        view = self._services.renderer.table_message(context.table.id, context.state)
        await context.answer.show_meanwhile(view)
        self._reach_hand(context)

    def _reach_hand(self, context: ComponentContext) -> None:
        if context.custom_id.verb in (Verb.JOIN, Verb.START):
            saved = context.custom_id.verb is Verb.JOIN
            self._services.messages.holds(context.table, context.pressed_token, None, saved=saved)

    async def _turn_away(self, context: ComponentContext) -> None:
        """Answer somebody who does not play, with a seat at the next hand if there is one."""
        state, user_id = context.state, context.member.id
        offered = next((s for s, person in state.seating.offers.items() if person.user_id == user_id), None)
        if offered is not None:
            custom_id = CustomId(context.table.id, 0, Verb.TAKE, (str(offered),))
            player, other = safe_name(state.seating.names[offered]), f"<@{user_id}>"
            await context.answer.send(offer_screen(context.text, player, other, custom_id))
            return
        known = state.is_waiting(user_id) or any(person.user_id == user_id for person in state.seating.people)
        scene = self._services.renderer.scene(context.table.id, state)
        if not state.may_come(user_id):
            raise not_invited(state, user_id)
        if context.custom_id.verb is not Verb.HAND or known or not scene.may_join or state.match is None:
            raise UserError(not_seated(state, user_id))
        custom_id = CustomId(context.table.id, state.match.decision, Verb.JOIN)
        await context.answer.send(replies.stranger(context.text, custom_id))

    async def _step(self, context: ComponentContext, seat: int, note: str | None) -> None:
        state, custom_id = context.state, context.custom_id
        assert state.match is not None
        if custom_id.verb is Verb.TOGGLE and state.options.calls_uno:
            raise UserError(Problem.UNO_IS_CALLED)
        uno = custom_id.uno
        if custom_id.number != state.match.decision:
            # A hand that does not know it is its player's turn is old: it was fetched just before a sudden
            # stop, and its token was never saved. Its first press, whichever it is, refreshes it.
            unaware = state.match.turn == seat and custom_id.verb is not Verb.BACK
            if unaware or custom_id.verb in (Verb.PICK, Verb.TOGGLE):
                raise UserError(Problem.OLD_HAND)
            uno = False
        await self._show(context, seat, step=_STEPS[custom_id.verb], uno=uno, note=note)

    async def _log(self, context: ComponentContext, seat: int) -> None:
        """Show a page of the whole hand so far."""
        page = int(context.custom_id.args[0]) if context.custom_id.args else None
        history = await stored.read(hand_so_far(self._services.store, context.table))
        await self._show(context, seat, step=Log(history, page))

    async def _for_the_table(self, context: ComponentContext, seat: int) -> None:
        """Let the clock run again, or join a vote to remove somebody."""
        text, table, custom_id = context.text, context.table, context.custom_id
        if custom_id.verb is Verb.RESUME:
            await self._tables.pause(table, context.click, stop=False)
            await self._show(context, seat, note=replies.resumed(text))
            return
        voted = int(custom_id.args[0])
        change = await self._tables.vote(table, context.click, voted)
        name = safe_name(change.before.seating.names[voted])
        votes = self._services.renderer.scene(table.id, change.after).votes
        vote = next((vote for vote in votes if vote.seat == voted), None)
        note = (
            replies.removed(text, name) if vote is None else replies.voted(text, name, vote.got, vote.needed)
        )
        await self._show(context, seat, note=note)

    async def _bring_here(self, context: ComponentContext, seat: int) -> None:
        check_permissions(context)
        if not await self._services.messages.may_bring(context.table):
            raise UserError(
                Problem.REPOST_TOO_SOON, time=timedelta(seconds=self._services.settings.repost_pause)
            )
        await self._show(context, seat)
        self._services.messages.repost(context.table)

    async def _show(
        self,
        context: ComponentContext,
        seat: int,
        *,
        step: Step | Log = Step.MAIN,
        uno: bool = False,
        note: str | None = None,
    ) -> None:
        await show_hand(self._services, context, context.state, seat, step=step, uno=uno, note=note)


def _read_custom_id(interaction: Interaction) -> CustomId | None:
    """Return what was pressed or chosen, None for what no screen of ours has."""
    told = dict[str, Any](interaction.data or {})
    encoded, kind, values = told.get("custom_id"), told.get("component_type"), told.get("values")
    if interaction.type is not discord.InteractionType.component or not isinstance(encoded, str):
        return None
    if kind == _BUTTON and values is None:
        return custom_ids.read(encoded)
    return custom_ids.read(encoded, values) if kind in _MENUS and isinstance(values, list) else None


def _read_action(custom_id: CustomId) -> Action:
    """Return the action in a button's arguments."""
    first, *rest = custom_id.args or ("",)
    if custom_id.verb is Verb.PLAY:
        return Play(CARD_OF_CODE[first], COLOUR_NAMES.index(rest[0]) if rest else None)
    if custom_id.verb is Verb.COLOUR:
        return NameColour(COLOUR_NAMES.index(first))
    if custom_id.verb is Verb.TARGET:
        return ChooseTarget(int(first))
    raise UserError(Problem.OLD_HAND)
