"""The language of each answer: the person's own, else the server's, else that of their Discord."""

from collections.abc import Awaitable, Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest

from bot.store import Uncertain
from bot.ui.text import translation
from engine.rules import Length
from tests.discord.clicking import Room
from tests.discord.playing import Table, bot_of, open_lobby
from tests.discord.simulation import Simulation
from tests.discord.slow_disk import command
from tests.discord.test_table import Marked, languages_in, languages_in_text

Restart = Callable[..., Awaitable[None]]


@pytest.fixture(autouse=True)
def marked(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let every sentence begin with its language."""
    monkeypatch.setattr(translation, "read_catalogue", lambda locale: Marked(str(locale)))
    translation.text_for.cache_clear()
    yield
    translation.text_for.cache_clear()


async def speak(room: Room, locale: str | None) -> None:
    """Choose the language of the server."""
    settings, guild = bot_of(room).guild_settings, room.channel.guild.id
    await settings.change(guild, lambda before: replace(before, locale=locale))


async def spoken(room: Room, member: Any, command: str = "uno leaderboard") -> set[str]:
    return languages_in_text((await room.command(member, command)).text)


async def test_the_own_language_comes_first_then_the_servers_then_that_of_discord(room: Room) -> None:
    ann, bob = room.members("Ann", "Bob")
    room.simulation.locales |= {ann.id: "de", bob.id: "pl"}
    assert (await spoken(room, ann), await spoken(room, bob)) == ({"de"}, {"pl"})
    await speak(room, "cy")
    assert (await spoken(room, ann), await spoken(room, bob)) == ({"cy"}, {"cy"})
    told = await room.command(ann, "uno language", language="en")
    assert told.text == "en⟩From now on I answer you in this language: English."
    assert told.private
    assert (await spoken(room, ann), await spoken(room, bob)) == ({"en"}, {"cy"})
    told = await room.command(ann, "uno language", language="auto")
    assert told.text.startswith("cy⟩")
    await speak(room, None)
    assert (await spoken(room, ann), await spoken(room, bob)) == ({"de"}, {"pl"})


async def test_what_was_chosen_outlives_a_restart(room: Room, restart: Restart) -> None:
    (ann,) = room.members("Ann")
    room.simulation.locales[ann.id] = "de"
    await room.command(ann, "uno language", language="en")
    await restart()
    assert await spoken(room, ann) == {"en"}


async def test_a_language_that_there_is_not_is_refused(room: Room) -> None:
    (ann,) = room.members("Ann")
    asked = command(room, ann, "language", language="tlh")
    await room.simulation.settle()
    assert ["cannot be chosen any more" in told for told in asked.told] == [True]
    assert await bot_of(room).store.languages() == {}


async def seated(room: Room, *members: Any, public: str) -> Table:
    lobby = await open_lobby(room, members[0])
    for member in members[1:]:
        await room.click(member, lobby, f"{public}⟩Join")
    await room.click(members[0], lobby, f"{public}⟩Start")
    return Table(room, list(members))


async def test_a_welsh_server_gives_welsh_hands_and_names_buttons_as_they_are_there(room: Room) -> None:
    ann, bob, zoe = room.members("Ann", "Bob", "Zoe")
    room.simulation.locales |= {ann.id: "de", bob.id: "pl", zoe.id: "fr"}
    await speak(room, "cy")
    await room.command(bob, "uno language", language="en")
    table = await seated(room, ann, bob, public="cy")
    assert languages_in(table.board()) == {"cy"}
    assert languages_in(table.hand(ann)) == {"cy"}
    assert languages_in(table.hand(bob)) == {"en"}
    assert "**cy⟩My hand** under the table" in (await room.command(bob, "uno rules")).text
    assert await spoken(room, bob) == {"en"}
    # The buttons of this table stay Welsh.
    await speak(room, None)
    rules = await room.command(zoe, "uno rules")
    assert languages_in_text(rules.text) == {"fr", "cy"}
    assert "**cy⟩My hand** under the table" in rules.text


async def test_a_hand_is_refreshed_in_the_language_chosen_meanwhile(room: Room) -> None:
    ann, bob = room.members("Ann", "Bob")
    room.simulation.locales |= {ann.id: "de", bob.id: "pl"}
    table = await seated(room, ann, bob, public="en-US")
    await table.arrange(["R5", "R6"], ["B2", "R7"], turn=0)
    await room.command(bob, "uno language", language="en")
    await table.press(ann, "de⟩Red 5")
    assert languages_in(table.hand(bob)) == {"en"}


async def test_a_rematch_is_in_the_language_of_the_server_by_then(room: Room) -> None:
    ann, bob = room.members("Ann", "Bob")
    table = await seated(room, ann, bob, public="en-US")
    await table.arrange(["R5"], ["B2", "R7"], turn=0, length=Length(hands=1))
    await table.press(ann, "en-US⟩Red 5")
    await speak(room, "be")
    lobby = (await room.click(bob, room.table(), "en-US⟩Rematch")).screen
    assert lobby is not None
    assert languages_in(lobby) == {"be"}


async def test_where_no_choice_can_be_read_the_answer_is_in_the_language_of_discord(
    simulation: Simulation, room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    (ann,) = room.members("Ann")
    simulation.locales[ann.id] = "de"

    async def fail() -> dict[int, str]:
        raise Uncertain

    monkeypatch.setattr(bot_of(room).store, "languages", fail)
    assert await spoken(room, ann, "uno help") >= {"de"}
