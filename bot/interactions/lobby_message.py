"""The answer that shows a new lobby to everybody, to a command or to Rematch."""

from __future__ import annotations

import asyncio

from bot.interactions.context import hand_token
from bot.interactions.guard import ANSWER_WITHIN, Interaction
from bot.messages import Messages
from bot.messages.renderer import Renderer
from bot.tables import Table


async def answer_with_lobby(
    interaction: Interaction, table: Table, messages: Messages, renderer: Renderer
) -> None:
    """Answer with a new table's lobby, for everybody; the host's first hand comes through this answer."""
    messages.holds(table, hand_token(interaction, table, None), None)
    with messages.answering(table):
        view = renderer.table_message(table.id, table.state)
        async with asyncio.timeout(ANSWER_WITHIN):
            answer = await interaction.response.send_message(view=view)
        assert answer.message_id is not None
        messages.posted(table, answer.message_id, table.state.version)
