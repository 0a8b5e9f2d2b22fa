"""Power over other people decides no game (docs/rules.md, Removing somebody; Who may do what)."""

from __future__ import annotations

from collections.abc import Awaitable

import pytest

from bot.model.errors import Problem, UserError
from bot.model.seating import Person
from bot.store import Store
from bot.tables import Limits, Options, Outages, Table, Tables
from engine.actions import DEAL, Play
from engine.cards import CARD_OF_CODE, ITEM_BOX
from engine.errors import IllegalAction
from engine.rules import Length
from tests.tables.deeds import DEEDS, PHASES, WHO, set_up
from tests.tables.sitting import CHANNEL, GUILD, PACE, Somebody, lobby, playing, put, refused, restored

HANDS = {"s0": ["R1"], "s1": ["B1", "B3"], "s2": ["B2", "B4"], "s3": ["Y3", "Y4"]}


async def at_play(tables: Tables, by: Somebody, players: int = 4, **how: object) -> Table:
    """Return a table whose first player, the host, can go out with the next card."""
    how.setdefault("length", Length(hands=3))
    table = await playing(tables, by, players, **how)
    hands = {seat: HANDS[seat] for seat in list(HANDS)[:players]}
    put(table, hands=hands, discard=["R9"], turn="s0", draw=["G1"] * 30)
    return table


async def win(tables: Tables, by: Somebody, table: Table) -> None:
    await tables.act(table, by(1), (Play(CARD_OF_CODE["R1"]),))


async def ranked(store: Store, table: Table, hand_no: int = 1) -> list[int | None]:
    hand = await store.hand(table.id, hand_no)
    assert hand is not None
    return [score.user_id for score in hand.scores if score.ranked]


# --- votes


async def test_a_vote_takes_two_and_more_than_half(tables: Tables, by: Somebody) -> None:
    table = await at_play(tables, by)
    await tables.kick(table, by(2), 1, moderator=False)
    assert table.state.votes_needed(0) == 2
    assert table.state.seat_of(1) == 0
    await tables.kick(table, by(2), 1, moderator=False)
    assert table.state.seat_of(1) == 0, "nobody votes twice"
    await tables.kick(table, by(3), 1, moderator=False)
    assert table.state.seat_of(1) is None


async def test_with_two_people_there_is_no_vote(tables: Tables, by: Somebody) -> None:
    table = await at_play(tables, by, players=2)
    await refused(Problem.NO_VOTE_OF_ONE, tables.kick(table, by(2), 1, moderator=False))
    assert table.state.removals.votes == {}
    assert table.state.match is not None
    assert table.state.match.winners is None
    await tables.kick(table, by(2), 1, moderator=True)
    assert table.state.match.winners == (1,)


async def test_a_vote_is_counted_again_when_somebody_leaves(tables: Tables, by: Somebody) -> None:
    table = await playing(tables, by, 5)
    for voter in (2, 3):
        await tables.kick(table, by(voter), 1, moderator=False)
    assert table.state.seat_of(1) == 0, "two of four are not more than half"
    await tables.leave(table, by(5))
    assert table.state.seat_of(1) is None, "two of three are"


async def test_the_vote_of_somebody_who_left_counts_no_more(tables: Tables, by: Somebody) -> None:
    table = await playing(tables, by, 5)
    for voter in (2, 3):
        await tables.kick(table, by(voter), 1, moderator=False)
    await tables.leave(table, by(3))
    assert table.state.seat_of(1) == 0
    assert table.state.removals.votes == {0: frozenset({1})}


async def test_votes_lapse_at_the_next_deal(tables: Tables, by: Somebody) -> None:
    table = await at_play(tables, by)
    await tables.kick(table, by(2), 4, moderator=False)
    await win(tables, by, table)
    await tables.act(table, by(1), (DEAL,))
    assert table.state.removals.votes == {}


