"""What touched a player since their last turn, in words for them alone.

May import `engine.events`, and `events` and `translation` from `bot.ui.text`.
"""

from __future__ import annotations

from collections.abc import Sequence

from bot.ui.text.events import tell
from bot.ui.text.translation import Players, Text, face
from engine.events import (
    CardPlayed,
    CardsDrawn,
    ChallengeMade,
    Event,
    HandsPassedOn,
    HandsSwapped,
    TargetChosen,
    TimedOut,
    TurnSkipped,
    UnoCaught,
    Why,
)


def since_last_turn(text: Text, events: Sequence[Event], seat: int, players: Players) -> list[str]:
    """Return one sentence for each thing that touched a seat, oldest first."""
    told: list[str] = []
    cause: Event | None = None
    for event in events:
        line = None
        if isinstance(event, CardPlayed) and event.seat == seat:
            card = face(text, event.card)
            line = text.gettext("The computer played for you: {card}.", card=card)
        elif isinstance(event, TimedOut):
            line = text.gettext("Your time ran out.")
        elif isinstance(event, CardsDrawn):
            line = _drew(text, event, cause, players)
        elif isinstance(event, TurnSkipped):
            line = _skipped(text, cause, players)
        elif isinstance(event, HandsSwapped):
            other = event.other if event.seat == seat else event.seat
            line = text.gettext("{player} swapped hands with you.", player=players[other])
        elif isinstance(event, HandsPassedOn):
            line = tell(text, event, players)
        elif isinstance(event, ChallengeMade) and event.other == seat and not event.bluff:
            line = text.gettext(
                "{player} challenged your Wild Draw Four: no bluff!", player=players[event.seat]
            )
        if line is not None:
            told.append(line)
        if isinstance(event, CardPlayed | TargetChosen | ChallengeMade | UnoCaught):
            cause = event
    return told


def _skipped(text: Text, cause: Event | None, players: Players) -> str:
    if not isinstance(cause, CardPlayed):
        return text.gettext("You were skipped.")
    player, card = players[cause.seat], face(text, cause.card)
    return text.gettext("{player} played: {card}. You were skipped.", player=player, card=card)


def _drew(text: Text, event: CardsDrawn, cause: Event | None, players: Players) -> str | None:
    number = event.number
    if not number:
        return None
    if isinstance(cause, UnoCaught) and event.why is Why.UNO:
        return text.ngettext(
            "{player} caught you not saying UNO! You drew {number} card.",
            "{player} caught you not saying UNO! You drew {number} cards.",
            number,
            player=players[cause.by],
        )
    if isinstance(cause, ChallengeMade) and event.why is Why.BLUFF:
        return text.ngettext(
            "{player} challenged your Wild Draw Four: a bluff! You drew {number} card.",
            "{player} challenged your Wild Draw Four: a bluff! You drew {number} cards.",
            number,
            player=players[cause.seat],
        )
    if isinstance(cause, CardPlayed | TargetChosen):
        return _drew_by(text, event, cause, players)
    return text.ngettext("You drew {number} card.", "You drew {number} cards.", number)


def _drew_by(text: Text, event: CardsDrawn, cause: CardPlayed | TargetChosen, players: Players) -> str:
    player, number = players[cause.seat], event.number
    if event.why is Why.BANANA_PEEL:
        return text.ngettext(
            "A Banana Peel from {player}: you drew {number} card.",
            "A Banana Peel from {player}: you drew {number} cards.",
            number,
            player=player,
        )
    if event.why is Why.GREEN_SHELL:
        return text.ngettext(
            "A Green Shell from {player}: you drew {number} card.",
            "A Green Shell from {player}: you drew {number} cards.",
            number,
            player=player,
        )
    if event.why is Why.LIGHTNING:
        return text.ngettext(
            "Lightning from {player}: you drew {number} card.",
            "Lightning from {player}: you drew {number} cards.",
            number,
            player=player,
        )
    if isinstance(cause, CardPlayed) and event.why in (Why.DRAW_TWO, Why.WILD_FOUR):
        return text.ngettext(
            "{player} played: {card}. You drew {number} card.",
            "{player} played: {card}. You drew {number} cards.",
            number,
            player=player,
            card=face(text, cause.card),
        )
    return text.ngettext("You drew {number} card.", "You drew {number} cards.", number)
