"""What a change did to one person, for the note on their hand: a verdict, an item, the cards drawn.

May import `engine.events`, `engine.cards`, `bot.ui.kit.emoji`, and `events`, `items` and `translation` from
`bot.ui.text`.
"""

from __future__ import annotations

from collections.abc import Sequence

from bot.ui.kit.emoji import Emojis
from bot.ui.text.events import drawn
from bot.ui.text.items import turned_over
from bot.ui.text.translation import Players, Text
from engine.events import CardsDrawn, ChallengeMade, Event, Why


def note(text: Text, emojis: Emojis, events: Sequence[Event], seat: int, names: Sequence[str]) -> str | None:
    """Return what events did to a seat, from events as that seat sees them; None if nothing."""
    players = Players(text, names)
    told = (
        _caught_bluff(text, events, seat, players),
        turned_over(text, emojis, events, seat, players),
        drawn(text, events, seat),
    )
    return " ".join(filter(None, told)) or None


def _caught_bluff(text: Text, events: Sequence[Event], seat: int, players: Players) -> str | None:
    """Return the verdict for somebody who challenged a bluff; where it was none, their cards tell it."""
    made = next((event for event in events if isinstance(event, ChallengeMade)), None)
    if made is None or made.seat != seat or not made.bluff:
        return None
    drew = (event.number for event in events if isinstance(event, CardsDrawn) and event.why is Why.BLUFF)
    number, player = next(drew, 0), players[made.other]
    if not number:
        return text.gettext("A bluff by {player}!", player=player)
    return text.ngettext(
        "A bluff! {player} drew {number} card.",
        "A bluff! {player} drew {number} cards.",
        number,
        player=player,
    )
