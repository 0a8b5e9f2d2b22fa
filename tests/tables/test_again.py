"""A match played again: who sits where in its lobby, and what is kept of it."""

import pytest

from bot.model.errors import Problem
from bot.model.seating import MatchBefore, Person
from bot.model.snapshot import restore, snapshot
from bot.store import PlayedMatch, Store
from bot.tables import Options, Outages, Table, Tables
from engine.actions import LEAVE, Play
from engine.cards import CARD_OF_CODE
from engine.rules import Length
from tests.tables.sitting import CHANNEL, GUILD, PACE, Somebody, playing, put, refused, restored

OLD = (
    Person(1, "Ann"),
    Person(None, "Turbo", "sharp"),
    Person(2, "Bob"),
    Person(None, "Nitro", "easy"),
    Person(3, "Cy"),
)


async def again(tables: Tables, by: Somebody, first: int = 2) -> Table:
    return await tables.open_again(GUILD, CHANNEL, by(first), Options(invite_only=True), MatchBefore(7, OLD))


def seats(table: Table) -> list[object]:
    return [person.user_id or person.name for person in table.state.seating.people]


async def test_computers_are_there_at_once_and_people_come_to_their_old_seats(
    tables: Tables, by: Somebody
) -> None:
    table = await again(tables, by)
    assert seats(table) == ["Turbo", 2, "Nitro"]
    assert [person.user_id for person in table.state.seating.absent] == [1, 3]
    assert table.state.seating.people[table.state.seating.host].user_id == 2
    await tables.join(table, by(3))
    await tables.join(table, by(1))
    assert seats(table) == [1, "Turbo", 2, "Nitro", 3]
    assert (table.state.seating.people[table.state.seating.host].user_id, table.state.seating.absent) == (
        2,
        [],
    )
    # Only those of the old table may come where one needs an invitation.
    await refused(Problem.BY_INVITATION, tables.join(table, by(4)))


async def test_a_rematch_is_found_by_its_old_table_in_its_own_server(tables: Tables, by: Somebody) -> None:
    table = await again(tables, by)
    assert await tables.again(GUILD, 7, by.now) is table
    assert await tables.again(GUILD + 1, 7, by.now) is None
    assert await tables.again(GUILD, 8, by.now) is None
    await tables.cancel(table, by(2))
    assert await tables.again(GUILD, 7, by.now) is None


async def test_the_host_of_the_match_before_is_host_as_soon_as_they_come(
    tables: Tables, by: Somebody
) -> None:
    table = await tables.open_again(GUILD, CHANNEL, by(2), Options(), MatchBefore(7, OLD, host=3))
    assert table.state.seating.people[table.state.seating.host].user_id == 2
    await tables.join(table, by(1))
    assert table.state.seating.people[table.state.seating.host].user_id == 2
    await tables.join(table, by(3, wait=200))
    assert table.state.seating.people[table.state.seating.host].user_id == 3
    assert seats(table) == [1, "Turbo", 2, "Nitro", 3]
    await refused(Problem.NOT_THE_HOST, tables.start(table, by(2)))
    await tables.start(table, by(3))


async def test_the_host_of_the_match_before_is_host_no_more_once_it_has_begun(
    tables: Tables, by: Somebody
) -> None:
    table = await tables.open_again(GUILD, CHANNEL, by(2), Options(), MatchBefore(7, OLD, host=3))
    await tables.start(table, by(2))
    table.state.options = Options(length=Length(hands=3))
    table.state.match.length = Length(hands=3)
    await tables.join(table, by(3))
    assert table.state.seating.people[table.state.seating.host].user_id == 2


