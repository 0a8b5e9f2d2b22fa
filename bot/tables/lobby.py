"""Before the first deal: opening a lobby, joining, agreeing on the terms, starting, cancelling."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import structlog

from bot.model import computers
from bot.model.errors import Problem, UserError
from bot.model.options import Options, choose_option
from bot.model.state import Person, State
from bot.tables.core import Change, Click, Core, Draft, Table
from engine.rules import RuleSet

log = structlog.get_logger(__name__)

#: How many people may be invited to one table: each is mentioned once.
MOST_INVITED: Final = 30


class Lobby(Core):
    """What can be done at a table before its match, and joining one that has begun."""

    async def open_lobby(
        self, guild_id: int, channel_id: int, click: Click, options: Options, levels: Sequence[str] = ()
    ) -> Table:
        """Open a lobby with the one who asked as its host, and computer players of these levels.

        Raises UserError where a table lives already.
        """
        assert click.user_id is not None
        people = [Person(click.user_id, click.name)]
        for level in levels[: options.seats - 1]:
            people.append(computers.newcomer(people, level, self._next_id))
        return await self._open(
            guild_id, channel_id, click, State(people=people[1:], options=options), host=0
        )

    async def open_again(
        self,
        guild_id: int,
        channel_id: int,
        click: Click,
        options: Options,
        old: tuple[int, Sequence[Person]],
    ) -> Table:
        """Open a lobby in which the match of an old table is played again; see `open_lobby`.

        `old` is its number and who sat there. Computer players are there at once, others when they come.
        """
        assert click.user_id is not None
        again_of, people = old
        there = [person for person in people if person.cpu is not None]
        state = State(people=there, options=options, again_of=again_of, again=tuple(people))
        return await self._open(guild_id, channel_id, click, state, host=state.place_of(click.user_id))

    async def _open(self, guild_id: int, channel_id: int, click: Click, state: State, *, host: int) -> Table:
        if (there := self._by_channel.get(channel_id)) is not None:
            raise UserError(_taken(there.state))
        assert click.user_id is not None
        state.acted_at = click.now
        state.host = host
        state.people.insert(host, Person(click.user_id, click.name))
        table = Table(self._next_id, guild_id, channel_id, state)
        self._next_id += 1
        # Known before it is saved, so that a second lobby in this channel waits for nothing and is refused.
        self._add(table)
        async with table.lock:
            try:
                draft = Draft(table, click)
                await self._ask_whether_new(draft)
                await self._commit(draft)
            except UserError:
                self._drop(table)
                # Whoever waits for the lock is to come too late.
                table.state = replace(state, ended="cancelled")
                raise
        return table

    async def _ask_whether_new(self, draft: Draft) -> None:
        """Note whether somebody who comes has ever finished a match: if not, their hand helps them along."""
        user_id = draft.click.user_id
        assert user_id is not None
        try:
            has_finished = await self.store.has_finished(user_id)
        except Exception:
            log.exception("newness_unknown", user=user_id)
            return
        if not has_finished:
            draft.after.learning |= {user_id}

    def again(self, guild_id: int, again_of: int) -> Table | None:
        """Find the live table at which the match of an old one is played again, in the same server."""
        for table in self._by_id.values():
            if table.guild_id == guild_id and table.state.again_of == again_of:
                return table
        return None

    async def join(self, table: Table, click: Click) -> Change:
        """Seat somebody: at once in a lobby, in a match at the next deal if there is one.

        In a match they take over from a computer player; where there is none their seat is behind the last.
        """
        async with table.lock:
            state = self._ready(table)
            assert click.user_id is not None
            if state.match is not None and not state.another_hand:
                raise UserError(Problem.ALREADY_STARTED)
            self._may_come(state, click.user_id)
            if not state.may_come(click.user_id):
                raise UserError(Problem.BY_INVITATION)
            if not state.has_room():
                raise UserError(Problem.LOBBY_FULL)
            draft = Draft(table, click)
            after, person = draft.after, Person(click.user_id, click.name)
            computer = state.replaceable()
            if state.match is None and state.has_free_seat():
                place = state.place_of(click.user_id)
                after.host += place <= state.host
                after.people.insert(place, person)
            elif computer is None:
                after.people.append(person)
            elif state.match is None:
                after.people[computer] = person
            else:
                after.successors[computer] = person
            after.withdraw_offers_to(click.user_id)
            await self._ask_whether_new(draft)
            return await self._commit(draft)

    async def add_computer(self, table: Table, click: Click, level: str) -> Change:
        """Seat a computer player in a lobby (the host alone may)."""
        async with table.lock:
            state = self._ready(table)
            self._only_host(state, click)
            if self._seen(table, click):
                return self._nothing(table, click)
            if state.match is not None:
                raise UserError(Problem.ALREADY_STARTED)
            if not state.has_free_seat():
                raise UserError(Problem.NO_SEAT_FOR_COMPUTER)
            draft = Draft(table, click)
            draft.after.people.append(computers.newcomer(state.people, level, table.id))
            return await self._commit(draft)

    async def choose(self, table: Table, click: Click, name: str, value: str) -> Change:
        """Change one of the options of a lobby (the host alone may); see `choose_option`."""
        async with table.lock:
            state = self.forming(table, click)
            try:
                options = choose_option(state.options, name, value)
            except ValueError as error:
                raise UserError(Problem.NO_SUCH_CHOICE) from error
            return await self._choose(table, click, options)

    async def choose_rules(self, table: Table, click: Click, rules: RuleSet) -> Change:
        """Play a lobby by these house rules (the host alone may)."""
        async with table.lock:
            state = self.forming(table, click)
            return await self._choose(table, click, replace(state.options, rules=rules))

    async def _choose(self, table: Table, click: Click, options: Options) -> Change:
        if options == table.state.options:
            return self._nothing(table, click)
        if options.seats < len(table.state.people):
            raise UserError(Problem.SEATS_TAKEN)
        draft = Draft(table, click)
        draft.after.options = options
        return await self._commit(draft)

    async def invite(self, table: Table, click: Click, people: Sequence[Person]) -> Change:
        """Let these people join a lobby for those invited (the host alone may).

        Who is there already, or invited already, is passed over; raises UserError if nobody is left.
        """
        async with table.lock:
            state = self.forming(table, click)
            known = {person.user_id for person in (*state.people, *state.invited)}
            new = tuple(person for person in people if person.user_id not in known)
            if not new:
                raise UserError(Problem.NOBODY_TO_INVITE)
            if len(state.invited) + len(new) > MOST_INVITED:
                raise UserError(Problem.MOST_INVITED, most=MOST_INVITED)
            draft = Draft(table, click)
            draft.after.invited += new
            draft.after.options = replace(state.options, invite_only=True)
            return await self._commit(draft)

    async def move(self, table: Table, click: Click, channel_id: int) -> Change:
        """Move a lobby to another channel, where no table is (the host alone may)."""
        async with table.lock:
            self.forming(table, click)
            if channel_id in self._by_channel:
                raise UserError(Problem.CHANNEL_TAKEN)
            draft = Draft(table, click)
            draft.moved_to = channel_id
            return await self._commit(draft)

    def forming(self, table: Table, click: Click) -> State:
        """Give the state of a lobby to its host; raises UserError."""
        state = self._ready(table)
        if state.match is not None:
            raise UserError(Problem.TERMS_STAND)
        self._only_host(state, click)
        return state

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


def _taken(state: State) -> Problem:
    """Say why no other table opens beside this one, which tells what can be done instead."""
    if state.match is None:
        return Problem.LOBBY_IS_OPEN
    return Problem.MATCH_TO_JOIN if state.another_hand and state.has_room() else Problem.CHANNEL_TAKEN
