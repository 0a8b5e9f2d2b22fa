"""Where Discord refuses a real process something, or its answers are lost: the screens, and what it cost."""

import random

import pytest

from tests.loopback import playing
from tests.loopback.conftest import StartBot
from tests.loopback.fault import HANGS, LOST, LOST_IN_SILENCE
from tests.loopback.kinds import Kind
from tests.loopback.limits import UNLIMITED, Limits
from tests.loopback.room import Click, Room
from tests.loopback.server import Loopback
from tests.loopback.world import Member

#: What a start needs: no pause longer than it takes to see that something is done.
FAST = {"COMPUTER_PAUSE": "0.2", "COMPUTER_UNO_PAUSE": "0.2", "REPOST_PAUSE": "0", "START_PAUSE": "0"}


@pytest.fixture
def limits() -> Limits:
    return UNLIMITED


async def begin(room: Room, people: list[Member], **options: object) -> None:
    await room.command(people[0], "uno start", **({"turn_time": "off", "hands": 20} | options))
    for member in people[1:]:
        await room.click(member, room.table(), "Join")
    await room.click(people[0], room.table(), "Start")
    for member in people:
        await room.until(lambda member=member: room.hand(member), "a hand")


def live(room: Room) -> int:
    return len([screen for screen in room.screens() if screen.buttons])


# --- refusals


async def test_a_channel_taken_from_many_tables_wastes_next_to_nothing(
    loopback: Loopback, start_bot: StartBot
) -> None:
    await start_bot(**FAST, TABLES_PER_PERSON="100")
    guild = loopback.guild()
    (ann,) = guild.join("Ann")
    rooms = [Room(loopback, guild.channel(f"uno-{number}")) for number in range(15)]
    for room in rooms:
        await room.command(ann, "uno start", cpus=9, level="easy", turn_time="15 s", hands=20)
        await room.click(ann, room.table(), "Start")
    for room in rooms:
        room.channel.deny("view_channel", who=guild.me)
    await loopback.quiet()
    before, stood = len(loopback.wasted()), [room.table().text for room in rooms]
    await loopback.move(120)
    assert len(loopback.wasted()) - before <= len(rooms), "one at each table may have been on its way"
    for room in rooms:
        room.channel.allow("view_channel", who=guild.me)
    await loopback.move(15)
    for room, text in zip(rooms, stood, strict=True):
        await room.until(lambda room=room, text=text: room.table().text != text, "the table as it is now")


async def test_a_locked_thread_is_left_alone_and_opened_it_is_played_on(
    loopback: Loopback, start_bot: StartBot
) -> None:
    await start_bot(**FAST)
    people = loopback.guild().join("Ann", "Bob")
    channel = people[0].guild.channel("uno")
    thread = channel.thread("a table")
    room = Room(loopback, thread)
    await begin(room, people)
    click = playing.a_move(room, people, random.Random(1))
    while ":pick:" in str(click.custom_id):  # the choice of a wild card is no move yet
        await room.click(click.member, click.screen, custom_id=click.custom_id)
        click = playing.a_move(room, people, random.Random(1))
    thread.set_archived(True, locked=True)
    await loopback.quiet()
    stood = room.table().text
    loopback.excuse(room.press(click))  # Discord takes no answer there
    await loopback.move(30)
    await loopback.quiet()
    assert room.table().text == stood
    before = len(loopback.calls)
    await loopback.move(600)
    assert len(loopback.calls) - before <= 2, "a call to the turn, and a question about a member"
    thread.set_archived(False)
    await room.until(lambda: room.table().text != stood, "the table as it is now")
    await room.until(lambda: playing.deciding(room, people), "the hand of whoever is to play")
    assert len(room.screens(people[0])) == len(room.screens(people[1])) == 2, "no hand came twice"


