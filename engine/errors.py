"""The errors of the engine. Imports actions and awaiting."""

from enum import Enum

from engine.actions import Action
from engine.awaiting import Awaiting


class Reason(Enum):
    """Why an action was refused; the value is its word in docs/scenarios.md, Error words."""

    UNKNOWN_PLAYER = "unknown_player"
    MATCH_OVER = "match_over"
    LEFT = "left"
    NOT_YOUR_TURN = "not_your_turn"
    NOT_NOW = "not_now"
    NOT_IN_HAND = "not_in_hand"
    COLOUR_NEEDED = "colour_needed"
    BAD_COLOUR = "bad_colour"
    BAD_TARGET = "bad_target"
    NOT_LEGAL = "not_legal"
    DOES_NOT_MATCH = "does_not_match"
    NOTHING_TO_CALL = "nothing_to_call"
    NOBODY_TO_CATCH = "nobody_to_catch"


class IllegalAction(Exception):
    """An action that the rules refuse at this point; the game is as it was before.

    The text of the error is the reason, and nothing else is for players. The rest is for the log, and set by
    the match that refused: who tried what, and what was awaited. The action can name a card that nobody else
    has seen.
    """

    seat: int | None = None
    action: Action | None = None
    awaiting: Awaiting | None = None
    decision: int | None = None

    def __init__(self, reason: Reason) -> None:
        super().__init__(reason.value)
        self.reason = reason


class BadInput(ValueError):
    """A scenario or a saved match is not what it must be; `key` names the place."""

    def __init__(self, key: str, problem: str) -> None:
        super().__init__(f"{key}: {problem}")
        self.key = key
        self.problem = problem
