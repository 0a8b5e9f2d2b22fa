"""The end of a hand or a match for one player: how it went, who won, the sum, and the way to a rematch.

May import `discord`, views, awaiting and rules of the engine, `bot.ui.kit`, `bot.ui.text`, and the summary
from `bot.ui.screens`.
"""

from __future__ import annotations

from discord import ButtonStyle

from bot.ui.kit.custom_ids import CustomId, Verb
from bot.ui.kit.emoji import Emojis
from bot.ui.kit.layout import Button, Item, Words, button
from bot.ui.kit.scene import Scene
from bot.ui.screens import summary
from bot.ui.text.translation import Players, Text, face
from engine.awaiting import Awaiting
from engine.rules import ONE_HAND, worth
from engine.views import SeatView


def result(text: Text, emojis: Emojis, scene: Scene, view: SeatView, note: list[str]) -> Item:
    """Return what somebody reads who has nothing to play; `note` is about the click that led here."""
    if view.seat in scene.removed:
        return Words("\n".join([text.gettext("You were removed from this match."), *note]))
    if view.seats[view.seat].left:
        return Words("\n".join([text.gettext("You have left this match."), *note]))
    players = Players(text, scene.names)
    over = view.awaiting is Awaiting.OVER
    title = _match_title(text, view, players) if over else _hand_title(text, view, players)
    lines = [f"### {emojis['flag']} {title}", *note]
    if over and (place := _place(text, view)):
        lines.append(place)
    lines += _last_card(text, scene, view, players)
    if view.hand_winner is not None:
        lines.append(summary.total(text, view, players))
    if not over:
        lines.append(text.gettext("This hand is over. Press {next_hand} under the result to go on."))
    return summary.with_winning_card(text, emojis, scene, view, "\n".join(lines))


def rematch(text: Text, table: int) -> Button:
    """Return Rematch, which opens the match of a table again."""
    return button(text.gettext("Rematch"), CustomId(table, 0, Verb.AGAIN), ButtonStyle.success)


def _match_title(text: Text, view: SeatView, players: Players) -> str:
    if view.winners == (view.seat,):
        return text.gettext("You win the match!")
    return summary.verdict(text, view, players)


def _hand_title(text: Text, view: SeatView, players: Players) -> str:
    if view.hand_winner == view.seat:
        return text.ngettext(
            "You win the hand: {number} point!", "You win the hand: {number} points!", view.points
        )
    return summary.hand_title(text, view, players)


def _place(text: Text, view: SeatView) -> str | None:
    """Return the place of a seat that has not won the match."""
    if view.seat in (view.winners or ()):
        return None
    rank = next(rank for rank, info in summary.standings(view) if info.seat == view.seat)
    of = len(view.seats)
    if view.length == ONE_HAND:
        return text.ngettext(
            "Your place: {rank} of {players}, with {number} point left in hand.",
            "Your place: {rank} of {players}, with {number} points left in hand.",
            worth(view.remaining[view.seat]),
            rank=rank,
            players=of,
        )
    return text.ngettext(
        "Your place: {rank} of {players}, with {number} point.",
        "Your place: {rank} of {players}, with {number} points.",
        view.seats[view.seat].score,
        rank=rank,
        players=of,
    )


def _last_card(text: Text, scene: Scene, view: SeatView, players: Players) -> list[str]:
    """Return the card with which the hand was won."""
    card = summary.winning_card(scene, view)
    if card is not None and view.hand_winner == view.seat:
        return [text.gettext("You went out with {card}.", card=face(text, card))]
    return summary.went_out(text, scene, view, players)
