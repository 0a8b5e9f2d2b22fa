"""The day a result belongs to, and the periods that day is part of. Imports the standard library only.

A day is its ISO date in the server's time zone. It is fixed when a hand or match ends; weeks begin on Monday.
"""

from __future__ import annotations

from datetime import date, datetime
from enum import StrEnum
from functools import cache
from typing import Final
from zoneinfo import ZoneInfo, available_timezones

#: The time zone of a server that has chosen none.
USUAL_ZONE: Final = "UTC"
#: How many time zones are offered at once: Discord takes no more.
MOST_OFFERED: Final = 25
#: The key of the period that never ends.
ALL_TIME: Final = "all"


class Period(StrEnum):
    """What a board adds up."""

    ALL = "all"
    MONTH = "month"
    WEEK = "week"
    SEASON = "season"


@cache
def _zones() -> tuple[str, ...]:
    """Return the names of all time zones known here, without old and technical ones."""
    return (USUAL_ZONE, *sorted(name for name in available_timezones() if _is_place(name)))


def _is_place(name: str) -> bool:
    return "/" in name and not name.startswith(("Etc/", "SystemV/", "US/", "posix/", "right/"))


def is_zone(name: str) -> bool:
    """Whether a time zone with this name is offered here."""
    return name in _zones()


def zones_like(typed: str) -> list[str]:
    """Return the time zones that what was typed may mean, those that begin so first; 25 at most."""
    wanted = typed.strip().replace(" ", "_").casefold()
    found = [zone for zone in _zones() if wanted in zone.casefold()]
    found.sort(key=lambda zone: not any(part.startswith(wanted) for part in zone.casefold().split("/")))
    return found[:MOST_OFFERED]


def day_of(moment: datetime, zone: str | None) -> str:
    """Return the day of a moment in a time zone; that in UTC if the zone is not known."""
    try:
        there = ZoneInfo(zone or USUAL_ZONE)
    except (OSError, ValueError, KeyError):
        there = ZoneInfo(USUAL_ZONE)
    return moment.astimezone(there).date().isoformat()


def period_key(period: Period, day: str, season: int) -> str:
    """Return the key of a period as of a day and a season."""
    if period is Period.ALL:
        return ALL_TIME
    if period is Period.SEASON:
        return f"s{season}"
    if period is Period.MONTH:
        return day[:7]
    year, week, _ = date.fromisoformat(day).isocalendar()
    return f"{year:04}-W{week:02}"


def period_keys(day: str, season: int) -> tuple[str, ...]:
    """Return the keys of all periods that a day in a season is part of."""
    return tuple(period_key(period, day, season) for period in Period)
