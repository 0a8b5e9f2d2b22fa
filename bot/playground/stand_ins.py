"""Stand-ins: they play whoever nobody looks through, so that one visitor has somebody to play with.

Each knows what the view of its seat shows and presses what its own screens offer. Imports simcord, discord
(for its clock), the bot's tables and custom_ids, and the engine's views, actions and normal player.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from itertools import repeat
from typing import Final

import discord
import simcord
from simcord.components import walk_components

from bot.model.state import State
from bot.playground.pages import Pages
from bot.tables import Table, Tables
from bot.ui.kit import custom_ids
from bot.ui.kit.custom_ids import CustomId, Verb
from engine.actions import ACCEPT, CHALLENGE, DRAW, KEEP, Action, ChooseTarget, NameColour, Play
from engine.awaiting import NO_SEAT, Awaiting
from engine.cards import CODE, COLOUR_NAMES, WILD_FOUR
from engine.players import NormalPlayer
from engine.views import SeatView, seat_view

#: How long a stand-in thinks before each press.
THINKS: Final = timedelta(seconds=1)
#: How long it looks for a catch first, when somebody owes a UNO: a turn ends what is owed.
LOOKS_FOR_A_CATCH: Final = timedelta(seconds=4)
#: After which time one that forgot says UNO, and one that saw a visitor forget catches. A catch is too early
#: for two seconds, so there is one in which a visitor can catch.
REMEMBERS: Final = timedelta(seconds=3)
CATCHES: Final = timedelta(seconds=3.5)
#: How long the sum of a hand is left on the table where no visitor plays who would press Next hand.
READS_THE_SUM: Final = timedelta(seconds=5)
#: One in so many forgets to say UNO in time.
ONE_FORGETS_IN: Final = 4

_PLAIN: Final = {DRAW: Verb.DRAW, KEEP: Verb.KEEP, ACCEPT: Verb.ACCEPT, CHALLENGE: Verb.CHALLENGE}
_ANY_TIME: Final = (Verb.UNO, Verb.CATCH, Verb.HAND, Verb.BACK)
#: A verb and its arguments, as they stand on a button.
_Wish = tuple[Verb, tuple[str, ...]]
_Member = simcord.MemberActor


class StandIns:
    """All stand-ins, of all tables."""

    def __init__(self, pages: Pages, tables: Tables, members: Sequence[_Member]) -> None:
        self._pages = pages
        self._tables = tables
        self._members = {member.id: member for member in members}
        self._player = NormalPlayer(repeat(0))
        #: By table: what it waits for, and since when; and when a stand-in pressed something last.
        self._waiting: dict[int, tuple[object, datetime]] = {}
        self._pressed: dict[int, datetime] = {}

    def look(self) -> None:
        """Press what is due by now, one button a table."""
        if not self._pages.stand_ins:
            self._waiting.clear()
            return
        idle = self._members.keys() - self._pages.watched()
        now = discord.utils.utcnow()
        for table in self._tables.live():
            awaited = _awaited(table.state)
            before, since = self._waiting.get(table.id, (None, now))
            if before != awaited:
                since = now
            self._waiting[table.id] = awaited, since
            if table.id in self._pressed and now - self._pressed[table.id] < THINKS:
                continue
            if (held := self._tables.held_until(table)) is not None and now < held:
                continue
            if self._act(table, idle, now, since):
                self._pressed[table.id] = now

    def _act(self, table: Table, idle: set[int], now: datetime, since: datetime) -> bool:
        """Let the one whose time it is press a button; tell whether one did."""
        state, waited = table.state, now - since
        match = state.match
        if match is None:
            return waited >= THINKS and self._in_lobby(table, idle)
        if match.awaiting is Awaiting.DEAL:
            seated = set(state.seated_people.values())
            return waited >= READS_THE_SUM and seated <= idle and self._any(table, seated, (Verb.NEXT, ()))
        if state.ended is not None or match.turn == NO_SEAT:
            return False
        owed = match.game.owed
        if owed != NO_SEAT and state.clock.played_at is not None:
            if self._about_uno(table, idle, owed, now - state.clock.played_at):
                return True
            if waited < LOOKS_FOR_A_CATCH:
                return False
        mover = state.seating.people[match.turn].user_id
        return mover in idle and waited >= THINKS and self._move(table, mover, match.turn)

    # --- what each may do

    def _in_lobby(self, table: Table, idle: set[int]) -> bool:
        """Join, unless computers play there; or start, once all are there, where the host is a stand-in."""
        state = table.state
        if state.seated_computers:
            return False
        for member in sorted(idle):
            if state.seat_of(member) is None and state.has_free_seat():
                return self._press(table, member, (Verb.JOIN, ()))
        host = state.seating.people[state.seating.host].user_id
        complete = len(state.seating.people) >= len(self._members)
        return host in idle and complete and self._press(table, host, (Verb.START, ()))

    def _about_uno(self, table: Table, idle: set[int], owed: int, since_play: timedelta) -> bool:
        """Say the UNO forgotten before, or catch a visitor who has forgotten it."""
        forgetful = table.state.seating.people[owed].user_id
        if forgetful in idle:
            return since_play >= REMEMBERS and self._press(table, forgetful, (Verb.UNO, ()))
        seated = idle.intersection(table.state.seated_people.values())
        return since_play >= CATCHES and self._any(table, seated, (Verb.CATCH, ()))

    def _move(self, table: Table, mover: int, seat: int) -> bool:
        """Take the next step of what a normal player would do, beginning with the last step of all."""
        match = table.state.match
        assert match is not None
        view = seat_view(match, seat)
        answer = self._player.answer(view)
        says = _at_two_cards(view, answer) and match.decision % ONE_FORGETS_IN != 0
        steps: list[_Wish] = [_wish(answer)]
        if type(answer) is Play and answer.card == WILD_FOUR:
            steps.append((Verb.PICK, (CODE[WILD_FOUR],)))
        if says:
            steps.append((Verb.TOGGLE, ()))
        # Their visitor may have left the hand open at another step, or there is none that can be reached.
        steps += [(Verb.BACK, ()), (Verb.HAND, ())]
        return any(self._press(table, mover, step, says=says) for step in steps)

    # --- pressing

    def _any(self, table: Table, members: set[int], wish: _Wish) -> bool:
        """Let one of these press a button; all of them see it."""
        return bool(members) and self._press(table, min(members), wish)

    def _press(self, table: Table, user_id: int, wish: _Wish, *, says: bool = False) -> bool:
        """Let a stand-in press the button it wants where it sees it; tell whether it does.

        `says`: UNO! is to be pressed already on the hand that is played from.
        """
        member = self._members[user_id]
        for message_id, press in self._buttons(table, member):
            if (press.verb, press.args) != wish or not self._fresh(table, press):
                continue
            if says and not press.uno and press.verb in (Verb.PLAY, Verb.PICK):
                continue
            self._pages.press(member, table.channel_id, message_id, press.encoded)
            return True
        return False

    @staticmethod
    def _fresh(table: Table, press: CustomId) -> bool:
        """Tell whether a button belongs to the decision awaited, or is good at any."""
        match = table.state.match
        return match is None or press.verb in _ANY_TIME or press.number == match.decision

    def _buttons(self, table: Table, member: _Member) -> Iterator[tuple[int, CustomId]]:
        """Give the buttons of a table that a member can press, those of the newest message first."""
        for message in self._pages.shown_to(member, table.channel_id):
            for component in walk_components(message.components):
                press = custom_ids.read(str(component.get("custom_id", "")))
                if press is not None and press.table == table.id and not component.get("disabled"):
                    yield message.id, press


def _awaited(state: State) -> object:
    """Tell what a table waits for, so that another thing differs from it."""
    match = state.match
    if match is None:
        return len(state.seating.people)
    return match.hand_no, match.decision, match.awaiting


def _at_two_cards(view: SeatView, answer: Action) -> bool:
    """Tell whether this answer is a play for which UNO can be said first."""
    return type(answer) is Play and view.may_say_uno and not view.seats[view.seat].owes


def _wish(answer: Action) -> _Wish:
    """Name the button that is an answer."""
    if isinstance(answer, Play):
        colour = () if answer.colour is None else (COLOUR_NAMES[answer.colour],)
        return Verb.PLAY, (CODE[answer.card], *colour)
    if isinstance(answer, NameColour):
        return Verb.COLOUR, (COLOUR_NAMES[answer.colour],)
    if isinstance(answer, ChooseTarget):
        return Verb.TARGET, (str(answer.seat),)
    return _PLAIN[answer], ()
