"""The settings of a server: who chooses them, what they change, and that they are kept."""

from collections.abc import Awaitable, Callable, Sequence
from typing import Any

import discord
import pytest
from simcord import ChannelHandle, MemberActor
from sqlalchemy import update

from bot.store import models
from tests.discord.clicking import Answer, Room, Screen
from tests.discord.playing import bot_of, end, open_lobby, seat
from tests.discord.test_clock import nudges
from tests.discord.test_lobby import PLACES, refused

Restart = Callable[..., Awaitable[None]]


class Manager:
    """Somebody with Manage Server, and the panel open."""

    def __init__(self, room: Room, member: MemberActor) -> None:
        self.room = room
        self.member = member

    @property
    def panel(self) -> Screen:
        return self.room.hand(self.member)

    async def open(self, page: str = "This server") -> Screen:
        answer = await self.room.command(self.member, "uno settings")
        assert answer.private
        if page != "This server":
            await self.turn_to(page)
        return self.panel

    async def turn_to(self, page: str) -> None:
        await self.room.click(self.member, self.panel, page)

    async def choose(self, name: str, values: Sequence[str | ChannelHandle]) -> Answer:
        return await self.room.choose(self.member, self.panel, values, menu=f"ll:0:0:server:{name}:")

    async def switch(self, name: str, state: int) -> Answer:
        return await self.room.click(self.member, self.panel, custom_id=f"ll:0:0:server:{name}.{state}:")


def manager_of(room: Room, name: str = "Mia") -> Manager:
    (member,) = room.members(name)
    guild = room.channel.guild
    role = guild.create_role("Managers", permissions=discord.Permissions(manage_guild=True))
    guild._env.backend.add_member_role(guild.id, member.id, role.id)
    return Manager(room, member)


@pytest.fixture
def manager(room: Room) -> Manager:
    return manager_of(room)


# --- who


async def test_only_who_manages_the_server_sees_and_changes_its_settings(manager: Manager) -> None:
    room = manager.room
    (ann,) = room.members("Ann")
    refused(await room.command(ann, "uno settings"), "Only somebody with Manage Server")
    panel = await manager.open()
    public = await open_lobby(room, ann)
    for custom_id in panel.custom_ids:
        data: dict[str, Any] = {"custom_id": custom_id}
        if ":channels:" in custom_id or ":locale:" in custom_id or ":nudges:" in custom_id:
            data["values"] = []
        refused(await room.forge(ann, public, data), "Only somebody with Manage Server")
    assert await bot_of(room).store.guild_settings(room.channel.guild.id) == {}


async def test_each_server_has_settings_of_its_own(manager: Manager) -> None:
    other = Room(
        manager.room.simulation, manager.room.simulation.create_guild("Other").create_text_channel("uno")
    )
    await manager.open("New tables")
    await manager.choose("seats", ["4"])
    (ann,) = manager.room.members("Ann")
    (bob,) = other.members("Bob")
    assert "1 player of 4" in (await open_lobby(manager.room, ann)).text
    assert "1 player of 10" in (await open_lobby(other, bob)).text


# --- what a new table begins with


async def test_a_new_table_begins_as_the_server_has_it_and_its_own_options_win(
    manager: Manager, restart: Restart
) -> None:
    room = manager.room
    await manager.open("House rules")
    await manager.switch("stack", 1)
    await manager.switch("no_bluff", 1)
    await manager.turn_to("New tables")
    for name, value in (("length", "target.250"), ("turn_time", "120"), ("seats", "6")):
        await manager.choose(name, [value])
    await manager.switch("calls_uno", 1)
    await manager.switch("invite_only", 1)
    await restart(killed=True)
    (ann,) = room.members("Ann")
    lobby = await open_lobby(room, ann)
    for words in (
        "1 player of 6",
        "House rules: Stacking and No bluffing",
        "Match: the first to 250 points",
        "Time for a turn: 2 minutes",
        "The bot says UNO for everybody.",
        "By invitation only.",
    ):
        assert words in lobby.text
    await room.click(ann, lobby, "Cancel")
    await room.simulation.advance_time(6)
    lobby = await open_lobby(room, ann, hands=3, turn_time="off")
    assert "Match: 3 hands" in lobby.text
    assert "Time for a turn: no limit" in lobby.text
    assert "House rules: Stacking and No bluffing" in lobby.text


