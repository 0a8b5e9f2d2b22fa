"""What a table can wait for, and what a challenge is judged by. Imports nothing of the project."""

from enum import Enum
from typing import Final, NamedTuple

#: Stands for "no seat".
NO_SEAT: Final = -1


class Awaiting(Enum):
    """What a table waits for; `DEAL` comes between two hands and is known to the match alone."""

    TURN = "turn"
    DRAWN = "drawn"
    COLOUR = "colour"
    TARGET = "target"
    CHALLENGE = "challenge"
    DEAL = "deal"
    OVER = "over"


#: The members under names of their own, for what runs on every move: before Python 3.12 a look-up through the
#: class costs several times as much.
TURN: Final = Awaiting.TURN
DRAWN: Final = Awaiting.DRAWN
COLOUR_OWED: Final = Awaiting.COLOUR
TARGET: Final = Awaiting.TARGET
CHALLENGED: Final = Awaiting.CHALLENGE
OVER: Final = Awaiting.OVER


class WildFour(NamedTuple):
    """A Wild Draw Four to accept or challenge: its player, the rest of their hand, the colour below it."""

    seat: int
    hand: tuple[int, ...]
    colour: int
