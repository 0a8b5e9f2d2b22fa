"""The host's panel: what a lobby is played by, who may choose it, and what becomes of odd presses."""

from collections.abc import Awaitable, Callable

import discord
import pytest
from simcord import MemberActor

from bot.tables import Click
from tests.discord.clicking import Answer, Room, Screen
from tests.discord.playing import Table, bot_of, open_lobby
from tests.discord.simulation import Simulation
from tests.discord.test_lobby import PLACES, forbid, refused

Restart = Callable[..., Awaitable[None]]


class Host:
    """Somebody with a lobby and its panel open."""

    def __init__(self, room: Room, member: MemberActor) -> None:
        self.room = room
        self.member = member

    @property
    def lobby(self) -> Screen:
        return self.room.table()

    @property
    def panel(self) -> Screen:
        return self.room.hand(self.member)

    async def open(self, page: str = "House rules") -> Screen:
        answer = await self.room.click(self.member, self.lobby, "Rules")
        assert answer.private
        if page != "House rules":
            await self.room.click(self.member, self.panel, page)
        return self.panel

    async def choose(self, name: str, *values: str | MemberActor) -> Answer:
        menus = [menu.custom_id for menu in self.panel.menus if f":{name}:" in menu.custom_id]
        return await self.room.choose(self.member, self.panel, values, menu=menus[0])

    async def switch(self, name: str, state: int) -> Answer:
        table = self.panel.buttons[0].custom_id.split(":")[1]
        return await self.room.click(self.member, self.panel, custom_id=f"ll:{table}:0:agree:{name}.{state}:")


@pytest.fixture
async def host(room: Room) -> Host:
    (ann,) = room.members("Ann")
    await open_lobby(room, ann)
    return Host(room, ann)


async def test_each_house_rule_is_a_switch_that_the_lobby_names(host: Host) -> None:
    await host.open()
    for name, words in (("stack", "Stacking"), ("jump_in", "Jump-in"), ("no_bluff", "No bluffing")):
        answer = await host.switch(name, 1)
        assert answer.kind == "update"
        assert words in host.lobby.text
        assert f"{name}.0" in " ".join(host.panel.custom_ids)
    assert "House rules: Stacking, Jump-in and No bluffing" in host.lobby.text
    await host.switch("stack", 0)
    assert "House rules: Jump-in and No bluffing" in host.lobby.text


@pytest.mark.parametrize(
    ("preset", "words"),
    [
        ("Party", "House rules: Stacking, Sevens and zeros and Jump-in"),
        (
            "Ruthless",
            "House rules: Stacking, Draw until playable, Forced play, Sevens and zeros and Jump-in",
        ),
        ("Official rules", "House rules: none"),
    ],
)
async def test_a_preset_sets_all_house_rules_at_once(host: Host, preset: str, words: str) -> None:
    await host.open()
    await host.switch("no_bluff", 1)
    await host.choose("preset", preset)
    assert words in host.lobby.text
    menu = next(menu for menu in host.panel.menus if ":preset:" in menu.custom_id)
    assert menu.chosen == (dict(menu.options)[preset],)


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("length", "Match: 10 hands", "Match: 10 hands"),
        ("length", "target.250", "Match: the first to 250 points"),
        ("turn_time", "Time for a turn: 15 seconds", "Time for a turn: 15 seconds"),
        ("turn_time", "off", "Time for a turn: no limit"),
        ("seats", "4 seats", "1 player of 4"),
    ],
)
async def test_what_is_chosen_in_a_menu_stands_in_the_lobby(
    host: Host, name: str, value: str, words: str
) -> None:
    await host.open("Table")
    answer = await host.choose(name, value)
    assert answer.kind == "update"
    assert words in host.lobby.text


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        *(
            (values, "message")
            for values in (["hands.99"], ["hands.3", "hands.5"], ["x" * 5000], [7], [None])
        ),
        ("no list", "message"),
        ([], "update"),
    ],
)
async def test_a_choice_that_was_not_offered_changes_nothing(host: Host, values: object, kind: str) -> None:
    await host.open("Table")
    (custom_id,) = [menu.custom_id for menu in host.panel.menus if ":length:" in menu.custom_id]
    before = host.lobby.payload
    answer = await host.room.forge(host.member, host.panel, {"custom_id": custom_id, "values": values})
    assert answer.kind == kind
    assert answer.private == (kind == "message")
    assert host.lobby.payload == before


async def test_a_stranger_cannot_choose_on_a_panel_they_forge(host: Host) -> None:
    (eve,) = host.room.members("Eve")
    await host.open()
    custom_id = next(each for each in host.panel.custom_ids if ":agree:stack" in each)
    before = host.lobby.payload
    refused(await host.room.forge(eve, host.lobby, {"custom_id": custom_id}), "Only the host")
    assert host.lobby.payload == before


# --- who, and when


