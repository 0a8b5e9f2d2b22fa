"""All that is known of one table between two clicks. Knows the engine, not the store and not discord."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from bot.model.ending import Ending
from bot.model.options import Options
from bot.model.seating import Person, Removals, Seating
from engine.actions import MOST_SEATS
from engine.awaiting import Awaiting
from engine.events import (
    CardPlayed,
    CardsDrawn,
    ChallengeMade,
    Event,
    HandsPassedOn,
    HandsSwapped,
    TargetChosen,
    TimedOut,
    TurnSkipped,
    UnoCaught,
    public,
)
from engine.match import Match

#: Events kept for the table's last lines: a last Wild Item Box among ten players makes seventeen.
RECENT: Final = 20
#: Events kept for each seat of what touched it since its last turn.
TOUCHES: Final = 10
#: Stands for a time before anything happened.
LONG_AGO: Final = datetime(2000, 1, 1, tzinfo=UTC)


@dataclass(slots=True)
class Clock:
    """Since when a table stands as it does, and what its deadlines are counted from."""

    #: When a person last did something that counted.
    acted_at: datetime = LONG_AGO
    #: When the host last pressed anything in the lobby.
    host_seen_at: datetime = LONG_AGO
    #: Since when the table stands as it does.
    began_at: datetime = LONG_AGO
    #: Since when the decision awaited has its full time.
    full_at: datetime = LONG_AGO
    #: Since when the clock is stopped, None while it runs.
    paused_at: datetime | None = None
    #: When the last card was laid.
    played_at: datetime | None = None
    #: When a Wild Item Box turned over its card, or its Green Shell hit; None once somebody has gone on.
    item_at: datetime | None = None
    #: The last decision somebody was nudged for.
    nudged: int = -1

    def shift(self, by: timedelta) -> None:
        """Move on every time that something is due by."""
        self.acted_at += by
        self.host_seen_at += by
        self.began_at += by
        self.full_at += by
        if self.paused_at is not None:
            self.paused_at += by
        if self.item_at is not None:
            self.item_at += by


@dataclass(slots=True)
class HandLog:
    """What the hand in play was made from, and what everybody saw of it last."""

    #: The scenario of the hand without its moves (docs/scenarios.md, Input).
    head: dict[str, Any] | None = None
    #: How many of its moves have been logged.
    moves: int = 0
    #: The last events, public fields only.
    recent: tuple[Event, ...] = ()
    #: The seats that have had their failed catch since the last turn action.
    failed: frozenset[int] = frozenset()

    #: What touched each person's seat since its last turn, with what did it; public fields only.
    touched: dict[int, tuple[Event, ...]] = field(default_factory=dict)

    def touch(self, seat: int, events: list[Event], people: Iterable[int], *, auto: bool) -> None:
        """Note whom the events of one action of a seat touched; what it did itself begins its list again."""
        touched = dict(self.touched) if auto else {**self.touched, seat: ()}
        for other in people:
            if (other != seat or auto) and (met := touching(events, other)):
                touched[other] = (*touched.get(other, ()), *met)[-TOUCHES:]
        self.touched = {seat: met for seat, met in touched.items() if met}

    def remember(self, events: list[Event]) -> None:
        """Keep the last events for the table to tell."""
        self.recent = (*self.recent, *events)[-RECENT:]


def touching(events: list[Event], seat: int) -> list[Event]:
    """Return the events of one action that touched a seat, each after what caused it; public fields only."""
    found: list[Event] = []
    causes: list[Event] = []
    for event in map(public, events):
        mine = isinstance(event, CardPlayed | CardsDrawn | TurnSkipped | TimedOut) and event.seat == seat
        mine = mine or isinstance(event, HandsPassedOn)
        mine = mine or (isinstance(event, UnoCaught) and event.seat == seat)
        mine = mine or (isinstance(event, HandsSwapped | ChallengeMade) and seat in (event.seat, event.other))
        if mine:
            found += [*causes, event]
            causes = []
        elif isinstance(event, CardPlayed | TargetChosen):
            causes.append(event)
    return found


@dataclass(slots=True)
class State:
    """A table's state; a change works on a clone, which takes its place once it is saved."""

    seating: Seating
    options: Options = field(default_factory=Options)
    match: Match | None = None
    #: The hands of the match that each seat has won.
    hands_won: tuple[int, ...] = ()
    log: HandLog = field(default_factory=HandLog)
    clock: Clock = field(default_factory=Clock)
    removals: Removals = field(default_factory=Removals)
    #: None while the table lives.
    ended: Ending | None = None
    #: The raw name of whoever ended it, "" where nobody did.
    ended_by: str = ""
    version: int = 0

    def clone(self) -> State:
        """Copy the state so that neither copy can change the other."""
        return replace(
            self,
            seating=self.seating.clone(),
            match=None if self.match is None else self.match.clone(),
            log=replace(self.log),
            clock=replace(self.clock),
            removals=self.removals.clone(),
        )

    @property
    def playing(self) -> bool:
        """Whether a match is on, a pause between two hands included."""
        return self.match is not None and self.ended is None

    def seat_of(self, user_id: int) -> int | None:
        """Return the seat of a person who has not left."""
        for seat, person in enumerate(self.seating.people):
            if person.user_id == user_id and (self.match is None or self.is_seated(seat)):
                return seat
        return None

    @property
    def host_name(self) -> str:
        """The raw name of the host."""
        return self.seating.people[self.seating.host].name

    def is_seated(self, seat: int) -> bool:
        """Whether a seat plays in the match: it was dealt in, and has not left."""
        return self.match is not None and seat < len(self.match.scores) and not self.match.game.out[seat]

    @property
    def host_id(self) -> int | None:
        """The user id of the host; None once nobody is left."""
        people = self.seating.people
        return people[self.seating.host].user_id if self.seating.host < len(people) else None

    @property
    def seated_people(self) -> dict[int, int]:
        """The user id of each person dealt in who has not left, by seat; computer players have none."""
        return {
            seat: person.user_id
            for seat, person in enumerate(self.seating.people)
            if person.user_id is not None and self.is_seated(seat)
        }

    @property
    def seated_computers(self) -> list[int]:
        """The seats of the computer players, in a match those that have not left."""
        return [
            seat
            for seat, person in enumerate(self.seating.people)
            if person.cpu is not None and (self.match is None or self.is_seated(seat))
        ]

    @property
    def newcomers(self) -> list[Person]:
        """The people who wait for a seat behind the last at the next deal."""
        return [] if self.match is None else self.seating.people[len(self.match.scores) :]

    def may_come(self, user_id: int) -> bool:
        """Whether somebody may join as far as invitations go (docs/rules.md, Invitations; Rematch)."""
        if user_id in self.seating.again_removed:
            return self.seating.is_invited(user_id)
        return not self.options.invite_only or self.seating.is_expected(user_id)

    def has_room(self) -> bool:
        """Whether one more may join: to a free seat, or in the place of a computer player."""
        return self.has_free_seat() or self.replaceable() is not None

    def has_free_seat(self) -> bool:
        """Whether a seat is free: those who left take none of those agreed on, but one of ten."""
        playing = [seat for seat in range(len(self.seating.people)) if seat not in self.seating.gone]
        return len(playing) < self.options.seats and len(self.seating.people) < MOST_SEATS

    def replaceable(self) -> int | None:
        """Return the computer player whose seat the next newcomer takes: fewest points, then latest."""
        scores = [0] * len(self.seating.people) if self.match is None else self.match.scores
        seats = [seat for seat in self.seated_computers if seat not in self.seating.successors]
        return min(seats, key=lambda seat: (scores[seat], -seat), default=None)

    def is_waiting(self, user_id: int) -> bool:
        """Whether a person waits for the next deal, for a seat behind the last or for somebody's."""
        return any(
            person.user_id == user_id for person in (*self.newcomers, *self.seating.successors.values())
        )

    @property
    def another_hand(self) -> bool:
        """Whether another hand of the match may follow the one in play."""
        match = self.match
        if match is None or match.awaiting is Awaiting.OVER:
            return False
        return match.length.hands is None or match.hand_no < match.length.hands

    def voters(self, seat: int) -> list[int]:
        """Return the seats whose people may vote to remove a seat: all other people at the table."""
        return [other for other in self.seated_people if other != seat]

    def votes_needed(self, seat: int) -> int:
        """Return how many votes remove a seat: more than half of the other people, and at least two."""
        return max(2, len(self.voters(seat)) // 2 + 1)

    def voted_out(self) -> int | None:
        """Return the first seat that there are enough votes to remove, None where there is none."""
        for seat in self.seated_people:
            votes = self.removals.votes.get(seat, frozenset())
            if len(votes.intersection(self.voters(seat))) >= self.votes_needed(seat):
                return seat
        return None

    def is_away(self, seat: int) -> bool:
        """Whether a person is on autopilot and has not pressed anything since."""
        return self.seating.people[seat].cpu is None and self.computer_plays(seat)

    def computer_plays(self, seat: int) -> bool:
        """Whether the computer answers for a seat: its own, or on autopilot and nobody back."""
        if self.seating.people[seat].cpu is not None:
            return True
        return (
            self.match is not None and self.match.game.on_autopilot(seat) and seat not in self.seating.woken
        )

    @property
    def awaiting(self) -> Awaiting | None:
        """What the match waits for, None in a lobby."""
        return None if self.match is None else self.match.awaiting
