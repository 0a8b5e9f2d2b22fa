"""The bot as a process of its own plays on the stand-in: through restarts, kills and broken lines."""

import asyncio
import random
from collections.abc import Callable
from typing import Any

import pytest

from tests.loopback.conftest import StartBot
from tests.loopback.kills import READY
from tests.loopback.limits import UNLIMITED, Limits
from tests.loopback.playing import choices, deciding, is_over, play
from tests.loopback.room import Click, Room, UnansweredError
from tests.loopback.server import Loopback
from tests.loopback.world import Member


@pytest.fixture
def limits() -> Limits:
    return UNLIMITED


@pytest.fixture
def room(loopback: Loopback) -> Room:
    return Room(loopback, loopback.guild().channel("uno"))


@pytest.fixture
def people(room: Room) -> list[Member]:
    return room.channel.guild.join("Ann", "Bob", "Cem")


async def begin(room: Room, people: list[Member], **options: Any) -> None:
    """Open a lobby, let all join, start, and wait for everybody's hand."""
    ann, *others = people
    await room.command(ann, "uno start", **options)
    for member in others:
        assert (await room.click(member, room.table(), "Join")).kind == "update"
    await room.click(ann, room.table(), "Start")
    for member in people:
        await room.until(lambda member=member: room.hand(member), f"the hand of {member.name}")


async def test_it_logs_in_deals_and_plays_and_outlives_a_kill(
    loopback: Loopback, start_bot: StartBot, room: Room, people: list[Member]
) -> None:
    bot = await start_bot(plain=True)
    assert [command["name"] for command in loopback.commands] == ["uno", "UNO stats"]
    await begin(room, people)
    await loopback.until(lambda: loopback.emojis, "the upload of the pictures", within=30)
    assert all(emoji.picture.startswith(b"\x89PNG") for emoji in loopback.emojis.values())
    assert [len(room.private(member)) for member in people] == [1, 1, 1]
    assert len(await play(room, people, random.Random(1), most=6)) == 6
    await loopback.quiet()
    await bot.kill()
    await start_bot(name="again")
    synced = loopback.asked("PUT", "/commands")
    assert len(synced) == 1, "the commands are synced once for all"
    screens = [room.table(), *(room.hand(member) for member in people)]
    for screen in screens:
        viewer = next(m for m in people if not screen.private or screen.message.viewer == m.id)
        for button in [b for b in screen.buttons if not b.disabled and b not in choices(screen)]:
            assert (await room.click(viewer, screen, custom_id=button.custom_id)).kind
    for member in people:
        await room.click(member, room.table(), "My hand")
    assert await play(room, people, random.Random(2), most=3)


async def test_a_whole_hand_is_played_by_clicks(
    loopback: Loopback, start_bot: StartBot, room: Room, people: list[Member]
) -> None:
    await start_bot()
    await begin(room, people)
    answers = await play(room, people, random.Random(5), most=2000)
    assert is_over(room)
    assert all(answer.kind == "update" for answer in answers)


async def test_a_click_missed_by_a_broken_line_is_answered_after_the_resume(
    loopback: Loopback, start_bot: StartBot, room: Room, people: list[Member]
) -> None:
    await start_bot()
    await begin(room, people)
    async with loopback.gateway.outage():
        asked = room.press(Click(people[1], room.table(), "My hand"))
    await loopback.until(lambda: asked.kind, "the answer")
    assert (loopback.gateway.resumes, loopback.gateway.identifies) == (1, 1)
    loopback.gateway.ask_to_reconnect()
    await loopback.until(lambda: loopback.gateway.resumes == 2, "the second resume")
    assert (await room.click(people[0], room.table(), "My hand")).private


async def test_two_shards_serve_two_servers(loopback: Loopback, start_bot: StartBot) -> None:
    rooms = [Room(loopback, loopback.guild(shard=n, shards=2).channel("uno")) for n in (0, 1)]
    await start_bot(shards=2)
    crowds = [room.channel.guild.join("Ann", "Bob") for room in rooms]
    for room, people in zip(rooms, crowds, strict=True):
        await begin(room, people)
    async with loopback.gateway.outage(1):
        asked = rooms[1].press(Click(crowds[1][0], rooms[1].table(), "My hand"))
        assert (await rooms[0].click(crowds[0][0], rooms[0].table(), "My hand")).private
        assert asked.kind is None
    await loopback.until(lambda: asked.kind, "the answer of the second shard")
    assert loopback.gateway.resumes == 1


