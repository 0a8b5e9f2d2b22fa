"""One line for somebody in their first match: what matters now, and which button to press.

May import views, actions, awaiting and cards of the engine, `bot.ui.kit.emoji`, and `items` and `translation`
from `bot.ui.text`.
"""

from __future__ import annotations

from typing import Final

from bot.ui.kit.emoji import Emojis
from bot.ui.text.items import what_items_do
from bot.ui.text.translation import Text
from engine.actions import CHALLENGE, KEEP, Play
from engine.awaiting import Awaiting
from engine.cards import ITEM_BOX
from engine.views import SeatView

#: Where so many cards are left nobody needs to be told how to play one.
_BEGINS: Final = 6


def hint(
    text: Text, emojis: Emojis, view: SeatView, *, uno: bool, first: bool = True
) -> tuple[str | None, list[str]]:
    """Return the line that fits what a seat sees, if any, and what the items do where that goes with it.

    `uno` is whether the seat's UNO is taken care of, `first` whether its first turn is not over.
    """
    line = _uno(text, view, uno=uno)
    if line is None:
        line = _in_turn(text, view, first=first) if view.my_turn else _waiting(text, view, first=first)
        if line is not None and first and _begins(view):
            return line, what_items_do(text, emojis)
    return line, []


def _begins(view: SeatView) -> bool:
    """Whether a seat still has most of its first cards, or may open its first Wild Item Box."""
    return view.hand_no == 1 and (len(view.hand) >= _BEGINS or Play(ITEM_BOX) in view.answers)


def _uno(text: Text, view: SeatView, *, uno: bool) -> str | None:
    mine = view.seats[view.seat]
    if mine.owes:
        return text.gettext("One card left: press {uno} now, before somebody presses {catch}")
    plays = any(type(answer) is Play for answer in view.answers)
    if view.may_say_uno and view.my_turn and plays and not uno and not mine.said:
        return text.gettext("Two cards left: press {uno} first, then your card. Otherwise you can be caught.")
    if view.owed_by is not None:
        return text.gettext("Somebody has one card and has not said UNO: {catch} lets them draw two.")
    return None


def _in_turn(text: Text, view: SeatView, *, first: bool) -> str | None:
    answers = view.answers
    if view.awaiting is Awaiting.CHALLENGE and CHALLENGE in answers:
        return text.gettext(
            "Accept, and you lose your turn. If a challenge is right, you take your turn now."
        )
    if view.hand_no > 1:
        return None
    if view.awaiting is Awaiting.DRAWN and KEEP in answers:
        return text.gettext("Press the card to play it, or {keep} to end your turn.")
    if view.awaiting is not Awaiting.TURN or view.due:
        return None
    if Play(ITEM_BOX) in answers:
        return text.gettext("A Wild Item Box always fits: it turns over a card, whose item acts at once.")
    if not first or len(view.hand) < _BEGINS:
        return None
    if not any(type(answer) is Play for answer in answers):
        return text.gettext("No card of yours is a button, so none fits. Press {draw}.")
    return text.gettext("Press a card to play it. Cards without a button can't be played right now.")


def _waiting(text: Text, view: SeatView, *, first: bool) -> str | None:
    if not first or view.hand_no > 1 or len(view.hand) < _BEGINS:
        return None
    return text.gettext("Nothing to do yet: on your turn your cards appear here as buttons.")
