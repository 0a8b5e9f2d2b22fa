"""A match while everything takes its time between the bot and Discord."""

import random

import pytest

from tests.loopback import playing
from tests.loopback.conftest import StartBot
from tests.loopback.kinds import Kind
from tests.loopback.limits import UNLIMITED, Limits
from tests.loopback.room import Room
from tests.loopback.screens import Screen
from tests.loopback.server import Loopback
from tests.loopback.way import Way


@pytest.fixture
def limits() -> Limits:
    return UNLIMITED


@pytest.fixture
def way() -> Way:
    return Way()


def numbers(screen: Screen) -> set[str]:
    return {custom_id.split(":")[2] for custom_id in screen.custom_ids}


async def test_a_match_is_played_at_a_distance(loopback: Loopback, start_bot: StartBot) -> None:
    room = Room(loopback, loopback.guild().channel("uno"))
    people = room.channel.guild.join("Ann", "Bob", "Cem")
    await start_bot()
    await room.command(people[0], "uno start")
    for member in people[1:]:
        assert (await room.click(member, room.table(), "Join")).kind == "update"
    await room.click(people[0], room.table(), "Start")
    answers = await playing.play(room, people, random.Random(1), most=6)
    assert [answer.kind for answer in answers] == ["update"] * 6
    await room.until(lambda: playing.deciding(room, people), "somebody's turn")
    ((_, hand),) = playing.deciding(room, people)
    await room.until(lambda: numbers(room.table()) == numbers(hand), "the table of that turn")
    assert loopback.counts[Kind.ANSWER] == len(loopback.interactions), "none was answered twice"
    assert loopback.counts[Kind.TABLE_EDIT] <= len(answers)
