"""The live tables: a change is worked out on a clone under the table's lock, saved, and only then counts.

Whatever changed is told to one callback. Knows the engine and the store, not discord, and no clock: every
click brings the time it was made.
"""

from __future__ import annotations

import asyncio
import secrets
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final

import structlog

from bot import results
from bot.errors import Problem, UserError
from bot.state import Person, State, restore, snapshot
from bot.store import HandToken, LogRecord, Save, SeatRecord, Store, TableRecord
from engine.actions import LEAVE, MOST_SEATS, SAY_UNO, Action, Catch, ChooseTarget, Deal, Play
from engine.awaiting import NO_SEAT, Awaiting
from engine.errors import BadInput, IllegalAction, Reason
from engine.events import CardPlayed, Event, HandEnded, MatchEnded, PlayerLeft, public
from engine.match import Match
from engine.notation import write_move, write_scenario
from engine.rules import Length, RuleSet

log = structlog.get_logger(__name__)

#: Interactions a table remembers, so that one delivered twice is carried out once without asking the store.
_REMEMBERED: Final = 256


@dataclass(frozen=True, slots=True)
class Click:
    """Who asked for something, when, by which interaction; `token` lets their hand be drawn again."""

    interaction_id: int
    user_id: int
    name: str
    now: datetime
    token: HandToken | None = None


@dataclass(slots=True, eq=False)
class Table:
    """A live table; `state` is replaced as a whole and never changed in place."""

    id: int
    guild_id: int
    channel_id: int
    state: State
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    seen: deque[int] = field(default_factory=lambda: deque(maxlen=_REMEMBERED))
    unsettled: asyncio.Future[bool] | None = None


@dataclass(frozen=True, slots=True)
class Change:
    """What one click did: the state before and after, the events in full, and the user whose click it was."""

    table: Table
    before: State
    after: State
    events: tuple[Event, ...]
    by: int | None


def seat_name(seat: int) -> str:
    """Name a seat in logs and scenarios, which know nobody."""
    return f"s{seat}"


_SEAT_NAMES: Final = tuple(seat_name(seat) for seat in range(MOST_SEATS))


