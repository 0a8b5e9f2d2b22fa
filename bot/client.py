"""The client: intents, what happens at login, the syncing of commands."""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections.abc import Callable, Iterable
from datetime import datetime
from typing import Any, Final

import discord
import structlog
from discord import app_commands

from bot import metrics
from bot.interactions.commands.uno import CatalogueTranslator, UnoCommands
from bot.interactions.components import Components
from bot.interactions.cooldowns import Cooldowns
from bot.interactions.guard import ANSWER_WITHIN, IN_HAND, guard, say
from bot.messages import Messages
from bot.messages.renderer import Renderer
from bot.model.agenda import Pace
from bot.model.errors import UserError
from bot.settings import Settings
from bot.store import Save, Store, migrate
from bot.tables import Click, Outages, Scheduler, Table, TableClock, Tables, outages
from bot.tables.guild_settings import GuildSettingsCache
from bot.ui.kit.emoji import Emojis, upload
from bot.ui.text.translation import text_for

log = structlog.get_logger(__name__)

#: How long a clean stop waits for its lines to close, and for what is being drawn; what is not drawn by then
#: is drawn after the next start. In seconds.
HANG_UP_WITHIN: Final = 0.3
DRAW_WITHIN: Final = 0.7
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


class _WatchedStore(Store):
    """The store, with somebody who watches what becomes of its saves."""

    def __init__(self, url: str, saves: metrics.Saves) -> None:
        super().__init__(url)
        self._saves = saves

    def submit(self, save: Save) -> asyncio.Future[bool]:
        """Queue a save (see `Store.submit`)."""
        future = super().submit(save)
        self._saves.watch(future)
        return future


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
            http_trace=metrics.trace(),
            **options,
        )
        self.settings = settings
        self.now = now
        self.pictures = Emojis()
        self.saves = metrics.Saves()
        self.store = _WatchedStore(settings.database_url, self.saves)
        self.cooldowns = Cooldowns(
            burst=settings.click_burst,
            pause=settings.click_pause,
            start_pause=settings.start_pause,
            now=now,
        )
        pace = Pace.of(settings)
        self.scheduler = Scheduler(now)
        self.outages = Outages()
        self.renderer = Renderer(self.pictures, pace)
        self.tables = Tables(
            self.store,
            pace,
            self.outages,
            save_timeout=settings.save_timeout,
            catch_grace=settings.catch_grace,
            most_of_a_person=settings.tables_per_person,
            most_of_a_server=settings.tables_per_server,
        )
        self.table_clock = TableClock(self.tables, self.scheduler, self.outages)
        self.guild_settings = GuildSettingsCache(self.store)
        self.messages = Messages(
            self, self.tables, self.store, self.guild_settings, self.renderer, settings, self.scheduler
        )
        self.components = Components(
            self.tables, self.messages, self.store, self.guild_settings, self.renderer, now
        )
        self.tree = CommandTree(self)
        self._uploading: asyncio.Task[Any] | None = None
        self._broken: list[Table] = []
        self._caught_up = False

    def is_connected(self) -> bool:
        """Tell whether every line to Discord stands."""
        return (
            self.is_ready()
            and not self.is_closed()
            and not any(shard.is_closed() for shard in self.shards.values())
        )

    async def setup_hook(self) -> None:
        """Bring the database up to date and the tables back, before the first event arrives."""
        await asyncio.to_thread(migrate, self.settings.database_url)
        await self.store.open()
        self._broken = await self.tables.load(self.now())
        await self.messages.load()
        self.table_clock.start()
        self.tree.add_command(UnoCommands(self))
        await self.tree.set_translator(CatalogueTranslator())
        await self._sync_commands()
        # The game needs no picture, and the first upload of all takes a minute on Discord.
        self._uploading = asyncio.create_task(upload(self, self.pictures), name="upload of the pictures")
        log.info("ready", tables=len(list(self.tables.live())))

    async def on_ready(self) -> None:
        """Tell where tables could not be brought back, once the channels are known."""
        broken, self._broken = self._broken, []
        await self.messages.apologise(broken)
        if not self._caught_up:
            self._caught_up = True
            self.messages.catch_up()
            # No event tells of a server that threw the bot out while it was not running.
            await self._vanished(
                table for table in self.tables.live() if self.get_guild(table.guild_id) is None
            )

    async def on_shard_disconnect(self, shard_id: int) -> None:
        """Stop the clocks of the servers of a shard."""
        self.outages.begin(outages.shard(shard_id, self.shard_count or 1), self.now())

    async def on_shard_ready(self, shard_id: int) -> None:
        """Let the clocks of the servers of a shard run again."""
        self.outages.end(outages.shard(shard_id, self.shard_count or 1))

    async def on_shard_resumed(self, shard_id: int) -> None:
        """Let the clocks of the servers of a shard run again."""
        self.outages.end(outages.shard(shard_id, self.shard_count or 1))

    async def on_guild_unavailable(self, guild: discord.Guild) -> None:
        """Stop the clocks of a server that Discord cannot reach."""
        self.outages.begin(outages.server(guild.id), self.now())

    async def on_guild_available(self, guild: discord.Guild) -> None:
        """Let the clocks of a server run again."""
        self.outages.end(outages.server(guild.id))

    async def on_guild_remove(self, guild: discord.Guild) -> None:
        """End the tables of a server that the bot is no longer on."""
        await self._vanished(table for table in self.tables.live() if table.guild_id == guild.id)

    async def on_guild_channel_delete(self, channel: discord.abc.GuildChannel) -> None:
        """End the table of a channel that was deleted."""
        await self._vanished(table for table in self.tables.live() if table.channel_id == channel.id)

    async def on_raw_thread_delete(self, payload: discord.RawThreadDeleteEvent) -> None:
        """End the table of a thread that was deleted."""
        await self._vanished(table for table in self.tables.live() if table.channel_id == payload.thread_id)

    async def _vanished(self, tables: Iterable[Table]) -> None:
        for table in list(tables):
            try:
                await self.tables.vanished(table, Click.of_the_clock(self.now()))
            except UserError as error:
                log.warning("vanished_table_stays", table=table.id, problem=error.problem.value)

    async def on_interaction(self, interaction: discord.Interaction[Any]) -> None:
        """Hand every press of a button and choice in a menu to the clicks; commands go through the tree."""
        if interaction.type is discord.InteractionType.component and interaction.data is not None:
            values = interaction.data.get("values")
            chosen = values if isinstance(values, list) else None
            await self.components.handle(interaction, str(interaction.data.get("custom_id", "")), chosen)

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
        """Let nothing more in, finish what is being answered, saved and drawn, then go."""
        if self.is_closed():
            return
        if self._uploading is not None:
            self._uploading.cancel()
        await self._hang_up()
        await asyncio.gather(
            IN_HAND.all_answered(within=ANSWER_WITHIN), self.scheduler.close(within=ANSWER_WITHIN)
        )
        await self.messages.close(within=DRAW_WITHIN)
        await super().close()
        await self.store.close()

    async def _hang_up(self) -> None:
        """Close the lines to Discord: while presses come in, the bot is never done with answering."""
        lines = [asyncio.create_task(shard.disconnect()) for shard in self.shards.values()]
        if lines:
            await asyncio.wait(lines, timeout=HANG_UP_WITHIN)
