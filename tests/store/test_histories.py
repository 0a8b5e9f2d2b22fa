"""What is kept of one person's past."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

from bot.store import FinishedHand, FinishedMatch, HandLine, MatchStanding, Save, Store
from bot.tallies.statistics import Hand, Other, Past
from tests.store import making
from tests.store.making import ANN, BOB, CAT, GUILD, NOW


async def play(
    store: Store, number: int, *scores: tuple[int, int, bool], minutes: int = 0, **changes: Any
) -> None:
    """Save a hand that ended so many minutes after others."""
    hand = replace(making.finished_hand(*scores), **changes)
    people = [(user, f"P{user % 10}") for user, _, _ in scores]
    record = replace(making.table(number), updated_at=NOW + timedelta(minutes=minutes))
    assert await store.submit(Save(table=record, seats=making.seats(number, people), hands=(hand,)))


def with_facts(hand: FinishedHand, seat: int, **facts: Any) -> FinishedHand:
    scores = (replace(score, facts=facts) if score.seat == seat else score for score in hand.scores)
    return replace(hand, scores=tuple(scores))


async def test_the_hands_of_a_past_are_in_order_of_time_with_what_was_done(store: Store) -> None:
    late = with_facts(making.finished_hand((ANN, 30, True), (BOB, 0, False)), 0, most=9, challenges=[True])
    await play(store, 1, (ANN, 30, True), (BOB, 0, False), minutes=9, scores=late.scores)
    await play(store, 2, (BOB, 10, True), (CAT, 0, False), (ANN, 0, False))
    assert await store.past(GUILD, ANN) == Past(
        "P1",
        (Hand(0, won=False, left=2, players=3), Hand(30, True, 0, 2, {"most": 9, "challenges": [True]})),
        (),
        (Other(CAT, "P3", 1, 0), Other(BOB, "P2", 2, 1)),
    )


async def test_only_what_is_ranked_on_this_server_is_of_the_past(store: Store) -> None:
    hand = making.finished_hand((ANN, 30, True), (BOB, 0, False))
    unranked = tuple(replace(score, ranked=False) for score in hand.scores)
    await play(store, 1, (ANN, 30, True), (BOB, 0, False), scores=unranked)
    elsewhere = Save(table=making.table(2, guild=GUILD + 1), hands=(hand,))
    assert await store.submit(elsewhere)
    assert (await store.past(GUILD, ANN)).hands == ()
    assert len((await store.past(GUILD + 1, ANN)).hands) == 1


async def test_matches_of_the_past_are_those_that_count(store: Store) -> None:
    outcomes = [("won", True), ("none", False), ("forfeit", True), ("left", False), ("lost", True)]
    for number, (outcome, ranked) in enumerate(outcomes, 1):
        standings = (
            MatchStanding(ANN, 0, 0, 0, outcome, ranked=ranked),
            MatchStanding(BOB, 1, 0, 0, "lost"),
        )
        record = replace(making.table(number), updated_at=NOW - timedelta(hours=number))
        assert await store.submit(Save(table=record, match=FinishedMatch("won", standings)))
    assert (await store.past(GUILD, ANN)).outcomes == ("lost", "forfeit", "won")


async def test_who_never_played_has_no_past(store: Store) -> None:
    assert await store.past(GUILD, ANN) == Past()


# --- the history of a server


async def ended(
    store: Store, number: int, hours: int, *people: int, hands: tuple[FinishedHand, ...] = ()
) -> None:
    standings = tuple(
        MatchStanding(user, seat, 9 - seat, 1, "lost" if seat else "won") for seat, user in enumerate(people)
    )
    record = replace(making.table(number), updated_at=NOW + timedelta(hours=hours))
    seats = making.seats(number, [(user, f"P{user % 10}") for user in people])
    match = FinishedMatch("won", standings, {"length": 1})
    assert await store.submit(Save(table=record, seats=seats, hands=hands, match=match))


async def tables(store: Store, reader: int, channels: list[int], **page: int) -> list[int]:
    return [kept.table_id for kept in await store.history(GUILD, reader, channels, **page)]


async def test_matches_are_read_newest_first_and_page_by_page(store: Store) -> None:
    for number, hours in ((1, 5), (2, 1), (3, 5), (4, 9)):
        await ended(store, number, hours, ANN, BOB)
    assert await tables(store, ANN, []) == [4, 3, 1, 2], "their own, wherever they were"
    assert await tables(store, ANN, [], limit=2) == [4, 3]
    assert await tables(store, ANN, [], before=3) == [1, 2]
    assert await tables(store, ANN, [], before=2) == []
    assert await tables(store, ANN, [], before=99) == []
    assert await tables(store, CAT, []) == []
    assert await tables(store, CAT, [70_002, 70_004]) == [4, 2]
    assert await store.history(GUILD + 1, ANN, [70_001]) == []


async def test_a_match_is_kept_with_its_people_and_the_line_of_each_hand(store: Store) -> None:
    hands = (
        making.finished_hand((ANN, 30, True), (BOB, 0, False)),
        making.finished_hand((ANN, 0, False), (BOB, 0, False), hand_no=2),
    )
    await ended(store, 1, 0, ANN, BOB, hands=hands)
    kept = await store.kept_match(1, GUILD, CAT, [70_001])
    assert kept is not None
    assert [standing.user_id for standing in kept.match.standings] == [ANN, BOB]
    assert [seat.name for seat in kept.seats] == ["P1", "P2"]
    assert kept.match.options == {"length": 1}
    assert kept.hands == (HandLine(1, 0, 30), HandLine(2, None, 0))
    assert await store.kept_match(1, GUILD, CAT, []) is None
    assert await store.kept_match(1, GUILD + 1, ANN, [70_001]) is None


async def test_a_match_that_is_on_is_not_kept(store: Store) -> None:
    await play(store, 1, (ANN, 30, True), (BOB, 0, False))
    assert await store.history(GUILD, ANN, [70_001]) == []
    assert await store.kept_match(1, GUILD, ANN, [70_001]) is None
