"""What items do, and what the last one did, in one sentence, shown as long as nothing else has happened.

May import `engine.events`, `engine.cards`, `bot.ui.kit.emoji`, and `translation` from `bot.ui.text`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from bot.ui.kit.emoji import Emojis
from bot.ui.text.translation import N_, Players, Text, bold, face, item
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
    ItemFired,
    TargetChosen,
    Why,
)

#: Why cards are drawn because of an item.
BY_ITEM: Final = frozenset(why for why in Why if why.name in Item.__members__)
#: What makes an item old news.
_LATER: Final = (CardKept, ChallengeMade, HandStarted)


#: What each item does, for the rules, the help and the first hint.
DOES: Final = {
    Item.MUSHROOM: N_("**Mushroom** (red): you take an extra turn."),
    Item.BANANA_PEEL: N_("**Banana Peel** (yellow): the player before you draws two."),
    Item.GREEN_SHELL: N_("**Green Shell** (green): you pick an opponent, who draws one."),
    Item.LIGHTNING: N_("**Lightning** (blue): everybody else draws one, and you take an extra turn."),
    Item.BOB_OMB: N_("**Bob-omb** (a wild): you draw two, then choose the colour."),
}


def what_items_do(text: Text, emojis: Emojis) -> list[str]:
    """Return a line for each item, with its picture."""
    return [f"{emojis[which.value]} {text.gettext(does)}" for which, does in DOES.items()]


def opened_box(events: Sequence[Event]) -> CardPlayed | None:
    """Return the Wild Item Box among the events of one change, if it turned a card over."""
    flipped = any(isinstance(event, CardFlipped) for event in events)
    boxes = (event for event in events if isinstance(event, CardPlayed) and event.card == ITEM_BOX)
    return next(boxes, None) if flipped else None


def item_in_sight(events: Sequence[Event]) -> Item | None:
    """Return the last item that acted; None where something else has happened since."""
    found = _last_box(events)
    return None if found is None else ITEM[found[1]]


def item_effect(text: Text, emojis: Emojis, events: Sequence[Event], players: Players) -> str | None:
    """Return what the last item did and to whom; None where something else has happened since."""
    found = _last_box(events)
    if found is None:
        return None
    box, flipped, after = found
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


def _last_box(events: Sequence[Event]) -> tuple[CardPlayed, int, Sequence[Event]] | None:
    """Return the last Wild Item Box, the card it turned over, and what followed, while nobody has gone on."""
    box = next((event for event in reversed(events) if isinstance(event, CardPlayed)), None)
    if box is None or box.card != ITEM_BOX:
        return None
    after = events[len(events) - events[::-1].index(box) :]
    flipped = next((event.card for event in after if isinstance(event, CardFlipped)), None)
    return None if flipped is None or any(map(_is_later, after)) else (box, flipped, after)


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


# --- for the one who opened the box


def turned_over(
    text: Text, emojis: Emojis, events: Sequence[Event], seat: int, players: Players
) -> str | None:
    """Return what a seat's own Wild Item Box did in these events, with its picture; None if it did nothing.

    What the seat itself drew by it is not told.
    """
    hit = next((event for event in events if isinstance(event, TargetChosen)), None)
    drawn = {event.seat: event.number for event in events if isinstance(event, CardsDrawn)}
    box = opened_box(events)
    if box is not None and box.seat == seat:
        flipped = next(event.card for event in events if isinstance(event, CardFlipped))
        fired = any(isinstance(event, ItemFired) for event in events)
        which, told = ITEM[flipped], _turned_over(text, flipped, drawn, players, fired=fired)
    elif hit is not None and hit.seat == seat and _shot(events):
        which, told = Item.GREEN_SHELL, _shell_hit(text, drawn.get(hit.target, 0), players[hit.target])
    else:
        return None
    return f"{emojis[which.value]} {told}"


def _shot(events: Sequence[Event]) -> bool:
    return any(isinstance(event, CardsDrawn) and event.why is Why.GREEN_SHELL for event in events)


def _turned_over(text: Text, flipped: int, drawn: dict[int, int], players: Players, *, fired: bool) -> str:
    card, which = face(text, flipped), ITEM[flipped]
    if not fired:
        return text.gettext("You turned over {card}.", card=card)
    if which is not Item.BANANA_PEEL:
        return text.gettext(_TURNED_OVER[which], card=card)
    victim, number = next(iter(drawn.items()))
    if not number:
        return text.gettext(
            "You turned over {card}: Banana Peel! There was nothing to draw for {player}.",
            card=card,
            player=players[victim],
        )
    return text.ngettext(
        "You turned over {card}: Banana Peel! {player} drew {number} card.",
        "You turned over {card}: Banana Peel! {player} drew {number} cards.",
        number,
        card=card,
        player=players[victim],
    )


def _shell_hit(text: Text, number: int, player: str) -> str:
    if not number:
        return text.gettext("Your Green Shell hit {player}, but there was nothing to draw.", player=player)
    return text.ngettext(
        "Your Green Shell hit {player}, who drew {number} card.",
        "Your Green Shell hit {player}, who drew {number} cards.",
        number,
        player=player,
    )


_TURNED_OVER: Final = {
    Item.MUSHROOM: N_("You turned over {card}: Mushroom! You play again."),
    Item.GREEN_SHELL: N_("You turned over {card}: Green Shell!"),
    Item.LIGHTNING: N_("You turned over {card}: Lightning! Everybody else drew a card."),
    Item.BOB_OMB: N_("You turned over {card}: Bob-omb!"),
}