class Tables:
    """All live tables of this process."""

    def __init__(self, store: Store, *, save_timeout: float, catch_grace: float) -> None:
        self.store = store
        self.changed: Callable[[Change], None] = lambda change: None
        self._save_timeout = save_timeout
        self._catch_grace = timedelta(seconds=catch_grace)
        self._by_id: dict[int, Table] = {}
        self._by_channel: dict[int, Table] = {}
        self._next_id = 1

    async def load(self) -> None:
        """Bring back the tables that lived when the bot stopped; an unreadable one is logged and left out."""
        self._next_id = await self.store.next_table_id()
        for record, seats in await self.store.live_tables():
            people = [
                Person(seat.user_id or 0, seat.name) for seat in sorted(seats, key=lambda seat: seat.seat)
            ]
            try:
                state = restore(record.snapshot, people, record.version)
            except BadInput as error:
                log.exception("table_unreadable", table=record.id, problem=str(error))
                continue
            self._add(Table(record.id, record.guild_id, record.channel_id, state))

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

    # --- the lobby

    async def open_lobby(
        self, guild_id: int, channel_id: int, click: Click, *, rules: RuleSet, length: Length, locale: str
    ) -> Table:
        """Open a lobby with the one who asked as its host; raises UserError where a table lives already."""
        if channel_id in self._by_channel:
            raise UserError(Problem.CHANNEL_TAKEN)
        state = State(people=[Person(click.user_id, click.name)], rules=rules, length=length, locale=locale)
        table = Table(self._next_id, guild_id, channel_id, state)
        self._next_id += 1
        # Known before it is saved, so that a second lobby in this channel waits for nothing and is refused.
        self._add(table)
        async with table.lock:
            try:
                await self._save(table, click, state.clone(), [])
            except UserError:
                self._drop(table)
                raise
        return table

    async def join(self, table: Table, click: Click) -> Change:
        """Seat somebody behind the last."""
        async with table.lock:
            state = self._ready(table)
            if state.match is not None:
                raise UserError(Problem.ALREADY_STARTED)
            if state.seat_of(click.user_id) is not None:
                raise UserError(Problem.ALREADY_SEATED)
            if len(state.people) >= MOST_SEATS:
                raise UserError(Problem.LOBBY_FULL)
            after = state.clone()
            after.people.append(Person(click.user_id, click.name))
            return await self._save(table, click, after, [])

    async def start(self, table: Table, click: Click) -> Change:
        """Begin the match: deal the first hand (the host alone may)."""
        async with table.lock:
            state = self._ready(table)
            if state.match is not None:
                raise UserError(Problem.ALREADY_STARTED)
            self._only_host(state, click.user_id)
            if len(state.people) < 2:
                raise UserError(Problem.NEED_TWO)
            after = state.clone()
            seats = len(after.people)
            after.match = Match(
                seats, after.rules, after.length, secrets.token_hex(16), [secrets.token_hex(16)]
            )
            after.hands_won = (0,) * seats
            events = after.match.begin()
            self._dealt(after)
            return await self._save(table, click, after, events)

    async def cancel(self, table: Table, click: Click) -> Change:
        """Close a lobby (the host alone may)."""
        async with table.lock:
            state = self._ready(table)
            if state.match is not None:
                raise UserError(Problem.ALREADY_STARTED)
            self._only_host(state, click.user_id)
            after = state.clone()
            after.ended = "cancelled"
            return await self._save(table, click, after, [])

    async def end(self, table: Table, click: Click, *, moderator: bool) -> Change:
        """End a table at any time: its host, or a moderator."""
        async with table.lock:
            state = self._ready(table)
            if not moderator and state.people[state.host].user_id != click.user_id:
                raise UserError(Problem.NOT_HOST_OR_MODERATOR)
            after = state.clone()
            after.ended = "ended"
            return await self._save(table, click, after, [])

    async def leave(self, table: Table, click: Click) -> Change:
        """Leave a lobby or a match for good."""
        async with table.lock:
            state = self._ready(table)
            seat = self._seat(state, click)
            if state.match is not None:
                return await self._act(table, click, seat, (LEAVE,), auto=False)
            after = state.clone()
            del after.people[seat]
            # The next in seat order has moved up into the host's place.
            after.host = 0 if seat == after.host == len(after.people) else after.host - (seat < after.host)
            if not after.people:
                after.people = state.people[:]
                after.ended = "empty"
            return await self._save(table, click, after, [])

    # --- the match

    async def act(
        self,
        table: Table,
        click: Click,
        actions: Sequence[Action],
        number: int | None = None,
        *,
        uno: bool = False,
    ) -> Change:
        """Carry out one or more actions of one click, all or none.

        `number` is the decision the click was made for; another one awaited now raises UserError. `uno` says
        UNO first, unless it has been said. Raises IllegalAction where the rules refuse.
        """
        async with table.lock:
            state = self._ready(table)
            if click.interaction_id in table.seen:
                return Change(table, state, state, (), click.user_id)
            seat = self._seat(state, click)
            if state.match is None:
                raise UserError(Problem.NOT_STARTED)
            if number is not None and number != state.match.decision:
                raise UserError(Problem.OLD_HAND)
            for action in actions:
                # A seat that a forged click invents is nobody's.
                if isinstance(action, ChooseTarget) and action.seat >= len(state.people):
                    raise UserError(Problem.OLD_HAND)
            if uno and isinstance(actions[0], Play) and state.match.game.may_say_uno(seat):
                actions = (SAY_UNO, *actions)
            return await self._act(table, click, seat, actions, auto=False)

    async def catch(self, table: Table, click: Click) -> Change:
        """Catch whoever owes a UNO (RULES.md, UNO, At the table)."""
        async with table.lock:
            state = self._ready(table)
            if click.interaction_id in table.seen:
                return Change(table, state, state, (), click.user_id)
            seat = self._seat(state, click)
            match = state.match
            if match is None:
                raise UserError(Problem.NOT_STARTED)
            if match.awaiting in (Awaiting.DEAL, Awaiting.OVER):
                raise IllegalAction(Reason.NOT_NOW)
            owing = match.game.owed
            if owing == seat:
                raise UserError(Problem.CATCH_YOURSELF)
            if owing != NO_SEAT:
                if state.played_at is not None and click.now - state.played_at < self._catch_grace:
                    raise UserError(Problem.TOO_EARLY)
                return await self._act(table, click, seat, (Catch(owing),), auto=False)
            if seat in state.failed:
                raise UserError(Problem.CATCH_SPENT)
            after = state.clone()
            after.failed |= {seat}
            await self._save(table, click, after, [])
            raise UserError(Problem.NOBODY_TO_CATCH)

    async def _act(
        self, table: Table, click: Click, seat: int, actions: Sequence[Action], *, auto: bool
    ) -> Change:
        before = table.state
        after = before.clone()
        match = after.match
        assert match is not None
        if before.people[seat].user_id == click.user_id:
            after.people[seat] = Person(click.user_id, click.name)
        events: list[Event] = []
        records = []
        for part, action in enumerate(actions):
            counts = match.everybody_played()
            if type(action) is Deal:
                match.hand_seeds.append(secrets.token_hex(16))
            happened = match.apply(seat, action, auto)
            if type(action) is Deal:
                self._dealt(after)
            move = write_move(_SEAT_NAMES, seat, action, auto)
            records.append(
                LogRecord(
                    table_id=table.id,
                    hand_no=match.hand_no,
                    position=after.moves,
                    interaction_id=click.interaction_id,
                    part=part,
                    seat=seat,
                    move=move,
                    auto=auto,
                    at=click.now,
                )
            )
            after.moves += 1
            for event in happened:
                if isinstance(event, PlayerLeft):
                    after.gone[event.seat] = counts
                    self._pass_host_on(after)
            events += happened
        if (
            match.game.actions != (before.match.game.actions if before.match else 0)
            or match.game.actions == 0
        ):
            after.failed = frozenset()
        if any(isinstance(event, CardPlayed) for event in events):
            after.played_at = click.now
        return await self._save(table, click, after, events, records)

    @staticmethod
    def _dealt(state: State) -> None:
        assert state.match is not None
        state.head = write_scenario(state.match, _SEAT_NAMES[: len(state.people)])
        state.moves = 0
        state.failed = frozenset()

    @staticmethod
    def _pass_host_on(state: State) -> None:
        assert state.match is not None
        out = state.match.game.out
        seats = len(out)
        order = [(state.host + step) % seats for step in range(seats)]
        state.host = next((seat for seat in order if not out[seat]), state.host)

    # --- saving

    def _ready(self, table: Table) -> State:
        """Give the state to change; raises UserError after the end or while a save is unsettled."""
        if table.unsettled is not None:
            raise UserError(Problem.BUSY)
        if table.state.ended is not None:
            raise UserError(Problem.TABLE_OVER)
        return table.state

    @staticmethod
    def _seat(state: State, click: Click) -> int:
        seat = state.seat_of(click.user_id)
        if seat is None:
            raise UserError(Problem.NOT_SEATED)
        return seat

    @staticmethod
    def _only_host(state: State, user_id: int) -> None:
        if state.people[state.host].user_id != user_id:
            raise UserError(Problem.NOT_THE_HOST)

    async def _save(
        self,
        table: Table,
        click: Click,
        after: State,
        events: list[Event],
        records: Sequence[LogRecord] = (),
    ) -> Change:
        """Save what a click did, then let it count; raises UserError if it was not saved, or may not be."""
        before = table.state
        after.version = before.version + 1
        after.remember([public(event) for event in events])
        hands = tuple(results.finished_hand(after) for event in events if isinstance(event, HandEnded))
        if any(isinstance(event, MatchEnded) for event in events):
            after.ended = "won"
        change = Change(table, before, after, tuple(events), click.user_id)
        save = Save(
            table=TableRecord(
                table.id, table.guild_id, table.channel_id, after.version, snapshot(after), click.now
            ),
            closes=after.ended is not None,
            seats=self._seats(table, before, after),
            log=tuple(records),
            hands=hands,
            match=results.finished_match(after) if after.ended else None,
            tokens=() if click.token is None else (click.token,),
        )
        future = self.store.submit(save)
        try:
            saved = await asyncio.wait_for(asyncio.shield(future), self._save_timeout)
        except TimeoutError:
            log.warning("save_too_slow", table=table.id, interaction=click.interaction_id)
            table.unsettled = future
            future.add_done_callback(lambda done: self._settle(change, click, done))
            raise UserError(Problem.UNCERTAIN) from None
        except Exception as error:
            log.exception("not_saved", table=table.id, interaction=click.interaction_id)
            raise UserError(Problem.NOT_SAVED) from error
        table.seen.append(click.interaction_id)
        if not saved:
            return Change(table, before, before, (), click.user_id)
        self._take_place(change)
        return change

    def _settle(self, change: Change, click: Click, done: asyncio.Future[bool]) -> None:
        """Learn what became of a save that took too long; the table shows it."""
        table = change.table
        table.unsettled = None
        table.seen.append(click.interaction_id)
        if not done.cancelled() and done.exception() is None and done.result():
            self._take_place(change)
        else:
            log.error("late_save_failed", table=table.id, interaction=click.interaction_id)

    def _take_place(self, change: Change) -> None:
        table = change.table
        table.state = change.after
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
            SeatRecord(table.id, seat, person.user_id, person.name)
            for seat, person in enumerate(after.people)
        )
