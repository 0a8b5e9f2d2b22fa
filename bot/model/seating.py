"""Who sits at a table, who follows whom, and who took whom out of a seat.

Seats are numbers here as in the engine. Knows neither the engine nor the store nor discord.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Final

#: Stands before the name of a computer player.
COMPUTER_MARK: Final = "🤖"


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


@dataclass(frozen=True, slots=True)
class MatchBefore:
    """A match that is played again: its table, who sat there, its host, and the users removed from it."""

    table: int
    people: tuple[Person, ...]
    host: int | None = None
    removed: frozenset[int] = frozenset()

    @property
    def expected(self) -> tuple[Person, ...]:
        """Who is expected in the rematch, by seat: nobody who was removed."""
        return tuple(person for person in self.people if person.user_id not in self.removed)


@dataclass(slots=True)
class Seating:
    """Who sits where, and who comes next.

    People behind the last seat of the match are newcomers, who get theirs at the next deal.
    """

    #: By seat.
    people: list[Person]
    #: The seat of the host.
    host: int = 0
    #: For each host that left, the seat that became host.
    heirs: dict[int, int] = field(default_factory=dict)
    #: Who may join where only those who are invited may.
    invited: tuple[Person, ...] = ()
    #: The table whose match is played again here, who is expected of those who sat there, by seat, and the
    #: users who were its host and who were removed from it.
    again_of: int | None = None
    again: tuple[Person, ...] = ()
    again_host: int | None = None
    again_removed: frozenset[int] = frozenset()
    #: The users who had never finished a match when they came.
    learning: frozenset[int] = frozenset()
    #: The seats on autopilot whose people are back, so that no computer plays for them.
    woken: frozenset[int] = frozenset()
    #: For each seat that left, whether that counts as lost.
    gone: dict[int, bool] = field(default_factory=dict)
    #: Who takes over a seat with its points at the next deal.
    successors: dict[int, Person] = field(default_factory=dict)
    #: For each seat the person to whom it was offered, until they take it.
    offers: dict[int, Person] = field(default_factory=dict)
    #: How often each seat was offered in this hand.
    offered: dict[int, int] = field(default_factory=dict)

    def clone(self) -> Seating:
        """Copy the seating so that neither copy can change the other."""
        return replace(
            self,
            people=self.people[:],
            heirs=dict(self.heirs),
            gone=dict(self.gone),
            successors=dict(self.successors),
            offers=dict(self.offers),
            offered=dict(self.offered),
        )

    @property
    def names(self) -> tuple[str, ...]:
        """The names by seat, as everybody reads them."""
        return tuple(person.shown for person in self.people)

    @property
    def absent(self) -> list[Person]:
        """Who is expected in this lobby and not there yet: the people of the match that is played again."""
        here = {person.user_id for person in self.people}
        return [person for person in self.again if person.cpu is None and person.user_id not in here]

    def is_invited(self, user_id: int) -> bool:
        """Whether somebody was invited."""
        return any(person.user_id == user_id for person in self.invited)

    def is_expected(self, user_id: int) -> bool:
        """Whether somebody was invited, or is expected from the match that is played again."""
        return self.is_invited(user_id) or any(person.user_id == user_id for person in self.again)

    def place_of(self, user_id: int) -> int:
        """Return the seat that somebody takes in this lobby: their old one among the others, or the last."""
        old = {_who(person): seat for seat, person in enumerate(self.again)}
        mine = old.get((user_id, None))
        if mine is None:
            return len(self.people)
        later = (seat for seat, person in enumerate(self.people) if old.get(_who(person), mine + 1) > mine)
        return next(later, len(self.people))

    def withdraw_offers_to(self, user_id: int) -> None:
        """Take back what was offered to somebody who has a seat now."""
        self.offers = {seat: person for seat, person in self.offers.items() if person.user_id != user_id}


@dataclass(slots=True)
class Removals:
    """Who was taken out of a seat by others, and who did it (docs/rules.md, Removing somebody)."""

    #: The seats that others took out of the match.
    seats: frozenset[int] = frozenset()
    #: The users who were removed from the lobby or from waiting, and do not come back.
    barred: frozenset[int] = frozenset()
    #: The users at the table who removed somebody at once in this match: what they win ranks for nobody.
    removers: frozenset[int] = frozenset()
    #: Those who did in this hand.
    hand_removers: frozenset[int] = frozenset()
    #: For each seat, the seats that voted to remove it.
    votes: dict[int, frozenset[int]] = field(default_factory=dict)

    def clone(self) -> Removals:
        """Copy the removals so that neither copy can change the other."""
        return replace(self, votes=dict(self.votes))


def _who(person: Person) -> tuple[int | None, str | None]:
    """Return what stays of a person: the user id, or the name of a computer player."""
    return person.user_id, None if person.cpu is None else person.name
