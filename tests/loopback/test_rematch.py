"""Rematch on the bot as a process of its own: after a kill the summary still brings people together."""

import random

import pytest

from tests.loopback.conftest import StartBot
from tests.loopback.limits import UNLIMITED, Limits
from tests.loopback.playing import is_over, play
from tests.loopback.room import Room
from tests.loopback.server import Loopback


@pytest.fixture
def limits() -> Limits:
    return UNLIMITED


async def test_a_rematch_works_after_a_kill_and_goes_on_after_another(
    loopback: Loopback, start_bot: StartBot
) -> None:
    room = Room(loopback, loopback.guild().channel("uno"))
    ann, bob, _ = people = room.channel.guild.join("Ann", "Bob", "Cem")
    bot = await start_bot()
    await room.command(ann, "uno start")
    for member in people[1:]:
        await room.click(member, room.table(), "Join")
    await room.click(ann, room.table(), "Start")
    await play(room, people, random.Random(5), most=2000)
    assert is_over(room)
    await loopback.quiet()
    summary = room.table()
    await bot.restart(killed=True)
    assert not (await room.click(bob, summary, "Rematch")).private
    await loopback.quiet(0.3)  # his token is saved after the answer
    await bot.restart(killed=True)
    assert (await room.click(ann, room.look(summary), "Rematch")).private
    await room.until(lambda: "Not there yet: Cem" in room.table().text, "Cem to be missed")
    await room.click(ann, room.table(), "Start")  # host of the match, and so of its rematch
    for member in (ann, bob):
        await room.until(lambda member=member: room.hand(member).has("More"), f"the hand of {member.name}")
    assert await play(room, [ann, bob], random.Random(6), most=4)
