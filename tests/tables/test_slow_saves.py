"""What is not saved has not happened, whatever was to be done; what is saved late counts late."""

from __future__ import annotations

import asyncio

import pytest

from bot.model.errors import Problem
from bot.model.state import snapshot
from bot.store import NotSaved
from bot.tables import Change, Options, Outages, Tables
from tests.tables.deeds import DEEDS, PHASES, WHO, set_up
from tests.tables.sitting import CHANNEL, GUILD, PACE, Somebody, refused
from tests.tables.slow import SlowStore

#: Everything that somebody may do, each by the first who may.
ALLOWED = [(phase, deed, may.split()[0]) for phase, deeds in PHASES.items() for deed, may in deeds.items()]


@pytest.fixture
def slow_tables(slow: SlowStore) -> Tables:
    return Tables(slow, PACE, Outages(), save_timeout=60.0, catch_grace=2.0)


@pytest.mark.parametrize(("phase", "deed", "who"), ALLOWED)
async def test_what_cannot_be_saved_changes_nothing(
    slow: SlowStore, slow_tables: Tables, by: Somebody, phase: str, deed: str, who: str
) -> None:
    table = await set_up(slow_tables, by, phase)
    heard: list[Change] = []
    slow_tables.listen(heard.append)
    before, written = table.state, snapshot(table.state)
    slow.gate = asyncio.get_running_loop().create_future()
    slow.gate.set_exception(NotSaved("the disk is full"))
    await refused(Problem.NOT_SAVED, DEEDS[deed](slow_tables, table, by(WHO[who])))
    assert table.state is before
    assert snapshot(table.state) == written
    assert heard == []
    slow.gate = None
    await DEEDS[deed](slow_tables, table, by(WHO[who]))
    assert table.state is not before
    assert len(heard) == 1


@pytest.mark.parametrize("saved", [True, False])
@pytest.mark.parametrize(("phase", "deed", "who"), ALLOWED)
async def test_what_is_saved_late_counts_late_or_never(
    slow: SlowStore, slow_tables: Tables, by: Somebody, phase: str, deed: str, who: str, *, saved: bool
) -> None:
    table = await set_up(slow_tables, by, phase)
    heard: list[Change] = []
    slow_tables.listen(heard.append)
    before = table.state
    slow.gate = asyncio.get_running_loop().create_future()
    slow_tables._save_timeout = 0.01
    await refused(Problem.UNCERTAIN, DEEDS[deed](slow_tables, table, by(WHO[who])))
    await refused(Problem.BUSY, DEEDS[deed](slow_tables, table, by(WHO[who])))
    assert table.state is before
    assert heard == []
    if saved:
        slow.gate.set_result(True)
    else:
        slow.gate.set_exception(NotSaved("the disk is full"))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    assert (table.state is not before) == saved
    assert len(heard) == saved
    assert table.unsettled is None


@pytest.mark.parametrize("saved", [True, False])
async def test_a_lobby_that_is_saved_late_opens_late_or_never(
    slow: SlowStore, slow_tables: Tables, by: Somebody, *, saved: bool
) -> None:
    slow.gate = asyncio.get_running_loop().create_future()
    slow_tables._save_timeout = 0.01
    heard: list[Change] = []
    slow_tables.listen(heard.append)
    await refused(Problem.UNCERTAIN, slow_tables.open_lobby(GUILD, CHANNEL, by(1), Options()))
    await refused(Problem.LOBBY_IS_OPEN, slow_tables.open_lobby(GUILD, CHANNEL, by(2), Options()))
    table = slow_tables.in_channel(CHANNEL)
    assert table is not None
    await refused(Problem.BUSY, slow_tables.join(table, by(2)))
    if saved:
        slow.gate.set_result(True)
    else:
        slow.gate.set_exception(NotSaved("the disk is full"))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    slow.gate, slow_tables._save_timeout = None, 60.0
    assert len(heard) == saved
    if saved:
        assert table.state.version == 1
        assert slow_tables.in_channel(CHANNEL) is table
    else:
        assert slow_tables.in_channel(CHANNEL) is None
        await refused(Problem.TABLE_OVER, slow_tables.join(table, by(2)))
        await slow_tables.open_lobby(GUILD, CHANNEL, by(2), Options())
