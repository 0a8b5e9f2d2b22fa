"""kill -9 between a click and its answer: the table is before or after that move, whole, and on screen."""

import random
import re

import pytest

from tests.loopback import playing
from tests.loopback.conftest import StartBot
from tests.loopback.kills import FETCHED, POINTS, SETTINGS, Kills
from tests.loopback.limits import UNLIMITED, Limits
from tests.loopback.room import Click
from tests.loopback.server import Loopback

#: Cards after which, between two players, it is still the turn of whoever played them.
AGAIN = re.compile(r"ll:\d+:\d+:play:[RYGB](?:S|R):u?")


@pytest.fixture
def limits() -> Limits:
    return UNLIMITED


@pytest.fixture
async def table(loopback: Loopback, start_bot: StartBot) -> Kills:
    table = Kills(loopback, await start_bot(ready=False, **SETTINGS), random.Random(7))
    await table.bot.start()
    return table


async def test_ten_kills_lose_nothing_and_halve_nothing(table: Kills) -> None:
    await table.open()
    for number in range(10):
        await table.kill(POINTS[number % len(POINTS)])
    assert table.seen["after the move"] >= 3
    moves = table.seen["before the move"] + table.seen["after the move"]
    assert moves + table.seen["at start"] + table.seen[f"at {FETCHED}"] == 10


async def test_a_hand_shown_just_before_the_kill_becomes_fresh_with_its_first_press(table: Kills) -> None:
    table.most_players = 2
    await table.open()
    for _ in range(3):
        await table.kill(FETCHED)
    assert table.seen["fetched, and made fresh"] >= 1


async def again(table: Kills) -> Click:
    """Play on until somebody can play a card after which it is their turn again."""
    while True:
        await table.next_move()
        for member, hand in playing.deciding(table.room, table.people):
            for button in playing.choices(hand):
                if AGAIN.fullmatch(button.custom_id):
                    return Click(member, hand, custom_id=button.custom_id)
        await table.play(1)


async def test_whoever_played_and_saw_no_answer_sees_their_hand_after_the_kill(table: Kills) -> None:
    table.most_players = 2
    await table.open()
    await table.kill_after(await again(table), "answer out")


async def test_whoever_dealt_and_saw_no_answer_sees_their_hand_after_the_kill(table: Kills) -> None:
    table.most_players = 2
    await table.open()
    while (click := await table.next_move()).label != "Next hand":
        await table.play(1)
    await table.kill_after(click, "answer out")
    for seat, member in enumerate(table.people):
        await table.room.until(lambda seat=seat: not table.hand_is_behind(table.kept(), seat), member.name)


def wins(table: Kills, click: Click) -> bool:
    match = table.kept().match
    return (
        match.turn >= 0
        and len(match.game.hands[match.turn]) == 1
        and re.search(":play:[RYGB]", str(click.custom_id)) is not None
    )


@pytest.mark.parametrize("point", ["answer out", "table out"])
async def test_a_match_that_was_won_just_before_the_kill_is_shown_as_won(table: Kills, point: str) -> None:
    table.most_players, table.hands = 2, 1
    await table.open()
    while not wins(table, click := await table.next_move()):
        await table.room.click(click.member, click.screen, click.label, custom_id=click.custom_id)
        await table.loopback.quiet(0.01)
    await table.kill_after(click, point)
    assert table.kept().over
