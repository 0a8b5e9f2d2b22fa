"""Leaderboards, as the store reads them (docs/rules.md, Leaderboards)."""

import asyncio
import random
import shutil
import sqlite3
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.store import Board, BoardLine, FinishedMatch, MatchStanding, Save, Store
from bot.tallies.boards import By, Turn, others_needed, win_bound
from bot.tallies.ledger import Ledger, Score
from bot.tallies.periods import Period, day_of, period_key, period_keys
from tests.store import making
from tests.store.conftest import url_of
from tests.store.making import ANN, BOB, CAT, DAN, GUILD, NOW


async def play(
    store: Store, number: int, *scores: tuple[int, int, bool], guild: int = GUILD, at: datetime | None = None
) -> None:
    people = [(user, f"P{user}") for user, _, _ in scores]
    hand = making.finished_hand(*scores)
    record = making.table(number, guild=guild, seconds=number)
    record = record if at is None else replace(record, updated_at=at)
    assert await store.submit(Save(table=record, seats=making.seats(number, people), hands=(hand,)))


async def end(store: Store, number: int, *outcomes: tuple[int, str], at: datetime = NOW) -> None:
    standings = tuple(
        MatchStanding(user, seat, 0, 0, how, ranked=how != "none")
        for seat, (user, how) in enumerate(outcomes)
    )
    record = replace(making.table(number), updated_at=at)
    assert await store.submit(Save(table=record, match=FinishedMatch("won", standings)))


async def order(store: Store, by: By, period: str = "all") -> list[tuple[int | None, int]]:
    return [(line.rank, line.user_id) for line in (await store.board(GUILD, by, period)).lines]


async def test_ties_share_a_rank_and_stand_in_the_order_of_ids(store: Store) -> None:
    await play(store, 1, (ANN, 50, True), (BOB, 0, False), (CAT, 0, False))
    await play(store, 2, (CAT, 30, True), (BOB, 0, False), (DAN, 0, False))
    await play(store, 3, (DAN, 30, True), (BOB, 0, False), (ANN, 0, False))
    assert (await store.board(GUILD)).lines == (
        BoardLine(1, ANN, f"P{ANN}", 50, 1, 2, others=3),
        BoardLine(2, DAN, "P4", 30, 1, 2, others=3),
        BoardLine(2, CAT, "P3", 30, 1, 2, others=3),
        BoardLine(4, BOB, f"P{BOB}", 0, 0, 3, others=3),
    )


async def test_hands_won_decide_among_equal_points_and_points_among_equal_hands(store: Store) -> None:
    await play(store, 1, (ANN, 20, True), (BOB, 0, False))
    await play(store, 2, (BOB, 10, True), (ANN, 0, False))
    await play(store, 3, (BOB, 10, True), (ANN, 0, False))
    await play(store, 4, (CAT, 90, True), (ANN, 0, False))
    await play(store, 5, (CAT, 0, True), (ANN, 0, False))
    assert await order(store, By.POINTS) == [(1, CAT), (2, BOB), (3, ANN)]
    assert await order(store, By.HANDS) == [(1, CAT), (2, BOB), (3, ANN)]


async def test_a_win_of_no_points_is_a_win(store: Store) -> None:
    await play(store, 1, (ANN, 0, True), (BOB, 0, False))
    assert await order(store, By.POINTS) == [(1, ANN), (2, BOB)]


async def test_a_win_rate_of_one_hand_leads_nothing(store: Store) -> None:
    for number in range(1, 21):
        await play(store, number, (ANN, 5, number % 2 == 0), (BOB, 5, number % 2 == 1))
    await play(store, 30, (CAT, 5, True), (DAN, 0, False))
    assert await order(store, By.RATE) == [(1, BOB), (1, ANN), (3, CAT), (4, DAN)]


async def test_an_average_takes_ten_hands(store: Store) -> None:
    for number in range(1, 11):
        await play(store, number, (ANN, 0, False), (CAT if number == 1 else BOB, 25, True))
    assert await order(store, By.AVERAGE) == [(1, ANN)]
    own = (await store.board(GUILD, By.AVERAGE, reader=BOB)).own
    assert own is not None
    assert (own.rank, own.hands) == (None, 9)
    await play(store, 11, (ANN, 0, False), (BOB, 25, True))
    lines = (await store.board(GUILD, By.AVERAGE)).lines
    assert [(line.user_id, line.average) for line in lines] == [(BOB, 25_000_000), (ANN, 0)]


