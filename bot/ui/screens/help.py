"""The game and the bot in one screen for somebody who knows neither.

May import `discord`, and what is beside it.
"""

from __future__ import annotations

from typing import Final

import discord

from bot.ui.kit.custom_ids import CustomId, Verb
from bot.ui.kit.emoji import Emojis
from bot.ui.kit.layout import Row, Words, button, screen
from bot.ui.text.translation import Text, mark

#: Titles and sentences, in the order in which a newcomer needs them.
_PARTS: Final = (
    (
        mark("What it is"),
        (mark("UNO with items: be the first without cards. Your hand is yours alone, and buttons play it."),),
    ),
    (
        mark("How to begin"),
        (
            mark("With others: /uno start, they press **Join**, you press **Start**."),
            mark("Alone: the same, with **Add CPU** in the lobby."),
        ),
    ),
    (
        mark("A turn"),
        (
            mark("Play a card of the top card's colour, number or symbol. A wild always fits."),
            mark("Nothing fits? **Draw** a card. If that fits you may play it."),
            mark("A **Wild Item Box** turns over a card, and that card's item acts at once."),
            mark("After a **Wild Draw Four** the next player draws, or challenges a bluff."),
        ),
    ),
    (
        mark("UNO!"),
        (
            mark("Down to two cards? Press **UNO!** first, then your card."),
            mark("Whoever forgets it draws two as soon as somebody presses **Catch!**"),
        ),
    ),
    (
        mark("Where to find what"),
        (
            mark("**My hand** shows your cards again, **More** has the rules and the way out."),
            mark("**Rules** in the lobby: house rules, and how long the match is."),
            mark("/uno rules · /uno leaderboard · /uno notify · /uno settings · /uno about"),
        ),
    ),
)


def help_screen(text: Text, emojis: Emojis, *, table: int = 0) -> discord.ui.LayoutView:
    """Draw the help, with the way to the rules; `table` is the one it was asked for at, if any."""
    title = text.say("UNO Mario Kart: how to play")
    parts = [
        Words("\n".join([f"**{text.say(heading)}**", *(f"• {text.say(line)}" for line in lines)]))
        for heading, lines in _PARTS
    ]
    rules = button(text.say("All the rules"), CustomId(table, 0, Verb.RULES, ("cards",)))
    return screen(Words(f"### {emojis['flag']} {title}"), *parts, Row(rules))
