"""How tables come to their end. Imports nothing of the project."""

from enum import StrEnum


class Ending(StrEnum):
    """How a table came to its end; the value is saved with it."""

    #: The match was played to its end, or nobody but the winner is left of it.
    WON = "won"
    #: The host closed the lobby.
    CANCELLED = "cancelled"
    #: Everybody left the lobby.
    EMPTY = "empty"
    #: Nobody pressed anything in the lobby for too long.
    EXPIRED = "expired"
    #: Nobody played for too long.
    IDLE = "idle"
    #: Nobody but computer players is left.
    NOBODY = "nobody"
    #: The host or a moderator ended the match.
    STOPPED = "ended"
    #: The channel of the table is gone.
    VANISHED = "vanished"
    #: What was saved of the table cannot be read.
    UNREADABLE = "unreadable"
