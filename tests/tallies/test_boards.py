"""What boards are ordered by, and who stands on them (docs/rules.md, Leaderboards)."""

import pytest

from bot.tallies.boards import average, others_needed, win_bound


@pytest.mark.parametrize(
    ("won", "played", "bound"), [(0, 0, 0), (0, 5, 0), (1, 1, 206543), (10, 10, 722460), (50, 100, 403832)]
)
def test_the_lower_bound_of_wilson(won: int, played: int, bound: int) -> None:
    """The figures are those of a table of the interval."""
    assert win_bound(won, played) == pytest.approx(bound, abs=20)


def test_one_of_one_leads_nothing() -> None:
    assert win_bound(1, 1) < win_bound(8, 20) < win_bound(35, 100) < win_bound(40, 100)


def test_an_average_takes_ten_hands() -> None:
    assert average(900, 9) is None
    assert average(125, 10) == 12_500_000


@pytest.mark.parametrize(
    ("people", "others"), [(0, 1), (2, 1), (19, 1), (20, 2), (49, 4), (50, 5), (9999, 5)]
)
def test_a_small_server_asks_for_fewer_acquaintances(people: int, others: int) -> None:
    assert others_needed(people) == others
