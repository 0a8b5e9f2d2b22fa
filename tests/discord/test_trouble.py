"""What people see when something goes wrong inside: slow saves, lost ones, faults, flurries, sudden ends."""

import asyncio
import json
import logging
import re
from collections.abc import Awaitable, Callable
from typing import Any

import discord
import pytest

from bot.messages import renderer
from bot.store import NotSaved, Save
from engine.rules import RuleSet
from tests.discord.clicking import Room, Screen
from tests.discord.playing import Driver, bot_of, calls_by_kind, is_hand, leave, seat
from tests.discord.simulation import Simulation

Restart = Callable[..., Awaitable[None]]


def delay(room: Room, seconds: float) -> None:
    """Let there be a pause between two edits of a table, as there is outside the tests."""
    screens = bot_of(room).messages
    screens._settings = screens._settings.model_copy(update={"table_edit_delay": seconds})


# --- many moves in little time


async def test_a_flurry_of_moves_is_drawn_together_and_the_last_state_stays(room: Room) -> None:
    table = await seat(room, 3)
    await table.arrange(*[["R5", "R6", "G1", "G2"]] * 3)
    delay(room, 1)
    await room.simulation.advance_time(1)
    ann, bob, cleo = table.members
    since = len(room.simulation.http_requests)
    for member in (ann, bob, cleo):
        answer = await table.press_board(member, "My hand")
        assert answer.screen is not None
        await room.click(member, answer.screen, "Red 5")
    assert calls_by_kind(room, since)["table edit"] == 1, "the first at once"
    assert table.board().text.startswith("### Bob is to play.")
    await room.simulation.advance_time(1)
    assert calls_by_kind(room, since)["table edit"] == 2
    assert table.board().text.startswith("### Ann is to play.")
    assert table.hand(ann).has("Red 6")


async def test_a_stop_in_the_middle_of_a_flurry_leaves_the_table_true(room: Room, restart: Restart) -> None:
    table = await seat(room, 2)
    await table.arrange(*[["R5", "R6", "G1", "G2"]] * 2)
    delay(room, 1)
    await room.simulation.advance_time(1)
    ann, bob = table.members
    await table.press(ann, "Red 5")
    await table.press(bob, "Red 5")
    assert table.board().text.startswith("### Bob is to play.")
    await restart(killed=True)
    await table.press_board(bob, "My hand")
    assert table.board().text.startswith("### Ann is to play.")


# --- saving


class Held:
    """A store that takes saves and writes them only when it is told to."""

    def __init__(self, room: Room) -> None:
        self.store = bot_of(room).store
        self.submit = self.store.submit
        self.waiting: list[tuple[Save, asyncio.Future[bool]]] = []
        self.store.submit = self.hold  # type: ignore[method-assign]  # this is the point

    def hold(self, save: Save) -> asyncio.Future[bool]:
        future = asyncio.get_running_loop().create_future()
        self.waiting.append((save, future))
        return future

    async def taken(self) -> None:
        """Wait until there is a save, and its click waits for it."""
        while not self.waiting:  # noqa: ASYNC110  # nothing tells of it
            await asyncio.sleep(0.001)
        await asyncio.sleep(0.01)

    async def release(self) -> None:
        self.store.submit = self.submit  # type: ignore[method-assign]  # as it was
        for save, future in self.waiting:
            future.set_result(await self.submit(save))

    def fail(self) -> None:
        self.store.submit = self.submit  # type: ignore[method-assign]  # as it was
        for _, future in self.waiting:
            future.set_exception(NotSaved("the disk is full"))


async def test_a_save_that_takes_too_long_is_told_and_shown_once_it_is_done(room: Room) -> None:
    table = await seat(room, 2)
    ann, bob = table.members
    await table.arrange(["R5", "R6", "G1"], ["R1", "R2", "R3"])
    hand, before = table.hand(ann), table.match.clone()
    held = Held(room)
    click = asyncio.create_task(room.click(ann, hand, "Red 5"))
    await held.taken()
    assert not click.done()
    room.simulation.elapse(2.1)
    answer = await click
    assert "Saving takes longer than it should." in answer.text
    assert table.match == before
    for deed in (room.click(ann, hand, "Red 6"), table.press_board(bob, "Catch!")):
        assert "One moment: your table is still saving a move." in (await deed).text
    assert is_hand((await table.press_board(bob, "My hand")).screen), "looking is always possible"
    await held.release()
    await room.simulation.settle()
    assert table.board().text.startswith("### Bob is to play.")
    assert table.hand(bob).has("Red 1")
    assert "old hand" in (await room.click(ann, hand, "Red 5")).text


