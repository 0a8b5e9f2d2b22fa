"""What every change of a table has in common: the lock, the clone, the save, the one callback.

A change is worked out on a clone under the table's lock, saved, and only then counts.
"""

from __future__ import annotations

import asyncio
import secrets
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final

import structlog

from bot.model import results
from bot.model.agenda import BY_COMPUTERS, Due, Pace, agenda
from bot.model.errors import Problem, UserError
from bot.model.state import Person, State, restore, snapshot
from bot.store import HandToken, LogRecord, Save, SeatRecord, Store, TableRecord
from engine.actions import MOST_SEATS, SAY_UNO, Action, Catch, Deal, Leave, SayUno, TimeOut
from engine.awaiting import NO_SEAT
from engine.errors import BadInput
from engine.events import CardPlayed, Event, HandEnded, MatchEnded, PlayerLeft, public
from engine.match import Match
from engine.notation import write_move, write_scenario

log = structlog.get_logger(__name__)

#: Interactions a table remembers, so that one delivered twice is carried out once without asking the store.
_REMEMBERED: Final = 256
#: How far apart tables come due again after the bot was away, and the least time a player then has.
_SPREAD: Final = timedelta(milliseconds=200)
_LEAST_TIME: Final = timedelta(seconds=60)


def _log_failure(done: asyncio.Future[bool]) -> None:
    if not done.cancelled() and (error := done.exception()) is not None:
        log.warning("table_not_put_away", problem=type(error).__name__)


def not_seated(state: State, user_id: int | None) -> Problem:
    """Tell why somebody has no seat at a table: they wait for the next deal, or do not play there."""
    return Problem.WAITING if user_id is not None and state.is_waiting(user_id) else Problem.NOT_SEATED


def seat_name(seat: int) -> str:
    """Name a seat in logs and scenarios, which know nobody."""
    return f"s{seat}"


SEAT_NAMES: Final = tuple(seat_name(seat) for seat in range(MOST_SEATS))


@dataclass(frozen=True, slots=True)
class Click:
    """Who asked for something, when, by which interaction; `token` lets their hand be drawn again."""

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
    """A live table; `state` is replaced as a whole and never changed in place."""

    id: int
    guild_id: int
    channel_id: int
    state: State
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    saved_at: datetime | None = None
    seen: deque[int] = field(default_factory=lambda: deque(maxlen=_REMEMBERED))
    unsettled: asyncio.Future[bool] | None = None


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


class Draft:
    """A change on its way: the state as it will be, what happened, and the moves to be logged."""

    def __init__(self, table: Table, click: Click) -> None:
        self.table = table
        self.click = click
        self.before = table.state
        self.after = table.state.clone()
        self.moved_to: int | None = None
        self.events: list[Event] = []
        self.moves: list[LogRecord] = []

    @property
    def match(self) -> Match:
        """The match as it will be."""
        assert self.after.match is not None
        return self.after.match

    def begin(self) -> None:
        """Begin the match of a lobby."""
        after = self.after
        seats = len(after.people)
        options = after.options
        after.match = Match(
            seats, options.rules, options.length, secrets.token_hex(16), [secrets.token_hex(16)]
        )
        after.hands_won = (0,) * seats
        self.events += after.match.begin()
        self._dealt()
        after.clock_at = after.began_at = self.click.now

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
        if type(action) not in (SayUno, Catch, Leave) or match.turn != turn:
            after.clock_at = now
        if match.decision != decision:
            after.began_at = now
        if match.game.actions != turn_actions:
            after.failed = frozenset()
        if not auto or type(action) is TimeOut:
            after.woken -= {seat}
        for event in happened:
            if isinstance(event, CardPlayed):
                after.played_at = now
            elif isinstance(event, PlayerLeft):
                self._gone(event.seat, counts=counts)
        if match.winners is None and not after.seated_people:
            after.ended = "nobody"
        self.events += happened
        if after.options.calls_uno and match.game.owed != NO_SEAT:
            self.do(match.game.owed, SAY_UNO, auto=True)

    def _hand_over_seats(self) -> None:
        """Let those sit down who take over somebody's seat; nothing of the one before holds for them."""
        after = self.after
        for seat, person in list(after.successors.items()):
            after.people[seat] = person
            self.match.hand_over(seat)
            self._forget(seat)

    def _forget(self, seat: int) -> None:
        """Forget what stands beside a seat for the one who sat there."""
        after = self.after
        after.woken -= {seat}
        after.votes = {other: voters - {seat} for other, voters in after.votes.items() if other != seat}
        for promised in (after.successors, after.offers):
            promised.pop(seat, None)

    def _seat_newcomers(self) -> None:
        for _ in self.after.newcomers:
            self.match.add_seat()
            self.after.hands_won += (0,)

    def _dealt(self) -> None:
        self.after.head = write_scenario(self.match, SEAT_NAMES[: len(self.after.people)])
        self.after.moves = 0
        self.after.offered = {}
        self.after.failed = frozenset()

    def _log(self, seat: int, action: Action, *, auto: bool) -> None:
        move = LogRecord(
            table_id=self.table.id,
            hand_no=self.match.hand_no,
            position=self.after.moves,
            interaction_id=self.click.interaction_id,
            part=len(self.moves),
            seat=seat,
            move=write_move(SEAT_NAMES, seat, action, auto),
            auto=auto,
            at=self.click.now,
        )
        self.moves.append(move)
        self.after.moves += 1

    def _gone(self, seat: int, *, counts: bool) -> None:
        after = self.after
        after.gone[seat] = counts
        self._forget(seat)
        seats = len(self.match.scores)
        order = [(after.host + step) % seats for step in range(seats)]
        heir = next((other for other in order if other in after.seated_people), after.host)
        if heir != after.host:
            after.heirs[seat] = after.host = heir


