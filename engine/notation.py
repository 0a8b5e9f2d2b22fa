"""Cards, positions, moves and scenarios as text (docs/scenarios.md, Cards; Input; Position; Actions).

`read_scenario` turns a scenario into a match and a list of moves, or says in one line what is wrong with it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from reprlib import repr as shortened
from typing import Any, Final

from engine import actions as act
from engine.cards import (
    CARD_OF_CODE,
    CODE,
    COLOUR_NAMES,
    ITEM_BOX,
    RANK,
    WILD_FOUR,
)
from engine.dealing import begin
from engine.errors import BadInput, Reason
from engine.events import Event, HandStarted
from engine.game import Game
from engine.match import Match
from engine.rules import CARDS_DEALT, ONE_HAND, RULE_NAMES, RULES_VERSION, USUAL_TARGET, Length, RuleSet

#: A colour in an action that is none of the four.
_NO_SUCH_COLOUR: Final = -2
#: The most hands or points a scenario may ask for.
_MOST: Final = 1_000_000_000


@dataclass(frozen=True, slots=True)
class Move:
    """One entry of a scenario's actions; `refusal` is set if it names an unknown player."""

    seat: int
    action: act.Action
    auto: bool = False
    refusal: Reason | None = None


@dataclass(frozen=True, slots=True)
class Scenario:
    """A scenario: the match at its starting point, the events that led there, and the moves to come."""

    names: tuple[str, ...]
    match: Match
    start: list[Event]
    moves: list[Move]


# --- reading


def _check(good: bool, key: str, problem: str) -> None:
    if not good:
        raise BadInput(key, problem)