async def test_a_time_out_of_the_bot_holds_back_posts_until_it_ends(
    loopback: Loopback, start_bot: StartBot
) -> None:
    await start_bot(**FAST)
    people = loopback.guild().join("Ann", "Bob")
    room = Room(loopback, people[0].guild.channel("uno"))
    await begin(room, people)
    people[0].guild.me.time_out(600)
    await loopback.quiet()
    before = len(loopback.wasted())
    answer = await room.command(people[0], "uno table")
    assert answer.private
    assert await playing.play(room, people, random.Random(1), most=4)
    assert len(loopback.wasted()) - before <= 1
    assert live(room) == 1


# --- lost answers


@pytest.mark.parametrize("how", [LOST, LOST_IN_SILENCE], ids=["cut off", "in silence"])
async def test_a_table_posted_twice_is_one_message(
    loopback: Loopback, start_bot: StartBot, how: dict[str, object]
) -> None:
    bot = await start_bot(**FAST)
    people = loopback.guild().join("Ann", "Bob")
    room = Room(loopback, people[0].guild.channel("uno"))
    await begin(room, people)
    fault = loopback.strike(Kind.TABLE_POST, how)
    fault.times = 1
    await room.command(people[0], "uno table")
    await loopback.until(lambda: fault.struck, "the post")
    await loopback.move(10)
    await loopback.quiet()
    assert live(room) == 1
    stood = room.table().text
    await playing.play(room, people, random.Random(1), most=2)  # the first may only pick a wild card
    await room.until(lambda: room.table().text != stood, "the move at the table")
    # A kill between the post and its saving finds the message as well.
    held = loopback.strike(Kind.TABLE_POST, {"after": True, "hold": True})
    await room.command(people[0], "uno table")
    await loopback.until(lambda: held.struck, "the post")
    await bot.kill()
    held.stop()
    await bot.start()
    await loopback.move(10)
    await loopback.quiet()
    assert live(room) == 1


@pytest.mark.parametrize("how", [LOST, LOST_IN_SILENCE], ids=["cut off", "in silence"])
async def test_a_lobby_whose_answer_was_lost_is_one_message(
    loopback: Loopback, start_bot: StartBot, how: dict[str, object]
) -> None:
    await start_bot(**FAST)
    people = loopback.guild().join("Ann", "Bob")
    room = Room(loopback, people[0].guild.channel("uno"))
    fault = loopback.strike(Kind.ANSWER, how)
    fault.times = 1
    asked = room.give(people[0], "uno start")
    loopback.excuse(asked)
    await loopback.until(lambda: fault.struck, "the answer")
    await loopback.move(10)
    await room.until(lambda: live(room) == 1, "one lobby")
    await room.click(people[1], room.table(), "Join")
    await room.click(people[0], room.table(), "Start")
    for member in people:
        await room.until(lambda member=member: room.hand(member), "a hand")
    assert live(room) == 1


# --- the end


async def test_a_stop_under_load_logs_no_traceback(loopback: Loopback, start_bot: StartBot) -> None:
    bot = await start_bot(**FAST)
    guild = loopback.guild()
    rooms = []
    for number in range(8):
        room = Room(loopback, guild.channel(f"uno-{number}"))
        people = guild.join(f"Ann{number}", f"Bob{number}")
        await begin(room, people, cpus=2)
        rooms.append((room, people))
    for kind in (Kind.TABLE_EDIT, Kind.HAND_EDIT, Kind.MEMBER_LOOK, Kind.TABLE_DELETE):
        loopback.strike(kind, HANGS)
    for room, people in rooms:
        for member in people:
            loopback.excuse(room.press(Click(member, room.table(), "My hand")))
        loopback.excuse(room.give(people[0], "uno table"))
    await loopback.until(lambda: loopback.counts[Kind.TABLE_DELETE], "the first deletion")
    assert await bot.stop() == 0
    assert "Traceback" not in bot.said()
    assert [line for line in bot.unexpected() if "exc_info" in line] == []