async def test_a_move_that_was_not_saved_is_told_and_did_not_happen(
    room: Room, logged_errors: list[logging.LogRecord]
) -> None:
    table = await seat(room, 2)
    ann, _ = table.members
    await table.arrange(["R5", "R6", "G1"], ["R1", "R2", "R3"])
    before, board = table.match.clone(), table.board()
    held = Held(room)
    click = asyncio.create_task(table.press(ann, "Red 5"))
    await held.taken()
    held.fail()
    assert "Nothing was changed, because it could not be saved." in (await click).text
    assert [json.loads(json.dumps(record.msg))["event"] for record in logged_errors] == ["not_saved"]
    logged_errors.clear()
    assert table.match == before
    assert table.board().payload == board.payload
    await table.press(ann, "Red 5")
    assert len(table.cards(ann)) == 2


# --- faults of our own


async def test_a_fault_is_answered_with_a_reference_that_the_log_has_too(
    room: Room, monkeypatch: pytest.MonkeyPatch, logged_errors: list[logging.LogRecord]
) -> None:
    table = await seat(room, 2)
    ann = table.members[0]

    def broken(*_: Any, **__: Any) -> discord.ui.LayoutView:
        raise ZeroDivisionError

    monkeypatch.setattr(renderer.Renderer, "hand", broken)
    for answer in (await table.press_board(ann, "My hand"), await room.command(ann, "uno hand")):
        assert answer.private
        (reference,) = re.findall(r"name ([0-9a-f]{8})\.", answer.text)
        assert reference in logged_errors.pop(0).getMessage()
    monkeypatch.undo()
    assert is_hand((await table.press_board(ann, "My hand")).screen)


@pytest.mark.parametrize(
    "custom_id", ["ll:1:0:nonsense::", "ll:1:0:play:R77:", "else", "ll:999:0:hand::", "ll:"]
)
async def test_a_button_of_another_time_is_answered(room: Room, custom_id: str) -> None:
    table = await seat(room, 2)
    board = table.board()
    payload = json.loads(json.dumps(board.payload).replace(board.button("My hand").custom_id, custom_id))
    forged = Screen(board.channel, payload, ())
    answer = await room.click(table.members[0], forged, "My hand")
    assert answer.private
    assert answer.text == "That button is of an earlier table. Use those of the one that is on now."


# --- permissions that were taken away


async def test_a_table_is_not_promised_where_it_cannot_be_posted(simulation: Simulation) -> None:
    guild = simulation.create_guild("Server")
    room = Room(simulation, guild.create_text_channel("uno"))
    table = await seat(room, 2)
    from tests.discord.test_lobby import forbid

    forbid(guild, room.channel.id, "send_messages")
    answer = await room.command(table.members[0], "uno table")
    assert answer.private
    assert "Send Messages" in answer.text


# --- the end that comes otherwise


async def test_leaving_between_two_hands_can_end_the_match(room: Room) -> None:
    table = await seat(room, 2, hands=3)
    ann, _ = table.members
    await table.arrange(["R5"], ["G1", "G2"])
    await table.press(ann, "Red 5")
    await leave(room, ann)
    standings = room.table()
    assert "Bob wins the match: everybody else left." in standings.text
    assert standings.labels == ["Details", "Rematch", "Share"]
    assert "Ann** scores 3 points." in (await room.click(ann, standings, "Details")).text


async def test_a_winner_who_leaves_while_aiming_the_last_shell_has_won(room: Room) -> None:
    table = await seat(room, 3)
    ann, bob, _ = table.members
    await table.arrange(["WI"], ["G1", "G2"], ["B1"], draw=["G5", "G6", "G7"])
    await table.press(ann, "Wild Item Box")
    assert table.hand(ann).labels[:2] == ["Bob: 2 cards", "Cleo: 1 card"]
    await leave(room, ann)
    standings = room.table()
    assert "Ann wins the match!" in standings.text
    details = await room.click(bob, standings, "Details")
    assert "**Ann** scores 3 + 7 = 10 points." in details.text
    rows = (await bot_of(room).store.board(room.channel.guild.id, limit=5)).lines
    assert rows[0].name == "Ann"
    assert rows[0].hands_won == 1


async def test_a_blocked_hand_scores_for_nobody(room: Room) -> None:
    table = await seat(room, 2, hands=2)
    ann, bob = table.members
    await table.arrange(["G5", "G6"], ["B1", "B2"], top="R7", below=(), draw=[])
    await table.press(ann, "Draw")
    await table.press(bob, "Draw")
    board = table.board()
    assert "The hand is blocked: nobody scores." in board.text
    assert "nobody scores" in (await room.click(bob, board, "Details")).text
    await table.press_board(bob, "Next hand")
    assert table.match.hand_no == 2


async def test_a_match_of_ten_ends_when_nine_have_left(room: Room) -> None:
    table = await seat(room, 10, rules=RuleSet(stack=True))
    driver = Driver(table, 3, mischief=0)
    for _ in range(9):
        await driver.step()
        await driver.leave(driver.dice.choice(driver.seated()))
    (last,) = driver.seated()
    assert f"{last.user.global_name} wins the match: everybody else left." in room.table().text
