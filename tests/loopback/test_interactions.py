"""The stand-in's interactions and its gateway: answered once, within 3 s, and what a token reaches."""

from collections.abc import AsyncIterator
from typing import Any

import discord
import pytest

from tests.loopback.answers import Interaction
from tests.loopback.limits import UNLIMITED, Limits
from tests.loopback.room import Click, Room, UnansweredError
from tests.loopback.screens import UnreachableError
from tests.loopback.server import Loopback
from tests.loopback.toy import Toy, connected, menu
from tests.loopback.world import Member


@pytest.fixture
def limits() -> Limits:
    return UNLIMITED


@pytest.fixture
def room(loopback: Loopback) -> Room:
    return Room(loopback, loopback.guild(locale="fr").channel("uno"))


@pytest.fixture
def ann(room: Room) -> Member:
    return room.channel.guild.join("Ann", locale="de")[0]


@pytest.fixture
async def toy(loopback: Loopback, room: Room) -> AsyncIterator[Toy]:
    async with connected(loopback, Toy(shard_count=1)) as toy:
        yield toy


async def show(room: Room, member: Member, labels: str, *, private: bool = False) -> Any:
    await room.command(member, "toy show", labels=labels, private=private)
    return room.hand(member) if private else room.table()


def hook(toy: Toy, asked: Interaction | discord.Interaction[Any]) -> discord.Webhook:
    hook = discord.Webhook.partial(toy.application_id or 0, asked.token, client=toy)
    hook.type = discord.WebhookType.application
    return hook


# --- answers


async def test_each_kind_of_answer_is_seen(room: Room, ann: Member, toy: Toy) -> None:
    (bob,) = room.channel.guild.join("Bob")
    screen = await show(room, ann, "Tell Later Think Change")
    told = await room.click(bob, screen, "Tell")
    assert (told.kind, told.private, told.text) == ("message", True, "Only you.")
    assert [s.text for s in room.private(bob)] == ["Only you."]
    assert room.private(ann) == []
    assert (await room.click(bob, screen, "Later")).kind == "deferred_update"
    thought = await room.click(bob, screen, "Think")
    assert thought.kind == "deferred"
    changed = await room.click(bob, screen, "Change")
    assert changed.kind == "update"
    assert room.look(screen).labels == ["Changed"]
    assert changed.took is not None
    assert (await room.click(ann, screen, "Tell")).private, "a slow thumb presses what it saw"


async def test_who_presses_and_where_is_told(room: Room, ann: Member, toy: Toy) -> None:
    room.channel.deny("send_messages", who=room.channel.guild.me)
    ann.permit("manage_messages")
    screen = await show(room, ann, "Tell", private=True)
    await room.click(ann, screen, "Tell")
    heard = toy.heard[-1]
    assert (heard.user.display_name, str(heard.locale), str(heard.guild_locale)) == ("Ann", "de", "fr")
    assert heard.app_permissions.view_channel
    assert not heard.app_permissions.send_messages
    assert heard.permissions.manage_messages
    assert heard.message is not None
    assert (heard.message.id, heard.message.flags.ephemeral) == (screen.id, True)
    assert heard.channel_id == room.channel.id


async def test_a_second_answer_is_a_fault(loopback: Loopback, room: Room, ann: Member, toy: Toy) -> None:
    await room.click(ann, await show(room, ann, "Twice"), "Twice")
    await loopback.quiet()
    assert loopback.asked("/callback")[-1].code == 40060
    assert loopback.faults.pop().startswith("answered 2 times: Ann: 'Twice'")


async def test_no_answer_is_a_fault(loopback: Loopback, room: Room, ann: Member, toy: Toy) -> None:
    screen = await show(room, ann, "Silent")
    loopback.answer_within = 0.1
    with pytest.raises(UnansweredError):
        await room.click(ann, screen, "Silent")
    assert loopback.faults.pop().startswith("not answered within 0.1 s: Ann: 'Silent'")
    await room.click(ann, screen, "Silent", lost=True)


