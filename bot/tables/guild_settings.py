"""The settings of all servers, each read once and kept in memory. Imports the store and the model."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Callable

import structlog

from bot.model.errors import Problem, UserError
from bot.model.guild_settings import GuildSettings, read_guild_settings
from bot.store import Store

log = structlog.get_logger(__name__)


class GuildSettingsCache:
    """The settings by server.

    What is stored and cannot be read is never written over: tables begin with the defaults, and changes are
    refused until somebody resets the settings or a release that can read them is started.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._known: dict[int, GuildSettings] = {}
        self._unreadable: set[int] = set()
        self._locks: defaultdict[int, asyncio.Lock] = defaultdict(asyncio.Lock)

    def known(self, guild_id: int) -> GuildSettings | None:
        """Return a server's settings where they were read before, None where they were not."""
        return self._known.get(guild_id)

    async def get(self, guild_id: int) -> GuildSettings:
        """Return a server's settings; the defaults for those that cannot be read."""
        async with self._locks[guild_id]:
            return await self._get(guild_id)

    async def change(self, guild_id: int, change: Callable[[GuildSettings], GuildSettings]) -> GuildSettings:
        """Change a server's settings, saved before they count, and return them as they are now.

        Raises what `change` raises, whatever keeps them from being saved, and UserError where those stored
        cannot be read and this is no reset.
        """
        async with self._locks[guild_id]:
            after = change(await self._get(guild_id))
            if guild_id in self._unreadable and after != GuildSettings():
                raise UserError(Problem.SETTINGS_UNREADABLE)
            await self._store.set_guild_settings(
                guild_id, {} if after == GuildSettings() else after.written()
            )
            self._known[guild_id] = after
            self._unreadable.discard(guild_id)
            return after

    def forget(self, guild_id: int) -> None:
        """Read a server's settings again the next time: they may have been deleted meanwhile."""
        self._known.pop(guild_id, None)
        self._unreadable.discard(guild_id)

    async def _get(self, guild_id: int) -> GuildSettings:
        if guild_id not in self._known:
            try:
                self._known[guild_id] = read_guild_settings(await self._store.guild_settings(guild_id))
            except (KeyError, TypeError, ValueError, AttributeError) as error:
                log.warning("guild_settings_unreadable", guild=guild_id, problem=repr(error))
                self._known[guild_id] = GuildSettings()
                self._unreadable.add(guild_id)
        return self._known[guild_id]
