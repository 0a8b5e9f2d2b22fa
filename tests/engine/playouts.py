"""Random matches, checked after every action: `python -m tests.engine.playouts`, or `make playouts`.

Two to ten players, each house rule alone, all together and mixed; leaves, time-outs, UNO, catches, jump-ins
and refused actions thrown in. A failure names its match; `--match N` plays that one again.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor

from engine.actions import (
    ACCEPT,
    CHALLENGE,
    CHOOSE_TARGET,
    DEAL,
    DRAW,
    KEEP,
    LEAVE,
    NAME_COLOUR,
    PLAYS,
    SAY_UNO,
    TIME_OUT,
    WILD_FOUR_PLAYS,
    Accept,
    Action,
    Catch,
    Challenge,
    ChooseTarget,
    Deal,
    Draw,
    Keep,
    NameColour,
    Play,
    TimeOut,
)
from engine.awaiting import NO_SEAT, Awaiting
from engine.cards import WILD_FOUR
from engine.codec import decode, encode
from engine.errors import IllegalAction
from engine.events import Event
from engine.match import Match
from engine.notation import write_scenario
from engine.replay import replay, write_state
from engine.rules import MOST_ACTIONS, RULE_NAMES, Length, RuleSet
from engine.views import table_view

NAMES = ("ann", "bob", "cat", "dan", "eve", "fay", "gus", "hal", "ida", "jon")
#: Everything anybody could try; a Wild Draw Four without a colour and colours there are not are among it.
ANSWERS: tuple[Action, ...] = (
    *PLAYS,
    *WILD_FOUR_PLAYS,
    *NAME_COLOUR,
    Play(WILD_FOUR, 4),
    NameColour(4),
    DRAW,
    KEEP,
    ACCEPT,
    CHALLENGE,
    DEAL,
)
#: Actions that are always a new decision; the others only if what is asked of somebody changed.
NEW_DECISION = {Play, Draw, Accept, Challenge, NameColour, ChooseTarget, Keep, Deal, TimeOut}
#: Tries in one hand after which it is taken to go on for ever.
MOST_TRIES = 40 * MOST_ACTIONS


class Watched:
    """A match that is checked after every action; `count` has what happened, by name."""

    def __init__(self, players: int, rules: RuleSet, length: Length, seed: str) -> None:
        self.match = Match(players, rules, length, seed)
        self.names = NAMES[:players]
        self.count: Counter[str] = Counter()
        self.note(self.match.begin())
        self.whole: list[tuple[int, Action, bool]] = []
        self.first = write_scenario(self.match, self.names)
        self.newcomers = False
        self._begin_hand()

    def _begin_hand(self) -> None:
        self.replayed = False
        self.log: list[tuple[int, Action, bool]] = []
        self.dealt = self.match.clone()
        self.tries = 0

    def note(self, events: Sequence[Event]) -> None:
        """Count events by type."""
        self.count.update(type(event).__name__ for event in events)

    def do(self, seat: int, action: Action, auto: bool = False) -> bool:
        """Try one action and check what came of it; returns whether it was accepted."""
        match = self.match
        before = match.clone()
        self.tries += 1
        assert self.tries < MOST_TRIES, "the hand does not end"
        try:
            events = match.apply(seat, action, auto)
        except IllegalAction as refused:
            assert match == before, f"a refused {action} changed the match"
            self.count[f"refused: {refused.reason.value}"] += 1
            return False
        self.count[f"accepted: {type(action).__name__}"] += 1
        self.note(events)
        wrong = match.invariants()
        assert not wrong, wrong
        self._check_decision(before, action)
        self.whole.append((seat, action, auto))
        if type(action) is Deal:
            self._check_replay_of_hand(before)
            self._begin_hand()
        else:
            self.log.append((seat, action, auto))
        if match.winners is not None:
            self._check_replay_of_hand(match)
            if not self.newcomers:
                self._check_replay_of_match()
            self.count["matches"] += 1
        return True

    def seat_newcomer(self) -> None:
        """Seat somebody between two hands; from here on the match has no one log that a scenario could be."""
        self._check_replay_of_hand(self.match)
        seat = self.match.add_seat()
        self.names = NAMES[: seat + 1]
        self.newcomers = True
        assert not self.match.invariants()
        self.count["newcomers"] += 1

    def _check_decision(self, before: Match, action: Action) -> None:
        after = self.match
        risen = after.decision - before.decision
        if type(action) in NEW_DECISION:
            assert risen == 1, f"{action} made {risen} decisions"
            return
        changed = _asked(before) != _asked(after)
        assert risen == changed, f"{action} made {risen} decisions and changed the question: {changed}"

    # --- replays

    def _check_replay_of_hand(self, after: Match) -> None:
        """See that the hand's own log, from its deal on, leads to the same state."""
        if self.replayed:
            return
        self.replayed = True
        scenario = write_scenario(self.dealt, self.names, self.log)
        state = replay(scenario)["state"]
        expected = write_state(after, self.names)
        gone = [name for name in self.names if name not in scenario["players"]]  # type: ignore[operator]
        for name in gone:
            expected["out"].remove(name)  # type: ignore[attr-defined]
            for key in ("hands", "scores"):
                del expected[key][name]  # type: ignore[attr-defined]
        if any(self.dealt.game.streak):
            # A row of time-outs that began in an earlier hand is not in this hand's log.
            expected["autopilot"] = state["autopilot"]  # type: ignore[index]
        assert state == expected, "the log of a hand leads to another state"
        self.count["hands replayed"] += 1
        self.count["hands"] += 1
        self.count[f"hand {after.game.end.value if after.game.end else None}"] += 1

    def _check_replay_of_match(self) -> None:
        """See that all moves together, deals among them, lead to the same state."""
        whole = write_scenario(self.match, self.names, self.whole)
        state = replay(
            {**self.first, "seed": self.match.seed, "hand_seeds": [], "actions": whole["actions"]}
        )["state"]
        assert state == write_state(self.match, self.names), "the log of the match leads to another state"
        self.count["matches replayed"] += 1

    # --- samples

    def probe(self) -> None:
        """Try everything that anybody could try: what is listed is accepted, all else refused."""
        match, game = self.match, self.match.game
        before = match.clone()
        for seat in range(len(self.names)):
            listed = set(match.legal_actions(seat))
            assert len(listed) == len(match.legal_actions(seat)), "an answer is listed twice"
            for action in listed:
                clone = match.clone()
                clone.apply(seat, action)
                assert not clone.invariants()
            others = [
                action for action in (*ANSWERS, *CHOOSE_TARGET[: len(self.names)]) if action not in listed
            ]
            if match.awaiting is Awaiting.OVER or game.turn != seat:
                others.append(TIME_OUT)
            if not game.may_say_uno(seat):
                others.append(SAY_UNO)
            others.extend(
                Catch(other) for other in range(len(self.names)) if other != game.owed or other == seat
            )
            for action in others:
                assert self._refused(seat, action), f"{action} of seat {seat} is not listed and was accepted"
        assert match == before, "a refused action changed the match"
        self.count["probed"] += 1

    def _refused(self, seat: int, action: Action) -> bool:
        try:
            self.match.apply(seat, action)
        except IllegalAction:
            return True
        return False

    def save_and_read(self) -> None:
        """See that the match is the same when saved as text and read back."""
        assert decode(json.loads(json.dumps(encode(self.match)))) == self.match
        self.count["saved and read"] += 1


