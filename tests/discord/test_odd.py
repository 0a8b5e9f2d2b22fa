"""Interactions as no client of today sends them: one polite sentence each, and the bot lives on."""

import json
import logging
import re
from collections.abc import Callable
from typing import Any

import discord
import pytest
from simcord import InteractionResult
from simcord.backend.models import Overwrite
from simcord.enums import OverwriteType
from simcord.interactions import base_payload

from bot.interactions.commands.offered import _TYPES
from bot.model.errors import Problem
from bot.ui.text import problems
from bot.ui.text.translation import text_for
from engine.rules import RuleSet
from tests.discord.clicking import Room
from tests.discord.playing import bot_of, open_lobby, seat
from tests.discord.test_lobby import refused
from tests.discord.test_settings import manager_of
from tests.discord.test_slow_disk import COMMANDS

Payload = dict[str, Any]
COMMAND, COMPONENT, AUTOCOMPLETE, MODAL = 2, 3, 4, 5


def sentence(problem: Problem, **values: object) -> str:
    return problems.problem(text_for("en-US"), problem, **values)


@pytest.fixture(autouse=True)
def no_traceback(caplog: pytest.LogCaptureFixture) -> Any:
    yield
    assert not [record for record in caplog.records if record.exc_info]


def leave_out(*path: str) -> Callable[[Payload], None]:
    def change(payload: Payload) -> None:
        for key in path[:-1]:
            payload = payload[key]
        del payload[path[-1]]

    change.__name__ = f"without {'.'.join(path)}"
    return change


def put(value: Any, *path: str) -> Callable[[Payload], None]:
    def change(payload: Payload) -> None:
        for key in path[:-1]:
            payload = payload[key]
        payload[path[-1]] = value

    change.__name__ = f"{'.'.join(path)} is {value!r}"
    return change


def uno(*options: Payload, **more: Any) -> Payload:
    """Write a command's data: `uno({"name": "rules", "type": 1})`."""
    return {"id": "1", "name": "uno", "type": 1, "options": list(options)} | more


def option(name: str, value: Any, kind: int = 3) -> Payload:
    return {"name": name, "type": kind, "value": value}


def sub(name: str, *options: Payload) -> Payload:
    return {"name": name, "type": 1, "options": list(options)}


async def send(
    room: Room, kind: int, data: Payload, change: Callable[[Payload], None] = lambda _: None, **more: Any
) -> InteractionResult:
    """Deliver an interaction exactly as given."""
    ann = room.simulation.ann  # type: ignore[attr-defined]  # the fixture's
    interaction, payload = base_payload(
        room.simulation.backend,
        type=kind,
        channel_id=room.channel.id,
        guild_id=room.channel.guild.id,
        user_id=ann.id,
        data=data,
    )
    payload = json.loads(json.dumps(payload | more))
    if kind == COMPONENT:
        message = room.screens()[-1].payload
        payload["message"], interaction.source_message_id = message, int(message["id"])
    change(payload)
    room.simulation._deliver("INTERACTION_CREATE", payload)
    await room.simulation.settle()
    return InteractionResult(room.simulation, interaction)


@pytest.fixture
def room(room: Room) -> Room:
    room.simulation.ann = room.members("Ann")[0]  # type: ignore[attr-defined]  # for `send`
    return room


def told(room: Room, result: InteractionResult) -> str:
    """Return the one private sentence that an interaction was answered with."""
    (call,) = room.simulation.calls(f"/interactions/{result._interaction.id}/")
    assert call.json["type"] == 4
    assert int(call.json["data"]["flags"]) & 64
    text: str = call.json["data"]["content"]
    return re.sub(r"</(uno \w+):\d+>", r"/\1", text)  # as people read it


# --- where and who


def without_member(payload: Payload) -> None:
    """Tell of a person by the user alone, as where they gave a command without being on the server."""
    payload["user"] = payload.pop("member")["user"]


def in_private(payload: Payload) -> None:
    without_member(payload)
    del payload["guild_id"]


