"""The stand-in itself: it answers as Discord does, to plain discord.py and to bare requests."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import aiohttp
import discord
import pytest

from tests.loopback.commands import UnknownCommandError
from tests.loopback.conftest import Ask
from tests.loopback.fault import (
    CUT,
    FAILS,
    FORBIDDEN,
    HANGS,
    LIMITED,
    LOST,
    LOST_IN_SILENCE,
    UNAVAILABLE,
)
from tests.loopback.kinds import Kind
from tests.loopback.limits import UNLIMITED, Limit, Limits
from tests.loopback.room import Room, UnansweredError
from tests.loopback.screens import UnreachableError
from tests.loopback.server import Loopback
from tests.loopback.toy import Toy, connected
from tests.loopback.way import Way
from tests.loopback.world import COMPONENTS_V2, EPHEMERAL, FORUM, NEWS, VOICE, Member

BUTTONS = {"type": 1, "components": [{"type": 2, "style": 1, "label": "x", "custom_id": "x"}]}


@pytest.fixture
def emojis() -> dict[int, Any]:
    return {}


@pytest.fixture
def room(loopback: Loopback) -> Room:
    return Room(loopback, loopback.guild().channel("uno"))


@pytest.fixture
def ann(room: Room) -> Member:
    return room.channel.guild.join("Ann")[0]


@pytest.fixture
async def toy(loopback: Loopback, room: Room) -> AsyncIterator[Toy]:
    async with connected(loopback, Toy(shard_count=1)) as toy:
        yield toy


# --- logging in


async def test_discord_py_logs_in_and_knows_its_servers(loopback: Loopback, room: Room, toy: Toy) -> None:
    assert [guild.name for guild in toy.guilds] == ["Server"]
    assert toy.get_channel(room.channel.id).name == "uno"
    assert [command["name"] for command in loopback.commands] == ["toy"]
    later = loopback.guild("Later").channel("general")
    await loopback.gateway.poke()
    assert toy.get_channel(later.id).guild.name == "Later"
    later.guild.expel()
    await loopback.gateway.poke()
    assert [guild.name for guild in toy.guilds] == ["Server"]


async def test_a_bad_token_is_refused_everywhere(loopback: Loopback, ask: Ask) -> None:
    status, told, _ = await ask("GET", "/users/@me", token="wrong")
    assert (status, told["code"]) == (401, 0)
    loopback.refuses_token = True
    with pytest.raises(discord.LoginFailure):
        async with connected(loopback, Toy()):
            pass


async def test_what_is_not_simulated_is_a_fault(loopback: Loopback, ask: Ask) -> None:
    assert (await ask("GET", "/guilds/1/prune"))[0] == 404
    assert loopback.faults.pop() == "GET /guilds/1/prune is not simulated"


# --- permissions, channels and threads


async def test_permissions_are_those_of_the_channel(room: Room, ask: Ask) -> None:
    channel, path = room.channel, f"/channels/{room.channel.id}/messages"
    assert (await ask("POST", path, {"content": "x"}))[0] == 200
    channel.deny("read_message_history")
    assert (await ask("GET", path))[1] == []
    channel.deny("send_messages", who=channel.guild.me)
    assert (await ask("POST", path, {"content": "x"}))[1]["code"] == 50013
    channel.deny("view_channel")
    assert (await ask("GET", path))[1]["code"] == 50001
    channel.allow("view_channel", "send_messages", who=channel.guild.me)
    assert (await ask("POST", path, {"content": "x"}))[0] == 200
    channel.guild.expel()
    assert (await ask("POST", path, {"content": "x"}))[1]["code"] == 50001
    channel.guild.invite()
    channel.delete()
    assert (await ask("POST", path, {"content": "x"}))[1]["code"] == 10003


async def test_a_bot_under_time_out_only_looks_on(loopback: Loopback, room: Room, ask: Ask, toy: Toy) -> None:
    channel, path = room.channel, f"/channels/{room.channel.id}/messages"
    _, sent, _ = await ask("POST", path, {"content": "x"})
    channel.guild.me.time_out(60)
    await loopback.gateway.poke()
    me = toy.get_guild(channel.guild.id).me
    assert me.is_timed_out()
    for method, where in (
        ("POST", path),
        ("PATCH", f"{path}/{sent['id']}"),
        ("DELETE", f"{path}/{sent['id']}"),
    ):
        assert (await ask(method, where, {"content": "y"}))[1]["code"] == 50013
    assert (await ask("GET", path))[0] == 200
    await loopback.move(61)
    assert (await ask("POST", path, {"content": "x"}))[0] == 200


async def test_members_are_found_or_have_left(room: Room, ann: Member, ask: Ask) -> None:
    path = f"/guilds/{room.channel.guild.id}/members/{ann.id}"
    assert (await ask("GET", path))[1]["user"]["global_name"] == "Ann"
    ann.leave()
    assert (await ask("GET", path))[1]["code"] == 10007


async def test_threads_begin_at_messages_and_are_archived(
    loopback: Loopback, room: Room, ann: Member, ask: Ask, toy: Toy
) -> None:
    channel = toy.get_channel(room.channel.id)
    thread = await (await channel.send("x")).create_thread(name="game")
    inside = loopback.world.channel(thread.id)
    assert inside is not None
    sent = await thread.send("y")
    inside.archive()
    status, told, _ = await ask("PATCH", f"/channels/{thread.id}/messages/{sent.id}", {"content": "z"})
    assert (status, told["code"]) == (400, 50083)
    await thread.send("z")
    assert not inside.archived
    inside.archive(locked=True)
    with pytest.raises(discord.HTTPException) as shut:
        await thread.send("z")
    assert shut.value.code == 50083
    room.channel.deny("send_messages_in_threads", who=room.channel.guild.me)
    assert (await ask("POST", f"/channels/{thread.id}/messages", {"content": "x"}))[1]["code"] == 50013


@pytest.mark.parametrize(("kind", "code"), [(VOICE, 50024), (NEWS, None)])
async def test_only_some_channels_have_threads(room: Room, ask: Ask, kind: int, code: int | None) -> None:
    channel = room.channel.guild.channel("other", kind)
    _, sent, _ = await ask("POST", f"/channels/{channel.id}/messages", {"content": "x"})
    path = f"/channels/{channel.id}/messages/{sent['id']}/threads"
    _, told, _ = await ask("POST", path, {"name": "game"})
    assert told.get("code") == code
    if code is None:
        assert (await ask("POST", path, {"name": "game"}))[1]["code"] == 160004


async def test_a_forum_has_no_messages(room: Room, ask: Ask) -> None:
    forum = room.channel.guild.channel("forum", FORUM)
    assert (await ask("POST", f"/channels/{forum.id}/messages", {"content": "x"}))[1]["code"] == 50008


# --- limits


class TestLimits:
    @pytest.fixture
    def limits(self) -> Limits:
        return UNLIMITED._replace(edit=Limit(2, 60.0), overall=Limit(30, 60.0), old_edits=Limit(1, 60.0))

    async def test_a_bucket_that_is_full_is_told_in_headers(self, room: Room, ask: Ask) -> None:
        path = f"/channels/{room.channel.id}/messages"
        _, sent, _ = await ask("POST", path, {"content": "x"})
        path = f"{path}/{sent['id']}"
        _, _, headers = await ask("PATCH", path, {"content": "x"})
        assert headers["X-RateLimit-Remaining"] == "1"
        await ask("PATCH", path, {"content": "x"})
        status, told, headers = await ask("PATCH", path, {"content": "x"})
        assert (status, told["global"]) == (429, False)
        assert 0 < told["retry_after"] <= 60
        assert headers["Via"]
        assert headers["X-RateLimit-Scope"] == "user"

    async def test_all_requests_count_but_those_of_interactions(self, ask: Ask) -> None:
        for _ in range(30):
            await ask("GET", "/users/@me")
        status, told, headers = await ask("GET", "/users/@me")
        assert (status, told["global"], headers["X-RateLimit-Global"]) == (429, True, "true")
        assert (await ask("POST", "/interactions/1/x/callback", {"type": 6}))[0] == 404

    async def test_discord_py_waits_as_it_is_told(self, loopback: Loopback, room: Room, toy: Toy) -> None:
        loopback.limits = loopback.limits._replace(edit=Limit(2, 0.2))
        sent = await toy.get_channel(room.channel.id).send("x")
        for number in range(4):
            await sent.edit(content=str(number))
        assert room.screens()[0].text == "3"
        assert {call.status for call in loopback.asked("PATCH")} == {200}

    async def test_old_messages_take_few_edits(self, loopback: Loopback, room: Room, ask: Ask) -> None:
        path = f"/channels/{room.channel.id}/messages"
        _, sent, _ = await ask("POST", path, {"content": "x"})
        await loopback.move(3601)
        assert (await ask("PATCH", f"{path}/{sent['id']}", {"content": "x"}))[0] == 200
        status, told, _ = await ask("PATCH", f"{path}/{sent['id']}", {"content": "x"})
        assert (status, told["code"]) == (429, 30046)


# --- faults on demand


async def test_faults_strike_as_often_as_they_are_told_to(loopback: Loopback, room: Room, ask: Ask) -> None:
    path = f"/channels/{room.channel.id}/messages"
    fault = loopback.inject("POST", "/channels/*/messages", status=503, skip=1, times=2)
    statuses = [(await ask("POST", path, {"content": "x"}))[0] for _ in range(4)]
    assert statuses == [200, 503, 503, 200]
    assert len(fault.struck) == 2
    loopback.inject("POST", "/channels/*/messages", code=50013, after=True)
    assert (await ask("POST", path, {"content": "carried out"}))[1]["code"] == 50013
    assert room.screens()[-1].text == "carried out"
    loopback.inject("POST", "/channels/*/messages", rewrite=lambda body: {"content": "else"})
    await ask("POST", path, {"content": "x"})
    assert room.screens()[-1].text == "else"
    loopback.inject("*", "/channels/*/messages", cut=True)
    with pytest.raises(aiohttp.ClientConnectionError):
        await ask("POST", path, {"content": "x"})


async def test_a_request_is_held_until_it_is_released(loopback: Loopback, ask: Ask) -> None:
    fault = loopback.inject("GET", "/users/@me", hold=True)
    waiting = asyncio.create_task(ask("GET", "/users/@me"))
    await loopback.until(lambda: fault.struck)
    assert not waiting.done()
    fault.release()
    assert (await waiting)[0] == 200


@pytest.mark.parametrize(
    ("how", "answer"),
    [(FAILS, 500), (UNAVAILABLE, 503), (FORBIDDEN, 403), (LIMITED, 429), (CUT, None), (LOST, None)],
)
async def test_a_kind_of_request_goes_wrong_in_one_channel_for_a_while(
    loopback: Loopback, room: Room, ask: Ask, how: dict[str, Any], answer: int | None
) -> None:
    here, elsewhere = (f"/channels/{c.id}/messages" for c in (room.channel, loopback.guild().channel("uno")))
    fault = loopback.strike(Kind.NOTICE_POST, how, channel=room.channel, seconds=3600)
    if answer is None:
        with pytest.raises(aiohttp.ClientConnectionError):
            await ask("POST", here, {"content": "x"})
    else:
        assert (await ask("POST", here, {"content": "x"}))[0] == answer
    assert len(room.screens()) == (how is LOST)
    assert (await ask("POST", here, {"flags": COMPONENTS_V2, "components": [BUTTONS]}))[0] == 200
    assert (await ask("POST", elsewhere, {"content": "x"}))[0] == 200
    assert len(fault.struck) == 1
    fault.until = asyncio.get_running_loop().time()  # the hour is over
    assert (await ask("POST", here, {"content": "x"}))[0] == 200
    assert len(fault.struck) == 1


@pytest.mark.parametrize("how", [HANGS, LOST_IN_SILENCE])
async def test_what_hangs_does_so_until_it_is_given_up(
    loopback: Loopback, room: Room, ask: Ask, how: dict[str, Any]
) -> None:
    fault = loopback.strike(Kind.NOTICE_POST, how)
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.2):
            await ask("POST", f"/channels/{room.channel.id}/messages", {"content": "x"})
    assert len(room.screens()) == (how is LOST_IN_SILENCE)
    fault.stop()
    await loopback.quiet()
    assert (await ask("POST", f"/channels/{room.channel.id}/messages", {"content": "x"}))[0] == 200


async def test_a_limit_of_everything_is_told_as_such(loopback: Loopback, ask: Ask) -> None:
    loopback.strike(Kind.LOGIN, LIMITED | {"globally": True})
    status, told, headers = await ask("GET", "/users/@me")
    assert (status, told["global"], headers["X-RateLimit-Global"]) == (429, True, "true")


async def test_every_request_is_of_a_kind(
    loopback: Loopback, room: Room, ann: Member, ask: Ask, toy: Toy
) -> None:
    loopback.counts.clear()
    path = f"/channels/{room.channel.id}"
    offer = {"type": 1, "components": [BUTTONS["components"][0] | {"custom_id": "ll:1:0:take:0:"}]}
    ids = []
    for components in ([BUTTONS], [offer]):
        body = {"flags": COMPONENTS_V2, "components": components}
        ids.append((await ask("POST", f"{path}/messages", body))[1]["id"])
    shut = {"flags": COMPONENTS_V2, "components": [{"type": 10, "content": "over"}]}
    for number in ids:
        for method, body in (("PATCH", shut), ("GET", None), ("DELETE", None)):
            await ask(method, f"{path}/messages/{number}", body)
    await ask("GET", path)
    await ask("GET", f"{path}/messages")
    await ask("GET", f"/guilds/{room.channel.guild.id}/members/{ann.id}")
    answer = await room.command(ann, "toy show", labels="Tell", private=True)
    hook = f"/webhooks/1000/{answer.asked.token}"
    for components in ([BUTTONS], shut["components"]):
        await ask("POST", hook, {"flags": COMPONENTS_V2 | EPHEMERAL, "components": components})
    await ask("PATCH", f"{hook}/messages/@original", shut)
    await ask("PATCH", f"{hook}/messages/{answer.screen.id}", shut)
    seen = {kind: 1 for kind in Kind if kind.name.startswith(("TABLE", "NOTICE", "ANSWER", "HAND"))}
    seen |= dict.fromkeys((Kind.CHANNEL_LOOK, Kind.MESSAGE_LIST, Kind.MEMBER_LOOK, Kind.FOLLOW_UP), 1)
    assert loopback.counts == seen


@pytest.mark.usefixtures("toy")
async def test_without_a_line_nothing_comes_through(loopback: Loopback, ask: Ask) -> None:
    held = loopback.inject("GET", "/users/@me", hold=True)
    waiting = asyncio.create_task(ask("GET", "/users/@me"))
    await loopback.until(lambda: held.struck)
    async with loopback.no_line():
        with pytest.raises(aiohttp.ClientConnectionError):
            await waiting
        with pytest.raises(aiohttp.ClientConnectionError):
            await ask("GET", "/users/@me")
        assert not loopback.gateway.connected()
    assert (await ask("GET", "/users/@me"))[0] == 200


async def test_a_server_is_unavailable_for_a_while(
    loopback: Loopback, room: Room, ask: Ask, toy: Toy
) -> None:
    guild, path = room.channel.guild, f"/channels/{room.channel.id}/messages"
    guild.fail()
    await loopback.gateway.poke()
    assert [known.unavailable for known in toy.guilds] == [True]
    assert (await ask("POST", path, {"content": "x"}))[0] == 503
    assert (await ask("GET", f"/guilds/{guild.id}/members/1000"))[0] == 503
    assert (await ask("GET", "/users/@me"))[0] == 200
    guild.recover()
    await loopback.gateway.poke()
    assert [known.unavailable for known in toy.guilds] == [False]
    assert (await ask("POST", path, {"content": "x"}))[0] == 200


async def test_wasted_requests_count_for_ten_minutes(loopback: Loopback, room: Room, ask: Ask) -> None:
    await ask("GET", "/users/@me", token="wrong")
    await loopback.move(300)
    room.channel.deny("view_channel")
    await ask("GET", f"/channels/{room.channel.id}")
    loopback.strike(Kind.LOGIN, LIMITED)
    await ask("GET", "/users/@me")
    await ask("GET", "/channels/1")
    loopback.calls.clear()
    assert [call.status for call in loopback.wasted()] == [401, 403, 429]
    await loopback.move(301)
    assert [call.status for call in loopback.wasted()] == [403, 429]


class TestWay:
    @pytest.fixture
    def way(self) -> Way:
        return Way(0.1, 0.04)

    async def test_all_takes_its_time_and_stays_in_order(
        self, loopback: Loopback, room: Room, ann: Member, ask: Ask, toy: Toy
    ) -> None:
        loop = asyncio.get_running_loop()
        began = loop.time()
        await ask("GET", "/users/@me")
        assert loop.time() - began >= 0.06
        for number in range(5):
            room.give(ann, "toy show", labels=f"L{number}", private=True)
        await loopback.until(lambda: not loopback.pending, "the answers")
        labels = [interaction.namespace.labels for interaction in toy.heard]
        assert labels == [f"L{number}" for number in range(5)]
        for asked in loopback.interactions.values():
            assert asked.answered - asked.sent >= 0.06


# --- commands, emojis


async def test_commands_are_given_as_they_were_synced(room: Room, ann: Member, toy: Toy) -> None:
    for name, options in [("toy show", {}), ("toy hide", {}), ("toy show", {"labels": 1}), ("uno", {})]:
        with pytest.raises(UnknownCommandError):
            room.give(ann, name, **options)
    assert (await room.command(ann, "toy show", labels="Tell Change")).text == "## Toys"


@pytest.mark.parametrize(
    "spec",
    [
        {"name": "Uno", "description": "x"},
        {"name": "uno", "description": "x" * 101},
        {"name": "uno", "description": "x", "description_localizations": {"cy": "x"}},
        {"name": "uno", "description": "x", "options": [{"name": "a b", "description": "x", "type": 3}]},
    ],
)
async def test_commands_that_discord_would_not_sync_are_refused(
    loopback: Loopback, ask: Ask, spec: dict[str, Any]
) -> None:
    status, told, _ = await ask("PUT", "/applications/1000/commands", [spec])
    assert (status, told["code"]) == (400, 50035)
    loopback.faults.clear()


async def test_emojis_are_kept_with_their_pictures(loopback: Loopback, toy: Toy) -> None:
    emoji = await toy.create_application_emoji(name="red_7", image=b"\x89PNG\r\n\x1a\n and more")
    assert [known.name for known in await toy.fetch_application_emojis()] == ["red_7"]
    assert await emoji.read() == b"\x89PNG\r\n\x1a\n and more"
    with pytest.raises(discord.HTTPException, match="already"):
        await toy.create_application_emoji(name="red_7", image=b"\x89PNG\r\n\x1a\n")
    await emoji.delete()
    assert loopback.emojis == {}
    loopback.faults.clear()


# --- what a member can do


async def test_nobody_presses_what_they_do_not_see(room: Room, ann: Member, toy: Toy) -> None:
    (bob,) = room.channel.guild.join("Bob")
    await room.command(ann, "toy show", labels="Tell", private=True)
    hand = room.hand(ann)
    with pytest.raises(UnreachableError, match="Bob does not see"):
        await room.click(bob, hand, "Tell")
    with pytest.raises(UnreachableError, match="no message"):
        room.hand(bob)
    with pytest.raises(UnreachableError):
        await room.click(ann, hand, "Absent")
    hand.message.delete()
    with pytest.raises(UnreachableError, match="is gone"):
        await room.click(ann, hand, "Tell")
    room.channel.deny("use_application_commands")
    with pytest.raises(UnreachableError, match="no commands"):
        room.give(ann, "toy show", labels="Tell")


async def test_without_a_bot_nothing_is_answered(room: Room, ann: Member, toy: Toy) -> None:
    await room.command(ann, "toy show", labels="Tell")
    await toy.close()
    await room.loopback.until(lambda: not room.loopback.gateway.sessions)
    with pytest.raises(UnansweredError):
        await room.click(ann, room.table(), "Tell")
