"""Who or what was chosen in a menu of people or channels: what Discord resolves the ids to."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

import discord

from bot.interactions.answer import Interaction
from bot.model.errors import Problem, UserError


@dataclass(frozen=True, slots=True)
class Resolved:
    """Somebody chosen in a menu of people, with their raw name on this server, and whether they are a bot."""

    user_id: int
    name: str
    bot: bool


def people(interaction: Interaction, values: Sequence[str]) -> list[Resolved]:
    """Return the people who were chosen, without those whom Discord does not resolve.

    Raises UserError if what it sent cannot be read.
    """
    try:
        told: Any = interaction.data or {}
        resolved = told.get("resolved") or {}
        users, members = resolved.get("users") or {}, resolved.get("members") or {}
        return [_person(users[value], members.get(value) or {}) for value in values if users.get(value)]
    except (AttributeError, KeyError, TypeError, ValueError):
        raise UserError(Problem.UNREADABLE) from None


def _person(user: dict[str, Any], member: dict[str, Any]) -> Resolved:
    name = member.get("nick") or user.get("global_name") or user.get("username") or ""
    return Resolved(int(user["id"]), str(name), bool(user.get("bot")))


def channels(
    interaction: Interaction, values: Sequence[str], kinds: Collection[discord.ChannelType]
) -> list[int]:
    """Return the ids of the channels chosen that are on this server and of one of these kinds."""
    guild = interaction.guild
    found = [None if guild is None else guild.get_channel(int(value)) for value in values]
    return [channel.id for channel in found if channel is not None and channel.type in kinds]
