"""Before the first deal: opening a lobby, joining, starting, cancelling."""

from __future__ import annotations

from bot.errors import Problem, UserError
from bot.state import Person, State
from bot.tables.core import Change, Click, Core, Draft, Table
from bot.terms import Terms
from engine.awaiting import Awaiting


class Lobby(Core):
    """What can be done at a table before its match, and joining one that has begun."""

    async def open_lobby(self, guild_id: int, channel_id: int, click: Click, terms: Terms) -> Table:
        """Open a lobby with the one who asked as its host; raises UserError where a table lives already."""
        if channel_id in self._by_channel:
            raise UserError(Problem.CHANNEL_TAKEN)
        assert click.user_id is not None
        state = State(
            people=[Person(click.user_id, click.name)],
            terms=terms,
            acted_at=click.now,
        )
        table = Table(self._next_id, guild_id, channel_id, state)
        self._next_id += 1
        # Known before it is saved, so that a second lobby in this channel waits for nothing and is refused.
        self._add(table)
        async with table.lock:
            try:
                await self._commit(Draft(table, click))
            except UserError:
                self._drop(table)
                raise
        return table

    async def join(self, table: Table, click: Click) -> Change:
        """Seat somebody behind the last: at once in a lobby, in a match at the next deal if there is one."""
        async with table.lock:
            state = self._ready(table)
            assert click.user_id is not None
            if state.match is not None and not another_hand(state):
                raise UserError(Problem.ALREADY_STARTED)
            if any(person.user_id == click.user_id for person in state.people):
                # Whoever left or was removed does not come back in this match.
                here = state.seat_of(click.user_id) is not None
                waiting = any(person.user_id == click.user_id for person in state.newcomers)
                raise UserError(Problem.ALREADY_SEATED if here or waiting else Problem.GONE_FOR_GOOD)
            if len(state.people) >= state.terms.seats:
                raise UserError(Problem.LOBBY_FULL)
            draft = Draft(table, click)
            draft.after.people.append(Person(click.user_id, click.name))
            return await self._commit(draft)

    async def start(self, table: Table, click: Click) -> Change:
        """Begin the match: deal the first hand (the host alone may)."""
        async with table.lock:
            state = self._ready(table)
            if state.match is not None:
                raise UserError(Problem.ALREADY_STARTED)
            self._only_host(state, click)
            if len(state.people) < 2:
                raise UserError(Problem.NEED_TWO)
            draft = Draft(table, click)
            draft.begin()
            return await self._commit(draft)

    async def cancel(self, table: Table, click: Click) -> Change:
        """Close a lobby (the host alone may)."""
        async with table.lock:
            state = self._ready(table)
            if state.match is not None:
                raise UserError(Problem.ALREADY_STARTED)
            self._only_host(state, click)
            draft = Draft(table, click)
            draft.after.ended = "cancelled"
            return await self._commit(draft)


def another_hand(state: State) -> bool:
    """Tell whether another hand of the match may follow the one in play."""
    match = state.match
    if match is None or match.awaiting is Awaiting.OVER:
        return False
    return match.length.hands is None or match.hand_no < match.length.hands
