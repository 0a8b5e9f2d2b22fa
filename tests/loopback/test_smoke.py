"""`python -m bot smoke`: every screen tried on a channel, one line a check, nothing left behind."""

import asyncio
import re
from typing import Any

import pytest

from bot.ops.smoke.worst_cases import made_up
from bot.ui.text.translation import text_for
from tests.loopback.conftest import StartBot
from tests.loopback.limits import UNLIMITED, Limits
from tests.loopback.process import PATIENCE, BotProcess
from tests.loopback.room import Room
from tests.loopback.server import TOKEN, Loopback

SCREENS = 78


@pytest.fixture
def limits() -> Limits:
    return UNLIMITED


@pytest.fixture
def room(loopback: Loopback) -> Room:
    return Room(loopback, loopback.guild().channel("test"))


async def begun(start_bot: StartBot, room: Room, *options: str, channel: int | None = None) -> BotProcess:
    bot = await start_bot(ready=False, name="smoke", LOG_LEVEL="ERROR")
    await bot.launch("smoke", "--channel", str(channel or room.channel.id), *options)
    return bot


def said(bot: BotProcess) -> list[str]:
    out = bot.folder / "smoke.out"
    return out.read_text(encoding="utf-8").splitlines() if out.exists() else []


async def says(bot: BotProcess, words: str) -> None:
    """Wait until it has said this; no request tells when."""
    for _ in range(int(PATIENCE / 0.05)):
        if words in "".join(said(bot)):
            return
        await asyncio.sleep(0.05)
    raise AssertionError(said(bot))


def told(bot: BotProcess, how: str) -> list[str]:
    return [line[9:] for line in said(bot) if line.startswith(how)]


async def test_without_a_press_every_screen_is_posted_edited_and_deleted(
    loopback: Loopback, room: Room, start_bot: StartBot
) -> None:
    bot = await begun(start_bot, room, "--wait", "0")
    assert await bot.wait() == 0, said(bot)
    assert said(bot)[-1] == "all is well"
    assert told(bot, "failed") == []
    (skipped,) = told(bot, "skipped")
    assert skipped == "answer, follow up, token: they need the press of a button, and --wait is 0"
    posted = [line for line in told(bot, "ok") if line.startswith("post ")]
    assert len(posted) == len(set(posted)) == SCREENS
    assert "an edit of a deleted message is refused (10008)" in told(bot, "ok")
    assert told(bot, "ok")[-1] == f"delete {SCREENS} messages"
    assert len(loopback.asked("POST /channels/")) == SCREENS + 1
    assert room.screens() == []
    assert not loopback.asked("/commands")
    assert not list(bot.folder.glob("bot.db*")), "it opens no database"
    assert loopback.gateway.identifies == 0
    assert TOKEN.split(".")[1] not in "".join(said(bot)) + bot.said()


async def test_a_press_is_answered_and_its_token_tried_until_it_expires(
    loopback: Loopback, room: Room, start_bot: StartBot
) -> None:
    bot = await begun(start_bot, room, "--expiry")
    await says(bot, "Now press")
    await loopback.quiet()
    ann = room.channel.guild.join("Ann")[0]
    answer = await room.click(ann, next(screen for screen in room.screens() if screen.has("Join")), "Join")
    assert answer.private
    assert made_up(text_for("en-US")) in answer.text
    await says(bot, "Waiting 15 minutes")
    await loopback.move(15 * 60 + 11)
    assert await bot.wait() == 0, said(bot)
    assert said(bot)[-1] == "all is well"
    assert told(bot, "skipped") == []
    for line in (
        "answer with a hand of 105 cards",
        "edit the answer by its number",
        "follow up",
        "the follow-up is private",
        "edit the follow-up by its number",
        "delete the follow-up",
    ):
        assert line in told(bot, "ok")
    assert re.search(r"^ok +an expired token is refused \(50027\)$", "\n".join(said(bot)), re.MULTILINE)
    assert room.screens() == []
    assert len(room.private(ann)) == 1


@pytest.mark.parametrize(
    ("fault", "line"),
    [
        ({"method": "GET", "path": "/channels/*", "code": 50001}, "find the channel: 50001"),
        ({"method": "POST", "path": "/channels/*/messages", "code": 50013}, "say that all is made up: 50013"),
        (
            {"method": "POST", "path": "/channels/*/messages", "code": 50035, "skip": 5},
            "post rules panel, rules: 50035",
        ),
        (
            {"method": "DELETE", "path": "/channels/*/messages/*", "code": 50013, "skip": 1},
            f"delete {SCREENS} messages: 50013",
        ),
    ],
    ids=["channel", "permissions", "screen", "deletion"],
)
async def test_what_fails_is_told_with_its_code(
    loopback: Loopback, room: Room, start_bot: StartBot, fault: dict[str, Any], line: str
) -> None:
    loopback.inject(**fault)
    bot = await begun(start_bot, room, "--wait", "0")
    assert await bot.wait() == 1, said(bot)
    (failed,) = told(bot, "failed")
    assert failed.startswith(line)
    assert said(bot)[-1] == "1 failed"
    assert len(room.screens()) == (1 if fault["method"] == "DELETE" else 0)


async def test_stopped_in_the_middle_it_still_deletes(
    loopback: Loopback, room: Room, start_bot: StartBot
) -> None:
    bot = await begun(start_bot, room)
    await says(bot, "Now press")
    assert await bot.stop() == 1
    assert said(bot)[-1] == "stopped before the end"
    assert room.screens() == []


async def test_a_channel_is_needed(start_bot: StartBot) -> None:
    bot = await start_bot(ready=False, name="smoke")
    await bot.launch("smoke")
    assert await bot.wait() == 2
    bot.errors.clear()
    assert "--channel" in bot.said()
