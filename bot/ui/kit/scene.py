"""What a screen of a table shows beside its view. May import `engine.events`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import Enum

from engine.events import Event


class Hindrance(Enum):
    """Why the bot cannot keep a table up to date."""

    PERMISSIONS = "permissions"
    NOT_LET_IN = "not_let_in"
    LOCKED = "locked"
    TIMED_OUT = "timed_out"


@dataclass(frozen=True, slots=True)
class Vote:
    """A vote to remove a seat: how many want it, and how many are needed."""

    seat: int
    got: int
    needed: int


@dataclass(frozen=True, slots=True)
class Computer:
    """A computer player: its seat, its name without the robot, and its level."""

    seat: int
    name: str
    level: str


@dataclass(frozen=True, slots=True)
class Scene:
    """One table as its screens show it. Names are raw, seats are numbers."""

    table: int
    #: The players' names, by seat.
    names: tuple[str, ...]
    #: The host's seat.
    host: int | None = None
    #: The public versions of the last events, oldest first.
    recent: tuple[Event, ...] = ()
    #: When the time is up for what the table waits for; None if it waits for ever.
    until: datetime | None = None
    #: Since when the table waits for a person, where there is no time limit.
    since: datetime | None = None
    #: Whether the clock is stopped.
    paused: bool = False
    #: The names of newcomers who play from the next hand on, and whether more may come.
    waiting: tuple[str, ...] = ()
    may_join: bool = False
    votes: tuple[Vote, ...] = ()
    #: Seats on autopilot whose people are back.
    woken: frozenset[int] = frozenset()
    #: Whether the bot says UNO for everybody.
    calls_uno: bool = False
    #: Seats that were removed by others.
    removed: frozenset[int] = frozenset()
    #: For each host that left, the seat that became host.
    heirs: Mapping[int, int] = field(default_factory=dict)
    #: Whether another hand may follow.
    another_hand: bool = False
    computers: tuple[Computer, ...] = ()
    #: Seats that change hands at the next deal, each with the name of the person who takes over.
    successors: tuple[tuple[int, str], ...] = ()
    #: Seats that are offered, each with the name of the person who may take over.
    offers: tuple[tuple[int, str], ...] = ()
    #: The seat that has played a Wild Item Box, while the card it turns over is not shown yet.
    opens: int | None = None
    #: Seats in their first match.
    learning: frozenset[int] = frozenset()
    #: What touched each seat since its last turn: the public versions of events, oldest first.
    touched: Mapping[int, tuple[Event, ...]] = field(default_factory=dict)
    #: Seats that have had a turn in this match.
    had_turn: frozenset[int] = frozenset()
    #: Seats whose people read cards as words, not as pictures.
    in_words: frozenset[int] = frozenset()
    #: Whether what happened is kept, so that it can be looked up and played again.
    recorded: bool = True
    #: Why the table cannot be kept up to date, if it cannot.
    hindrance: Hindrance | None = None
