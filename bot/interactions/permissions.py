"""What the bot may do in a channel, and what somebody who asks may do on a server."""

from __future__ import annotations

from typing import Final

import discord

from bot.interactions.guard import Interaction
from bot.model.errors import Problem, UserError
from bot.model.guild_settings import GuildSettings
from bot.ui.text import replies
from bot.ui.text.translation import text_for

_THREADS: Final = (
    discord.ChannelType.public_thread,
    discord.ChannelType.private_thread,
    discord.ChannelType.news_thread,
)
#: Permissions a table needs, in the order they are named when missing.
_NEEDED: Final[tuple[str, ...]] = ("view_channel", "send_messages", "read_message_history")
_NEEDED_IN_THREAD: Final[tuple[str, ...]] = (
    "view_channel",
    "send_messages_in_threads",
    "read_message_history",
)
_NEEDED_FOR_THREAD: Final[tuple[str, ...]] = (
    "view_channel",
    "send_messages",
    "create_public_threads",
    "send_messages_in_threads",
    "read_message_history",
)


def check_permissions(interaction: Interaction, *, thread: bool = False) -> None:
    """Raise UserError naming what the bot may not do here, or in a thread to be made here."""
    in_thread = interaction.channel is not None and interaction.channel.type in _THREADS
    needed = _NEEDED_IN_THREAD if in_thread else _NEEDED_FOR_THREAD if thread else _NEEDED
    missing = tuple(name for name in needed if not getattr(interaction.app_permissions, name))
    if missing:
        names = replies.permission_names(text_for(str(interaction.locale)), missing)
        raise UserError(Problem.MISSING_PERMISSIONS, permissions=names)


def check_place(interaction: Interaction, settings: GuildSettings) -> None:
    """Raise UserError naming where tables may start, where that is not here."""
    channel = interaction.channel
    places = (interaction.channel_id, channel.parent_id if isinstance(channel, discord.Thread) else None)
    guild = interaction.guild
    # A channel that is gone allows nothing and forbids nothing.
    left = [each for each in settings.channels if guild is None or guild.get_channel(each) is not None]
    if left and not settings.allows(places):
        text = text_for(str(interaction.locale))
        links = text.join([f"<#{channel_id}>" for channel_id in left])
        raise UserError(Problem.NOT_IN_THIS_CHANNEL, channels=links)


def takes_threads(interaction: Interaction) -> bool:
    """Tell whether a thread can be made in the channel of an interaction."""
    return isinstance(interaction.channel, discord.TextChannel)


def moderates(interaction: Interaction) -> bool:
    """Tell whether whoever asks has Manage Messages here."""
    return interaction.permissions.manage_messages


def manages(interaction: Interaction) -> bool:
    """Tell whether whoever asks has Manage Server."""
    return interaction.permissions.manage_guild
