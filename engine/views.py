"""What one seat, or the table, may see of a match; the only thing screens and computer players are given.

Hidden information is default-deny: a view is built from what is named here, and holds no reference to the
game.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from engine.actions import Action, Play
from engine.awaiting import NO_SEAT, Awaiting
from engine.cards import FACES, NO_CARD, NO_COLOUR, WILD_FOUR
from engine.events import End
from engine.match import Match
from engine.rules import Length, RuleSet, is_bluff


@dataclass(frozen=True, slots=True)
class SeatInfo:
    """What everybody sees of one seat; `said` and `owes` are about UNO, `score` is the tally of the match."""

    seat: int
    cards: int
    score: int
    said: bool
    owes: bool
    autopilot: bool
    left: bool


@dataclass(frozen=True, slots=True)
class TableView:
    """What everybody at the table sees.

    Seats and colours that are not there are None. `discard` is top first. `due` counts the cards that wait to
    be drawn or answered; `wild_four_by` is who may be challenged, `wild_four_on` the colour that was to match
    when they played. `swap` tells a target for a swap of hands from one for a Green Shell. Once a hand is
    over, and not before, `remaining` has what is left in each hand, and `points` what it scored.
    """

    decision: int
    hand_no: int
    length: Length
    rules: RuleSet
    awaiting: Awaiting
    turn: int | None
    direction: int
    colour: int | None
    discard: tuple[int, ...]
    draw_count: int
    due: int
    wild_four_by: int | None
    wild_four_on: int | None
    swap: bool
    dealer: int
    seats: tuple[SeatInfo, ...]
    end: End | None
    hand_winner: int | None
    points: int
    remaining: tuple[tuple[int, ...], ...]
    winners: tuple[int, ...] | None

    @property
    def top(self) -> int:
        """The top card of the discard pile."""
        return self.discard[0]

    @property
    def owed_by(self) -> int | None:
        """The seat that may be caught now."""
        return next((info.seat for info in self.seats if info.owes), None)

    def in_turn_order(self, seat: int) -> tuple[SeatInfo, ...]:
        """List the other players in turn order, beginning after this seat."""
        n = len(self.seats)
        order = (self.seats[(seat + step * self.direction) % n] for step in range(1, n))
        return tuple(info for info in order if not info.left)


@dataclass(frozen=True, slots=True)
class SeatView(TableView):
    """What one seat sees: the table and its own hand.

    `hand` is sorted. `answers` are the legal answers to the decision awaited, each once, plays first and by
    card; out of turn they are the jump-in or nothing. `drawn` is the playable card just drawn. `bluff`: a
    Wild Draw Four played now would be illegal. `shown` is the seat and the hand that a challenge showed,
    until that turn ends.
    """

    seat: int
    hand: tuple[int, ...]
    answers: tuple[Action, ...]
    drawn: int | None
    bluff: bool
    may_say_uno: bool
    called: bool
    shown: tuple[int, tuple[int, ...]] | None

    @property
    def my_turn(self) -> bool:
        """Whether the table waits for this seat."""
        return self.turn == self.seat


def _table(match: Match) -> dict[str, Any]:
    game = match.game
    return {
        "decision": game.decision,
        "hand_no": match.hand_no,
        "length": match.length,
        "rules": match.rules,
        "awaiting": match.awaiting,
        "turn": None if game.turn == NO_SEAT else game.turn,
        "direction": game.direction,
        "colour": None if game.colour == NO_COLOUR else game.colour,
        "discard": tuple(game.discard[::-1]),
        "draw_count": len(game.draw),
        "due": game.due,
        "wild_four_by": None if game.wild_four is None else game.wild_four.seat,
        "wild_four_on": None if game.wild_four is None else game.wild_four.colour,
        "swap": game.swap,
        "dealer": game.dealer,
        "seats": tuple(_seat_info(match, seat) for seat in range(len(game.out))),
        "end": game.end,
        "hand_winner": None if game.winner == NO_SEAT else game.winner,
        "points": game.points,
        "remaining": game.remaining,
        "winners": match.winners,
    }


def _seat_info(match: Match, seat: int) -> SeatInfo:
    game = match.game
    return SeatInfo(
        seat=seat,
        cards=len(game.hands[seat]),
        score=match.scores[seat],
        said=game.said[seat] or game.called == seat,
        owes=game.owed == seat,
        autopilot=game.on_autopilot(seat),
        left=game.out[seat],
    )


def _place(answer: Action) -> tuple[int, int]:
    """Put plays first, by card and colour, and leave the rest as they are."""
    return (answer.card, answer.colour or 0) if isinstance(answer, Play) else (FACES, 0)


def table_view(match: Match) -> TableView:
    """Show a match as everybody may see it."""
    return TableView(**_table(match))


def seat_view(match: Match, seat: int) -> SeatView:
    """Show a match as one seat may see it."""
    game = match.game
    hand = game.hands[seat]
    shown = game.shown
    return SeatView(
        **_table(match),
        seat=seat,
        hand=tuple(sorted(hand)),
        answers=tuple(sorted(match.legal_actions(seat), key=_place)),
        drawn=game.drawn if game.drawn != NO_CARD and game.turn == seat else None,
        bluff=WILD_FOUR in hand and is_bluff(hand, game.colour),
        may_say_uno=game.may_say_uno(seat),
        called=game.called == seat,
        shown=(shown.other, shown.cards) if shown is not None and shown.seat == seat else None,
    )
