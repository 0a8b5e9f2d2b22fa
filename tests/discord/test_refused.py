"""Where Discord does not let the bot do something: no vain request, a word where it matters, later tries."""

from collections.abc import Callable

import discord
import pytest
from simcord.backend.models.channel import Overwrite
from simcord.backend.ops.channels import ChannelType
from simcord.enums import OverwriteType

from bot.messages import requests
from tests.discord.clicking import Room
from tests.discord.playing import Table, bot_of, calls_by_kind, end, open_lobby, seat
from tests.discord.slow_way import DELETION, trouble

MINUTE = 60
HOUR = 60 * MINUTE


def now(room: Room) -> int:
    return len(room.simulation.http_requests)


def made(room: Room, since: int) -> dict[str, int]:
    """Count what was requested in the channel itself."""
    kinds = ("table edit", "post", "delete", "nudge")
    return {kind: number for kind, number in calls_by_kind(room, since).items() if kind in kinds}


def withdraw(room: Room, *permissions: str) -> None:
    deny = discord.Permissions(**dict.fromkeys(permissions, True)).value
    everybody = room.channel.guild.id
    overwrite = Overwrite(target_id=everybody, type=OverwriteType.ROLE, allow=0, deny=deny)
    room.simulation.backend.set_overwrite(room.channel.id, overwrite)


def give_back(room: Room) -> None:
    room.simulation.backend.delete_overwrite(room.channel.id, room.channel.guild.id)


async def unhurried(room: Room, players: int = 2) -> Table:
    table = await seat(room, players, turn_time="off")
    await table.arrange(*[["R5", "R6", "G1", "G2"]] * players)
    return table


def shows(table: Table, name: str) -> bool:
    return table.board().text.startswith(f"### {name} is to play.")


# --- what the cache knows


async def test_a_channel_that_is_taken_away_costs_no_request_and_comes_back_by_itself(room: Room) -> None:
    await seat(room, 2, turn_time="15 s")
    withdraw(room, "view_channel")
    await room.simulation.settle()
    since = now(room)
    await room.simulation.advance_time(30 * MINUTE)
    assert bot_of(room).tables.in_channel(room.channel.id) is None, "computers have played it to its end"
    assert made(room, since) == {}
    assert len(await bot_of(room).store.live_tables()) == 1
    give_back(room)
    await room.simulation.settle()
    assert made(room, since) == {"table edit": 1}
    assert "wins the match" in room.screens()[-1].text
    assert await bot_of(room).store.live_tables() == []


async def test_a_table_that_cannot_be_posted_again_is_edited_still(room: Room) -> None:
    table = await seat(room, 2, hands=3)
    ann, bob = table.members
    await table.arrange(["R5"], ["G1", "G2"])
    await table.press(ann, "Red 5")
    board = table.board()
    withdraw(room, "send_messages")
    await room.simulation.settle()
    since = now(room)
    await table.press_board(bob, "Next hand")
    assert table.board().id == board.id
    assert "Hand 2 of 3" in table.board().text
    assert made(room, since) == {"table edit": 1}
    assert "cannot update" not in table.hand(bob).text


async def test_a_time_out_of_the_bot_is_told_and_waited_for(room: Room) -> None:
    table = await unhurried(room)
    ann, bob = table.members
    until = discord.utils.utcnow() + discord.utils.datetime.timedelta(minutes=20)
    with room.simulation._bot_scope():
        me = room.simulation.backend.get_member(room.channel.guild.id, room.simulation.bot.user.id)
        me.timed_out_until = until.isoformat()
        payload = room.simulation.bot._connection
        payload.parse_guild_member_update(
            {
                "guild_id": str(room.channel.guild.id),
                "user": {
                    "id": str(room.simulation.bot.user.id),
                    "username": "TestBot",
                    "discriminator": "0",
                    "avatar": None,
                    "global_name": None,
                },
                "roles": [str(role) for role in me.role_ids],
                "nick": None,
                "avatar": None,
                "joined_at": discord.utils.utcnow().isoformat(),
                "communication_disabled_until": until.isoformat(),
            }
        )
    room.simulation.inject_error("PATCH", "/channels/*/messages/*", status=403, code=50013, times=None)
    await table.press(ann, "Red 5")
    assert not shows(table, "Bob")
    answer = await table.press_board(bob, "My hand")
    assert "I am in time-out on this server." in answer.text
    since = now(room)
    await room.simulation.advance_time(19 * MINUTE)
    assert made(room, since) == {}
    room.simulation.backend.faults.clear()
    await room.simulation.advance_time(2 * MINUTE)
    assert shows(table, "Bob")


# --- what only Discord knows


async def test_a_refusal_is_tried_again_after_an_hour(room: Room) -> None:
    table = await unhurried(room)
    ann, _bob = table.members
    await room.command(ann, "uno pause")
    room.simulation.inject_error("PATCH", "/channels/*/messages/*", status=403, code=50001, times=None)
    since = now(room)
    await table.press(ann, "Red 5")
    await room.simulation.advance_time(59 * MINUTE)
    assert made(room, since).get("table edit") == 1
    room.simulation.backend.faults.clear()
    await room.simulation.advance_time(2 * MINUTE)
    assert shows(table, "Bob")


