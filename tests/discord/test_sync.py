"""Discord is told of the commands where they have changed; if it refuses them they stay as they were."""

import json
from collections.abc import Awaitable, Callable
from gettext import NullTranslations
from typing import Any

import discord
import pytest

from bot import create_bot
from bot.interactions.commands import sync
from bot.interactions.commands.sync import MOST_IN_COMMAND, _length, _nodes, command_payload
from bot.ui.text.translation import Text
from tests.discord.clicking import Room
from tests.discord.playing import bot_of
from tests.discord.simulation import Simulation

Restart = Callable[..., Awaitable[None]]
SYNC = ("PUT", "/commands")


class Catalogue(NullTranslations):
    """Translates every text into the same one."""

    def __init__(self, translation: str) -> None:
        super().__init__()
        self._translation = translation

    def pgettext(self, context: str, message: str) -> str:
        return self._translation


def translate(monkeypatch: pytest.MonkeyPatch, translation: str) -> None:
    monkeypatch.setattr(sync, "text_for", lambda locale: Text(locale, Catalogue(translation)))


def synced(room: Room) -> list[Any]:
    """Return what Discord was told at each sync."""
    return [call.json for call in room.simulation.calls(*SYNC)]


async def test_commands_are_synced_once_and_again_where_they_changed(
    room: Room, restart: Restart, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert len(synced(room)) == 1
    await restart()
    assert len(synced(room)) == 1
    translate(monkeypatch, "anders")
    await restart()
    assert len(synced(room)) == 2


async def test_the_ids_outlive_a_restart_and_make_commands_clickable(room: Room, restart: Restart) -> None:
    (command,) = json.loads(await bot_of(room).store.fact("commands"))["ids"].items()
    assert command[0] == "uno"
    for _ in range(2):
        ids = bot_of(room).services.command_ids
        assert ids.mention("uno start") == f"</uno start:{command[1]}>"
        assert ids.mention("other") == "/other"
        await restart()


async def test_a_refused_sync_is_logged_and_the_commands_stay_as_they_were(
    room: Room, restart: Restart, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    (ann,) = room.members("Ann")
    mention = bot_of(room).services.command_ids.mention("uno start")
    translate(monkeypatch, "anders")
    for status, code in ((400, 50035), (403, 50001)):
        room.simulation.inject_error(*SYNC[:1], "/applications/*/commands", status=status, code=code)
        await restart()
        assert "commands_not_synced" in caplog.text
        caplog.clear()
        assert (await room.command(ann, "uno rules")).private
        assert bot_of(room).services.command_ids.mention("uno start") == mention
    await restart()
    assert "commands_not_synced" not in caplog.text, "it is tried again at each start"
    assert synced(room)[-1][0]["options"][0]["name_localizations"]


async def test_a_first_sync_that_is_refused_leaves_plain_text(simulate: Any, settings: Any) -> None:
    bot = create_bot(settings)
    simulation = Simulation(bot)
    simulation.inject_error("PUT", "/applications/*/commands", status=400, code=50035)
    await simulation.start()
    assert bot.services.command_ids.mention("uno start") == "/uno start"
    await simulation.close()


async def test_translations_that_break_the_rules_are_english(
    simulation: Simulation, monkeypatch: pytest.MonkeyPatch
) -> None:
    translate(monkeypatch, "Never! " * 20)
    bot = simulation.bot
    payload = await command_payload(bot.tree)  # type: ignore[attr-defined]  # it is ours
    assert "Never!" not in json.dumps(payload)


async def test_the_commands_themselves_keep_the_rules(simulation: Simulation) -> None:
    payload = await command_payload(simulation.bot.tree)  # type: ignore[attr-defined]  # it is ours
    for locale in discord.Locale:
        assert sum(_length(node, locale.value) for node in _nodes(payload[0])) <= MOST_IN_COMMAND


async def test_commands_in_texts_can_be_clicked(room: Room) -> None:
    mention = bot_of(room).services.command_ids.mention("uno start")
    (ann,) = room.members("Ann")
    await room.command(ann, "uno hand")
    assert mention in room.private(ann)[-1].payload["content"]
