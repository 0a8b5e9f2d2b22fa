"""The stand-in's messages: sent, edited and read, and refused where Discord would refuse them."""

from collections.abc import AsyncIterator
from typing import Any

import aiohttp
import discord
import pytest

from tests.loopback.conftest import Ask
from tests.loopback.room import Room
from tests.loopback.server import Loopback
from tests.loopback.toy import Toy, connected, menu
from tests.loopback.world import COMPONENTS_V2, Member


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


async def test_messages_are_sent_edited_read_and_deleted(loopback: Loopback, room: Room, toy: Toy) -> None:
    loopback.lists_fail = False
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


async def test_a_list_of_messages_fails_where_a_container_is(
    loopback: Loopback, room: Room, ask: Ask
) -> None:
    path = f"/channels/{room.channel.id}/messages"
    assert (await ask("POST", path, {"content": "x"}))[0] == 200
    assert (await ask("GET", path))[0] == 200
    body = {"flags": COMPONENTS_V2, "components": [{"type": 17, "components": [TEXT]}]}
    _, sent, _ = await ask("POST", path, body)
    assert (await ask("GET", path))[0] == 500
    assert (await ask("GET", f"{path}/{sent['id']}"))[0] == 200


async def test_a_channel_knows_its_last_message_even_a_deleted_one(
    loopback: Loopback, room: Room, ann: Member, ask: Ask, toy: Toy
) -> None:
    path = f"/channels/{room.channel.id}"
    assert (await ask("GET", path))[1]["last_message_id"] is None
    said = room.channel.say(ann, "x")
    said.delete()
    assert (await ask("GET", path))[1]["last_message_id"] == str(said.id)
    await room.command(ann, "toy show", labels="Tell", private=True)
    assert (await ask("GET", path))[1]["last_message_id"] == str(said.id)
    loopback.world.private_is_last = True
    await room.command(ann, "toy show", labels="Tell", private=True)
    assert (await ask("GET", path))[1]["last_message_id"] == str(room.hand(ann).id)


async def test_a_nonce_that_is_enforced_makes_one_message(loopback: Loopback, room: Room, ask: Ask) -> None:
    path = f"/channels/{room.channel.id}/messages"
    body = {"content": "x", "nonce": "table-7-1", "enforce_nonce": True}
    loopback.inject("POST", "/channels/*/messages", cut=True, after=True)
    with pytest.raises(aiohttp.ClientConnectionError):
        await ask("POST", path, body)
    _, again, _ = await ask("POST", path, body | {"content": "y"})
    assert [(screen.id, screen.text) for screen in room.screens()] == [(int(again["id"]), "x")]
    assert again["nonce"] == "table-7-1"
    elsewhere = room.channel.guild.channel("other")
    for where, sent in [
        (path, body | {"nonce": "table-7-2"}),
        (path, body | {"enforce_nonce": False}),
        (f"/channels/{elsewhere.id}/messages", body),
    ]:
        assert (await ask("POST", where, sent))[1]["id"] != again["id"]
    await loopback.move(301)
    assert (await ask("POST", path, body))[1]["id"] != again["id"]
    status, told, _ = await ask("POST", path, body | {"nonce": "x" * 26})
    assert (status, list(told["errors"])) == (400, ["nonce"])
    assert "nonce" in loopback.faults.pop()


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
    body = {"flags": COMPONENTS_V2, "components": components}
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
        "POST", f"/channels/{room.channel.id}/messages", {"flags": COMPONENTS_V2, "components": components}
    )
    assert status == 200
    assert len(room.screens()[0].components) == 40
    assert room.screens()[0].characters == 4000


async def test_content_and_components_v2_do_not_mix(loopback: Loopback, room: Room, ask: Ask) -> None:
    path = f"/channels/{room.channel.id}/messages"
    status, told, _ = await ask("POST", path, {"flags": COMPONENTS_V2, "components": [TEXT], "content": "x"})
    assert status == 400
    assert "content" in told["errors"]
    _, words, _ = await ask("POST", path, {"content": "x"})
    status, told, _ = await ask(
        "PATCH", f"{path}/{words['id']}", {"flags": COMPONENTS_V2, "components": [TEXT]}
    )
    assert status == 400, "the old content would stay"
    assert (
        await ask(
            "PATCH", f"{path}/{words['id']}", {"flags": COMPONENTS_V2, "components": [TEXT], "content": None}
        )
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
