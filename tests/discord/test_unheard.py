"""Requests that hang, fail or lose their answer: what goes on meanwhile, and what is shown in the end."""

from collections.abc import Awaitable, Callable

import pytest

from bot.messages import Messages
from tests.discord.clicking import Room, Screen
from tests.discord.playing import Table, bot_of, calls_by_kind, is_hand, open_lobby, seat
from tests.discord.slow_way import (
    ANSWER,
    DELETION,
    HAND_EDIT,
    HAND_SEND,
    LOOK,
    MEMBER,
    TABLE_EDIT,
    TABLE_POST,
    trouble,
)

Restart = Callable[..., Awaitable[None]]
Patch = pytest.MonkeyPatch
MINUTE = 60


def now(room: Room) -> int:
    return len(room.simulation.http_requests)


def boards(room: Room) -> list[Screen]:
    return [screen for screen in room.screens() if screen.buttons]


async def unhurried(room: Room, players: int = 2) -> Table:
    table = await seat(room, players, turn_time="off")
    await table.arrange(*[["R5", "R6", "G1", "G2"]] * players)
    return table


def shows(table: Table, name: str) -> bool:
    return table.board().text.startswith(f"### {name} is to play.")


# --- what is not needed holds up nothing


@pytest.mark.parametrize("pattern", [LOOK, MEMBER, DELETION])
async def test_what_is_not_needed_holds_up_neither_table_nor_hands(
    room: Room, monkeypatch: Patch, pattern: str
) -> None:
    table = await unhurried(room)
    ann, bob = table.members
    (zoe,) = room.members("Zoe")
    await room.simulation.advance_time(4 * MINUTE)
    await zoe.send(room.channel, "chatter")
    with trouble(monkeypatch, pattern) as made:
        if pattern == DELETION:
            await room.command(ann, "uno table")
        elif pattern == MEMBER:
            await table.arrange(*[["R5", "R6", "G1", "G2"]] * 2)
            await room.simulation.advance_time(31)
        await table.press_board(ann, "My hand")
        await table.press(ann, "Red 5")
        assert made.struck
        assert shows(table, "Bob")
        assert table.hand(bob).has("Red 5")
        answer = await table.press_board(bob, "My hand")
        assert answer.screen is not None
        await room.click(bob, answer.screen, "Red 5")
        assert shows(table, "Ann")
        await room.simulation.advance_time(MINUTE)


async def test_a_question_that_hangs_holds_up_no_deadline(room: Room, monkeypatch: Patch) -> None:
    table = await seat(room, 3, turn_time="15 s")
    await table.arrange(*[["R5", "R6", "G1", "G2"]] * 3)
    with trouble(monkeypatch, MEMBER) as made:
        await room.simulation.advance_time(16)
        assert len(made.struck) == 1
        assert shows(table, "Bob")
        await room.simulation.advance_time(16)
        assert shows(table, "Cleo")


async def test_an_old_table_whose_deletion_hangs_or_fails_goes_later(
    room: Room, restart: Restart, monkeypatch: Patch
) -> None:
    table = await unhurried(room)
    with trouble(monkeypatch, DELETION):
        await room.command(table.members[0], "uno table")
        assert len(boards(room)) == 2
        await room.simulation.advance_time(5)
    room.simulation.inject_error("DELETE", "/channels/*/messages/*", status=503, times=2)
    assert len(boards(room)) == 2
    await room.simulation.advance_time(2)
    assert len(boards(room)) == 2
    await restart(killed=True)
    await room.simulation.advance_time(10)
    assert len(boards(room)) == 1


# --- hands


async def test_a_hand_that_hangs_holds_up_no_other(room: Room, monkeypatch: Patch) -> None:
    table = await unhurried(room, 3)
    ann, bob, cleo = table.members
    await table.arrange(["RS", "R6", "G1"], ["R5", "R7"], ["R8", "R9"])
    hand = str(table.hand(ann).id)
    with trouble(monkeypatch, f"PATCH /webhooks/.*/messages/{table.hand(bob).id}") as made:
        await table.arrange(["R5", "R6", "G1"], ["R5", "R7"], ["R8", "R9"], turn=0)
        assert table.hand(ann).id == int(hand)
        await table.press(ann, "Red 5")
        assert made.struck
        assert not table.hand(bob).has("Red 5")
        assert shows(table, "Bob")
        answer = await table.press_board(bob, "My hand")
        assert answer.screen is not None
        await room.click(bob, answer.screen, "Red 5")
        assert table.hand(cleo).has("Red 8"), "while the other still hangs"


