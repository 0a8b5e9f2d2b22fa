"""Computer players on screens, and the host's private list of them.

May import `discord`, `bot.model.options`, `bot.ui.kit` and `bot.ui.text`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import discord
from discord import ButtonStyle

from bot.model.options import LEVELS
from bot.ui.kit.custom_ids import CustomId, Verb
from bot.ui.kit.layout import Item, Row, Section, Words, button, screen
from bot.ui.kit.scene import Computer
from bot.ui.text.translation import N_, Players, Text, bold

_LEVELS: Final = {
    # Translators: a computer player that forgets and overlooks.
    "easy": N_("Easy"),
    # Translators: a computer player that plays sensibly.
    "normal": N_("Normal"),
    # Translators: the strongest computer player, which counts the cards.
    "sharp": N_("Sharp"),
}


def level(text: Text, name: str) -> str:
    """Return the name of a level; a level of an older version is its own name."""
    return text.gettext(_LEVELS[name]) if name in _LEVELS else name


def with_level(text: Text, player: str, computer: Computer) -> str:
    """Return the name of a computer player with its level."""
    return text.gettext("{player} · {level}", player=player, level=level(text, computer.level))


def computer_rows(
    text: Text, players: Players, computers: Sequence[Computer], table: int, number: int = 0
) -> list[Item]:
    """Return a section for each computer player, with a button to remove it."""
    return [
        Section(
            Words(with_level(text, bold(players[computer.seat]), computer)),
            # Translators: a button beside a computer player that takes its seat away.
            accessory=button(text.gettext("Remove"), CustomId(table, number, Verb.REMOVE, (computer.name,))),
        )
        for computer in computers
    ]


def computers_panel(
    text: Text, table: int, names: Sequence[str], computers: Sequence[Computer], most: int
) -> discord.ui.LayoutView:
    """Return the host's list of computer players in a lobby.

    `names` are those of all players there, `most` is the number of seats.
    """
    full = len(names) >= most
    title = text.gettext("Computer players")
    words = text.gettext("All seats are taken.") if full else text.gettext("Each press seats one more:")
    buttons = [
        button(level(text, name), CustomId(table, 0, Verb.ADD, (name,)), ButtonStyle.primary, disabled=full)
        for name in LEVELS
    ]
    levels = text.gettext("Easy forgets and overlooks, Normal plays sensibly, Sharp counts the cards.")
    return screen(
        Words(f"### {title}\n-# {levels}\n{words}"),
        Row(*buttons),
        *computer_rows(text, Players(text, names), computers, table),
    )
