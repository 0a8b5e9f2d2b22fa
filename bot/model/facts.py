"""What each seat did in a finished hand, for statistics and achievements.

Worked out from the hand's scenario and its moves alone, so that it can be done again at any time. Pure:
imports the engine and the store's records.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from bot.store.records import FinishedHand
from engine.actions import Accept, Challenge, Deal, Draw, Play
from engine.awaiting import WildFour
from engine.cards import CODE, DRAW_TWO, ITEM, RANK, WILD_FOUR
from engine.errors import BadInput, IllegalAction
from engine.events import (
    CardFlipped,
    CardPlayed,
    CardsDrawn,
    ChallengeMade,
    Event,
    HandEnded,
    HandsSwapped,
    ItemFired,
    PenaltyVoid,
    PlayerLeft,
    TargetChosen,
    TimedOut,
    TurnSkipped,
    UnoCaught,
    UnoSaid,
    Why,
)
from engine.notation import read_move, read_scenario
from engine.rules import is_bluff

#: The facts that are counted; a count of none is left out of the written form.
COUNTS: Final = (
    "turns",
    "played",
    "jumped",
    "most",
    "bluffs",
    "bluffs_passed",
    "bluffs_caught",
    "unos",
    "caught",
    "catches",
    "skips",
    "skipped",
    "swaps",
    "timeouts",
)
#: Why cards are drawn because of a draw card, and because of an item.
_BY_DRAW_CARD: Final = (Why.DRAW_TWO, Why.WILD_FOUR, Why.STACK)
_BY_ITEM: Final = (Why.BANANA_PEEL, Why.LIGHTNING)
_ACTED: Final = (Play, Draw, Accept, Challenge)


class NotReplayedError(ValueError):
    """The moves kept of a hand are not those of its scenario."""


@dataclass(slots=True)
class SeatFacts:
    """What one seat did in a hand.

    `counts` are by the names in `COUNTS`: own turns, cards played, cards played out of turn, the most cards
    held, Wild Draw Fours that were bluffs and what became of them, UNOs said, times caught, catches, turns
    taken from others by a Skip and lost to one, hands swapped, time-outs. `challenges` has True for each one
    won, in order. `items` is how often each item acted for the seat, `took` how many cards it drew for each
    reason, `gave` for each reason how many it made each other seat draw. `out` is the last card of a winner
    and `out_item` the item that it turned over. `left` is whether the seat left before the end.
    """

    counts: Counter[str] = field(default_factory=Counter)
    challenges: list[bool] = field(default_factory=list)
    items: Counter[str] = field(default_factory=Counter)
    took: Counter[str] = field(default_factory=Counter)
    gave: dict[str, Counter[int]] = field(default_factory=dict)
    out: str | None = None
    out_item: str | None = None
    left: bool = False

    def written(self) -> dict[str, Any]:
        """Return the facts as a JSON object, without those that are nothing."""
        gave = {why: {str(seat): n for seat, n in given.items()} for why, given in self.gave.items()}
        told: dict[str, Any] = {name: self.counts[name] for name in COUNTS}
        told |= {"challenges": self.challenges, "items": dict(self.items), "took": dict(self.took)}
        told |= {"gave": gave, "out": self.out, "out_item": self.out_item, "left": self.left}
        return {name: value for name, value in told.items() if value}


def hand_facts(scenario: dict[str, Any], moves: Iterable[list[Any]]) -> dict[int, dict[str, Any]]:
    """Return the facts of each seat dealt into a hand, in written form.

    `moves` are those logged after the deal. Raises NotReplayedError if they do not end the hand.
    """
    try:
        return _Replay(scenario).play(moves)
    except (BadInput, IllegalAction, ValueError, KeyError, TypeError) as error:
        raise NotReplayedError(repr(error)) from error


def with_facts(hand: FinishedHand, moves: Iterable[list[Any]]) -> FinishedHand:
    """Return a hand with the facts of each seat; raises NotReplayedError (see `hand_facts`)."""
    facts = hand_facts(hand.scenario, moves)
    return replace(hand, scores=tuple(replace(score, facts=facts[score.seat]) for score in hand.scores))


class _Replay:
    """A hand being played again, and the facts so far."""

    def __init__(self, scenario: dict[str, Any]) -> None:
        read = read_scenario(scenario)
        self.names: Sequence[str] = read.names
        self.match = read.match
        self.facts = [SeatFacts() for _ in read.names]
        # Whose doing it is that cards are drawn for each reason, who played last, the Wild Draw Four that
        # waits, and the card that the last Wild Item Box turned over.
        self.by: dict[Why, int] = {}
        self.player: int | None = None
        self.open: WildFour | None = None
        self.flipped: int | None = None
        self._note(read.start)

    def play(self, moves: Iterable[list[Any]]) -> dict[int, dict[str, Any]]:
        """Play all moves to the end of the hand."""
        game = self.match.game
        self._count_cards()
        for entry in moves:
            move = read_move(entry, self.names, "moves")
            if isinstance(move.action, Deal):
                continue
            if isinstance(move.action, _ACTED):
                self.facts[move.seat].counts["turns"] += 1
            events = self.match.apply(move.seat, move.action, move.auto)
            self._note(events)
            self._watch_bluff(events)
            self._count_cards()
            if game.end is not None:
                return {self._seat(at): facts.written() for at, facts in enumerate(self.facts)}
        raise NotReplayedError("the hand does not end")

    def _seat(self, at: int) -> int:
        """Return the number of a seat at the table: those that had left are not in the scenario."""
        return int(self.names[at].removeprefix("s"))

    def _count_cards(self) -> None:
        for facts, hand in zip(self.facts, self.match.game.hands, strict=True):
            facts.counts["most"] = max(facts.counts["most"], len(hand))

    def _watch_bluff(self, events: Sequence[Event]) -> None:
        """See what became of a Wild Draw Four that was a bluff, and whether a new one is."""
        before, now = self.open, self.match.game.wild_four
        if now is before:
            return
        if before is not None and is_bluff(before.hand, before.colour):
            counts = self.facts[before.seat].counts
            challenged = any(isinstance(event, ChallengeMade) for event in events)
            if challenged:
                counts["bluffs_caught"] += 1
            elif not any(isinstance(event, PenaltyVoid) for event in events):
                counts["bluffs_passed"] += 1
        if now is not None and is_bluff(now.hand, now.colour):
            self.facts[now.seat].counts["bluffs"] += 1
        self.open = now

    def _note(self, events: Iterable[Event]) -> None:
        for event in events:
            if isinstance(event, CardPlayed):
                self._played(event)
            elif isinstance(event, CardsDrawn):
                self._drew(event)
            elif isinstance(event, HandEnded):
                self._ended(event)
            else:
                self._happened(event)

    def _played(self, event: CardPlayed) -> None:
        facts = self.facts[event.seat]
        facts.counts["played"] += 1
        facts.counts["jumped"] += event.jumped
        facts.out, self.flipped = CODE[event.card], None
        self.player = event.seat
        if event.card == WILD_FOUR or RANK[event.card] == DRAW_TWO:
            self.by |= dict.fromkeys(_BY_DRAW_CARD, event.seat)

    def _drew(self, event: CardsDrawn) -> None:
        why = event.why
        self.facts[event.seat].took[why.value] += event.number
        giver = self.by.get(why)
        if giver is not None and giver != event.seat:
            given = self.facts[giver].gave.setdefault(why.value, Counter())
            given[self._seat(event.seat)] += event.number

    def _happened(self, event: Event) -> None:
        facts = self.facts
        if isinstance(event, TurnSkipped):
            facts[event.seat].counts["skipped"] += 1
            if self.player is not None:
                facts[self.player].counts["skips"] += 1
        elif isinstance(event, CardFlipped):
            self.flipped = event.card
        elif isinstance(event, ItemFired):
            facts[event.seat].items[event.item.value] += 1
            self.by |= dict.fromkeys(_BY_ITEM, event.seat)
        elif isinstance(event, TargetChosen):
            self.by[Why.GREEN_SHELL] = event.seat
        elif isinstance(event, HandsSwapped):
            facts[event.seat].counts["swaps"] += 1
        elif isinstance(event, ChallengeMade):
            facts[event.seat].challenges.append(event.bluff)
            self.by |= {Why.BLUFF: event.seat, Why.FAILED_CHALLENGE: event.other}
        elif isinstance(event, UnoSaid):
            facts[event.seat].counts["unos"] += 1
        elif isinstance(event, UnoCaught):
            facts[event.seat].counts["caught"] += 1
            facts[event.by].counts["catches"] += 1
            self.by[Why.UNO] = event.by
        elif isinstance(event, TimedOut):
            facts[event.seat].counts["timeouts"] += 1
        elif isinstance(event, PlayerLeft):
            facts[event.seat].left = True

    def _ended(self, event: HandEnded) -> None:
        for at, facts in enumerate(self.facts):
            if at != event.winner:
                facts.out = None
            elif self.flipped is not None:
                facts.out_item = ITEM[self.flipped].value
