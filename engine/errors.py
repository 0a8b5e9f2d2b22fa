"""What the engine says when something cannot be done. Imports nothing of the project."""

from enum import Enum


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
    """An action the rules refuse at this point; the game is as it was before."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(reason.value)
        self.reason = reason


class BadInput(ValueError):
    """Text from outside, a scenario or a saved match, is not what it must be; `key` names the place."""

    def __init__(self, key: str, problem: str) -> None:
        super().__init__(f"{key}: {problem}")
        self.key = key
        self.problem = problem
