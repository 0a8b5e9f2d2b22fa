"""What the tests of the tables share: people who click, a table at any point, positions put on it."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from bot.model.agenda import Pace
from bot.model.errors import Problem, UserError
from bot.settings import Settings
from bot.tables import Click, Options, Table, Tables
from engine.actions import Play
from engine.cards import CARD_OF_CODE
from engine.match import Match
from engine.notation import read_scenario

START = datetime(2026, 1, 1, tzinfo=UTC)
GUILD, CHANNEL = 11, 22
PACE = Pace.of(Settings(_env_file=None))


class Somebody:
    """Clicks for people, each click a new interaction a second after the last."""

    def __init__(self) -> None:
        self.now = START
        self.last = 1000

    def __call__(self, user_id: int, *, name: str = "", wait: float = 1.0) -> Click:
        self.now += timedelta(seconds=wait)
        self.last += 1
        return Click(self.last, user_id, name or f"user {user_id}", self.now)


async def restored(tables: Tables, now: datetime) -> Tables:
    """Let a bot that has just started bring back all tables."""
    await tables.load(now)
    await tables.restore([idle.id for idle in tables.idle()], now)
    return tables


async def lobby(tables: Tables, by: Somebody, players: int = 3, **how: Any) -> Table:
    table = await tables.open_lobby(GUILD, CHANNEL, by(1), Options(**how))
    for user in range(2, players + 1):
        await tables.join(table, by(user))
    return table


async def playing(tables: Tables, by: Somebody, players: int = 3, **how: Any) -> Table:
    table = await lobby(tables, by, players, **how)
    await tables.start(table, by(1))
    return table


def put(table: Table, **position: Any) -> Match:
    """Put a position on a table, in place of the hand dealt."""
    names = [f"s{seat}" for seat in range(len(table.state.seating.people))]
    position.setdefault("draw", ["G1", "G2", "G3", "G4", "G5", "G6", "G7", "G8"])
    old = table.state.match
    assert old is not None
    match = read_scenario({"players": names, "position": position}).match
    match.rules, match.length = old.rules, old.length
    match.game.rules = old.rules
    match.game.decision = old.decision + 1
    table.state.match = match
    return match


async def owing(tables: Tables, by: Somebody) -> Table:
    """Give a table whose first seat owes a UNO."""
    table = await playing(tables, by)
    hands = {"s0": ["R1", "B2"], "s1": ["B1", "B3"], "s2": ["B2", "B4"]}
    match = put(table, hands=hands, discard=["R9"], turn="s0")
    await tables.act(table, by(1), (Play(CARD_OF_CODE["R1"]),), match.decision)
    return table


def holder(table: Table) -> tuple[int, Match]:
    """Give the user the table waits for, and the match."""
    match = table.state.match
    assert match is not None
    return table.state.seating.people[match.turn].user_id, match


async def refused(problem: Problem, work: Any) -> None:
    with pytest.raises(UserError) as caught:
        await work
    assert caught.value.problem is problem
