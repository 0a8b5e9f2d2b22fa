"""Who sits at a table: leaving, being removed, the host's role; and the end of a table, its pauses."""

from __future__ import annotations

from typing import Final

from bot.model.ending import Ending
from bot.model.errors import Problem, UserError
from bot.model.seating import Person
from bot.tables.core import Core
from bot.tables.draft import Change, Click, Draft, Table
from engine.actions import LEAVE

#: How often one seat may be offered in one hand: each offer calls somebody by a mention.
MOST_OFFERS: Final = 3


class Seats(Core):
    """What can be done about who plays."""

    async def leave(self, table: Table, click: Click) -> Change:
        """Leave a lobby or a match for good; a newcomer gives up the seat they wait for."""
        async with self._changing(table, click) as draft:
            state, after = draft.before, draft.after
            if state.match is None:
                seat = draft.seat()
                if state.options.invite_only and click.user_id not in {
                    each.user_id for each in state.seating.invited
                }:
                    # Who was there may come back.
                    after.seating.invited += (state.seating.people[seat],)
                self._stand_up(draft, seat)
            elif click.user_id is not None and state.is_waiting(click.user_id):
                self._stop_waiting(draft, click.user_id)
            else:
                draft.do(draft.seat(), LEAVE)
                self._count_votes(draft)
        return draft.change

    @staticmethod
    def _stop_waiting(draft: Draft, user_id: int) -> None:
        """Give up the seat that somebody waits for."""
        before, after = draft.before, draft.after
        after.seating.people = [*before.seating.people[: len(draft.match.scores)]]
        after.seating.people += [person for person in before.newcomers if person.user_id != user_id]
        promised = before.seating.successors.items()
        after.seating.successors = {seat: person for seat, person in promised if person.user_id != user_id}

    @staticmethod
    def _stand_up(draft: Draft, seat: int) -> None:
        """Take somebody out of a lobby; the next person in seat order moves up, into the host's place too."""
        after = draft.after
        host = after.seating.people[after.seating.host]
        gone = after.seating.people.pop(seat)
        order = [*after.seating.people[seat:], *after.seating.people[:seat]]
        people = [person for person in order if person.user_id is not None]
        if not people:
            after.ended = Ending.EMPTY
            return
        after.seating.host = after.seating.people.index(people[0] if gone is host else host)

    async def kick(
        self, table: Table, click: Click, user_id: int, *, moderator: bool, host_may: bool = True
    ) -> Change:
        """Remove somebody: the host and moderators at once, players by a vote.

        docs/rules.md, Removing somebody.

        A vote that is not enough yet is kept. Where the host may not (`host_may`), they have a vote like any
        other. Somebody who is away is removed at once by any player. Raises UserError.
        """
        async with self._changing(table, click) as draft:
            state = draft.before
            target = state.seat_of(user_id)
            at_once = moderator or (host_may and draft.by_host())
            if target is None and not state.is_waiting(user_id):
                raise UserError(Problem.THEY_ARE_NOT_SEATED)
            if user_id == click.user_id:
                raise UserError(Problem.KICK_YOURSELF)
            if at_once:
                self._remove_at_once(draft, user_id)
            elif target is None or state.match is None:
                if target is not None:
                    draft.seat()
                raise UserError(
                    Problem.NOT_THE_HOST if host_may else Problem.NOT_A_MODERATOR, host=state.host_name
                )
            elif draft.seat() in state.voters(target) and state.is_away(target):
                self._kick(draft, target)
            elif len(state.voters(target)) < 2:
                raise UserError(Problem.NO_VOTE_OF_ONE)
            else:
                draft.after.removals.votes[target] = state.removals.votes.get(target, frozenset()) | {
                    draft.seat()
                }
                self._count_votes(draft)
        return draft.change

    async def vote(self, table: Table, click: Click, seat: int) -> Change:
        """Join a vote to remove somebody that is on; raises UserError where there is none."""
        user_id = table.state.seated_people.get(seat)
        if user_id is None or not table.state.removals.votes.get(seat):
            raise UserError(Problem.NO_VOTE)
        return await self.kick(table, click, user_id, moderator=False, host_may=False)

    def _remove_at_once(self, draft: Draft, user_id: int) -> None:
        """Remove somebody by one person's word, which gains that person nothing."""
        after, by = draft.after, draft.click.user_id
        seat = draft.before.seat_of(user_id)
        if seat is None:
            self._stop_waiting(draft, user_id)
            after.removals.barred |= {user_id}
            return
        if after.match is None:
            after.removals.barred |= {user_id}
            self._kick(draft, seat)
            return
        self._gains_nothing(draft, by)
        loses = draft.before.is_away(seat) or not draft.by_host()
        self._kick(draft, seat)
        # Who is removed by the host alone has lost nothing.
        after.seating.gone[seat] = after.seating.gone[seat] and loses

    @staticmethod
    def _gains_nothing(draft: Draft, user_id: int | None) -> None:
        """Note that somebody removed a player: what they win from now on ranks for nobody."""
        after = draft.after
        if user_id is None or after.match is None or after.seat_of(user_id) is None:
            return
        after.removals.removers |= {user_id}
        if after.match.game.end is None:
            after.removals.hand_removers |= {user_id}

    def _count_votes(self, draft: Draft) -> None:
        """Remove those whom enough people want to remove, one after the other."""
        while draft.after.match is not None and draft.after.match.winners is None:
            seat = draft.after.voted_out()
            if seat is None:
                return
            self._kick(draft, seat)

    def _kick(self, draft: Draft, seat: int) -> None:
        """Remove a seat for good."""
        if draft.after.match is not None:
            draft.after.removals.seats |= {seat}
        self._remove(draft, seat)

    def _remove(self, draft: Draft, seat: int) -> None:
        if draft.after.match is None:
            gone = draft.after.seating.people[seat].user_id
            draft.after.seating.invited = tuple(
                each for each in draft.after.seating.invited if each.user_id != gone
            )
            draft.after.seating.again = tuple(
                each for each in draft.after.seating.again if each.user_id != gone
            )
            self._stand_up(draft, seat)
        else:
            draft.do(seat, LEAVE, auto=True)
            self._count_votes(draft)

    async def remove_computer(self, table: Table, click: Click, name: str) -> Change:
        """Remove a computer player by its name (the host alone may); one that gives up its seat anyway stays.

        Raises UserError.
        """
        async with self._changing(table, click) as draft:
            draft.only_host()
            state = draft.before
            seat = next((s for s in state.seated_computers if state.seating.people[s].name == name), None)
            if seat is None:
                raise UserError(Problem.THEY_ARE_NOT_SEATED)
            if seat in state.seating.successors:
                raise UserError(Problem.SEAT_PROMISED)
            self._gains_nothing(draft, click.user_id)
            self._kick(draft, seat)
        return draft.change

    async def offer(self, table: Table, click: Click, person: Person) -> Change:
        """Offer one's seat to somebody who does not play, from the next hand on; raises UserError."""
        async with self._changing(table, click) as draft:
            assert person.user_id is not None
            state, _, seat = draft.before, draft.match, draft.seat()
            if not state.another_hand:
                raise UserError(Problem.NO_HAND_TO_COME)
            if seat in state.seating.successors:
                raise UserError(Problem.YOUR_SEAT_IS_PROMISED)
            if seat in state.seating.offers and state.seating.offers[seat].user_id == person.user_id:
                draft.drop()
                return draft.change
            if state.seating.offered.get(seat, 0) >= MOST_OFFERS:
                raise UserError(Problem.OFFERED_ENOUGH)
            try:
                self._may_come(state, person.user_id)
            except UserError as error:
                here = error.problem is Problem.ALREADY_SEATED
                raise UserError(Problem.THEY_ARE_SEATED if here else Problem.THEY_HAVE_LEFT) from error
            assert click.user_id is not None
            self._invitations.count(click.user_id, 1, click.now)
            draft.after.seating.offers[seat] = person
            draft.after.seating.offered[seat] = state.seating.offered.get(seat, 0) + 1
        return draft.change

    async def withdraw(self, table: Table, click: Click) -> Change:
        """Take back the offer of one's seat, as long as nobody has taken it; raises UserError."""
        async with self._changing(table, click) as draft:
            seat = draft.seat()
            if seat in draft.before.seating.successors:
                raise UserError(Problem.YOUR_SEAT_IS_PROMISED)
            if seat not in draft.before.seating.offers:
                raise UserError(Problem.OFFER_GONE)
            del draft.after.seating.offers[seat]
        return draft.change

    async def take(self, table: Table, click: Click, seat: int) -> Change:
        """Take the seat that one was offered, from the next hand on; raises UserError."""
        async with self._changing(table, click) as draft:
            assert click.user_id is not None
            person = draft.before.seating.offers.get(seat)
            if person is None or not draft.before.another_hand:
                raise UserError(Problem.OFFER_GONE)
            if person.user_id != click.user_id:
                raise UserError(Problem.NOT_FOR_YOU)
            self._may_come(draft.before, click.user_id)
            draft.after.seating.withdraw_offers_to(click.user_id)
            draft.after.seating.successors[seat] = Person(click.user_id, click.name)
        return draft.change

    async def vanished(self, table: Table, click: Click) -> Change:
        """End a table whose channel or server is gone."""
        async with self._changing(table, click) as draft:
            draft.after.ended = Ending.VANISHED
        return draft.change

    async def lost(self, table: Table, user_id: int, click: Click) -> Change:
        """Take out somebody who is not on the server any more, where they are at the table."""
        async with self._changing(table, click) as draft:
            seat = draft.before.seat_of(user_id)
            if seat is not None:
                self._remove(draft, seat)
            elif draft.before.is_waiting(user_id):
                self._stop_waiting(draft, user_id)
            else:
                draft.drop()
        return draft.change

    async def hand_over(self, table: Table, click: Click, user_id: int, *, moderator: bool) -> Change:
        """Make another player the host (the host may, and moderators)."""
        async with self._changing(table, click) as draft:
            if not moderator:
                draft.only_host()
            seat = draft.before.seat_of(user_id)
            if seat is None:
                raise UserError(Problem.THEY_ARE_NOT_SEATED)
            draft.after.seating.host = seat
        return draft.change

    async def pause(self, table: Table, click: Click, *, stop: bool) -> Change:
        """Stop the clock, or let it go on with the full time for whoever is waited for (the host may)."""
        async with self._changing(table, click) as draft:
            _ = draft.match
            draft.only_host()
            if stop == (draft.before.clock.paused_at is not None):
                problem = Problem.PAUSED_ALREADY if stop else Problem.NOT_PAUSED
                raise UserError(problem, host=draft.before.host_name)
            draft.after.clock.paused_at = click.now if stop else None
            draft.after.clock.full_at = draft.after.clock.began_at = click.now
        return draft.change

    async def end(self, table: Table, click: Click, *, moderator: bool, host_may: bool = True) -> Change:
        """End a table at any time: its host, where that may be, or a moderator."""
        async with self._changing(table, click) as draft:
            self._may_end(draft, moderator=moderator, host_may=host_may)
            draft.after.ended, draft.after.ended_by = Ending.STOPPED, click.name
        return draft.change

    def may_end(self, table: Table, click: Click, *, moderator: bool, host_may: bool = True) -> None:
        """Raise UserError for somebody who may not end a table."""
        self._may_end(Draft(table, click), moderator=moderator, host_may=host_may)

    @staticmethod
    def _may_end(draft: Draft, *, moderator: bool, host_may: bool) -> None:
        if not moderator and not host_may and draft.before.match is not None:
            raise UserError(Problem.NOT_A_MODERATOR)
        if not moderator and not draft.by_host():
            raise UserError(Problem.NOT_HOST_OR_MODERATOR, host=draft.before.host_name)
