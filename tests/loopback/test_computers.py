"""kill -9 while it is a computer player's turn: it moves after the restart."""

import random

import pytest

from tests.loopback import playing
from tests.loopback.conftest import StartBot
from tests.loopback.limits import UNLIMITED, Limits
from tests.loopback.room import Room
from tests.loopback.server import Loopback


@pytest.fixture
def limits() -> Limits:
    return UNLIMITED


async def test_a_computer_whose_turn_it_was_at_a_kill_moves_after_the_restart(
    loopback: Loopback, start_bot: StartBot
) -> None:
    room = Room(loopback, loopback.guild().channel("uno"))
    (ann,) = room.channel.guild.join("Ann")
    slow = {"COMPUTER_PAUSE": "0.7", "COMPUTER_UNO_PAUSE": "0.7"}
    bot = await start_bot(**slow)
    await room.command(ann, "uno start", cpus=3, level="easy", hands=20)
    await room.click(ann, room.table(), "Start")
    await room.until(lambda: room.hand(ann), "Ann's hand")

    def by_a_computer() -> bool:
        headline = room.table().text.splitlines()[0]
        return "🤖" in headline and not playing.choices(room.hand(ann))

    dice = random.Random(3)
    for _ in range(3):
        while not by_a_computer():
            click = playing.a_move(room, [ann], dice)
            assert click is not None
            await room.click(click.member, click.screen, custom_id=click.custom_id)
            await room.until(lambda: by_a_computer() or playing.deciding(room, [ann]), "a turn")
        stood = room.table().text
        await bot.restart(killed=True)
        await room.until(lambda stood=stood: room.table().text != stood, "a computer's move")
        await room.until(lambda: playing.deciding(room, [ann]), "Ann's turn")
