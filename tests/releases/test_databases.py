"""The database that a release has left is opened, read and played on by this one."""

import asyncio
import random
import re
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from bot.model.agenda import Pace
from bot.model.guild_settings import read_guild_settings
from bot.settings import Settings
from bot.store import Store
from bot.tables import Click, Table, Tables
from bot.tables.outages import Outages
from engine.actions import DEAL, Draw, Keep
from engine.awaiting import NO_SEAT, Awaiting
from tests.discord.clicking import Screen
from tests.releases.memory import Memory, Opened, Press
from tests.releases.telling import contains, told
from tests.tables.sitting import restored

Open = Callable[..., Awaitable[Opened]]

#: Long after the bot was stopped: everything is overdue, and no token reaches anything.
YEARS = timedelta(days=1000)
PACE = Pace.of(Settings(_env_file=None))


def shown(bot: Opened, channel: int) -> list[Screen]:
    return [screen for screen in bot.world.room(channel).screens() if screen.custom_ids]


# --- opening it


@pytest.mark.parametrize("later", [timedelta(seconds=5), YEARS], ids=["soon", "years later"])
async def test_a_start_brings_every_table_back(
    memory: Memory, opened: Open, tmp_path: Path, later: timedelta
) -> None:
    bot = await opened(database=memory.load(tmp_path / "as it was left.sqlite3"), later=later)
    live = sorted(bot.bot.tables.live(), key=lambda table: table.id)
    assert [[table.id, table.channel_id] for table in live] == memory.kept["alive"]
    people = [
        [table.id, each.user_id, each.name, each.cpu] for table in live for each in table.state.seating.people
    ]
    assert people == memory.kept["seats"]
    states = dict(memory.kept["states"])
    for table in live:
        assert contains(told(table.state), states[table.id]), table.id
    awaited = {table.state.match.awaiting for table in live if table.state.match is not None}
    assert awaited == set(Awaiting) - {Awaiting.OVER}


async def test_a_match_whose_end_was_not_shown_is_shown_and_put_away(memory: Memory, opened: Open) -> None:
    bot = await opened()
    over = memory.tables["over"]
    (table,) = shown(bot, next(press.channel for press in memory.presses if press.table == over))
    assert table.has("Rematch")
    assert over not in {table.id for table in await bot.bot.store.live_tables()}


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
    user = live.state.seating.people[after.turn].user_id
    assert user is not None
    return bot.world.room(live.channel_id).read(bot.world.private(live.channel_id, user))


# --- playing on


async def test_every_table_is_played_on_to_the_end(memory: Memory, store: Store) -> None:
    """By legal actions alone, and with what was promised in it: seats handed over, newcomers, offers."""
    tables = Tables(store, PACE, Outages(), save_timeout=60.0, catch_grace=PACE.grace.total_seconds())
    now = memory.places.left_at + timedelta(seconds=5)
    await restored(tables, now)
    alive = list(tables.live())
    ends = await asyncio.gather(*(Somebody(tables, table, now).play() for table in alive))
    assert set(ends) == {"won"}
    assert list(tables.live()) == []
    for table in alive:
        place = {"guild_id": table.guild_id, "channel_id": table.channel_id}
        played = await store.played(table.id, **place)
        assert played is not None
        assert played.options == table.state.options.written()


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
        name = next(
            (person.name for person in self.table.state.seating.people if person.user_id == user), "Somebody"
        )
        return Click(self.clicks, user, name, self.now)

    async def play(self) -> str | None:
        tables, table = self.tables, self.table
        if table.state.match is None:
            if len(table.state.seating.people) < 2:
                known = (*table.state.seating.absent, *table.state.seating.invited)
                await tables.join(table, self.click(known[0].user_id if known else 1))
            await tables.start(
                table, self.click(table.state.seating.people[table.state.seating.host].user_id)
            )
        if table.state.clock.paused_at is not None:
            await tables.pause(
                table, self.click(table.state.seating.people[table.state.seating.host].user_id), stop=False
            )
        for _ in range(3000):
            if table.state.ended is not None:
                return table.state.ended
            await self.step()
        raise AssertionError(f"table {table.id} is never over")

    async def step(self) -> None:
        match = self.table.state.match
        assert match is not None
        if match.turn != NO_SEAT and self.table.state.computer_plays(match.turn):
            due = self.tables.next_due(self.table.state)
            assert due is not None
            self.now = max(self.now, due[0])
            assert await self.tables.tick(self.table, self.now) is not None
            return
        people = self.table.state.seated_people
        seat = self.dice.choice(list(people)) if match.turn == NO_SEAT else match.turn
        answers = match.legal_actions(seat)
        active = [answer for answer in answers if not isinstance(answer, Draw | Keep)]
        action = self.dice.choice(active or answers)
        assert (action is DEAL) == (match.awaiting is Awaiting.DEAL)
        await self.tables.act(self.table, self.click(people[seat]), [action])


# --- matches that are over


async def test_a_match_that_is_over_is_looked_at_and_played_again(memory: Memory, opened: Open) -> None:
    (won,) = memory.kept["won"]
    bot = await opened()
    (answer,) = await bot.press([pressed(memory, "won", "details")])
    assert all(memory.places.people[person] in answer.text for person in won["people"])
    assert f"{won['points']}" in answer.text
    (answer,) = await bot.press([pressed(memory, "won", "again")])
    table = bot.bot.tables.in_channel(won["channel"])
    assert table is not None
    assert contains(table.state.options.written(), won["options"])
    assert [person.user_id for person in table.state.seating.again] == won["people"]


async def test_the_leaderboard_counts_what_was_played(memory: Memory, store: Store) -> None:
    leaders = memory.kept["leaders"]
    assert leaders
    for guild in memory.places.guilds:
        found = [
            [guild, row.rank, row.user_id, row.name, row.points, row.hands_won, row.hands]
            for row in (await store.board(guild, limit=100)).lines
        ]
        # Who is equal stands in whatever order.
        assert sorted(found) == sorted(leader for leader in leaders if leader[0] == guild)


# --- what was chosen


async def test_settings_of_servers_are_as_they_were(memory: Memory, store: Store) -> None:
    settings = dict(memory.kept["settings"])
    assert sum(1 for each in settings.values() if each) == 1
    for guild, then in settings.items():
        assert contains(read_guild_settings(await store.guild_settings(guild)).written(), then)


async def test_wishes_and_facts_are_as_they_were(memory: Memory, store: Store) -> None:
    wishes, facts = dict(memory.kept["wishes"]), dict(memory.kept["facts"])
    assert {"always", "away", "never"} <= set(wishes.values())
    assert {user: await store.nudges(user) for user in wishes} == wishes
    assert facts
    assert {key: await store.fact(key) for key in facts} == facts


def pressed(memory: Memory, table: str, verb: str) -> Press:
    """Return the press of a button of a table, by the first who pressed it."""
    return next(
        press
        for press in memory.presses
        if press.table == memory.tables[table] and press.custom_id.split(":")[3] == verb
    )
