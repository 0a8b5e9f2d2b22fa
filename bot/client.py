"""The client: what happens at login, and where each event from Discord goes."""

from __future__ import annotations

import asyncio
import functools
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Final

import discord
import structlog
from discord.http import Route

from bot import metrics
from bot.interactions.answer import ANSWER_WITHIN, Interaction
from bot.interactions.commands.tree import CommandTree
from bot.interactions.commands.uno import UnoCommands, user_menu
from bot.interactions.components import Components
from bot.interactions.context import USUAL_LOCALE
from bot.interactions.guard import Guard
from bot.interactions.services import Services
from bot.messages.requests import FAILURES, Refusals
from bot.model.errors import Problem, UserError
from bot.settings import Settings
from bot.store import StoreError, migrate
from bot.tables import Click, Outages, Scheduler, TableClock, outages
from bot.tables.past import keep_missing_facts
from bot.ui.kit.emoji import upload
from bot.ui.text import problems
from bot.ui.text.translation import text_for

log = structlog.get_logger(__name__)

#: How long a clean stop waits for its lines to close, and for what is being rendered, in seconds. The rest is
#: rendered after the next start.
HANG_UP_WITHIN: Final = 0.3
RENDER_WITHIN: Final = 0.7
#: How long the start waits for the commands to be synced, in seconds.
SYNCED_WITHIN: Final = 1.0
#: Discord's numbers: the type of an autocomplete interaction, the types of a response with a message and with
#: suggestions, and the flag of an ephemeral message.
_AUTOCOMPLETE, _MESSAGE, _SUGGESTIONS, _EPHEMERAL = 4, 4, 8, 64


@dataclass(frozen=True, slots=True)
class Parts:
    """What the client drives."""

    services: Services
    guard: Guard
    scheduler: Scheduler
    table_clock: TableClock
    outages: Outages
    saves: metrics.Saves