async def test_matches_count_forfeits_as_lost(store: Store) -> None:
    await play(store, 1, (ANN, 5, True), (BOB, 0, False), (CAT, 0, False))
    await end(store, 2, (ANN, "won"), (BOB, "forfeit"), (CAT, "lost"))
    await end(store, 3, (BOB, "none"), (ANN, "forfeit"))
    lines = {line.user_id: line for line in (await store.board(GUILD, By.MATCHES)).lines}
    told = {user: (line.matches, line.matches_won, line.forfeits) for user, line in lines.items()}
    assert told == {ANN: (2, 1, 1), BOB: (1, 0, 1), CAT: (1, 0, 0)}


async def test_skill_is_kept_with_each_change_and_settled_people_stand_above(
    store: Store, path: Path
) -> None:
    for number in range(1, 81):
        at = NOW + timedelta(days=number)
        await play(store, 2 * number, (ANN, 5, True), (BOB, 0, False), at=at)
        await end(store, 2 * number + 1, (ANN, "won"), (BOB, "lost"), at=at)
    await play(store, 200, (CAT, 5, True), (ANN, 0, False), at=at)
    await end(store, 201, (CAT, "won"), (ANN, "lost"), at=at)
    lines = (await store.board(GUILD, By.SKILL)).lines
    assert [(line.user_id, line.settled) for line in lines] == [(ANN, True), (BOB, True), (CAT, False)]
    assert lines[2].skill is not None
    assert lines[1].skill is not None
    assert lines[2].skill > lines[1].skill, "what is not certain yet stands below what is"
    assert await order(store, By.SKILL, "s1") == [(1, ANN), (2, BOB), (3, CAT)]
    assert await order(store, By.SKILL, "2026-01") == [], "skill is for all time and seasons"
    with sqlite3.connect(path) as database:
        rows = database.execute(
            "SELECT mu_before, sigma_before, mu, sigma FROM skill_changes "
            "WHERE user_id = ? AND period = 'all' ORDER BY table_id",
            (ANN,),
        ).fetchall()
        last = database.execute("SELECT mu, sigma FROM tallies WHERE user_id = ? AND period = 'all'", (ANN,))
        assert last.fetchone() == rows[-1][2:]
    database.close()
    assert len(rows) == 81
    await store.put_to_sleep(NOW + timedelta(days=139))
    assert (await store.board(GUILD, By.SKILL)).lines == lines
    await store.put_to_sleep(NOW + timedelta(days=140))
    assert [line.settled for line in (await store.board(GUILD, By.SKILL)).lines] == [False] * 3
    assert (await order(store, By.SKILL))[0] == (1, CAT if lines[2].skill > (lines[0].skill or 0) else ANN)


async def test_each_server_has_its_own_with_its_own_names(store: Store) -> None:
    other = GUILD + 1
    await play(store, 1, (ANN, 50, True), (BOB, 0, False))
    await play(store, 2, (ANN, 7, True), (CAT, 0, False), guild=other)
    await store.submit(
        Save(table=making.table(3, guild=other, seconds=60), seats=making.seats(3, [(ANN, "Elsewhere")]))
    )
    assert [(row.user_id, row.name, row.points) for row in (await store.board(GUILD)).lines] == [
        (ANN, f"P{ANN}", 50),
        (BOB, f"P{BOB}", 0),
    ]
    assert [(row.user_id, row.name, row.points) for row in (await store.board(other)).lines] == [
        (ANN, "Elsewhere", 7),
        (CAT, "P3", 0),
    ]
    assert await store.board(5, reader=ANN) == Board(())


async def test_the_last_known_name_stands(store: Store) -> None:
    await play(store, 1, (ANN, 50, True), (BOB, 0, False))
    await store.submit(Save(table=making.table(2, seconds=100), seats=making.seats(2, [(ANN, "Newer")])))
    await store.submit(Save(table=making.table(3, seconds=99), seats=making.seats(3, [(ANN, "Older")])))
    assert (await store.board(GUILD)).lines[0].name == "Newer"


async def test_somebody_who_never_had_a_name_has_none(store: Store) -> None:
    hand = making.finished_hand((ANN, 9, True), (BOB, 0, False))
    await store.submit(Save(table=making.table(), hands=(hand,)))
    assert (await store.board(GUILD)).lines[0].name == ""


async def test_a_hand_that_scored_for_nobody_is_kept_and_counts_for_nobody(store: Store) -> None:
    broken_off = making.finished_hand()
    await store.submit(Save(table=making.table(), hands=(broken_off,)))
    assert await store.hand(1, 1) == broken_off
    assert await store.hand(1, 2) is None
    assert (await store.board(GUILD)).lines == ()