async def test_a_press_that_shows_that_it_may_go_is_a_try_now_and_then(room: Room) -> None:
    table = await unhurried(room)
    ann, bob = table.members
    room.simulation.inject_error("PATCH", "/channels/*/messages/*", status=403, code=50001, times=None)
    since = now(room)
    await table.press(ann, "Red 5")
    for _ in range(20):
        await table.press_board(bob, "My hand")
        await room.simulation.advance_time(1)
    assert made(room, since)["table edit"] == 5, "at once, and after 1, 2, 4 and 8 s"
    room.simulation.backend.faults.clear()
    await table.press_board(bob, "My hand")
    await room.simulation.advance_time(20)
    assert shows(table, "Bob")


async def test_the_hand_says_that_the_table_stands_still_and_so_does_the_command(room: Room) -> None:
    table = await unhurried(room)
    ann, bob = table.members
    room.simulation.inject_error("*", "/channels/*/messages*", status=403, code=50013, times=None)
    await table.press(ann, "Red 5")
    told = "I cannot update the table: I am missing permissions in this channel."
    assert told in (await table.press_board(bob, "My hand")).text
    assert told in (await room.command(bob, "uno table")).text
    room.simulation.backend.faults.clear()
    await room.simulation.advance_time(5)
    assert shows(table, "Bob")
    assert "cannot update" not in (await table.press_board(bob, "My hand")).text
    assert "The table comes" in (await room.command(bob, "uno table")).text


@pytest.mark.parametrize(("status", "code"), [(400, 50083), (403, 160005)])
async def test_a_locked_thread_is_told(room: Room, status: int, code: int) -> None:
    table = await unhurried(room)
    ann, bob = table.members
    room.simulation.inject_error("*", "/channels/*/messages*", status=status, code=code, times=None)
    await table.press(ann, "Red 5")
    assert "this thread is locked." in (await table.press_board(bob, "My hand")).text


async def test_a_thread_the_bot_was_not_let_into_is_told(room: Room) -> None:
    (ann, bob) = room.members("Ann", "Bob")
    backend = room.simulation.backend
    thread = backend.create_thread(
        room.channel.id, "secret", ann.id, type=ChannelType.PRIVATE_THREAD, broadcast=False
    )
    backend.get_thread(thread.id).thread_members[bob.id] = backend.now_iso()
    inside = Room(room.simulation, next(each for each in room.channel.threads if each.id == thread.id))
    table = await seat(inside, [ann, bob], turn_time="off")
    await table.arrange(*[["R5", "R6", "G1", "G2"]] * 2)
    backend.faults.clear()
    inside.simulation.inject_error("*", "/channels/*/messages*", status=403, code=50001, times=None)
    await table.press(ann, "Red 5")
    answer = await table.press_board(bob, "My hand")
    assert "add me to this thread by mentioning me." in answer.text
    inside.simulation.backend.faults.clear()
    backend.announce_thread_create(backend.get_thread(thread.id))
    await inside.simulation.settle()
    assert shows(table, "Bob")


# --- the end that nobody may see


async def test_an_ended_table_that_may_not_be_shown_is_kept_for_days(
    room: Room, restart: Callable[..., object]
) -> None:
    table = await unhurried(room)
    ann, _ = table.members
    await table.arrange(["R5"], ["G1", "G2"])
    room.simulation.inject_error("*", "/channels/*/messages*", status=403, code=50001, times=None)
    await table.press(ann, "Red 5")
    await room.simulation.advance_time(2 * 24 * HOUR)
    assert len(await bot_of(room).store.live_tables()) == 1
    await room.simulation.advance_time(2 * 24 * HOUR)
    assert await bot_of(room).store.live_tables() == []
    assert bot_of(room).messages._all == {}


# --- too many refusals


def refuse(room: Room, times: int) -> None:
    for _ in range(times):
        bot_of(room).messages._requests.refusals.count()


async def test_many_refusals_stop_what_is_not_needed_then_all_but_answers(room: Room) -> None:
    table = await unhurried(room)
    ann, bob = table.members
    refuse(room, requests.UNNEEDED_UP_TO)
    since = now(room)
    await room.command(ann, "uno table")
    assert made(room, since) == {"post": 1}, "the old one is not deleted"
    await table.press(ann, "Red 5")
    assert shows(table, "Bob")
    refuse(room, requests.NEEDED_UP_TO - requests.UNNEEDED_UP_TO)
    since = now(room)
    answer = await table.press_board(bob, "My hand")
    assert answer.screen is not None
    await room.click(bob, answer.screen, "Red 5")
    await room.simulation.advance_time(5 * MINUTE)
    assert set(calls_by_kind(room, since)) == {"answer"}
    assert bot_of(room).messages.refusals == requests.NEEDED_UP_TO


async def test_nothing_is_said_where_it_cannot_be(room: Room) -> None:
    table = await seat(room, 2, turn_time="60 s")
    withdraw(room, "send_messages")
    await room.simulation.settle()
    since = now(room)
    await room.simulation.advance_time(31)
    assert "nudge" not in made(room, since)
    assert table.state.clock.nudged == table.match.decision


async def test_a_lobby_left_behind_is_gone_in_the_end(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    (ann,) = room.members("Ann")
    await open_lobby(room, ann)
    with trouble(monkeypatch, DELETION) as hanging:
        await room.command(ann, "uno table")
        await end(room, ann)
        assert hanging.struck
    await room.simulation.advance_time(10)
    assert len(room.screens()) == 1
