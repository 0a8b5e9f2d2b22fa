"""Who sits at a table: leaving, being removed, the host's role; and the end of a table, its pauses."""

from __future__ import annotations

from typing import Final

from bot.model.errors import Problem, UserError
from bot.model.state import Person
from bot.tables.core import Change, Click, Core, Draft, Table
from engine.actions import LEAVE

#: How often one seat may be offered in one hand: each offer calls somebody by a mention.
MOST_OFFERS: Final = 3


class Seats(Core):
    """What can be done about who plays."""

    async def leave(self, table: Table, click: Click) -> Change:
        """Leave a lobby or a match for good; a newcomer gives up the seat they wait for."""
        async with table.lock:
            state = self._ready(table)
            draft = Draft(table, click)
            after = draft.after
            if state.match is None:
                seat = self._seat(state, click)
                if state.options.invite_only and click.user_id not in {
                    each.user_id for each in state.invited
                }:
                    # Who was there may come back.
                    after.invited += (state.people[seat],)
                self._stand_up(draft, seat)
            elif click.user_id is not None and state.is_waiting(click.user_id):
                self._stop_waiting(draft, click.user_id)
            else:
                draft.do(self._seat(state, click), LEAVE)
            return await self._commit(draft)

    @staticmethod
    def _stop_waiting(draft: Draft, user_id: int) -> None:
        """Give up the seat that somebody waits for."""
        before, after = draft.before, draft.after
        after.people = [*before.people[: len(draft.match.scores)]]
        after.people += [person for person in before.newcomers if person.user_id != user_id]
        promised = before.successors.items()
        after.successors = {seat: person for seat, person in promised if person.user_id != user_id}

    @staticmethod
    def _stand_up(draft: Draft, seat: int) -> None:
        """Take somebody out of a lobby; the next person in seat order moves up, into the host's place too."""
        after = draft.after
        host = after.people[after.host]
        gone = after.people.pop(seat)
        order = [*after.people[seat:], *after.people[:seat]]
        people = [person for person in order if person.user_id is not None]
        if not people:
            after.ended = "empty"
            return
        after.host = after.people.index(people[0] if gone is host else host)

    async def kick(
        self, table: Table, click: Click, user_id: int, *, moderator: bool, host_may: bool = True
    ) -> Change:
        """Remove somebody: the host and moderators at once, more than half of the other players by a vote.

        A vote that is not enough yet is kept. Where the host may not (`host_may`), it is a vote like any
        other's. Raises UserError.
        """
        async with table.lock:
            state = self._ready(table)
            target = state.seat_of(user_id)
            draft = Draft(table, click)
            if target is None and state.is_waiting(user_id):
                if not moderator and not (host_may and state.people[state.host].user_id == click.user_id):
                    raise UserError(Problem.NOT_THE_HOST if host_may else Problem.NOT_A_MODERATOR)
                self._stop_waiting(draft, user_id)
                return await self._commit(draft)
            if target is None:
                raise UserError(Problem.THEY_ARE_NOT_SEATED)
            if user_id == click.user_id:
                raise UserError(Problem.KICK_YOURSELF)
            if moderator or (host_may and state.people[state.host].user_id == click.user_id):
                self._kick(draft, target)
                return await self._commit(draft)
            voter = self._seat(state, click)
            if state.match is None:
                raise UserError(Problem.NOT_THE_HOST if host_may else Problem.NOT_A_MODERATOR)
            votes = state.votes.get(target, frozenset()) | {voter}
            draft.after.votes[target] = votes
            others = [seat for seat in state.seated_people if seat != target]
            if 2 * len(votes.intersection(others)) > len(others):
                self._kick(draft, target)
            return await self._commit(draft)

    def _kick(self, draft: Draft, seat: int) -> None:
        draft.after.removed |= {seat} if draft.after.match is not None else frozenset()
        self._remove(draft, seat)

    def _remove(self, draft: Draft, seat: int) -> None:
        if draft.after.match is None:
            gone = draft.after.people[seat].user_id
            draft.after.invited = tuple(each for each in draft.after.invited if each.user_id != gone)
            draft.after.again = tuple(each for each in draft.after.again if each.user_id != gone)
            self._stand_up(draft, seat)
        else:
            draft.do(seat, LEAVE, auto=True)

    async def remove_computer(self, table: Table, click: Click, name: str) -> Change:
        """Remove a computer player by its name (the host alone may); one that gives up its seat anyway stays.

        Raises UserError.
        """
        async with table.lock:
            state = self._ready(table)
            self._only_host(state, click)
            if self._seen(table, click):
                return self._nothing(table, click)
            seat = next((s for s in state.seated_computers if state.people[s].name == name), None)
            if seat is None:
                raise UserError(Problem.THEY_ARE_NOT_SEATED)
            if seat in state.successors:
                raise UserError(Problem.SEAT_PROMISED)
            draft = Draft(table, click)
            self._kick(draft, seat)
            return await self._commit(draft)

    async def offer(self, table: Table, click: Click, person: Person) -> Change:
        """Offer one's seat to somebody who does not play, from the next hand on; raises UserError."""
        async with table.lock:
            state = self._ready(table)
            self._match(state)
            seat = self._seat(state, click)
            assert person.user_id is not None
            if not state.another_hand:
                raise UserError(Problem.NO_HAND_TO_COME)
            if seat in state.successors:
                raise UserError(Problem.YOUR_SEAT_IS_PROMISED)
            if seat in state.offers and state.offers[seat].user_id == person.user_id:
                return self._nothing(table, click)
            if state.offered.get(seat, 0) >= MOST_OFFERS:
                raise UserError(Problem.OFFERED_ENOUGH)
            try:
                self._may_come(state, person.user_id)
            except UserError as error:
                here = error.problem is Problem.ALREADY_SEATED
                raise UserError(Problem.THEY_ARE_SEATED if here else Problem.THEY_HAVE_LEFT) from error
            draft = Draft(table, click)
            draft.after.offers[seat] = person
            draft.after.offered[seat] = state.offered.get(seat, 0) + 1
            return await self._commit(draft)

    async def withdraw(self, table: Table, click: Click) -> Change:
        """Take back the offer of one's seat, as long as nobody has taken it; raises UserError."""
        async with table.lock:
            state = self._ready(table)
            seat = self._seat(state, click)
            if seat in state.successors:
                raise UserError(Problem.YOUR_SEAT_IS_PROMISED)
            if seat not in state.offers:
                raise UserError(Problem.OFFER_GONE)
            draft = Draft(table, click)
            del draft.after.offers[seat]
            return await self._commit(draft)

    async def take(self, table: Table, click: Click, seat: int) -> Change:
        """Take the seat that one was offered, from the next hand on; raises UserError."""
        async with table.lock:
            state = self._ready(table)
            if self._seen(table, click):
                return self._nothing(table, click)
            assert click.user_id is not None
            person = state.offers.get(seat)
            if person is None or not state.another_hand:
                raise UserError(Problem.OFFER_GONE)
            if person.user_id != click.user_id:
                raise UserError(Problem.NOT_FOR_YOU)
            self._may_come(state, click.user_id)
            draft = Draft(table, click)
            draft.after.withdraw_offers_to(click.user_id)
            draft.after.successors[seat] = Person(click.user_id, click.name)
            return await self._commit(draft)

    async def vanished(self, table: Table, click: Click) -> Change:
        """End a table whose channel or server is gone."""
        async with table.lock:
            self._ready(table)
            draft = Draft(table, click)
            draft.after.ended = "vanished"
            return await self._commit(draft)

    async def lost(self, table: Table, user_id: int, click: Click) -> Change | None:
        """Take out somebody who is not on the server any more; None if they are not at the table either."""
        async with table.lock:
            state = self._ready(table)
            seat = state.seat_of(user_id)
            draft = Draft(table, click)
            if seat is not None:
                self._remove(draft, seat)
            elif state.is_waiting(user_id):
                self._stop_waiting(draft, user_id)
            else:
                return None
            return await self._commit(draft)

    async def hand_over(self, table: Table, click: Click, user_id: int, *, moderator: bool) -> Change:
        """Make another player the host (the host may, and moderators)."""
        async with table.lock:
            state = self._ready(table)
            if not moderator:
                self._only_host(state, click)
            seat = state.seat_of(user_id)
            if seat is None:
                raise UserError(Problem.THEY_ARE_NOT_SEATED)
            draft = Draft(table, click)
            draft.after.host = seat
            return await self._commit(draft)

    async def pause(self, table: Table, click: Click, *, stop: bool) -> Change:
        """Stop the clock, or let it go on with the full time for whoever is waited for (the host may)."""
        async with table.lock:
            state = self._ready(table)
            self._match(state)
            self._only_host(state, click)
            if stop == (state.paused_at is not None):
                raise UserError(Problem.PAUSED_ALREADY if stop else Problem.NOT_PAUSED)
            draft = Draft(table, click)
            draft.after.paused_at = click.now if stop else None
            draft.after.clock_at = draft.after.began_at = click.now
            return await self._commit(draft)

    async def end(self, table: Table, click: Click, *, moderator: bool, host_may: bool = True) -> Change:
        """End a table at any time: its host, where that may be, or a moderator."""
        async with table.lock:
            state = self._ready(table)
            if not moderator and not host_may and state.match is not None:
                raise UserError(Problem.NOT_A_MODERATOR)
            if not moderator and state.people[state.host].user_id != click.user_id:
                raise UserError(Problem.NOT_HOST_OR_MODERATOR)
            draft = Draft(table, click)
            draft.after.ended = "ended"
            return await self._commit(draft)
