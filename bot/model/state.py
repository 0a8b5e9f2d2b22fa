"""All that is known of one table, as it is between two clicks; and its saved form.

Seats are numbers here as in the engine; who sits where stands beside them in `people`. Knows the engine, not
the store and not discord.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from bot.model.ending import Ending
from bot.model.options import Options, read_options
from engine.actions import MOST_SEATS
from engine.awaiting import Awaiting
from engine.codec import decode, decode_event, encode, encode_event
from engine.errors import BadInput
from engine.events import Event
from engine.match import Match

#: Events kept for the table's last lines.
RECENT: Final = 12
#: The form of `snapshot`.
SCHEMA: Final = 2
#: Stands before the name of a computer player.
COMPUTER_MARK: Final = "🤖"
#: Stands for a time before anything happened.
LONG_AGO: Final = datetime(2000, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Person:
    """Who sits in a seat, and what they are called on this server.

    A computer player has no `user_id`; `cpu` is its policy.
    """

    user_id: int | None
    name: str
    cpu: str | None = None

    @property
    def shown(self) -> str:
        """The name as everybody reads it: that of a computer player has a mark."""
        return self.name if self.cpu is None else f"{COMPUTER_MARK} {self.name}"


@dataclass(slots=True)
class State:
    """A table's state; a change works on a clone, which takes its place once it is saved.

    `host` is a seat. `invited` are those who may join where only those may. `again` are those who sat at the
    table `again_of`, by seat, where its match is played again. `learning` are the users who had never
    finished a match when they came. `recent` are the last events, public fields only. `played_at` is when the
    last card was laid, `failed` the seats that have had their failed catch since the last turn action. `head`
    is the scenario of the hand in play without its moves, of which `moves` have been logged. `gone` says of
    each seat that left whether it counts as lost, `removed` are the seats that others took out, and `heirs`
    has for each host that left the seat that became host. `barred` are the users who were removed from the
    lobby or from waiting, and do not come back. `removers` are the users at the table who removed somebody at
    once in this match, `hand_removers` those who did in this hand: what they win ranks for nobody.
    `host_seen_at` is when the host last pressed anything in the lobby. `ended`: None while the table lives.

    Times: `acted_at` is when a person last did something that counted, `clock_at` since when the decision
    awaited has its full time, `began_at` since when it stands as it does, `paused_at` since when the clock is
    stopped. `nudged` is the last decision somebody was nudged for, `woken` the seats on autopilot whose
    people are back, so that no computer plays for them. `votes` has for each seat the seats that voted to
    remove it. People behind the last seat of the match are newcomers, who
    get theirs at the next deal; `successors` then take over somebody's seat with its points. `offers` has
    for each seat the person to whom it was offered, until they take it, and `offered` how often it was
    offered in this hand.
    """

    people: list[Person]
    host: int = 0
    options: Options = field(default_factory=Options)
    invited: tuple[Person, ...] = ()
    again_of: int | None = None
    again: tuple[Person, ...] = ()
    learning: frozenset[int] = frozenset()
    match: Match | None = None
    recent: tuple[Event, ...] = ()
    played_at: datetime | None = None
    failed: frozenset[int] = frozenset()
    head: dict[str, Any] | None = None
    moves: int = 0
    hands_won: tuple[int, ...] = ()
    gone: dict[int, bool] = field(default_factory=dict)
    removed: frozenset[int] = frozenset()
    barred: frozenset[int] = frozenset()
    removers: frozenset[int] = frozenset()
    hand_removers: frozenset[int] = frozenset()
    host_seen_at: datetime = LONG_AGO
    heirs: dict[int, int] = field(default_factory=dict)
    ended: Ending | None = None
    acted_at: datetime = LONG_AGO
    clock_at: datetime = LONG_AGO
    began_at: datetime = LONG_AGO
    paused_at: datetime | None = None
    nudged: int = -1
    woken: frozenset[int] = frozenset()
    votes: dict[int, frozenset[int]] = field(default_factory=dict)
    successors: dict[int, Person] = field(default_factory=dict)
    offers: dict[int, Person] = field(default_factory=dict)
    offered: dict[int, int] = field(default_factory=dict)
    version: int = 0

    def clone(self) -> State:
        """Copy the state so that neither copy can change the other."""
        match = None if self.match is None else self.match.clone()
        return replace(
            self,
            people=self.people[:],
            match=match,
            gone=dict(self.gone),
            heirs=dict(self.heirs),
            votes=dict(self.votes),
            successors=dict(self.successors),
            offers=dict(self.offers),
            offered=dict(self.offered),
        )

    @property
    def playing(self) -> bool:
        """Whether a match is on, a pause between two hands included."""
        return self.match is not None and self.ended is None

    @property
    def names(self) -> tuple[str, ...]:
        """The names by seat, as everybody reads them."""
        return tuple(person.shown for person in self.people)

    def seat_of(self, user_id: int) -> int | None:
        """Find the seat of a person who has not left."""
        for seat, person in enumerate(self.people):
            if person.user_id == user_id and (self.match is None or self.is_seated(seat)):
                return seat
        return None

    def is_seated(self, seat: int) -> bool:
        """Tell whether a seat plays in the match: it was dealt in, and has not left."""
        return self.match is not None and seat < len(self.match.scores) and not self.match.game.out[seat]

    @property
    def seated_people(self) -> dict[int, int]:
        """The user id of each person dealt in who has not left, by seat; computer players have none."""
        return {
            seat: person.user_id
            for seat, person in enumerate(self.people)
            if person.user_id is not None and self.is_seated(seat)
        }

    @property
    def seated_computers(self) -> list[int]:
        """The seats of the computer players, in a match those that have not left."""
        return [
            seat
            for seat, person in enumerate(self.people)
            if person.cpu is not None and (self.match is None or self.is_seated(seat))
        ]

    @property
    def newcomers(self) -> list[Person]:
        """The people who wait for a seat behind the last at the next deal."""
        return [] if self.match is None else self.people[len(self.match.scores) :]

    def may_come(self, user_id: int) -> bool:
        """Tell whether somebody may join as far as invitations go."""
        known = (*self.invited, *self.again)
        return not self.options.invite_only or any(person.user_id == user_id for person in known)

    @property
    def absent(self) -> list[Person]:
        """Who is expected in this lobby and not there yet: the people of the match that is played again."""
        here = {person.user_id for person in self.people}
        return [person for person in self.again if person.cpu is None and person.user_id not in here]

    def place_of(self, user_id: int) -> int:
        """Find the seat that somebody takes in this lobby: their old one among the others, or the last."""
        old = {_who(person): seat for seat, person in enumerate(self.again)}
        mine = old.get((user_id, None))
        if mine is None:
            return len(self.people)
        later = (seat for seat, person in enumerate(self.people) if old.get(_who(person), mine + 1) > mine)
        return next(later, len(self.people))

    def has_room(self) -> bool:
        """Tell whether one more may join: to a free seat, or in the place of a computer player."""
        return self.has_free_seat() or self.replaceable() is not None

    def has_free_seat(self) -> bool:
        """Tell whether a seat is free: those who left take none of those agreed on, but one of ten."""
        playing = [seat for seat in range(len(self.people)) if seat not in self.gone]
        return len(playing) < self.options.seats and len(self.people) < MOST_SEATS

    def replaceable(self) -> int | None:
        """Find the computer player whose seat the next newcomer takes: fewest points, then the later seat."""
        scores = [0] * len(self.people) if self.match is None else self.match.scores
        seats = [seat for seat in self.seated_computers if seat not in self.successors]
        return min(seats, key=lambda seat: (scores[seat], -seat), default=None)

    def withdraw_offers_to(self, user_id: int) -> None:
        """Take back what was offered to somebody who has a seat now."""
        self.offers = {seat: person for seat, person in self.offers.items() if person.user_id != user_id}

    def is_waiting(self, user_id: int) -> bool:
        """Tell whether a person waits for the next deal, for a seat behind the last or for somebody's."""
        return any(person.user_id == user_id for person in (*self.newcomers, *self.successors.values()))

    @property
    def another_hand(self) -> bool:
        """Whether another hand of the match may follow the one in play."""
        match = self.match
        if match is None or match.awaiting is Awaiting.OVER:
            return False
        return match.length.hands is None or match.hand_no < match.length.hands

    def shift(self, by: timedelta) -> None:
        """Move on every time that something is due by."""
        self.acted_at += by
        self.clock_at += by
        self.began_at += by
        self.host_seen_at += by
        if self.paused_at is not None:
            self.paused_at += by

    def voters(self, seat: int) -> list[int]:
        """Return the seats whose people may vote to remove a seat: all other people at the table."""
        return [other for other in self.seated_people if other != seat]

    def votes_needed(self, seat: int) -> int:
        """Return how many votes remove a seat: more than half of the other people, and at least two."""
        return max(2, len(self.voters(seat)) // 2 + 1)

    def voted_out(self) -> int | None:
        """Return the first seat that there are enough votes to remove, None where there is none."""
        for seat in self.seated_people:
            if len(self.votes.get(seat, frozenset()).intersection(self.voters(seat))) >= self.votes_needed(
                seat
            ):
                return seat
        return None

    def is_away(self, seat: int) -> bool:
        """Whether a person is on autopilot and has not pressed anything since."""
        return self.people[seat].cpu is None and self.computer_plays(seat)

    def computer_plays(self, seat: int) -> bool:
        """Tell whether the computer answers for a seat: its own, or on autopilot and nobody back."""
        if self.people[seat].cpu is not None:
            return True
        return self.match is not None and self.match.game.on_autopilot(seat) and seat not in self.woken

    def remember(self, events: list[Event]) -> None:
        """Keep the last events for the table to tell."""
        self.recent = (*self.recent, *events)[-RECENT:]

    @property
    def awaiting(self) -> Awaiting | None:
        """What the match waits for, None in a lobby."""
        return None if self.match is None else self.match.awaiting


def _who(person: Person) -> tuple[int | None, str | None]:
    """Tell a person by the user id, which stays, and a computer player by its name."""
    return person.user_id, None if person.cpu is None else person.name


def snapshot(state: State) -> dict[str, Any]:
    """Write a state as a JSON object; the people are saved beside it, seat by seat."""
    return {
        "schema": SCHEMA,
        "host": state.host,
        "terms": state.options.written(),
        "invited": [[person.user_id, person.name] for person in state.invited],
        "again_of": state.again_of,
        "again": [[person.user_id, person.name, person.cpu] for person in state.again],
        "learning": sorted(state.learning),
        "match": None if state.match is None else encode(state.match),
        "recent": [encode_event(event) for event in state.recent],
        "played_at": None if state.played_at is None else state.played_at.isoformat(),
        "failed": sorted(state.failed),
        "head": state.head,
        "moves": state.moves,
        "hands_won": list(state.hands_won),
        "gone": {str(seat): counts for seat, counts in state.gone.items()},
        "removed": sorted(state.removed),
        "barred": sorted(state.barred),
        "removers": sorted(state.removers),
        "hand_removers": sorted(state.hand_removers),
        "host_seen_at": state.host_seen_at.isoformat(),
        "heirs": {str(seat): heir for seat, heir in state.heirs.items()},
        "ended": state.ended,
        "acted_at": state.acted_at.isoformat(),
        "clock_at": state.clock_at.isoformat(),
        "began_at": state.began_at.isoformat(),
        "paused_at": None if state.paused_at is None else state.paused_at.isoformat(),
        "nudged": state.nudged,
        "woken": sorted(state.woken),
        "votes": {str(seat): sorted(voters) for seat, voters in state.votes.items()},
        "successors": _write_people(state.successors),
        "offers": _write_people(state.offers),
        "offered": {str(seat): often for seat, often in state.offered.items()},
    }


def _write_people(people: dict[int, Person]) -> dict[str, Any]:
    return {str(seat): [person.user_id, person.name] for seat, person in people.items()}


def _read_people(saved: dict[str, Any]) -> dict[int, Person]:
    return {int(seat): Person(user_id, name) for seat, (user_id, name) in saved.items()}


def _time(text: str | None) -> datetime | None:
    return None if text is None else datetime.fromisoformat(text)


def _options_of_old(saved: dict[str, Any]) -> dict[str, Any]:
    return {name: saved[name] for name in ("rules", "length", "turn_time", "locale")}


def restore(saved: Any, people: list[Person], version: int) -> State:
    """Read a state that `snapshot` wrote; raises BadInput for anything else."""
    try:
        if saved["schema"] not in (1, SCHEMA):
            raise BadInput("schema", f"{saved['schema']!r} is not known")
        state = State(
            people=people,
            host=saved["host"],
            # The first form had the terms among the rest.
            options=read_options(saved["terms"] if saved["schema"] == SCHEMA else _options_of_old(saved)),
            invited=tuple(Person(user_id, name) for user_id, name in saved.get("invited", ())),
            again_of=saved.get("again_of"),
            again=tuple(Person(*person) for person in saved.get("again", ())),
            learning=frozenset(saved.get("learning", ())),
            match=None if saved["match"] is None else decode(saved["match"]),
            recent=tuple(decode_event(event) for event in saved["recent"]),
            played_at=_time(saved["played_at"]),
            failed=frozenset(saved["failed"]),
            head=saved["head"],
            moves=saved["moves"],
            hands_won=tuple(saved["hands_won"]),
            gone={int(seat): counts for seat, counts in saved["gone"].items()},
            removed=frozenset(saved.get("removed", ())),
            barred=frozenset(saved.get("barred", ())),
            removers=frozenset(saved.get("removers", ())),
            hand_removers=frozenset(saved.get("hand_removers", ())),
            host_seen_at=datetime.fromisoformat(saved.get("host_seen_at", saved["acted_at"])),
            heirs={int(seat): heir for seat, heir in saved.get("heirs", {}).items()},
            ended=None if saved["ended"] is None else Ending(saved["ended"]),
            acted_at=datetime.fromisoformat(saved["acted_at"]),
            clock_at=datetime.fromisoformat(saved["clock_at"]),
            began_at=datetime.fromisoformat(saved["began_at"]),
            paused_at=_time(saved["paused_at"]),
            nudged=saved["nudged"],
            woken=frozenset(saved["woken"]),
            votes={int(seat): frozenset(voters) for seat, voters in saved["votes"].items()},
            successors=_read_people(saved.get("successors", {})),
            offers=_read_people(saved.get("offers", {})),
            offered={int(seat): often for seat, often in saved.get("offered", {}).items()},
            version=version,
        )
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise BadInput("table", f"cannot be read: {error!r}") from error
    if state.match is not None and len(state.match.scores) > len(people):
        raise BadInput("table", "has fewer people than seats")
    if state.ended is None and state.host not in range(len(people)):
        raise BadInput("table", "has no host")
    return state
