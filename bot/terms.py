"""What a table is opened with, and its saved form. Pure: imports the engine's rules only."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any, Final

from engine.actions import MOST_SEATS
from engine.rules import ONE_HAND, Length, RuleSet

#: Time for a turn where nobody chose another, in seconds.
USUAL_TURN_TIME: Final = 60


@dataclass(frozen=True, slots=True)
class Terms:
    """What was agreed on for a table.

    `turn_time` is in seconds, None for no limit; `seats` is how many may play, `invite_only` whether only
    those join whom the host lets in. `calls_uno`: the bot says everybody's UNO for them, so that nobody can
    be caught. `locale` is the language of what everybody reads.
    """

    rules: RuleSet = field(default_factory=RuleSet)
    length: Length = ONE_HAND
    turn_time: int | None = USUAL_TURN_TIME
    seats: int = MOST_SEATS
    invite_only: bool = False
    calls_uno: bool = False
    locale: str = "en-US"

    def written(self) -> dict[str, Any]:
        """Write the terms as a JSON object."""
        return asdict(self) | {"rules": list(self.rules.names())}


def read_terms(saved: dict[str, Any]) -> Terms:
    """Read terms that `Terms.written` wrote; raises KeyError, TypeError or ValueError for anything else."""
    rules, length = RuleSet(**dict.fromkeys(saved["rules"], True)), Length(**saved["length"])
    return Terms(**(saved | {"rules": rules, "length": length}))