async def test_a_late_answer_is_refused(loopback: Loopback, room: Room, ann: Member, toy: Toy) -> None:
    screen = await show(room, ann, "Silent")
    loopback.answer_within = 0.1
    asked = room.press(Click(ann, screen, "Silent"))
    await loopback.until(lambda: loopback.faults)
    await loopback.gateway.poke()
    with pytest.raises(discord.NotFound) as late:
        await toy.heard[-1].response.defer()
    assert late.value.code == 10062
    assert asked.kind is None
    assert len(loopback.faults) == 2
    loopback.faults.clear()


async def test_an_interaction_delivered_twice_may_be_answered_twice(
    loopback: Loopback, room: Room, ann: Member, toy: Toy
) -> None:
    answer = await room.click(ann, await show(room, ann, "Later"), "Later")
    toy.heard.clear()
    loopback.deliver_again(answer.asked)
    await loopback.gateway.poke()
    await loopback.quiet()
    assert [heard.id for heard in toy.heard] == [answer.id]
    assert loopback.asked("/callback")[-1].code == 40060


async def test_an_answer_whose_success_was_lost_may_be_given_again(
    loopback: Loopback, room: Room, ann: Member, toy: Toy
) -> None:
    screen = await show(room, ann, "Tell")
    loopback.inject("POST", "/interactions/*/*/callback", code=50013, after=True)
    assert (await room.click(ann, screen, "Tell")).private
    with pytest.raises(discord.HTTPException):
        await toy.heard[-1].response.send_message("Again.")
    assert loopback.asked("/callback")[-1].code == 40060


async def test_many_press_at_once(room: Room, ann: Member, toy: Toy) -> None:
    screen = await show(room, ann, "Tell")
    crowd = room.channel.guild.join(*[f"Member {n}" for n in range(10)])
    answers = await room.together(*[Click(member, screen, "Tell") for member in crowd])
    assert [answer.text for answer in answers] == ["Only you."] * 10


async def test_a_forged_button_is_pressed(room: Room, ann: Member, toy: Toy) -> None:
    screen = await show(room, ann, "Tell")
    assert (await room.forge(ann, screen, "toy:change")).kind == "update"
    screen.message.delete()
    assert (await room.forge(ann, screen, "toy:tell")).private


# --- tokens


async def test_a_token_reaches_its_own_messages_and_what_was_pressed(
    loopback: Loopback, room: Room, ann: Member, toy: Toy
) -> None:
    first = await show(room, ann, "Later", private=True)
    other = await show(room, ann, "Later", private=True)
    answer = await room.click(ann, first, "Later")
    through = hook(toy, answer.asked)
    await through.edit_message(first.id, view=menu("Edited"))
    assert room.look(first).labels == ["Edited"]
    sent = await through.send("More", ephemeral=True, wait=True)
    assert sent.flags.ephemeral
    assert [s.text for s in answer.followups] == ["More"]
    await through.edit_message(sent.id, content="Less")
    await through.delete_message(sent.id)
    for unreached in (other.id, sent.id):
        with pytest.raises(discord.NotFound) as unknown:
            await through.edit_message(unreached, view=menu("Edited"))
        assert unknown.value.code == 10008
    with pytest.raises(discord.NotFound) as unknown:
        await toy.http.request(
            discord.http.Route(
                "GET",
                "/channels/{channel_id}/messages/{message_id}",
                channel_id=room.channel.id,
                message_id=first.id,
            )
        )
    assert unknown.value.code == 10008, "a private message is reached through its token alone"


async def test_a_token_dies_after_fifteen_minutes(
    loopback: Loopback, room: Room, ann: Member, toy: Toy
) -> None:
    screen = await show(room, ann, "Later", private=True)
    asked = (await room.click(ann, screen, "Later")).asked
    await loopback.move(14 * 60)
    await hook(toy, asked).edit_message(screen.id, view=menu("Edited"))
    await loopback.move(60)
    for attempt in (hook(toy, asked).edit_message(screen.id, view=menu("Late")), hook(toy, asked).send("x")):
        with pytest.raises(discord.HTTPException) as dead:
            await attempt
        assert (dead.value.status, dead.value.code) == (401, 50027)
    assert room.look(screen).labels == ["Edited"]


