"""What a screen needs to know beside what the rules let one see. May import `engine.events`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from engine.events import Event


@dataclass(frozen=True, slots=True)
class Vote:
    """A vote to remove a seat: how many want it, and how many have to."""

    seat: int
    got: int
    needed: int


@dataclass(frozen=True, slots=True)
class Computer:
    """A computer player: its seat, its name without the mark, and its level."""

    seat: int
    name: str
    level: str


@dataclass(frozen=True, slots=True)
class Scene:
    """One table as screens draw it.

    `names` are raw, by seat; `host` is a seat; `recent` are the public versions of what happened last, oldest
    first. `until` is when the time for what the table waits for is up, `paused` whether the clock is stopped.
    `waiting` are the raw names of newcomers, `may_join` whether more of them may come. `woken` are seats on
    autopilot whose people are back. `calls_uno`: the bot says everybody's UNO. `removed` are seats
    that others took out, and `heirs` has for a host that left the seat that is host instead. `another_hand`:
    this may not be the last hand. `computers` are those seated. `successors` and `offers` are seats with the
    raw names of those who take them over at the next deal, or may. `opens` is the seat whose Wild Item Box
    lies there and has not been seen to turn a card over yet, `learning` are seats in their first match.
    """

    table: int
    names: tuple[str, ...]
    host: int | None = None
    recent: tuple[Event, ...] = ()
    until: datetime | None = None
    paused: bool = False
    waiting: tuple[str, ...] = ()
    may_join: bool = False
    votes: tuple[Vote, ...] = ()
    woken: frozenset[int] = frozenset()
    calls_uno: bool = False
    removed: frozenset[int] = frozenset()
    heirs: Mapping[int, int] = field(default_factory=dict)
    another_hand: bool = False
    computers: tuple[Computer, ...] = ()
    successors: tuple[tuple[int, str], ...] = ()
    offers: tuple[tuple[int, str], ...] = ()
    opens: int | None = None
    learning: frozenset[int] = frozenset()
