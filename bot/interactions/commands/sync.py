"""Syncs the commands to Discord when they have changed, with translations that keep its rules.

One bad name makes Discord refuse all of them. Names, choices and descriptions are messages of their own, each
with its context, so that no sentence is taken for a name. Imports discord and the store.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import re
from collections.abc import Iterator
from typing import Any, Final

import discord
import structlog
from discord import app_commands
from discord.app_commands import locale_str

from bot.messages.requests import FAILURES, Failing, is_passing, within
from bot.store import Store
from bot.ui.kit.commands import Commands
from bot.ui.text.translation import text_for

log = structlog.get_logger(__name__)

#: How many characters a description, a choice's name, all texts of a command together, and the name of a
#: command in a menu may have.
MOST_IN_DESCRIPTION: Final = 100
MOST_IN_CHOICE: Final = 100
MOST_IN_COMMAND: Final = 8000
MOST_IN_MENU: Final = 32
#: How long a sync may take at most, in seconds.
SYNC_WITHIN: Final = 60.0
_NAME: Final = re.compile(r"[-_\w]{1,32}")
#: Where the store keeps what was synced last.
_FACT: Final = "commands"

_Node = dict[str, Any]


def NP_(context: str, msgid: str) -> locale_str:  # noqa: N802  # after gettext's pgettext and its N_
    """Mark a text of a command, with its context, such as "command name" or "choice"."""
    return locale_str(msgid, context=context)


def in_brief(seconds: int) -> locale_str:
    """Return a time for a turn as the name of a choice: "60 s", "2 min"."""
    english = f"{seconds} s" if seconds <= 60 else f"{seconds // 60} min"
    return locale_str(english, seconds=seconds)


class CatalogueTranslator(app_commands.Translator):
    """Translates commands by the same catalogues as everything else; what is not marked stays as it is."""

    async def translate(
        self, string: locale_str, locale: discord.Locale, context: app_commands.TranslationContextTypes
    ) -> str | None:
        """Translate one name or description; None keeps the English one."""
        text, told = text_for(locale.value), string.extras
        if "seconds" in told:
            return None if text.is_english else text.duration(told["seconds"], "short")
        if "context" not in told:
            return None
        translated = text.pgettext(told["context"], string.message)
        return translated if translated != string.message else None


class CommandIds(Commands):
    """The ids of the synced commands, which make a command in a text clickable."""

    async def load(self, store: Store) -> None:
        """Take in the ids of the commands synced last."""
        self._ids = _read(await store.fact(_FACT)).get("ids", {})

    async def sync(self, client: discord.Client, tree: app_commands.CommandTree[Any], store: Store) -> None:
        """Sync the commands if they differ from those synced last (Discord allows 200 creations a day).

        If Discord refuses them, that is logged, and they stay as they were; if it does not answer, that is
        tried again.
        """
        payload = await command_payload(tree)
        digest = hashlib.sha256(json.dumps(payload, sort_keys=True).encode()).hexdigest()
        told = _read(await store.fact(_FACT))
        application_id = client.application_id
        assert application_id is not None
        if (told.get("application"), told.get("hash")) == (application_id, digest):
            return
        commands, failing = None, None
        while commands is None:
            begun = discord.utils.utcnow()
            request = client.http.bulk_upsert_global_commands(application_id, payload=payload)
            try:
                commands = await asyncio.wait_for(request, within(failing, SYNC_WITHIN))
            except FAILURES as error:
                log.warning("commands_not_synced", problem=str(error) or type(error).__name__)
                if not is_passing(error):
                    return
                failing = Failing.again(failing, begun)
                pause = failing.retry_at(begun) - discord.utils.utcnow()
                await asyncio.sleep(max(0.0, pause.total_seconds()))
        slash = discord.AppCommandType.chat_input.value
        self._ids = {each["name"]: int(each["id"]) for each in commands if each.get("type", slash) == slash}
        fact = {"application": application_id, "hash": digest, "ids": self._ids}
        await store.set_fact(_FACT, json.dumps(fact))
        log.info("commands_synced")


def _read(fact: str | None) -> dict[str, Any]:
    told = {} if fact is None else json.loads(fact)
    return told if isinstance(told, dict) else {}


# --- Discord's rules


async def command_payload(tree: app_commands.CommandTree[Any]) -> list[_Node]:
    """Return the commands as they are sent, without translations that break Discord's rules."""
    translator = CatalogueTranslator()
    payload = [await command.get_translated_payload(tree, translator) for command in tree.get_commands()]
    check_translations(payload)
    return payload