@pytest.mark.parametrize("after", [False, True])
async def test_a_move_stands_or_falls_as_a_whole_when_it_is_killed_at_its_answer(
    loopback: Loopback, start_bot: StartBot, room: Room, people: list[Member], after: bool
) -> None:
    bot = await start_bot()
    await begin(room, people)
    await loopback.quiet()
    ((member, hand),) = deciding(room, people)
    fault = loopback.inject("POST", "/interactions/*/*/callback", hold=True, after=after)
    asked = room.press(Click(member, hand, custom_id=choices(hand)[0].custom_id))
    await loopback.until(lambda: fault.struck, "the answer on its way")
    await bot.kill()
    await loopback.idle(0)  # what was held is given up with the line, which may take a moment
    await bot.start()
    assert (asked.kind is not None) == after, "Discord heard the answer or did not"
    await loopback.until(lambda: len(deciding(room, people)) == 1, "the screens to catch up")
    assert await play(room, people, random.Random(3), most=3)


async def test_a_clean_stop_finishes_the_answer_in_hand_and_waits_for_no_drawing(
    loopback: Loopback, start_bot: StartBot, room: Room, people: list[Member]
) -> None:
    bot = await start_bot()
    await begin(room, people)
    await loopback.quiet()
    ((member, hand),) = deciding(room, people)
    answer = loopback.inject("POST", "/interactions/*/*/callback", delay=0.3)
    drawing = loopback.inject("PATCH", "/channels/*/messages/*", hold=True, times=None)
    before = room.table().text
    asked = room.press(Click(member, hand, custom_id=choices(hand)[0].custom_id))
    await loopback.until(lambda: answer.struck, "the answer on its way")
    assert await bot.stop() == 0
    assert asked.kind == "update"
    assert not bot.logged("stopped_in_the_middle")
    drawing.times = 0
    await loopback.idle(0)  # what was held is given up with the line, which may take a moment
    assert room.table().text == before
    await bot.start()
    await loopback.move(READY)
    await room.until(lambda: room.table().text != before, "the table as it is now")


async def test_a_clean_stop_lets_no_more_presses_in(
    loopback: Loopback, start_bot: StartBot, room: Room, people: list[Member]
) -> None:
    bot = await start_bot()
    await begin(room, people)
    await loopback.quiet()
    answer = loopback.inject("POST", "/interactions/*/*/callback", hold=True)
    asked = room.press(Click(people[0], room.table(), "My hand"))
    await loopback.until(lambda: answer.struck, "the answer on its way")
    stopping = asyncio.create_task(bot.stop())
    await loopback.until(lambda: not loopback.gateway.connected(), "an end to the line")
    late = room.press(Click(people[1], room.table(), "My hand"))
    assert late.delivered == 0
    answer.release()
    assert await stopping == 0
    assert asked.kind == "message"
    loopback.excuse(late)


async def test_a_click_delivered_twice_is_one_move(
    loopback: Loopback, start_bot: StartBot, room: Room, people: list[Member]
) -> None:
    await start_bot()
    await begin(room, people)
    await loopback.quiet()
    before = room.table().text
    while room.table().text == before:  # the choice of a wild card alone is no move yet
        (answer,) = await play(room, people, random.Random(4), most=1)
        await loopback.quiet()
    before = room.table().text
    loopback.deliver_again(answer.asked)
    await loopback.until(lambda: any(call.code == 40060 for call in loopback.calls), "the second answer")
    await loopback.quiet()
    assert room.table().text == before
    assert [call.code for call in loopback.asked("/callback") if call.status != 200] == [40060]


async def test_no_token_older_than_fourteen_minutes_is_tried(
    loopback: Loopback, start_bot: StartBot, room: Room, people: list[Member]
) -> None:
    await start_bot()
    await begin(room, people)
    await room.command(people[0], "uno pause")
    await loopback.move(14 * 60 + 1)
    loopback.calls.clear()
    await play(room, people, random.Random(6), most=1)
    await loopback.quiet()
    assert loopback.asked("/webhooks/") == []


async def test_without_a_bot_a_click_is_not_answered(
    start_bot: StartBot, room: Room, people: list[Member]
) -> None:
    bot = await start_bot()
    await room.command(people[0], "uno start")
    await bot.stop()
    with pytest.raises(UnansweredError):
        await room.click(people[1], room.table(), "Join")
    await bot.start()
    assert (await room.click(people[1], room.table(), "Join")).kind == "update"


Forge = Callable[[Room, list[Member]], str]


@pytest.mark.parametrize(
    "custom_id", ["ll:1:1:play:R7:", "ll:999:1:hand::", "nonsense", "ll:1:1:leave_yes::"]
)
async def test_a_forged_button_is_answered_to_a_stranger(
    start_bot: StartBot, room: Room, people: list[Member], custom_id: str
) -> None:
    await start_bot()
    await begin(room, people)
    (eve,) = room.channel.guild.join("Eve")
    before = room.table().text
    answer = await room.forge(eve, room.table(), custom_id)
    assert answer.private
    assert room.table().text == before
