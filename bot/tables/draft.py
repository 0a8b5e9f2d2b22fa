"""A change of a table on its way: who asked for it, the state as it will be, what happened.

A draft works on a clone, so whatever goes wrong leaves the table as it was. Knows the engine and the model.
"""

from __future__ import annotations

import asyncio
import secrets
from collections import deque
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from bot.model.agenda import Due, Shown
from bot.model.ending import Ending
from bot.model.errors import Problem, UserError
from bot.model.state import State
from bot.store import HandToken, LogRecord
from engine.actions import MOST_SEATS, SAY_UNO, Action, Catch, Deal, Leave, SayUno, TimeOut
from engine.awaiting import NO_SEAT
from engine.events import CardPlayed, CardsDrawn, Event, ItemFired, PlayerLeft, Why
from engine.match import Match
from engine.notation import write_move, write_scenario

#: Interactions a table remembers, so that one delivered twice is carried out once without asking the store.
_REMEMBERED: Final = 256


def not_seated(state: State, user_id: int | None) -> Problem:
    """Tell why somebody has no seat at a table: they wait for the next deal, or do not play there."""
    return Problem.WAITING if user_id is not None and state.is_waiting(user_id) else Problem.NOT_SEATED


def not_invited(state: State, user_id: int) -> UserError:
    """Return why somebody may not come to a table: removed from the match before, or not invited."""
    if user_id in state.seating.again_removed:
        return UserError(Problem.REMOVED_BEFORE)
    return UserError(Problem.BY_INVITATION, host=state.host_name)


def seat_name(seat: int) -> str:
    """Name a seat in logs and scenarios, which know nobody."""
    return f"s{seat}"


SEAT_NAMES: Final = tuple(seat_name(seat) for seat in range(MOST_SEATS))


@dataclass(frozen=True, slots=True)
class Click:
    """Who asked for something, when, by which interaction; `token`, if any, is saved with it."""

    interaction_id: int | None
    user_id: int | None
    name: str
    now: datetime
    token: HandToken | None = None

    @classmethod
    def of_the_clock(cls, now: datetime) -> Click:
        """Stand in for a click where nobody clicked."""
        return cls(None, None, "", now)


@dataclass(slots=True, eq=False)
class Table:
    """A live table; `state` is replaced as a whole and never changed in place.

    `unsettled` is a save whose outcome is not known yet. `doubtful`: the stored table may be another than
    `state`, so it is read again before the next change. `due` is what the clock does next to this state, and
    `shown` the item that is on screen.
    """

    id: int
    guild_id: int
    channel_id: int
    state: State
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    saved_at: datetime | None = None
    seen: deque[int] = field(default_factory=lambda: deque(maxlen=_REMEMBERED))
    unsettled: asyncio.Future[bool] | None = None
    doubtful: bool = False
    due: tuple[datetime, Due] | None = None
    shown: Shown | None = None


@dataclass(frozen=True, slots=True)
class Change:
    """What one click did: the state before and after, the events in full, and the user whose click it was.

    `moved_from` is the channel that the table was in before, None where it stays.
    """

    table: Table
    before: State
    after: State
    events: tuple[Event, ...]
    by: int | None
    moved_from: int | None = None


def _is_item(event: Event) -> bool:
    """Whether an item has just acted: turned over, or a Green Shell that hit."""
    return isinstance(event, ItemFired) or (isinstance(event, CardsDrawn) and event.why is Why.GREEN_SHELL)