class Core:
    """All live tables of this process, and how a change of one is saved."""

    def __init__(self, store: Store, pace: Pace, *, save_timeout: float, catch_grace: float) -> None:
        self.store = store
        self.pace = pace
        self.changed: Callable[[Change], None] = lambda change: None
        #: Tells when the person in a seat last pressed something, None where their hand cannot be reached.
        self.last_seen: Callable[[Table, int], datetime | None] = lambda table, seat: None
        #: Tells when a table's message must be posted anew, None where it has none.
        self.grows_old: Callable[[Table], datetime | None] = lambda table: None
        self._save_timeout = save_timeout
        self._catch_grace = timedelta(seconds=catch_grace)
        self._by_id: dict[int, Table] = {}
        self._by_channel: dict[int, Table] = {}
        self._next_id = 1
        #: Tables that had ended when the bot stopped, and may not show it.
        self.ended: list[Table] = []

    async def load(self, now: datetime) -> list[Table]:
        """Bring back the tables that lived when the bot stopped; returns those that cannot be read, closed.

        What came due meanwhile is put off, so that nobody loses a turn while they could not play it.
        """
        self._next_id = await self.store.next_table_id()
        broken = []
        for record, seats in await self.store.live_tables():
            in_order = sorted(seats, key=lambda seat: seat.seat)
            people = [Person(seat.user_id, seat.name, seat.cpu) for seat in in_order]
            try:
                state = restore(record.snapshot, people, record.version)
            except BadInput:
                log.exception("table_unreadable", table=record.id)
                broken.append(Table(record.id, record.guild_id, record.channel_id, State(people=people)))
                await self._close_unread(record, now)
                continue
            table = Table(record.id, record.guild_id, record.channel_id, state)
            table.saved_at = record.updated_at
            if state.ended is not None:
                self.ended.append(table)
                continue
            self._put_off(table, now, len(self._by_id))
            self._add(table)
        return broken

    async def _close_unread(self, record: TableRecord, now: datetime) -> None:
        closed = TableRecord(record.id, record.guild_id, record.channel_id, record.version + 1, {}, now)
        try:
            await self.store.submit(Save(table=closed, closes=True))
        except Exception:
            log.exception("unreadable_table_not_closed", table=record.id)

    def _put_off(self, table: Table, now: datetime, nth: int) -> None:
        state = table.state
        forgiving = BY_COMPUTERS | {Due.NUDGE}
        first = next((when for when, what in agenda(state, self.pace) if what not in forgiving), None)
        if first is not None and first <= now:
            least = max(_LEAST_TIME, timedelta(seconds=state.options.turn_time or 0))
            state.shift(now + least + nth * _SPREAD - first)

    def put_away(self, table: Table, now: datetime) -> asyncio.Future[bool]:
        """Close a table that has ended, now that its end has been shown; returns what comes of the save."""
        version = table.state.version + 1
        gone = TableRecord(table.id, table.guild_id, table.channel_id, version, {}, now)
        future = self.store.submit(Save(table=gone, closes=True))
        future.add_done_callback(_log_failure)
        return future

    def next_due(self, table: Table, state: State | None = None) -> tuple[datetime, Due] | None:
        """Tell what is due next at a table, and when; None if nothing ever is."""
        state = table.state if state is None else state
        turn = NO_SEAT if state.match is None else state.match.turn
        seen = None if turn == NO_SEAT else self.last_seen(table, turn)
        return next(iter(agenda(state, self.pace, seen, self.grows_old(table))), None)

    def _add(self, table: Table) -> None:
        self._by_id[table.id] = table
        self._by_channel[table.channel_id] = table

    def get(self, table_id: int) -> Table | None:
        """Find a live table by its number."""
        return self._by_id.get(table_id)

    def in_channel(self, channel_id: int) -> Table | None:
        """Find the live table of a channel or thread."""
        return self._by_channel.get(channel_id)

    def live(self) -> Iterable[Table]:
        """List the live tables."""
        return list(self._by_id.values())

    # --- saving

    def _ready(self, table: Table) -> State:
        """Give the state to change; raises UserError after the end or while a save is unsettled."""
        if table.unsettled is not None:
            raise UserError(Problem.BUSY)
        if table.state.ended is not None:
            raise UserError(Problem.TABLE_OVER)
        return table.state

    @staticmethod
    def _may_come(state: State, user_id: int) -> None:
        """Raise UserError for somebody who is at the table already, or has left it."""
        if any(person.user_id == user_id for person in (*state.people, *state.successors.values())):
            if state.seat_of(user_id) is not None or state.is_waiting(user_id):
                raise UserError(Problem.ALREADY_SEATED)
            # Whoever left or was removed does not come back in this match.
            removed = any(state.people[seat].user_id == user_id for seat in state.removed)
            raise UserError(Problem.REMOVED_FOR_GOOD if removed else Problem.GONE_FOR_GOOD)

    @staticmethod
    def _seat(state: State, click: Click) -> int:
        seat = None if click.user_id is None else state.seat_of(click.user_id)
        if seat is None:
            raise UserError(not_seated(state, click.user_id))
        return seat

    @staticmethod
    def _only_host(state: State, click: Click) -> None:
        if state.people[state.host].user_id != click.user_id:
            raise UserError(Problem.NOT_THE_HOST)

    @staticmethod
    def _match(state: State) -> Match:
        if state.match is None:
            raise UserError(Problem.NOT_STARTED)
        return state.match

    @staticmethod
    def _seen(table: Table, click: Click) -> bool:
        """Tell whether this very click has been carried out already."""
        return click.interaction_id is not None and click.interaction_id in table.seen

    @staticmethod
    def _nothing(table: Table, click: Click) -> Change:
        return Change(table, table.state, table.state, (), click.user_id)

    async def _commit(self, draft: Draft) -> Change:
        """Save a change, then let it count; raises UserError if it was not saved, or may not have been."""
        table, click, before, after, events = (
            draft.table,
            draft.click,
            draft.before,
            draft.after,
            draft.events,
        )
        after.version = before.version + 1
        if click.user_id is not None:
            after.acted_at = click.now
        after.remember([public(event) for event in events])
        hands = tuple(results.finished_hand(after) for event in events if isinstance(event, HandEnded))
        if any(isinstance(event, MatchEnded) for event in events):
            after.ended = "won"
        moved_from = None if draft.moved_to is None else table.channel_id
        change = Change(table, before, after, tuple(events), click.user_id, moved_from)
        due = self.next_due(table, after)
        save = Save(
            table=TableRecord(
                table.id,
                table.guild_id,
                draft.moved_to or table.channel_id,
                after.version,
                snapshot(after),
                click.now,
                None if due is None else due[0],
            ),
            seats=self._seats(table, before, after),
            log=tuple(draft.moves),
            hands=hands,
            match=results.finished_match(after) if after.ended else None,
        )
        future = self.store.submit(save)
        try:
            saved = await asyncio.wait_for(asyncio.shield(future), self._save_timeout)
        except TimeoutError:
            log.warning("save_too_slow", table=table.id, interaction=click.interaction_id)
            table.unsettled = future
            future.add_done_callback(lambda done: self._settle(draft, change, done))
            raise UserError(Problem.UNCERTAIN) from None
        except Exception as error:
            log.exception("not_saved", table=table.id, interaction=click.interaction_id)
            raise UserError(Problem.NOT_SAVED) from error
        self._remember(table, click)
        if not saved:
            return self._nothing(table, click)
        self._take_place(change, draft.moved_to)
        return change

    def _settle(self, draft: Draft, change: Change, done: asyncio.Future[bool]) -> None:
        """Learn what became of a save that took too long; the table shows it."""
        table, click = change.table, draft.click
        table.unsettled = None
        self._remember(table, click)
        if not done.cancelled() and done.exception() is None and done.result():
            self._take_place(change, draft.moved_to)
        else:
            log.error("late_save_failed", table=table.id, interaction=click.interaction_id)

    @staticmethod
    def _remember(table: Table, click: Click) -> None:
        if click.interaction_id is not None:
            table.seen.append(click.interaction_id)

    def _take_place(self, change: Change, channel_id: int | None) -> None:
        table = change.table
        table.state = change.after
        if channel_id is not None:
            self._by_channel.pop(table.channel_id, None)
            table.channel_id = channel_id
            self._by_channel[channel_id] = table
        if change.after.ended is not None:
            self._drop(table)
        self.changed(change)

    def _drop(self, table: Table) -> None:
        self._by_id.pop(table.id, None)
        if self._by_channel.get(table.channel_id) is table:
            del self._by_channel[table.channel_id]

    @staticmethod
    def _seats(table: Table, before: State, after: State) -> tuple[SeatRecord, ...] | None:
        if after.version > 1 and before.people == after.people:
            return None
        return tuple(
            SeatRecord(table.id, seat, person.user_id, person.name, person.cpu)
            for seat, person in enumerate(after.people)
        )