def _asked(match: Match) -> object:
    """Return what everybody sees of the decision awaited."""
    view = table_view(match)
    if view.turn is None:
        return None
    targets = [info.left for info in view.seats] if view.awaiting is Awaiting.TARGET else []
    return view.turn, view.awaiting, view.seats[view.turn].cards, targets


# --- playing at random


def rules_of(number: int, dice: random.Random) -> RuleSet:
    """Take each house rule alone, none, all, and mixes, in turn."""
    kinds = len(RULE_NAMES) + 4
    kind = number % kinds
    if kind < len(RULE_NAMES):
        return RuleSet(**{RULE_NAMES[kind]: True})
    if kind == len(RULE_NAMES):
        return RuleSet()
    if kind == len(RULE_NAMES) + 1:
        return RuleSet(**dict.fromkeys(RULE_NAMES, True))
    return RuleSet(**{name: dice.random() < 0.5 for name in RULE_NAMES})


def length_of(rules: RuleSet, dice: random.Random) -> Length:
    """Choose a short match or a long one."""
    if rules.score_target or dice.random() < 0.2:
        return Length(target=dice.choice((50, 150, 300)))
    return Length(hands=dice.choice((1, 1, 2, 3)))


class Crowd:
    """Players at random: how often they leave, sleep, mistake, call and catch is drawn for each match."""

    def __init__(self, watched: Watched, dice: random.Random) -> None:
        self.watched = watched
        self.dice = dice
        self.leaving = dice.choice((0.0, 0.0, 0.003, 0.03))
        # Players who sleep or draw at random rarely win, so such hands go on until they are blocked.
        self.sleeping = dice.choice((0.0,) * 6 + (0.01,) * 5 + (0.2,))
        self.mistaken = dice.choice((0.02, 0.1))
        self.calling = dice.choice((0.1, 0.5, 1.0))
        self.drawing = dice.choice((0.0,) * 8 + (0.05, 0.05, 1.0))

    def step(self) -> None:
        """Let somebody do something."""
        dice, watched, match = self.dice, self.watched, self.watched.match
        seats = len(watched.names)
        luck = dice.random()
        if luck < self.mistaken:
            tries = (*ANSWERS, *CHOOSE_TARGET[:seats], SAY_UNO, TIME_OUT, Catch(dice.randrange(seats)))
            seat = match.turn if match.turn != NO_SEAT and dice.random() < 0.7 else dice.randrange(seats)
            watched.do(seat, dice.choice(tries))
        elif dice.random() < self.leaving:
            watched.do(dice.choice(match.game.seated()), LEAVE)
        elif match.awaiting is Awaiting.DEAL and dice.random() < 0.05 and seats < len(NAMES):
            watched.seat_newcomer()
        elif match.awaiting is Awaiting.DEAL:
            watched.do(dice.choice(match.game.seated()), DEAL, dice.random() < 0.2)
        elif dice.random() < self.sleeping:
            watched.do(match.turn, TIME_OUT, auto=True)
        elif not self._call():
            watched.do(match.turn, self._answer(match.legal_actions()), dice.random() < 0.1)

    def _call(self) -> bool:
        """Say UNO, catch or jump in, if there is anything of it to do and somebody is awake."""
        dice, watched, match = self.dice, self.watched, self.watched.match
        game = match.game
        if dice.random() > self.calling:
            return False
        seat = dice.choice(game.seated())
        if game.may_say_uno(seat):
            return watched.do(seat, SAY_UNO)
        if game.owed not in (NO_SEAT, seat):
            return watched.do(seat, Catch(game.owed))
        if seat != game.turn and (jump := match.legal_actions(seat)):
            return watched.do(seat, jump[0])
        return False

    def _answer(self, answers: list[Action]) -> Action:
        if len(answers) > 1 and answers[-1] is DRAW and self.dice.random() > self.drawing:
            answers.pop()
        return self.dice.choice(answers)


