"""The Discord side of Lastlap. Nothing here knows a rule."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import datetime
from typing import TYPE_CHECKING, Final

import discord

if TYPE_CHECKING:
    from bot.client import Lastlap
    from bot.settings import Settings
    from bot.store import Owner

#: The version in pyproject.toml; the bot is run from its folder, and is not installed.
VERSION: Final = "0.1.0"


def create_bot(
    settings: Settings, now: Callable[[], datetime] = discord.utils.utcnow, owner: Owner | None = None
) -> Lastlap:
    """Make the bot: settings, store, tables, messages, interactions, client; it starts when it logs in.

    `owner` has taken the database. Without one the database must be nobody else's.
    """
    # Here, because every module below this package would otherwise pull in all the others.
    from bot import logs, metrics  # noqa: PLC0415
    from bot.client import Lastlap, Parts  # noqa: PLC0415
    from bot.interactions.commands.sync import CommandIds  # noqa: PLC0415
    from bot.interactions.cooldowns import Cooldowns  # noqa: PLC0415
    from bot.interactions.guard import Guard  # noqa: PLC0415
    from bot.interactions.services import Services  # noqa: PLC0415
    from bot.interactions.spoken import Spoken  # noqa: PLC0415
    from bot.messages import Messages  # noqa: PLC0415
    from bot.messages.renderer import Renderer  # noqa: PLC0415
    from bot.messages.requests import Refusals, Requests  # noqa: PLC0415
    from bot.model.agenda import Pace  # noqa: PLC0415
    from bot.tables import Limits, Outages, Scheduler, TableClock, Tables  # noqa: PLC0415
    from bot.tables.guild_settings import GuildSettingsCache  # noqa: PLC0415
    from bot.tables.languages import Languages  # noqa: PLC0415
    from bot.ui.kit.emoji import Emojis  # noqa: PLC0415

    logs.route()
    saves = metrics.Saves()
    store = metrics.WatchedStore(settings.database_url, saves, owner)
    pace = Pace.of(settings)
    scheduler, outages = Scheduler(now), Outages()
    tables = Tables(
        store,
        pace,
        outages,
        save_timeout=settings.save_timeout,
        catch_grace=settings.catch_grace,
        limits=Limits(
            settings.tables_per_person, settings.tables_per_server, settings.invitations_per_person
        ),
    )
    guild_settings = GuildSettingsCache(store)
    spoken = Spoken(Languages(store), guild_settings, tables)
    command_ids = CommandIds()
    renderer = Renderer(Emojis(), pace, command_ids)
    cooldowns = Cooldowns(
        burst=settings.click_burst,
        pause=settings.click_pause,
        start_pause=settings.start_pause,
        share_pause=settings.share_pause,
        now=now,
    )

    refusals = Refusals(lambda: asyncio.get_running_loop().time())
    clock, guard = TableClock(tables, scheduler, outages), Guard(cooldowns, spoken, now, command_ids)

    saves.listen(clock.save_settled)

    def make_parts(client: discord.Client) -> Parts:
        messages = Messages(
            Requests(client, refusals), tables, store, guild_settings, renderer, settings, scheduler
        )
        services = Services(
            settings, store, tables, guild_settings, spoken, renderer, messages, cooldowns, command_ids, now
        )
        return Parts(services, guard, scheduler, clock, outages, saves)

    return Lastlap(settings, make_parts, refusals)