async def test_who_is_not_the_host_reads_what_is_agreed_and_can_change_nothing(host: Host) -> None:
    (bob,) = host.room.members("Bob")
    await host.open()
    await host.switch("stack", 1)
    await host.choose("preset", "Party")
    answer = await host.room.click(bob, host.lobby, "Rules")
    assert answer.private
    assert answer.screen is not None
    assert answer.screen.buttons == []
    assert answer.screen.menus == []
    for words in ("Stacking", "Sevens and zeros", "Jump-in", "Ann, chooses them"):
        assert words in answer.text


async def test_a_new_host_chooses_and_the_old_panel_is_refused(host: Host) -> None:
    (bob,) = host.room.members("Bob")
    await host.room.click(bob, host.lobby, "Join")
    panel = await host.open()
    await host.room.command(host.member, "uno host", player=bob)
    custom_id = next(each for each in panel.custom_ids if ":agree:stack" in each)
    before = host.lobby.payload
    refused(await host.room.click(host.member, panel, custom_id=custom_id), "Only the host")
    assert host.lobby.payload == before
    other = Host(host.room, bob)
    await other.open()
    await other.switch("stack", 1)
    assert "House rules: Stacking" in host.lobby.text


async def test_once_a_match_has_begun_its_rules_stand(host: Host) -> None:
    (bob,) = host.room.members("Bob")
    lobby = host.lobby
    await host.room.click(bob, lobby, "Join")
    panel = await host.open()
    await host.room.click(host.member, host.lobby, "Start")
    custom_id = next(each for each in panel.custom_ids if ":agree:stack" in each)
    live = bot_of(host.room).tables.in_channel(host.room.channel.id)
    assert live is not None
    options = live.state.options
    refused(await host.room.click(host.member, panel, custom_id=custom_id), "its rules stand")
    refused(await host.room.click(host.member, lobby, "Rules"), "its rules stand")
    assert live.state.options == options


async def test_the_panel_survives_a_restart(host: Host, restart: Restart) -> None:
    await host.open()
    await host.switch("jump_in", 1)
    await restart(killed=True)
    await host.switch("stack", 1)
    assert "House rules: Stacking and Jump-in" in host.lobby.text


async def test_the_first_hand_comes_below_and_not_in_the_panels_place(host: Host) -> None:
    (bob,) = host.room.members("Bob")
    await host.room.click(bob, host.lobby, "Join")
    panel = await host.open()
    await host.room.click(host.member, host.lobby, "Start")
    assert host.room.look(panel).payload["components"] == panel.payload["components"]
    assert host.room.hand(host.member).id != panel.id


async def test_seats_are_never_fewer_than_sit_there(host: Host) -> None:
    bob, cat, eve = host.room.members("Bob", "Cat", "Eve")
    panel = await host.open("Table")
    for member in (bob, cat):
        await host.room.click(member, host.lobby, "Join")
    (menu,) = [menu for menu in panel.menus if ":seats:" in menu.custom_id]
    answer = await host.room.choose(host.member, panel, ["2"], menu=menu.custom_id)
    assert answer.kind == "update"
    assert "More people than that are seated already." in answer.text
    assert "3 players of 10" in host.lobby.text
    assert not any(value == "2" for each in host.panel.menus for _, value in each.options)
    await host.choose("seats", "3")
    assert "3 players of 3" in host.lobby.text
    refused(await host.room.click(eve, host.lobby, "Join"), "All seats are taken")


# --- by invitation


async def test_only_the_invited_join_and_each_is_mentioned_once(host: Host) -> None:
    bob, cat, eve = host.room.members("Bob", "Cat", "Eve")
    await host.open("Table")
    await host.choose("invite", bob, cat)
    (mention,) = [screen for screen in host.room.screens() if screen.pinged]
    assert mention.pinged == {bob.id, cat.id}
    assert "Ann invites you" in mention.text
    assert "By invitation only." in host.lobby.text
    assert "Invited: Bob and Cat" in host.lobby.text
    refused(await host.room.click(eve, host.lobby, "Join"), "invite only")
    assert (await host.room.click(bob, host.lobby, "Join")).kind == "update"
    assert "Invited: Cat" in host.lobby.text

    again = await host.choose("invite", bob, cat)
    assert "Nobody was invited" in again.text
    await host.choose("invite", cat, eve)
    assert [screen.pinged for screen in host.room.screens() if screen.pinged][1:] == [{eve.id}]
    assert (await host.room.click(eve, host.lobby, "Join")).kind == "update"


async def test_who_leaves_a_table_by_invitation_may_come_back_and_who_is_removed_may_not(host: Host) -> None:
    bob, cat = host.room.members("Bob", "Cat")
    for member in (bob, cat):
        await host.room.click(member, host.lobby, "Join")
    await host.open("Table")
    await host.switch("invite_only", 1)
    await host.room.click(bob, host.lobby, "Leave")
    await host.room.command(host.member, "uno kick", player=cat)
    assert (await host.room.click(bob, host.lobby, "Join")).kind == "update"
    refused(await host.room.click(cat, host.lobby, "Join"), "You were removed")


async def test_bots_are_not_invited(host: Host) -> None:
    guild = host.room.channel.guild
    robot = guild.add_member(host.room.simulation.create_user("robot", bot=True))
    await host.open("Table")
    assert "Nobody was invited" in (await host.choose("invite", robot)).text
    assert not any(screen.pinged for screen in host.room.screens())


