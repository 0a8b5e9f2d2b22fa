"""What one seat, or the table, may see of a match. Screens and computer players get views and nothing else.

Hidden information is default-deny: a view is filled with what is named here. All of it is numbers, names and
tuples of its own, so no view leads to a game, and none changes when the game goes on.

A computer player looks once and asks little, so a view has to be cheap to make. Its fields are filled by
plain assignment, which takes a tenth of the time of a frozen dataclass. What is seen of each seat is copied
as the game keeps it, a tuple for each kind of thing, and put together only when `seats` is asked for.
"""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass, field
from typing import Any, Self

from engine.actions import Action
from engine.awaiting import NO_SEAT, Awaiting
from engine.cards import NO_CARD, NO_COLOUR, WILD_FOUR
from engine.events import End
from engine.match import Match
from engine.rules import TIME_OUTS_TO_AUTOPILOT, Length, RuleSet, is_bluff


@dataclass(slots=True)
class SeatInfo:
    """What everybody sees of one seat; `said` and `owes` are about UNO, `score` is the tally of the match."""

    seat: int
    cards: int
    score: int
    said: bool
    owes: bool
    autopilot: bool
    left: bool


@dataclass(slots=True, init=False)
class TableView:
    """What everybody at the table sees.

    Seats and colours that are not there are None. `discard` is top first. `due` counts the cards that wait to
    be drawn or answered; `wild_four_by` is who may be challenged, `wild_four_on` the colour that was to match
    when they played. `swap` tells a target for a swap of hands from one for a Green Shell. `owed_by` is the
    seat that may be caught now. `cards` counts those of each seat. Once a hand is over, and not before,
    `remaining` has what is left in each hand, and `points` what it scored.
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
    end: End | None
    hand_winner: int | None
    points: int
    remaining: tuple[tuple[int, ...], ...]
    winners: tuple[int, ...] | None
    owed_by: int | None
    cards: tuple[int, ...]
    _scores: tuple[int, ...]
    _said: tuple[bool, ...]
    _called: int
    _streak: tuple[int, ...]
    _out: tuple[bool, ...]
    _seats: tuple[SeatInfo, ...] | None = field(compare=False, repr=False)

    def __init__(self, match: Match) -> None:
        game, wild_four = match.game, match.game.wild_four
        self.decision = game.decision
        self.hand_no = match.hand_no
        self.length = match.length
        self.rules = match.rules
        self.awaiting = match.awaiting
        self.turn = None if game.turn == NO_SEAT else game.turn
        self.direction = game.direction
        self.colour = None if game.colour == NO_COLOUR else game.colour
        self.discard = tuple(game.discard[::-1])
        self.draw_count = len(game.draw)
        self.due = game.due
        self.wild_four_by = None if wild_four is None else wild_four.seat
        self.wild_four_on = None if wild_four is None else wild_four.colour
        self.swap = game.swap
        self.dealer = game.dealer
        self.end = game.end
        self.hand_winner = None if game.winner == NO_SEAT else game.winner
        self.points = game.points
        self.remaining = game.remaining
        self.winners = match.winners
        self.owed_by = None if game.owed == NO_SEAT else game.owed
        self.cards = tuple(map(len, game.hands))
        self._scores = tuple(match.scores)
        self._said = tuple(game.said)
        self._called = game.called
        self._streak = tuple(game.streak)
        self._out = tuple(game.out)
        self._seats = None

    @property
    def seats(self) -> tuple[SeatInfo, ...]:
        """What everybody sees of each seat, in seat order."""
        if self._seats is None:
            self._seats = tuple(
                SeatInfo(
                    seat=seat,
                    cards=self.cards[seat],
                    score=self._scores[seat],
                    said=self._said[seat] or self._called == seat,
                    owes=self.owed_by == seat,
                    autopilot=self._streak[seat] >= TIME_OUTS_TO_AUTOPILOT and not left,
                    left=left,
                )
                for seat, left in enumerate(self._out)
            )
        return self._seats

    @property
    def top(self) -> int:
        """The top card of the discard pile."""
        return self.discard[0]

    def in_turn_order(self, seat: int) -> tuple[SeatInfo, ...]:
        """Return the other players in turn order, beginning after this seat."""
        n = len(self.seats)
        order = (self.seats[(seat + step * self.direction) % n] for step in range(1, n))
        return tuple(info for info in order if not info.left)

    def but(self, **changes: Any) -> Self:
        """Return a copy with these fields changed, to show a moment between two states of a match."""
        other = copy(self)
        for name, value in {**changes, "_seats": None}.items():
            setattr(other, name, value)
        return other


@dataclass(slots=True, init=False)
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

    def __init__(self, match: Match, seat: int) -> None:
        TableView.__init__(self, match)
        game = match.game
        hand, shown = game.hands[seat], game.shown
        self.seat = seat
        self.hand = tuple(sorted(hand))
        self.answers = tuple(match.legal_actions(seat))
        self.drawn = game.drawn if game.drawn != NO_CARD and game.turn == seat else None
        self.bluff = WILD_FOUR in hand and is_bluff(hand, game.colour)
        self.may_say_uno = game.may_say_uno(seat)
        self.called = game.called == seat
        self.shown = (shown.other, shown.cards) if shown is not None and shown.seat == seat else None

    @property
    def my_turn(self) -> bool:
        """Whether the table waits for this seat."""
        return self.turn == self.seat


def table_view(match: Match) -> TableView:
    """Return what everybody may see of a match."""
    return TableView(match)


def seat_view(match: Match, seat: int) -> SeatView:
    """Return what one seat may see of a match."""
    return SeatView(match, seat)
