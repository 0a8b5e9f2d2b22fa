"""How much one person and one server may have at once, and invite. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from bot.model.errors import Problem, UserError

#: How long an invitation counts.
WINDOW: Final = timedelta(minutes=10)
#: How many people are remembered before those are forgotten whose invitations count no more.
_MANY: Final = 4096


@dataclass(frozen=True, slots=True)
class Limits:
    """How many tables a person may be host of and a server may have, and how many people a person invites."""

    tables_of_a_person: int = 3
    tables_of_a_server: int = 100
    #: In ten minutes.
    invitations: int = 30


USUAL: Final = Limits()


class Invitations:
    """Counts the people each person has invited in the last ten minutes: every one of them is pinged."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._made: dict[int, list[tuple[datetime, int]]] = {}

    def count(self, user_id: int, number: int, now: datetime) -> None:
        """Count so many people that somebody invites; raises UserError if they are too many."""
        lately = [(at, made) for at, made in self._made.get(user_id, ()) if now - at < WINDOW]
        if sum(made for _, made in lately) + number > self._most:
            raise UserError(Problem.INVITED_ENOUGH)
        if len(self._made) >= _MANY:
            self._made = {user: made for user, made in self._made.items() if now - made[-1][0] < WINDOW}
        self._made[user_id] = [*lately, (now, number)]