class Draft:
    """A change on its way: the state as it will be, what happened, and the moves to be logged.

    `change` is what it came to: nothing, until it is saved.
    """

    def __init__(self, table: Table, click: Click) -> None:
        self.table = table
        self.click = click
        self.before = table.state
        self.after = table.state.clone()
        self.moved_to: int | None = None
        self.events: list[Event] = []
        self.moves: list[LogRecord] = []
        self.change = Change(table, table.state, table.state, (), click.user_id)
        self.dropped = False

    def drop(self) -> None:
        """Leave the table as it is: what was asked for holds already."""
        self.dropped = True

    @property
    def match(self) -> Match:
        """The match as it will be; raises UserError in a lobby."""
        if self.after.match is None:
            raise UserError(Problem.NOT_STARTED, host=self.before.host_name)
        return self.after.match

    def seat(self) -> int:
        """Return the seat of the one who asked; raises UserError where they have none."""
        user_id = self.click.user_id
        seat = None if user_id is None else self.before.seat_of(user_id)
        if seat is None:
            raise UserError(not_seated(self.before, user_id))
        return seat

    def by_host(self) -> bool:
        """Whether the host asked for this."""
        return self.before.seating.people[self.before.seating.host].user_id == self.click.user_id

    def only_host(self) -> None:
        """Raise UserError for anybody but the host."""
        if not self.by_host():
            raise UserError(Problem.NOT_THE_HOST, host=self.before.host_name)

    def only_before_the_match(self, problem: Problem = Problem.ALREADY_STARTED) -> None:
        """Raise UserError once the match has begun."""
        if self.before.match is not None:
            raise UserError(problem)

    def begin(self) -> None:
        """Begin the match of a lobby."""
        after = self.after
        seats = len(after.seating.people)
        options = after.options
        after.match = Match(
            seats, options.rules, options.length, secrets.token_hex(16), [secrets.token_hex(16)]
        )
        after.hands_won = (0,) * seats
        self.events += after.match.begin()
        self._dealt()
        after.clock.full_at = after.clock.began_at = self.click.now

    def do(self, seat: int, action: Action, *, auto: bool = False) -> None:
        """Carry out one action of a seat; raises IllegalAction."""
        after, match, now = self.after, self.match, self.click.now
        counts = match.everybody_played()
        turn, decision, turn_actions = match.turn, match.decision, match.game.actions
        if type(action) is Deal:
            self._hand_over_seats()
            self._seat_newcomers()
            match.hand_seeds.append(secrets.token_hex(16))
        happened = match.apply(seat, action, auto)
        if type(action) is Deal:
            self._dealt()
        self._log(seat, action, auto=auto)
        no_turn = auto or type(action) in (SayUno, Catch, Leave)
        after.log.touch(seat, happened, after.seated_people, auto=no_turn)
        if type(action) not in (SayUno, Catch, Leave) or match.turn != turn:
            after.clock.full_at = now
        if match.decision != decision:
            after.clock.began_at = now
            after.clock.item_at = now if any(map(_is_item, happened)) else None
        if match.game.actions != turn_actions:
            after.log.failed = frozenset()
        if not auto or type(action) is TimeOut:
            after.seating.woken -= {seat}
        for event in happened:
            if isinstance(event, CardPlayed):
                after.clock.played_at = now
            elif isinstance(event, PlayerLeft):
                self._gone(event.seat, counts=counts)
        if match.winners is None and not after.seated_people:
            after.ended = Ending.NOBODY
        self.events += happened
        if after.options.calls_uno and match.game.owed != NO_SEAT:
            self.do(match.game.owed, SAY_UNO, auto=True)

    def _hand_over_seats(self) -> None:
        """Let those sit down who take over somebody's seat; nothing of the one before holds for them."""
        after = self.after
        for seat, person in list(after.seating.successors.items()):
            after.seating.people[seat] = person
            self.match.hand_over(seat)
            self._forget(seat)

    def _forget(self, seat: int) -> None:
        """Forget what stands beside a seat for the one who sat there."""
        after = self.after
        after.seating.woken -= {seat}
        votes = {other: voters - {seat} for other, voters in after.removals.votes.items() if other != seat}
        after.removals.votes = {other: voters for other, voters in votes.items() if voters}
        for promised in (after.seating.successors, after.seating.offers):
            promised.pop(seat, None)

    def _seat_newcomers(self) -> None:
        for _ in self.after.newcomers:
            self.match.add_seat()
            self.after.hands_won += (0,)

    def _dealt(self) -> None:
        self.after.log.head = write_scenario(self.match, SEAT_NAMES[: len(self.after.seating.people)])
        self.after.log.moves = 0
        self.after.log.touched = {}
        self.after.seating.offered = {}
        self.after.removals.votes = {}
        self.after.removals.hand_removers = frozenset()
        self.after.log.failed = frozenset()

    def _log(self, seat: int, action: Action, *, auto: bool) -> None:
        move = LogRecord(
            table_id=self.table.id,
            hand_no=self.match.hand_no,
            position=self.after.log.moves,
            interaction_id=self.click.interaction_id,
            part=len(self.moves),
            seat=seat,
            move=write_move(SEAT_NAMES, seat, action, auto),
            auto=auto,
            at=self.click.now,
        )
        self.moves.append(move)
        self.after.log.moves += 1

    def _gone(self, seat: int, *, counts: bool) -> None:
        after = self.after
        after.seating.gone[seat] = counts
        self._forget(seat)
        seats = len(self.match.scores)
        order = [(after.seating.host + step) % seats for step in range(seats)]
        heir = next((other for other in order if other in after.seated_people), after.seating.host)
        if heir != after.seating.host:
            after.seating.heirs[seat] = after.seating.host = heir
