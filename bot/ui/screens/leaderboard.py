"""The leaderboard of a server. May import `discord`, `bot.ui.kit` and `bot.ui.text`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Protocol

import discord

from bot.ui.kit.emoji import Emojis
from bot.ui.kit.layout import Words, fit, screen
from bot.ui.text.translation import N_, Text, bold, safe_name


class Line(Protocol):
    """One person's line; equal results have the same rank."""

    @property
    def rank(self) -> int:
        """The rank, 1 for the first."""

    @property
    def name(self) -> str:
        """The last known name, raw."""

    @property
    def points(self) -> int:
        """Points of all hands won."""

    @property
    def hands_won(self) -> int:
        """Hands won."""

    @property
    def hands_played(self) -> int:
        """Hands played to the end."""


def leaderboard_screen(text: Text, emojis: Emojis, lines: Sequence[Line]) -> discord.ui.LayoutView:
    """Return the leaderboard, as many lines as fit."""
    name = text.gettext("Leaderboard of this server")
    title = Words(f"### {emojis['flag']} {name}")
    if not lines:
        return screen(title, Words(text.gettext(_EMPTY)))
    return screen(title, Words(fit([written for line in lines for written in _line(text, line)], 3600)))


#: Hands of one person against computer players are not ranked.
_EMPTY: Final = N_(
    "No hand has been finished here yet by two people or more; hands against computers alone do not count. "
    "Start one: /uno start"
)


def _line(text: Text, line: Line) -> tuple[str, str]:
    name = safe_name(line.name, empty=text.gettext("Somebody"))
    points = text.ngettext(
        "{rank} · {player}: {number} point",
        "{rank} · {player}: {number} points",
        line.points,
        rank=bold(line.rank),
        player=name,
    )
    hands = text.ngettext(
        "{won} of {number} hand won", "{won} of {number} hands won", line.hands_played, won=line.hands_won
    )
    return points, f"-# {hands}"