@pytest.mark.parametrize("change", [without_member, in_private, leave_out("channel")])
async def test_a_command_from_nowhere_is_told_where_it_works(
    room: Room, change: Callable[[Payload], None]
) -> None:
    ann = str(room.simulation.ann.id)
    user = {"id": ann, "username": "ann", "discriminator": "0", "avatar": None}
    options = dict.fromkeys(("kick", "host"), option("player", ann, 6)) | {"notify": option("when", "away")}
    for name in COMMANDS:
        chosen = [options[name]] if name in options else []
        data = uno(sub(name, *chosen), resolved={"users": {ann: user}})
        assert told(room, await send(room, COMMAND, data, change)) == sentence(Problem.SERVER_ONLY), name


@pytest.mark.parametrize("change", [without_member, leave_out("channel")])
async def test_a_press_from_nowhere_is_told_where_it_works(
    room: Room, change: Callable[[Payload], None]
) -> None:
    lobby = await open_lobby(room, room.simulation.ann)
    data = {"custom_id": lobby.button("Join").custom_id, "component_type": 2}
    assert told(room, await send(room, COMPONENT, data, change)) == sentence(Problem.SERVER_ONLY)


# --- languages


@pytest.mark.parametrize(
    "change",
    [
        *(put(locale, "locale") for locale in ("xx", "", "tlh-KX", None, 7, ["de"], "../../etc")),
        leave_out("locale"),
        leave_out("guild_locale"),
        put(None, "guild_locale"),
    ],
)
async def test_a_strange_language_is_english(room: Room, change: Callable[[Payload], None]) -> None:
    result = await send(room, COMMAND, uno(sub("start")), change)
    assert result.acknowledged
    assert room.table().has("Join")
    data = {"custom_id": room.table().button("Start").custom_id, "component_type": 2}
    assert told(room, await send(room, COMPONENT, data, change)).startswith("Two players are needed.")
    assert told(room, await send(room, COMMAND, uno(sub("hand")), change)) == sentence(
        Problem.NOT_STARTED, host=next(iter(bot_of(room).tables.live())).state.host_name
    )


# --- commands that are not there


#: Commands as they were never offered, and why they do nothing.
NOT_OFFERED = [
    (uno(sub("dance")), Problem.UNKNOWN_COMMAND),
    (uno(), Problem.UNKNOWN_COMMAND),
    (uno(sub("rules"), name="duo"), Problem.UNKNOWN_COMMAND),
    (uno(type=2, target_id="1"), Problem.UNKNOWN_COMMAND),
    (uno(type=2, name="UNO stats"), Problem.UNREADABLE),
    (uno(type=2, name="UNO stats", target_id="77", resolved={"users": {}}), Problem.NO_SUCH_CHOICE),
    (uno(type=2, name="UNO stats", target_id="77", resolved={"users": {"77": {}}}), Problem.UNREADABLE),
    (uno(type=2, name="UNO stats", target_id=None, resolved={"users": {}}), Problem.UNREADABLE),
    (uno({"name": "more", "type": 2, "options": [sub("rules")]}), Problem.UNKNOWN_COMMAND),
    (uno(sub("rules", option("topic", "uno"))), Problem.UNKNOWN_COMMAND),
    (uno(sub("notify")), Problem.UNKNOWN_COMMAND),
    (uno(sub("kick")), Problem.UNKNOWN_COMMAND),
    (uno(sub("notify", option("when", "away"), option("when", "never"))), Problem.UNKNOWN_COMMAND),
    (uno(sub("notify", option("when", "sometimes"))), Problem.NO_SUCH_CHOICE),
    (uno(sub("notify", option("when", 3))), Problem.NO_SUCH_CHOICE),
    (uno(sub("notify", option("when", "away", 4))), Problem.NO_SUCH_CHOICE),
    (uno(sub("start", option("hands", 21, 4))), Problem.NO_SUCH_CHOICE),
    (uno(sub("start", option("hands", True, 4))), Problem.NO_SUCH_CHOICE),
    (uno(sub("start", option("target", 99, 4))), Problem.NO_SUCH_CHOICE),
    (uno(sub("start", option("turn_time", "7 s"))), Problem.NO_SUCH_CHOICE),
    (uno(sub("start", option("thread", 1, 5))), Problem.NO_SUCH_CHOICE),
    (uno(sub("kick", option("player", "77", 6))), Problem.NO_SUCH_CHOICE),
    (uno(sub("kick", option("player", "nobody", 6))), Problem.UNREADABLE),
    (uno(sub("kick", option("player", "77", 6)), resolved={"users": {"77": {}}}), Problem.UNREADABLE),
    (uno(sub("rules"), resolved=[]), Problem.UNREADABLE),
    (uno(sub("rules"), name=None), Problem.UNKNOWN_COMMAND),
    (uno(sub("rules"), name=["uno"]), Problem.UNREADABLE),
    (uno(sub("rules"), type=9), Problem.UNREADABLE),
    (uno({"type": 1}), Problem.UNREADABLE),
    (uno(sub("rules"), sub("help")), Problem.UNREADABLE),
    (uno(sub("start", {"name": "hands", "type": 4})), Problem.UNREADABLE),
    (uno(options="rules"), Problem.UNREADABLE),
    ({}, Problem.UNREADABLE),
]


