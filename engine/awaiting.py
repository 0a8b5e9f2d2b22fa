"""What a table can wait for, and what a challenge would be judged by. Imports nothing of the project."""

from enum import Enum
from typing import Final, NamedTuple

#: Stands for "no seat".
NO_SEAT: Final = -1


class Awaiting(Enum):
    """What a table waits for; `DEAL` is the match's: a hand is over and another will follow."""

    TURN = "turn"
    DRAWN = "drawn"
    COLOUR = "colour"
    TARGET = "target"
    CHALLENGE = "challenge"
    DEAL = "deal"
    OVER = "over"


#: The same under names of their own for what runs on every move: before Python 3.12 a member is looked up
#: through its class at several times the cost.
TURN: Final = Awaiting.TURN
DRAWN: Final = Awaiting.DRAWN
COLOUR_OWED: Final = Awaiting.COLOUR
TARGET: Final = Awaiting.TARGET
CHALLENGED: Final = Awaiting.CHALLENGE
OVER: Final = Awaiting.OVER


class WildFour(NamedTuple):
    """A Wild Draw Four that waits: who played it, what else they held then, the colour to match below it."""

    seat: int
    hand: tuple[int, ...]
    colour: int
