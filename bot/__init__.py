"""The Discord side of Lastlap. Nothing here knows a rule."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import TYPE_CHECKING

import discord

if TYPE_CHECKING:
    from bot.client import Lastlap
    from bot.settings import Settings


def create_bot(settings: Settings, now: Callable[[], datetime] = discord.utils.utcnow) -> Lastlap:
    """Make the bot: settings to store to tables to client; it brings back its tables when it logs in."""
    # Here, because every module below this package would otherwise pull in all the others.
    from bot import logs  # noqa: PLC0415
    from bot.client import Lastlap  # noqa: PLC0415

    logs.route()
    return Lastlap(settings, now)