def _known_keys(value: object, known: Sequence[str], key: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise BadInput(key, "must be an object")
    for name in value:
        _check(name in known, f"{key}.{name}" if key != "scenario" else str(name), "unknown key")
    return value


def _is_int(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_number(value: object, least: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and least <= value <= _MOST


def read_cards(value: object, key: str) -> list[int]:
    """Read a list of card codes; raises BadInput."""
    if not isinstance(value, list):
        raise BadInput(key, "must be a list of cards")
    return [_card(code, f"{key}[{i}]") for i, code in enumerate(value)]


def _card(code: object, key: str) -> int:
    if not isinstance(code, str) or code not in CARD_OF_CODE:
        raise BadInput(key, f"{shortened(code)} is not a card")
    return CARD_OF_CODE[code]


def _seed(value: object, key: str) -> str:
    if isinstance(value, str):
        _check(value.isascii(), key, "must be ASCII")
        return value
    _check(_is_int(value), key, "must be an integer or an ASCII string")
    return str(value)


def _names(value: object) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(name, str) for name in value):
        raise BadInput("players", "must be a list of names")
    _check(2 <= len(value) <= act.MOST_SEATS, "players", "must be 2 to 10")
    _check(len(set(value)) == len(value), "players", "must all be different")
    return tuple(value)


def _seat(value: object, names: Sequence[str], key: str) -> int:
    if not isinstance(value, str) or value not in names:
        raise BadInput(key, f"{shortened(value)} is not one of the players")
    return names.index(value)


def _rules(scenario: Mapping[str, Any]) -> RuleSet:
    rules = _known_keys(scenario.get("rules", {}), RULE_NAMES, "rules")
    for name, on in rules.items():
        _check(isinstance(on, bool), f"rules.{name}", "must be true or false")
    return RuleSet(**rules)


def _length(scenario: Mapping[str, Any], rules: RuleSet) -> Length:
    if "match" not in scenario:
        return Length(target=USUAL_TARGET) if rules.score_target else ONE_HAND
    value = _known_keys(scenario["match"], ("hands", "target"), "match")
    _check(len(value) == 1, "match", "must have either hands or target")
    ((kind, number),) = value.items()
    _check(_is_number(number, 1), f"match.{kind}", "must be a whole number from 1 to a billion")
    _check(not (rules.score_target and kind == "hands"), "match.hands", "contradicts the rule score_target")
    return Length(**{kind: number})


def _start(scenario: Mapping[str, Any], names: Sequence[str], match: Match) -> None:
    start = _known_keys(scenario.get("start", {}), ("hand_no", "scores"), "start")
    hand_no = start.get("hand_no", 1)
    _check(_is_number(hand_no, 1), "start.hand_no", "must be a whole number from 1 to a billion")
    if match.length.hands is not None:
        _check(hand_no <= match.length.hands, "start.hand_no", "is more than match.hands")
    match.hand_no = hand_no
    for name, score in _known_keys(start.get("scores", {}), names, "start.scores").items():
        _check(_is_number(score, 0), f"start.scores.{name}", "must be a whole number from 0 to a billion")
        match.scores[names.index(name)] = score
    if match.length.target is not None and max(match.scores) >= match.length.target:
        raise BadInput("start.scores", "somebody has reached the target already")


def _pile(scenario: Mapping[str, Any], players: int) -> list[int] | None:
    if "deck" not in scenario:
        return None
    pile = read_cards(scenario["deck"], "deck")
    left = pile[players * CARDS_DEALT :]
    startable = any(RANK[card] < 10 or card == ITEM_BOX for card in left)
    _check(startable, "deck", "must leave a number or a WI to start on after the deal")
    return pile


def _place(value: object, names: Sequence[str], match: Match) -> list[Event]:
    """Set up a position (docs/scenarios.md, Position)."""
    known = ("hands", "draw", "discard", "colour", "turn", "direction", "dealer")
    position = _known_keys(value, known, "position")
    for key in ("hands", "draw", "discard", "turn"):
        _check(key in position, f"position.{key}", "is missing")
    hands = _known_keys(position["hands"], names, "position.hands")
    dealer = _seat(position.get("dealer", names[-1]), names, "position.dealer")
    seats = len(names)
    game = Game(match.rules, match.hand_seed(match.hand_no), dealer, [False] * seats, [0] * seats)
    for seat, name in enumerate(names):
        _check(bool(hands.get(name)), f"position.hands.{name}", "must hold at least one card")
        game.hands[seat] = read_cards(hands[name], f"position.hands.{name}")
    game.draw = read_cards(position["draw"], "position.draw")[::-1]
    game.discard = read_cards(position["discard"], "position.discard")[::-1]
    _check(bool(game.discard), "position.discard", "must have a top card")
    direction = position.get("direction", 1)
    _check(_is_int(direction) and direction in (1, -1), "position.direction", "must be 1 or -1")
    game.direction = direction
    game.turn = _seat(position["turn"], names, "position.turn")
    if "colour" in position:
        _check(game.discard[-1] >= WILD_FOUR, "position.colour", "is for a wild on top only")
        colour = position["colour"]
        _check(isinstance(colour, str) and colour in COLOUR_NAMES, "position.colour", "is not a colour")
        game.colour = COLOUR_NAMES.index(colour)
    game.deck = tuple(card for pile in (*game.hands, game.draw, game.discard) for card in pile)
    begin(game)
    game.decision = 1
    match.game = game
    match.start_scores = match.scores[:]
    return [HandStarted(match.hand_no, dealer)]


_KEYS: Final = (
    "rules_version",
    "players",
    "rules",
    "match",
    "seed",
    "hand_seeds",
    "dealer",
    "deck",
    "position",
    "start",
    "actions",
)


def read_scenario(value: object) -> Scenario:
    """Read a scenario and set up its starting point; raises BadInput naming the key at fault."""
    scenario = _known_keys(value, _KEYS, "scenario")
    _check(
        _is_int(version := scenario.get("rules_version", RULES_VERSION)) and version == RULES_VERSION,
        "rules_version",
        f"is not {RULES_VERSION}, the version of the rules that is played here",
    )
    _check("players" in scenario, "players", "is missing")
    names = _names(scenario["players"])
    rules = _rules(scenario)
    length = _length(scenario, rules)
    seed = _seed(scenario.get("seed", 0), "seed")
    hand_seeds = scenario.get("hand_seeds", [])
    _check(isinstance(hand_seeds, list), "hand_seeds", "must be a list of seeds")
    seeds = [_seed(text, f"hand_seeds[{i}]") for i, text in enumerate(hand_seeds)]
    match = Match(len(names), rules, length, seed, seeds)
    _start(scenario, names, match)
    moves = _moves(scenario.get("actions", []), names)
    if "position" in scenario:
        for key in ("deck", "dealer"):
            _check(key not in scenario, key, "does not go with position")
        return Scenario(names, match, _place(scenario["position"], names, match), moves)
    dealer = _seat(scenario["dealer"], names, "dealer") if "dealer" in scenario else None
    start = match.begin(dealer, _pile(scenario, len(names)))
    return Scenario(names, match, start, moves)


# --- actions


def _moves(value: object, names: Sequence[str]) -> list[Move]:
    if not isinstance(value, list):
        raise BadInput("actions", "must be a list")
    return [read_move(entry, names, f"actions[{i}]") for i, entry in enumerate(value)]


def read_move(entry: object, names: Sequence[str], key: str) -> Move:
    """Read `[name, verb, argument…, {"auto": true}]`; raises BadInput for a wrong shape."""
    if not isinstance(entry, list):
        raise BadInput(key, "must be a list")
    parts = list(entry)
    auto = False
    if parts and isinstance(parts[-1], dict):
        auto = _known_keys(parts.pop(), ("auto",), key).get("auto") is True
        _check(auto, key, 'may end in {"auto": true} and no other object')
    _check(
        len(parts) >= 2 and all(isinstance(part, str) for part in parts),
        key,
        "must be [name, verb, argument…]",
    )
    name, verb, *arguments = parts
    _check(verb in _VERBS, key, f"unknown verb {shortened(verb)}")
    action, named = _VERBS[verb](verb, arguments, names, key)
    if name not in names or not named:
        return Move(0, action, auto, Reason.UNKNOWN_PLAYER)
    return Move(names.index(name), action, auto)


def _plain(action: act.Action) -> Callable[[str, list[str], Sequence[str], str], tuple[act.Action, bool]]:
    def read(verb: str, arguments: list[str], names: Sequence[str], key: str) -> tuple[act.Action, bool]:
        _check(not arguments, key, f"{verb} takes no argument")
        return action, True

    return read


def _colour(text: str) -> int:
    return COLOUR_NAMES.index(text) if text in COLOUR_NAMES else _NO_SUCH_COLOUR


def _read_play(verb: str, arguments: list[str], names: Sequence[str], key: str) -> tuple[act.Action, bool]:
    _check(bool(arguments), key, "play takes a card")
    card = _card(arguments[0], key)
    if card == WILD_FOUR:
        _check(len(arguments) <= 2, key, "play W4 takes a colour and nothing more")
        return act.Play(card, _colour(arguments[1]) if len(arguments) == 2 else None), True
    _check(len(arguments) == 1, key, f"play {arguments[0]} takes nothing more")
    return act.PLAYS[card], True


def _read_colour(verb: str, arguments: list[str], names: Sequence[str], key: str) -> tuple[act.Action, bool]:
    _check(len(arguments) == 1, key, "colour takes a colour")
    return act.NameColour(_colour(arguments[0])), True


def _read_seat(verb: str, arguments: list[str], names: Sequence[str], key: str) -> tuple[act.Action, bool]:
    _check(len(arguments) == 1, key, f"{verb} takes a name")
    named = arguments[0] in names
    seat = names.index(arguments[0]) if named else 0
    return (act.ChooseTarget(seat) if verb == "target" else act.Catch(seat)), named


_VERBS: Final[dict[str, Callable[[str, list[str], Sequence[str], str], tuple[act.Action, bool]]]] = {
    "play": _read_play,
    "draw": _plain(act.DRAW),
    "keep": _plain(act.KEEP),
    "colour": _read_colour,
    "target": _read_seat,
    "challenge": _plain(act.CHALLENGE),
    "accept": _plain(act.ACCEPT),
    "uno": _plain(act.SAY_UNO),
    "catch": _read_seat,
    "timeout": _plain(act.TIME_OUT),
    "leave": _plain(act.LEAVE),
    "deal": _plain(act.DEAL),
}

_WORDS: Final[dict[type, str]] = {
    act.Draw: "draw",
    act.Keep: "keep",
    act.Challenge: "challenge",
    act.Accept: "accept",
    act.SayUno: "uno",
    act.TimeOut: "timeout",
    act.Leave: "leave",
    act.Deal: "deal",
}


def write_move(names: Sequence[str], seat: int, action: act.Action, auto: bool = False) -> list[object]:
    """Write a move as a scenario has it, the opposite of `read_move`."""
    move: list[object] = [names[seat]]
    if isinstance(action, act.Play):
        move += ["play", CODE[action.card]]
        if action.colour is not None:
            move.append(COLOUR_NAMES[action.colour])
    elif isinstance(action, act.NameColour):
        move += ["colour", COLOUR_NAMES[action.colour]]
    elif isinstance(action, act.ChooseTarget | act.Catch):
        move += ["target" if isinstance(action, act.ChooseTarget) else "catch", names[action.seat]]
    else:
        move.append(_WORDS[type(action)])
    if auto:
        move.append({"auto": True})
    return move


def write_scenario(
    match: Match, names: Sequence[str], moves: Sequence[tuple[int, act.Action, bool]] = ()
) -> dict[str, object]:
    """Write the hand in play, just dealt, as a scenario that stands alone; `moves` are those that followed.

    `names` has a name for every seat; those that had left before the deal do not appear.
    """
    hand_no = match.hand_no
    length = match.length
    seated = match.game.seated()
    return {
        "rules_version": RULES_VERSION,
        "players": [names[seat] for seat in seated],
        "rules": dict.fromkeys(match.rules.names(), True),
        "match": {"hands": length.hands} if length.target is None else {"target": length.target},
        "hand_seeds": [""] * (hand_no - 1) + [match.game.seed],
        "dealer": names[match.game.dealer],
        "start": {"hand_no": hand_no, "scores": {names[seat]: match.start_scores[seat] for seat in seated}},
        "actions": [write_move(names, seat, action, auto) for seat, action, auto in moves],
    }