async def test_anybody_removes_somebody_who_is_away(tables: Tables, by: Somebody) -> None:
    table = await playing(tables, by, 2)
    match = put(table, hands={"s0": ["R1", "R2"], "s1": ["B1", "B3"]}, discard=["Y9"], turn="s0")
    match.game.streak[0] = 2
    assert table.state.is_away(0)
    await tables.kick(table, by(2), 1, moderator=False)
    assert table.state.match is not None
    assert table.state.match.winners == (1,)


async def test_somebody_back_at_the_table_is_not_away(tables: Tables, by: Somebody) -> None:
    table = await playing(tables, by, 2)
    match = put(table, hands={"s0": ["R1", "R2"], "s1": ["B1", "B3"]}, discard=["Y9"], turn="s0")
    match.game.streak[0] = 2
    await tables.wake(table, by(1))
    await refused(Problem.NO_VOTE_OF_ONE, tables.kick(table, by(2), 1, moderator=False))


# --- what the host removes


async def test_a_hand_won_by_a_host_who_removed_somebody_ranks_for_nobody(
    tables: Tables, by: Somebody, store: Store
) -> None:
    table = await at_play(tables, by)
    await tables.kick(table, by(1), 4, moderator=False)
    await win(tables, by, table)
    assert await ranked(store, table) == []
    hand = await store.hand(table.id, 1)
    assert hand is not None
    assert hand.winner_user_id == 1, "it is recorded all the same"


async def test_it_ranks_where_somebody_else_wins_it(tables: Tables, by: Somebody, store: Store) -> None:
    table = await at_play(tables, by)
    put(
        table,
        hands={"s0": ["R1", "R2"], "s1": ["B1"], "s2": ["G2", "G4"], "s3": ["Y3"]},
        discard=["B9"],
        turn="s1",
    )
    await tables.kick(table, by(1), 4, moderator=False)
    await tables.act(table, by(2), (Play(CARD_OF_CODE["B1"]),))
    assert await ranked(store, table) == [1, 2, 3]


async def test_a_removal_by_vote_is_nobody_s(tables: Tables, by: Somebody, store: Store) -> None:
    table = await at_play(tables, by)
    for voter in (1, 2):
        await tables.kick(table, by(voter), 4, moderator=False, host_may=False)
    assert table.state.seat_of(4) is None
    await win(tables, by, table)
    assert 1 in await ranked(store, table)


async def test_removing_a_computer_counts_as_well(tables: Tables, by: Somebody, store: Store) -> None:
    table = await tables.open_lobby(GUILD, CHANNEL, by(1), Options(length=Length(hands=3)), ["easy"])
    await tables.join(table, by(2))
    await tables.start(table, by(1))
    computer = table.state.seating.people.index(
        next(person for person in table.state.seating.people if person.cpu)
    )
    hands = {f"s{seat}": ["R1", "R2"] for seat in range(3)} | {"s0": ["R1"]}
    put(table, hands=hands, discard=["R9"], turn="s0", draw=["G1"] * 30)
    await tables.remove_computer(table, by(1), table.state.seating.people[computer].name)
    await win(tables, by, table)
    assert await ranked(store, table) == []


async def test_the_next_hand_ranks_again(tables: Tables, by: Somebody, store: Store) -> None:
    table = await at_play(tables, by)
    await tables.kick(table, by(1), 4, moderator=False)
    await win(tables, by, table)
    await tables.act(table, by(1), (DEAL,))
    assert table.state.removals.hand_removers == frozenset()
    assert table.state.removals.removers == {1}


async def test_a_removal_survives_a_restart(tables: Tables, by: Somebody, store: Store) -> None:
    table = await at_play(tables, by)
    await tables.kick(table, by(1), 4, moderator=False)
    others = Tables(store, PACE, Outages(), save_timeout=60.0, catch_grace=2.0)
    await restored(others, by.now)
    reborn = others.get(table.id)
    assert reborn is not None
    assert (reborn.state.removals.removers, reborn.state.removals.hand_removers) == ({1}, {1})


