"""Who and what was chosen in a menu of people or channels, as Discord tells it beside the ids.

May import `discord` and the guard's interactions.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from bot.interactions.guard import Interaction


@dataclass(frozen=True, slots=True)
class Chosen:
    """Somebody chosen in a menu of people: who, by what raw name on this server, and whether a bot."""

    user_id: int
    name: str
    bot: bool


def people(interaction: Interaction, values: Sequence[str]) -> list[Chosen]:
    """Give the people whose ids were chosen; those of whom Discord tells nothing are left out."""
    resolved = _resolved(interaction)
    users, members = resolved.get("users") or {}, resolved.get("members") or {}
    found = []
    for value in values:
        user, member = users.get(value), members.get(value) or {}
        if user is not None:
            name = member.get("nick") or user.get("global_name") or user.get("username") or ""
            found.append(Chosen(int(value), name, bool(user.get("bot"))))
    return found


def channels(interaction: Interaction, values: Sequence[str]) -> list[int]:
    """Give the ids of channels that were chosen and are of this server."""
    guild = interaction.guild
    return [int(value) for value in values if guild is not None and guild.get_channel(int(value))]


def _resolved(interaction: Interaction) -> dict[str, Any]:
    told: Any = interaction.data or {}
    return told.get("resolved") or {}
