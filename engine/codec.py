"""A match as JSON and back: what the bot saves after every move.

The saved form names its schema, which is raised when the form changes; older forms are read through
`UPGRADES`. It does not name the version of the rules: a match that is read back goes on by the present ones.
Cards and seats are numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict
from enum import Enum
from typing import Any, Final

from engine.actions import MOST_SEATS
from engine.awaiting import NO_SEAT, Awaiting, WildFour
from engine.cards import DECK, FACES, NO_CARD, NO_COLOUR, Item
from engine.errors import BadInput
from engine.events import PUBLIC, End, Event, HandShown, Why
from engine.game import Game
from engine.match import Match
from engine.rules import Length, RuleSet

#: The schema of the form below.
SCHEMA: Final = 1

#: For each older schema, the function that turns its form into that of the next one.
UPGRADES: Final[dict[int, Callable[[dict[str, Any]], dict[str, Any]]]] = {}

Test = Callable[[Any, int], bool]


def _number(least: int, most: int | None = None) -> Test:
    """Return a test for a whole number."""
    return lambda value, seats: type(value) is int and least <= value and (most is None or value <= most)


def _each(test: Test, *, seat: bool = False) -> Test:
    """Return a test for a list, of any length or with an entry for each `seat`."""
    return lambda value, seats: (
        type(value) is list
        and (not seat or len(value) == seats)
        and all(test(entry, seats) for entry in value)
    )


def _seat(value: Any, seats: int) -> bool:
    return type(value) is int and 0 <= value < seats


def _seat_or_none(value: Any, seats: int) -> bool:
    return type(value) is int and NO_SEAT <= value < seats


def _flag(value: Any, seats: int) -> bool:
    return type(value) is bool


def _text(value: Any, seats: int) -> bool:
    return type(value) is str and value.isascii()


_COUNT: Final = _number(0)
_COLOUR: Final = _number(NO_COLOUR, 3)
_CARDS: Final = _each(_number(0, FACES - 1))

#: The fields that are saved as they are in the game, with the test each has to pass.
_PLAIN: Final[dict[str, Test]] = {
    "acted": _COUNT,
    "actions": _COUNT,
    "called": _seat_or_none,
    "colour": _COLOUR,
    "dealer": _seat,
    "decision": _COUNT,
    "direction": lambda value, seats: type(value) is int and value in (1, -1),
    "discard": _CARDS,
    "draw": _CARDS,
    "drawn": _number(NO_CARD, FACES - 1),
    "due": _COUNT,
    "hands": _each(_CARDS, seat=True),
    "opening": _flag,
    "out": _each(_flag, seat=True),
    "owed": _seat_or_none,
    "passes": _COUNT,
    "points": _COUNT,
    "said": _each(_flag, seat=True),
    "seed": _text,
    "shuffles": _COUNT,
    "streak": _each(_COUNT, seat=True),
    "swap": _flag,
    "turn": _seat_or_none,
    "winner": _seat_or_none,
}
_WILD_FOUR: Final = (_seat, _CARDS, _COLOUR)
_SHOWN: Final = (_seat, _seat, _CARDS)


def encode(match: Match) -> dict[str, Any]:
    """Write a match as a JSON object."""
    game = match.game
    saved: dict[str, Any] = {}
    for name in _PLAIN:
        value = getattr(game, name)
        saved[name] = value[:] if type(value) is list else value
    saved["hands"] = [hand[:] for hand in game.hands]
    saved["awaiting"] = game.awaiting.value
    saved["end"] = None if game.end is None else game.end.value
    saved["remaining"] = [list(hand) for hand in game.remaining]
    saved["wild_four"] = _listed(game.wild_four)
    saved["shown"] = _listed(game.shown)
    # Only an unusual deck is saved, that of a position set up by hand.
    saved["deck"] = None if game.deck == DECK else list(game.deck)
    return {
        "schema": SCHEMA,
        "rules": list(match.rules.names()),
        "length": asdict(match.length),
        "seed": match.seed,
        "hand_seeds": list(match.hand_seeds),
        "hand_no": match.hand_no,
        "scores": list(match.scores),
        "start_scores": list(match.start_scores),
        "winners": None if match.winners is None else list(match.winners),
        "game": saved,
    }


def _listed(fields: tuple[Any, ...] | None) -> list[Any] | None:
    if fields is None:
        return None
    return [list(value) if isinstance(value, tuple) else value for value in fields]


def decode(saved: Any) -> Match:
    """Read a match that `encode` wrote, of this schema or an older one.

    Raises BadInput for anything else, and for a match that breaks an invariant.
    """
    try:
        while saved["schema"] != SCHEMA:
            saved = UPGRADES[saved["schema"]](saved)
        match = _match(saved)
    except BadInput:
        raise
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise BadInput("match", f"cannot be read: {error!r}") from error
    if wrong := match.invariants():
        raise BadInput("match", "; ".join(wrong))
    return match


def _taken(saved: dict[str, Any], name: str, test: Test, seats: int) -> Any:
    if not test(saved[name], seats):
        raise BadInput(name, "is not what a saved match has there")
    return saved[name]


def _fields(saved: dict[str, Any], name: str, tests: Sequence[Test], seats: int) -> list[Any] | None:
    values: list[Any] | None = saved[name]
    if values is None:
        return None
    fields = [test(value, seats) for test, value in zip(tests, values, strict=True)]
    if not all(fields):
        raise BadInput(name, "is not what a saved match has there")
    return [tuple(value) if type(value) is list else value for value in values]


def _match(saved: dict[str, Any]) -> Match:
    seats = len(saved["scores"])
    lengths = {name: value for name, value in saved["length"].items() if value is not None}
    if not 2 <= seats <= MOST_SEATS or len(lengths) != 1:
        raise BadInput("match", "has no such seats or no such length")
    (kind,) = lengths
    length = Length(**{kind: _taken(lengths, kind, _number(1), seats)})
    rules = RuleSet(**dict.fromkeys(saved["rules"], True))
    seeds = _taken(saved, "hand_seeds", _each(_text), seats)
    match = Match(seats, rules, length, _taken(saved, "seed", _text, seats), seeds)
    match.hand_no = _taken(saved, "hand_no", _number(1), seats)
    match.scores = list(_taken(saved, "scores", _each(_COUNT), seats))
    match.start_scores = list(_taken(saved, "start_scores", _each(_COUNT, seat=True), seats))
    if saved["winners"] is not None:
        match.winners = tuple(_taken(saved, "winners", _each(_seat), seats))
    match.game = _game(saved["game"], rules, seats)
    return match


def _game(saved: dict[str, Any], rules: RuleSet, seats: int) -> Game:
    plain = {name: _taken(saved, name, test, seats) for name, test in _PLAIN.items()}
    game = Game(rules, plain["seed"], plain["dealer"], plain["out"], plain["streak"])
    for name, value in plain.items():
        setattr(game, name, value[:] if type(value) is list else value)
    game.hands = [hand[:] for hand in plain["hands"]]
    game.awaiting = Awaiting(saved["awaiting"])
    game.end = None if saved["end"] is None else End(saved["end"])
    remaining = _taken(saved, "remaining", _each(_CARDS, seat=game.awaiting is Awaiting.OVER), seats)
    game.remaining = tuple(tuple(hand) for hand in remaining)
    wild_four = _fields(saved, "wild_four", _WILD_FOUR, seats)
    game.wild_four = None if wild_four is None else WildFour(*wild_four)
    shown = _fields(saved, "shown", _SHOWN, seats)
    game.shown = None if shown is None else HandShown(*shown)
    game.deck = DECK if saved["deck"] is None else tuple(_taken(saved, "deck", _CARDS, seats))
    return game


# --- events


def encode_event(event: Event) -> list[Any]:
    """Write an event as a JSON list: its type's name, then its fields in order."""
    values = (value.value if isinstance(value, Enum) else value for value in event)
    return [type(event).__name__, *(list(value) if isinstance(value, tuple) else value for value in values)]


def decode_event(saved: Any) -> Event:
    """Read an event that `encode_event` wrote; raises BadInput for anything else."""
    try:
        name, *values = saved
        kind = _EVENTS[name]
        fields = [
            _ENUMS[field](value) if field in _ENUMS else value
            for field, value in zip(kind._fields, values, strict=True)
        ]
        event: Event = kind(*(tuple(value) if isinstance(value, list) else value for value in fields))
    except (KeyError, TypeError, ValueError) as error:
        raise BadInput("event", f"cannot be read: {error!r}") from error
    return event


_EVENTS: Final[dict[str, Any]] = {kind.__name__: kind for kind in PUBLIC}
_ENUMS: Final[dict[str, Callable[[Any], Enum]]] = {"why": Why, "item": Item, "end": End}
