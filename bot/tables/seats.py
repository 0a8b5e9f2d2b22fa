"""Who sits at a table: leaving, being removed, the host's role; and the end of a table, its pauses."""

from __future__ import annotations

from bot.errors import Problem, UserError
from bot.tables.core import Change, Click, Core, Draft, Table
from engine.actions import LEAVE


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
                if state.terms.invite_only and click.user_id not in {each.user_id for each in state.invited}:
                    # Who was there may come back.
                    after.invited += (state.people[seat],)
                self._stand_up(draft, seat)
            elif click.user_id in [person.user_id for person in state.newcomers]:
                after.people = [*state.people[: len(state.match.scores)]]
                after.people += [person for person in state.newcomers if person.user_id != click.user_id]
            else:
                draft.do(self._seat(state, click), LEAVE)
            return await self._commit(draft)

    @staticmethod
    def _stand_up(draft: Draft, seat: int) -> None:
        """Take somebody out of a lobby; the next in seat order moves up, into the host's place too."""
        after = draft.after
        if len(after.people) == 1:
            after.ended = "empty"
            return
        del after.people[seat]
        after.host = 0 if seat == after.host == len(after.people) else after.host - (seat < after.host)

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
            if target is None:
                raise UserError(Problem.THEY_ARE_NOT_SEATED)
            if user_id == click.user_id:
                raise UserError(Problem.KICK_YOURSELF)
            draft = Draft(table, click)
            if moderator or (host_may and state.people[state.host].user_id == click.user_id):
                self._kick(draft, target)
                return await self._commit(draft)
            voter = self._seat(state, click)
            if state.match is None:
                raise UserError(Problem.NOT_THE_HOST if host_may else Problem.NOT_A_MODERATOR)
            votes = state.votes.get(target, frozenset()) | {voter}
            draft.after.votes[target] = votes
            others = [seat for seat in state.match.game.seated() if seat != target]
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
            self._stand_up(draft, seat)
        else:
            draft.do(seat, LEAVE, auto=True)

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
            if seat is None:
                return None
            draft = Draft(table, click)
            self._remove(draft, seat)
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
            if not moderator and not host_may:
                raise UserError(Problem.NOT_A_MODERATOR)
            if not moderator and state.people[state.host].user_id != click.user_id:
                raise UserError(Problem.NOT_HOST_OR_MODERATOR)
            draft = Draft(table, click)
            draft.after.ended = "ended"
            return await self._commit(draft)