def check_translations(payload: list[_Node]) -> None:
    """Remove translations for which Discord would refuse the commands; English stands in for them."""
    _check_siblings(payload, "")
    for command in payload:
        _check_length(command)


def _check_siblings(siblings: list[_Node], path: str) -> None:
    """Check sibling commands or options, and everything below them."""
    for node in siblings:
        where = f"{path} {node['name']}".strip()
        # A command in the menu of a member has a name as people write it, and no description.
        _keep(node, "name_localizations", where, _is_name if node.get("description") else _is_menu_name)
        _keep(node, "description_localizations", where, _is_description)
        choices = node.get("choices") or []
        for choice in choices:
            _keep(choice, "name_localizations", f"{where} {choice['name']}", _is_choice)
        _check_unique(choices, where)
        _check_siblings(node.get("options") or [], where)
    _check_unique(siblings, path)


def _keep(node: _Node, kind: str, where: str, fits: Any) -> None:
    translations = node.get(kind) or {}
    for locale in [locale for locale, text in translations.items() if not fits(text)]:
        log.warning("translation_breaks_rules", command=where, locale=locale, text=translations.pop(locale))


def _is_name(text: str) -> bool:
    return _NAME.fullmatch(text) is not None and text == text.lower()


def _is_menu_name(text: str) -> bool:
    return 0 < len(text.strip()) == len(text) <= MOST_IN_MENU


def _is_description(text: str) -> bool:
    return 0 < len(text) <= MOST_IN_DESCRIPTION


def _is_choice(text: str) -> bool:
    return 0 < len(text) <= MOST_IN_CHOICE


def _check_unique(siblings: list[_Node], path: str) -> None:
    """Remove translated names that another sibling has."""
    for locale in {locale for node in siblings for locale in node.get("name_localizations") or ()}:
        seen = {node["name"] for node in siblings}
        for node in siblings:
            names = node.get("name_localizations") or {}
            if locale not in names:
                continue
            if names[locale] in seen:
                log.warning("translation_breaks_rules", command=path, locale=locale, text=names.pop(locale))
            else:
                seen.add(names[locale])


def _check_length(command: _Node) -> None:
    """Remove the languages in which a command's texts together are too long."""
    for locale in {locale for node in _nodes(command) for locale in _locales(node)}:
        length = sum(_length(node, locale) for node in _nodes(command))
        if length > MOST_IN_COMMAND:
            log.warning("translation_breaks_rules", command=command["name"], locale=locale, length=length)
            for node in _nodes(command):
                for kind in ("name_localizations", "description_localizations"):
                    (node.get(kind) or {}).pop(locale, None)


def _nodes(node: _Node) -> Iterator[_Node]:
    """Yield a command, its options and their choices."""
    yield node
    yield from node.get("choices") or ()
    for option in node.get("options") or ():
        yield from _nodes(option)


def _locales(node: _Node) -> set[str]:
    return {*(node.get("name_localizations") or ()), *(node.get("description_localizations") or ())}


def _length(node: _Node, locale: str) -> int:
    """Return the characters of a node's texts, each in a language or in English, whichever is longer."""
    length = len(str(node.get("value", "")))
    for kind in ("name", "description"):
        english = node.get(kind) or ""
        length += max(len(english), len((node.get(f"{kind}_localizations") or {}).get(locale, "")))
    return length
