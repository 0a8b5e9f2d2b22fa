"""What commands and components work with: one object, made once and handed to both."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from bot.interactions.commands.sync import CommandIds
from bot.interactions.cooldowns import Cooldowns
from bot.interactions.spoken import Spoken
from bot.messages import Messages
from bot.messages.renderer import Renderer
from bot.settings import Settings
from bot.store import Store
from bot.tables import Tables
from bot.tables.guild_settings import GuildSettingsCache


@dataclass(frozen=True, slots=True)
class Services:
    """The parts of the bot that an interaction may need."""

    settings: Settings
    store: Store
    tables: Tables
    guild_settings: GuildSettingsCache
    spoken: Spoken
    renderer: Renderer
    messages: Messages
    cooldowns: Cooldowns
    command_ids: CommandIds
    now: Callable[[], datetime]