async def test_a_servers_own_rules_are_a_preset_in_its_lobbies(manager: Manager) -> None:
    room = manager.room
    (ann,) = room.members("Ann")
    lobby = await open_lobby(room, ann)
    await room.click(ann, lobby, "Rules")
    assert "server" not in [value for _, value in room.hand(ann).menus[0].options]
    await manager.open("House rules")
    await manager.switch("draw_until_playable", 1)
    await room.click(ann, room.hand(ann), "House rules")
    menu = room.hand(ann).menus[0]
    assert ("This server's own rules", "server") in menu.options
    await room.choose(ann, room.hand(ann), ["server"], menu=menu.custom_id)
    assert "House rules: Draw until playable" in room.table().text
    panel = room.hand(ann)
    await manager.choose("preset", ["official"])
    answer = await room.choose(ann, panel, ["server"], menu=menu.custom_id)
    assert "cannot be chosen any more" in answer.text


@pytest.mark.parametrize("place", PLACES)
async def test_tables_open_in_a_thread_where_that_can_be(simulation: Any, place: str) -> None:
    room = Room(simulation, PLACES[place](simulation.create_guild("Server")))
    manager = manager_of(room)
    await manager.open()
    await manager.switch("thread", 1)
    (ann,) = room.members("Ann")
    answer = await room.command(ann, "uno start")
    lobby = answer.screen
    assert lobby is not None
    if place in ("text", "announcement"):
        assert f"<#{room.channel.threads[0].id}>" in answer.text
        await simulation.advance_time(6)
        lobby = (await room.command(ann, "uno start", thread=False)).screen
        assert lobby is not None
    assert lobby.has("Start")


# --- where


async def test_tables_start_in_the_chosen_channels_and_their_threads_alone(manager: Manager) -> None:
    room, guild = manager.room, manager.room.channel.guild
    games = guild.create_text_channel("games")
    await manager.open()
    answer = await manager.choose("channels", [games])
    assert answer.kind == "update"
    (ann,) = room.members("Ann")
    refused(await room.command(ann, "uno start"), f"tables start in <#{games.id}> only")
    await room.simulation.advance_time(6)
    inside = Room(room.simulation, games)
    assert (await inside.command(ann, "uno start")).screen is not None
    guild._env.backend.create_thread(games.id, "thread", guild.owner.id)
    await room.simulation.advance_time(6)
    answer = await Room(room.simulation, games.threads[0]).command(ann, "uno start")
    assert not answer.private
    assert [menu.chosen for menu in manager.panel.menus if ":channels:" in menu.custom_id] == [
        (str(games.id),)
    ]
    await manager.choose("channels", [])
    await room.simulation.advance_time(6)
    assert not (await room.command(ann, "uno start")).private


async def test_a_channel_of_another_server_is_not_kept(manager: Manager) -> None:
    room = manager.room
    other = room.simulation.create_guild("Other").create_text_channel("uno")
    panel = await manager.open()
    await room.forge(
        manager.member, panel, {"custom_id": "ll:0:0:server:channels:", "values": [str(other.id)]}
    )
    assert (await bot_of(room).guild_settings.get(room.channel.guild.id)).channels == ()


# --- the rest


@pytest.mark.parametrize(
    ("default", "wish", "called"),
    [("always", None, True), ("away", None, False), ("never", None, False), ("never", "always", True)],
)
async def test_who_never_said_when_is_called_as_the_server_has_it(
    manager: Manager, default: str, wish: str | None, called: bool
) -> None:
    room = manager.room
    await manager.open()
    await manager.choose("nudges", [default])
    table = await seat(room, 2)
    if wish is not None:
        for member in table.members:
            await room.command(member, "uno notify", when=wish)
    await room.simulation.advance_time(31)
    assert bool(nudges(room)) is called


