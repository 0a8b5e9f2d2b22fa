"""Computers let everybody see what an item did before they move (docs/rules.md, Computer players)."""

from datetime import datetime, timedelta
from typing import Any

import pytest

from bot.model.agenda import Due
from bot.model.snapshot import restore, snapshot
from bot.store import Store
from bot.tables import Change, Outages, Scheduler, Table, TableClock, Tables
from engine.actions import ChooseTarget, Play
from engine.cards import CARD_OF_CODE
from tests.tables.sitting import PACE, Somebody, restored
from tests.tables.test_computers import placed

BOX = Play(CARD_OF_CODE["WI"])
OWN = ["WI", "R1", "R2", "R3"]


async def boxed(tables: Tables, by: Somebody, flipped: str = "Y5", **position: Any) -> Table:
    """Let the person in the first seat open a Wild Item Box before two computers."""
    position = {"hands": {"s0": OWN}, "draw": [flipped, *["G1"] * 20]} | position
    table = await placed(tables, by, **position)
    await tables.act(table, by(1), (BOX,))
    return table


def waits(tables: Tables, table: Table) -> tuple[float, Due]:
    """Return what is due next, in seconds after the item acted."""
    entry, item_at = tables.next_due(table.state, table.shown), table.state.clock.item_at
    assert entry is not None
    assert item_at is not None
    return (entry[0] - item_at).total_seconds(), entry[1]


async def next_tick(tables: Tables, table: Table) -> Change:
    entry = tables.next_due(table.state, table.shown)
    assert entry is not None
    assert await tables.tick(table, entry[0] - timedelta(milliseconds=1)) is None
    change = await tables.tick(table, entry[0])
    assert change is not None
    return change


async def test_an_item_nobody_can_see_holds_computers_for_five_seconds(tables: Tables, by: Somebody) -> None:
    table = await boxed(tables, by)
    assert waits(tables, table) == (5, Due.COMPUTER)
    change = await next_tick(tables, table)
    assert change.by is None
    assert change.after.clock.item_at is None


async def test_an_item_on_screen_holds_computers_for_two_seconds_from_then(
    tables: Tables, by: Somebody
) -> None:
    table = await boxed(tables, by)
    item_at = by.now
    tables.shown(table, table.state, item_at + timedelta(seconds=1.5))
    assert waits(tables, table) == (3.5, Due.COMPUTER)
    assert table.due == (item_at + timedelta(seconds=3.5), Due.COMPUTER)
    tables.shown(table, table.state, item_at + timedelta(seconds=3))
    assert waits(tables, table) == (3.5, Due.COMPUTER), "seen since the first time"
    await next_tick(tables, table)


async def test_what_is_on_screen_before_an_item_acts_does_not_count(tables: Tables, by: Somebody) -> None:
    table = await placed(tables, by, hands={"s0": OWN}, draw=["Y5", *["G1"] * 20])
    before = table.state
    await tables.act(table, by(1), (BOX,))
    tables.shown(table, before, by.now)
    assert waits(tables, table) == (5, Due.COMPUTER)


async def test_a_computer_looks_at_its_own_item_too(tables: Tables, by: Somebody) -> None:
    table = await placed(
        tables, by, turn="s1", hands={"s1": ["WI", "B1", "B2", "B3"]}, draw=["R5", *["G1"] * 9]
    )
    await next_tick(tables, table)
    assert table.state.match is not None
    assert table.state.match.turn == 1, "an extra turn"
    assert waits(tables, table) == (5, Due.COMPUTER)


async def test_whom_a_shell_hit_is_seen_as_well(tables: Tables, by: Somebody) -> None:
    table = await boxed(tables, by, "G5")
    tables.shown(table, table.state, by.now)
    await tables.act(table, by(1, wait=9), (ChooseTarget(1),))
    assert waits(tables, table) == (5, Due.COMPUTER)


async def test_who_plays_on_at_once_holds_up_nobody(tables: Tables, by: Somebody) -> None:
    table = await boxed(tables, by, "R5")
    await tables.act(table, by(1), (Play(CARD_OF_CODE["R1"]),))
    assert table.state.clock.item_at is None
    entry = tables.next_due(table.state, table.shown)
    assert entry is not None
    assert entry[0] - by.now <= timedelta(seconds=2)


async def test_the_computer_for_somebody_on_autopilot_waits_too(tables: Tables, by: Somebody) -> None:
    table = await boxed(tables, by, "R5")
    assert table.state.match is not None
    table.state.match.game.streak[0] = 2
    assert waits(tables, table) == (5, Due.COMPUTER)


async def test_a_turn_s_time_does_not_wait_for_an_item(tables: Tables, by: Somebody) -> None:
    table = await boxed(tables, by, "R5", how={"turn_time": 15})
    assert waits(tables, table) == (15, Due.TIME_OUT)


async def test_a_stop_of_the_bot_keeps_the_wait(tables: Tables, by: Somebody, store: Store) -> None:
    table = await boxed(tables, by)
    others = Tables(store, PACE, Outages(), save_timeout=60.0, catch_grace=2.0)
    await restored(others, by.now)
    reborn = others.get(table.id)
    assert reborn is not None
    assert waits(others, reborn) == (5, Due.COMPUTER)
    others.shown(reborn, reborn.state, by.now + timedelta(seconds=1))
    assert waits(others, reborn) == (3, Due.COMPUTER)


async def test_a_clock_that_was_ahead_when_an_item_acted_holds_up_nobody(
    tables: Tables, by: Somebody, store: Store
) -> None:
    table = await boxed(tables, by)
    others = Tables(store, PACE, Outages(), save_timeout=60.0, catch_grace=2.0)
    yesterday = by.now - timedelta(days=1)
    await restored(others, yesterday)
    reborn = others.get(table.id)
    assert reborn is not None
    assert reborn.due is not None
    assert reborn.due[0] <= yesterday + timedelta(seconds=5)


async def test_a_table_saved_before_this_was_known_is_read(tables: Tables, by: Somebody) -> None:
    table = await boxed(tables, by)
    saved = snapshot(table.state)
    del saved["item_at"]
    assert restore(saved, table.state.seating.people, 1).clock.item_at is None


@pytest.mark.parametrize("seen", [True, False])
async def test_the_clock_ticks_when_the_wait_is_over(tables: Tables, by: Somebody, seen: bool) -> None:
    now: list[datetime] = [by.now]
    scheduler = Scheduler(lambda: now[0])
    TableClock(tables, scheduler, Outages())
    table = await boxed(tables, by)
    now[0] = by.now
    assert scheduler.when(("table", table.id)) == by.now + timedelta(seconds=5)
    if seen:
        tables.shown(table, table.state, by.now + timedelta(seconds=1))
        assert scheduler.when(("table", table.id)) == by.now + timedelta(seconds=3)
    await scheduler.close(1)


async def test_a_catch_waits_as_well(tables: Tables, by: Somebody) -> None:
    table = await placed(tables, by, hands={"s0": ["WI", "R1"]}, draw=["Y5", *["G1"] * 20])
    await tables.act(table, by(1), (BOX,))
    assert table.state.match is not None
    assert table.state.match.game.owed == 0
    seconds, what = waits(tables, table)
    assert what in (Due.CATCH, Due.COMPUTER)
    assert seconds == 5
