"""Tables that nobody has pressed since a restart are not in memory, and nobody can tell."""

from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from bot.store import Save
from tests.discord.clicking import Room
from tests.discord.playing import Table, bot_of, is_hand, open_lobby, seat

Restart = Callable[..., Awaitable[None]]


@pytest.fixture
async def idle(room: Room, restart: Restart) -> Table:
    """Give a table that lies idle after a restart, because others were pressed long after it."""
    table = await seat(room, 2, turn_time="off")
    await room.simulation.advance_time(120)
    other = Room(room.simulation, room.channel.guild.create_text_channel("other"))
    await open_lobby(other, table.members[0])
    await restart(killed=True)
    await room.simulation.settle()
    assert bot_of(room).tables.id_in_channel(room.channel.id) is not None
    assert bot_of(room).tables.in_channel(room.channel.id) is None
    return table


async def test_its_buttons_and_commands_work(idle: Table) -> None:
    room, (ann, _) = idle.room, idle.members
    answer = await room.click(ann, room.table(), "My hand")
    assert is_hand(answer.screen)
    assert bot_of(room).tables.in_channel(room.channel.id) is not None


@pytest.mark.parametrize("command", ["hand", "leave", "pause", "table"])
async def test_its_commands_work(idle: Table, command: str) -> None:
    room, (ann, _) = idle.room, idle.members
    answer = await room.command(ann, f"uno {command}")
    assert "no table" not in answer.text
    assert bot_of(room).tables.in_channel(room.channel.id) is not None


async def test_it_is_listed(idle: Table) -> None:
    room, (ann, _) = idle.room, idle.members
    answer = await room.command(ann, "uno tables")
    assert f"<#{room.channel.id}>" in answer.text
    assert "2 players" in answer.text


async def test_no_other_opens_beside_it(idle: Table) -> None:
    room, (_, bob) = idle.room, idle.members
    answer = await room.command(bob, "uno start")
    assert answer.private
    assert len(await bot_of(room).store.live_tables()) == 2


async def test_it_ends_with_its_channel(idle: Table) -> None:
    room, bot = idle.room, bot_of(idle.room)
    channel: Any = bot.get_channel(room.channel.id)
    await bot.on_guild_channel_delete(channel)
    await room.simulation.settle()
    assert bot.tables.id_in_channel(room.channel.id) is None
    await bot.store.submit(Save())
    assert len(await bot.store.live_tables()) == 1


async def test_it_comes_back_by_itself(idle: Table) -> None:
    await idle.room.simulation.advance_time(1)
    assert bot_of(idle.room).tables.in_channel(idle.room.channel.id) is not None
