"""What to show of a table: its state in, a finished message out. The one place where states meet `ui`."""

from __future__ import annotations

import discord

from bot.state import State
from bot.ui import hand, lobby, summary, table
from bot.ui.emoji import Emojis
from bot.ui.scene import Scene
from bot.ui.text import Text, text_for
from engine.awaiting import Awaiting
from engine.views import seat_view, table_view


def scene(table_id: int, state: State) -> Scene:
    """Give what every screen of a table needs besides a view."""
    return Scene(table=table_id, names=state.names, host=state.host, recent=state.recent)


def board(table_id: int, state: State, emojis: Emojis) -> discord.ui.LayoutView:
    """Show the message everybody sees: the lobby, the table, the summary of a hand, the end."""
    text = text_for(state.locale)
    match = state.match
    if match is not None and match.winners is not None:
        return summary.match_summary(text, emojis, scene(table_id, state), table_view(match))
    if state.ended is not None:
        return lobby.closed_screen(text, closed(text, state.ended))
    if match is None:
        waiting = lobby.Lobby(table_id, state.names, state.host, state.rules, state.length)
        return lobby.lobby_screen(text, emojis, waiting)
    if match.awaiting is Awaiting.DEAL:
        return summary.hand_summary(text, emojis, scene(table_id, state), table_view(match))
    return table.table_screen(text, emojis, scene(table_id, state), table_view(match))


def closed(text: Text, how: str) -> str:
    """Say in a sentence how a table came to its end without a winner."""
    if how == "cancelled":
        return text.say("The host has cancelled this lobby. /uno start opens a new one.")
    if how == "empty":
        return text.say("Everybody has left this lobby, so it is closed. /uno start opens a new one.")
    return text.say("This table was ended. Finished hands count. /uno start opens a new one.")


def private_hand(  # noqa: PLR0913  # whose hand, for whom, and the three ways to look at it
    table_id: int,
    state: State,
    seat: int,
    text: Text,
    emojis: Emojis,
    *,
    step: hand.Step = hand.Step.MAIN,
    uno: bool = False,
    note: str | None = None,
) -> discord.ui.LayoutView:
    """Show one seat its hand."""
    assert state.match is not None
    view = seat_view(state.match, seat)
    return hand.hand_screen(text, emojis, scene(table_id, state), view, step=step, uno=uno, note=note)