async def test_the_match_of_those_invited_is_theirs_alone(host: Host) -> None:
    bob, eve = host.room.members("Bob", "Eve")
    await host.open("Table")
    await host.choose("length", "hands.3")
    await host.choose("invite", bob)
    await host.room.click(bob, host.lobby, "Join")
    await host.room.click(host.member, host.lobby, "Start")
    refused(await host.room.click(eve, host.room.table(), "My hand"), "invite only")


# --- to a thread


async def test_a_lobby_moves_to_a_thread_and_is_played_there(host: Host, restart: Restart) -> None:
    (bob,) = host.room.members("Bob")
    await host.room.click(bob, host.lobby, "Join")
    old = host.lobby
    await host.open("Table")
    answer = await host.room.click(host.member, host.panel, "Move to a thread")
    (thread,) = host.room.channel.threads
    assert f"<#{thread.id}>" in answer.text
    left = host.room.look(old)
    assert f"<#{thread.id}>" in left.text
    assert left.buttons == []
    inside = Room(host.room.simulation, thread)
    assert "2 players of 10" in inside.table().text
    refused(await host.room.click(bob, old, "Leave"), f"This table is in <#{thread.id}> now.")

    await restart(killed=True)
    await inside.click(host.member, inside.table(), "Start")
    assert not any(each.buttons for each in host.room.private(bob)), "a token of the channel reached a hand"
    (ping,) = [screen for screen in inside.screens() if screen.pinged]
    assert bob.id in ping.pinged
    for member in (host.member, bob):
        await inside.click(member, inside.table(), "My hand")
        assert inside.hand(member).has("More")
    (other,) = host.room.members("Eve")
    assert (await host.room.command(other, "uno start")).screen is not None


async def test_what_is_missing_for_a_thread_is_named_and_the_lobby_stays(host: Host) -> None:
    guild = host.room.channel.guild
    await host.open("Table")
    forbid(guild, host.room.channel.id, "create_public_threads")
    refused(await host.room.click(host.member, host.panel, "Move to a thread"), "Create Public Threads")
    assert host.lobby.has("Start")
    forbid(guild, host.room.channel.id)
    host.room.simulation.inject_error("POST", "/channels/*/messages/*/threads", status=400, code=160004)
    answer = await host.room.click(host.member, host.panel, "Move to a thread")
    assert "no thread" in answer.text
    assert host.lobby.has("Start")


@pytest.mark.parametrize("place", ["voice", "thread", "forum post"])
async def test_no_thread_is_offered_where_none_can_be(simulation: Simulation, place: str) -> None:
    room = Room(simulation, PLACES[place](simulation.create_guild("Server")))
    (ann,) = room.members("Ann")
    await open_lobby(room, ann)
    host = Host(room, ann)
    await host.open("Table")
    assert not host.panel.has("Move to a thread")
    forged = f"ll:{host.panel.custom_ids[0].split(':')[1]}:0:thread::"
    refused(await room.forge(ann, host.panel, {"custom_id": forged}), "A thread cannot be made here.")


# --- UNO by itself


async def test_the_bot_says_uno_for_everybody(host: Host) -> None:
    (bob,) = host.room.members("Bob")
    await host.room.click(bob, host.lobby, "Join")
    await host.open("Table")
    await host.switch("calls_uno", 1)
    assert "The bot says UNO for everybody." in host.lobby.text
    await host.room.click(host.member, host.lobby, "Start")
    table = Table(host.room, [host.member, bob])
    await table.arrange(["R5", "B1"], ["G1", "G2", "R8"], turn=0)
    assert table.board().labels == ["My hand"]
    assert set(table.hand(host.member).labels) & {"UNO!", "Catch!"} == set()
    assert "The bot says UNO for everybody." in table.board().text
    await table.press(host.member, "Red 5")
    assert table.match.game.owed == -1
    assert "**Ann**: 1 card · **UNO!**" in table.board().text
    shown = table.hand(bob)
    for call in ("uno::", "catch::", "toggle::u"):
        forged = f"ll:{table.live.id}:{table.match.decision}:{call}"
        answer = await host.room.forge(bob, shown, {"custom_id": forged})
        assert "I say UNO for everybody" in answer.text
    assert len(table.view(bob).hand) == 3


async def test_a_kill_while_a_lobby_moves_leaves_it_in_the_thread_with_a_pointer(
    host: Host, restart: Restart
) -> None:
    room, old = host.room, host.lobby
    room.simulation.backend.create_thread(room.channel.id, "thread", host.member.id)
    (thread,) = room.channel.threads
    bot = bot_of(room)
    live = bot.tables.in_channel(room.channel.id)
    assert live is not None
    bot.tables._listeners.clear()  # killed before anything is rendered
    click = Click(1, host.member.id, "Ann", discord.utils.utcnow())
    await bot.tables.move(live, click, thread.id)
    await restart(killed=True)
    inside = Room(room.simulation, thread)
    assert inside.table().has("Start")
    left = room.look(old)
    assert f"<#{thread.id}>" in left.text
    assert left.buttons == []