async def test_a_command_that_was_not_offered_like_this_does_nothing(room: Room) -> None:
    for data, problem in NOT_OFFERED:
        assert told(room, await send(room, COMMAND, data)) == sentence(problem), data
    assert await bot_of(room).store.nudges(room.simulation.ann.id) is None
    assert list(bot_of(room).tables.live()) == []


def test_every_kind_of_option_is_checked(room: Room) -> None:
    (group,) = bot_of(room).tree.get_commands(type=discord.AppCommandType.chat_input)
    parameters = [parameter for command in group.commands for parameter in command.parameters]
    assert len(parameters) >= 9
    assert {parameter.type for parameter in parameters} <= _TYPES.keys()


async def test_what_is_being_typed_gets_no_suggestions(room: Room) -> None:
    for data in (uno(sub("notify", option("when", "aw") | {"focused": True})), uno(sub("dance")), {}):
        result = await send(room, AUTOCOMPLETE, data)
        (call,) = room.simulation.calls(f"/interactions/{result._interaction.id}/")
        assert call.json == {"type": 8, "data": {"choices": []}}


# --- components that are not there


#: What no button and no menu sends.
ON_NO_SCREEN = [
    {"custom_id": "{join}", "component_type": 1},
    {"custom_id": "{join}", "component_type": 99},
    {"custom_id": "{join}", "component_type": "2"},
    {"custom_id": "{join}", "component_type": None},
    {"custom_id": "{join}", "component_type": 3, "values": ["x"]},
    {"custom_id": "{join}", "component_type": 2, "values": []},
    {"custom_id": "{join}", "component_type": 3, "values": "x"},
    {"custom_id": "ll:1:0:agree:length:", "component_type": 3},
    {"custom_id": "ll:1:0:agree:length:", "component_type": 2, "values": ["hands.3"]},
    {"custom_id": "", "component_type": 2},
    {"custom_id": None, "component_type": 2},
    {"custom_id": "ll:1:0:dance::", "component_type": 2},
]


async def test_a_component_that_is_on_no_screen_does_nothing(room: Room) -> None:
    lobby = await open_lobby(room, room.simulation.ann)
    state, join = bot_of(room).tables.get(1).state, lobby.button("Join").custom_id
    for data in ON_NO_SCREEN:
        pressed = data | ({"custom_id": join} if data["custom_id"] == "{join}" else {})
        assert told(room, await send(room, COMPONENT, pressed)) == sentence(Problem.EARLIER_TABLE), data
    assert bot_of(room).tables.get(1).state is state


