"""What the item of a Wild Item Box did, in one sentence, shown as long as nothing else has happened.

May import `engine.events`, `engine.cards`, `bot.ui.kit.emoji`, and `translation` from `bot.ui.text`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
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

#: Why cards are drawn because of an item.
BY_ITEM: Final = frozenset(why for why in Why if why.name in Item.__members__)
#: What makes an item old news.
_LATER: Final = (CardKept, ChallengeMade, HandStarted)


def opened_box(events: Sequence[Event]) -> CardPlayed | None:
    """Return the Wild Item Box among the events of one change, if it turned a card over."""
    flipped = any(isinstance(event, CardFlipped) for event in events)
    boxes = (event for event in events if isinstance(event, CardPlayed) and event.card == ITEM_BOX)
    return next(boxes, None) if flipped else None


def item_effect(text: Text, emojis: Emojis, events: Sequence[Event], players: Players) -> str | None:
    """Return what the last item did and to whom; None where something else has happened since."""
    box = next((event for event in reversed(events) if isinstance(event, CardPlayed)), None)
    if box is None or box.card != ITEM_BOX:
        return None
    after = events[len(events) - events[::-1].index(box) :]
    flipped = next((event.card for event in after if isinstance(event, CardFlipped)), None)
    if flipped is None or any(map(_is_later, after)):
        return None
    which = ITEM[flipped]
    acted = _Acted(
        bold(item(text, which)),
        box.seat,
        players,
        drawn={event.seat: event.number for event in after if isinstance(event, CardsDrawn)},
        aimed=any(isinstance(event, TargetChosen) for event in after),
        over=any(isinstance(event, HandEnded) for event in after),
    )
    return f"{emojis[which.value]} {_TELLERS[which](text, acted)}"


def _is_later(event: Event) -> bool:
    return isinstance(event, _LATER) or (isinstance(event, CardsDrawn) and event.why not in BY_ITEM)


@dataclass(frozen=True, slots=True)
class _Acted:
    """What an item did: `drawn` is how many cards each seat drew, `over` whether the hand ended with it."""

    item: str
    seat: int
    players: Players
    drawn: dict[int, int]
    aimed: bool
    over: bool

    @property
    def named(self) -> dict[str, str]:
        """The placeholders that every sentence about it has."""
        return {"item": self.item, "player": self.players[self.seat]}


def _mushroom(text: Text, acted: _Acted) -> str:
    if acted.over:
        return _does_nothing(text, acted)
    return text.gettext("{item}: {player} plays again.", **acted.named)


def _banana_peel(text: Text, acted: _Acted) -> str:
    hit, number = next(iter(acted.drawn.items()), (None, 0))
    if hit is None or not number:
        return _draws_nothing(text, acted, hit)
    return text.ngettext(
        "{item}: {other} slips and draws {number} card.",
        "{item}: {other} slips and draws {number} cards.",
        number,
        item=acted.item,
        other=acted.players[hit],
    )


def _green_shell(text: Text, acted: _Acted) -> str:
    if not acted.aimed:
        if acted.over:
            return text.gettext("{item}: nobody is left to aim at.", **acted.named)
        return text.gettext("{item}: {player} takes aim.", **acted.named)
    hit, number = next(iter(acted.drawn.items()), (None, 0))
    if hit is None or not number:
        return _draws_nothing(text, acted, hit)
    return text.ngettext(
        "{item}: {other} is hit and draws {number} card.",
        "{item}: {other} is hit and draws {number} cards.",
        number,
        item=acted.item,
        other=acted.players[hit],
    )


def _lightning(text: Text, acted: _Acted) -> str:
    named, over = acted.named, acted.over
    if not all(acted.drawn.values()):
        if over:
            return text.gettext("{item}: there are not enough cards left for everybody to draw.", **named)
        return text.gettext(
            "{item}: there are not enough cards left for everybody to draw. {player} plays again.", **named
        )
    if len(acted.drawn) == 1:
        other = acted.players[next(iter(acted.drawn))]
        if over:
            return text.gettext("{item}: {other} draws a card.", other=other, **named)
        return text.gettext("{item}: {other} draws a card, and {player} plays again.", other=other, **named)
    if over:
        return text.gettext("{item}: everybody but {player} draws a card.", **named)
    return text.gettext("{item}: everybody but {player} draws a card, and {player} plays again.", **named)


def _bob_omb(text: Text, acted: _Acted) -> str:
    if acted.over:
        return _does_nothing(text, acted)
    if not acted.drawn.get(acted.seat):
        return text.gettext(
            "{item}: there are no cards left to draw. {player} names the colour.", **acted.named
        )
    return text.ngettext(
        "{item}: {player} draws {number} card and names the colour.",
        "{item}: {player} draws {number} cards and names the colour.",
        acted.drawn[acted.seat],
        **acted.named,
    )


def _does_nothing(text: Text, acted: _Acted) -> str:
    return text.gettext(
        "{item}: it does nothing, since the box was the last card of {player}.", **acted.named
    )


def _draws_nothing(text: Text, acted: _Acted, hit: int | None) -> str:
    if hit is None:
        return text.gettext("{item}: {player} hits nobody.", **acted.named)
    return text.gettext(
        "{item}: {other} is hit, but there are no cards left to draw.",
        item=acted.item,
        other=acted.players[hit],
    )


_TELLERS: Final[dict[Item, Callable[[Text, _Acted], str]]] = {
    Item.MUSHROOM: _mushroom,
    Item.BANANA_PEEL: _banana_peel,
    Item.GREEN_SHELL: _green_shell,
    Item.LIGHTNING: _lightning,
    Item.BOB_OMB: _bob_omb,
}
