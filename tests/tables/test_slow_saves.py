"""What is not saved has not happened, whatever was to be done; what is saved late counts late."""

from __future__ import annotations

import asyncio

import pytest

from bot.model.errors import Problem
from bot.model.snapshot import snapshot
from bot.store import NotSaved, Uncertain
from bot.tables import Change, Options, Outages, Tables
from tests.tables.deeds import DEEDS, PHASES, WHO, set_up
from tests.tables.sitting import CHANNEL, GUILD, PACE, Somebody, refused, restored
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


@pytest.mark.parametrize(("phase", "deed", "who"), ALLOWED)
async def test_what_is_uncertain_is_told_so_and_found_out_by_the_next_press(
    slow: SlowStore, slow_tables: Tables, by: Somebody, phase: str, deed: str, who: str
) -> None:
    table = await set_up(slow_tables, by, phase)
    before = table.state
    slow.gate = asyncio.get_running_loop().create_future()
    slow.gate.set_exception(Uncertain("nothing is heard of the disk"))
    await refused(Problem.UNCERTAIN, DEEDS[deed](slow_tables, table, by(WHO[who])))
    assert table.state is before
    slow.gate = None
    await DEEDS[deed](slow_tables, table, by(WHO[who]))
    assert table.state.version == before.version + 1, "it had not been saved"


@pytest.mark.parametrize(("phase", "deed", "who"), ALLOWED)
async def test_what_was_saved_without_a_word_counts_once_it_is_read(
    slow: SlowStore, slow_tables: Tables, by: Somebody, phase: str, deed: str, who: str
) -> None:
    table = await set_up(slow_tables, by, phase)
    heard: list[Change] = []
    slow_tables.listen(heard.append)
    before = table.state
    slow.mute = True
    await refused(Problem.UNCERTAIN, DEEDS[deed](slow_tables, table, by(WHO[who])))
    slow.mute = False
    async with table.lock:
        await slow_tables._read_again(table)
    assert table.state.version == before.version + 1
    assert [change.after for change in heard] == [table.state]
    assert (slow_tables.get(table.id) is None) == (table.state.ended is not None)


async def test_while_nothing_can_be_read_one_moment_is_asked_for(
    slow: SlowStore, slow_tables: Tables, by: Somebody, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await set_up(slow_tables, by, "lobby")
    slow.mute = True
    await refused(Problem.UNCERTAIN, slow_tables.join(table, by(8)))
    slow.mute = False

    async def fail(table_id: int) -> None:
        raise OSError("the disk is gone")

    with monkeypatch.context() as patched:
        patched.setattr(slow, "table", fail)
        await refused(Problem.BUSY, slow_tables.leave(table, by(8)))
    await slow_tables.leave(table, by(8))
    assert table.state.seat_of(8) is None


@pytest.mark.parametrize("saved", [True, False])
async def test_a_lobby_nobody_can_tell_of_is_there_or_not(
    slow: SlowStore, slow_tables: Tables, by: Somebody, *, saved: bool
) -> None:
    if saved:
        slow.mute = True
    else:
        slow.gate = asyncio.get_running_loop().create_future()
        slow.gate.set_exception(Uncertain("nothing is heard of the disk"))
    await refused(Problem.UNCERTAIN, slow_tables.open_lobby(GUILD, CHANNEL, by(1), Options()))
    slow.mute, slow.gate = False, None
    again = slow_tables.open_lobby(GUILD, CHANNEL, by(2), Options())
    if saved:
        await refused(Problem.LOBBY_IS_OPEN, again)
    else:
        await again
    table = slow_tables.in_channel(CHANNEL)
    assert table is not None
    assert table.state.seating.people[table.state.seating.host].user_id == (1 if saved else 2)


async def test_a_table_that_was_changed_elsewhere_is_read_again(
    slow: SlowStore, slow_tables: Tables, by: Somebody
) -> None:
    table = await set_up(slow_tables, by, "lobby")
    others = Tables(slow, PACE, Outages(), save_timeout=10.0, catch_grace=2.0)
    await restored(others, by.now)
    there = others.get(table.id)
    assert there is not None
    await others.join(there, by(8))
    await refused(Problem.OLD_HAND, slow_tables.join(table, by(9)))
    assert table.state.seat_of(8) is not None
    await slow_tables.join(table, by(9))
    assert table.state.seat_of(9) is not None
