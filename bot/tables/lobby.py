"""Before the first deal: opening a lobby, joining, agreeing on the terms, starting, cancelling."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final

import structlog

from bot.model import computers
from bot.model.ending import Ending
from bot.model.errors import Problem, UserError
from bot.model.options import Options, choose_option
from bot.model.seating import MatchBefore, Person, Seating
from bot.model.state import State
from bot.tables.core import Core
from bot.tables.draft import Change, Click, Draft, Table, not_invited
from engine.rules import RuleSet

log = structlog.get_logger(__name__)

#: How long it may take to look up whether somebody is new, in seconds.
LOOK_UP_WITHIN: Final = 0.5
#: How long a host presses nothing in a lobby until somebody else may start.
SILENT_HOST: Final = timedelta(minutes=3)
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
            guild_id, channel_id, click, State(Seating(people[1:]), options=options), host=0
        )

    def skip_ids(self, number: int) -> int:
        """Leave out so many ids of tables, for matches that were played elsewhere; returns the first."""
        first = self._next_id
        self._next_id += number
        return first

    async def open_again(
        self,
        guild_id: int,
        channel_id: int,
        click: Click,
        options: Options,
        before: MatchBefore,
    ) -> Table:
        """Open a lobby in which the match of an old table is played again; see `open_lobby`.

        Computer players are there at once, others when they come. Raises UserError for somebody who was
        removed from that match.
        """
        assert click.user_id is not None
        if click.user_id in before.removed:
            raise UserError(Problem.REMOVED_BEFORE)
        seating = Seating(
            [person for person in before.people if person.cpu is not None],
            again_of=before.table,
            again=before.expected,
            again_host=before.host,
            again_removed=before.removed,
        )
        state = State(seating, options=options)
        return await self._open(
            guild_id, channel_id, click, state, host=state.seating.place_of(click.user_id)
        )

    async def _open(self, guild_id: int, channel_id: int, click: Click, state: State, *, host: int) -> Table:
        there = await self._at(channel_id, click)
        if there is not None and there.doubtful:
            async with there.lock:
                await self._read_again(there)
            there = await self._at(channel_id, click)
        if there is not None:
            raise UserError(_taken(there.state, click.user_id))
        assert click.user_id is not None
        self._may_open(guild_id, click.user_id)
        state.clock.acted_at = state.clock.host_seen_at = click.now
        state.seating.host = host
        state.seating.people.insert(host, Person(click.user_id, click.name))
        table = Table(self._next_id, guild_id, channel_id, state)
        self._next_id += 1
        if click.token is not None:
            click = replace(click, token=replace(click.token, table_id=table.id))
        # Known before it is saved, so that a second lobby in this channel waits for nothing and is refused.
        self._add(table)
        async with table.lock:
            try:
                draft = Draft(table, click)
                await self._ask_whether_new(draft)
                await self._commit(draft)
            except UserError:
                if table.unsettled is None and not table.doubtful:
                    self._never_was(table)
                raise
        return table

    async def _at(self, channel_id: int, click: Click) -> Table | None:
        """Return the live table of a channel; nothing else opens one there before None is acted on."""
        while (table_id := self._by_channel.get(channel_id)) is not None:
            table = await self.reach(table_id, click.now)
            if table is not None:
                return table
        return None

    def _may_open(self, guild_id: int, user_id: int) -> None:
        """Raise UserError where a person hosts, or a server has, as many tables as may be open at once."""
        if len(self._by_guild.get(guild_id, ())) >= self._limits.tables_of_a_server:
            raise UserError(Problem.TOO_MANY_TABLES_HERE)
        hosts = [table.state.host_id for table in self._by_id.values()]
        hosts += [idle.host_id for idle in self._idle.values()]
        if hosts.count(user_id) >= self._limits.tables_of_a_person:
            raise UserError(Problem.TOO_MANY_TABLES)

    async def _ask_whether_new(self, draft: Draft) -> None:
        """Note whether somebody who comes has ever finished a match: if not, their hand helps them along."""
        user_id = draft.click.user_id
        assert user_id is not None
        try:
            async with asyncio.timeout(LOOK_UP_WITHIN):
                has_finished = await self.store.has_finished(user_id)
        except Exception:
            log.warning("newness_unknown", user=user_id, exc_info=True)
            return
        if not has_finished:
            draft.after.seating.learning |= {user_id}

    async def again(self, guild_id: int, again_of: int, now: datetime) -> Table | None:
        """Find the live table at which the match of an old one is played again, in the same server."""
        for table in await self.reach_all(guild_id, now):
            if table.state.seating.again_of == again_of:
                return table
        return None

    async def join(self, table: Table, click: Click) -> Change:
        """Seat somebody: at once in a lobby, in a match at the next deal if there is one.

        In a match they take over from a computer player; where there is none their seat is behind the last.
        """
        async with self._changing(table, click) as draft:
            before, after = draft.before, draft.after
            assert click.user_id is not None
            if before.match is not None and not before.another_hand:
                raise UserError(Problem.ALREADY_STARTED)
            self._may_come(before, click.user_id)
            if not before.may_come(click.user_id):
                raise not_invited(before, click.user_id)
            if not before.has_room():
                raise UserError(Problem.LOBBY_FULL)
            person = Person(click.user_id, click.name)
            computer = before.replaceable()
            if before.match is None and before.has_free_seat():
                place = before.seating.place_of(click.user_id)
                after.seating.host += place <= before.seating.host
                after.seating.people.insert(place, person)
            elif computer is None:
                after.seating.people.append(person)
            elif before.match is None:
                after.seating.people[computer] = person
            else:
                after.seating.successors[computer] = person
            if before.match is None and click.user_id == before.seating.again_host:
                after.seating.host = after.seating.people.index(person)
                after.clock.host_seen_at = click.now
            after.seating.withdraw_offers_to(click.user_id)
            await self._ask_whether_new(draft)
        return draft.change

    async def add_computer(self, table: Table, click: Click, level: str) -> Change:
        """Seat a computer player in a lobby (the host alone may)."""
        async with self._changing(table, click) as draft:
            draft.only_host()
            draft.only_before_the_match()
            if not draft.before.has_free_seat():
                raise UserError(Problem.NO_SEAT_FOR_COMPUTER)
            draft.after.seating.people.append(
                computers.newcomer(draft.before.seating.people, level, table.id)
            )
        return draft.change

    async def choose(self, table: Table, click: Click, name: str, value: str) -> Change:
        """Change one of the options of a lobby (the host alone may); see `choose_option`."""
        async with self._changing(table, click) as draft:
            self._forming(draft)
            try:
                options = choose_option(draft.before.options, name, value)
            except ValueError as error:
                raise UserError(Problem.NO_SUCH_CHOICE) from error
            self._choose(draft, options)
        return draft.change

    async def choose_rules(self, table: Table, click: Click, rules: RuleSet) -> Change:
        """Play a lobby by these house rules (the host alone may)."""
        async with self._changing(table, click) as draft:
            self._forming(draft)
            self._choose(draft, replace(draft.before.options, rules=rules))
        return draft.change

    @staticmethod
    def _choose(draft: Draft, options: Options) -> None:
        if options == draft.before.options:
            draft.drop()
        if options.seats < len(draft.before.seating.people):
            raise UserError(Problem.SEATS_TAKEN)
        draft.after.options = options

    async def invite(self, table: Table, click: Click, people: Sequence[Person]) -> Change:
        """Let these people join a lobby for those invited (the host alone may).

        Who is there already, or invited already, is passed over; raises UserError if nobody is left.
        """
        async with self._changing(table, click) as draft:
            self._forming(draft)
            before = draft.before
            known = {person.user_id for person in (*before.seating.people, *before.seating.invited)}
            new = tuple(person for person in people if person.user_id not in known)
            if not new:
                raise UserError(Problem.NOBODY_TO_INVITE)
            if len(before.seating.invited) + len(new) > MOST_INVITED:
                raise UserError(Problem.MOST_INVITED, most=MOST_INVITED)
            assert click.user_id is not None
            self._invitations.count(click.user_id, len(new), click.now)
            draft.after.seating.invited += new
            draft.after.options = replace(before.options, invite_only=True)
        return draft.change

    async def move(self, table: Table, click: Click, channel_id: int) -> Change:
        """Move a lobby to another channel, where no table is (the host alone may)."""
        async with self._changing(table, click) as draft:
            self._forming(draft)
            if channel_id in self._by_channel:
                raise UserError(Problem.CHANNEL_TAKEN)
            draft.moved_to = channel_id
        return draft.change

    @staticmethod
    def _forming(draft: Draft) -> None:
        """Raise UserError unless this is a lobby, and its host asks."""
        draft.only_before_the_match(Problem.TERMS_STAND)
        draft.only_host()

    def forming(self, table: Table, click: Click) -> State:
        """Return the state of a lobby to its host; raises UserError."""
        self._forming(Draft(table, click))
        return table.state

    async def start(self, table: Table, click: Click) -> Change:
        """Begin the match: deal the first hand (the host alone may)."""
        async with self._changing(table, click) as draft:
            draft.only_before_the_match()
            self._host_or_heir(draft)
            if len(draft.before.seating.people) < 2:
                raise UserError(Problem.NEED_TWO)
            draft.begin()
        return draft.change

    @staticmethod
    def _host_or_heir(draft: Draft) -> None:
        """Make the one who asks host where the host has been silent (docs/rules.md, The host)."""
        if draft.by_host():
            return
        user_id = draft.click.user_id
        seat = None if user_id is None else draft.before.seat_of(user_id)
        if seat is None or draft.click.now - draft.before.clock.host_seen_at < SILENT_HOST:
            raise UserError(Problem.NOT_THE_HOST, host=draft.before.host_name)
        draft.after.seating.host = seat

    async def cancel(self, table: Table, click: Click) -> Change:
        """Close a lobby (the host alone may)."""
        async with self._changing(table, click) as draft:
            draft.only_before_the_match()
            draft.only_host()
            draft.after.ended = Ending.CANCELLED
        return draft.change


def _taken(state: State, user_id: int | None) -> Problem:
    """Say why somebody opens no other table beside this one, which tells what can be done instead."""
    if user_id is not None and (state.seat_of(user_id) is not None or state.is_waiting(user_id)):
        return Problem.ALREADY_SEATED
    if state.match is None:
        return Problem.LOBBY_IS_OPEN
    return Problem.MATCH_TO_JOIN if state.another_hand and state.has_room() else Problem.CHANNEL_TAKEN