async def test_only_moderators_end_and_remove_where_that_is_chosen(manager: Manager) -> None:
    room = manager.room
    await manager.open()
    await manager.switch("moderators_only", 1)
    ann, bob, cat = room.members("Ann", "Bob", "Cat")
    (mod,) = room.members("Mod")
    guild = room.channel.guild
    role = guild.create_role("Moderators", permissions=discord.Permissions(manage_messages=True))
    guild._env.backend.add_member_role(guild.id, mod.id, role.id)
    lobby = await open_lobby(room, ann)
    for member in (bob, cat):
        await room.click(member, room.look(lobby), "Join")
    refused(await room.command(ann, "uno kick", player=cat), "only somebody with Manage Messages")
    await room.click(ann, room.look(lobby), "Start")
    refused(await room.command(ann, "uno end"), "only somebody with Manage Messages")
    assert "1 of 2" in (await room.command(ann, "uno kick", player=cat)).text
    assert "removed" in (await room.command(bob, "uno kick", player=cat)).text
    assert "closed" in (await end(room, mod)).text


async def test_a_language_that_there_is_not_cannot_be_chosen(manager: Manager) -> None:
    panel = await manager.open()
    (menu,) = [menu for menu in panel.menus if ":locale:" in menu.custom_id]
    assert [value for _, value in menu.options][:2] == ["own", "en"]
    data = {"custom_id": menu.custom_id, "values": ["tlh"]}
    refused(await manager.room.forge(manager.member, panel, data), "cannot be chosen any more")
    await manager.choose("locale", ["en"])
    assert (await bot_of(manager.room).guild_settings.get(manager.room.channel.guild.id)).locale == "en"
    (ann,) = manager.room.members("Ann")
    await open_lobby(manager.room, ann)
    live = bot_of(manager.room).tables.in_channel(manager.room.channel.id)
    assert live is not None
    assert live.state.options.locale == "en"


async def test_a_time_zone_is_typed_and_suggested(manager: Manager) -> None:
    room = manager.room
    offered = await manager.member.autocomplete(room.channel, "uno settings", "time_zone", "tira")
    assert [choice["value"] for choice in offered] == ["Europe/Tirane", "Europe/Tiraspol"]
    answer = await room.command(manager.member, "uno settings", time_zone="Europe/Tirane")
    assert answer.private
    assert "Time zone of the leaderboard: **Europe/Tirane**" in answer.text
    guild_id = room.channel.guild.id
    assert (await bot_of(room).guild_settings.get(guild_id)).time_zone == "Europe/Tirane"
    refused(await room.command(manager.member, "uno settings", time_zone="Mars/Base"), "cannot be chosen")
    (zoe,) = room.members("Zoe")
    refused(await room.command(zoe, "uno settings", time_zone="UTC"), "Manage Server")
    assert (await bot_of(room).guild_settings.get(guild_id)).time_zone == "Europe/Tirane"


async def test_a_reset_asks_first(manager: Manager) -> None:
    guild_id = manager.room.channel.guild.id
    await manager.open()
    await manager.switch("moderators_only", 1)
    await manager.turn_to("Reset")
    assert "usual ones again?" in manager.panel.text
    await manager.turn_to("Back")
    assert (await bot_of(manager.room).guild_settings.get(guild_id)).moderators_only
    await manager.turn_to("Reset")
    answer = await manager.room.click(manager.member, manager.panel, "Yes, reset")
    assert "the usual ones again" in answer.text
    assert not (await bot_of(manager.room).guild_settings.get(guild_id)).moderators_only
    assert await bot_of(manager.room).store.guild_settings(guild_id) == {}


@pytest.mark.parametrize(
    "kept", [{"terms": {}}, {"terms": 7}, [1, 2], "x", {"channels": "x"}, {"surprise": True}]
)
async def test_settings_that_cannot_be_read_are_kept_until_they_are_reset(
    manager: Manager, restart: Restart, kept: Any
) -> None:
    room = manager.room
    await manager.open()
    await manager.switch("moderators_only", 1)
    store = bot_of(room).store
    written = update(models.guild_settings).values(settings=kept)
    await store._writer.run(lambda connection: connection.execute(written))
    await restart()
    (ann,) = room.members("Ann")
    assert "Match: 1 hand" in (await open_lobby(room, ann)).text
    await manager.open()
    answer = await manager.switch("thread", 1)
    assert "in a form that this version cannot read" in answer.text
    guild_id = room.channel.guild.id
    assert await bot_of(room).store.guild_settings(guild_id) == kept
    await manager.open("Reset")
    await room.click(manager.member, manager.panel, "Yes, reset")
    await manager.open()
    await manager.switch("thread", 1)
    assert (await bot_of(room).guild_settings.get(guild_id)).thread