async def test_a_finished_match_is_found_in_its_own_channel_alone(store: Store) -> None:
    standings = (MatchStanding(ANN, 0, 135, 2, "won"), MatchStanding(None, 1, 20, 1, "lost"))
    match = FinishedMatch("won", standings, {"locale": "de"})
    record = making.table(1)
    assert await store.submit(Save(table=record, seats=making.seats(1), match=match))
    assert await store.match(1, guild_id=GUILD, channel_id=record.channel_id) == match
    assert await store.match(1, guild_id=GUILD, channel_id=record.channel_id + 1) is None
    assert await store.match(1, guild_id=GUILD + 1, channel_id=record.channel_id) is None
    assert await store.match(2, guild_id=GUILD, channel_id=record.channel_id) is None


async def test_a_hand_saved_twice_counts_once(store: Store) -> None:
    """A click that is delivered again is written once, and so is what it adds up to."""
    hand = making.finished_hand((ANN, 9, True), (BOB, 0, False))
    save = making.turn(1, 1, interaction=7, hands=(hand,))
    assert await store.submit(save)
    assert not await store.submit(replace(save, table=making.table(1, 2)))
    assert (await store.board(GUILD)).lines[0].hands == 1


# --- periods


async def test_a_hand_counts_in_the_day_of_the_servers_time_zone(store: Store) -> None:
    midnight = datetime.fromisoformat("2026-12-31T23:30:00+00:00")
    await store.set_guild_settings(GUILD, {"time_zone": "Europe/Tirane"})
    await play(store, 1, (ANN, 5, True), (BOB, 0, False), at=midnight)
    await store.set_guild_settings(GUILD, {"time_zone": "UTC"})
    assert await order(store, By.POINTS, "2027-01") == [(1, ANN), (2, BOB)], "it stays where it was"
    await play(store, 2, (BOB, 9, True), (ANN, 0, False), at=midnight)
    assert await order(store, By.POINTS, "2026-12") == [(1, BOB), (2, ANN)]
    assert await order(store, By.POINTS, "2026-W53") == [(1, BOB), (2, ANN)]
    assert [line.points for line in (await store.board(GUILD)).lines] == [9, 5]


@pytest.mark.parametrize("saved", ["not JSON", "[]", '{"time_zone": 5}', '{"time_zone": "Nowhere"}'])
async def test_settings_that_cannot_be_read_keep_no_hand_from_counting(
    store: Store, path: Path, saved: str
) -> None:
    with sqlite3.connect(path) as database:
        database.execute("INSERT INTO servers VALUES (?, ?)", (GUILD, saved))
    database.close()
    await play(store, 1, (ANN, 5, True), (BOB, 0, False))
    assert await order(store, By.POINTS, "2026-01") == [(1, ANN), (2, BOB)]


async def test_the_first_result_begins_a_season_and_the_next_one_follows_it(store: Store, path: Path) -> None:
    assert await store.season(GUILD) == 1
    await play(store, 1, (ANN, 5, True), (BOB, 0, False))
    assert await store.season(GUILD) == 1
    with sqlite3.connect(path) as database:
        database.execute("UPDATE seasons SET closed_at = began_at")
    database.close()
    assert await store.season(GUILD) == 2
    await play(store, 2, (BOB, 3, True), (ANN, 0, False))
    assert await order(store, By.POINTS, "s1") == [(1, ANN), (2, BOB)]
    assert await order(store, By.POINTS, "s2") == [(1, BOB), (2, ANN)]


# --- pages


async def crowd(store: Store, people: int) -> list[int]:
    """Let so many people play; returns them in the order of their points, of which some are equal."""
    dice = random.Random(5)
    points = {user: dice.randrange(12) for user in range(1, people + 1)}
    for number, user in enumerate(points, 1):
        others = [(user + step) % people + 1 for step in range(3)]
        await play(store, number, (user, points[user], True), *((other, 0, False) for other in others))
    return sorted(points, key=lambda user: (points[user], user), reverse=True)


async def test_pages_follow_each_other_and_leave_nobody_out(store: Store) -> None:
    everybody = await crowd(store, 37)
    page = await store.board(GUILD)
    assert not page.earlier
    seen = list(page.lines)
    while page.more:
        page = await store.board(GUILD, turn=Turn.AFTER, user=page.lines[-1].user_id)
        assert page.earlier
        seen += page.lines
    assert [line.user_id for line in seen] == everybody
    points = [line.points for line in seen]
    assert [line.rank for line in seen] == [points.index(each) + 1 for each in points]
    back = await store.board(GUILD, turn=Turn.BEFORE, user=seen[30].user_id)
    assert list(back.lines) == seen[20:30]
    assert (back.earlier, back.more) == (True, True)
    for nearly_first in (1, 4, 9):
        first = await store.board(GUILD, turn=Turn.BEFORE, user=seen[nearly_first].user_id)
        assert (list(first.lines), first.earlier) == (seen[:10], False)