@pytest.mark.parametrize("invite_only", [False, True])
async def test_who_was_removed_from_a_match_comes_to_its_rematch_by_invitation_alone(
    tables: Tables, by: Somebody, store: Store, invite_only: bool
) -> None:
    old = MatchBefore(7, OLD, host=3, removed=frozenset({3}))
    options = Options(invite_only=invite_only)
    await refused(Problem.REMOVED_BEFORE, tables.open_again(GUILD, CHANNEL, by(3), options, old))
    table = await tables.open_again(GUILD, CHANNEL, by(2), options, old)
    assert [person.user_id for person in table.state.seating.absent] == [1]
    await refused(Problem.REMOVED_BEFORE, tables.join(table, by(3)))
    later = Tables(store, PACE, Outages(), save_timeout=60.0, catch_grace=2.0)
    await restored(later, by.now)
    table = await later.again(GUILD, 7, by.now)
    assert table is not None
    await refused(Problem.REMOVED_BEFORE, later.join(table, by(3)))
    await later.invite(table, by(2), [Person(3, "Cy")])
    await later.join(table, by(3))
    assert table.state.seat_of(3) == table.state.seating.host


async def test_what_a_rematch_needs_is_kept_of_a_match(tables: Tables, by: Somebody, store: Store) -> None:
    table = await playing(tables, by, 4)
    hands = {"s0": ["R5"], "s1": ["G1"], "s2": ["G2"], "s3": ["G3"]}
    put(table, hands=hands, discard=["R7"], turn="s0")
    await tables.hand_over(table, by(1), 2, moderator=False)
    await tables.kick(table, by(2), 3, moderator=False)
    await tables.act(table, by(1), (Play(CARD_OF_CODE["R5"]),))
    played = await store.played(table.id, guild_id=GUILD, channel_id=CHANNEL)
    assert played == PlayedMatch(table.state.options.written(), 2, True, 4, frozenset({3}))


@pytest.mark.parametrize(("kicked_by", "ranked"), [(1, False), (9, True)])
async def test_a_match_won_by_who_removed_somebody_ranks_for_nobody(
    tables: Tables, by: Somebody, store: Store, kicked_by: int, ranked: bool
) -> None:
    table = await playing(tables, by, 4)
    hands = {"s0": ["R5"], "s1": ["G1"], "s2": ["G2"], "s3": ["G3"]}
    put(table, hands=hands, discard=["R7"], turn="s0")
    await tables.kick(table, by(kicked_by), 4, moderator=True)
    await tables.act(table, by(1), (Play(CARD_OF_CODE["R5"]),))
    played = await store.played(table.id, guild_id=GUILD, channel_id=CHANNEL)
    assert played is not None
    assert played.ranked is ranked


async def test_a_rematch_is_saved(store: Store, tables: Tables, by: Somebody) -> None:
    table = await again(tables, by)
    assert restore(snapshot(table.state), table.state.seating.people, table.state.version) == table.state
    later = Tables(store, PACE, Outages(), save_timeout=60.0, catch_grace=2.0)
    await restored(later, by.now)
    found = await later.again(GUILD, 7, by.now)
    assert found is not None
    assert found.state == table.state


async def test_who_has_finished_a_match_is_not_helped_along_any_more(tables: Tables, by: Somebody) -> None:
    table = await playing(tables, by, 3)
    assert table.state.seating.learning == {1, 2, 3}
    put(table, hands={"s0": ["R5"], "s1": ["G1"], "s2": ["G2"]}, discard=["R7"], turn="s0")
    # The third leaves before the end, which is no match played.
    await tables.act(table, by(3), (LEAVE,))
    await tables.act(table, by(1), (Play(CARD_OF_CODE["R5"]),))
    assert table.state.ended == "won"
    table = await playing(tables, by, 4)
    assert table.state.seating.learning == {3, 4}


async def test_a_store_that_cannot_tell_keeps_nobody_out(
    tables: Tables, by: Somebody, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def broken(user_id: int) -> bool:
        raise OSError

    monkeypatch.setattr(tables.store, "has_finished", broken)
    table = await playing(tables, by, 2)
    assert (seats(table), table.state.seating.learning) == ([1, 2], frozenset())


async def test_who_was_removed_from_a_rematch_by_invitation_stays_out(tables: Tables, by: Somebody) -> None:
    old = MatchBefore(7, (Person(1, "Ann"), Person(2, "Bob"), Person(3, "Cy")))
    table = await tables.open_again(GUILD, CHANNEL, by(1), Options(invite_only=True), old)
    await tables.join(table, by(2))
    await tables.kick(table, by(1), 2, moderator=False)
    await refused(Problem.REMOVED_FOR_GOOD, tables.join(table, by(2)))
    await tables.join(table, by(3))
