"""The grammar of custom_ids: what a button or a menu carries, written and read here and nowhere else.

May import `engine.cards` and `engine.actions`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
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
    PANEL = "panel"
    AGREE = "agree"
    THREAD = "thread"
    # Computer players; the list of them is in the hand too.
    COMPUTERS = "computers"
    ADD = "add"
    REMOVE = "remove"
    # A seat that changes hands.
    SEAT = "seat"
    OFFER = "offer"
    WITHDRAW = "withdraw"
    TAKE = "take"
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
    HELP = "help"
    # The summary of a hand.
    NEXT = "next"
    DETAILS = "details"
    AGAIN = "again"
    # What holds for a whole server.
    SERVER = "server"


#: How well computer players play.
LEVELS: Final = ("easy", "normal", "sharp")

#: Up to 18 digits: every one of them is a number that the database takes.
_NUMBER: Final = "(?:0|[1-9][0-9]{0,17})"
_COLOURS: Final = f"(?:{'|'.join(COLOUR_NAMES)})"
_COLOURED: Final = "|".join(code for card, code in enumerate(CODE) if card != WILD_FOUR)
_FOUR: Final = CODE[WILD_FOUR]
_SNOWFLAKE: Final = "[1-9][0-9]{0,18}"
#: Switches of a table's terms, each a button that turns it on (1) or off (0), and of a server's defaults.
_SWITCHES: Final = (
    "(?:stack|draw_until_playable|force_play|seven_zero|jump_in|no_bluff|invite_only|calls_uno)[.][01]"
)
_SERVER_SWITCHES: Final = "(?:thread|moderators_only)[.][01]"
_TERMS: Final = {
    "preset": ("official|party|ruthless|server", 1),
    "length": ("hands[.](?:[1-9]|1[0-9]|20)|target[.](?:[1-9][0-9]{2}|1000)", 1),
    "turn_time": ("off|15|30|60|120|300|600", 1),
    "seats": ("[2-9]|10", 1),
}
#: The menus by verb and name: what each of its values looks like, and how many may be chosen.
MENUS: Final[dict[tuple[Verb, str], tuple[str, int]]] = {
    **{(Verb.AGREE, name): values for name, values in _TERMS.items()},
    (Verb.AGREE, "invite"): (_SNOWFLAKE, 10),
    (Verb.OFFER, "seat"): (_SNOWFLAKE, 1),
    **{(Verb.SERVER, name): values for name, values in _TERMS.items()},
    (Verb.SERVER, "channels"): (_SNOWFLAKE, 25),
    (Verb.SERVER, "locale"): ("own|[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8})?", 1),
    (Verb.SERVER, "nudges"): ("always|away|never", 1),
}


def _names(verb: Verb) -> str:
    return "|".join(name for of, name in MENUS if of is verb)


#: What the arguments of each verb look like; verbs that are not here take none.
_ARGUMENTS: Final[dict[Verb, str]] = {
    Verb.PLAY: rf"(?:{_COLOURED}|{_FOUR}\.{_COLOURS})",
    Verb.PICK: _FOUR,
    Verb.COLOUR: _COLOURS,
    Verb.TARGET: f"[0-{MOST_SEATS - 1}]",
    Verb.ADD: f"(?:{'|'.join(LEVELS)})",
    Verb.OFFER: "seat",
    Verb.TAKE: f"[0-{MOST_SEATS - 1}]",
    Verb.REMOVE: "[A-Z][a-z]{1,15}",
    Verb.RULES: "(?:[a-z_]{1,32})?",
    Verb.DETAILS: _NUMBER,
    Verb.PANEL: "(?:rules|table)",
    Verb.AGREE: f"(?:{_SWITCHES}|{_names(Verb.AGREE)})",
    Verb.SERVER: (
        f"(?:{_SWITCHES}|{_SERVER_SWITCHES}|{_names(Verb.SERVER)}|page[.](?:rules|table|server|reset)|reset)"
    ),
}
_CALLS: Final = "|".join(f"{verb}:{_ARGUMENTS.get(verb, '')}" for verb in Verb)

#: Matches the custom_id of every press, and nothing else.
TEMPLATE: Final = re.compile(rf"ll:({_NUMBER}):({_NUMBER}):({_CALLS}):(u?)\Z")


@dataclass(frozen=True, slots=True)
class CustomId:
    """What a button carries: the table, the number of the decision it was made for, a verb, its arguments.

    `uno` is whether the hand's UNO! stays pressed after this press. `values` are what was chosen where it is
    a menu that carries this; they are no part of the custom_id. Raises ValueError if the verb does not take
    these arguments.
    """

    table: int
    number: int
    verb: Verb
    args: tuple[str, ...] = ()
    uno: bool = False
    values: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not TEMPLATE.fullmatch(self.encoded):
            raise ValueError(f"{self.encoded!r} is no custom_id of ours")

    @property
    def encoded(self) -> str:
        """The custom_id of a button or menu that carries this press."""
        return f"ll:{self.table}:{self.number}:{self.verb}:{'.'.join(self.args)}:{'u' if self.uno else ''}"

    @property
    def menu(self) -> tuple[str, int] | None:
        """What each value of the menu looks like and how many may be chosen; None for a button."""
        return MENUS.get((self.verb, ".".join(self.args)))


def read(text: str, values: Sequence[object] | None = None) -> CustomId | None:
    """Read a custom_id, and what was chosen if a menu carried it; None if it is not one of ours.

    Neither is a button with values, a menu without any list of them, or a menu with values that could not
    be chosen in it.
    """
    found = TEMPLATE.fullmatch(text)
    if found is None:
        return None
    table, number, call, uno = found.groups()
    verb, _, args = call.partition(":")
    custom_id = CustomId(
        int(table), int(number), Verb(verb), tuple(args.split(".")) if args else (), bool(uno)
    )
    if custom_id.menu is None or values is None:
        return custom_id if custom_id.menu is None and values is None else None
    form, most = custom_id.menu
    chosen = tuple(value for value in values if isinstance(value, str) and re.fullmatch(form, value))
    if len(chosen) != len(values) or len(set(chosen)) != len(chosen) or len(chosen) > most:
        return None
    return replace(custom_id, values=chosen)
