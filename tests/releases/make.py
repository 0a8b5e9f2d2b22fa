"""Make the memory of a release: `python -m tests.releases.make VERSION`, run on the code that is released.

It plays the tables of `tables` by that code and keeps its database, and every custom_id that its screens can
make, in a folder named for the version.
"""

import argparse
import asyncio
import sqlite3
import tempfile
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from unittest.mock import patch

from bot.model.seating import Person
from bot.model.snapshot import restore
from bot.model.state import State
from bot.store import Store, StoredTable, migrate
from engine.awaiting import NO_SEAT
from tests.discord.clicking import Screen
from tests.discord.conftest import refused_errors
from tests.releases import tables
from tests.releases.exploring import Explorer, on_screen
from tests.releases.memory import Memory, Press, simulated, url_of
from tests.releases.stage import PEOPLE, Seeds, Stage
from tests.releases.telling import told
from tests.releases.world import Places, Token, World

#: Numbers of servers, channels and people, far from those that the simulated Discord gives.
_GUILD, _CHANNEL, _PERSON = 900_000_000_000_000_001, 300_000_000_000_000_001, 200_000_000_000_000_001


def places() -> tuple[Places, dict[str, int]]:
    """Make the places of a memory, and say which channel has which name."""
    channels = {name: _CHANNEL + number for number, name in enumerate(tables.CHANNELS)}
    people = {_PERSON + number: name for number, name in enumerate(PEOPLE.values())}
    return (
        Places(
            guilds={_GUILD: "en-US", _GUILD + 1: "de", _GUILD + 2: "en-GB"},
            channels={key: (_GUILD + tables.ELSEWHERE.get(name, 0), None) for name, key in channels.items()},
            people=people,
            managers=[_PERSON + list(PEOPLE).index("Mia")],
        ),
        channels,
    )


async def play(
    version: str, database: Path, scenes: Callable[[Stage], Awaitable[None]] = tables.play
) -> tuple[Memory, list[Press]]:
    """Play tables, by default all; returns what there is then, and what can be pressed on what is shown."""
    seeds = Seeds()
    with patch("bot.tables.draft.secrets", seeds.stand_in):
        simulation = simulated(database)
        there, channels = places()
        stage = Stage(World(simulation, there), seeds, channels)
        people = dict(zip(PEOPLE, there.people, strict=True))
        simulation.locales |= {people["Bob"]: "de", people["Ivy"]: "pt-BR"}
        await simulation.start()
        await scenes(stage)
        sql = dump(database)
        shown = list(_shown(stage))
        there.tokens, there.left_at = _tokens(database), simulation.now()
        await simulation.close()
    return Memory(version, sql, there, stage.tables), shown


def dump(database: Path) -> str:
    """Write a database as SQL."""
    connection = sqlite3.connect(database)
    try:
        return "\n".join(connection.iterdump()) + "\n"
    finally:
        connection.close()


def _tokens(database: Path) -> list[Token]:
    """List the tokens that are not too old to be kept."""
    connection = sqlite3.connect(database)
    kept = connection.execute("SELECT token, user_id, channel_id, message_id, issued_at FROM tokens")
    found = [Token(*token, datetime.fromisoformat(at).replace(tzinfo=UTC)) for *token, at in kept]
    connection.close()
    return found


def _shown(stage: Stage) -> Iterator[Press]:
    """List what can be pressed on all messages that are there: on private ones by their reader."""
    backend = stage.world.simulation.backend
    stranger = list(stage.world.places.people)[-1]
    for channel in stage.world.places.channels:
        for key, message in sorted(backend.messages[channel].items()):
            screen = stage.world.room(channel).read(key)
            if message.is_ephemeral:
                reader = int(message.interaction_metadata["user"]["id"])
                yield from on_screen(screen, reader, stranger, alone=True)
                continue
            stage.world.places.messages[key] = channel
            for person in _pressers(stage, screen):
                yield from on_screen(screen, person, stranger, alone=False)


def _pressers(stage: Stage, screen: Screen) -> list[int]:
    """Choose who tries a public message: the one waited for, another player, whoever may come, a stranger."""
    people = stage.world.places.people
    tables = {int(custom_id.split(":")[1]) for custom_id in screen.custom_ids}
    chosen = []
    for live in (table for table in stage.bot.tables.live() if table.id in tables):
        state = live.state
        first = state.seating.host if state.match is None or state.match.turn == NO_SEAT else state.match.turn
        seated = [*state.seating.people[first:], *state.seating.people[:first]]
        coming = [*state.seating.offers.values(), *state.seating.absent, *state.seating.invited]
        chosen = [person.user_id for person in (*seated[:2], *coming) if person.user_id in people]
    return [*dict.fromkeys([*(chosen or list(people)[:1]), list(people)[-1]])]


async def kept(memory: Memory, store: Store) -> dict[str, list[Any]]:
    """Read from the database what a later release is to find in it, whatever form it has then."""
    places = memory.places
    alive = sorted(
        (stored for stored in await store.stored_tables() if stored.table.id != memory.tables["over"]),
        key=lambda stored: stored.table.id,
    )
    return {
        "alive": [[stored.table.id, stored.table.channel_id] for stored in alive],
        "seats": [
            [seat.table_id, seat.user_id, seat.name, seat.cpu] for stored in alive for seat in stored.seats
        ],
        "states": [[stored.table.id, told(_state(stored))] for stored in alive],
        "settings": [[guild, await store.guild_settings(guild)] for guild in places.guilds],
        "wishes": [[person, await store.nudges(person)] for person in places.people],
        "facts": [[key, await store.fact(key)] for key in ("commands_hash",)],
        "leaders": [
            [guild, row.rank, row.user_id, row.name, row.points, row.hands_won, row.hands]
            for guild in places.guilds
            for row in (await store.board(guild, limit=100)).lines
        ],
        "won": [await _won(memory, store)],
    }


def _state(stored: StoredTable) -> State:
    people = [Person(seat.user_id, seat.name, seat.cpu) for seat in stored.seats]
    return restore(stored.table.snapshot, people, stored.table.version)


async def _won(memory: Memory, store: Store) -> dict[str, Any]:
    """Describe a match that is over: who sat there, what was agreed on, and what its last hand scored."""
    table = memory.tables["won"]
    channel = next(press.channel for press in memory.presses if press.table == table)
    guild = memory.places.channels[channel][0]
    hand = await store.hand(table, 2, channel_id=channel)
    played = await store.played(table, guild_id=guild, channel_id=channel)
    assert hand is not None
    assert played is not None
    return {
        "channel": channel,
        "people": [seat.user_id for seat in await store.seats(table)],
        "options": played.options,
        "points": hand.points,
    }


async def make(version: str) -> None:
    """Make the memory of a version, in place of one that was made before."""
    with tempfile.TemporaryDirectory() as name, refused_errors():
        database = Path(name) / "lastlap.sqlite3"
        await asyncio.to_thread(migrate, url_of(database))
        memory, first = await play(version, database)
        database = await asyncio.to_thread(memory.migrated, Path(name) / "as it was left.sqlite3")
        explorer = Explorer(memory, database)
        await explorer.explore(first)
        await explorer.explore(explorer.unseen())
        memory = replace(memory, presses=tuple(explorer.found.values()))
        store = Store(url_of(database))
        replace(memory, kept=await kept(memory, store)).write()
        await store.close()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("version")
    asyncio.run(make(parser.parse_args().version))
