"""What the computer players do in random positions: `python -m tests.engine.judgement` keeps it.

The numbers that sharp judges by were fitted, and how well one plays shows only over thousands of hands (`make
strength`). So a change of what they do is made on purpose: measured first, then kept here.
"""

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from engine.actions import LEAVE, SAY_UNO, Action, Play
from engine.awaiting import NO_SEAT
from engine.chance import words
from engine.match import Match
from engine.notation import write_move
from engine.players import POLICIES
from engine.players.position import Position
from engine.players.sharp import _stakes, _worth, _worth_of
from engine.rules import RULE_NAMES, Length, RuleSet
from engine.views import SeatView, seat_view

KEPT = Path(__file__).with_suffix(".json")
LENGTHS = (Length(hands=1), Length(hands=3), Length(target=500))
LEVELS = ("easy", "normal", "sharp")
NAMES = tuple(f"s{seat}" for seat in range(10))


def views() -> Iterator[SeatView]:
    """Yield what those to decide see, and those after them, in random matches under some house rules."""
    for number in range(60):
        dice = random.Random(f"judgement {number}")
        seats = (2, 3, 4, 2, 6, 10)[number % 6]
        rules = RuleSet(**{name: dice.random() < 0.4 for name in RULE_NAMES})
        match = Match(seats, rules, LENGTHS[number % 3], f"judgement/{number}")
        if match.length != LENGTHS[0]:
            match.scores = [dice.randrange(0, 450, 5) for _ in range(seats)]
            match.start_scores = match.scores[:]
        match.begin()
        for step in range(120):
            if match.turn == NO_SEAT:
                break
            if step % 10 == number % 10:
                yield seat_view(match, match.turn)
                yield seat_view(match, match.game.after(match.turn))
            if match.game.may_say_uno(match.turn):
                match.apply(match.turn, SAY_UNO)
            if len(match.game.seated()) > 2 and dice.random() < 0.01:
                match.apply(dice.choice(match.game.seated()), LEAVE)
                continue
            answers = match.legal_actions()
            plays = [answer for answer in answers if isinstance(answer, Play)]
            match.apply(match.turn, dice.choice(plays or answers))


def judged() -> list[dict[str, Any]]:
    """Return what sharp thinks of each position as it is and of each answer, and what every level does."""
    found = []
    for number, view in enumerate(views()):
        now, stakes = Position(view), _stakes(view)
        worths = {"": _worth_of(view, now, stakes)}
        worths |= {_written(view, answer): _worth(view, now, answer, stakes) for answer in view.answers}
        players = [POLICIES[level](words(f"judgement/{number}")) for level in LEVELS]
        found.append(
            {
                "worths": {name: round(worth, 6) for name, worth in worths.items()},
                "answers": [_written(view, each.answer(view)) for each in players if view.my_turn],
                "calls": "".join("cC"[each.catches(view)] + "uU"[each.says_uno(view)] for each in players),
                "jumps": [each.jumps_in(view) for each in players if view.answers and not view.my_turn],
            }
        )
    return found


def _written(view: SeatView, answer: Action) -> str:
    return " ".join(map(str, write_move(NAMES, view.seat, answer, auto=False)[1:]))


if __name__ == "__main__":
    lines = ",\n".join(json.dumps(each) for each in judged())
    KEPT.write_text(f"[\n{lines}\n]\n", encoding="utf-8")
