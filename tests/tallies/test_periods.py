"""The day a result belongs to, and its periods (docs/rules.md, Leaderboards)."""

from datetime import UTC, datetime

import pytest

from bot.tallies.periods import MOST_OFFERED, Period, day_of, is_zone, period_key, period_keys, zones_like


@pytest.mark.parametrize(
    ("zone", "day"),
    [
        ("UTC", "2026-12-31"),
        ("Pacific/Kiritimati", "2027-01-01"),
        ("America/Los_Angeles", "2026-12-31"),
        (None, "2026-12-31"),
        ("Nowhere/At all", "2026-12-31"),
        ("../../etc/passwd", "2026-12-31"),
    ],
)
def test_a_day_is_the_servers_own(zone: str | None, day: str) -> None:
    assert day_of(datetime(2026, 12, 31, 23, 30, tzinfo=UTC), zone) == day


def test_a_clock_that_is_set_back_makes_no_other_day() -> None:
    """In Berlin the hour from two to three comes twice on this day."""
    for hour in (0, 1, 2):
        assert day_of(datetime(2026, 10, 25, hour, 30, tzinfo=UTC), "Europe/Berlin") == "2026-10-25"


@pytest.mark.parametrize(
    ("day", "keys"),
    [
        ("2026-12-01", ("all", "2026-12", "2026-W49", "s2")),
        ("2027-01-01", ("all", "2027-01", "2026-W53", "s2")),
        ("2024-12-30", ("all", "2024-12", "2025-W01", "s2")),
    ],
)
def test_a_day_is_part_of_four_periods(day: str, keys: tuple[str, ...]) -> None:
    assert period_keys(day, 2) == keys
    assert period_key(Period.WEEK, day, 2) == keys[2]


def test_zones_are_known_by_their_names() -> None:
    assert is_zone("Europe/Tirane")
    assert not is_zone("Europe/Cardiff")


@pytest.mark.parametrize(
    ("typed", "first"),
    [
        ("tirane", "Europe/Tirane"),
        ("utc", "UTC"),
        ("new y", "America/New_York"),
        ("  MINSK ", "Europe/Minsk"),
    ],
)
def test_zones_are_found_by_what_is_typed(typed: str, first: str) -> None:
    assert zones_like(typed)[0] == first


def test_no_more_zones_are_offered_than_a_menu_takes() -> None:
    assert len(zones_like("")) == len(zones_like("e")) == MOST_OFFERED
    assert zones_like("")[0] == "UTC"
    assert zones_like("no such place") == []
