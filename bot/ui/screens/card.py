"""A person's profile to be shown around: a picture, and its words for whoever does not see it.

May import `bot.tallies`, `bot.ui.kit`, `bot.ui.text`, and the statistics from `bot.ui.screens`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from bot.tallies.statistics import Statistics
from bot.ui.kit.card import draw_card
from bot.ui.kit.layout import fit
from bot.ui.kit.lettering import drawable
from bot.ui.screens.stats import Profile, achieved
from bot.ui.text.achievements import ACHIEVEMENTS
from bot.ui.text.translation import Text, plain_name

#: How many characters the words of a picture may have.
MOST_WORDS: Final = 1024


@dataclass(frozen=True, slots=True)
class Card:
    """A profile in words, ready to be drawn; `halfway` says how the line rises."""

    name: str
    figures: tuple[tuple[str, str], ...]
    plot: str
    halfway: str
    course: tuple[int, ...]
    footer: str
    achievements: tuple[str, ...]

    @property
    def words(self) -> str:
        """What the picture says."""
        figures = [f"{word}: {value}" for word, value in self.figures]
        plot = [line for line in (self.plot, self.halfway) if line]
        return fit([self.name, *figures, *plot, self.footer, *self.achievements], MOST_WORDS)

    def png(self) -> bytes:
        """Draw the picture; what has no letter in it is left out."""
        figures = [(drawable(word), drawable(value)) for word, value in self.figures]
        name = drawable(self.name) or "?"
        return draw_card(name, figures, drawable(self.plot), self.course, drawable(self.footer))


def profile_card(text: Text, profile: Profile) -> Card:
    """Return the card of a person."""
    told = profile.statistics
    return Card(
        name=plain_name(profile.name, empty=text.gettext("Somebody")),
        figures=(
            (text.gettext("Points"), text.number(told.points)),
            (text.gettext("Hands won"), _of_all(text, told.hands_won, told.hands)),
            (text.gettext("Matches won"), _of_all(text, told.matches_won, told.matches)),
            (text.gettext("Best hand"), text.number(told.best)),
            (text.gettext("Hands won in a row"), text.number(told.longest)),
            (text.gettext("Challenges won"), _of_all(text, told.challenges_won, told.challenges)),
        ),
        plot=text.ngettext("Points over {number} hand", "Points over {number} hands", told.hands),
        halfway=_halfway(text, told),
        course=told.course,
        footer=achieved(text, profile.earned),
        achievements=tuple(text.gettext(ACHIEVEMENTS[key][0]) for key in profile.earned),
    )


def _of_all(text: Text, some: int, every: int) -> str:
    return text.gettext("{some} of {all}", some=some, all=every)


def _halfway(text: Text, told: Statistics) -> str:
    """Return after how many hands half of the points were scored, which is what the line shows."""
    if not told.points:
        return ""
    hand = next(number for number, points in enumerate(told.course, 1) if 2 * points >= told.points)
    return text.ngettext("Half of them after {number} hand", "Half of them after {number} hands", hand)