@pytest.mark.parametrize("place", [0, 7, 9, 10, 19, 20, 36])
async def test_ones_own_page_is_the_one_that_turning_leads_to(store: Store, place: int) -> None:
    everybody = await crowd(store, 37)
    board = await store.board(GUILD, turn=Turn.OWN, reader=everybody[place])
    start = place // 10 * 10
    assert [line.user_id for line in board.lines] == everybody[start : start + 10]
    assert (board.earlier, board.more) == (start > 0, start < 30)
    assert board.own is not None
    assert board.own in board.lines
    assert board.own.user_id == everybody[place]


async def test_whoever_has_no_place_leads_to_the_first_page(store: Store) -> None:
    everybody = await crowd(store, 12)
    for turn in Turn:
        board = await store.board(GUILD, turn=turn, user=999, reader=998)
        assert [line.user_id for line in board.lines] == everybody[:10]
        assert board.own is None


# --- everything at once, beside a naive computation

Result = tuple[datetime, list[tuple[int, int, bool]], list[tuple[int, str]]]
PEOPLE = range(1, 9)


@st.composite
def results(draw: st.DrawFn) -> list[Result]:
    """Make hands and matches, each with who played, who scored, and who left."""
    found: list[Result] = []
    at = NOW
    for _ in range(draw(st.integers(1, 25))):
        at += timedelta(hours=draw(st.integers(1, 400)))
        people = draw(st.lists(st.sampled_from(PEOPLE), min_size=2, max_size=4, unique=True))
        winner = draw(st.sampled_from([None, *people]))
        points = draw(st.integers(0, 3)) * 10
        scores = [(user, points if user == winner else 0, user == winner) for user in people]
        left = draw(st.sampled_from([None, *(user for user in people if user != winner)]))
        outcomes = [
            (
                user,
                "won"
                if user == winner
                else "forfeit"
                if user == left
                else "none"
                if winner is None
                else "lost",
            )
            for user in people
        ]
        found.append((at, scores, outcomes))
    return found


