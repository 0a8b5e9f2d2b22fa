"""A match as JSON and back: what the bot saves after every move.

The saved form names its schema, raised when the form changes, and the version of the rules it was played by,
raised when a ruling changes; old forms are read through `UPGRADES`. Cards are ints, seats are numbers,
nothing is named.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from enum import Enum
from typing import Any, Final

from engine.awaiting import Awaiting, WildFour
from engine.cards import DECK, Item
from engine.errors import BadInput
from engine.events import PUBLIC, End, Event, HandShown, Why
from engine.game import Game
from engine.match import Match
from engine.rules import Length, RuleSet

#: The rulings of RULES.md as carried out here; a replay of a log is promised for one version alone.
RULES_VERSION: Final = 1
#: The form below.
SCHEMA: Final = 1

#: For each old schema the function that turns its form into the next one.
UPGRADES: Final[dict[int, Callable[[dict[str, Any]], dict[str, Any]]]] = {}

_PLAIN: Final = [
    "acted",
    "actions",
    "called",
    "colour",
    "dealer",
    "decision",
    "direction",
    "discard",
    "draw",
    "drawn",
    "due",
    "hands",
    "opening",
    "out",
    "owed",
    "passes",
    "points",
    "said",
    "seed",
    "shuffles",
    "streak",
    "swap",
    "turn",
    "winner",
]


def encode(match: Match) -> dict[str, Any]:
    """Write a match as a JSON object."""
    game = match.game
    saved: dict[str, Any] = {name: getattr(game, name) for name in _PLAIN}
    saved["hands"] = [list(hand) for hand in game.hands]
    for name in ("discard", "draw", "out", "said", "streak"):
        saved[name] = list(saved[name])
    saved["awaiting"] = game.awaiting.value
    saved["end"] = None if game.end is None else game.end.value
    saved["wild_four"] = None if game.wild_four is None else list(game.wild_four)
    saved["shown"] = None if game.shown is None else list(game.shown)
    # A deck is saved only where it is not the usual one, as in a position set up by hand.
    saved["deck"] = None if game.deck == DECK else list(game.deck)
    return {
        "schema": SCHEMA,
        "rules_version": RULES_VERSION,
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


def decode(saved: Any) -> Match:
    """Read a match that `encode` wrote, of this schema or an older one.

    Raises BadInput for anything else, and for a match that is not whole (`Match.invariants`).
    """
    try:
        while saved["schema"] != SCHEMA:
            saved = UPGRADES[saved["schema"]](saved)
        match = _match(saved)
        wrong = match.invariants()
    except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
        raise BadInput("match", f"cannot be read: {error!r}") from error
    if wrong:
        raise BadInput("match", "; ".join(wrong))
    return match


def _match(saved: dict[str, Any]) -> Match:
    rules = RuleSet(**dict.fromkeys(saved["rules"], True))
    match = Match(len(saved["scores"]), rules, Length(**saved["length"]), saved["seed"], saved["hand_seeds"])
    match.hand_no = saved["hand_no"]
    match.scores = list(saved["scores"])
    match.start_scores = list(saved["start_scores"])
    match.winners = None if saved["winners"] is None else tuple(saved["winners"])
    match.game = _game(saved["game"], rules)
    return match


def _game(saved: dict[str, Any], rules: RuleSet) -> Game:
    game = Game(rules, saved["seed"], saved["dealer"], saved["out"], saved["streak"])
    for name in _PLAIN:
        setattr(game, name, saved[name])
    for name in ("discard", "draw", "said", "out", "streak"):
        setattr(game, name, list(saved[name]))
    game.hands = [list(hand) for hand in saved["hands"]]
    game.awaiting = Awaiting(saved["awaiting"])
    game.end = None if saved["end"] is None else End(saved["end"])
    if saved["wild_four"] is not None:
        seat, hand, colour = saved["wild_four"]
        game.wild_four = WildFour(seat, tuple(hand), colour)
    if saved["shown"] is not None:
        seat, other, cards = saved["shown"]
        game.shown = HandShown(seat, other, tuple(cards))
    game.deck = DECK if saved["deck"] is None else tuple(saved["deck"])
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