async def test_who_the_host_removes_has_lost_nothing(tables: Tables, by: Somebody) -> None:
    table = await at_play(tables, by)
    for user in (2, 3, 4):
        table.state.match.game.acted |= 1 << (user - 1)
    table.state.match.game.acted |= 1
    await tables.kick(table, by(1), 4, moderator=False)
    await tables.kick(table, by(9), 3, moderator=True)
    assert table.state.seating.gone == {3: False, 2: True}


# --- who comes back


async def test_who_left_a_lobby_may_come_back_and_who_was_removed_may_not(
    tables: Tables, by: Somebody
) -> None:
    table = await lobby(tables, by, 3)
    await tables.leave(table, by(2))
    await tables.join(table, by(2))
    await tables.kick(table, by(1), 2, moderator=False)
    await refused(Problem.REMOVED_FOR_GOOD, tables.join(table, by(2)))
    await tables.invite(table, by(1), [Person(2, "user 2")])
    await refused(Problem.REMOVED_FOR_GOOD, tables.join(table, by(2)))


async def test_who_was_removed_from_waiting_does_not_come_back(tables: Tables, by: Somebody) -> None:
    table = await at_play(tables, by)
    await tables.join(table, by(7))
    await tables.kick(table, by(1), 7, moderator=False)
    assert not table.state.is_waiting(7)
    await refused(Problem.REMOVED_FOR_GOOD, tables.join(table, by(7)))


# --- a silent host


async def test_a_host_who_is_silent_for_three_minutes_is_followed_by_who_starts(
    tables: Tables, by: Somebody
) -> None:
    table = await lobby(tables, by, 2)
    await refused(Problem.NOT_THE_HOST, tables.start(table, by(2)))
    await tables.join(table, by(3, wait=170))
    await refused(Problem.NOT_THE_HOST, tables.start(table, by(2, wait=1)))
    await tables.start(table, by(3, wait=10))
    assert table.state.seating.host == 2
    assert table.state.match is not None


async def test_a_host_who_presses_something_stays_host(tables: Tables, by: Somebody) -> None:
    table = await lobby(tables, by, 2)
    await tables.choose(table, by(1, wait=170), "stack", "1")
    await refused(Problem.NOT_THE_HOST, tables.start(table, by(2, wait=60)))


async def test_a_stranger_never_follows_the_host(tables: Tables, by: Somebody) -> None:
    table = await lobby(tables, by, 2)
    await refused(Problem.NOT_THE_HOST, tables.start(table, by(9, wait=1000)))


# --- what counts


async def test_walking_out_of_a_match_of_two_is_a_loss(tables: Tables, by: Somebody, store: Store) -> None:
    table = await at_play(tables, by, players=2)
    table.state.match.game.acted = 0b11
    await tables.leave(table, by(2))
    hand = await store.hand(table.id, 1)
    assert hand is not None
    assert [(score.user_id, score.won, score.points, score.ranked) for score in hand.scores] == [
        (2, False, 0, True)
    ]


async def test_a_match_left_before_everybody_had_a_turn_is_recorded_nowhere(
    tables: Tables, by: Somebody, store: Store
) -> None:
    table = await at_play(tables, by, players=2)
    table.state.match.game.acted = 0b01
    await tables.leave(table, by(2))
    assert table.state.match.winners == (0,)
    assert await store.hand(table.id, 1) is None
    assert await store.played(table.id, guild_id=GUILD, channel_id=CHANNEL) is None


async def test_a_table_ended_before_its_first_finished_hand_is_recorded_nowhere(
    tables: Tables, by: Somebody, store: Store
) -> None:
    table = await at_play(tables, by)
    await tables.end(table, by(1), moderator=False)
    assert await store.played(table.id, guild_id=GUILD, channel_id=CHANNEL) is None


# --- how many tables


