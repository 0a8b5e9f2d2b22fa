"""What the item of a Wild Item Box did, in one sentence: at the table while it is the newest thing there.

May import `engine.events`, `engine.cards`, and `emoji` and `text` from beside it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from bot.ui.kit.emoji import Emojis
from bot.ui.text.translation import Players, Text, bold, item
from engine.cards import ITEM, ITEM_BOX, Item
from engine.events import (
    CardFlipped,
    CardKept,
    CardPlayed,
    CardsDrawn,
    ChallengeMade,
    Event,
    HandEnded,
    HandStarted,
    TargetChosen,
    Why,
)

#: Why cards are drawn by an item.
_BY_ITEM: Final = frozenset({Why.BANANA_PEEL, Why.GREEN_SHELL, Why.LIGHTNING, Why.BOB_OMB})
#: What makes an item old news.
_LATER: Final = (CardKept, ChallengeMade, HandStarted)


def opens(events: Sequence[Event]) -> CardPlayed | None:
    """Find the Wild Item Box among the events of one change, if it turned a card over."""
    flipped = any(isinstance(event, CardFlipped) for event in events)
    boxes = (event for event in events if isinstance(event, CardPlayed) and event.card == ITEM_BOX)
    return next(boxes, None) if flipped else None


def struck(text: Text, emojis: Emojis, events: Sequence[Event], players: Players) -> str | None:
    """Tell what the last item did and to whom; None where none is the newest thing that happened."""
    box = next((event for event in reversed(events) if isinstance(event, CardPlayed)), None)
    if box is None or box.card != ITEM_BOX:
        return None
    after = events[len(events) - events[::-1].index(box) :]
    flipped = next((event.card for event in after if isinstance(event, CardFlipped)), None)
    if flipped is None or any(map(_is_later, after)):
        return None
    which = ITEM[flipped]
    return f"{emojis[which.value]} {_sentence(text, which, box.seat, after, players)}"


def _is_later(event: Event) -> bool:
    return isinstance(event, _LATER) or (isinstance(event, CardsDrawn) and event.why not in _BY_ITEM)


def _sentence(text: Text, which: Item, seat: int, after: Sequence[Event], players: Players) -> str:
    drawn = {event.seat: event.number for event in after if isinstance(event, CardsDrawn)}
    over = any(isinstance(event, HandEnded) for event in after)
    named = {"item": bold(item(text, which)), "player": players[seat]}
    if which is Item.LIGHTNING:
        return _lightning(text, named, drawn, players, over=over)
    if which is Item.GREEN_SHELL and not any(isinstance(event, TargetChosen) for event in after):
        if over:
            return text.gettext("{item}: nobody is left to aim at.", **named)
        return text.gettext("{item}: {player} takes aim.", **named)
    if which is Item.BANANA_PEEL or which is Item.GREEN_SHELL:
        return _hit(text, which, named, drawn, players)
    if over:
        return text.gettext("{item}: it does nothing, since the box was the last card of {player}.", **named)
    if which is Item.MUSHROOM:
        return text.gettext("{item}: {player} plays again.", **named)
    if not drawn.get(seat):
        return text.gettext("{item}: there are no cards left to draw. {player} names the colour.", **named)
    return text.ngettext(
        "{item}: {player} draws {number} card and names the colour.",
        "{item}: {player} draws {number} cards and names the colour.",
        drawn[seat],
        **named,
    )


def _hit(text: Text, which: Item, named: dict[str, str], drawn: dict[int, int], players: Players) -> str:
    """Tell of the one whom a Banana Peel or a Green Shell hits."""
    hit, number = next(iter(drawn.items()), (None, 0))
    if hit is None:
        return text.gettext("{item}: {player} hits nobody.", **named)
    shown = {"item": named["item"], "other": players[hit]}
    if not number:
        return text.gettext("{item}: {other} is hit, but there are no cards left to draw.", **shown)
    if which is Item.BANANA_PEEL:
        return text.ngettext(
            "{item}: {other} slips and draws {number} card.",
            "{item}: {other} slips and draws {number} cards.",
            number,
            **shown,
        )
    return text.ngettext(
        "{item}: {other} is hit and draws {number} card.",
        "{item}: {other} is hit and draws {number} cards.",
        number,
        **shown,
    )


def _lightning(
    text: Text, named: dict[str, str], drawn: dict[int, int], players: Players, *, over: bool
) -> str:
    if not all(drawn.values()):
        if over:
            return text.gettext("{item}: there are not enough cards left for everybody to draw.", **named)
        return text.gettext(
            "{item}: there are not enough cards left for everybody to draw. {player} plays again.", **named
        )
    if len(drawn) == 1:
        other = players[next(iter(drawn))]
        if over:
            return text.gettext("{item}: {other} draws a card.", other=other, **named)
        return text.gettext("{item}: {other} draws a card, and {player} plays again.", other=other, **named)
    if over:
        return text.gettext("{item}: everybody but {player} draws a card.", **named)
    return text.gettext("{item}: everybody but {player} draws a card, and {player} plays again.", **named)
