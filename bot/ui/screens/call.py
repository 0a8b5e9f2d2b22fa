"""A public call to somebody, with the button that shows their hand.

May import `discord` and `bot.ui.kit`, and `translation` from `bot.ui.text`.
"""

from __future__ import annotations

import discord
from discord import ButtonStyle

from bot.ui.kit.custom_ids import CustomId, Verb
from bot.ui.kit.layout import Row, Words, button, screen
from bot.ui.text.translation import Text


def call_screen(text: Text, sentence: str, table: int) -> discord.ui.LayoutView:
    """Return a sentence that mentions people, with My hand."""
    hand = button(text.gettext("My hand"), CustomId(table, 0, Verb.HAND), ButtonStyle.primary)
    return screen(Words(sentence), Row(hand))
