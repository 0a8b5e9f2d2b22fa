"""The custom_ids of buttons and menus: written and read here and nowhere else.

What may be chosen comes from `bot.model.options`, `bot.model.guild_settings` and `bot.tallies`. May import
those, `engine.cards` and `engine.actions`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final, NamedTuple

from bot.model import guild_settings, options
from bot.tallies.boards import By
from bot.tallies.periods import Period
from engine.actions import MOST_SEATS
from engine.cards import CODE, COLOUR_NAMES, WILD_FOUR


class Verb(StrEnum):
    """What a button or a menu asks for; `_ARGUMENTS` has the arguments of each."""

    # The lobby.
    JOIN = "join"
    QUIT = "quit"
    START = "start"
    CANCEL = "cancel"
    PANEL = "panel"
    OPTION = "agree"
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
    RESUME = "resume"
    VOTE = "vote"
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
    LOG = "log"
    # The summary of a hand.
    NEXT = "next"
    DETAILS = "details"
    AGAIN = "again"
    SHARE = "share"
    # The question whether to end the table.
    END = "end"
    # What holds for a whole server.
    SERVER = "server"
    BOARD = "board"
    STATS = "stats"
    HISTORY = "history"
    # What is kept of a person.
    FORGET = "forget"


#: The pages of a lobby's panel, and of a server's.
LOBBY_PAGES: Final = ("rules", "table")
SERVER_PAGES: Final = ("server", "rules", "table", "reset")


class Menu(NamedTuple):
    """The form of each value of a menu, and how many may be chosen."""

    form: re.Pattern[str]
    most: int


def _one_of(values: Iterable[str]) -> str:
    return f"(?:{'|'.join(map(re.escape, values))})"


def _switch(names: Iterable[str]) -> str:
    """Match a button that turns one of these on (1) or off (0)."""
    return f"{_one_of(names)}[.][01]"


#: Up to 18 digits: every one of them is a number that the database takes.
_NUMBER: Final = "(?:0|[1-9][0-9]{0,17})"
_COLOURS: Final = _one_of(COLOUR_NAMES)
_COLOURED: Final = _one_of(code for card, code in enumerate(CODE) if card != WILD_FOUR)
_FOUR: Final = CODE[WILD_FOUR]
_SNOWFLAKE: Final = "[1-9][0-9]{0,18}"
_SEAT: Final = _one_of(map(str, range(MOST_SEATS)))
_OPTION_SWITCH: Final = _switch((*options.SWITCHES, *options.FLAGS))
#: The menus of a table's options, and of what a new table of a server begins with.
_OPTION_MENUS: Final = {
    name: (_one_of((*values, "server") if name == "preset" else values), 1)
    for name, values in options.CHOICES.items()
}
_MENUS: Final[dict[Verb, dict[str, tuple[str, int]]]] = {
    Verb.OPTION: {**_OPTION_MENUS, "invite": (_SNOWFLAKE, 10)},
    Verb.OFFER: {"seat": (_SNOWFLAKE, 1)},
    Verb.SERVER: {
        **_OPTION_MENUS,
        "channels": (_SNOWFLAKE, 25),
        "locale": ("own|[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8})?", 1),
        "nudges": (_one_of(guild_settings.NUDGES), 1),
    },
    # The menu that changes one of the two carries the other.
    Verb.BOARD: {
        **{f"by.{period}": (_one_of(By), 1) for period in Period},
        **{f"period.{by}": (_one_of(Period), 1) for by in By},
    },
    Verb.HISTORY: {"match": (_NUMBER, 1), "hand": (_NUMBER, 1)},
}
#: The menus, by verb and name.
MENUS: Final = {
    (verb, name): Menu(re.compile(form), most)
    for verb, menus in _MENUS.items()
    for name, (form, most) in menus.items()
}
#: What the arguments of each verb look like; verbs that are not here take none.
_ARGUMENTS: Final[dict[Verb, str]] = {
    Verb.PLAY: rf"(?:{_COLOURED}|{_FOUR}\.{_COLOURS})",
    Verb.PICK: _FOUR,
    Verb.COLOUR: _COLOURS,
    Verb.TARGET: _SEAT,
    Verb.ADD: _one_of(options.LEVELS),
    Verb.OFFER: _one_of(_MENUS[Verb.OFFER]),
    Verb.TAKE: _SEAT,
    Verb.VOTE: _SEAT,
    Verb.REMOVE: "[A-Z][a-z]{1,15}",
    Verb.RULES: "(?:[a-z_]{1,32})?",
    Verb.DETAILS: _NUMBER,
    Verb.LOG: "(?:[0-9]{1,3})?",
    Verb.END: "(?:yes|no)",
    Verb.PANEL: _one_of(LOBBY_PAGES),
    Verb.OPTION: f"(?:{_OPTION_SWITCH}|{_one_of(_MENUS[Verb.OPTION])})",
    Verb.SERVER: (
        f"(?:{_OPTION_SWITCH}|{_switch(guild_settings.FLAGS)}|{_one_of(_MENUS[Verb.SERVER])}"
        f"|page[.]{_one_of(SERVER_PAGES)}|reset|export|season)"
    ),
    Verb.HISTORY: "(?:first|older|match|show|hand|at|file)",
    Verb.STATS: f"(?:card[.]{_SNOWFLAKE}|share)",
    Verb.FORGET: "(?:(?:ask|yes)[.](?:here|everywhere)|back)",
    Verb.BOARD: (
        f"(?:{_one_of(_MENUS[Verb.BOARD])}"
        f"|{_one_of(By)}[.]{_one_of(Period)}[.](?:first|own|(?:after|before)[.]{_SNOWFLAKE}))"
    ),
}
_CALLS: Final = "|".join(f"{verb}:{_ARGUMENTS.get(verb, '')}" for verb in Verb)

#: Matches every custom_id of ours, and nothing else.
TEMPLATE: Final = re.compile(rf"ll:({_NUMBER}):({_NUMBER}):({_CALLS}):(u?)\Z")


@dataclass(frozen=True, slots=True)
class CustomId:
    """The table, the number of the decision it was made for, a verb and its arguments.

    `uno` is whether UNO! stays pressed in the hand. `values` are what was chosen in a menu; they are no part
    of the custom_id. Raises ValueError if the verb does not take these arguments.
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
        """The custom_id as Discord has it, at most 100 characters."""
        return f"ll:{self.table}:{self.number}:{self.verb}:{'.'.join(self.args)}:{'u' if self.uno else ''}"

    @property
    def menu(self) -> Menu | None:
        """What may be chosen in the menu with this custom_id; None for a button."""
        return MENUS.get((self.verb, ".".join(self.args)))


def read(text: str, values: Sequence[object] | None = None) -> CustomId | None:
    """Read a custom_id, and what was chosen if a menu has it; None if it is not one of ours.

    It is not ours either if a button comes with values, a menu without, or with values that it does not
    offer.
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
    chosen = tuple(value for value in values if isinstance(value, str) and form.fullmatch(value))
    if len(chosen) != len(values) or len(set(chosen)) != len(chosen) or len(chosen) > most:
        return None
    return replace(custom_id, values=chosen)
