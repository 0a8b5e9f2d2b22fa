"""What the engine says when something cannot be done; carries actions and what was awaited."""

from enum import Enum

from engine.actions import Action
from engine.awaiting import Awaiting


class Reason(Enum):
    """Why an action was refused; the value is the error word of SCENARIOS.md, Out."""

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
    """An action the rules refuse at this point; the game is as it was before.

    Players are told the reason alone, and it is all that is in the text of the error. The match that refused
    adds what a log wants to know: who tried what, what was awaited then, and the number of that decision. The
    action may name a card that nobody else has seen.
    """

    seat: int | None = None
    action: Action | None = None
    awaiting: Awaiting | None = None
    decision: int | None = None

    def __init__(self, reason: Reason) -> None:
        super().__init__(reason.value)
        self.reason = reason


class BadInput(ValueError):
    """Text from outside, a scenario or a saved match, is not what it must be; `key` names the place."""

    def __init__(self, key: str, problem: str) -> None:
        super().__init__(f"{key}: {problem}")
        self.key = key
        self.problem = problem
