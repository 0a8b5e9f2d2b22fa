"""One press on its way to an answer, and what is read off the interaction it came by."""

from __future__ import annotations

from dataclasses import dataclass

from bot.interactions.guard import Interaction
from bot.store import HandToken
from bot.tables import Click, Table
from bot.ui.kit.custom_ids import CustomId
from bot.ui.text.translation import Text


@dataclass(frozen=True, slots=True)
class Context:
    """One press on its way to an answer: by whom, in which language, at which table."""

    interaction: Interaction
    text: Text
    custom_id: CustomId
    table: Table
    click: Click

    @property
    def on_private(self) -> bool:
        """Whether the button pressed is on a message that only the presser sees."""
        return is_private(self.interaction)


def is_private(interaction: Interaction) -> bool:
    """Tell whether an interaction came from a message that one person alone sees."""
    return interaction.message is not None and interaction.message.flags.ephemeral


def hand_token(interaction: Interaction, table: Table, message_id: int | None) -> HandToken:
    """Note how a hand is reached through this interaction; `message_id` is that of the hand, if any."""
    return HandToken(
        table_id=table.id,
        user_id=interaction.user.id,
        token=interaction.token,
        message_id=message_id,
        channel_id=interaction.channel_id or 0,
        locale=str(interaction.locale),
        issued_at=interaction.created_at,
    )
