"""The host's panel: what a lobby is played by, who may choose it, and what becomes of odd presses."""

import pytest
from simcord import MemberActor

from tests.discord.clicking import Answer, Room, Screen
from tests.discord.playing import open_lobby
from tests.discord.test_lobby import refused


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
    assert "House rules: Stacking, Jump-in, No bluffing" in host.lobby.text
    await host.switch("stack", 0)
    assert "House rules: Jump-in, No bluffing" in host.lobby.text


@pytest.mark.parametrize(
    ("preset", "words"),
    [
        ("Party", "House rules: Stacking, Sevens and zeros, Jump-in"),
        (
            "Ruthless",
            "House rules: Stacking, Draw until playable, Forced play, Sevens and zeros, Jump-in",
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
    "values", [["hands.99"], ["hands.3", "hands.5"], ["x" * 5000], [7], [None], [], "no list"]
)
async def test_a_choice_that_was_not_offered_changes_nothing(host: Host, values: object) -> None:
    await host.open("Table")
    (custom_id,) = [menu.custom_id for menu in host.panel.menus if ":length:" in menu.custom_id]
    before = host.lobby.payload
    answer = await host.room.forge(host.member, host.panel, {"custom_id": custom_id, "values": values})
    assert answer.private or answer.kind == "update"
    assert host.lobby.payload == before


async def test_a_stranger_cannot_choose_on_a_panel_they_forge(host: Host) -> None:
    (eve,) = host.room.members("Eve")
    await host.open()
    custom_id = next(each for each in host.panel.custom_ids if ":agree:stack" in each)
    before = host.lobby.payload
    refused(await host.room.forge(eve, host.lobby, {"custom_id": custom_id}), "Only the host")
    assert host.lobby.payload == before