async def test_all_hands_are_sent_at_the_same_time_the_first_to_play_first(
    room: Room, monkeypatch: Patch
) -> None:
    members = room.members("Ann", "Bob", "Cleo", "Dai")
    lobby = await open_lobby(room, members[0])
    for member in members[1:]:
        await room.click(member, lobby, "Join")
    with trouble(monkeypatch, HAND_SEND) as made:
        await room.click(members[0], room.look(lobby), "Start")
        assert len(made.struck) == 4
        state = bot_of(room).tables.in_channel(room.channel.id).state
        tokens = bot_of(room).messages._tracked(bot_of(room).tables.in_channel(room.channel.id)).hands
        first = tokens[state.seated_people[state.match.turn]].token
        assert first in made.struck[0]
        assert len(made.struck) == 4
    await room.simulation.advance_time(4)
    assert all(any(map(is_hand, room.private(member))) for member in members)
    assert [screen for screen in room.screens() if screen.pinged] == []


async def test_a_new_hand_waits_a_moment_for_the_table_and_no_longer(room: Room, monkeypatch: Patch) -> None:
    table = await seat(room, 2, hands=2)
    await table.arrange(["R5"], ["G1", "G2"])
    await table.press(table.members[0], "Red 5")
    ann, bob = table.members
    with trouble(monkeypatch, TABLE_POST):
        await table.press_board(bob, "Next hand")
        assert not table.hand(ann).has("Catch!"), "the hand that is over"
        await room.simulation.advance_time(1.1)
        assert table.hand(ann).has("Catch!"), "the new one"


# --- what should be on screen is remembered until it is


async def test_a_failing_line_leaves_nothing_stale_though_nobody_moves(room: Room) -> None:
    table = await unhurried(room)
    ann, bob = table.members
    room.simulation.inject_error("PATCH", "/channels/*/messages/*", status=503, times=None)
    room.simulation.inject_error("PATCH", "/webhooks/*/messages/*", status=503, times=None)
    since = now(room)
    await table.press(ann, "Red 5")
    await room.simulation.advance_time(10 * MINUTE)
    assert not shows(table, "Bob")
    tries = calls_by_kind(room, since)
    assert tries["table edit"] == tries["hand refresh"]
    assert 10 < tries["table edit"] < 35, "pauses grow from 1 to 60 s"
    room.simulation.backend.faults.clear()
    await room.simulation.advance_time(MINUTE)
    assert shows(table, "Bob")
    assert table.hand(bob).has("Red 5")


async def test_a_request_that_hangs_is_given_up_and_made_again(room: Room, monkeypatch: Patch) -> None:
    table = await unhurried(room)
    ann, bob = table.members
    with trouble(monkeypatch, TABLE_EDIT):
        await table.press(ann, "Red 5")
        assert table.hand(bob).has("Red 5"), "the hands go another way"
        assert not shows(table, "Bob")
        await room.simulation.advance_time(2)
    await room.simulation.advance_time(2)
    assert shows(table, "Bob")


async def test_a_move_is_a_try_at_once(room: Room) -> None:
    table = await unhurried(room)
    ann, bob = table.members
    room.simulation.inject_error("PATCH", "/channels/*/messages/*", status=503, times=None)
    await table.press(ann, "Red 5")
    await room.simulation.advance_time(3 * MINUTE)
    room.simulation.backend.faults.clear()
    await table.press(bob, "Red 5")
    assert shows(table, "Ann")


@pytest.mark.parametrize("how", ["kept up", "killed"])
async def test_the_end_of_a_match_is_shown_in_the_end(room: Room, restart: Restart, how: str) -> None:
    table = await unhurried(room)
    ann, _ = table.members
    await table.arrange(["R5"], ["G1", "G2"])
    room.simulation.inject_error("*", "/channels/*/messages*", status=503, times=None)
    await table.press(ann, "Red 5")
    await room.simulation.advance_time(5 * MINUTE)
    other = Room(room.simulation, room.channel.guild.create_text_channel("other"))
    await seat(other, other.members("Dai", "Eve"), turn_time="off")  # saved long after the last move
    if how == "killed":
        await restart(killed=True)
        await room.simulation.advance_time(5 * MINUTE)
    assert "wins the match" not in boards(room)[-1].text
    assert await bot_of(room).store.live_tables() != []
    room.simulation.backend.faults.clear()
    await room.simulation.advance_time(MINUTE)
    assert "Ann wins the match!" in boards(room)[-1].text
    assert len(boards(room)) == 1
    live = {table.channel_id for table in await bot_of(room).store.live_tables()}
    assert live == {other.channel.id}, "its end is shown, so it is closed"


