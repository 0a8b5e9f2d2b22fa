"""The stand-in itself: it answers as Discord does, to plain discord.py and to bare requests."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import aiohttp
import discord
import pytest

from tests.loopback.commands import UnknownCommandError
from tests.loopback.limits import UNLIMITED, Limit, Limits
from tests.loopback.room import Room, UnansweredError
from tests.loopback.screens import UnreachableError
from tests.loopback.server import Loopback
from tests.loopback.toy import Toy, connected, menu
from tests.loopback.world import FORUM, NEWS, VOICE, Member

#: Sends a bare request and returns its status, JSON and headers.
Ask = Callable[..., Awaitable[tuple[int, Any, Any]]]

V2 = 1 << 15
PRIVATE = 1 << 6


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


@pytest.fixture
async def ask(loopback: Loopback) -> AsyncIterator[Ask]:
    async with aiohttp.ClientSession() as session:

        async def send(method: str, path: str, body: Any = None, *, token: str = loopback.token) -> Any:
            headers = {"Authorization": f"Bot {token}"}
            async with session.request(
                method, f"{loopback.url}/api/v10{path}", json=body, headers=headers
            ) as response:
                told = None if response.status == 204 else await response.json()
                return response.status, told, response.headers

        yield send


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


# --- messages


async def test_messages_are_sent_edited_read_and_deleted(loopback: Loopback, room: Room, toy: Toy) -> None:
    channel = toy.get_channel(room.channel.id)
    sent = await channel.send(view=menu("Tell"))
    assert room.table().labels == ["Tell"]
    await sent.edit(view=menu("Change"))
    assert room.table().labels == ["Change"]
    words = [await channel.send(word) for word in ("one", "two", "three")]
    read = [message.id async for message in channel.history(limit=2, after=sent)]
    assert read == [words[0].id, words[1].id]
    assert [m.content async for m in channel.history(limit=2)] == ["three", "two"]
    assert (await channel.fetch_message(words[1].id)).content == "two"
    await sent.delete()
    with pytest.raises(discord.NotFound) as gone:
        await sent.edit(view=menu("Tell"))
    assert gone.value.code == 10008


BUTTON = {"type": 2, "style": 1, "label": "x", "custom_id": "x"}
TEXT = {"type": 10, "content": "x"}


def row(*buttons: dict[str, Any]) -> dict[str, Any]:
    return {"type": 1, "components": list(buttons)}


def many(number: int) -> list[dict[str, Any]]:
    return [BUTTON | {"custom_id": str(n)} for n in range(number)]


def section(*texts: dict[str, Any], **fields: Any) -> dict[str, Any]:
    return {"type": 9, "components": list(texts), **fields}


@pytest.mark.parametrize(
    ("components", "place", "code"),
    [
        pytest.param([TEXT] * 41, "", "COMPONENT_MAX_TOTAL_COMPONENTS_EXCEEDED", id="41 components"),
        pytest.param(
            [{"type": 17, "components": [row(*many(5))] * 7}],
            "",
            "COMPONENT_MAX_TOTAL_COMPONENTS_EXCEEDED",
            id="43 components, nested",
        ),
        pytest.param(
            [TEXT | {"content": "x" * 2001}] * 2,
            "",
            "COMPONENT_DISPLAYABLE_TEXT_SIZE_EXCEEDED",
            id="4002 characters",
        ),
        pytest.param([row(*many(6))], "0.components", "BASE_TYPE_BAD_LENGTH", id="six buttons"),
        pytest.param(
            [row(BUTTON | {"label": "x" * 81})],
            "0.components.0.label",
            "BASE_TYPE_MAX_LENGTH",
            id="a long label",
        ),
        pytest.param(
            [row(BUTTON | {"custom_id": "x" * 101})],
            "0.components.0.custom_id",
            "BASE_TYPE_MAX_LENGTH",
            id="a long custom_id",
        ),
        pytest.param(
            [row(BUTTON), row(BUTTON)],
            "1.components.0.custom_id",
            "COMPONENT_CUSTOM_ID_DUPLICATED",
            id="a custom_id twice",
        ),
        pytest.param(
            [row(BUTTON | {"label": ""})], "0.components.0.label", "BASE_TYPE_REQUIRED", id="an empty button"
        ),
        pytest.param(
            [row(BUTTON | {"emoji": {"id": "7", "name": "gone"}})],
            "0.components.0.emoji.id",
            "COMPONENT_INVALID_EMOJI",
            id="an unknown emoji",
        ),
        pytest.param([BUTTON], "0.type", "BASE_TYPE_CHOICES", id="a button in no row"),
        pytest.param([section(TEXT)], "0.accessory", "BASE_TYPE_REQUIRED", id="a section without a picture"),
        pytest.param(
            [section(*[TEXT] * 4, accessory=BUTTON)], "0.components", "BASE_TYPE_BAD_LENGTH", id="four texts"
        ),
        pytest.param([TEXT | {"content": " "}], "0.content", "BASE_TYPE_REQUIRED", id="an empty text"),
        pytest.param(
            [section(TEXT, accessory={"type": 11, "media": {"url": "pictures/7.png"}})],
            "0.accessory.media.url",
            "URL_TYPE_INVALID_SCHEME",
            id="no address",
        ),
        pytest.param(
            [
                row(
                    {
                        "type": 3,
                        "custom_id": "m",
                        "options": [{"label": "x", "value": str(n)} for n in range(26)],
                    }
                )
            ],
            "0.components.0.options",
            "BASE_TYPE_BAD_LENGTH",
            id="26 options",
        ),
    ],
)
async def test_what_discord_would_not_show_is_refused(
    loopback: Loopback, room: Room, ask: Ask, components: list[Any], place: str, code: str
) -> None:
    body = {"flags": V2, "components": components}
    status, told, _ = await ask("POST", f"/channels/{room.channel.id}/messages", body)
    assert (status, told["code"]) == (400, 50035)
    node = told["errors"]["components"]
    for key in filter(None, place.split(".")):
        node = node[key]
    assert [error["code"] for error in node["_errors"]] == [code]
    assert "50035" in loopback.faults.pop()
    assert room.screens() == []


async def test_forty_components_and_four_thousand_characters_are_shown(room: Room, ask: Ask) -> None:
    components = [TEXT | {"content": "x" * 100}] * 40
    status, _, _ = await ask(
        "POST", f"/channels/{room.channel.id}/messages", {"flags": V2, "components": components}
    )
    assert status == 200
    assert len(room.screens()[0].components) == 40
    assert room.screens()[0].characters == 4000


async def test_content_and_components_v2_do_not_mix(loopback: Loopback, room: Room, ask: Ask) -> None:
    path = f"/channels/{room.channel.id}/messages"
    status, told, _ = await ask("POST", path, {"flags": V2, "components": [TEXT], "content": "x"})
    assert status == 400
    assert "content" in told["errors"]
    _, words, _ = await ask("POST", path, {"content": "x"})
    status, told, _ = await ask("PATCH", f"{path}/{words['id']}", {"flags": V2, "components": [TEXT]})
    assert status == 400, "the old content would stay"
    assert (
        await ask("PATCH", f"{path}/{words['id']}", {"flags": V2, "components": [TEXT], "content": None})
    )[0] == 200
    status, told, _ = await ask("PATCH", f"{path}/{words['id']}", {"content": "x"})
    assert status == 400, "once V2, always V2"
    status, told, _ = await ask("POST", path, {})
    assert (status, told["code"]) == (400, 50006)
    assert len(loopback.faults) == 4
    loopback.faults.clear()


async def test_only_those_are_pinged_whom_the_sender_allows(room: Room, ann: Member, ask: Ask) -> None:
    bob, cem = room.channel.guild.join("Bob", "Cem")
    room.channel.deny("view_channel", who=cem)
    path, text = f"/channels/{room.channel.id}/messages", f"<@{ann.id}> <@{bob.id}> <@{cem.id}> @everyone"
    for allowed, pinged in [
        ({"parse": []}, set()),
        ({"parse": ["users"]}, {ann.id, bob.id}),
        ({"users": [str(bob.id)]}, {bob.id}),
        (None, {ann.id, bob.id}),
    ]:
        body = {"content": text} | ({} if allowed is None else {"allowed_mentions": allowed})
        _, told, _ = await ask("POST", path, body)
        assert room.screens()[-1].pinged == pinged
    await ask("PATCH", f"{path}/{told['id']}", {"content": f"<@{cem.id}>"})
    assert room.screens()[-1].pinged == {ann.id, bob.id}


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
        return UNLIMITED._replace(edit=Limit(2, 0.2), overall=Limit(30, 0.5), old_edits=Limit(1, 60.0))

    async def test_a_bucket_that_is_full_is_told_in_headers(self, room: Room, ask: Ask) -> None:
        path = f"/channels/{room.channel.id}/messages"
        _, sent, _ = await ask("POST", path, {"content": "x"})
        path = f"{path}/{sent['id']}"
        _, _, headers = await ask("PATCH", path, {"content": "x"})
        assert headers["X-RateLimit-Remaining"] == "1"
        await ask("PATCH", path, {"content": "x"})
        status, told, headers = await ask("PATCH", path, {"content": "x"})
        assert (status, told["global"]) == (429, False)
        assert 0 < told["retry_after"] <= 0.2
        assert headers["Via"]
        assert headers["X-RateLimit-Scope"] == "user"

    async def test_all_requests_count_but_those_of_interactions(self, ask: Ask) -> None:
        for _ in range(30):
            await ask("GET", "/users/@me")
        status, told, headers = await ask("GET", "/users/@me")
        assert (status, told["global"], headers["X-RateLimit-Global"]) == (429, True, "true")
        assert (await ask("POST", "/interactions/1/x/callback", {"type": 6}))[0] == 404

    async def test_discord_py_waits_as_it_is_told(self, loopback: Loopback, room: Room, toy: Toy) -> None:
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