@pytest.mark.parametrize(
    ("resolved", "problem"),
    [
        ([], Problem.NOBODY_TO_INVITE),
        ({"users": []}, Problem.NOBODY_TO_INVITE),
        ({"users": {"77": []}}, Problem.NOBODY_TO_INVITE),
        ({"users": {"77": {"id": "x"}}}, Problem.UNREADABLE),
    ],
)
async def test_people_that_cannot_be_read_are_not_invited(
    room: Room, resolved: Any, problem: Problem
) -> None:
    await open_lobby(room, room.simulation.ann)
    data = {"custom_id": "ll:1:0:agree:invite:", "component_type": 5, "values": ["77"], "resolved": resolved}
    answer = told_or_shown(room, await send(room, COMPONENT, data))
    assert sentence(problem) in answer
    assert bot_of(room).tables.get(1).state.seating.invited == ()


def told_or_shown(room: Room, result: InteractionResult) -> str:
    """Return the text of the answer, a sentence or a screen."""
    response = result.response
    assert response is not None
    return room.read(response.id).text


@pytest.mark.parametrize("value", ["hands.2", "hands.20", "target.101"])
async def test_a_length_that_the_menu_does_not_offer_is_not_chosen(room: Room, value: str) -> None:
    await open_lobby(room, room.simulation.ann)
    data = {"custom_id": "ll:1:0:agree:length:", "component_type": 3, "values": [value]}
    assert sentence(Problem.NO_SUCH_CHOICE) in told_or_shown(room, await send(room, COMPONENT, data))


async def test_a_channel_of_a_kind_that_holds_no_table_is_not_chosen(room: Room) -> None:
    manager = manager_of(room)
    room.simulation.ann = manager.member
    await open_lobby(room, manager.member)
    category = room.channel.guild.create_category("kinds")
    data = {"custom_id": "ll:0:0:server:channels:", "component_type": 8, "values": [str(category.id)]}
    await send(room, COMPONENT, data)
    assert (await bot_of(room).guild_settings.get(room.channel.guild.id)).channels == ()


# --- other kinds, and what discord.py cannot read


@pytest.mark.parametrize("kind", [6, 99])
async def test_an_unknown_kind_of_interaction_is_answered(room: Room, kind: int) -> None:
    data = {"custom_id": "ll:0:0:help::", "components": []}
    assert told(room, await send(room, kind, data)) == sentence(Problem.TABLE_OVER)


async def test_a_form_that_no_screen_has_is_answered(room: Room) -> None:
    data = {"custom_id": "ll:0:0:help::", "components": []}
    assert told(room, await send(room, MODAL, data)) == sentence(Problem.UNREADABLE)


@pytest.mark.parametrize(
    "change",
    [
        leave_out("attachment_size_limit"),
        leave_out("version"),
        leave_out("application_id"),
        leave_out("member", "user"),
        leave_out("data"),
        leave_out("data", "custom_id"),
        leave_out("data", "component_type"),
        put(["ll:1:0:join::"], "data", "custom_id"),
        put("me", "message"),
        put("x", "channel"),
        put("no number", "app_permissions"),
    ],
)
async def test_what_discord_py_cannot_read_is_answered_and_ends_nothing(
    room: Room, change: Callable[[Payload], None]
) -> None:
    lobby = await open_lobby(room, room.simulation.ann)
    data = {"custom_id": lobby.button("Join").custom_id, "component_type": 2}
    assert told(room, await send(room, COMPONENT, data, change)) == sentence(Problem.UNREADABLE)
    (bob,) = room.members("Bob")
    assert (await room.click(bob, room.table(), "Join")).kind == "update"


@pytest.mark.parametrize("change", [leave_out("id"), leave_out("token"), put("x", "id"), put(None, "type")])
async def test_what_cannot_be_answered_ends_nothing(room: Room, change: Callable[[Payload], None]) -> None:
    await send(room, COMMAND, uno(sub("rules")), change)
    assert (await room.command(room.simulation.ann, "uno rules")).private


