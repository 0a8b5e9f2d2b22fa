"""A locked database and events that make no sense, as a real process meets them: everybody is answered."""

import sqlite3
from contextlib import closing

from bot.model.errors import Problem
from bot.ui.text import problems
from bot.ui.text.translation import text_for
from tests.loopback.conftest import StartBot
from tests.loopback.room import Answer, Click, Room
from tests.loopback.server import Loopback


def sentence(problem: Problem) -> str:
    return problems.problem(text_for("en-US"), problem)


#: What is said of a save that failed, is not known yet, or waits for one of which that is not known.
SENTENCES = {
    sentence(problem)
    for problem in (Problem.NOT_SAVED, Problem.UNCERTAIN, Problem.STILL_SAVING, Problem.BUSY)
}


def told(answer: Answer) -> set[str]:
    return {answer.text, *(screen.text for screen in answer.followups)}


async def test_another_process_that_holds_the_database_leaves_nobody_unanswered(
    loopback: Loopback, start_bot: StartBot
) -> None:
    room = Room(loopback, loopback.guild().channel("uno"))
    bot = await start_bot()
    ann, *others = room.channel.guild.join("Ann", "Bob", "Cleo", "Dai")
    await room.command(ann, "uno start")
    lobby = room.table()
    with closing(sqlite3.connect(bot.folder / "bot.db", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        asked = [room.press(Click(member, lobby, "Join")) for member in others]
        asked += [room.give(member, "uno notify", when="never") for member in others]
        answers = [await room._wait(each) for each in asked]
        for answer in answers:
            await room.until(lambda answer=answer: SENTENCES & told(answer), str(answer))
    assert (await room.command(ann, "uno notify", when="never")).private
    assert "1 player of 10" in room.table().text
    bot.unexpected().clear()


async def test_events_that_make_no_sense_end_nothing(loopback: Loopback, start_bot: StartBot) -> None:
    room = Room(loopback, loopback.guild().channel("uno"))
    bot = await start_bot()
    (ann,) = room.channel.guild.join("Ann")
    for event in ("INTERACTION_CREATE", "CHANNEL_CREATE", "GUILD_UPDATE", "THREAD_CREATE"):
        for payload in ({}, {"id": "x", "guild_id": str(room.channel.guild.id)}):
            loopback.gateway.emit(room.channel.guild, event, payload)
    assert (await room.command(ann, "uno rules")).private
    assert len(bot.logged("event_unreadable")) >= 6
