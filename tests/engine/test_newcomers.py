"""A newcomer between two hands: docs/rules.md, Coming later; The deal."""

import pytest

from engine.actions import DEAL, DRAW, LEAVE, MOST_SEATS
from engine.awaiting import Awaiting
from engine.codec import decode, encode
from engine.errors import IllegalAction, Reason
from engine.events import HandDealt, HandStarted
from engine.match import Match
from engine.rules import Length, RuleSet


def between_hands(seats: int = 3) -> Match:
    match = Match(seats, RuleSet(), Length(hands=3), seed="newcomers")
    match.begin(0)
    while match.awaiting is not Awaiting.DEAL:
        match.apply(match.turn, match.legal_actions()[0])
    return match


def test_a_newcomer_sits_behind_the_last_with_no_points_and_is_dealt_in() -> None:
    match = between_hands()
    before = match.scores[:]
    assert match.add_seat() == 3
    assert match.scores == [*before, 0]
    assert match.invariants() == []
    assert decode(encode(match)) == match
    events = match.apply(0, DEAL)
    assert [event.seat for event in events if isinstance(event, HandDealt)] == [2, 3, 0, 1]
    assert match.invariants() == []
    assert len(match.game.hands[3]) == 7


def test_the_deal_moves_on_to_the_newcomer_and_round() -> None:
    match = between_hands()
    match.add_seat()
    dealers = [match.game.dealer]
    for _ in range(2):
        events = match.apply(match.game.seated()[0], DEAL)
        dealers += [event.dealer for event in events if isinstance(event, HandStarted)]
        while match.awaiting not in (Awaiting.DEAL, Awaiting.OVER):
            match.apply(match.turn, match.legal_actions()[0])
    assert dealers == [0, 1, 2]


def test_a_newcomer_may_deal_leave_and_win() -> None:
    match = between_hands(2)
    match.add_seat()
    match.apply(0, LEAVE)
    match.apply(1, LEAVE)
    assert match.winners == (2,)


@pytest.mark.parametrize("awaiting", [Awaiting.TURN, Awaiting.OVER])
def test_nobody_is_seated_at_another_time(awaiting: Awaiting) -> None:
    match = Match(2, seed="early")
    match.begin(0)
    if awaiting is Awaiting.OVER:
        match.apply(0, LEAVE)
    with pytest.raises(IllegalAction) as caught:
        match.add_seat()
    assert caught.value.reason is (Reason.MATCH_OVER if awaiting is Awaiting.OVER else Reason.NOT_NOW)
    assert len(match.scores) == 2
    with pytest.raises(IllegalAction):
        match.apply(0, DRAW) if awaiting is Awaiting.OVER else match.apply(0, DEAL)


def test_at_most_ten_seats_with_those_who_left() -> None:
    match = between_hands(9)
    match.apply(4, LEAVE)
    match.add_seat()
    with pytest.raises(ValueError, match="ten"):
        match.add_seat()
    assert len(match.scores) == MOST_SEATS


# --- a seat handed over


def test_a_seat_is_taken_over_without_its_time_outs() -> None:
    match = between_hands()
    match.game.streak[1] = 2
    scores = match.scores[:]
    match.hand_over(1)
    assert not match.game.on_autopilot(1)
    assert match.scores == scores
    assert match.invariants() == []


def test_a_seat_changes_hands_between_two_hands_only_and_not_once_it_has_left() -> None:
    match = between_hands()
    match.apply(1, LEAVE)
    with pytest.raises(IllegalAction) as caught:
        match.hand_over(1)
    assert caught.value.reason is Reason.LEFT
    match.apply(0, DEAL)
    with pytest.raises(IllegalAction) as caught:
        match.hand_over(0)
    assert caught.value.reason is Reason.NOT_NOW
    match.apply(2, LEAVE)
    with pytest.raises(IllegalAction) as caught:
        match.hand_over(0)
    assert caught.value.reason is Reason.MATCH_OVER
