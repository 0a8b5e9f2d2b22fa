"""Skill (docs/rules.md, Skill)."""

from datetime import UTC, datetime, timedelta

import pytest

from bot.tallies.ledger import Ledger, Standing
from bot.tallies.ratings import START_SIGMA, Rating, rate

FRESH = {user: Rating() for user in (1, 2, 3, 4)}
NOW = datetime(2026, 12, 1, tzinfo=UTC)
DAY = timedelta(days=1)


def test_the_winner_gains_those_who_lost_are_alike_and_who_left_is_last() -> None:
    after = rate(FRESH, [[1], [2, 3], [4]])
    assert after[1].mu > after[2].mu > after[4].mu
    assert after[2] == pytest.approx(after[3])
    assert after[1].mu > FRESH[1].mu > after[4].mu
    assert all(rating.sigma < START_SIGMA for rating in after.values())


def test_nobody_is_rated_alone() -> None:
    assert rate(FRESH, [[1], [], []]) == FRESH


def test_a_win_against_somebody_strong_counts_for_more() -> None:
    weak, strong = Rating(20.0, 3.0), Rating(30.0, 3.0)
    over_strong = rate({1: Rating(), 2: strong}, [[1], [2]])[1].mu
    over_weak = rate({1: Rating(), 2: weak}, [[1], [2]])[1].mu
    assert over_strong > over_weak > Rating().mu


def test_each_match_among_the_same_people_on_a_day_counts_for_less() -> None:
    gains = [rate(FRESH, [[1], [2]], met_before=often)[1].mu - Rating().mu for often in range(20)]
    assert gains == sorted(gains, reverse=True)
    assert gains[-1] < gains[0] / 50


def test_absence_makes_less_sure_and_no_worse() -> None:
    rating = Rating(30.0, 2.0)
    assert rating.after(29 * DAY) == rating
    assert rating.after(90 * DAY).mu == rating.mu
    assert rating.after(90 * DAY).sigma > rating.after(60 * DAY).sigma > rating.sigma
    assert rating.after(9999 * DAY).sigma == START_SIGMA


def test_the_number_shown_is_a_lower_bound() -> None:
    assert Rating(25.0, 2.0).shown == 2100
    assert Rating(1.0, 4.0).shown == 0


def test_it_settles_after_some_dozens_of_matches() -> None:
    believed = dict(FRESH)
    settled_after = 0
    while not believed[1].is_settled:
        winner = settled_after % 4 + 1
        believed = rate(believed, [[winner], [user for user in FRESH if user != winner]])
        settled_after += 1
    assert 30 <= settled_after <= 90


# --- in the ledger


def play(ledger: Ledger, winner: int, losers: list[int], *, at: datetime = NOW, **outcomes: str) -> None:
    standings = [Standing(winner, "won", True), *(Standing(user, "lost", True) for user in losers)]
    standings += [Standing(int(name[1:]), outcome, outcome != "none") for name, outcome in outcomes.items()]
    table = len(ledger.changes) + 1
    ledger.count_match(9, at.date().isoformat(), 1, table, at, standings)


def test_a_match_changes_all_time_and_the_season_and_keeps_each_change() -> None:
    ledger = Ledger()
    play(ledger, 1, [2, 3])
    changes = {(change.period, change.user_id): change for change in ledger.changes}
    assert set(changes) == {(period, user) for period in ("all", "s1") for user in (1, 2, 3)}
    for (period, user), change in changes.items():
        assert change.before == Rating()
        assert ledger.tallies[9, period, user].rating == change.after
    assert ledger.tallies[9, "2026-12", 1].rating is None
    assert ledger.tallies[9, "2026-12", 1].matches_won == 1


def test_somebody_who_forfeits_a_match_without_a_winner_alone_loses_by_it() -> None:
    ledger = Ledger()
    standings = [Standing(1, "none", False), Standing(2, "none", False), Standing(3, "forfeit", True)]
    ledger.count_match(9, "2026-12-01", 1, 1, NOW, standings)
    assert {change.user_id for change in ledger.changes} == {3}
    assert ledger.changes[0].after.mu < Rating().mu
    assert (ledger.tallies[9, "all", 3].matches, ledger.tallies[9, "all", 3].forfeits) == (1, 1)
    assert (9, "all", 1) not in ledger.tallies


def test_a_match_that_ranks_for_nobody_changes_nothing() -> None:
    ledger = Ledger()
    ledger.count_match(9, "2026-12-01", 1, 1, NOW, [Standing(1, "won", False), Standing(2, "lost", False)])
    assert not ledger.touched
    assert not ledger.met


def test_long_absence_widens_at_the_next_match() -> None:
    soon, late = Ledger(), Ledger()
    for ledger, wait in ((soon, DAY), (late, 200 * DAY)):
        for number in range(30):
            play(ledger, number % 2 + 1, [2 - number % 2, 3], at=NOW + number * DAY)
        play(ledger, 1, [2, 3], at=NOW + 29 * DAY + wait)
    sigmas = [ledger.tallies[9, "all", 1].rating.sigma for ledger in (soon, late)]
    assert sigmas[1] > sigmas[0]


def test_who_does_not_play_for_sixty_days_stands_below_the_settled() -> None:
    ledger = Ledger()
    for number in range(60):
        play(ledger, number % 2 + 1, [2 - number % 2, 3], at=NOW + number * DAY)
    tally = ledger.tallies[9, "all", 1]
    assert tally.settled
    last = NOW + 59 * DAY
    ledger.put_to_sleep(last + 59 * DAY, ledger.tallies)
    assert tally.settled
    ledger.put_to_sleep(last + 60 * DAY, ledger.tallies)
    assert not tally.settled
    play(ledger, 1, [2, 3], at=last + 61 * DAY)
    assert tally.settled
