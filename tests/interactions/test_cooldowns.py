"""How many presses of one person are let in, and when they are told."""

from datetime import UTC, datetime, timedelta

import pytest

from bot.interactions import cooldowns
from bot.interactions.cooldowns import Cooldowns, Verdict
from bot.model.errors import Problem, UserError

ANN, BOB = 1, 2


class Clock:
    def __init__(self) -> None:
        self.now = datetime(2026, 1, 1, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now

    def move(self, seconds: float) -> None:
        self.now += timedelta(seconds=seconds)


@pytest.fixture
def clock() -> Clock:
    return Clock()


def three_a_second(clock: Clock, *, start_pause: float = 0, share_pause: float = 0) -> Cooldowns:
    return Cooldowns(burst=10, pause=1 / 3, start_pause=start_pause, share_pause=share_pause, now=clock)


def verdicts(limits: Cooldowns, user_id: int, number: int) -> list[Verdict]:
    return [limits.ask(user_id) for _ in range(number)]


def test_a_burst_is_let_in_and_what_comes_on_top_is_told_once(clock: Clock) -> None:
    limits = three_a_second(clock)
    found = verdicts(limits, ANN, 13)
    assert found == [Verdict.FINE] * 10 + [Verdict.TOO_FAST] + [Verdict.TOLD_ALREADY] * 2
    assert limits.ask(BOB) is Verdict.FINE, "nobody else is slowed down"


def test_three_a_second_can_go_on_for_ever(clock: Clock) -> None:
    limits = three_a_second(clock)
    for _ in range(100):
        clock.move(0.34)
        assert limits.ask(ANN) is Verdict.FINE


def test_a_flood_that_goes_on_is_told_once_and_let_in_three_times_a_second(clock: Clock) -> None:
    limits = three_a_second(clock)
    found = []
    for _ in range(200):
        found.append(limits.ask(ANN))
        clock.move(0.1)
    assert found.count(Verdict.TOO_FAST) == 1
    assert 60 <= found.count(Verdict.FINE) <= 71


def test_whoever_has_calmed_down_is_told_anew(clock: Clock) -> None:
    limits = three_a_second(clock)
    verdicts(limits, ANN, 12)
    clock.move(10)
    assert verdicts(limits, ANN, 11)[9:] == [Verdict.FINE, Verdict.TOO_FAST]


def test_without_a_pause_there_is_no_limit(clock: Clock) -> None:
    limits = Cooldowns(burst=1, pause=0, start_pause=0, now=clock)
    assert set(verdicts(limits, ANN, 1000)) == {Verdict.FINE}
    for _ in range(3):
        limits.start(ANN)


def test_a_person_opens_a_table_once_in_a_while(clock: Clock) -> None:
    limits = three_a_second(clock, start_pause=5)
    limits.start(ANN)
    limits.start(BOB)
    clock.move(4.9)
    with pytest.raises(UserError) as refused:
        limits.start(ANN)
    assert refused.value.problem is Problem.START_TOO_SOON
    clock.move(0.1)
    limits.start(ANN)


def test_a_channel_has_a_picture_once_in_a_while(clock: Clock) -> None:
    limits = three_a_second(clock, share_pause=30)
    limits.share(7)
    limits.share(8)
    clock.move(29.9)
    with pytest.raises(UserError) as refused:
        limits.share(7)
    assert refused.value.problem is Problem.SHARED_TOO_SOON
    clock.move(0.1)
    limits.share(7)


def test_people_of_long_ago_are_forgotten(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cooldowns, "_MANY", 3)
    limits = three_a_second(clock, start_pause=5, share_pause=5)
    for user_id in range(100):
        verdicts(limits, user_id, 11)
        limits.start(user_id)
        limits.share(user_id)
        clock.move(10)
    assert max(map(len, (limits._full, limits._free, limits._told, limits._shared))) <= 3
