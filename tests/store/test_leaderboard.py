import pytest

from bot.store import FinishedMatch, LeaderRow, MatchStanding, Save, Store
from tests.store import making
from tests.store.making import ANN, BOB, CAT, DAN, GUILD


async def play(store: Store, number: int, *scores: tuple[int, int, bool], guild: int = GUILD) -> None:
    people = [(user, f"P{user}") for user, _, _ in scores]
    hand = making.finished_hand(*scores)
    record = making.table(number, guild=guild, seconds=number)
    assert await store.submit(Save(table=record, seats=making.seats(number, people), hands=(hand,)))


async def test_ties_share_a_rank_and_stand_in_the_order_of_ids(store: Store) -> None:
    await play(store, 1, (ANN, 50, True), (BOB, 0, False), (CAT, 0, False))
    await play(store, 2, (CAT, 30, True), (BOB, 0, False), (DAN, 0, False))
    await play(store, 3, (DAN, 30, True), (BOB, 0, False), (ANN, 0, False))
    assert await store.leaderboard(GUILD, 10) == [
        LeaderRow(1, ANN, f"P{ANN}", 50, 1, 2),
        LeaderRow(2, CAT, "P3", 30, 1, 2),
        LeaderRow(2, DAN, "P4", 30, 1, 2),
        LeaderRow(4, BOB, f"P{BOB}", 0, 0, 3),
    ]


async def test_hands_won_decide_among_equal_points(store: Store) -> None:
    await play(store, 1, (ANN, 20, True), (BOB, 0, False))
    await play(store, 2, (BOB, 10, True), (ANN, 0, False))
    await play(store, 3, (BOB, 10, True), (ANN, 0, False))
    rows = await store.leaderboard(GUILD, 10)
    assert [(row.rank, row.user_id) for row in rows] == [(1, BOB), (2, ANN)]


async def test_a_win_of_no_points_is_a_win(store: Store) -> None:
    await play(store, 1, (ANN, 0, True), (BOB, 0, False))
    rows = await store.leaderboard(GUILD, 10)
    assert [(row.rank, row.user_id, row.hands_won) for row in rows] == [(1, ANN, 1), (2, BOB, 0)]


@pytest.mark.parametrize(
    ("limit", "offset", "ranks"), [(2, 0, [1, 2]), (2, 2, [2, 4]), (9, 4, []), (0, 0, [])]
)
async def test_a_part_of_it_keeps_its_ranks(store: Store, limit: int, offset: int, ranks: list[int]) -> None:
    await play(store, 1, (ANN, 50, True), (BOB, 20, False), (CAT, 20, False), (DAN, 1, False))
    assert [row.rank for row in await store.leaderboard(GUILD, limit, offset)] == ranks


async def test_each_server_has_its_own_with_its_own_names(store: Store) -> None:
    other = GUILD + 1
    await play(store, 1, (ANN, 50, True), (BOB, 0, False))
    await play(store, 2, (ANN, 7, True), (CAT, 0, False), guild=other)
    await store.submit(
        Save(table=making.table(3, guild=other, seconds=60), seats=making.seats(3, [(ANN, "Elsewhere")]))
    )
    assert [(row.user_id, row.name, row.points) for row in await store.leaderboard(GUILD, 9)] == [
        (ANN, f"P{ANN}", 50),
        (BOB, f"P{BOB}", 0),
    ]
    assert [(row.user_id, row.name, row.points) for row in await store.leaderboard(other, 9)] == [
        (ANN, "Elsewhere", 7),
        (CAT, "P3", 0),
    ]
    assert await store.leaderboard(5, 9) == []


async def test_the_last_known_name_stands(store: Store) -> None:
    await play(store, 1, (ANN, 50, True), (BOB, 0, False))
    await store.submit(Save(table=making.table(2, seconds=100), seats=making.seats(2, [(ANN, "Newer")])))
    await store.submit(Save(table=making.table(3, seconds=99), seats=making.seats(3, [(ANN, "Older")])))
    assert (await store.leaderboard(GUILD, 1))[0].name == "Newer"


async def test_somebody_who_never_had_a_name_has_none(store: Store) -> None:
    hand = making.finished_hand((ANN, 9, True))
    await store.submit(Save(table=making.table(), hands=(hand,)))
    assert (await store.leaderboard(GUILD, 1))[0].name == ""


async def test_a_hand_that_scored_for_nobody_is_kept_and_counts_for_nobody(store: Store) -> None:
    broken_off = making.finished_hand()
    await store.submit(Save(table=making.table(), hands=(broken_off,)))
    assert await store.hand(1, 1) == broken_off
    assert await store.hand(1, 2) is None
    assert await store.leaderboard(GUILD, 9) == []


async def test_a_finished_match_is_found_in_its_own_channel_alone(store: Store) -> None:
    standings = (MatchStanding(ANN, 0, 135, 2, "won"), MatchStanding(None, 1, 20, 1, "lost"))
    match = FinishedMatch("won", standings, {"locale": "de"})
    record = making.table(1)
    assert await store.submit(Save(table=record, seats=making.seats(1), match=match))
    assert await store.match(1, guild_id=GUILD, channel_id=record.channel_id) == match
    assert await store.match(1, guild_id=GUILD, channel_id=record.channel_id + 1) is None
    assert await store.match(1, guild_id=GUILD + 1, channel_id=record.channel_id) is None
    assert await store.match(2, guild_id=GUILD, channel_id=record.channel_id) is None
