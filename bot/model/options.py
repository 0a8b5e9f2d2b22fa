"""What a table is opened with, and its saved form. Pure: imports the engine's rules only."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field, replace
from typing import Any, Final

from engine.actions import MOST_SEATS
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
#: The lengths of a match, the times for a turn in seconds, and the numbers of seats that menus offer.
LENGTHS: Final = (
    *(Length(hands=number) for number in (1, 3, 5, 10)),
    *(Length(target=points) for points in (250, 500, 1000)),
)
TURN_TIMES: Final = (15, 30, 60, 120, 300, 600, None)
SEATS: Final = tuple(range(2, MOST_SEATS + 1))


@dataclass(frozen=True, slots=True)
class Options:
    """What was agreed on for a table.

    `turn_time` is in seconds, None for no limit; `seats` is how many may play, `invite_only` whether only
    those join whom the host lets in. `calls_uno`: the bot says everybody's UNO for them, so that nobody can
    be caught. `locale` is the language of what everybody reads.
    """

    rules: RuleSet = field(default_factory=RuleSet)
    length: Length = ONE_HAND
    turn_time: int | None = USUAL_TURN_TIME
    seats: int = MOST_SEATS
    invite_only: bool = False
    calls_uno: bool = False
    locale: str = "en-US"

    def written(self) -> dict[str, Any]:
        """Return the options as a JSON object, in the form `SCHEMA`."""
        return {"schema": SCHEMA} | asdict(self) | {"rules": list(self.rules.names())}


def read_options(saved: Any) -> Options:
    """Return the options that `Options.written` wrote, by this release or an earlier one.

    Raises KeyError, TypeError or ValueError for anything else.
    """
    if not isinstance(saved, dict):
        raise TypeError(f"{saved!r} are no options")
    fields = {name: value for name, value in saved.items() if name != "schema"}
    # The first release wrote the same fields without a number.
    if saved.get("schema", SCHEMA) != SCHEMA:
        raise ValueError(f"{saved['schema']!r} is no known form of options")
    rules, length = RuleSet(**dict.fromkeys(saved["rules"], True)), Length(**saved["length"])
    return Options(**(fields | {"rules": rules, "length": length}))


def choose_option(options: Options, name: str, value: str) -> Options:
    """Change one thing of the terms to a value as buttons and menus carry it (`written_length` and so on).

    Raises ValueError for a name or a value that is not one of them.
    """
    if name in SWITCHES:
        return replace(options, rules=replace(options.rules, **{name: value == "1"}))
    if name == "invite_only":
        return replace(options, invite_only=value == "1")
    if name == "calls_uno":
        return replace(options, calls_uno=value == "1")
    if name == "preset" and value in PRESETS:
        return replace(options, rules=PRESETS[value])
    if name == "length":
        offered = {written_length(length): length for length in (*LENGTHS, options.length)}
        if value in offered:
            return replace(options, length=offered[value])
    if name == "turn_time":
        seconds = None if value == "off" else int(value)
        if seconds in TURN_TIMES:
            return replace(options, turn_time=seconds)
    if name == "seats" and value in map(str, SEATS):
        return replace(options, seats=int(value))
    raise ValueError(f"{name} cannot be {value!r}")


def written_length(length: Length) -> str:
    """Write a length of a match as a menu carries it."""
    return f"hands.{length.hands}" if length.target is None else f"target.{length.target}"


def written_turn_time(seconds: int | None) -> str:
    """Write the time for a turn as a menu carries it."""
    return "off" if seconds is None else str(seconds)


def preset_of(rules: RuleSet) -> str | None:
    """Name the preset that these house rules are; None if they are none of them."""
    plain = replace(rules, score_target=False)
    return next((name for name, held in PRESETS.items() if held == plain), None)
