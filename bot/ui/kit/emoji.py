"""The emojis of the bot's application: each picture uploaded once, or a unicode emoji instead.

May import `discord`, `bot.ui.kit.pictures` and `engine.cards`.
"""

import asyncio
import re
from collections.abc import Mapping

import aiohttp
import discord
import structlog

from bot.ui.kit.pictures import all_pictures, emoji_name
from engine.cards import CODE, COLOUR_NAMES, ITEM_BOX, WILD_FOUR, Item

MOST_EMOJIS = 2000
"""How many emojis Discord lets one application have."""

_FAILURES = (discord.DiscordException, aiohttp.ClientError, OSError, TimeoutError)
_OWN_NAME = re.compile(r"(\w+)_[0-9a-f]{8}", re.ASCII)
_COLOUR_SQUARES = {"R": "🟥", "Y": "🟨", "G": "🟩", "B": "🟦", "W": "🃏"}

FALLBACKS: dict[str, str] = {
    **{code: _COLOUR_SQUARES[code[0]] for code in CODE},
    "red": "🔴",
    "yellow": "🟡",
    "green": "🟢",
    "blue": "🔵",
    **{f"{CODE[wild]}_{name}": "🃏" for wild in (WILD_FOUR, ITEM_BOX) for name in COLOUR_NAMES},
    "wild": "🌈",
    "clockwise": "🔃",
    "counter_clockwise": "🔄",
    "turn": "▶️",
    "uno": "☝️",
    "catch": "🚩",
    "draw": "\N{HEAVY PLUS SIGN}",
    "hand": "🎴",
    "flag": "🏁",
    Item.MUSHROOM.value: "🍄",
    Item.BANANA_PEEL.value: "🍌",
    Item.GREEN_SHELL.value: "🐚",
    Item.LIGHTNING.value: "⚡",
    Item.BOB_OMB.value: "💣",
}
"""The unicode emoji that stands in for each picture that is not uploaded."""

_log = structlog.get_logger(__name__)


class Emojis:
    """The emoji of each picture: `emojis["R7"]` fits a button, `str(emojis["R7"])` a text."""

    def __init__(self, uploaded: Mapping[str, discord.Emoji] | None = None) -> None:
        self._emojis = {key: discord.PartialEmoji(name=name) for key, name in FALLBACKS.items()}
        for key, emoji in (uploaded or {}).items():
            self.learn(key, emoji)

    def learn(self, key: str, emoji: discord.Emoji) -> None:
        """Use an uploaded emoji for `key` from now on."""
        self._emojis[key] = discord.PartialEmoji(name=emoji.name, id=emoji.id)

    def __getitem__(self, key: str) -> discord.PartialEmoji:
        return self._emojis[key]

    def url(self, key: str) -> str | None:
        """Return the address of an uploaded picture, for a thumbnail; None where unicode stands in."""
        return self._emojis[key].url or None


async def upload(
    client: discord.Client, emojis: Emojis | None = None, pictures: Mapping[str, bytes] | None = None
) -> dict[str, discord.Emoji]:
    """Upload the pictures that are missing as emojis of the application; return all of them by key.

    An emoji with the content hash of today's picture in its name is kept. An older picture of the same key is
    used until the new one is there, and then deleted. `emojis` learns each emoji as soon as it can be used. A
    failure is logged and costs that one picture, never the start of the bot.
    """
    emojis = Emojis() if emojis is None else emojis
    pictures = await asyncio.to_thread(all_pictures) if pictures is None else pictures
    try:
        existing = await client.fetch_application_emojis()
    except _FAILURES as error:
        _log.warning("emojis_not_listed", error=repr(error))
        return {}
    names = {key: emoji_name(key, png) for key, png in pictures.items()}
    own = [(key, emoji) for emoji in existing if (key := _key(emoji)) in names]
    own.sort(
        key=lambda pair: pair[1].name == names[pair[0]]
    )  # today's picture comes last, so it is the one kept
    found = dict(own)
    for key, emoji in found.items():
        emojis.learn(key, emoji)
    missing = [key for key, name in names.items() if key not in found or found[key].name != name]
    room = MOST_EMOJIS - len(existing)
    if room < len(missing):
        _log.warning("emojis_do_not_fit", missing=len(missing), room=room)
    for key in missing[: max(room, 0)]:
        if (made := await _create(client, names[key], pictures[key])) is not None:
            found[key] = made
            emojis.learn(key, made)
    for key, emoji in own:
        if emoji.name != names[key] == found[key].name:
            await _delete(emoji)
    return found


def _key(emoji: discord.Emoji) -> str:
    """Return the key in the name of an emoji uploaded by us, "" for any other emoji."""
    match = _OWN_NAME.fullmatch(emoji.name)
    return match[1] if match else ""


async def _create(client: discord.Client, name: str, png: bytes) -> discord.Emoji | None:
    try:
        return await client.create_application_emoji(name=name, image=png)
    except _FAILURES as error:
        _log.warning("emoji_not_created", name=name, error=repr(error))
        return None


async def _delete(emoji: discord.Emoji) -> None:
    try:
        await emoji.delete()
    except _FAILURES as error:
        _log.warning("emoji_not_deleted", name=emoji.name, error=repr(error))
