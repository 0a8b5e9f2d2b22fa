"""The statistics of a member, as asked for and shown around (docs/rules.md, Statistics and achievements)."""

import pytest
from simcord import MemberActor

from bot import create_bot
from bot.settings import Settings
from bot.store import Save
from tests.discord.clicking import Room
from tests.discord.playing import bot_of
from tests.discord.test_lobby import refused
from tests.store import making


async def played(room: Room, *members: MemberActor) -> None:
    """Let the first member have won a hand of 300 points against the others."""
    scores = [(member.id, 300 if not seat else 0, not seat) for seat, member in enumerate(members)]
    table = making.table(1000, guild=room.channel.guild.id)
    names = zip([member.id for member in members], ("Ann", "Bob"), strict=True)
    seats = making.seats(table.id, list(names))
    save = Save(table=table, seats=seats, hands=(making.finished_hand(*scores),))
    assert await bot_of(room).store.submit(save)


@pytest.fixture
async def people(room: Room) -> list[MemberActor]:
    people = room.members("Ann", "Bob")
    await played(room, *people)
    return people


async def test_ones_own_statistics_are_private_and_others_are_one_option_away(
    room: Room, people: list[MemberActor]
) -> None:
    ann, bob = people
    answer = await room.command(ann, "uno stats")
    assert answer.private
    assert "Statistics of Ann" in answer.text
    assert "Hands: 1 · Won: 1 (100%)" in answer.text
    assert "**Jackpot**" in answer.text
    answer = await room.command(ann, "uno stats", member=bob)
    assert "Statistics of Bob" in answer.text
    assert "Nemesis: **Ann** (won 1 hand of 1 together)" in answer.text
    assert room.hand(ann).labels == ["Profile card"]


async def test_the_menu_of_a_member_shows_the_same(room: Room, people: list[MemberActor]) -> None:
    ann, bob = people
    result = await ann.context_menu(room.channel, "UNO stats", bob)
    await room.simulation.settle()
    answer = room._answered(result, "menu")
    assert answer.private
    assert answer.text == (await room.command(ann, "uno stats", member=bob)).text


async def test_a_card_is_private_until_it_is_shared(
    room: Room, people: list[MemberActor], settings: Settings
) -> None:
    ann, _ = people
    await room.command(ann, "uno stats")
    screen = room.hand(ann)
    answer = await room.click(ann, screen, "Profile card")
    assert answer.private
    assert answer.screen is not None
    (own,) = answer.screen.payload["attachments"]
    answer = await room.click(ann, screen, "Share")
    assert not answer.private
    assert answer.screen is not None
    (shared,) = answer.screen.payload["attachments"]
    for picture in (own, shared):
        assert picture["filename"] == "profile.png"
        assert picture["description"].splitlines()[:3] == ["Ann", "Points: 300", "Hands won: 1 of 1"]


async def test_cards_do_not_flood_a_channel(room: Room, settings: Settings) -> None:
    await room.simulation.restart(create_bot(settings.model_copy(update={"share_pause": 30.0})))
    ann, bob = room.members("Ann", "Bob")
    await played(room, ann, bob)
    await room.command(ann, "uno stats")
    screen = room.hand(ann)
    await room.click(ann, screen, "Share")
    refused(await room.click(ann, screen, "Share"), "A picture was shared here a moment ago.")
