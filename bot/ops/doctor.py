"""`python -m bot doctor`: whether everything is as it should be, one line each; changes nothing."""

from __future__ import annotations

import asyncio
import os
import shutil
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from enum import Enum
from typing import Final

import aiohttp
import discord
from discord.http import Route

from bot.interactions.permissions import missing_permissions
from bot.ops.health import OK, asked
from bot.settings import Settings
from bot.store import StoreError
from bot.store.examination import Examination, examine
from bot.ui.kit.pictures import all_pictures, emoji_name

#: By how much a clock may be wrong.
CLOCK_OFF: Final = timedelta(seconds=5)
#: How much room there must be on the disk, as a multiple of the database and in bytes.
ROOM_TIMES, ROOM_LEAST = 2, 100_000_000
_FAILURES: Final = (discord.DiscordException, aiohttp.ClientError, OSError, TimeoutError)


class Verdict(Enum):
    """How something is: as it should be, worth knowing, or in need of repair."""

    WELL = "ok"
    NOTE = "note"
    FAULT = "FAULT"


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of what was found."""

    verdict: Verdict
    about: str
    text: str

    def __str__(self) -> str:
        return f"{self.verdict.value:5}  {self.about}: {self.text}"


async def findings(settings: Settings, now: datetime, *, online: bool) -> AsyncIterator[Finding]:
    """Look at everything, at Discord too if `online` and there is a token."""
    yield _settings(settings)
    examination: Examination | None = None
    try:
        examination = await asyncio.to_thread(examine, settings.database_url)
    except StoreError as error:
        there = "there is no database" not in str(error)
        more = "" if there else "; the first start of the bot makes it"
        yield Finding(Verdict.FAULT if there else Verdict.NOTE, "database", f"{error}{more}")
    if examination is not None:
        for finding in _of_database(examination, settings, now):
            yield finding
    names = {emoji_name(key, png) for key, png in (await asyncio.to_thread(all_pictures)).items()}
    if not online:
        yield Finding(Verdict.WELL, "pictures", f"all {len(names)} can be drawn")
        return
    if settings.discord_token is None:
        yield Finding(Verdict.FAULT, "token", "there is none, so Discord cannot be asked")
        return
    async for finding in _of_discord(settings, names, () if examination is None else examination.places):
        yield finding


def _settings(settings: Settings) -> Finding:
    token = "set" if settings.discord_token is not None else "not set; the bot needs one"
    return Finding(Verdict.WELL, "settings", f"read; database {settings.database_url}; token {token}")


# --- the database


def _of_database(found: Examination, settings: Settings, now: datetime) -> Iterator[Finding]:
    yield _integrity(found)
    yield _migration(found)
    yield _files(found)
    yield _room(found)
    yield _owner(found, settings)
    if found.newest is not None and found.newest > now + CLOCK_OFF:
        text = f"this machine is {_apart(found.newest - now)} behind the last change in the database"
        yield Finding(Verdict.FAULT, "clock", text)
    else:
        yield Finding(Verdict.WELL, "clock", "not before the last change in the database")


def _integrity(found: Examination) -> Finding:
    if found.damage is not None:
        return Finding(Verdict.FAULT, "database", f"{found.file} is damaged: {found.damage}")
    if found.dangling:
        text = f"{found.file}: {found.dangling} rows point at rows that are not there"
        return Finding(Verdict.FAULT, "database", text)
    return Finding(Verdict.WELL, "database", f"{found.file} is whole, {found.size / 1e6:.1f} MB")


def _migration(found: Examination) -> Finding:
    if found.version is None:
        return Finding(Verdict.FAULT, "migrations", "this is not a database of Lastlap")
    if not found.is_known:
        text = f"{found.version}, of a newer release; this one knows up to {found.newest_version}"
        return Finding(Verdict.FAULT, "migrations", text)
    if found.version != found.newest_version:
        text = f"{found.version}; the next start of the bot goes on to {found.newest_version}"
        return Finding(Verdict.NOTE, "migrations", text)
    return Finding(Verdict.WELL, "migrations", f"{found.version}, the newest")


def _files(found: Examination) -> Finding:
    if not os.access(found.file, os.W_OK) or not os.access(found.file.parent, os.W_OK):
        return Finding(
            Verdict.FAULT, "files", f"{found.file} or its directory cannot be written by this user"
        )
    if found.open_files:
        names = ", ".join(str(file) for file in found.open_files)
        return Finding(Verdict.FAULT, "files", f"other users can read {names}: chmod 600")
    return Finding(Verdict.WELL, "files", "writable, and only its owner can read the database")


def _room(found: Examination) -> Finding:
    free = shutil.disk_usage(found.file.parent).free
    verdict = Verdict.NOTE if free < max(ROOM_TIMES * found.size, ROOM_LEAST) else Verdict.WELL
    return Finding(verdict, "disk", f"{free / 1e6:.0f} MB free beside {found.size / 1e6:.1f} MB of database")


def _owner(found: Examination, settings: Settings) -> Finding:
    if found.is_running:
        word = asked(settings)
        verdict = Verdict.WELL if word == OK else Verdict.FAULT
        return Finding(verdict, "owner", f"{found.owner or 'a bot that starts'}: {word}")
    if found.owner:
        text = f"{found.owner} has ended without handing over; the next start takes over"
        return Finding(Verdict.NOTE, "owner", text)
    return Finding(Verdict.WELL, "owner", "no bot runs on it")


def _apart(time: timedelta) -> str:
    return str(timedelta(seconds=round(time.total_seconds())))


# --- Discord


async def _of_discord(
    settings: Settings, names: set[str], places: tuple[tuple[int, int], ...]
) -> AsyncIterator[Finding]:
    try:
        async with _logged_in(settings) as client:
            yield Finding(Verdict.WELL, "token", f"Discord knows it as {client.user}")
            yield await _pictures(client, names)
            yield await _clock()
            yield await _permissions(client, places)
    except discord.LoginFailure:
        yield Finding(Verdict.FAULT, "token", "Discord refuses it")
    except _FAILURES as error:
        yield Finding(Verdict.FAULT, "Discord", f"cannot be asked: {error}")


@asynccontextmanager
async def _logged_in(settings: Settings) -> AsyncIterator[discord.Client]:
    assert settings.discord_token is not None
    async with discord.Client(intents=discord.Intents.none()) as client:
        await client.login(settings.discord_token.get_secret_value())
        yield client


async def _pictures(client: discord.Client, names: set[str]) -> Finding:
    missing = names - {emoji.name for emoji in await client.fetch_application_emojis()}
    if missing:
        text = f"{len(missing)} of {len(names)} are no emojis yet; the bot uploads them when it starts"
        return Finding(Verdict.NOTE, "pictures", text)
    return Finding(Verdict.WELL, "pictures", f"all {len(names)} are emojis of the application")


async def _clock() -> Finding:
    """Compare this machine's clock with the one of Discord's answers, which are exact to the second."""
    async with aiohttp.ClientSession() as session, session.get(f"{Route.BASE}/gateway") as response:
        theirs = parsedate_to_datetime(response.headers["Date"]).astimezone(UTC)
    off = discord.utils.utcnow() - theirs
    if abs(off) > CLOCK_OFF:
        side = "ahead of" if off > timedelta() else "behind"
        return Finding(Verdict.FAULT, "clock", f"this machine is {_apart(abs(off))} {side} Discord")
    return Finding(Verdict.WELL, "clock", "the same as Discord's")


async def _permissions(client: discord.Client, places: tuple[tuple[int, int], ...]) -> Finding:
    """Look whether the bot may do what it needs where the newest live tables are."""
    lacking = []
    for guild_id, channel_id in places:
        try:
            missing = await _missing(client, guild_id, channel_id)
        except (discord.NotFound, discord.Forbidden):
            missing = ("view_channel",)
        if missing:
            lacking.append(f"{channel_id} ({', '.join(missing)})")
    if lacking:
        text = f"missing where there are live tables, in channel {'; '.join(lacking)}"
        return Finding(Verdict.FAULT, "permissions", text)
    return Finding(
        Verdict.WELL, "permissions", f"all that is needed, in {len(places)} channels with live tables"
    )


async def _missing(client: discord.Client, guild_id: int, channel_id: int) -> tuple[str, ...]:
    assert client.user is not None
    guild = await client.fetch_guild(guild_id)
    me = await guild.fetch_member(client.user.id)
    channel = await guild.fetch_channel(channel_id)
    in_thread = isinstance(channel, discord.Thread)
    if isinstance(channel, discord.Thread):
        channel = await guild.fetch_channel(channel.parent_id)
    assert not isinstance(channel, discord.Thread)
    return missing_permissions(channel.permissions_for(me), in_thread=in_thread)