async def test_a_person_is_host_of_so_many_tables_and_a_server_has_so_many(
    store: Store, by: Somebody
) -> None:
    tables = Tables(store, PACE, Outages(), save_timeout=60.0, catch_grace=2.0, limits=Limits(2, 3))

    def opening(user: int, channel: int, guild: int = GUILD) -> Awaitable[Table]:
        return tables.open_lobby(guild, channel, by(user), Options())

    first = await opening(1, 1)
    await opening(1, 2)
    await refused(Problem.TOO_MANY_TABLES, opening(1, 3))
    await opening(2, 3)
    await refused(Problem.TOO_MANY_TABLES_HERE, opening(3, 4))
    await opening(3, 5, guild=GUILD + 1)
    await tables.cancel(first, by(1))
    await opening(3, 4)


async def test_a_person_invites_so_many_people_in_ten_minutes_to_whatever_table(
    store: Store, by: Somebody
) -> None:
    tables = Tables(store, PACE, Outages(), save_timeout=60.0, catch_grace=2.0, limits=Limits(invitations=10))

    def invite(table: Table, first: int, number: int, wait: float = 1.0) -> Awaitable[object]:
        people = [Person(user, f"user {user}") for user in range(first, first + number)]
        return tables.invite(table, by(1, wait=wait), people)

    one, other = [await tables.open_lobby(GUILD, channel, by(1), Options()) for channel in (1, 2)]
    await invite(one, 50, 6)
    await refused(Problem.INVITED_ENOUGH, invite(other, 60, 5))
    assert other.state.seating.invited == ()
    await invite(other, 60, 4)
    await refused(Problem.INVITED_ENOUGH, invite(other, 70, 1, wait=590))
    await invite(other, 70, 6, wait=10)
    await refused(Problem.INVITED_ENOUGH, invite(one, 80, 5))


async def test_an_offer_of_a_seat_is_an_invitation(store: Store, by: Somebody) -> None:
    tables = Tables(store, PACE, Outages(), save_timeout=60.0, catch_grace=2.0, limits=Limits(invitations=1))
    table = await playing(tables, by, 2, length=Length(hands=3))
    await tables.offer(table, by(1), Person(8, "Dia"))
    await refused(Problem.INVITED_ENOUGH, tables.offer(table, by(1), Person(9, "Eve")))
    await tables.offer(table, by(2), Person(9, "Eve"))


# --- who may do what

CELLS = [(p, d, w) for p in PHASES for d in DEEDS for w in WHO if (p, w) != ("lobby", "waiting")]


@pytest.mark.parametrize(("phase", "deed", "who"), CELLS)
async def test_who_may_do_what(tables: Tables, by: Somebody, phase: str, deed: str, who: str) -> None:
    table = await set_up(tables, by, phase)
    before = table.state
    click = by(WHO[who], wait=5)
    allowed = who in PHASES[phase].get(deed, "").split()
    if allowed:
        await DEEDS[deed](tables, table, click)
        assert table.state is not before
        return
    with pytest.raises((UserError, IllegalAction)):
        await DEEDS[deed](tables, table, click)
    # A catch with nobody to catch is remembered; all else that is refused changes nothing.
    remembered = deed == "catch" and phase == "hand" and who in ("host", "player")
    assert (table.state is before) != remembered


async def test_votes_are_not_counted_any_more_once_somebody_has_won(tables: Tables, by: Somebody) -> None:
    table = await playing(tables, by, 5)
    hands = {"s0": ["WI"], **{f"s{seat}": ["B1", "B2"] for seat in range(1, 5)}}
    put(table, hands=hands, discard=["R9"], turn="s0", draw=["G5", "G6", "G7"])
    await tables.act(table, by(1), (Play(ITEM_BOX),))
    for voter in (2, 3):
        await tables.kick(table, by(voter), 5, moderator=False)
    await tables.leave(table, by(1))  # two votes of three would be enough now
    assert table.state.ended == "won"
    assert 4 not in table.state.seating.gone
