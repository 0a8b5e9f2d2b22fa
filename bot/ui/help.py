"""The game and the bot in one screen for somebody who knows neither.

May import `discord`, and what is beside it.
"""

from __future__ import annotations

from typing import Final

import discord

from bot.ui.emoji import Emojis
from bot.ui.ids import Press, Verb
from bot.ui.layout import Row, Words, button, screen
from bot.ui.text import Text, mark

#: Titles and sentences, in the order in which a newcomer needs them.
_PARTS: Final = (
    (
        mark("What it is"),
        (
            mark("UNO with items: be the first to get rid of your cards. Your hand is for your eyes only."),
            mark("Pressing buttons is all there is to it. Whatever cannot be pressed cannot be done."),
        ),
    ),
    (
        mark("How to begin"),
        (
            mark("With others: type /uno start, let them press **Join**, then press **Start**."),
            mark("Alone: type /uno start and choose `cpus`, or press **Add CPU** in the lobby."),
        ),
    ),
    (
        mark("Your turn"),
        (
            mark(
                "Play a card with the colour, the number or the symbol of the top card. A wild always fits."
            ),
            mark("Nothing fits, or you do not want to? **Draw** a card. If it fits you may play it."),
            mark("A **Wild Item Box** turns over a card, and the item on that card acts at once."),
            mark("After a **Wild Draw Four** the next player accepts and draws, or challenges a bluff."),
        ),
    ),
    (
        mark("UNO!"),
        (
            mark("Down to two cards? Press **UNO!** first, then your card."),
            mark("Whoever forgets it can be caught: the first to press **Catch!** lets them draw two."),
        ),
    ),
    (
        mark("Where to find what"),
        (
            mark("**My hand** under the table shows your cards, always. **More** in your hand has the rest."),
            mark("/uno rules · /uno leaderboard · /uno notify · /uno tables · /uno about"),
            mark(
                "House rules and the length of a match: **Rules** in the lobby. For a server: /uno settings"
            ),
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
    rules = button(text.say("All the rules"), Press(table, 0, Verb.RULES, ("cards",)))
    return screen(Words(f"### {emojis['flag']} {title}"), *parts, Row(rules))
