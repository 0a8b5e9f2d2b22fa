"""The JSON in which Discord tells of things."""

import json
from typing import TYPE_CHECKING, Any

from tests.loopback.permissions import compute

if TYPE_CHECKING:
    from tests.loopback.answers import Interaction
    from tests.loopback.world import Channel, Guild, Member, Message, Role, User

JSON = dict[str, Any]


def user(user: "User") -> JSON:
    return {
        "id": str(user.id),
        "username": f"user{user.id}" if not user.bot else user.name,
        "global_name": user.name,
        "discriminator": "0",
        "avatar": None,
        "bot": user.bot,
        "public_flags": 0,
    }


def member(member: "Member") -> JSON:
    until = member.timed_out_until
    return {
        "user": user(member.user),
        "nick": member.nick,
        "roles": [str(role) for role in member.roles],
        "joined_at": member.joined_at,
        "premium_since": None,
        "avatar": None,
        "deaf": False,
        "mute": False,
        "communication_disabled_until": until.isoformat() if until is not None else None,
        "pending": False,
        "flags": 0,
    }


def role(role: "Role") -> JSON:
    return {
        "id": str(role.id),
        "name": role.name,
        "permissions": str(role.permissions),
        "position": 0,
        "color": 0,
        "colors": {"primary_color": 0, "secondary_color": None, "tertiary_color": None},
        "hoist": False,
        "managed": False,
        "mentionable": False,
        "flags": 0,
    }


def channel(channel: "Channel") -> JSON:
    last = channel.last_message_id
    payload: JSON = {
        "id": str(channel.id),
        "type": channel.type,
        "guild_id": str(channel.guild.id),
        "name": channel.name,
        "parent_id": str(channel.parent.id) if channel.parent else None,
        "last_message_id": str(last) if last else None,
        "rate_limit_per_user": 0,
        "flags": 0,
    }
    if channel.is_thread:
        return payload | {
            "owner_id": str(channel.owner_id),
            "message_count": len(channel.messages),
            "member_count": 1,
            "total_message_sent": len(channel.messages),
            "thread_metadata": {
                "archived": channel.archived,
                "locked": channel.locked,
                "auto_archive_duration": 1440,
                "archive_timestamp": channel.changed_at,
                "create_timestamp": channel.changed_at,
            },
        }
    guild_roles = channel.guild.roles
    return payload | {
        "position": 0,
        "topic": None,
        "nsfw": False,
        "bitrate": 64000,
        "user_limit": 0,
        "available_tags": [],
        "permission_overwrites": [
            {
                "id": str(target),
                "type": int(target not in guild_roles),
                "allow": str(allow),
                "deny": str(deny),
            }
            for target, (allow, deny) in channel.overwrites.items()
        ],
    }


def guild(guild: "Guild") -> JSON:
    return {
        "id": str(guild.id),
        "name": guild.name,
        "owner_id": str(guild.owner_id),
        "icon": None,
        "splash": None,
        "discovery_splash": None,
        "banner": None,
        "description": None,
        "afk_channel_id": None,
        "afk_timeout": 300,
        "verification_level": 0,
        "default_message_notifications": 0,
        "explicit_content_filter": 0,
        "mfa_level": 0,
        "nsfw_level": 0,
        "premium_tier": 0,
        "preferred_locale": guild.locale,
        "system_channel_id": None,
        "system_channel_flags": 0,
        "rules_channel_id": None,
        "public_updates_channel_id": None,
        "vanity_url_code": None,
        "features": [],
        "emojis": [],
        "stickers": [],
        "roles": [role(known) for known in guild.roles.values()],
        "member_count": len(guild.members),
        "large": False,
        "unavailable": False,
        "joined_at": guild.me.joined_at,
        "members": [member(guild.me)],
        "channels": [channel(known) for known in guild.channels.values() if not known.is_thread],
        "threads": [channel(k) for k in guild.channels.values() if k.is_thread and not k.archived],
        "presences": [],
        "voice_states": [],
        "stage_instances": [],
        "guild_scheduled_events": [],
        "soundboard_sounds": [],
        "premium_progress_bar_enabled": False,
    }


def message(message: "Message") -> JSON:
    world = message.channel.guild.world
    payload: JSON = {
        "id": str(message.id),
        "type": 0 if message.interaction is None else 20,
        "channel_id": str(message.channel.id),
        "author": user(message.author.user),
        "content": message.content,
        "timestamp": message.timestamp,
        "edited_timestamp": message.edited,
        "tts": False,
        "mention_everyone": False,
        "mentions": [user(world.users[pinged]) for pinged in sorted(message.pinged)],
        "mention_roles": [],
        "attachments": message.attachments,
        "embeds": message.embeds,
        "components": message.components,
        "pinned": False,
        "flags": message.flags,
    }
    if message.nonce is not None:
        payload["nonce"] = message.nonce
    if message.interaction is not None:
        asked: Interaction = message.interaction
        payload |= {
            "webhook_id": str(world.bot.id),
            "application_id": str(world.bot.id),
            "interaction_metadata": {
                "id": str(asked.id),
                "type": asked.type,
                "user": user(asked.member.user),
                "authorizing_integration_owners": {"0": str(asked.channel.guild.id)},
            },
        }
    return payload


def interaction(asked: "Interaction", seen: JSON | None) -> JSON:
    """Tell of an interaction; `seen` is the message of a component as its presser saw it."""
    guild, where = asked.channel.guild, asked.channel
    payload: JSON = {
        "id": str(asked.id),
        "application_id": str(guild.world.bot.id),
        "type": asked.type,
        "token": asked.token,
        "version": 1,
        "data": asked.data,
        "guild_id": str(guild.id),
        "guild": {"id": str(guild.id), "locale": guild.locale, "features": []},
        "guild_locale": guild.locale,
        "channel_id": str(where.id),
        "channel": channel(where) | {"permissions": str(compute(asked.member, where))},
        "member": member(asked.member) | {"permissions": str(compute(asked.member, where))},
        "locale": asked.member.user.locale,
        "app_permissions": str(compute(guild.me, where)),
        "entitlements": [],
        "authorizing_integration_owners": {"0": str(guild.id)},
        "context": 0,
        "attachment_size_limit": 10_485_760,
    }
    return payload if seen is None else payload | {"message": seen}


def command(number: int, spec: JSON) -> JSON:
    """Tell of a command that was synced."""
    told = {"id": str(number), "application_id": "1000", "version": str(number)}
    return spec | told | {"type": spec.get("type", 1)}


def frozen(payload: JSON) -> JSON:
    """Return a copy that stays as it is, with nothing in it that JSON cannot hold."""
    copy: JSON = json.loads(json.dumps(payload))
    return copy
