"""One interaction on its way to an answer. Imports discord and the tables."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

import discord

from bot.interactions.answer import Answer, Interaction, is_private
from bot.model.state import State
from bot.store import HandToken
from bot.tables import Click, Table
from bot.ui.kit.custom_ids import CustomId
from bot.ui.text.translation import Text

#: The language if Discord names none.
USUAL_LOCALE = "en-US"


@dataclass(frozen=True, slots=True)
class Context:
    """One interaction on its way to an answer: who asks, where, when, in which language."""

    interaction: Interaction
    answer: Answer
    member: discord.Member
    guild_id: int
    channel_id: int
    text: Text
    now: datetime

    @property
    def on_private(self) -> bool:
        """Whether only the presser sees the message that was pressed."""
        return is_private(self.interaction)

    @property
    def click(self) -> Click:
        """Who asks, when, and by which interaction, for the tables."""
        return Click(self.interaction.id, self.member.id, self.member.display_name, self.now)


@dataclass(frozen=True, slots=True)
class TableContext(Context):
    """One interaction at a table."""

    table: Table

    @classmethod
    def of(cls, context: Context, table: Table) -> TableContext:
        """Return the context of an interaction at a table."""
        c = context
        return cls(c.interaction, c.answer, c.member, c.guild_id, c.channel_id, c.text, c.now, table)

    @property
    def state(self) -> State:
        """The table as it is now."""
        return self.table.state

    @property
    def seat(self) -> int | None:
        """The asker's seat, None if they do not play."""
        return self.state.seat_of(self.member.id)

    @property
    def pressed_token(self) -> HandToken:
        """How a hand is reached by this interaction; the private message pressed, if any, is taken for it."""
        message = self.interaction.message if self.on_private else None
        return self.hand_token(None if message is None else message.id)

    def hand_token(self, message_id: int | None = None) -> HandToken:
        """Return how a hand is reached by this interaction; `message_id` is the hand's, if it has one."""
        return HandToken(
            table_id=self.table.id,
            user_id=self.member.id,
            token=self.interaction.token,
            message_id=message_id,
            channel_id=self.channel_id,
            locale=self.text.key,
            issued_at=self.now,
        )


@dataclass(frozen=True, slots=True)
class ComponentContext(TableContext):
    """A press of a button, or a choice in a menu, of a live table."""

    custom_id: CustomId

    @classmethod
    def read(cls, context: TableContext, custom_id: CustomId) -> ComponentContext:
        """Return the context of a component at a table."""
        c = context
        where = (c.guild_id, c.channel_id)
        return cls(c.interaction, c.answer, c.member, *where, c.text, c.now, c.table, custom_id)


def locale_of(interaction: Interaction) -> str:
    """Return the language of the asker's Discord; English if there is none."""
    return spelt(interaction.locale)


def spelt(locale: discord.Locale | None) -> str:
    """Return a locale as Discord spells it, and the usual one for anything that is no locale."""
    value = None if locale is None else locale.value
    return value if isinstance(value, str) and value else USUAL_LOCALE
