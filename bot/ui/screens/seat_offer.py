"""Seats that change hands: what the table says of them, and the public offer of a seat.

May import `discord`, `bot.ui.kit` and `bot.ui.text`.
"""

from __future__ import annotations

from typing import Final

import discord
from discord import ButtonStyle

from bot.ui.kit.custom_ids import CustomId
from bot.ui.kit.layout import Row, Words, button, fit, screen
from bot.ui.kit.scene import Scene
from bot.ui.text.translation import Players, Text, safe_name

#: How many characters these lines may take of a table.
_MOST_ROOM: Final = 400


def seat_changes(text: Text, scene: Scene, players: Players) -> list[str]:
    """Return whose seats are offered and taken over at the next hand, as far as there is room."""
    offered = [
        text.gettext("{player} offers the seat to {other}.", player=players[seat], other=safe_name(name))
        for seat, name in scene.offers
    ]
    promised = [
        text.gettext(
            "At the next hand {other} takes over from {player}.", player=players[seat], other=safe_name(name)
        )
        for seat, name in scene.successors
    ]
    lines = [*offered, *promised]
    return [fit(lines, _MOST_ROOM)] if lines else []


def offer_screen(text: Text, player: str, other: str, custom_id: CustomId) -> discord.ui.LayoutView:
    """Return the offer of a seat; `other` mentions the person who may take it."""
    sentence = text.gettext(
        "{other}, {player} offers you the seat, with its points, from the next hand on.",
        other=other,
        player=player,
    )
    return screen(Words(sentence), Row(button(text.gettext("Take the seat"), custom_id, ButtonStyle.success)))