@pytest.mark.parametrize("event", ["CHANNEL_CREATE", "GUILD_UPDATE", "GUILD_ROLE_CREATE", "THREAD_CREATE"])
async def test_an_event_that_cannot_be_read_ends_nothing(
    room: Room, event: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.WARNING)
    for payload in ({}, {"id": "x", "guild_id": str(room.channel.guild.id)}):
        room.simulation._deliver(event, payload)
    await room.simulation.settle()
    assert "event_unreadable" in caplog.text
    assert (await room.command(room.simulation.ann, "uno rules")).private


# --- what may not be told


def show_to(room: Room, *targets: tuple[int, OverwriteType]) -> None:
    """Let the bot and nobody else but these see a channel."""
    guild, view = room.channel.guild, discord.Permissions(view_channel=True).value
    backend = room.simulation.backend
    hidden = Overwrite(target_id=guild.id, type=OverwriteType.ROLE, allow=0, deny=view)
    backend.set_overwrite(room.channel.id, hidden)
    for target_id, kind in ((guild.roles["TestBot"].id, OverwriteType.ROLE), *targets):
        seen = Overwrite(target_id=target_id, type=kind, allow=view, deny=0)
        backend.set_overwrite(room.channel.id, seen)


async def test_tables_lists_what_the_asker_may_see(room: Room) -> None:
    guild, ann = room.channel.guild, room.simulation.ann
    bob, cleo = room.members("Bob", "Cleo")
    role = guild.create_role("Insiders")
    room.simulation.backend.add_member_role(guild.id, cleo.id, role.id)
    rooms = [Room(room.simulation, guild.create_text_channel(name)) for name in ("open", "role", "person")]
    for each in rooms:
        await open_lobby(each, bob)
        await room.simulation.advance_time(10)
    elsewhere = Room(room.simulation, room.simulation.create_guild("Elsewhere").create_text_channel("uno"))
    await open_lobby(elsewhere, elsewhere.members("Dai")[0])
    show_to(rooms[1], (role.id, OverwriteType.ROLE))
    show_to(rooms[2], (bob.id, OverwriteType.MEMBER))
    await room.simulation.settle()
    for member, seen in ((ann, {0}), (cleo, {0, 1}), (bob, {0, 2}), (manager_of(room).member, {0})):
        text = (await room.command(member, "uno tables")).text
        assert {number for number, each in enumerate(rooms) if f"<#{each.channel.id}>" in text} == seen
        assert text.count("<#") == len(seen)
    assert f"<#{rooms[2].channel.id}>" in (await rooms[2].command(bob, "uno tables")).text


async def test_tables_lists_a_thread_only_to_those_who_see_its_channel(room: Room) -> None:
    guild, ann = room.channel.guild, room.simulation.ann
    (bob,) = room.members("Bob")
    inside = Room(room.simulation, guild.create_text_channel("inside"))
    await inside.command(bob, "uno start", thread=True)
    (thread,) = inside.channel.threads
    assert f"<#{thread.id}>" in (await room.command(ann, "uno tables")).text
    show_to(inside, (bob.id, OverwriteType.MEMBER))
    await room.simulation.settle()
    assert "There is no table on this server." in (await room.command(ann, "uno tables")).text
    assert f"<#{thread.id}>" in (await room.command(bob, "uno tables")).text


async def test_details_and_rules_tell_nothing_of_another_channel(room: Room) -> None:
    ann = room.simulation.ann
    inside = Room(room.simulation, room.channel.guild.create_text_channel("inside"))
    table = await seat(inside, 2, hands=2, rules=RuleSet(jump_in=True))
    await table.arrange(["R4"], ["B1", "B2"])
    await table.press(table.members[0], "Red 4")
    number = table.live.id
    lobby = await open_lobby(room, ann)
    details = {"custom_id": f"ll:{number}:0:details:1:"}
    refused(await room.forge(ann, lobby, details), sentence(Problem.NO_SUCH_HAND))
    assert "scores" in (await inside.forge(table.members[0], table.board(), details)).text
    rules = {"custom_id": f"ll:{number}:0:rules:house:"}
    there = (await inside.forge(table.members[0], table.board(), rules)).text
    assert (await room.forge(ann, lobby, rules)).text != there