async def test_what_was_not_on_screen_long_before_a_kill_is_after_it(room: Room, restart: Restart) -> None:
    table = await unhurried(room)
    ann, bob = table.members
    await room.simulation.advance_time(1)
    room.simulation.inject_error("PATCH", "/*/messages/*", status=503, times=None)
    await table.press(ann, "Red 5")
    await room.simulation.advance_time(2 * MINUTE)
    other = Room(room.simulation, room.channel.guild.create_text_channel("other"))
    await open_lobby(other, other.members("Dai")[0])
    await restart(killed=True)
    room.simulation.backend.faults.clear()
    await room.simulation.advance_time(5)
    assert shows(table, "Bob")
    assert table.hand(bob).has("Red 5")


async def test_a_start_renders_what_changed_last_alone(room: Room, restart: Restart) -> None:
    await unhurried(room)
    other = Room(room.simulation, room.channel.guild.create_text_channel("other"))
    await room.simulation.advance_time(MINUTE)
    await open_lobby(other, other.members("Dai")[0])
    since = now(room)
    await restart(killed=True)
    await room.simulation.advance_time(5)
    edits = [call.path for call in room.simulation.http_requests[since:] if call.method == "PATCH"]
    assert [f"/channels/{other.channel.id}/" in path for path in edits] == [True]


# --- never twice


async def test_a_post_whose_answer_is_lost_is_repeated_with_its_nonce(
    room: Room, restart: Restart, monkeypatch: Patch
) -> None:
    table = await unhurried(room)
    ann, _ = table.members
    with trouble(monkeypatch, TABLE_POST, lost=True, times=1):
        await room.command(ann, "uno table")
        await room.simulation.advance_time(5)
    posts = [call for call in room.simulation.http_requests if call.path.endswith("/messages")]
    posts = [call.json for call in posts if call.method == "POST" and "nonce" in (call.json or {})]
    assert len(posts) == 2
    assert posts[0]["nonce"] == posts[1]["nonce"]
    assert posts[0]["enforce_nonce"]
    assert len(str(posts[0]["nonce"])) <= 25
    await restart()
    await room.simulation.advance_time(MINUTE)
    await room.command(ann, "uno table")
    last = [call.json for call in room.simulation.http_requests if "nonce" in (call.json or {})][-1]
    assert last["nonce"] != posts[0]["nonce"]


async def test_a_lobby_whose_answer_was_taken_and_lost_is_found(room: Room, monkeypatch: Patch) -> None:
    ann, bob = room.members("Ann", "Bob")
    with trouble(monkeypatch, ANSWER, lost=True, times=1):
        await ann.slash(room.channel, "uno start")
        await room.simulation.advance_time(1)
    (lobby,) = boards(room)
    await room.click(bob, lobby, "Join")
    assert "Bob" in room.look(lobby).text
    await room.click(ann, room.look(lobby), "Start")
    assert all(any(map(is_hand, room.private(member))) for member in (ann, bob))


async def test_a_message_that_is_not_the_tables_own_never_counts_as_it(room: Room) -> None:
    ann, bob = room.members("Ann", "Bob")
    old = await open_lobby(room, ann)
    room.simulation.inject_error("DELETE", "/channels/*/messages/*", status=503, times=1)
    await room.command(ann, "uno table")
    assert len(boards(room)) == 2
    await room.click(bob, old, "Join")
    assert "Bob" in boards(room)[-1].text
    await room.simulation.advance_time(2)
    (lobby,) = boards(room)
    assert lobby.id != old.id
    assert "Bob" in lobby.text


def tasks_of(screens: Messages) -> int:
    return len(screens._requests.under_way())


async def test_requests_that_are_given_up_leave_nothing_behind(room: Room, monkeypatch: Patch) -> None:
    table = await unhurried(room)
    with trouble(monkeypatch, f"{TABLE_EDIT}|{HAND_EDIT}", times=2):
        await table.press(table.members[0], "Red 5")
        await room.simulation.advance_time(10)
    assert tasks_of(bot_of(room).messages) == 0
    assert shows(table, "Bob")
