"""Those who wait for the next deal: they keep no match from ending, and can be told apart and removed."""

from datetime import timedelta

import pytest

from bot.model.agenda import Due
from bot.model.errors import Problem
from bot.model.seating import Person
from bot.store import Store
from bot.tables import Table, Tables
from engine.actions import DEAL, Play
from engine.cards import CARD_OF_CODE
from engine.rules import Length
from tests.tables.sitting import Somebody, playing, put, refused

LONG = Length(target=100)
WON_BY_THE_FIRST = {"hands": {"s0": ["R1"], "s1": ["W4", "WI"]}, "discard": ["R9"], "turn": "s0"}


async def with_somebody_waiting(tables: Tables, by: Somebody, length: Length = LONG) -> Table:
    """Give a match of two in which the next card wins, and a third person waits for a seat."""
    table = await playing(tables, by, 2, length=length)
    put(table, **WON_BY_THE_FIRST)
    await tables.join(table, by(3))
    return table


async def test_a_match_is_won_while_somebody_waits(tables: Tables, by: Somebody, store: Store) -> None:
    table = await with_somebody_waiting(tables, by)
    await tables.act(table, by(1), (Play(CARD_OF_CODE["R1"]),))
    assert table.state.ended == "won"
    assert [row.user_id for row in (await store.board(11)).lines] == [1, 2]


@pytest.mark.parametrize("how", ["ended", "won", "idle", "vanished"])
async def test_a_later_hand_ends_while_somebody_waits(tables: Tables, by: Somebody, how: str) -> None:
    table = await playing(tables, by, 2, length=Length(hands=5))
    put(table, **WON_BY_THE_FIRST)
    await tables.act(table, by(1), (Play(CARD_OF_CODE["R1"]),))
    await tables.act(table, by(1), (DEAL,))
    await tables.join(table, by(3))
    if how == "ended":
        await tables.end(table, by(1), moderator=False)
    elif how == "won":
        await tables.leave(table, by(2))
    elif how == "vanished":
        await tables.vanished(table, by(9))
    else:
        table.state.clock.full_at += timedelta(hours=3)
        entry = tables.next_due(table.state)
        assert entry is not None
        assert entry[1] is Due.END_IDLE
        await tables.tick(table, entry[0])
    assert table.state.ended == how


async def test_who_waits_is_told_so(tables: Tables, by: Somebody) -> None:
    table = await with_somebody_waiting(tables, by)
    await refused(Problem.WAITING, tables.act(table, by(3), (DEAL,)))
    await refused(Problem.NOT_SEATED, tables.act(table, by(4), (DEAL,)))


async def test_who_waits_is_removed_by_the_host_and_not_by_others(tables: Tables, by: Somebody) -> None:
    table = await with_somebody_waiting(tables, by)
    await refused(Problem.NOT_THE_HOST, tables.kick(table, by(2), 3, moderator=False))
    await tables.kick(table, by(1), 3, moderator=False)
    assert not table.state.is_waiting(3)


async def test_who_waits_and_has_left_the_server_is_taken_out(tables: Tables, by: Somebody) -> None:
    table = await with_somebody_waiting(tables, by)
    assert await tables.lost(table, 3, by(1)) is not None
    assert not table.state.is_waiting(3)
    again = await tables.lost(table, 3, by(1))
    assert again.after is again.before


async def test_a_seat_is_offered_three_times_a_hand_at_most(tables: Tables, by: Somebody) -> None:
    table = await with_somebody_waiting(tables, by, Length(hands=4))
    for user in (5, 6, 7):
        await tables.offer(table, by(1), Person(user, "Dia"))
        version = table.state.version
        await tables.offer(table, by(1), Person(user, "Dia"))
        assert table.state.version == version, "offered to the same person twice"
    await refused(Problem.OFFERED_ENOUGH, tables.offer(table, by(1), Person(8, "Dia")))
    await tables.act(table, by(1), (Play(CARD_OF_CODE["R1"]),))
    await tables.act(table, by(1), (DEAL,))
    await tables.offer(table, by(1), Person(8, "Dia"))


async def test_an_offer_goes_when_the_person_joins_by_themselves(tables: Tables, by: Somebody) -> None:
    table = await with_somebody_waiting(tables, by)
    await tables.offer(table, by(1), Person(5, "Dia"))
    await tables.join(table, by(5))
    assert not table.state.seating.offers
