"""What the managers of a server have chosen for it, and its saved form.

Pure: imports `bot.model.options`, `bot.tallies` and the engine's rules only.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any, Final

from bot.model.options import FLAGS as OPTION_FLAGS
from bot.model.options import SEATS, TURN_TIMES, Options, choose_option, preset_of, read_options
from bot.tallies.periods import USUAL_ZONE, is_zone
from engine.rules import RuleSet

#: The form of `GuildSettings.written`.
SCHEMA: Final = 1
#: When people are called who never said when.
NUDGES: Final = ("always", "away", "never")


@dataclass(frozen=True, slots=True)
class GuildSettings:
    """The settings of one server."""

    #: What a new table begins with, apart from its language.
    options: Options = field(default_factory=Options)
    #: The language of new tables; None for the server's own.
    locale: str | None = None
    #: Whether tables are opened in a thread of their own, where that can be.
    thread: bool = False
    #: The ids of the channels in which tables may start; none for all.
    channels: tuple[int, ...] = ()
    #: When people are called who have not chosen it themselves.
    nudges: str = "always"
    #: Whether the host may neither end a table nor remove players.
    moderators_only: bool = False
    #: Where a day of the leaderboards begins.
    time_zone: str = USUAL_ZONE

    @property
    def own_rules(self) -> RuleSet | None:
        """The house rules that are the server's own, None where they are a preset that everybody has."""
        return None if preset_of(self.options.rules) else self.options.rules

    def allows(self, channel_ids: Iterable[int | None]) -> bool:
        """Whether tables may start in a channel, given with the channel of which it is a thread."""
        return not self.channels or any(channel in self.channels for channel in channel_ids)

    def written(self) -> dict[str, Any]:
        """Return the settings as a JSON object, in the form `SCHEMA`."""
        return {
            "schema": SCHEMA,
            "terms": self.options.written(),
            "locale": self.locale,
            "thread": self.thread,
            "channels": list(self.channels),
            "nudges": self.nudges,
            "moderators_only": self.moderators_only,
            "time_zone": self.time_zone,
        }


#: The settings that are switches, beside those of the options.
FLAGS: Final = tuple(setting.name for setting in fields(GuildSettings) if isinstance(setting.default, bool))


def read_guild_settings(saved: dict[str, Any]) -> GuildSettings:
    """Return the settings that `written` wrote, by this release or an earlier one; {} are the defaults.

    Raises KeyError, TypeError or ValueError for anything else.
    """
    if not saved:
        return GuildSettings()
    # The first release wrote the same fields without a number.
    if saved.get("schema", SCHEMA) != SCHEMA:
        raise ValueError(f"{saved['schema']!r} is no known form of settings")
    options, channels = read_options(saved["terms"]), saved["channels"]
    known = (
        options.turn_time in TURN_TIMES
        and options.seats in SEATS
        and all(isinstance(channel, int) for channel in channels)
        and all(isinstance(saved[name], bool) for name in FLAGS)
        and all(isinstance(saved["terms"][name], bool) for name in OPTION_FLAGS)
        and isinstance(saved["locale"], str | None)
        and saved["nudges"] in NUDGES
        # The first release knew no time zones; one that is gone meanwhile is UTC.
        and isinstance(saved.get("time_zone", USUAL_ZONE), str)
    )
    if not known:
        raise ValueError("not the settings of a server")
    rest = {name: value for name, value in saved.items() if name not in ("schema", "terms")}
    return GuildSettings(**(rest | {"options": options, "channels": tuple(channels)}))


def choose(settings: GuildSettings, name: str, values: Sequence[str]) -> GuildSettings:
    """Change one setting to the values that a button or menu carries; raises ValueError for any other."""
    if name == "channels":
        return replace(settings, channels=tuple(int(value) for value in values))
    if len(values) != 1:
        raise ValueError(f"{name} is one value, not {values}")
    value = values[0]
    if name in FLAGS:
        change: dict[str, Any] = {name: value == "1"}
        return replace(settings, **change)
    if name == "locale":
        return replace(settings, locale=None if value == "own" else value)
    if name == "time_zone" and is_zone(value):
        return replace(settings, time_zone=value)
    if name == "nudges" and value in NUDGES:
        return replace(settings, nudges=value)
    return replace(settings, options=choose_option(settings.options, name, value))
