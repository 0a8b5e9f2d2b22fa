"""What a player can do. Imports only cards.

Actions are frozen and carry no seat, which `apply` takes beside them. All that the rules keep offering exist
once, in tables, so that listing the legal actions makes no objects.
"""

from dataclasses import dataclass
from typing import Final

from engine.cards import FACES, WILD_FOUR


@dataclass(frozen=True, slots=True)
class Play:
    """Play a card; `colour` (0-3) is given with a Wild Draw Four and with nothing else."""

    card: int
    colour: int | None = None


@dataclass(frozen=True, slots=True)
class Draw:
    """Draw instead of playing; on a stack, draw its total."""


@dataclass(frozen=True, slots=True)
class Keep:
    """Keep the playable card just drawn."""


@dataclass(frozen=True, slots=True)
class NameColour:
    """Name the colour (0-3) that is owed."""

    colour: int


@dataclass(frozen=True, slots=True)
class ChooseTarget:
    """Aim a Green Shell at a seat, or swap hands with it after a 7."""

    seat: int


@dataclass(frozen=True, slots=True)
class Challenge:
    """Challenge the Wild Draw Four that waits on this seat."""


@dataclass(frozen=True, slots=True)
class Accept:
    """Take the cards of the Wild Draw Four that waits on this seat."""


@dataclass(frozen=True, slots=True)
class SayUno:
    """Say UNO, with two cards in the own turn or after the play that left one."""


@dataclass(frozen=True, slots=True)
class Catch:
    """Catch a seat that owes its UNO."""

    seat: int


@dataclass(frozen=True, slots=True)
class TimeOut:
    """Let the time of the seat waited for run out."""


@dataclass(frozen=True, slots=True)
class Leave:
    """Leave the match for good."""


@dataclass(frozen=True, slots=True)
class Deal:
    """Deal the next hand of the match."""


Action = (
    Play
    | Draw
    | Keep
    | NameColour
    | ChooseTarget
    | Challenge
    | Accept
    | SayUno
    | Catch
    | TimeOut
    | Leave
    | Deal
)

#: The most seats a match can have (docs/rules.md, The deal).
MOST_SEATS: Final = 10

DRAW: Final = Draw()
KEEP: Final = Keep()
CHALLENGE: Final = Challenge()
ACCEPT: Final = Accept()
SAY_UNO: Final = SayUno()
TIME_OUT: Final = TimeOut()
LEAVE: Final = Leave()
DEAL: Final = Deal()
#: The play of each face; the Wild Draw Four, which needs a colour, is in `WILD_FOUR_PLAYS`.
PLAYS: Final = tuple(Play(card) for card in range(FACES))
WILD_FOUR_PLAYS: Final = tuple(Play(WILD_FOUR, colour) for colour in range(4))
NAME_COLOUR: Final = tuple(NameColour(colour) for colour in range(4))
CHOOSE_TARGET: Final = tuple(ChooseTarget(seat) for seat in range(MOST_SEATS))
