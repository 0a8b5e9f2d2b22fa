"""The grammar of custom_ids: what a button carries, written and read here and nowhere else.

May import `engine.cards` and `engine.actions`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from engine.actions import MOST_SEATS
from engine.cards import CODE, COLOUR_NAMES, WILD_FOUR


class Verb(StrEnum):
    """What a press asks for; `_ARGUMENTS` says what each takes."""

    # The lobby.
    JOIN = "join"
    QUIT = "quit"
    START = "start"
    CANCEL = "cancel"
    # The table, and the hand too.
    HAND = "hand"
    UNO = "uno"
    CATCH = "catch"
    ACCEPT = "accept"
    CHALLENGE = "challenge"
    JUMP = "jump"
    HERE = "here"
    # The hand.
    PLAY = "play"
    PICK = "pick"
    DRAW = "draw"
    KEEP = "keep"
    COLOUR = "colour"
    TARGET = "target"
    TOGGLE = "toggle"
    MORE = "more"
    BACK = "back"
    LEAVE = "leave"
    LEAVE_YES = "leave_yes"
    RULES = "rules"
    # The summary of a hand.
    NEXT = "next"
    DETAILS = "details"


_NUMBER: Final = "(?:0|[1-9][0-9]{0,18})"
_COLOURS: Final = f"(?:{'|'.join(COLOUR_NAMES)})"
_COLOURED: Final = "|".join(code for card, code in enumerate(CODE) if card != WILD_FOUR)
_FOUR: Final = CODE[WILD_FOUR]
#: What the arguments of each verb look like; verbs that are not here take none.
_ARGUMENTS: Final[dict[Verb, str]] = {
    Verb.PLAY: rf"(?:{_COLOURED}|{_FOUR}\.{_COLOURS})",
    Verb.PICK: _FOUR,
    Verb.COLOUR: _COLOURS,
    Verb.TARGET: f"[0-{MOST_SEATS - 1}]",
    Verb.RULES: "(?:[a-z_]{1,32})?",
    Verb.DETAILS: _NUMBER,
}
_CALLS: Final = "|".join(f"{verb}:{_ARGUMENTS.get(verb, '')}" for verb in Verb)

#: Matches the custom_id of every press, and nothing else.
TEMPLATE: Final = re.compile(rf"ll:({_NUMBER}):({_NUMBER}):({_CALLS}):(u?)\Z")


@dataclass(frozen=True, slots=True)
class Press:
    """What a button carries: the table, the number of the decision it was made for, a verb, its arguments.

    `uno` is whether the hand's UNO! stays pressed after this press. Raises ValueError if the verb does not
    take these arguments.
    """

    table: int
    number: int
    verb: Verb
    args: tuple[str, ...] = ()
    uno: bool = False

    def __post_init__(self) -> None:
        if not TEMPLATE.fullmatch(self.custom_id):
            raise ValueError(f"{self.custom_id!r} is no press")

    @property
    def custom_id(self) -> str:
        """The custom_id of a button that carries this press."""
        return f"ll:{self.table}:{self.number}:{self.verb}:{'.'.join(self.args)}:{'u' if self.uno else ''}"


def read(custom_id: str) -> Press | None:
    """Read a custom_id; None if it is not one of ours."""
    found = TEMPLATE.fullmatch(custom_id)
    if found is None:
        return None
    table, number, call, uno = found.groups()
    verb, _, args = call.partition(":")
    return Press(int(table), int(number), Verb(verb), tuple(args.split(".")) if args else (), bool(uno))
