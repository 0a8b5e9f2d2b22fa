"""Where a table stands as time passes: posted anew before it is an hour old, and where its place is gone."""

from collections.abc import Awaitable, Callable

import pytest
from simcord import ChannelHandle

from bot.messages import Messages
from tests.discord.clicking import Room
from tests.discord.playing import Table, bot_of, calls_by_kind, open_lobby, seat
from tests.discord.test_lobby import forbid

Restart = Callable[..., Awaitable[None]]
MINUTE = 60


def set_up(room: Room, **settings: float) -> None:
    """Let the bot that runs have other times than the tests usually give it."""
    screens: Messages = bot_of(room).messages
    screens._settings = screens._settings.model_copy(update=settings)


def now(room: Room) -> int:
    return len(room.simulation.http_requests)


def boards(room: Room) -> list[int]:
    return [screen.id for screen in room.screens() if screen.buttons]


async def unhurried(room: Room, players: int = 2) -> Table:
    table = await seat(room, players)
    await room.command(table.members[0], "uno pause")
    return table


# --- before it is an hour old


async def test_a_paused_table_is_posted_anew_once_in_55_minutes_by_itself(room: Room) -> None:
    table = await unhurried(room)
    first, acted = table.board().id, table.state.clock.acted_at
    await room.simulation.advance_time(54 * MINUTE)
    assert boards(room) == [first]
    await room.simulation.advance_time(2 * MINUTE)
    (second,) = boards(room)
    assert second > first
    assert table.state.clock.acted_at == acted, "this is nobody's press"
    assert "Paused, computers too" in table.board().text
    await room.simulation.advance_time(52 * MINUTE)
    assert boards(room) == [second]
    since = now(room)
    await room.simulation.advance_time(3 * MINUTE)
    assert boards(room) != [second]
    assert calls_by_kind(room, since) == {"post": 1, "delete": 1}


async def test_a_post_that_fails_is_not_tried_again_and_again(room: Room) -> None:
    table = await unhurried(room)
    first = table.board().id
    room.simulation.inject_error("POST", "/channels/*/messages", status=403, code=50013)
    since = now(room)
    await room.simulation.advance_time(60 * MINUTE)
    assert boards(room) == [first]
    assert calls_by_kind(room, since) == {"post": 1}


async def test_a_lobby_is_posted_anew_too(room: Room) -> None:
    ann, *others = room.members("Ann", "Bob", "Cleo", "Dai", "Eve")
    lobby = await open_lobby(room, ann)
    for member in others:
        await room.simulation.advance_time(13 * MINUTE)
        await room.click(member, room.table(), "Join")
    assert boards(room) == [lobby.id]
    await room.simulation.advance_time(4 * MINUTE)
    assert boards(room) != [lobby.id]
    assert room.table().has("Start")


async def test_it_keeps_no_table_alive_that_nobody_plays_at(room: Room) -> None:
    table = await seat(room, 2, turn_time="off")
    first = table.board().id
    await room.simulation.advance_time(56 * MINUTE)
    assert boards(room) != [first]
    await room.simulation.advance_time(5 * MINUTE)
    assert boards(room) == []
    assert "Nobody played for so long: 1 hour." in room.screens()[-1].text


async def test_a_table_that_grew_old_while_the_bot_was_away_is_posted_anew(
    room: Room, restart: Restart
) -> None:
    table = await unhurried(room)
    first = table.board().id
    await restart(killed=True)
    room.simulation.backend.advance_clock(56 * MINUTE)
    await restart(killed=True)
    await room.simulation.advance_time(2 * MINUTE)
    assert boards(room) != [first]


# --- where it is gone


@pytest.mark.parametrize("by", ["command", "hand"])
async def test_a_table_somebody_deleted_may_be_posted_at_once(room: Room, by: str) -> None:
    table = await unhurried(room)
    ann, bob = table.members
    set_up(room, repost_pause=60.0)
    await room.command(ann, "uno table")
    await table.press(bob, "More")
    room.simulation.backend.delete_message(room.channel.id, table.board().id)
    if by == "command":
        answer = await room.command(bob, "uno table")
        assert "The table comes to the bottom" in answer.text
    else:
        await table.press(bob, "Table here")
    (board,) = boards(room)
    assert "just now: " in (await room.command(bob, "uno table")).text
    assert boards(room) == [board]


async def test_table_here_names_what_the_bot_may_not_do(room: Room) -> None:
    table = await unhurried(room)
    ann, _ = table.members
    first = table.board().id
    await table.press(ann, "More")
    forbid(room.channel.guild, room.channel.id, "send_messages")
    answer = await table.press(ann, "Table here")
    assert "I am missing permissions in this channel: Send Messages." in answer.text
    assert boards(room) == [first]


# --- where its channel is gone


async def delete_unheard(channel: ChannelHandle, room: Room) -> None:
    """Delete a channel without an event that tells the bot so."""
    tables = bot_of(room).tables
    tables.vanished = never  # type: ignore[method-assign]  # put back below
    room.simulation.backend.delete_channel(channel.id)
    await room.simulation.settle()
    del tables.vanished


@pytest.mark.parametrize("due", ["nudge", "age", "pause", "start"])
async def test_a_table_whose_channel_was_deleted_unheard_ends_when_something_is_due(
    room: Room, restart: Restart, due: str
) -> None:
    other = Room(room.simulation, room.channel.guild.create_text_channel("other"))
    members = room.members("Ann", "Bob")
    await seat(other, members, turn_time="off" if due == "age" else "60 s")
    if due == "pause":
        await other.command(members[0], "uno pause")
    await delete_unheard(other.channel, room)
    assert bot_of(room).tables.in_channel(other.channel.id) is not None
    if due == "start":
        await restart(killed=True)
    await room.simulation.advance_time(
        {"age": 56 * MINUTE, "pause": 56 * MINUTE, "nudge": 31, "start": 3}[due]
    )
    assert bot_of(room).tables.in_channel(other.channel.id) is None
    answer = await room.command(members[0], "uno tables")
    assert "no table" in answer.text


async def never(*_: object) -> None:
    return None


async def test_a_server_left_unheard_has_no_tables_after_a_start(room: Room, restart: Restart) -> None:
    await seat(room, 2)
    bot_of(room).tables.vanished = never  # type: ignore[method-assign]  # as if no event had come
    room.simulation.backend.remove_guild(room.channel.guild.id)
    await restart(killed=True)
    await room.simulation.advance_time(3)
    assert list(bot_of(room).tables.live()) == []
