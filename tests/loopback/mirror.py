"""What must be on screen by what the database says, and what is: compared without their emojis.

A bot that has just been started draws with its uploaded pictures or without them; what it says is the same,
but for the cards of a hand that are no buttons: these are pictures, or words as long as there are none.
"""

import re
from collections.abc import Sequence
from typing import Any, NamedTuple

import discord

from bot.messages.renderer import Renderer
from bot.model.agenda import Pace
from bot.settings import Settings
from bot.ui.kit.emoji import FALLBACKS, Emojis
from bot.ui.screens.asides import Step
from bot.ui.text.translation import text_for
from engine.cards import CODE
from tests.loopback.books import Kept
from tests.loopback.screens import Screen

_CARD = re.compile("<:(" + "|".join(CODE) + ")_[0-9a-f]{8}:[0-9]+>")
_EMOJI = re.compile("<:[a-z_A-Z0-9]+:[0-9]+>|" + "|".join(sorted(set(FALLBACKS.values()))))


#: A command that can be clicked.
_COMMAND = re.compile(r"</(uno \w+):\d+>")


class Seen(NamedTuple):
    """A message as it is compared: its texts, and the custom_ids of its buttons."""

    texts: list[str]
    custom_ids: list[str]

    def same_hand(self, other: "Seen") -> bool:
        """Compare hands but for their first words, which may have a note on the press that led there."""
        return (self.texts[1:], self.custom_ids) == (other.texts[1:], other.custom_ids)


class Mirror:
    """Draws what must be seen of a table."""

    def __init__(self) -> None:
        pace, pictured = Pace.of(Settings(discord_token=None)), Emojis()
        for key in FALLBACKS:
            pictured.learn(key, discord.PartialEmoji(name=f"{key}_00000000", id=1))
        self._renderer = Renderer(Emojis(), pace)
        self._pictured = Renderer(pictured, pace)

    def board(self, kept: Kept) -> Seen:
        """Draw the message that everybody sees."""
        assert kept.state is not None
        return _drawn(self._renderer.table_message(kept.id, kept.state))

    def hand(self, kept: Kept, seat: int, step: Step = Step.MAIN, *, pictured: bool = False) -> Seen:
        """Draw the hand of a seat."""
        assert kept.state is not None
        renderer = self._pictured if pictured else self._renderer
        view = renderer.hand(kept.id, kept.state, seat, text_for("en-US"), step=step)
        return _drawn(view, cards=pictured)

    def is_hand(self, kept: Kept, seat: int, screen: Screen) -> bool:
        """Whether a screen is this hand, at any step of its own."""
        return any(
            seen(screen, cards=pictured).same_hand(self.hand(kept, seat, step, pictured=pictured))
            for step in Step
            for pictured in (False, True)
        )


def seen(screen: Screen, *, cards: bool = False) -> Seen:
    """Return what a screen shows; pictures of cards count where `cards` says so."""
    return _plain(screen.payload["components"], cards=cards)


def _drawn(view: discord.ui.LayoutView, *, cards: bool = False) -> Seen:
    return _plain(view.to_components(), cards=cards)


def _plain(components: Sequence[dict[str, Any]], *, cards: bool = False) -> Seen:
    found = Seen([], [])
    for part in components:
        if part["type"] == discord.ComponentType.text_display.value:
            words = _CARD.sub(r"\1", part["content"]) if cards else part["content"]
            found.texts.append(_COMMAND.sub(r"/\1", _EMOJI.sub("", words)))
        elif "custom_id" in part:
            found.custom_ids.append(part["custom_id"])
        inner = _plain(part.get("components", []), cards=cards)
        found.texts.extend(inner.texts)
        found.custom_ids.extend(inner.custom_ids)
    return found
