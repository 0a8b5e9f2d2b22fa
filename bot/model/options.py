"""What a table is played by: what may be chosen, what was chosen, and its saved form.

What may be chosen stands here and nowhere else; menus, commands and custom_ids are built from it. Pure:
imports the engine's rules and the names of its computer players.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, field, fields, replace
from typing import Any, Final

from engine.actions import MOST_SEATS
from engine.players import POLICIES
from engine.rules import ONE_HAND, RULE_NAMES, Length, RuleSet

#: The form of `Options.written`.
SCHEMA: Final = 1
#: Time for a turn where nobody chose another, in seconds.
USUAL_TURN_TIME: Final = 60
#: The house rules that are switches; what a match is played to is its length.
SWITCHES: Final = tuple(name for name in RULE_NAMES if name != "score_target")
#: Sets of house rules that have a name (docs/rules.md, Presets).
PRESETS: Final = {
    "official": RuleSet(),
    "party": RuleSet(stack=True, seven_zero=True, jump_in=True),
    "ruthless": RuleSet(stack=True, draw_until_playable=True, force_play=True, seven_zero=True, jump_in=True),
}
#: How well computer players can play. The random one is there to be measured against.
LEVELS: Final = tuple(name for name in POLICIES if name != "random")
USUAL_LEVEL: Final = "normal"
#: How many hands a match can have, and to how many points it can be played.
HANDS: Final = range(1, 21)
TARGETS: Final = range(100, 1001)
#: The lengths of a match, the times for a turn in seconds, and the numbers of seats that menus offer.
LENGTHS: Final = (
    *(Length(hands=number) for number in (1, 3, 5, 10)),
    *(Length(target=points) for points in (250, 500, 1000)),
)
TURN_TIMES: Final = (15, 30, 60, 120, 300, 600, None)
SEATS: Final = tuple(range(2, MOST_SEATS + 1))


@dataclass(frozen=True, slots=True)
class Options:
    """The options of a table."""

    rules: RuleSet = field(default_factory=RuleSet)
    length: Length = ONE_HAND
    #: In seconds; None for no limit.
    turn_time: int | None = USUAL_TURN_TIME
    #: How many may play.
    seats: int = MOST_SEATS
    #: Whether only people whom the host invites may join.
    invite_only: bool = False
    #: Whether the bot says UNO for everybody, so that nobody can be caught.
    calls_uno: bool = False
    #: The language of what everybody reads.
    locale: str = "en-US"

    def written(self) -> dict[str, Any]:
        """Return the options as a JSON object, in the form `SCHEMA`."""
        return {"schema": SCHEMA} | asdict(self) | {"rules": list(self.rules.names())}


#: The options that are switches, beside the house rules.
FLAGS: Final = tuple(option.name for option in fields(Options) if isinstance(option.default, bool))


def read_options(saved: Any) -> Options:
    """Return the options that `Options.written` wrote, by this release or an earlier one.

    Raises KeyError, TypeError or ValueError for anything else.
    """
    if not isinstance(saved, dict):
        raise TypeError(f"{saved!r} are no options")
    written = {name: value for name, value in saved.items() if name != "schema"}
    # The first release wrote the same fields without a number.
    if saved.get("schema", SCHEMA) != SCHEMA:
        raise ValueError(f"{saved['schema']!r} is no known form of options")
    rules, length = RuleSet(**dict.fromkeys(saved["rules"], True)), Length(**saved["length"])
    return Options(**(written | {"rules": rules, "length": length}))


def written_length(length: Length) -> str:
    """Write a length of a match as a menu carries it."""
    return f"hands.{length.hands}" if length.target is None else f"target.{length.target}"


def written_turn_time(seconds: int | None) -> str:
    """Write the time for a turn as a menu carries it."""
    return "off" if seconds is None else str(seconds)


#: What each menu can carry, and what it stands for; a menu offers fewer lengths than it can carry.
CHOICES: Final[dict[str, dict[str, Any]]] = {
    "preset": PRESETS,
    "length": {
        written_length(length): length
        for length in (*(Length(hands=number) for number in HANDS), *(Length(target=t) for t in TARGETS))
    },
    "turn_time": {written_turn_time(seconds): seconds for seconds in TURN_TIMES},
    "seats": {str(number): number for number in SEATS},
}


def choose_option(options: Options, name: str, value: str) -> Options:
    """Change one option to the value that a button (1 or 0) or a menu carries.

    Raises ValueError for any other name or value.
    """
    if name in SWITCHES:
        return replace(options, rules=replace(options.rules, **{name: value == "1"}))
    change: dict[str, Any]
    if name in FLAGS:
        change = {name: value == "1"}
    elif value in (offered := _offered(options, name)):
        change = {"rules" if name == "preset" else name: offered[value]}
    else:
        raise ValueError(f"{name} cannot be {value!r}")
    return replace(options, **change)


def _offered(options: Options, name: str) -> dict[str, Any]:
    """Return what a menu offers; of the lengths only the usual ones, and the one that stands."""
    if name == "length":
        return {written_length(length): length for length in (*LENGTHS, options.length)}
    return CHOICES.get(name, {})


def preset_of(rules: RuleSet) -> str | None:
    """Name the preset that these house rules are; None if they are none of them."""
    plain = replace(rules, score_target=False)
    return next((name for name, held in PRESETS.items() if held == plain), None)
