"""The standings of a match to be shown around: a picture, and its words for whoever does not see it.

May import rules of the engine, options of the model, `bot.ui.kit`, `bot.ui.text`, and the summary from
`bot.ui.screens`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from bot.ui.kit.layout import fit
from bot.ui.kit.lettering import drawable
from bot.ui.kit.standings import Row, draw_standings
from bot.ui.screens.summary import ranked, who_won
from bot.ui.text.options import match_length
from bot.ui.text.translation import Players, Text
from engine.rules import ONE_HAND, Length

#: How many characters the words of a picture may have.
MOST_WORDS: Final = 1024


@dataclass(frozen=True, slots=True)
class Player:
    """How a player stands at the end of a match; `held` is what is left in hand where that is known."""

    name: str
    points: int
    won: bool
    left: bool
    held: int | None = None


@dataclass(frozen=True, slots=True)
class Standings:
    """The standings of a match in words, ready to be drawn."""

    title: str
    rows: tuple[Row, ...]
    footer: str

    @property
    def words(self) -> str:
        """What the picture says."""
        lines = [f"{row.rank} · {row.name} · {row.points}" for row in self.rows]
        return fit([self.title, *lines, self.footer], MOST_WORDS)

    def png(self) -> bytes:
        """Draw the picture; what has no letter in it is left out."""
        rows = [Row(row.rank, drawable(row.name) or "?", drawable(row.points), row.won) for row in self.rows]
        return draw_standings(drawable(self.title), rows, drawable(self.footer))


def standings(text: Text, length: Length, seats: Sequence[Player]) -> Standings:
    """Return the standings of a match, the best first."""
    names = Players(text, [player.name for player in seats])
    shown = {seat: names.plain(seat) for seat in range(len(seats))}

    def worse(seat: int) -> tuple[bool, bool, int]:
        player = seats[seat]
        points = player.held or 0 if length == ONE_HAND else -player.points
        return not player.won, player.left, points

    rows = tuple(
        Row(text.number(rank), shown[seat], _points(text, length, seats[seat]), seats[seat].won)
        for rank, seat in ranked(range(len(seats)), worse)
    )
    winners = [shown[seat] for seat, player in enumerate(seats) if player.won]
    return Standings(who_won(text, winners), rows, match_length(text, length))


def _points(text: Text, length: Length, player: Player) -> str:
    if player.left:
        return text.gettext("has left")
    if length == ONE_HAND and not player.won and player.held is not None:
        return text.ngettext("{number} point in hand", "{number} points in hand", player.held)
    return text.ngettext("{number} point", "{number} points", player.points)
