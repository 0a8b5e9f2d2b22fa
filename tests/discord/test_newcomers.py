"""Somebody who knows nothing is carried: help, about, and hints until a first match is over."""

from typing import Any

import pytest
from simcord import MemberActor

from bot import VERSION, create_bot
from engine.rules import Length
from tests.discord.clicking import Room, Screen
from tests.discord.playing import Table, open_lobby, seat

SIX = ["R5", "R6", "G1", "G2", "B1", "B2"]


async def fetched(table: Table, member: MemberActor) -> Screen:
    """Fetch a hand from the table's message."""
    screen = (await table.press_board(member, "My hand")).screen
    assert screen is not None
    return screen


def hints(screen: Screen) -> list[str]:
    return [line.removeprefix("-# 💡 ") for line in screen.text.split("\n") if "💡" in line]


async def test_help_is_one_private_screen(room: Room) -> None:
    (ann,) = room.members("Ann")
    answer = await room.command(ann, "uno help")
    assert answer.private
    assert answer.text.startswith("### ")
    assert "how to play" in answer.text
    assert answer.screen is not None
    rules = await room.click(ann, answer.screen, "All the rules")
    assert rules.kind == "update"
    assert "112 cards" in rules.text


async def test_the_lobby_leads_to_the_help_whoever_asks(room: Room) -> None:
    ann, eve = room.members("Ann", "Eve")
    lobby = await open_lobby(room, ann)
    for member in (ann, eve):
        answer = await room.click(member, lobby, "How to play")
        assert answer.private
        assert "Down to two cards?" in answer.text
    await room.click(ann, lobby, "Cancel")
    assert "Down to two cards?" in (await room.click(eve, lobby, "How to play")).text, "an old lobby too"


async def test_about_tells_what_it_is_and_stores(room: Room) -> None:
    (ann,) = room.members("Ann")
    answer = await room.command(ann, "uno about")
    assert answer.private
    assert f"Lastlap {VERSION}" in answer.text
    assert "http" not in answer.text


async def test_about_links_what_the_operator_gave(simulate: Any, settings: Any) -> None:
    given = settings.model_copy(update={"privacy_url": "https://example.org/p"})
    simulation = await simulate(create_bot(given))
    room = Room(simulation, simulation.create_guild("Server").create_text_channel("uno"))
    (ann,) = room.members("Ann")
    assert "[All about privacy](<https://example.org/p>)" in (await room.command(ann, "uno about")).text


HOW = "Press a card to play it. Cards without a button can't be played right now."


async def test_hints_go_with_the_first_match(room: Room) -> None:
    table = await seat(room, 2)
    ann, bob = table.members
    await table.arrange(SIX, SIX, length=Length(hands=1))
    assert hints(table.hand(ann)) == [HOW]
    await table.press(ann, "Red 5")
    assert hints(table.hand(bob)) == [HOW]
    await table.arrange(["R5", "R6"], SIX)
    assert hints(table.hand(ann)) == [
        "Two cards left: press UNO! first, then your card. Otherwise you can be caught."
    ]
    await table.press(ann, "UNO!")
    assert hints(table.hand(ann)) == []
    await table.arrange(["R5"], SIX)
    await table.press(ann, "Red 5")
    assert table.board().has("Rematch")
    (eve,) = room.members("Eve")
    again = await seat(room, [ann, bob, eve])
    await again.arrange(SIX, SIX, SIX)
    assert hints(again.hand(ann)) == []
    assert len(hints(await fetched(again, eve))) == 1
    assert hints(await fetched(again, bob)) == []


async def test_hints_outlive_a_restart(room: Room, restart: Any) -> None:
    table = await seat(room, 2)
    await table.arrange(SIX, SIX)
    await restart(killed=True)
    assert len(hints(await fetched(table, table.members[0]))) == 1


@pytest.mark.parametrize("label", ["Accept +4", "Challenge (+6 if wrong)"])
async def test_a_challenge_is_explained_to_the_one_who_decides(room: Room, label: str) -> None:
    table = await seat(room, 3)
    ann, bob, cleo = table.members
    await table.arrange(["W4", "G1", "G2"], SIX, SIX)
    await table.press(ann, "Wild Draw Four")
    await table.press(ann, "Red")
    assert hints(table.hand(bob))[0].startswith("Accept, and you lose your turn.")
    assert not [hint for hint in hints(table.hand(cleo)) if "challenge" in hint]
    await table.press(bob, label)
    assert "lose your turn" not in table.hand(bob).text
