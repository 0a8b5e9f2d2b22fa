"""What happened, and who may see which part of it.

`PUBLIC` names the fields of each event that everybody may see, and `public` builds from these alone: an event
or a field that is not named there shows nothing. A hidden field has a default, which takes its place. Events
are tuples because every move makes one to three of them, most of its cost. Imports only cards.
"""

from enum import Enum
from typing import Final, NamedTuple

from engine.cards import Item


class Why(Enum):
    """Why cards were drawn."""

    TURN = "turn"
    STACK = "stack"
    DRAW_TWO = "draw_two"
    WILD_FOUR = "wild_four"
    BLUFF = "bluff"
    FAILED_CHALLENGE = "failed_challenge"
    UNO = "uno"
    BANANA_PEEL = "banana_peel"
    GREEN_SHELL = "green_shell"
    LIGHTNING = "lightning"
    BOB_OMB = "bob_omb"


class End(Enum):
    """How a hand ended."""

    WON = "won"
    BLOCKED = "blocked"
    ABANDONED = "abandoned"


class HandStarted(NamedTuple):
    """A hand began: its number in the match, and who dealt it."""

    hand_no: int
    dealer: int


class HandDealt(NamedTuple):
    """A seat was dealt its cards."""

    seat: int
    cards: tuple[int, ...] = ()


class CardFlipped(NamedTuple):
    """A card was flipped onto the discard pile, to start it or by a Wild Item Box."""

    card: int


class WildFourReturned(NamedTuple):
    """The first card flipped was a Wild Draw Four, which went back; the draw pile was shuffled again."""


class PileShuffled(NamedTuple):
    """The discard pile, all but its top card, became the draw pile of `number` cards."""

    number: int


class CardPlayed(NamedTuple):
    """A seat played a card; `jumped`: out of turn."""

    seat: int
    card: int
    jumped: bool


class ColourNamed(NamedTuple):
    """A seat named the colour to match."""

    seat: int
    colour: int


class DirectionTurned(NamedTuple):
    """The direction of play changed: 1 clockwise, -1 the other way."""

    direction: int


class TurnSkipped(NamedTuple):
    """A seat lost its turn to a Skip."""

    seat: int


class CardsDrawn(NamedTuple):
    """A seat drew `number` cards, none if the piles were out."""

    seat: int
    number: int
    why: Why
    cards: tuple[int, ...] = ()


class CardKept(NamedTuple):
    """A seat kept the playable card it had drawn."""

    seat: int


class ItemFired(NamedTuple):
    """The item of a flipped card acted for the seat that played the Wild Item Box."""

    seat: int
    item: Item


class TargetChosen(NamedTuple):
    """A seat aimed its Green Shell, or chose whom to swap hands with."""

    seat: int
    target: int


class HandsSwapped(NamedTuple):
    """Two seats swapped hands after a 7."""

    seat: int
    other: int


class HandsPassedOn(NamedTuple):
    """Every hand went on to the next seat in the direction of play after a 0."""

    direction: int


class ChallengeMade(NamedTuple):
    """A seat challenged the Wild Draw Four of another; `bluff`: the play was illegal."""

    seat: int
    other: int
    bluff: bool


class HandShown(NamedTuple):
    """The challenger saw a hand as it was when the Wild Draw Four was played."""

    seat: int
    other: int
    cards: tuple[int, ...] = ()


class PenaltyVoid(NamedTuple):
    """A penalty lapsed, since the seat that had to draw has left."""

    seat: int


class UnoSaid(NamedTuple):
    """A seat said UNO."""

    seat: int


class UnoCaught(NamedTuple):
    """A seat was caught without its UNO."""

    seat: int
    by: int


class TimedOut(NamedTuple):
    """A seat ran out of time; what was done for it follows."""

    seat: int


class AutopilotSet(NamedTuple):
    """A seat went on autopilot, or came back from it."""

    seat: int
    on: bool


class PlayerLeft(NamedTuple):
    """A seat left the match for good."""

    seat: int


class HandEnded(NamedTuple):
    """A hand ended, with its winner, if any, and the points scored."""

    end: End
    winner: int | None
    points: int


class MatchEnded(NamedTuple):
    """The match ended; `winners` are seats, none, one or several."""

    winners: tuple[int, ...]


Event = (
    HandStarted
    | HandDealt
    | CardFlipped
    | WildFourReturned
    | PileShuffled
    | CardPlayed
    | ColourNamed
    | DirectionTurned
    | TurnSkipped
    | CardsDrawn
    | CardKept
    | ItemFired
    | TargetChosen
    | HandsSwapped
    | HandsPassedOn
    | ChallengeMade
    | HandShown
    | PenaltyVoid
    | UnoSaid
    | UnoCaught
    | TimedOut
    | AutopilotSet
    | PlayerLeft
    | HandEnded
    | MatchEnded
)


#: The fields of each event that everybody may see.
PUBLIC: Final[dict[type, tuple[str, ...]]] = {
    HandStarted: ("hand_no", "dealer"),
    HandDealt: ("seat",),
    CardFlipped: ("card",),
    WildFourReturned: (),
    PileShuffled: ("number",),
    CardPlayed: ("seat", "card", "jumped"),
    ColourNamed: ("seat", "colour"),
    DirectionTurned: ("direction",),
    TurnSkipped: ("seat",),
    CardsDrawn: ("seat", "number", "why"),
    CardKept: ("seat",),
    ItemFired: ("seat", "item"),
    TargetChosen: ("seat", "target"),
    HandsSwapped: ("seat", "other"),
    HandsPassedOn: ("direction",),
    ChallengeMade: ("seat", "other", "bluff"),
    HandShown: ("seat", "other"),
    PenaltyVoid: ("seat",),
    UnoSaid: ("seat",),
    UnoCaught: ("seat", "by"),
    TimedOut: ("seat",),
    AutopilotSet: ("seat", "on"),
    PlayerLeft: ("seat",),
    HandEnded: ("end", "winner", "points"),
    MatchEnded: ("winners",),
}
#: The field of the seat that may see the rest of the event.
OWNER: Final[dict[type, str]] = {
    HandDealt: "seat",
    CardsDrawn: "seat",
    HandShown: "seat",
}


def owner(event: Event) -> int | None:
    """Return the seat that may see the whole of an event, None if nothing of it is hidden."""
    name = OWNER.get(type(event))
    seat: int | None = None if name is None else getattr(event, name)
    return seat


def public(event: Event) -> Event:
    """Return an event as the table sees it, with the defaults of all fields that are not public."""
    kind = type(event)
    shown = PUBLIC.get(kind, ())
    seen: Event = kind._make(
        value if name in shown else kind._field_defaults.get(name)
        for name, value in zip(event._fields, event, strict=True)
    )
    return seen
