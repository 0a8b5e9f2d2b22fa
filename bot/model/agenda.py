"""What is due at a table, and when: worked out from its state and the time, and from nothing else.

Pure. Knows what computer players want and whom a table waits for, not the store and not discord.
docs/rules.md, The clock; Time-outs; Autopilot.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import Enum
from typing import Final

from bot.model.computers import catcher, haste, jumper
from bot.model.state import State
from bot.settings import Settings
from engine.awaiting import NO_SEAT, Awaiting

#: How long a player presses nothing until the bot asks whether they are still on the server: a quarter of the
#: turn time, but at least so long, and with the clock off so long.
LEAST_SILENCE: Final = timedelta(seconds=10)
SILENCE: Final = timedelta(seconds=30)


class Due(Enum):
    """What the clock does at a table."""

    CLOSE_LOBBY = "close_lobby"
    END_IDLE = "end_idle"
    RESUME = "resume"
    DEAL = "deal"
    CATCH = "catch"
    JUMP_IN = "jump_in"
    COMPUTER = "computer"
    TIME_OUT = "time_out"


#: What computers do; it costs nobody anything if it comes late.
BY_COMPUTERS: Final = frozenset({Due.CATCH, Due.JUMP_IN, Due.COMPUTER})


@dataclass(frozen=True, slots=True)
class Pace:
    """How long the clock waits for what; a turn's own time is the table's."""

    computer: timedelta
    uno: timedelta
    item_shown: timedelta
    item_unseen: timedelta
    grace: timedelta
    next_hand: timedelta
    lobby: timedelta
    idle: timedelta
    pause: timedelta
    away: timedelta
    no_nudge: timedelta

    @classmethod
    def of(cls, settings: Settings) -> Pace:
        """Read the times from the settings."""
        return cls(
            computer=timedelta(seconds=settings.computer_pause),
            uno=timedelta(seconds=settings.computer_uno_pause),
            item_shown=timedelta(seconds=settings.item_shown_pause),
            item_unseen=timedelta(seconds=settings.item_unseen_pause),
            grace=timedelta(seconds=settings.catch_grace),
            next_hand=timedelta(seconds=settings.next_hand_time),
            lobby=timedelta(seconds=settings.lobby_time),
            idle=timedelta(seconds=settings.idle_time),
            pause=timedelta(seconds=settings.longest_break),
            away=timedelta(seconds=settings.away_time),
            no_nudge=timedelta(seconds=settings.no_nudge_up_to),
        )


@dataclass(frozen=True, slots=True)
class Shown:
    """What an item did at `item_at` is on screen since `at`."""

    item_at: datetime
    at: datetime


def held_until(state: State, pace: Pace, shown: Shown | None) -> datetime | None:
    """Return until when computers let everybody see what an item did; None if there is nothing to see.

    `shown` is what is on screen, as far as that is known (docs/rules.md, Computer players).
    """
    item_at = state.clock.item_at
    if item_at is None:
        return None
    if shown is not None and shown.item_at == item_at:
        return shown.at + pace.item_shown
    return item_at + pace.item_unseen


def shown_until(state: State, pace: Pace) -> datetime | None:
    """Tell until when the table waits for a turn or for somebody to deal; None if for ever."""
    match = state.match
    if match is None or state.ended is not None or state.clock.paused_at is not None:
        return None
    if match.awaiting is Awaiting.DEAL:
        return state.clock.full_at + pace.next_hand
    if match.turn == NO_SEAT or state.options.turn_time is None or state.computer_plays(match.turn):
        return None
    return state.clock.full_at + timedelta(seconds=state.options.turn_time)


def shown_since(state: State) -> datetime | None:
    """Tell since when the table waits for a person whose turn has no time limit; None if it does not."""
    match = state.match
    if match is None or state.ended is not None or state.clock.paused_at is not None:
        return None
    if match.awaiting is Awaiting.DEAL or match.turn == NO_SEAT or state.computer_plays(match.turn):
        return None
    return state.clock.full_at if state.options.turn_time is None else None


def agenda(state: State, pace: Pace, shown: Shown | None = None) -> list[tuple[datetime, Due]]:
    """List what is due at a table and when, the earliest first; `shown` is the item on screen."""
    held = held_until(state, pace, shown)
    entries = _agenda(state, pace)
    if held is not None:
        entries = ((max(at, held) if what in BY_COMPUTERS else at, what) for at, what in entries)
    return sorted(entries, key=lambda entry: entry[0])


def _agenda(state: State, pace: Pace) -> Iterator[tuple[datetime, Due]]:
    match = state.match
    if state.ended is not None:
        return
    if state.clock.paused_at is not None:
        yield state.clock.paused_at + pace.pause, Due.RESUME
        return
    if match is None:
        yield state.clock.acted_at + pace.lobby, Due.CLOSE_LOBBY
        return
    yield state.clock.acted_at + pace.idle, Due.END_IDLE
    if match.awaiting is Awaiting.DEAL:
        yield state.clock.full_at + pace.next_hand, Due.DEAL
    elif match.turn != NO_SEAT:
        yield from _out_of_turn(state, pace)
        if state.computer_plays(match.turn):
            yield _answers_at(state, pace, match.turn), Due.COMPUTER
        elif (limit := state.options.turn_time) is not None:
            yield state.clock.full_at + timedelta(seconds=limit), Due.TIME_OUT


def _out_of_turn(state: State, pace: Pace) -> Iterator[tuple[datetime, Due]]:
    """List when computer players catch somebody, and when they jump in."""
    if state.clock.played_at is not None and catcher(state) is not None:
        yield state.clock.played_at + max(pace.uno, pace.grace), Due.CATCH
    if (seat := jumper(state)) is not None:
        yield _answers_at(state, pace, seat), Due.JUMP_IN


def _answers_at(state: State, pace: Pace, seat: int) -> datetime:
    """Find when the computer answers for a seat: those who may catch have their time first.

    A computer player hesitates now longer, now shorter.
    """
    assert state.match is not None
    alike = state.seating.people[seat].cpu is None
    at = state.clock.began_at + (pace.computer if alike else pace.computer * haste(state, seat))
    if state.match.game.owed != NO_SEAT and state.clock.played_at is not None:
        at = max(at, state.clock.played_at + pace.uno)
    return at


def nudge_at(state: State, pace: Pace, seen: datetime | None, *, here: bool = False) -> datetime | None:
    """Return when the player a table waits for is to be nudged; None for no nudge in this decision.

    `seen` is when they last pressed anything, None if their hand cannot be refreshed: then they are called at
    once. Nobody is nudged who is `here`: who has pressed anything in this turn.
    """
    match = state.match
    if match is None or state.ended is not None or state.clock.paused_at is not None or match.turn == NO_SEAT:
        return None
    if (
        match.awaiting is Awaiting.DEAL
        or state.computer_plays(match.turn)
        or state.clock.nudged == match.decision
    ):
        return None
    if here:
        return None
    if seen is None:
        return state.clock.full_at
    full = None if state.options.turn_time is None else timedelta(seconds=state.options.turn_time)
    if full is not None and full <= pace.no_nudge:
        return None
    if state.clock.full_at - seen >= pace.away:
        return state.clock.full_at
    return None if full is None else state.clock.full_at + full / 2


def ask_after(state: State, seen: datetime | None) -> datetime | None:
    """Return when to ask whether the player a table waits for is still on the server; None for never.

    `seen` is when they last pressed anything, None if that is unknown.
    """
    match = state.match
    if match is None or state.ended is not None or state.clock.paused_at is not None or match.turn == NO_SEAT:
        return None
    if match.awaiting is Awaiting.DEAL or state.computer_plays(match.turn):
        return None
    limit = state.options.turn_time
    silence = SILENCE if limit is None else max(LEAST_SILENCE, timedelta(seconds=limit / 4))
    return (state.clock.full_at if seen is None else max(state.clock.full_at, seen)) + silence
