"""All that is known of one table, as it is between two clicks; and its saved form.

Seats are numbers here as in the engine; who sits where stands beside them in `people`. Knows the engine, not
the store and not discord.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, field, replace
from datetime import datetime
from typing import Any, Final

from engine.awaiting import Awaiting
from engine.codec import decode, decode_event, encode, encode_event
from engine.errors import BadInput
from engine.events import Event
from engine.match import Match
from engine.rules import ONE_HAND, Length, RuleSet

#: Events kept for the table's last lines.
RECENT: Final = 12
#: The form of `snapshot`.
SCHEMA: Final = 1


@dataclass(frozen=True, slots=True)
class Person:
    """Who sits in a seat, and what they are called on this server."""

    user_id: int
    name: str


@dataclass(slots=True)
class State:
    """A table's state; a change works on a clone, which takes its place once it is saved.

    `host` is a seat. `locale` is the language of what everybody reads. `recent` are the last events, public
    fields only. `played_at` is when the last card was laid, `failed` the seats that have had their failed
    catch since the last turn action. `head` is the scenario of the hand in play without its moves, of which
    `moves` have been logged. `gone` says of each seat that left whether it counts as lost. `ended`: None
    while the table lives.
    """

    people: list[Person]
    host: int = 0
    rules: RuleSet = field(default_factory=RuleSet)
    length: Length = ONE_HAND
    locale: str = "en-US"
    match: Match | None = None
    recent: tuple[Event, ...] = ()
    played_at: datetime | None = None
    failed: frozenset[int] = frozenset()
    head: dict[str, Any] | None = None
    moves: int = 0
    hands_won: tuple[int, ...] = ()
    gone: dict[int, bool] = field(default_factory=dict)
    ended: str | None = None
    version: int = 0

    def clone(self) -> State:
        """Copy the state so that neither copy can change the other."""
        match = None if self.match is None else self.match.clone()
        return replace(self, people=self.people[:], match=match, gone=dict(self.gone))

    @property
    def playing(self) -> bool:
        """Whether a match is on, a pause between two hands included."""
        return self.match is not None and self.ended is None

    @property
    def names(self) -> tuple[str, ...]:
        """The people's names by seat."""
        return tuple(person.name for person in self.people)

    def seat_of(self, user_id: int) -> int | None:
        """Find the seat of somebody who has not left."""
        for seat, person in enumerate(self.people):
            if person.user_id == user_id and not (self.match is not None and self.match.game.out[seat]):
                return seat
        return None

    def remember(self, events: list[Event]) -> None:
        """Keep the last events for the table to tell."""
        self.recent = (*self.recent, *events)[-RECENT:]

    @property
    def awaiting(self) -> Awaiting | None:
        """What the match waits for, None in a lobby."""
        return None if self.match is None else self.match.awaiting


def snapshot(state: State) -> dict[str, Any]:
    """Write a state as a JSON object; the people are saved beside it, seat by seat."""
    return {
        "schema": SCHEMA,
        "host": state.host,
        "rules": list(state.rules.names()),
        "length": asdict(state.length),
        "locale": state.locale,
        "match": None if state.match is None else encode(state.match),
        "recent": [encode_event(event) for event in state.recent],
        "played_at": None if state.played_at is None else state.played_at.isoformat(),
        "failed": sorted(state.failed),
        "head": state.head,
        "moves": state.moves,
        "hands_won": list(state.hands_won),
        "gone": {str(seat): counts for seat, counts in state.gone.items()},
        "ended": state.ended,
    }


def restore(saved: Any, people: list[Person], version: int) -> State:
    """Read a state that `snapshot` wrote; raises BadInput for anything else."""
    try:
        if saved["schema"] != SCHEMA:
            raise BadInput("schema", f"{saved['schema']!r} is not known")
        played_at = saved["played_at"]
        state = State(
            people=people,
            host=saved["host"],
            rules=RuleSet(**dict.fromkeys(saved["rules"], True)),
            length=Length(**saved["length"]),
            locale=saved["locale"],
            match=None if saved["match"] is None else decode(saved["match"]),
            recent=tuple(decode_event(event) for event in saved["recent"]),
            played_at=None if played_at is None else datetime.fromisoformat(played_at),
            failed=frozenset(saved["failed"]),
            head=saved["head"],
            moves=saved["moves"],
            hands_won=tuple(saved["hands_won"]),
            gone={int(seat): counts for seat, counts in saved["gone"].items()},
            ended=saved["ended"],
            version=version,
        )
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise BadInput("table", f"cannot be read: {error!r}") from error
    if state.match is not None and len(state.match.scores) != len(people):
        raise BadInput("table", "has another number of people than seats")
    return state
