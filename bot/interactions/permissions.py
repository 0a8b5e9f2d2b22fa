"""What the bot may do in a channel, and what the asker may do and see on a server."""

from __future__ import annotations

from typing import Final

import discord

from bot.interactions.context import Context
from bot.model.errors import Problem, UserError
from bot.model.guild_settings import GuildSettings
from bot.ui.text import problems

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


def check_permissions(context: Context, *, thread: bool = False) -> None:
    """Raise UserError naming the permissions the bot lacks here, or for a thread to be made here."""
    channel, granted = context.interaction.channel, context.interaction.app_permissions
    in_thread = channel is not None and channel.type in _THREADS
    missing = missing_permissions(granted, in_thread=in_thread, for_thread=thread)
    if missing:
        names = problems.permission_names(context.text, missing)
        raise UserError(Problem.MISSING_PERMISSIONS, permissions=names)


def missing_permissions(
    granted: discord.Permissions, *, in_thread: bool, for_thread: bool = False
) -> tuple[str, ...]:
    """Return the names of the permissions that a table needs and the bot lacks."""
    needed = _NEEDED_IN_THREAD if in_thread else _NEEDED_FOR_THREAD if for_thread else _NEEDED
    return tuple(name for name in needed if not getattr(granted, name))


def check_place(context: Context, settings: GuildSettings) -> None:
    """Raise UserError naming the channels where tables may start, if this is not one of them."""
    channel, guild = context.interaction.channel, context.interaction.guild
    places = (context.channel_id, channel.parent_id if isinstance(channel, discord.Thread) else None)
    # A deleted channel allows nothing and forbids nothing.
    left = [each for each in settings.channels if guild is None or guild.get_channel(each) is not None]
    if left and not settings.allows(places):
        links = context.text.join([f"<#{channel_id}>" for channel_id in left])
        raise UserError(Problem.NOT_IN_THIS_CHANNEL, channels=links)


def takes_threads(context: Context) -> bool:
    """Whether a thread can be made in the channel of an interaction."""
    return isinstance(context.interaction.channel, discord.TextChannel)


def moderates(context: Context) -> bool:
    """Whether the asker has Manage Messages here."""
    return context.interaction.permissions.manage_messages


def manages(context: Context) -> bool:
    """Whether the asker has Manage Server."""
    return context.interaction.permissions.manage_guild


def sees(context: Context, channel_id: int) -> bool:
    """Whether the asker may see a channel or thread of this server; False for an unknown one."""
    if channel_id == context.channel_id:
        return True
    guild = context.interaction.guild
    channel = None if guild is None else guild.get_channel_or_thread(channel_id)
    if channel is None or (isinstance(channel, discord.Thread) and channel.parent is None):
        return False
    granted = channel.permissions_for(context.member)
    if channel.type is discord.ChannelType.private_thread:
        return granted.view_channel and granted.manage_threads
    return granted.view_channel
