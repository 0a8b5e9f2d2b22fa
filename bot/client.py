"""The client: intents, what happens at login, the syncing of commands."""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections.abc import Callable
from datetime import datetime
from typing import Any

import discord
import structlog
from discord import app_commands

from bot.clicks import Clicks
from bot.commands.uno import CatalogueTranslator, UnoCommands
from bot.guard import guard, say
from bot.screens import Screens
from bot.settings import Settings
from bot.store import Store, migrate
from bot.tables import Tables
from bot.ui.emoji import Emojis, upload
from bot.ui.text import text_for

log = structlog.get_logger(__name__)

#: Where the hash of the commands last synced is kept.
_COMMANDS = "commands_hash"


class CommandTree(app_commands.CommandTree["Lastlap"]):
    """The tree, with an answer for whatever discord.py refuses before a command runs."""

    async def on_error(self, interaction: Any, error: app_commands.AppCommandError, /) -> None:
        """Answer with a reference; a command's own errors are answered by the guard and do not come here."""

        async def fail() -> None:
            raise error

        if not interaction.response.is_done():
            text = text_for(str(interaction.locale))
            await guard(interaction, text, fail(), lambda sentence: say(interaction, sentence))


class Lastlap(discord.AutoShardedClient):
    """The bot on Discord."""

    def __init__(self, settings: Settings, now: Callable[[], datetime]) -> None:
        options: dict[str, Any] = (
            {} if settings.shard_count is None else {"shard_count": settings.shard_count}
        )
        super().__init__(
            intents=discord.Intents(guilds=True),
            allowed_mentions=discord.AllowedMentions.none(),
            max_messages=None,
            member_cache_flags=discord.MemberCacheFlags.none(),
            chunk_guilds_at_startup=False,
            **options,
        )
        self.settings = settings
        self.now = now
        self.pictures = Emojis()
        self.store = Store(settings.database_url)
        self.tables = Tables(self.store, save_timeout=settings.save_timeout, catch_grace=settings.catch_grace)
        self.screens = Screens(self, self.tables, self.store, self.pictures, settings, now)
        self.tables.changed = self.screens.changed
        self.clicks = Clicks(self.tables, self.screens, self.store, self.pictures, now)
        self.tree = CommandTree(self)
        self._uploading: asyncio.Task[Any] | None = None

    async def setup_hook(self) -> None:
        """Bring the database up to date and the tables back, before the first event arrives."""
        await asyncio.to_thread(migrate, self.settings.database_url)
        await self.store.open()
        await self.tables.load()
        await self.screens.load()
        self.tree.add_command(UnoCommands(self))
        await self.tree.set_translator(CatalogueTranslator())
        await self._sync_commands()
        # The game needs no picture, and the first upload of all takes a minute on Discord.
        self._uploading = asyncio.create_task(upload(self, self.pictures), name="upload of the pictures")
        log.info("ready", tables=len(list(self.tables.live())))

    async def on_interaction(self, interaction: discord.Interaction[Any]) -> None:
        """Hand every press of a button to the clicks; commands go through the tree."""
        if interaction.type is discord.InteractionType.component and interaction.data is not None:
            await self.clicks.handle(interaction, str(interaction.data.get("custom_id", "")))

    async def _sync_commands(self) -> None:
        """Sync the commands where they differ from those synced last (Discord allows 200 creations a day)."""
        assert self.tree.translator is not None
        payload = [
            await command.get_translated_payload(self.tree, self.tree.translator)
            for command in self.tree.get_commands()
        ]
        digest = hashlib.sha256(json.dumps(payload, sort_keys=True).encode()).hexdigest()
        application = f"{self.application_id}:{digest}"
        if await self.store.fact(_COMMANDS) != application:
            await self.tree.sync()
            await self.store.set_fact(_COMMANDS, application)
            log.info("commands_synced")

    async def close(self) -> None:
        """Finish what is being drawn and saved, then go."""
        if self.is_closed():
            return
        if self._uploading is not None:
            self._uploading.cancel()
        await self.screens.close()
        await super().close()
        await self.store.close()
