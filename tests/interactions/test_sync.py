"""Translations of commands that break Discord's rules are left out, each with one line in the log."""

import asyncio
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import discord
import pytest
from babel.messages.catalog import Catalog
from discord import app_commands
from structlog.testing import capture_logs

from bot.interactions.commands import sync
from bot.interactions.commands.sync import check_translations, command_payload
from bot.interactions.commands.uno import UnoCommands
from bot.messages import requests
from bot.ui.text.translation import LANGUAGES, Text
from tests.ui.catalogues import CATALOGUES
from tests.ui.positions import compiled

Payload = dict[str, Any]


def node(name: str, description: str = "What it does", **more: Any) -> Payload:
    return {"name": name, "description": description, "name_localizations": {}} | more


def checked(*commands: Payload) -> list[Payload]:
    """Check translations; returns what was logged."""
    with capture_logs() as logs:
        check_translations(list(commands))
    assert {line["event"] for line in logs} <= {"translation_breaks_rules"}
    assert all(line["log_level"] == "warning" for line in logs)
    return logs


@pytest.mark.parametrize("name", ["hand", "main-gauche", "χέρι", "рука", "手札", "a" * 32, "zug_2"])
def test_a_name_that_discord_takes_stays(name: str) -> None:
    command = node("deal", name_localizations={"fr": name})
    assert checked(command) == []
    assert command["name_localizations"] == {"fr": name}


@pytest.mark.parametrize("name", ["Hand", "my hand", "", "a" * 33, "hand!", "ŽÁDNÝ", "l'as", "a.b"])
def test_a_name_that_discord_refuses_is_english_and_logged_once(name: str) -> None:
    command = node("deal", name_localizations={"fr": name, "de": "geben"})
    (line,) = checked(command)
    assert (line["command"], line["locale"]) == ("deal", "fr")
    assert command["name_localizations"] == {"de": "geben"}


def test_names_differ_among_siblings_and_from_what_is_not_translated() -> None:
    first = node("play", name_localizations={"de": "karte", "fr": "carte"})
    second = node("card", name_localizations={"de": "karte", "fr": "main"})
    third = node("main")
    elsewhere = node("karte", options=[node("play", name_localizations={"de": "karte"})])
    group = node("uno", options=[first, second, third, elsewhere])
    assert len(checked(group)) == 3
    assert first["name_localizations"] == {"fr": "carte"}
    assert second["name_localizations"] == {}
    assert elsewhere["options"][0]["name_localizations"] == {"de": "karte"}


def test_descriptions_and_choices_have_at_most_a_hundred_characters() -> None:
    choice = node("Always", name_localizations={"de": "x" * 101, "fr": "x" * 100}, value="always")
    option = node("when", choices=[choice], description_localizations={"de": "x" * 100, "fr": "x" * 101})
    command = node("notify", options=[option], description_localizations={"de": ""})
    lines = checked(command)
    assert [(line["command"], line["locale"]) for line in lines] == [
        ("notify", "de"),
        ("notify when", "fr"),
        ("notify when Always", "de"),
    ]
    assert choice["name_localizations"] == {"fr": "x" * 100}
    assert option["description_localizations"] == {"de": "x" * 100}
    assert command["description_localizations"] == {}


def test_a_language_in_which_a_command_is_too_long_is_left_out() -> None:
    options = [
        node(f"o{n}", "x" * 50, description_localizations={"de": "x" * 100, "fr": "x" * 60})
        for n in range(90)
    ]
    command = node("uno", options=options, description_localizations={"de": "kurz", "nl": "kort"})
    (line,) = checked(command)
    assert (line["command"], line["locale"]) == ("uno", "de")
    assert line["length"] > 8000
    assert {locale for each in options for locale in each["description_localizations"]} == {"fr"}
    assert command["description_localizations"] == {"nl": "kort"}


# --- the commands themselves


@pytest.fixture
def tree() -> Any:
    """Give the commands of the bot, which nobody calls."""
    tree = app_commands.CommandTree(discord.Client(intents=discord.Intents.none()))
    parts = SimpleNamespace(emojis=None)
    services: Any = SimpleNamespace(
        settings=None, store=None, tables=None, guild_settings=None, renderer=parts, messages=None
    )
    tree.add_command(UnoCommands(services))
    return tree


def texts_of(node: Payload) -> Iterator[tuple[str, str, str | None]]:
    """Give the English texts of a command and all below it: which kind, the text, its German."""
    for kind in ("name", "description"):
        if kind in node:
            yield kind, node[kind], (node.get(f"{kind}_localizations") or {}).get("de")
    for below in (*(node.get("choices") or ()), *(node.get("options") or ())):
        yield from texts_of(below)


@pytest.mark.parametrize("language", CATALOGUES)
async def test_the_commands_in_every_language_keep_discords_rules(
    tree: Any, monkeypatch: pytest.MonkeyPatch, language: str
) -> None:
    text = Text(language, compiled(CATALOGUES[language]))
    monkeypatch.setattr(sync, "text_for", lambda locale: text)
    with capture_logs() as logs:
        payload = await command_payload(tree)
    assert logs == []
    english = {english for _, english, german in texts_of(payload[0]) if german is None}
    # Some words are the same in another language.
    assert len(english) < 20


async def test_every_text_of_a_command_but_its_group_is_translated(
    tree: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = Text("cy", compiled(CATALOGUES["pseudo"]))
    monkeypatch.setattr(sync, "text_for", lambda locale: text)
    payload = await command_payload(tree)
    told = list(texts_of(payload[0]))
    assert [english for _, english, translated in told if translated is None] == ["uno", *LANGUAGES.values()]
    assert {translated for _, english, translated in told if english in ("2 min", "hand")} == {
        "2 mun",
        "hâñd",
    }


async def test_a_name_is_not_translated_as_the_same_word_in_a_sentence(
    tree: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    catalogue = Catalog(locale="de")
    catalogue.add("host", "Gastgeber")
    catalogue.add("host", "host-machen", context="command name")
    text = Text("de", compiled(catalogue))
    monkeypatch.setattr(sync, "text_for", lambda locale: text)
    with capture_logs() as logs:
        payload = await command_payload(tree)
    assert logs == []
    names = {english: german for kind, english, german in texts_of(payload[0]) if kind == "name"}
    assert names["host"] == "host-machen"


async def test_a_sync_that_hangs_or_fails_for_the_moment_is_made_again(
    tree: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sync, "SYNC_WITHIN", 0.05)
    monkeypatch.setattr(requests, "FIRST_PAUSE", 0.01)
    asked: list[Payload] = []
    facts: dict[str, str] = {}

    async def upsert(application_id: int, payload: list[Payload]) -> list[Payload]:
        asked.append(payload[0])
        if len(asked) == 1:
            await asyncio.Event().wait()
        if len(asked) == 2:
            raise TimeoutError
        return [{"name": "uno", "id": "77"}]

    async def fact(key: str) -> str | None:
        return facts.get(key)

    async def set_fact(key: str, value: str) -> None:
        facts[key] = value

    client: Any = SimpleNamespace(application_id=1, http=SimpleNamespace(bulk_upsert_global_commands=upsert))
    store: Any = SimpleNamespace(fact=fact, set_fact=set_fact)
    ids = sync.CommandIds()
    async with asyncio.timeout(30):
        await ids.sync(client, tree, store)
    assert len(asked) == 3
    assert ids.mention("uno start") == "</uno start:77>"
    again = sync.CommandIds()
    await again.load(store)
    assert again.mention("uno start") == "</uno start:77>"
