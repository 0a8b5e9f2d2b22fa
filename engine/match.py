"""A match: its hands, its tally, and who wins it when (docs/rules.md, The deal; Points; Winning the match).

Holds the hand in play; actions and questions go through the match.
"""

from __future__ import annotations

from collections.abc import Sequence

from engine.actions import DEAL, MOST_SEATS, Action, Deal
from engine.apply import apply
from engine.awaiting import NO_SEAT, OVER, Awaiting
from engine.chance import first_dealer
from engine.dealing import deal
from engine.errors import IllegalAction, Reason
from engine.events import End, Event, MatchEnded
from engine.game import Game
from engine.invariants import broken
from engine.rules import ONE_HAND, Length, RuleSet


class Match:
    """A match from its first deal to its winners; seats are 0 to n - 1, clockwise."""

    __slots__ = (
        "game",
        "hand_no",
        "hand_seeds",
        "length",
        "rules",
        "scores",
        "seed",
        "start_scores",
        "winners",
    )

    def __init__(
        self,
        seats: int,
        rules: RuleSet = RuleSet(),  # noqa: B008  # frozen
        length: Length = ONE_HAND,
        seed: str = "0",
        hand_seeds: Sequence[str] = (),
    ) -> None:
        """Seat the players; nothing is dealt before `begin`."""
        self.rules = rules
        self.length = length
        self.seed = seed
        self.hand_seeds = list(hand_seeds)
        self.hand_no = 1
        self.scores = [0] * seats
        self.start_scores = [0] * seats
        self.winners: tuple[int, ...] | None = None
        self.game = Game(rules, self.hand_seed(1), 0, [False] * seats, [0] * seats)

    def begin(self, dealer: int | None = None, pile: Sequence[int] | None = None) -> list[Event]:
        """Deal the first hand; the dealer is drawn by lot unless named. `pile`: see `dealing.deal`."""
        if dealer is None:
            dealer = first_dealer(self.seed, len(self.scores))
        events: list[Event] = []
        self._deal(dealer, pile, events)
        return events

    def clone(self) -> Match:
        """Copy the match so that neither copy can change the other."""
        copy: Match = Match.__new__(Match)
        copy.rules = self.rules
        copy.length = self.length
        copy.seed = self.seed
        copy.hand_seeds = self.hand_seeds[:]
        copy.hand_no = self.hand_no
        copy.scores = self.scores[:]
        copy.start_scores = self.start_scores[:]
        copy.winners = self.winners
        copy.game = self.game.clone()
        return copy

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Match) and all(
            getattr(self, name) == getattr(other, name) for name in Match.__slots__
        )

    __hash__ = None  # type: ignore[assignment]  # a match changes, so it is no key

    # --- reading it

    @property
    def awaiting(self) -> Awaiting:
        """What the table waits for, `DEAL` between two hands."""
        if self.game.awaiting is not OVER:
            return self.game.awaiting
        return Awaiting.DEAL if self.winners is None else OVER

    @property
    def turn(self) -> int:
        """The seat waited for, `NO_SEAT` between hands and at the end."""
        return self.game.turn

    @property
    def decision(self) -> int:
        """The running number of the decision awaited, over all hands of the match."""
        return self.game.decision

    def hand_seed(self, hand_no: int) -> str:
        """Return the text of a hand's seed (docs/scenarios.md, Chance)."""
        if hand_no <= len(self.hand_seeds):
            return self.hand_seeds[hand_no - 1]
        return f"{self.seed}/{hand_no}"

    def everybody_played(self) -> bool:
        """Whether every player has had a turn; from then on leaving is a loss (docs/rules.md, Forfeits)."""
        game = self.game
        finished = self.hand_no > 1 or game.end in (End.WON, End.BLOCKED)
        return finished or all(game.acted >> seat & 1 for seat in game.seated())

    def legal_actions(self, seat: int | None = None) -> list[Action]:
        """Return the answers of a seat (see `Game.legal_actions`); between two hands any player may deal."""
        game = self.game
        if game.awaiting is not OVER:
            return game.legal_actions(seat)
        return [DEAL] if self.winners is None and (seat is None or not game.out[seat]) else []

    # --- between two hands

    def add_seat(self) -> int:
        """Seat a newcomer behind the last, with no points, and return the seat (docs/rules.md, Coming later).

        Raises IllegalAction except between two hands, and ValueError if the match has had ten seats, those of
        players who left included.
        """
        if self.awaiting is not Awaiting.DEAL:
            raise IllegalAction(Reason.MATCH_OVER if self.winners is not None else Reason.NOT_NOW)
        if len(self.scores) >= MOST_SEATS:
            raise ValueError("all ten seats have been taken")
        game = self.game
        game.out.append(False)
        game.hands.append([])
        game.said.append(False)
        game.streak.append(0)
        game.remaining += ((),)
        self.scores.append(0)
        self.start_scores.append(0)
        return len(self.scores) - 1

    def hand_over(self, seat: int) -> None:
        """Let another player take over a seat (docs/rules.md, Handing over a seat).

        The row of time-outs ends. Raises IllegalAction except between two hands, and if the seat has left.
        """
        if self.game.out[seat]:
            raise IllegalAction(Reason.LEFT)
        if self.awaiting is not Awaiting.DEAL:
            raise IllegalAction(Reason.MATCH_OVER if self.winners is not None else Reason.NOT_NOW)
        self.game.streak[seat] = 0

    # --- playing it

    def apply(self, seat: int, action: Action, auto: bool = False) -> list[Event]:
        """Carry out one action of a seat and return what happened; a refused one changes nothing.

        `auto`: see `engine.apply`. Raises IllegalAction.
        """
        game = self.game
        was_over = game.awaiting is OVER
        try:
            if self.winners is not None:
                raise IllegalAction(Reason.MATCH_OVER)
            if type(action) is Deal:
                return self._next_hand(seat, auto)
            events = apply(game, seat, action, auto)
        except IllegalAction as refused:
            refused.seat, refused.action = seat, action
            refused.awaiting, refused.decision = self.awaiting, self.decision
            raise
        if game.awaiting is OVER:
            if not was_over:
                self._count_hand()
            self._end_if_over(events, now=not was_over)
        return events

    def _next_hand(self, seat: int, auto: bool) -> list[Event]:
        if self.game.out[seat]:
            raise IllegalAction(Reason.LEFT)
        if self.awaiting is not Awaiting.DEAL:
            raise IllegalAction(Reason.NOT_NOW)
        events: list[Event] = []
        if not auto:
            self.game.wake(seat, events)
        self.hand_no += 1
        dealer = self.game.dealer
        seats = len(self.scores)
        dealer = next(
            d % seats for d in range(dealer + 1, dealer + 1 + seats) if not self.game.out[d % seats]
        )
        self._deal(dealer, None, events)
        return events

    def _deal(self, dealer: int, pile: Sequence[int] | None, events: list[Event]) -> None:
        decision = self.game.decision
        self.start_scores = self.scores[:]
        self.game = Game(self.rules, self.hand_seed(self.hand_no), dealer, self.game.out, self.game.streak)
        deal(self.game, self.hand_no, pile, events)
        self.game.decision = decision + 1

    def _count_hand(self) -> None:
        if self.game.winner != NO_SEAT:
            self.scores[self.game.winner] += self.game.points

    def _end_if_over(self, events: list[Event], *, now: bool) -> None:
        """End the match if it is over; `now`: its hand ended by this very action."""
        game = self.game
        seated = game.seated()
        winners: list[int] | None = None
        if now and game.end is not End.ABANDONED and self._was_last_hand():
            winners = self._winners_by_points(seated)
        if not winners and len(seated) == 1:
            winners = seated
        if winners is not None:
            self.winners = tuple(winners)
            events.append(MatchEnded(self.winners))

    def _was_last_hand(self) -> bool:
        if self.length.target is not None:
            return self.game.winner != NO_SEAT and self.scores[self.game.winner] >= self.length.target
        assert self.length.hands is not None
        return self.hand_no >= self.length.hands

    def _winners_by_points(self, seated: list[int]) -> list[int]:
        winner = self.game.winner
        if self.length.target is not None or self.length.hands == 1:
            return [] if winner == NO_SEAT else [winner]
        # A winner who left while aiming a last Green Shell was seated when the hand ended.
        able = [seat for seat in range(len(self.scores)) if seat in seated or seat == winner]
        most = max(self.scores[seat] for seat in able)
        return [seat for seat in able if self.scores[seat] == most] if most else []

    def invariants(self) -> list[str]:
        """Return in words what is wrong with a match, nothing if it is sound."""
        wrong = broken(self.game)
        if (self.winners is not None) and self.game.awaiting is not OVER:
            wrong.append("the match is over and its hand is not")
        gained = sum(self.scores) - sum(self.start_scores)
        if gained != (self.game.points if self.game.end is End.WON else 0):
            wrong.append("the tally is not the points scored")
        return wrong
