"""The Discord side of Lastlap. Nothing here knows a rule."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import TYPE_CHECKING, Final

import discord

if TYPE_CHECKING:
    from bot.client import Lastlap
    from bot.settings import Settings

#: The version in pyproject.toml; the bot is run from its folder, and is not installed.
VERSION: Final = "0.1.0"


def create_bot(settings: Settings, now: Callable[[], datetime] = discord.utils.utcnow) -> Lastlap:
    """Make the bot: settings to store to tables to client; it brings back its tables when it logs in."""
    # Here, because every module below this package would otherwise pull in all the others.
    from bot import logs  # noqa: PLC0415
    from bot.client import Lastlap  # noqa: PLC0415

    logs.route()
    return Lastlap(settings, now)
