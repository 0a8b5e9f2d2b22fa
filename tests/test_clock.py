"""The time the bot goes by."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import structlog

from bot.clock import SteadyClock

START = datetime(2026, 1, 1, tzinfo=UTC)


class Machine:
    """A machine whose clock can be set."""

    def __init__(self) -> None:
        self.wall = START
        self.passed = 100.0

    def wait(self, seconds: float) -> None:
        self.wall += timedelta(seconds=seconds)
        self.passed += seconds

    def clock(self) -> SteadyClock:
        return SteadyClock(lambda: self.wall, lambda: self.passed)


def test_time_passes() -> None:
    machine = Machine()
    clock = machine.clock()
    machine.wait(90)
    assert clock() == START + timedelta(seconds=90)


def test_a_clock_that_is_set_moves_nothing_and_is_told_once() -> None:
    for jump in (timedelta(days=1), timedelta(days=-1)):
        machine = Machine()
        clock = machine.clock()
        with structlog.testing.capture_logs() as lines:
            machine.wall += jump
            machine.wait(3)
            assert clock() == START + timedelta(seconds=3)
            machine.wait(3)
            assert clock() == START + timedelta(seconds=6)
        assert [line["event"] for line in lines] == ["machine_clock_was_set"]
        assert lines[0]["seconds"] == jump.total_seconds()


def test_a_clock_that_is_nudged_into_place_is_not_worth_a_line() -> None:
    machine = Machine()
    clock = machine.clock()
    with structlog.testing.capture_logs() as lines:
        machine.wall += timedelta(seconds=1)
        clock()
    assert lines == []