class Lastlap(discord.AutoShardedClient):
    """The bot on Discord.

    Its parts send messages through the client, and the client passes events to them: so it makes them while
    it is being made itself.
    """

    def __init__(
        self, settings: Settings, make_parts: Callable[[discord.Client], Parts], refusals: Refusals
    ) -> None:
        options: dict[str, Any] = (
            {} if settings.shard_count is None else {"shard_count": settings.shard_count}
        )
        super().__init__(
            intents=discord.Intents(guilds=True),
            allowed_mentions=discord.AllowedMentions.none(),
            max_messages=None,
            member_cache_flags=discord.MemberCacheFlags.none(),
            chunk_guilds_at_startup=False,
            http_trace=metrics.trace(refusals.count),
            **options,
        )
        self._parts = parts = make_parts(self)
        self.services = services = parts.services
        self.settings = settings
        self.store = services.store
        self.tables = services.tables
        self.guild_settings = services.guild_settings
        self.renderer = services.renderer
        self.messages = services.messages
        self.now = services.now
        self.saves = parts.saves
        self._components = Components(services, parts.guard)
        self.tree = CommandTree(self, parts.guard)
        self.tree.add_command(UnoCommands(services))
        self.tree.add_command(user_menu(services))
        self._syncing: asyncio.Task[Any] | None = None
        self._uploading: asyncio.Task[Any] | None = None
        self._looking_back: asyncio.Task[Any] | None = None
        self._answering: set[asyncio.Task[None]] = set()
        self._caught_up = False
        self._compared = False
        parsers = self._connection.parsers
        parsers.update({event: functools.partial(self._hear, event, parsers[event]) for event in parsers})

    def is_connected(self) -> bool:
        """Whether every shard is connected."""
        return (
            self.is_ready()
            and not self.is_closed()
            and not any(shard.is_closed() for shard in self.shards.values())
        )

    async def setup_hook(self) -> None:
        """Bring the database up to date and the tables back, before the first event arrives."""
        await asyncio.to_thread(migrate, self.settings.database_url)
        await self.store.open()
        await self.tables.load(self.now())
        await self.messages.load()
        self._parts.table_clock.start()
        await self.services.command_ids.load(self.store)
        self._syncing = asyncio.create_task(
            self.services.command_ids.sync(self, self.tree, self.store), name="sync of the commands"
        )
        # One that hangs goes on beside everything else: what has not changed is there already.
        await asyncio.wait([self._syncing], timeout=SYNCED_WITHIN)
        # The game needs no picture, and the first upload of all takes a minute on Discord.
        self._uploading = asyncio.create_task(
            upload(self, self.renderer.emojis), name="upload of the pictures"
        )
        self._looking_back = asyncio.create_task(
            keep_missing_facts(self.store), name="facts of hands of earlier releases"
        )
        log.info("ready", tables=len(self.tables.live()), idle=len(self.tables.idle()))

    async def on_ready(self) -> None:
        """Bring to the screens what they lack, now that the channels are known."""
        await self._compare_servers()
        if not self._caught_up:
            self._caught_up = True
            self.messages.catch_up()
            # There is no event for a server that removed the bot while it was not running.
            for guild_id in self.tables.guild_ids():
                if self.get_guild(guild_id) is None:
                    await self._vanished(self.tables.ids_of(guild_id))

    async def on_shard_disconnect(self, shard_id: int) -> None:
        """Stop the clocks of the servers of a shard."""
        self._parts.outages.begin(outages.shard(shard_id, self.shard_count or 1), self.now())

    async def on_shard_ready(self, shard_id: int) -> None:
        """Let the clocks of the servers of a shard run again."""
        self._parts.outages.end(outages.shard(shard_id, self.shard_count or 1))

    async def on_shard_resumed(self, shard_id: int) -> None:
        """Let the clocks of the servers of a shard run again."""
        self._parts.outages.end(outages.shard(shard_id, self.shard_count or 1))

    async def on_guild_unavailable(self, guild: discord.Guild) -> None:
        """Stop the clocks of a server that Discord cannot reach."""
        self._parts.outages.begin(outages.server(guild.id), self.now())

    async def on_guild_available(self, guild: discord.Guild) -> None:
        """Let the clocks of a server run again."""
        self._parts.outages.end(outages.server(guild.id))
        self.messages.permissions_changed(guild.id)

    async def on_guild_join(self, guild: discord.Guild) -> None:
        """Keep what is known of a server that had removed the bot."""
        await self._servers_changed(back=[guild.id])

    async def on_guild_remove(self, guild: discord.Guild) -> None:
        """End the tables of a server that the bot is no longer on; what is known of it goes in 30 days."""
        await self._servers_changed(left=[guild.id])
        await self._vanished(self.tables.ids_of(guild.id))

    async def _compare_servers(self) -> None:
        """Learn which servers have removed the bot or taken it back without an event.

        A server that is unavailable is among the client's.
        """
        here = {guild.id for guild in self.guilds}
        left = await self.store.servers() - here
        departed = await self.store.departures()
        await self._servers_changed(left=left - departed.keys(), back=here & departed.keys())
        self._compared = True

    async def _servers_changed(self, *, left: Iterable[int] = (), back: Iterable[int] = ()) -> None:
        left, back = list(left), list(back)
        for guild_id in back:
            self.guild_settings.forget(guild_id)
        if left or back:
            log.info("servers_changed", left=left, back=back)
            try:
                await self.store.servers_changed(self.now(), left=left, back=back)
            except StoreError as error:
                log.warning("servers_not_noted", problem=str(error))

    async def forget_departed(self) -> None:
        """Delete a part of what is kept of a server that removed the bot 30 days ago.

        Does nothing before the servers were compared: one of them may have taken the bot back.
        """
        if self._compared:
            await self.store.forget_departed(self.now())

    async def on_guild_channel_delete(self, channel: discord.abc.GuildChannel) -> None:
        """End the table of a channel that was deleted."""
        await self._channel_vanished(channel.id)

    async def on_raw_thread_delete(self, payload: discord.RawThreadDeleteEvent) -> None:
        """End the table of a thread that was deleted."""
        await self._channel_vanished(payload.thread_id)

    async def _channel_vanished(self, channel_id: int) -> None:
        table_id = self.tables.id_in_channel(channel_id)
        if table_id is not None:
            await self._vanished([table_id])

    async def _vanished(self, table_ids: Iterable[int]) -> None:
        for table_id in table_ids:
            try:
                table = await self.tables.reach(table_id, self.now())
                if table is not None:
                    await self.tables.vanished(table, Click.of_the_clock(self.now()))
            except UserError as error:
                log.warning("vanished_table_stays", table=table_id, problem=error.problem.value)

    # --- what the bot may do in a channel

    async def on_guild_channel_update(
        self, before: discord.abc.GuildChannel, after: discord.abc.GuildChannel
    ) -> None:
        """Try the tables again that could not be shown: a channel's permissions may have changed."""
        self.messages.permissions_changed(after.guild.id)

    async def on_guild_role_update(self, before: discord.Role, after: discord.Role) -> None:
        """Try them again: a role's permissions may have changed."""
        self.messages.permissions_changed(after.guild.id)

    async def on_guild_role_delete(self, role: discord.Role) -> None:
        """Try them again: the role may have denied something."""
        self.messages.permissions_changed(role.guild.id)

    async def on_member_update(self, before: discord.Member, after: discord.Member) -> None:
        """Try them again: the bot's own roles or its time-out may have changed."""
        self.messages.permissions_changed(after.guild.id)

    async def on_thread_create(self, thread: discord.Thread) -> None:
        """Try them again: the bot may have been let into a thread."""
        self.messages.permissions_changed(thread.guild.id)

    async def on_thread_join(self, thread: discord.Thread) -> None:
        """Try them again: the bot may have been let into a thread."""
        self.messages.permissions_changed(thread.guild.id)

    async def on_raw_thread_update(self, payload: discord.RawThreadUpdateEvent) -> None:
        """Try them again: a thread may have been opened."""
        self.messages.permissions_changed(payload.guild_id)

    # --- interactions

    async def on_interaction(self, interaction: Interaction) -> None:
        """Answer every interaction that is not a command; commands go through the tree."""
        kind = discord.InteractionType
        if interaction.type not in (kind.application_command, kind.autocomplete):
            await self._components.handle(interaction)

    def _hear(self, event: str, parse: Callable[[Any], object], payload: Any) -> None:
        """Parse an event; an exception of discord.py's parsers would end the connection and the process."""
        try:
            parse(payload)
        except Exception as error:  # noqa: BLE001  # whatever it is, the bot lives on
            what = repr(error) if isinstance(error, KeyError) else type(error).__name__
            log.warning("event_unreadable", event_name=event, problem=what)
            if event == "INTERACTION_CREATE":
                task = asyncio.create_task(self._answer_unread(payload))
                self._answering.add(task)
                task.add_done_callback(self._answering.discard)

    async def _answer_unread(self, payload: Any) -> None:
        """Answer an interaction that discord.py could not parse."""
        try:
            path = "/interactions/{interaction_id}/{interaction_token}/callback"
            route = Route(
                "POST", path, interaction_id=int(payload["id"]), interaction_token=str(payload["token"])
            )
            locale = payload.get("locale")
            text = text_for(locale if isinstance(locale, str) and locale else USUAL_LOCALE)
            told = {"content": problems.problem(text, Problem.UNREADABLE), "flags": _EPHEMERAL}
            answer: dict[str, Any] = {"type": _MESSAGE, "data": told}
            if payload.get("type") == _AUTOCOMPLETE:
                answer = {"type": _SUGGESTIONS, "data": {"choices": []}}
            async with asyncio.timeout(ANSWER_WITHIN):
                await self.http.request(route, json=answer)
        except (*FAILURES, KeyError, TypeError, ValueError, AttributeError) as error:
            log.warning("not_answered", problem=type(error).__name__)

    async def close(self) -> None:
        """Let nothing more in, finish what is being answered, saved and rendered, then go."""
        if self.is_closed():
            return
        for task in (self._syncing, self._uploading, self._looking_back):
            if task is not None:
                task.cancel()
        await self._hang_up()
        await asyncio.gather(
            self._parts.guard.all_answered(within=ANSWER_WITHIN),
            self._parts.scheduler.close(within=ANSWER_WITHIN),
        )
        await self.messages.close(within=RENDER_WITHIN)
        await super().close()
        await self.store.close()

    async def _hang_up(self) -> None:
        """Close the connections to Discord, so that nothing new comes in while the last is answered."""
        lines = [asyncio.create_task(shard.disconnect()) for shard in self.shards.values()]
        if lines:
            await asyncio.wait(lines, timeout=HANG_UP_WITHIN)