def naive(results: Iterable[Result], period: str, by: By) -> list[tuple[int, int]]:
    """Work a board out from scratch: rank and person, in order."""
    hands: defaultdict[int, list[tuple[int, bool]]] = defaultdict(list)
    won: defaultdict[int, int] = defaultdict(int)
    met: defaultdict[int, set[int]] = defaultdict(set)
    counted = set()
    for at, scores, outcomes in results:
        for user, _, _ in scores:
            met[user] |= {other for other, _, _ in scores} - {user}
        if period in period_keys(day_of(at, "UTC"), 1):
            for user, points, is_won in scores:
                hands[user].append((points, is_won))
            for user, how in outcomes:
                won[user] += how == "won"
                counted.add(user)
    values = {}
    for user, played in hands.items():
        points, wins = sum(each for each, _ in played), sum(is_won for _, is_won in played)
        values[user] = {
            By.POINTS: (points, wins),
            By.HANDS: (wins, points),
            By.MATCHES: (won[user], points),
            By.RATE: (win_bound(wins, len(played)), len(played)),
            By.AVERAGE: (1_000_000 * points // len(played), len(played)),
        }[by]
    stand = [user for user in values if len(met[user]) >= others_needed(len(met))]
    if by is By.AVERAGE:
        stand = [user for user in stand if len(hands[user]) >= 10]
    stand.sort(key=lambda user: (*values[user], user), reverse=True)
    return [(1 + sum(values[other] > values[user] for other in stand), user) for user in stand]


def summed(path: Path) -> dict[str, list[tuple[Any, ...]]]:
    """Return all rows that are worked out from results."""
    with sqlite3.connect(path) as database:
        found = {
            name: sorted(database.execute(f"SELECT * FROM {name}").fetchall())
            for name in ("tallies", "meetings", "skill_changes", "seasons")
        }
    database.close()
    return found


async def save_all(store: Store, results: Iterable[Result]) -> None:
    futures = []
    for number, (at, scores, outcomes) in enumerate(results, 1):
        hand = making.finished_hand(*scores)
        standings = tuple(
            MatchStanding(user, seat, 0, 0, how, how != "none") for seat, (user, how) in enumerate(outcomes)
        )
        record = replace(making.table(number), updated_at=at)
        futures.append(store.submit(Save(table=record, hands=(hand,), match=FinishedMatch("won", standings))))
    await asyncio.gather(*futures)


@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(played=results())
def test_boards_are_what_a_naive_computation_makes_them(
    migrated: Path, tmp_path: Path, played: list[Result]
) -> None:
    path = tmp_path / "naive.db"
    shutil.copyfile(migrated, path)

    async def compare() -> None:
        store = Store(url_of(path))
        await store.open()
        await save_all(store, played)
        keys = {key for at, _, _ in played for key in period_keys(day_of(at, "UTC"), 1)}
        for by in (each for each in By if each is not By.SKILL):
            for key in keys:
                assert await order(store, by, key) == naive(played, key, by), (by, key)
        before = summed(path)
        await store.rebuild_tallies(NOW)
        assert summed(path) == before
        await store.close()

    asyncio.run(compare())
    for file in tmp_path.glob("naive.db*"):
        file.unlink()


async def test_what_is_wrong_is_put_right_by_a_recount(store: Store, path: Path) -> None:
    await play(store, 1, (ANN, 50, True), (BOB, 0, False))
    await end(store, 2, (ANN, "won"), (BOB, "lost"))
    before = summed(path)
    with sqlite3.connect(path) as database:
        database.execute("UPDATE tallies SET points = 999, mu = 1")
        database.execute("DELETE FROM meetings")
        database.execute(
            "INSERT INTO tallies SELECT guild_id, 'x', user_id, 1, 1, 1, 1, 1, 1, 1, 1, NULL, NULL, "
            "NULL, NULL, 0, NULL FROM tallies WHERE period = 'all'"
        )
    database.close()
    await store.rebuild_tallies(NOW)
    assert summed(path) == before


# --- farming


async def test_five_accounts_of_one_person_enter_the_top_ten_of_no_board(store: Store) -> None:
    """On a server of 200 players, in 500 matches against themselves."""
    dice = random.Random(11)
    honest, farmers = range(1, 201), range(901, 906)
    saves = []
    for number in range(1, 1101):
        farmed = number % 11 >= 6
        people = dice.sample(farmers if farmed else honest, 4)
        winner = farmers[0] if farmed and farmers[0] in people else people[0]
        scores = [(user, 500 if farmed else 60, user == winner) for user in people]
        scores = [(user, points if won else 0, won) for user, points, won in scores]
        standings = tuple(
            MatchStanding(user, seat, 0, 0, "won" if won else "lost")
            for seat, (user, _, won) in enumerate(scores)
        )
        record = replace(making.table(number), updated_at=NOW + timedelta(minutes=30 * number))
        match = FinishedMatch("won", standings)
        saves.append(Save(table=record, hands=(making.finished_hand(*scores),), match=match))
    assert sum(save.hands[0].scores[0].user_id in farmers for save in saves) == 500
    await asyncio.gather(*map(store.submit, saves))
    season = await store.season(GUILD)
    filled = 0
    for day in ("2026-01-01", "2026-01-05", "2026-01-20"):
        for period in Period:
            for by in By:
                lines = (await store.board(GUILD, by, period_key(period, day, season))).lines
                filled += len(lines) == 10
                assert not {line.user_id for line in lines} & set(farmers), (by, period)
    assert filled >= 3 * 4 * 4, "there are honest people on the boards"
    board = await store.board(GUILD, reader=farmers[0])
    assert board.own is not None
    assert (board.own.rank, board.own.others, board.others_needed) == (None, 4, 5)


# --- what an earlier release has left


async def test_tallies_that_were_never_counted_are_counted_at_the_start(store: Store, path: Path) -> None:
    await play(store, 1, (ANN, 50, True), (BOB, 0, False))
    before = summed(path)
    with sqlite3.connect(path) as database:
        database.execute("DELETE FROM tallies")
        database.execute("DELETE FROM meetings")
        database.execute("DELETE FROM facts WHERE key = 'tallies'")
    database.close()
    again = Store(url_of(path))
    await again.open()
    await again.close()
    assert summed(path) == before


def test_a_ledger_counts_nobody_as_an_acquaintance_of_their_own() -> None:
    ledger = Ledger()
    ledger.count_hand(GUILD, "2026-01-01", 1, [Score(ANN, 5, won=True)])
    assert ledger.tallies[GUILD, "all", ANN].others == 0
    assert not ledger.meetings
