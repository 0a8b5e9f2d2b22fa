"""The live tables, and what every change of one has in common.

A change is worked out on a clone under the table's lock, saved, and only then counts: `_changing` does all of
it. Whoever wants to know of changes listens.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final

import structlog

from bot import metrics
from bot.model import facts, results
from bot.model.agenda import Due, Pace
from bot.model.ending import Ending
from bot.model.errors import Problem, UserError
from bot.model.seating import Person
from bot.model.snapshot import restore, snapshot
from bot.model.state import State
from bot.store import FinishedHand, Save, SeatRecord, StaleVersion, Store, TableRecord, Uncertain
from bot.tables.draft import Change, Click, Draft, Table
from bot.tables.limits import USUAL, Invitations, Limits
from bot.tables.outages import Outages
from bot.tables.restoring import Restoring
from engine.errors import IllegalAction
from engine.events import HandEnded, MatchEnded, public

log = structlog.get_logger(__name__)

#: How long the end of a hand waits for the moves of the hand to be read, in seconds.
MOVES_WITHIN: Final = 0.5


def _log_failure(done: asyncio.Future[bool]) -> None:
    if not done.cancelled() and (error := done.exception()) is not None:
        log.warning("table_not_put_away", problem=type(error).__name__)


class Core(Restoring):
    """All live tables, and how a change of one is saved."""

    def __init__(
        self,
        store: Store,
        pace: Pace,
        outages: Outages,
        *,
        save_timeout: float,
        catch_grace: float,
        limits: Limits = USUAL,
    ) -> None:
        super().__init__(store, pace)
        self._outages = outages
        self._listeners: list[Callable[[Change], None]] = []
        self._due_listeners: list[Callable[[Table], None]] = []
        self._save_timeout = save_timeout
        self._catch_grace = timedelta(seconds=catch_grace)
        self._limits = limits
        self._invitations = Invitations(limits.invitations)

    def listen(self, listener: Callable[[Change], None]) -> None:
        """Call a listener with every change, once it is saved and counts."""
        self._listeners.append(listener)

    def when_due_changes(self, listener: Callable[[Table], None]) -> None:
        """Call a listener with every table that is due at another time, though nothing changed there."""
        self._due_listeners.append(listener)

    def put_away(self, table: Table, now: datetime) -> asyncio.Future[bool]:
        """Close a table that has ended, now that its end has been shown; returns what comes of the save."""
        version = table.state.version + 1
        gone = TableRecord(table.id, table.guild_id, table.channel_id, version, {}, now)
        future = self.store.submit(Save(table=gone, closes=True))
        future.add_done_callback(_log_failure)
        return future

    # --- changing

    @asynccontextmanager
    async def _changing(self, table: Table, click: Click) -> AsyncIterator[Draft]:
        """Change a table: under its lock, on a draft that is saved at the end and counts from then on.

        A click that has been carried out already changes nothing. Raises UserError after the end of a table,
        while an earlier save is unsettled, and where this one was not saved or may not have been; what the
        body raises leaves the table as it was.
        """
        async with table.lock:
            if table.unsettled is not None:
                raise UserError(Problem.BUSY)
            if table.doubtful:
                await self._read_again(table)
            if table.state.ended is not None:
                raise UserError(Problem.TABLE_OVER)
            draft = Draft(table, click)
            if click.interaction_id is not None and click.interaction_id in table.seen:
                with suppress(UserError, IllegalAction):
                    yield draft
                return
            yield draft
            if not draft.dropped:
                await self._commit(draft)

    @staticmethod
    def _may_come(state: State, user_id: int) -> None:
        """Raise UserError for somebody who is at the table already, has left its match or was removed."""
        if user_id in state.removals.barred:
            raise UserError(Problem.REMOVED_FOR_GOOD)
        if any(
            person.user_id == user_id
            for person in (*state.seating.people, *state.seating.successors.values())
        ):
            if state.seat_of(user_id) is not None or state.is_waiting(user_id):
                raise UserError(Problem.ALREADY_SEATED)
            # Who left or was removed does not come back in this match.
            removed = any(state.seating.people[seat].user_id == user_id for seat in state.removals.seats)
            raise UserError(Problem.REMOVED_FOR_GOOD if removed else Problem.GONE_FOR_GOOD)

    async def _commit(self, draft: Draft) -> None:
        """Save a change, then let it count; raises UserError if it was not saved, or may not have been."""
        table, click, before, after = draft.table, draft.click, draft.before, draft.after
        after.version = before.version + 1
        if click.user_id is not None:
            after.clock.acted_at = click.now
            if draft.by_host():
                after.clock.host_seen_at = click.now
        after.log.remember([public(event) for event in draft.events])
        ended = [await self._finished_hand(draft) for event in draft.events if isinstance(event, HandEnded)]
        if any(isinstance(event, MatchEnded) for event in draft.events):
            after.ended = Ending.WON
        due = self.next_due(after, table.shown)
        save = Save(
            table=TableRecord(
                table.id,
                table.guild_id,
                draft.moved_to or table.channel_id,
                after.version,
                snapshot(after),
                click.now,
                None if due is None else due[0],
                after.host_id,
            ),
            seats=self._seats(table, before, after),
            tokens=() if click.token is None else (click.token,),
            log=tuple(draft.moves),
            hands=tuple(hand for hand in ended if hand is not None),
            match=results.finished_match(after) if after.ended else None,
        )
        future = self.store.submit(save)
        try:
            saved = await asyncio.wait_for(asyncio.shield(future), self._save_timeout)
        except TimeoutError:
            log.warning("save_too_slow", table=table.id, interaction=click.interaction_id)
            table.unsettled = future
            future.add_done_callback(lambda done: self._settle(draft, due, done))
            raise UserError(Problem.UNCERTAIN) from None
        except Uncertain as error:
            log.exception("save_uncertain", table=table.id, interaction=click.interaction_id)
            table.doubtful = True
            raise UserError(Problem.UNCERTAIN) from error
        except StaleVersion as error:
            log.warning("table_was_stale", table=table.id, interaction=click.interaction_id)
            table.doubtful = True
            await self._read_again(table)
            over = table.state.ended is not None
            raise UserError(Problem.TABLE_OVER if over else Problem.OLD_HAND) from error
        except Exception as error:
            log.exception("not_saved", table=table.id, interaction=click.interaction_id)
            raise UserError(Problem.NOT_SAVED) from error
        self._remember(table, click)
        if saved:
            self._take_place(draft, due)

    async def _finished_hand(self, draft: Draft) -> FinishedHand | None:
        """Describe the hand that has just ended, with what each seat did in it.

        Where its moves cannot be read in time the hand is saved without, and that is made up for later.
        """
        hand = results.finished_hand(draft.after)
        if hand is None:
            return None
        try:
            reading = self.store.moves(draft.table.id, hand.hand_no)
            moves = [*await asyncio.wait_for(reading, MOVES_WITHIN), *draft.moves]
            return facts.with_facts(hand, [move.move for move in moves if move.hand_no == hand.hand_no])
        except Exception as error:  # noqa: BLE001  # nothing that fails here may cost a hand
            log.warning("facts_put_off", table=draft.table.id, hand=hand.hand_no, problem=repr(error))
            return hand

    def _settle(self, draft: Draft, due: tuple[datetime, Due] | None, done: asyncio.Future[bool]) -> None:
        """Learn what became of a save that took too long; the table shows it."""
        table, click = draft.table, draft.click
        table.unsettled = None
        self._remember(table, click)
        if not done.cancelled() and done.exception() is None and done.result():
            self._take_place(draft, due)
        else:
            log.error("late_save_failed", table=table.id, interaction=click.interaction_id)
            error = None if done.cancelled() else done.exception()
            table.doubtful = isinstance(error, Uncertain | StaleVersion)
            if draft.before.version == 0 and not table.doubtful:
                self._never_was(table)

    async def _read_again(self, table: Table) -> None:
        """Take over what is stored of a table, where that may be another state than the one known.

        Call it under the table's lock. Raises UserError while the store cannot tell.
        """
        try:
            stored = await asyncio.wait_for(self.store.table(table.id), self._save_timeout)
            people = (
                [] if stored is None else [Person(seat.user_id, seat.name, seat.cpu) for seat in stored.seats]
            )
            state = None if stored is None else restore(stored.table.snapshot, people, stored.table.version)
        except Exception as error:
            log.exception("table_not_read_again", table=table.id)
            raise UserError(Problem.BUSY) from error
        table.doubtful = False
        if stored is None or state is None:
            # Closed meanwhile, or never saved at all.
            self._never_was(table)
            return
        if state.version == table.state.version:
            return
        before, moved_from = table.state, None
        if stored.table.channel_id != table.channel_id:
            moved_from = table.channel_id
            self._move(table, stored.table.channel_id)
        table.state, table.due = state, self.next_due(state, table.shown)
        if state.ended is not None:
            self._drop(table)
        for listener in self._listeners:
            listener(Change(table, before, state, (), None, moved_from))

    def _never_was(self, table: Table) -> None:
        """Forget a table of which nothing is stored; who waits for its lock is too late."""
        self._drop(table)
        table.state = replace(table.state, ended=Ending.CANCELLED)

    @staticmethod
    def _remember(table: Table, click: Click) -> None:
        if click.interaction_id is not None:
            table.seen.append(click.interaction_id)

    def _take_place(self, draft: Draft, due: tuple[datetime, Due] | None) -> None:
        table, click = draft.table, draft.click
        table.state, table.due = draft.after, due
        moved_from = None
        if draft.moved_to is not None:
            moved_from = table.channel_id
            self._move(table, draft.moved_to)
        if draft.after.ended is not None:
            self._drop(table)
        draft.change = Change(
            table, draft.before, draft.after, tuple(draft.events), click.user_id, moved_from
        )
        if draft.events:
            metrics.MOVES.labels("clock" if click.user_id is None else "person").inc()
        for listener in self._listeners:
            listener(draft.change)

    @staticmethod
    def _seats(table: Table, before: State, after: State) -> tuple[SeatRecord, ...] | None:
        if after.version > 1 and before.seating.people == after.seating.people:
            return None
        return tuple(
            SeatRecord(table.id, seat, person.user_id, person.name, person.cpu)
            for seat, person in enumerate(after.seating.people)
        )
