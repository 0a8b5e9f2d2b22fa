"""The help screen: the game and the bot, for somebody who knows neither.

May import `discord`, `bot.ui.kit` and `bot.ui.text`.
"""

from __future__ import annotations

from typing import Final

import discord

from bot.ui.kit.custom_ids import CustomId, Verb
from bot.ui.kit.emoji import Emojis
from bot.ui.kit.layout import Row, Words, button, screen
from bot.ui.text.items import what_items_do
from bot.ui.text.translation import N_, Text

#: Titles and sentences, in the order in which a newcomer needs them.
_PARTS: Final = (
    (
        N_("What it is"),
        (N_("UNO with items: be the first without cards. Your hand is yours alone, and buttons play it."),),
    ),
    (
        N_("How to begin"),
        (
            N_("With others: /uno start, they press **{join}**, you press **{start}**."),
            N_("Alone: the same, with **{add_cpu}** in the lobby."),
        ),
    ),
    (
        N_("A turn"),
        (
            N_("Play a card of the top card's colour, number or symbol. A wild always fits."),
            N_("Nothing fits? **Draw** a card. If that fits you may play it."),
            N_("A **Wild Item Box** turns over a card, and that card's item acts at once."),
            N_("After a **Wild Draw Four** the next player draws, or challenges a bluff."),
        ),
    ),
    (N_("What the items do"), ()),
    (
        N_("UNO!"),
        (
            N_("Down to two cards? Press **{uno}** first, then your card."),
            N_("Whoever forgets it draws two as soon as somebody presses **{catch}**"),
        ),
    ),
    (
        N_("Where to find what"),
        (
            N_("**{my_hand}** shows your cards again, **{more}** has the rules and the way out."),
            N_("**{rules}** in the lobby: house rules, and how long the match is."),
            N_("/uno rules · /uno leaderboard · /uno notify · /uno cards · /uno settings · /uno about"),
        ),
    ),
)


def help_screen(text: Text, emojis: Emojis, *, table: int = 0) -> discord.ui.LayoutView:
    """Return the help, with a button to the rules; `table` is the table it was opened at, 0 for none."""
    title = text.gettext("UNO Mario Kart: how to play")
    parts = []
    for heading, lines in _PARTS:
        told = [f"• {text.gettext(line)}" for line in lines] or what_items_do(text, emojis)
        parts.append(Words("\n".join([f"**{text.gettext(heading)}**", *told])))
    rules = button(text.gettext("All the rules"), CustomId(table, 0, Verb.RULES, ("cards",)))
    return screen(Words(f"### {emojis['flag']} {title}"), *parts, Row(rules))
