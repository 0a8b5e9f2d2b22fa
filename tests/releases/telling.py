"""What is so at a table, told in words that stay the same whatever a table is made of by now."""

from typing import Any

from bot.model.state import State
from engine.cards import CODE
from engine.match import Match


def told(state: State) -> dict[str, Any]:
    """Tell all of a table but its people and its times."""
    return {
        "host": state.seating.host,
        "options": state.options.written(),
        "invited": [person.user_id for person in state.seating.invited],
        "again_of": state.seating.again_of,
        "again": [[person.user_id, person.name, person.cpu] for person in state.seating.again],
        "learning": sorted(state.seating.learning),
        "recent": [type(event).__name__ for event in state.log.recent],
        "failed": sorted(state.log.failed),
        "moves": state.log.moves,
        "hands_won": list(state.hands_won),
        "gone": sorted(map(list, state.seating.gone.items())),
        "removed": sorted(state.removals.seats),
        "heirs": sorted(map(list, state.seating.heirs.items())),
        "paused": state.clock.paused_at is not None,
        "nudged": state.clock.nudged,
        "woken": sorted(state.seating.woken),
        "votes": [[seat, sorted(voters)] for seat, voters in sorted(state.removals.votes.items())],
        "successors": [[seat, person.user_id] for seat, person in sorted(state.seating.successors.items())],
        "offers": [[seat, person.user_id] for seat, person in sorted(state.seating.offers.items())],
        "offered": sorted(map(list, state.seating.offered.items())),
        "match": None if state.match is None else _match(state.match),
    }


def _match(match: Match) -> dict[str, Any]:
    game = match.game
    return {
        "hand_no": match.hand_no,
        "seeds": [match.seed, *match.hand_seeds],
        "scores": list(match.scores),
        "decision": match.decision,
        "awaiting": match.awaiting.value,
        "turn": match.turn,
        "direction": game.direction,
        "colour": game.colour,
        "hands": [[CODE[card] for card in sorted(hand)] for hand in game.hands],
        "discard": [CODE[card] for card in game.discard],
        "draw": [CODE[card] for card in game.draw],
        "due": game.due,
        "owed": game.owed,
        "said": [seat for seat, said in enumerate(game.said) if said],
        "called": game.called,
        "out": [seat for seat, out in enumerate(game.out) if out],
        "autopilot": [seat for seat in range(len(game.hands)) if game.on_autopilot(seat)],
        "swap": game.swap,
        "shown": None if game.shown is None else [game.shown.seat, game.shown.other],
    }


def contains(now: Any, then: Any) -> bool:
    """Whether all that was said then is said now, and perhaps more."""
    if isinstance(then, dict):
        return isinstance(now, dict) and all(key in now and contains(now[key], then[key]) for key in then)
    return bool(now == then)
