"""The database that a release has left is opened, read and played on by this one."""

import asyncio
import json
import random
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from bot.due import Pace
from bot.servers import read_server
from bot.settings import Settings
from bot.store import Store
from bot.tables import Click, Table, Tables
from engine.actions import DEAL, Draw, Keep
from engine.awaiting import NO_SEAT, Awaiting
from tests.discord.clicking import Screen
from tests.releases.memory import Memory, Opened, Press, url_of
from tests.releases.world import rows

Open = Callable[..., Awaitable[Opened]]

#: Long after the bot was stopped: everything is overdue, and no token reaches anything.
YEARS = timedelta(days=1000)
PACE = Pace.of(Settings(_env_file=None))


@pytest.fixture
async def store(database: Path) -> AsyncIterator[Store]:
    store = Store(url_of(database))
    await store.open()
    yield store
    await store.close()


def left_open(memory: Memory, path: Path) -> dict[int, int]:
    """Return the tables that the release has left alive, each with its channel."""
    alive = rows(path, "SELECT id, channel_id FROM tables WHERE closed_at IS NULL")
    return {row["id"]: row["channel_id"] for row in alive if row["id"] != memory.tables["over"]}


def shown(bot: Opened, channel: int) -> list[Screen]:
    return [screen for screen in bot.world.room(channel).screens() if screen.custom_ids]


# --- opening it


@pytest.mark.parametrize("later", [timedelta(seconds=5), YEARS], ids=["soon", "years later"])
async def test_a_start_brings_every_table_back(
    memory: Memory, opened: Open, tmp_path: Path, later: timedelta
) -> None:
    left = memory.load(tmp_path / "left.sqlite3")
    alive = left_open(memory, left)
    assert len(alive) > 30
    bot = await opened(database=left, later=later)
    assert {table.id: table.channel_id for table in bot.bot.tables.live()} == alive
    seats = rows(left, "SELECT table_id, user_id, name, cpu FROM seats ORDER BY table_id, seat")
    for table in bot.bot.tables.live():
        people = [(table.id, person.user_id, person.name, person.cpu) for person in table.state.people]
        assert people == [tuple(seat) for seat in seats if seat["table_id"] == table.id]
    awaited = {table.state.match.awaiting for table in bot.bot.tables.live() if table.state.match is not None}
    assert awaited == set(Awaiting) - {Awaiting.OVER}


async def test_a_match_whose_end_was_not_shown_is_shown_and_put_away(memory: Memory, opened: Open) -> None:
    bot = await opened()
    (channel,) = {press.channel for press in memory.presses if press.table == memory.tables["over"]}
    (table,) = shown(bot, channel)
    assert table.has("Rematch")
    (row,) = rows(bot.database, f"SELECT closed_at FROM tables WHERE id = {memory.tables['over']}")
    assert row["closed_at"] is not None


async def test_young_tokens_reach_hands(memory: Memory, opened: Open) -> None:
    bot = await opened()
    assert (await after_a_play(memory, bot)).has("Draw"), "the next player's hand has changed by itself"


async def test_old_tokens_do_no_harm(memory: Memory, opened: Open) -> None:
    bot = await opened(later=timedelta(minutes=20))
    assert (await after_a_play(memory, bot)).custom_ids == [], "it stays as it was"
    assert bot.simulation.calls("/webhooks/") == []


async def after_a_play(memory: Memory, bot: Opened) -> Screen:
    """Let the one whose turn it is lay a number; returns the hand of the next one, as they see it then."""
    live = bot.bot.tables.get(memory.tables["turn"])
    assert live is not None
    played = [press for press in memory.presses if press.table == live.id]
    number = next(
        press for press in played if re.search(":play:[RYGB][0-9]:$", press.custom_id) and press.moves
    )
    await bot.press([number])
    after = live.state.match
    assert after is not None
    user = live.state.people[after.turn].user_id
    assert user is not None
    return bot.world.room(live.channel_id).read(bot.world.private(live.channel_id, user))


# --- playing on


async def test_every_table_is_played_on_to_the_end(store: Store, database: Path) -> None:
    """By legal actions alone, and with what was promised in it: seats handed over, newcomers, offers."""
    tables = Tables(store, PACE, save_timeout=60.0, catch_grace=PACE.grace.total_seconds())
    now = max(record.updated_at for record, _ in await store.live_tables()) + timedelta(seconds=5)
    assert await tables.load(now) == []
    alive = list(tables.live())
    ends = await asyncio.gather(*(Somebody(tables, table, now).play() for table in alive))
    assert set(ends) == {"won"}
    assert list(tables.live()) == []
    finished = {row["table_id"] for row in rows(database, "SELECT * FROM matches")}
    assert {table.id for table in alive} <= finished


