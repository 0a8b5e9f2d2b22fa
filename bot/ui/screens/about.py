"""The about screen: what the bot is, whose trade marks it uses, what it stores, whom to ask.

May import `discord`, `bot.ui.kit` and `bot.ui.text`.
"""

from __future__ import annotations

from dataclasses import dataclass

import discord

from bot.ui.kit.emoji import Emojis
from bot.ui.kit.layout import Words, screen
from bot.ui.text.translation import Text


@dataclass(frozen=True, slots=True)
class Links:
    """Addresses given by the operator, None where there is none."""

    support: str | None = None
    privacy: str | None = None
    terms: str | None = None
    source: str | None = None


def about_screen(text: Text, emojis: Emojis, version: str, links: Links) -> discord.ui.LayoutView:
    """Return the about screen."""
    title = text.gettext("Lastlap {version}", version=version)
    return screen(
        Words("\n".join([f"### {emojis['flag']} {title}", *_what(text, links)])),
        Words("\n".join([_head(text.gettext("Unofficial")), *_unofficial(text)])),
        Words("\n".join([_head(text.gettext("Privacy")), *_privacy(text, links)])),
        # Translators: a heading: the terms of use.
        Words("\n".join([_head(text.gettext("Terms")), *_terms(text, links)])),
        Words("\n".join([_head(text.gettext("Questions and mistakes")), _support(text, links)])),
    )


def _head(words: str) -> str:
    return f"**{words}**"


def _link(words: str, address: str) -> str:
    return f"[{words}](<{address}>)"


def _what(text: Text, links: Links) -> list[str]:
    lines = [
        text.gettext(
            "A bot with which a server plays UNO Mario Kart by pressing buttons. /uno help says how."
        )
    ]
    if links.source is not None:
        lines.append(_link(text.gettext("Source code, under the MIT licence"), links.source))
    return lines


def _unofficial(text: Text) -> list[str]:
    return [
        text.gettext(
            "A fan project, not affiliated with, endorsed or sponsored by Mattel, Nintendo or Discord. UNO "
            "and Mario Kart are trade marks of their owners. All pictures are the project's own."
        )
    ]


def _privacy(text: Text, links: Links) -> list[str]:
    lines = [
        text.gettext(
            "Of those who play it stores: user id and name, the cards and moves of their matches, points and "
            "results, when they want to be called and in which language answered, and for 15 minutes what it "
            "takes to refresh a hand."
        ),
        text.gettext(
            "It stores no messages, no list of members, and nothing about anybody who never used it."
        ),
    ]
    lines.append(
        text.gettext(
            "/uno my-data shows what is kept about you, /uno forget-me deletes it, and /uno hide takes you "
            "off the leaderboards."
        )
    )
    if links.privacy is not None:
        lines.append(_link(text.gettext("All about privacy"), links.privacy))
    return lines


def _terms(text: Text, links: Links) -> list[str]:
    lines = [
        text.gettext("It is free, for fun, and comes without any promise. Play fair, and do not flood it.")
    ]
    if links.terms is not None:
        lines.append(_link(text.gettext("The terms of use"), links.terms))
    return lines


def _support(text: Text, links: Links) -> str:
    if links.support is None:
        return text.gettext("Tell whoever added the bot to this server.")
    return _link(text.gettext("Ask for help, or report something"), links.support)
