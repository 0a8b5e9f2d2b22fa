"""Seats that change hands, in words, and the public offer of one.

May import `discord` and what is beside it.
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


def promises(text: Text, scene: Scene, players: Players) -> list[str]:
    """Say whose seats are offered and promised to whom, as far as there is room."""
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
    """Draw the offer of a seat: `other` is the mention of the one who may take it by `press`."""
    sentence = text.gettext(
        "{other}, {player} offers you the seat, with its points, from the next hand on.",
        other=other,
        player=player,
    )
    return screen(Words(sentence), Row(button(text.gettext("Take the seat"), custom_id, ButtonStyle.success)))