class Somebody:
    """Plays for all people at a table, and lets the time of its computer players pass."""

    def __init__(self, tables: Tables, table: Table, now: datetime) -> None:
        self.tables = tables
        self.table = table
        self.now = now
        self.dice = random.Random(table.id)
        self.clicks = table.id * 1_000_000

    def click(self, user: int | None) -> Click:
        assert user is not None
        self.clicks += 1
        self.now += timedelta(seconds=3)
        name = next((person.name for person in self.table.state.people if person.user_id == user), "Somebody")
        return Click(self.clicks, user, name, self.now)

    async def play(self) -> str | None:
        tables, table = self.tables, self.table
        if table.state.match is None:
            if len(table.state.people) < 2:
                known = (*table.state.absent, *table.state.invited)
                await tables.join(table, self.click(known[0].user_id if known else 1))
            await tables.start(table, self.click(table.state.people[table.state.host].user_id))
        if table.state.paused_at is not None:
            await tables.pause(table, self.click(table.state.people[table.state.host].user_id), stop=False)
        for _ in range(3000):
            if table.state.ended is not None:
                return table.state.ended
            await self.step()
        raise AssertionError(f"table {table.id} is never over")

    async def step(self) -> None:
        match = self.table.state.match
        assert match is not None
        if match.turn != NO_SEAT and self.table.state.computer_plays(match.turn):
            due = self.tables.next_due(self.table)
            assert due is not None
            self.now = max(self.now, due[0])
            assert await self.tables.tick(self.table, self.now) is not None
            return
        people = self.table.state.seated_people
        seat = self.dice.choice(list(people)) if match.turn == NO_SEAT else match.turn
        answers = match.legal_actions(seat)
        active = [answer for answer in answers if not isinstance(answer, Draw | Keep)]
        action = self.dice.choice(active or answers)
        assert action is DEAL or match.awaiting is not Awaiting.DEAL
        await self.tables.act(self.table, self.click(people[seat]), [action])


# --- matches that are over


async def test_a_match_that_is_over_is_looked_at_and_played_again(
    memory: Memory, opened: Open, database: Path
) -> None:
    number = memory.tables["won"]
    played = rows(database, f"SELECT * FROM match_players WHERE table_id = {number} ORDER BY seat")
    (match,) = rows(database, f"SELECT * FROM matches WHERE table_id = {number}")
    scores = rows(database, f"SELECT * FROM hand_scores WHERE table_id = {number} ORDER BY hand_no, seat")
    bot = await opened()
    channel = next(press.channel for press in memory.presses if press.table == number)
    names = [memory.places.people[player["user_id"]] for player in played]
    details, again = (pressed(memory, number, verb) for verb in ("details", "again"))
    (answer,) = await bot.press([details])
    last = [score for score in scores if score["hand_no"] == scores[-1]["hand_no"]]
    assert all(name in answer.text for name in names)
    assert str(max(score["points"] for score in last)) in answer.text
    (answer,) = await bot.press([again])
    table = bot.bot.tables.in_channel(channel)
    assert table is not None
    assert contains(table.state.terms.written(), json.loads(match["terms"]))
    assert [person.user_id for person in table.state.again] == [player["user_id"] for player in played]


async def test_the_leaderboard_counts_what_was_played(memory: Memory, store: Store, database: Path) -> None:
    counted = rows(
        database,
        "SELECT guild_id, user_id, sum(points) AS points, sum(won) AS won, count(*) AS hands FROM hand_scores"
        " WHERE ranked GROUP BY guild_id, user_id",
    )
    assert counted
    for guild in memory.places.guilds:
        found = {
            (guild, row.user_id, row.points, row.hands_won, row.hands_played)
            for row in await store.leaderboard(guild, 100)
        }
        assert found == {tuple(row) for row in counted if row["guild_id"] == guild}


# --- what was chosen


async def test_settings_of_servers_are_as_they_were(memory: Memory, store: Store, tmp_path: Path) -> None:
    kept = rows(memory.load(tmp_path / "left.sqlite3"), "SELECT * FROM servers")
    assert len(kept) > 1
    for row in kept:
        told = json.loads(row["settings"])
        assert contains(read_server(await store.server(row["guild_id"])).written(), told)


async def test_wishes_and_facts_are_as_they_were(memory: Memory, store: Store, tmp_path: Path) -> None:
    left = memory.load(tmp_path / "left.sqlite3")
    wishes = {row["user_id"]: row["nudges"] for row in rows(left, "SELECT * FROM wishes")}
    assert set(wishes.values()) == {"always", "away", "never"}
    assert {user: await store.nudges(user) for user in wishes} == wishes
    facts = {row["key"]: row["value"] for row in rows(left, "SELECT * FROM facts")}
    assert facts
    assert {key: await store.fact(key) for key in facts} == facts


def pressed(memory: Memory, table: int, verb: str) -> Press:
    return next(press for press in memory.presses if press.table == table and f":{verb}:" in press.custom_id)


def contains(now: Any, then: Any) -> bool:
    """Whether all that was said then is said now, and perhaps more."""
    if isinstance(then, dict):
        return isinstance(now, dict) and all(key in now and contains(now[key], then[key]) for key in then)
    return bool(now == then)
