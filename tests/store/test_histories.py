"""What is kept of one person's past."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

from bot.store import FinishedHand, FinishedMatch, MatchStanding, Save, Store
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