async def test_a_token_is_worth_nothing_before_the_answer(room: Room, ann: Member, toy: Toy) -> None:
    asked = room.press(Click(ann, await show(room, ann, "Silent"), "Silent"), lost=True)
    with pytest.raises(discord.NotFound) as unknown:
        await hook(toy, asked).send("x")
    assert unknown.value.code == 10015


async def test_a_deferral_decides_who_sees_the_first_follow_up(room: Room, ann: Member, toy: Toy) -> None:
    screen = await show(room, ann, "Think")
    answer = await room.click(ann, screen, "Think")
    await hook(toy, answer.asked).send("Thought.", wait=True)
    assert [s.text for s in room.private(ann)] == ["Thought."]
    assert answer.followups == []


async def test_an_answer_opens_an_archived_thread_but_no_locked_one(
    loopback: Loopback, room: Room, ann: Member, toy: Toy
) -> None:
    inside = Room(loopback, room.channel.thread("game"))
    screen = await show(inside, ann, "Tell")
    inside.channel.archive()
    await inside.click(ann, screen, "Tell")
    assert not inside.channel.archived
    inside.channel.archive(locked=True)
    asked = inside.press(Click(ann, screen, "Silent" if screen.has("Silent") else "Tell"), lost=True)
    await loopback.quiet()
    assert asked.kind is None
    assert loopback.asked("/callback")[-1].code == 50083


async def test_a_message_that_is_gone_is_not_updated(
    loopback: Loopback, room: Room, ann: Member, toy: Toy
) -> None:
    screen = await show(room, ann, "Change")
    room.press(Click(ann, screen, "Change"), lost=True)
    screen.message.delete()
    await loopback.gateway.poke()
    await loopback.quiet()
    assert loopback.asked("/callback")[-1].code == 10008
    with pytest.raises(UnreachableError):
        room.look(screen)


# --- the gateway


async def test_a_broken_line_is_resumed_and_what_was_missed_is_heard(
    loopback: Loopback, room: Room, ann: Member, toy: Toy
) -> None:
    screen = await show(room, ann, "Tell")
    async with loopback.gateway.outage():
        asked = room.press(Click(ann, screen, "Tell"))
        made = room.channel.guild.channel("missed")
    await loopback.until(lambda: asked.kind)
    assert toy.get_channel(made.id) is not None
    assert (loopback.gateway.resumes, loopback.gateway.identifies, toy.resumed) == (1, 1, 1)


async def test_discord_asks_to_reconnect(loopback: Loopback, room: Room, ann: Member, toy: Toy) -> None:
    screen = await show(room, ann, "Tell")
    loopback.gateway.ask_to_reconnect()
    await loopback.until(lambda: loopback.gateway.resumes)
    assert (await room.click(ann, screen, "Tell")).private
    await loopback.gateway.close(4000)
    await loopback.until(lambda: loopback.gateway.resumes == 2)
    assert (await room.click(ann, screen, "Tell")).private


async def test_a_session_that_is_over_begins_anew(
    loopback: Loopback, room: Room, ann: Member, toy: Toy, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def at_once(*_: Any, **__: Any) -> None:
        pass

    monkeypatch.setattr(toy, "before_identify_hook", at_once)  # discord.py waits 5 s
    screen = await show(room, ann, "Tell")
    loopback.gateway.invalidate()
    with pytest.raises(UnansweredError):
        await room.click(ann, screen, "Tell")
    await loopback.until(lambda: loopback.gateway.identifies == 2)
    assert (await room.click(ann, screen, "Tell")).private


async def test_servers_are_told_to_their_shard_alone(
    loopback: Loopback, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def at_once(*_: Any, **__: Any) -> None:
        pass

    monkeypatch.setattr(Toy, "before_identify_hook", at_once)
    rooms = [Room(loopback, loopback.guild(shard=n, shards=2).channel("uno")) for n in (0, 1)]
    loopback.shards = 2
    async with connected(loopback, Toy()) as toy:
        await loopback.until(lambda: loopback.gateway.identifies == 2)
        await loopback.gateway.poke()
        assert [guild.shard_id for guild in toy.guilds] == [0, 1]
        for room in rooms:
            (ann,) = room.channel.guild.join("Ann")
            assert (await room.click(ann, await show(room, ann, "Tell"), "Tell")).private
