"""Newcomers, removed people, channels and servers that are gone, tables that cannot be read."""

import sqlite3
from collections.abc import Awaitable, Callable
from contextlib import closing
from typing import Any

import pytest

from bot.store import Save
from tests.discord.clicking import Room
from tests.discord.playing import bot_of, is_hand, open_lobby, seat

Restart = Callable[..., Awaitable[None]]


async def between_hands(room: Room, players: int = 2) -> Any:
    """Give a table whose first hand of two has just been won."""
    table = await seat(room, players, hands=2)
    hands = [["R5"], *([f"{colour}1", f"{colour}2"] for colour in "GBY"[: players - 1])]
    await table.arrange(*hands, turn=0)
    await table.press(table.members[0], "Red 5")
    return table


async def test_a_stranger_is_offered_a_seat_and_dealt_in(room: Room) -> None:
    table = await between_hands(room)
    bob = table.members[1]
    (cleo,) = room.members("Cleo")
    answer = await room.click(cleo, room.table(), "Join")
    assert answer.kind == "update"
    assert "At the next hand: Cleo" in room.table().text
    await room.click(bob, room.table(), "Next hand")
    assert "**Cleo**: 7 cards" in room.table().text
    assert is_hand(room.hand(cleo))


async def test_my_hand_offers_a_stranger_a_seat_while_another_hand_is_to_come(room: Room) -> None:
    table = await seat(room, 2, hands=2)
    (cleo,) = room.members("Cleo")
    answer = await room.click(cleo, room.table(), "My hand")
    assert answer.private
    assert answer.screen is not None
    joined = await room.click(cleo, answer.screen, "Join")
    assert "next hand" in joined.text
    assert [person.user_id for person in table.state.newcomers] == [cleo.id]


async def test_a_match_of_one_hand_takes_nobody_in(room: Room) -> None:
    await seat(room, 2)
    (cleo,) = room.members("Cleo")
    answer = await room.click(cleo, room.table(), "My hand")
    assert "not playing" in answer.text
    assert answer.screen is not None
    assert answer.screen.buttons == []


async def test_whoever_plays_already_is_told_so_when_they_press_join(room: Room) -> None:
    table = await between_hands(room)
    answer = await room.click(table.members[1], room.table(), "Join")
    assert answer.private
    assert answer.text == "You're already at this table. /uno table brings it down here."


async def test_who_was_removed_does_not_come_back(room: Room) -> None:
    table = await between_hands(room, 3)
    ann, bob, _ = table.members
    await room.command(ann, "uno kick", player=bob)
    answer = await room.click(bob, room.table(), "Join")
    assert "You were removed from this match" in answer.text
    assert table.state.newcomers == []


async def test_a_deleted_channel_ends_its_table(room: Room) -> None:
    await seat(room, 2)
    bot = bot_of(room)
    channel = bot.get_channel(room.channel.id)
    assert channel is not None
    await bot.on_guild_channel_delete(channel)  # type: ignore[arg-type]
    await room.simulation.settle()
    assert bot.tables.in_channel(room.channel.id) is None


async def test_a_server_that_threw_the_bot_out_ends_its_tables(room: Room) -> None:
    await seat(room, 2)
    bot = bot_of(room)
    guild = bot.get_guild(room.channel.guild.id)
    assert guild is not None
    await bot.on_guild_remove(guild)
    await room.simulation.settle()
    assert list(bot.tables.live()) == []
    await bot.store.submit(Save())
    assert await bot.store.live_tables() == []


@pytest.mark.parametrize(
    "damage",
    [
        """UPDATE tables SET snapshot = '{"schema":1}' WHERE id = ?""",
        "UPDATE tables SET snapshot = 'not json' WHERE id = ?",
        """UPDATE tables SET snapshot = '{"schema":99}' WHERE id = ?""",
        "UPDATE tables SET snapshot = json_set(snapshot, '$.recent', 7, '$.host', 'x') WHERE id = ?",
        "UPDATE seats SET user_id = 'x' WHERE seat = 1 AND table_id = ?",
        "DELETE FROM seats WHERE table_id = ?",
    ],
)
async def test_a_table_that_cannot_be_read_ends_with_a_message_and_the_rest_goes_on(
    room: Room, restart: Restart, settings: Any, logged_errors: list[Any], damage: str
) -> None:
    broken = await seat(room, 2)
    other = Room(room.simulation, room.channel.guild.create_text_channel("other"))
    whole = await seat(other, 2)
    path = settings.database_url.partition(":///")[2]
    number = broken.live.id
    with closing(sqlite3.connect(path)) as database, database:
        database.execute(damage, (number,))
    await restart(killed=True)
    await room.simulation.settle()
    assert [record for record in logged_errors if "table_unreadable" in record.getMessage()]
    logged_errors.clear()
    assert "could not be brought back" in room.screens()[0].text
    assert bot_of(room).tables.in_channel(room.channel.id) is None
    answer = await other.click(whole.members[0], other.table(), "My hand")
    assert is_hand(answer.screen)
    # The channel is free again.
    await open_lobby(room, broken.members[0])


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE tokens SET issued_at = 'x' WHERE table_id = ?",
        "UPDATE screens SET message_id = 'x' WHERE table_id = ?",
        "UPDATE screens SET table_id = 404 WHERE table_id = ?",
    ],
)
async def test_a_table_lives_without_what_it_can_do_without(
    room: Room, restart: Restart, settings: Any, logged_errors: list[Any], damage: str
) -> None:
    table = await seat(room, 2)
    with closing(sqlite3.connect(settings.database_url.partition(":///")[2])) as database, database:
        database.execute(damage, (table.live.id,))
    await restart(killed=True)
    await room.simulation.settle()
    logged_errors.clear()
    answer = await room.click(table.members[0], room.table(), "My hand")
    assert is_hand(answer.screen)


async def test_a_restart_draws_the_tables_of_the_last_moments_and_no_others(
    room: Room, restart: Restart
) -> None:
    simulation, guild = room.simulation, room.channel.guild
    rooms = [room, *(Room(simulation, guild.create_text_channel(name)) for name in ("earlier", "last"))]
    for each, pause in zip(rooms, (2, 44, 0), strict=True):
        await seat(each, 2, turn_time="off")
        await simulation.advance_time(pause)
    since = len(simulation.http_requests)
    await restart(killed=True)
    await simulation.settle()
    edited = [call.path.split("/")[2] for call in simulation.http_requests[since:] if call.method == "PATCH"]
    assert sorted(edited) == [str(each.channel.id) for each in rooms[1:]]
