"""Every button and menu that a release has left behind is known to this one, and answered."""

from collections.abc import Awaitable, Callable

import pytest

from bot.model.errors import Problem
from bot.ui.kit import custom_ids
from bot.ui.text import problems
from bot.ui.text.translation import text_for
from tests.discord.clicking import Answer
from tests.releases.memory import Memory, Opened, Press, moves, stand, versions

Open = Callable[..., Awaitable[Opened]]

CHANGES = [
    pytest.param(version, number, id=f"{version}-{number}")
    for version in versions()
    for number in sorted({press.change for press in Memory.of(version).presses} - {0})
]
ENGLISH = text_for("en-US")
#: What is told of a table that is no more: nobody reads it at one that lives.
GONE = [problems.problem(ENGLISH, problem) for problem in (Problem.TABLE_OVER, Problem.EARLIER_TABLE)]
WRONG = problems.problem(ENGLISH, Problem.UNEXPECTED, reference="…").partition("…")[0]


def test_all_of_them_are_read(memory: Memory) -> None:
    for press in memory.presses:
        read = custom_ids.read(press.custom_id, press.values)
        assert read is not None, press
        assert read.table == press.table


async def test_those_that_change_nothing_are_answered(memory: Memory, opened: Open) -> None:
    await press_all(await opened(), [press for press in memory.presses if not press.change])


@pytest.mark.parametrize(("memory", "number"), CHANGES, indirect=["memory"])
async def test_those_that_change_a_table_still_do(memory: Memory, number: int, opened: Open) -> None:
    presses = [press for press in memory.presses if press.change == number]
    bot = await opened(channels={press.channel for press in presses})
    before = stand(bot)
    log = {press.table: await moves(bot, press.table) for press in presses}
    await press_all(bot, presses)
    for press in presses:
        assert at(press, stand(bot)) != at(press, before), press
        if press.moves:
            assert await moves(bot, press.table) == [*log[press.table], *press.moves], press


def at(press: Press, tables: list[tuple[int, int, int]]) -> list[tuple[int, int, int]]:
    """Pick the table that a press is about, and the one in its channel."""
    return [table for table in tables if table[0] == press.table or table[2] == press.channel]


async def press_all(bot: Opened, presses: list[Press]) -> None:
    alive = {(table, channel) for table, _, channel in stand(bot)}
    for press, answer in zip(presses, await bot.press(presses), strict=True):
        seen = told(answer)
        assert WRONG not in seen, (press, seen)
        if (press.table, press.channel) in alive:
            assert seen not in GONE, (press, seen)


def told(answer: Answer) -> str:
    """Return what somebody reads in answer; nothing where the message is gone by now."""
    response = answer.result.response
    return "" if response is None else answer.text
