"""What a member may do in a channel, by Discord's own rule: roles, then the channel's overwrites."""

from typing import TYPE_CHECKING

import discord

if TYPE_CHECKING:
    from tests.loopback.world import Channel, Member

ALL = discord.Permissions.all().value


def bits(*names: str) -> int:
    """Return the bits of these permissions."""
    return discord.Permissions(**dict.fromkeys(names, True)).value


#: What a new server lets everybody do.
EVERYONE = bits(
    "view_channel",
    "send_messages",
    "send_messages_in_threads",
    "read_message_history",
    "create_public_threads",
    "use_application_commands",
    "embed_links",
    "attach_files",
    "add_reactions",
)
#: What a time-out leaves.
LOOKING_ON = bits("view_channel", "read_message_history")
#: What the bot is invited with.
INVITED = bits("view_channel", "send_messages", "send_messages_in_threads", "read_message_history") | bits(
    "create_public_threads", "embed_links", "attach_files"
)


def compute(member: "Member", channel: "Channel | None" = None) -> int:
    """Return the permissions of a member, in a channel or a thread of it."""
    granted = _granted(member, channel)
    if member.timed_out and not granted & bits("administrator"):
        granted &= LOOKING_ON
    return granted


def _granted(member: "Member", channel: "Channel | None") -> int:
    guild = member.guild
    if member.id == guild.owner_id:
        return ALL
    granted = guild.roles[guild.id].permissions
    for role_id in member.roles:
        granted |= guild.roles[role_id].permissions
    if granted & bits("administrator"):
        return ALL
    if channel is None:
        return granted
    overwrites = (channel.parent or channel).overwrites if channel.is_thread else channel.overwrites
    if guild.id in overwrites:
        allow, deny = overwrites[guild.id]
        granted = (granted & ~deny) | allow
    allowed = denied = 0
    for role_id in member.roles & overwrites.keys():
        allow, deny = overwrites[role_id]
        allowed, denied = allowed | allow, denied | deny
    granted = (granted & ~denied) | allowed
    if member.id in overwrites:
        allow, deny = overwrites[member.id]
        granted = (granted & ~deny) | allow
    return granted


def may(member: "Member", channel: "Channel", *names: str) -> bool:
    """Say whether a member has all these permissions in a channel, and sees it."""
    return not bits("view_channel", *names) & ~compute(member, channel)
