"""The settings of all servers, each read once and kept in memory. Imports the store and the model."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Callable

import structlog

from bot.model.guild_settings import GuildSettings, read_guild_settings
from bot.store import Store

log = structlog.get_logger(__name__)


class GuildSettingsCache:
    """The settings by server."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._known: dict[int, GuildSettings] = {}
        self._locks: defaultdict[int, asyncio.Lock] = defaultdict(asyncio.Lock)

    async def get(self, guild_id: int) -> GuildSettings:
        """Give a server's settings; those that cannot be read are the usual ones, which is logged once."""
        async with self._locks[guild_id]:
            return await self._get(guild_id)

    async def change(self, guild_id: int, change: Callable[[GuildSettings], GuildSettings]) -> GuildSettings:
        """Change a server's settings, saved before they count, and give them as they are now.

        Raises what `change` raises, and whatever keeps them from being saved.
        """
        async with self._locks[guild_id]:
            after = change(await self._get(guild_id))
            await self._store.set_guild_settings(
                guild_id, {} if after == GuildSettings() else after.written()
            )
            self._known[guild_id] = after
            return after

    async def _get(self, guild_id: int) -> GuildSettings:
        if guild_id not in self._known:
            try:
                self._known[guild_id] = read_guild_settings(await self._store.server(guild_id))
            except (KeyError, TypeError, ValueError, AttributeError) as error:
                log.warning("server_settings_unreadable", guild=guild_id, problem=repr(error))
                self._known[guild_id] = GuildSettings()
        return self._known[guild_id]
