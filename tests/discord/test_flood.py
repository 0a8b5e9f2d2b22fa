"""Somebody who presses faster than a person does: told once, answered always, heeded no more."""

from typing import Any

import pytest

from bot import metrics
from bot.model.errors import Problem
from bot.ui.text import problems
from bot.ui.text.translation import text_for
from tests.discord.clicking import Click, Room
from tests.discord.playing import bot_of, end, seat

SLOW_DOWN = problems.problem(text_for("en-US"), Problem.TOO_FAST)


@pytest.fixture
def settings(settings: Any) -> Any:
    """Let a person press four times at once, and once a second."""
    return settings.model_copy(update={"click_burst": 4, "click_pause": 1.0, "start_pause": 5.0})


def refused() -> float:
    return metrics.REGISTRY.get_sample_value("lastlap_refused_total", {"problem": "too_fast"}) or 0.0


async def test_a_flood_is_answered_press_by_press_and_told_once(room: Room) -> None:
    table = await seat(room, 2)
    await room.simulation.advance_time(10)
    bot, (ann, bob) = bot_of(room), table.members
    board, before, private = table.board(), refused(), len(room.private(ann))
    answers = await room.together(*[Click(ann, board, "My hand") for _ in range(8)])
    told = [answer for answer in answers if answer.text == SLOW_DOWN]
    assert len(told) == 1
    assert told[0].private
    assert [answer.kind for answer in answers].count("deferred_update") == 3, "without a word"
    assert len(room.private(ann)) == private + 5, "four hands and one sentence"
    assert refused() == before + 4
    assert not bot.messages._tracked(bot.tables.in_channel(room.channel.id)).answering
    assert (await room.click(bob, table.board(), "My hand")).text != SLOW_DOWN


async def test_a_flood_on_the_own_hand_moves_nothing(room: Room) -> None:
    table = await seat(room, 2)
    await table.arrange(["R5", "R6", "G1", "G2"], ["R1", "R2"])
    await room.simulation.advance_time(10)
    ann = table.members[0]
    for _ in range(3):
        await table.press_board(ann, "My hand")
    hand = table.hand(ann)
    assert (await room.click(ann, hand, "More")).kind == "update"
    before = bot_of(room).tables.in_channel(room.channel.id).state
    assert (await room.click(ann, hand, "Red 5")).text == SLOW_DOWN
    assert (await room.click(ann, hand, "Red 5")).kind == "deferred_update"
    assert bot_of(room).tables.in_channel(room.channel.id).state is before
    await room.simulation.advance_time(1)
    assert (await room.click(ann, hand, "Red 5")).kind == "update"
    assert bot_of(room).tables.in_channel(room.channel.id).state is not before


async def test_every_command_of_a_flood_is_told(room: Room) -> None:
    (ann,) = room.members("Ann")
    texts = [(await room.command(ann, "uno rules")).text for _ in range(6)]
    assert [text == SLOW_DOWN for text in texts] == [False] * 4 + [True] * 2, "a command cannot be silent"


async def test_tables_are_opened_one_after_the_other(room: Room) -> None:
    (ann,) = room.members("Ann")
    await room.command(ann, "uno start")
    await end(room, ann)
    again = await room.command(ann, "uno start")
    assert again.private
    assert again.text == problems.problem(text_for("en-US"), Problem.START_TOO_SOON)
    assert bot_of(room).tables.in_channel(room.channel.id) is None
    await room.simulation.advance_time(5)
    assert (await room.command(ann, "uno start")).kind == "message"
    assert bot_of(room).tables.in_channel(room.channel.id) is not None
