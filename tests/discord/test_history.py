"""The history of a server: what was played, hand by hand, and nothing of what is being played."""

import json
import random
from typing import Any

import pytest
from simcord import MemberActor
from simcord.enums import OverwriteType

from bot.model.errors import Problem
from bot.store import LogRecord
from bot.tables import Click as TableClick
from bot.ui.text import problems
from engine.actions import ACCEPT, DEAL, Draw, Keep
from engine.awaiting import Awaiting
from engine.replay import replay
from tests.discord.clicking import Answer, Room, Screen
from tests.discord.playing import ENGLISH, Table, bot_of, seat
from tests.discord.test_lobby import refused
from tests.discord.test_odd import show_to


async def play_hand(table: Table, dice: random.Random) -> None:
    """Play the hand in play to its end, straight at the table."""
    bot, live = bot_of(table.room), table.live
    while table.match.awaiting not in (Awaiting.DEAL, Awaiting.OVER):
        match = table.match
        answers = match.legal_actions(match.turn)
        active = [each for each in answers if not isinstance(each, Draw | Keep) and each is not ACCEPT]
        member = table.members[match.turn]
        click = TableClick(dice.randrange(10**17), member.id, "somebody", bot.now())
        change = await bot.tables.act(live, click, (dice.choice(active or answers),))
        if change.after.ended is not None:
            return


@pytest.fixture
async def running(room: Room) -> Table:
    """Give a match of which one hand is over and the next is being played."""
    table = await seat(room, 2, hands=2)
    dice = random.Random(5)
    await play_hand(table, dice)
    ann = table.members[0]
    click = TableClick(dice.randrange(10**17), ann.id, "Ann", bot_of(room).now())
    await bot_of(room).tables.act(table.live, click, (DEAL,))
    await room.simulation.settle()
    return table


def press(table: int, number: int, step: str) -> dict[str, Any]:
    return {"custom_id": f"ll:{table}:{number}:history:{step}:"}


async def test_nothing_of_a_running_match_is_in_the_history(room: Room, running: Table) -> None:
    ann, number, match = running.members[0], running.live.id, running.match
    assert match.hand_no == 2
    answer = await room.command(ann, "uno history")
    assert "No match has been finished here yet." in answer.text
    page = shown(answer)
    asked = [press(number, hand, step) for step in ("show", "at", "file") for hand in (0, 1, 2)]
    asked += [press(number, 0, "older"), press(number + 1, 0, "older"), press(0, 0, "first")]
    for menu, value in (("ll:0:0:history:match:", str(number)), (f"ll:{number}:0:history:hand:", "1")):
        asked.append({"custom_id": menu, "component_type": 3, "values": [value]})
    told = [answer.text]
    for data in asked:
        answer = await room.forge(ann, page, data)
        told.append(answer.text)
        assert answer.screen is not None
        assert not answer.screen.payload["attachments"]
    nothing = (problems.problem(ENGLISH, Problem.NO_SUCH_MATCH), "No match has been finished here yet.")
    assert all(any(words in text for words in nothing) for text in told)
    secrets = {match.seed, match.game.seed, running.state.log.head["hand_seeds"][-1]}
    everything = json.dumps([screen.payload for screen in room.screens(ann)])
    assert not [secret for secret in secrets if secret and secret in everything]


async def test_the_record_of_a_hand_is_played_again_to_the_same_result(room: Room, running: Table) -> None:
    ann, number, match_seed = running.members[0], running.live.id, running.match.seed
    store = bot_of(room).store
    await play_hand(running, random.Random(6))
    await room.simulation.settle()
    page = await opened(room, ann)
    await room.choose(ann, page, [str(number)])
    assert "2 hands" in room.look(page).text
    for hand_no in (1, 2):
        kept = await store.hand(number, hand_no)
        assert kept is not None
        await room.choose(ann, room.look(page), [str(hand_no)])
        screen = room.look(page)
        assert f"Hand {hand_no}, card by card" in screen.text
        (downloaded,) = attached(await room.click(ann, screen, "Download"))
        record = contents(room, downloaded)
        assert match_seed not in record
        played = replay(json.loads(record))
        assert all(result["ok"] for result in played["results"])
        hands = played["state"]["hands"]
        assert [sorted(hands[f"s{score.seat}"]) for score in kept.scores] == [
            sorted(score.cards) for score in kept.scores
        ]
        winner = next(score for score in kept.scores if score.won)
        assert played["state"]["hand_winner"] == f"s{winner.seat}"
        assert json.loads(record)["hand_seeds"][:-1] == [""] * (hand_no - 1)
        await room.click(ann, screen, "Back to the match")


def attached(answer: Answer) -> list[dict[str, Any]]:
    assert answer.private
    return list(shown(answer).payload["attachments"])


def shown(answer: Answer) -> Screen:
    assert answer.screen is not None
    return answer.screen


def contents(room: Room, attachment: dict[str, Any]) -> str:
    blob = room.simulation.backend.cdn.get(attachment["url"])
    assert blob is not None
    return blob.decode()


async def arranged(room: Room) -> tuple[Table, int]:
    """Let the first of two win a match in one move."""
    table = await seat(room, 2)
    number = table.live.id
    await table.arrange(["R4"], ["B1"])
    await table.press(table.members[0], "Red 4")
    return table, number


async def test_a_hand_that_cannot_be_replayed_has_no_record(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, number = await arranged(room)
    ann = table.members[0]
    page = await opened(room, ann)
    refused(await room.forge(ann, page, press(number, 2, "at")), "Nothing is kept about that hand.")
    monkeypatch.setattr(bot_of(room).store, "moves", no_moves)
    refused(await room.forge(ann, page, press(number, 1, "file")), "That hand can't be replayed")


async def no_moves(table_id: int, hand_no: int) -> list[LogRecord]:
    return []


async def test_matches_elsewhere_are_for_those_who_see_the_channel_or_played(room: Room) -> None:
    inside = Room(room.simulation, room.channel.guild.create_text_channel("inside"))
    table, number = await arranged(inside)
    ann, bob = table.members
    (zoe,) = room.members("Zoe")
    show_to(inside, (bob.id, OverwriteType.MEMBER))
    await room.simulation.settle()
    assert "Ann wins the match!" in (await room.command(ann, "uno history")).text
    page = await opened(room, zoe)
    assert "No match" in page.text
    for step in ("show", "at", "file"):
        answer = await room.forge(zoe, page, press(number, 1, step))
        refused(answer, "Nothing is kept about that match.")
    assert "Ann wins" in (await room.forge(bob, await opened(room, bob), press(number, 0, "show"))).text


async def opened(room: Room, member: MemberActor) -> Screen:
    return shown(await room.command(member, "uno history"))