def play(number: int, seed: str, probes: float = 0.01) -> Counter[str]:
    """Play match `number` of a seed to its end and return the counts; `probes`: how often all is tried."""
    dice = random.Random(f"{seed}/{number}")
    rules = rules_of(number, dice)
    watched = Watched(dice.randint(2, 10), rules, length_of(rules, dice), f"{seed}/{number}")
    crowd = Crowd(watched, dice)
    try:
        while watched.match.winners is None:
            crowd.step()
            luck = dice.random()
            if luck < probes:
                watched.probe()
            if luck < 2 * probes:
                watched.save_and_read()
        watched.probe()
        watched.save_and_read()
    except AssertionError as error:
        error.add_note(f"in match {number} of seed {seed!r}")
        raise
    return watched.count


def play_many(first: int, step: int, hands: int, seed: str) -> Counter[str]:
    """Play matches number first, first + step, … until that many hands are played."""
    count: Counter[str] = Counter()
    number = first
    while count["hands"] < hands:
        count += play(number, seed)
        number += step
    return count


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.engine.playouts", description=__doc__)
    parser.add_argument("--hands", type=int, default=100_000)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--seed", default="0")
    parser.add_argument("--match", type=int, help="play this one match alone")
    options = parser.parse_args(arguments)
    began = time.perf_counter()
    if options.match is not None:
        count = play(options.match, options.seed, probes=1.0)
    else:
        processes = options.processes
        share = -(-options.hands // processes)
        with ProcessPoolExecutor(processes) as pool:
            parts = [
                pool.submit(play_many, first, processes, share, options.seed) for first in range(processes)
            ]
            count = sum((part.result() for part in parts), Counter())
    accepted = sum(number for name, number in count.items() if name.startswith("accepted"))
    refused = sum(number for name, number in count.items() if name.startswith("refused"))
    lines = [f"{number:>12,}  {name}" for name, number in sorted(count.items())]
    lines.append(f"{accepted:,} actions accepted, {refused:,} refused, {time.perf_counter() - began:,.0f} s")
    sys.stdout.write("\n".join(lines) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
