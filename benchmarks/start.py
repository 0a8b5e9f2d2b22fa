"""How long a start takes with many live tables, and what an idle one takes: `python -m benchmarks.start`.

From the start of the process until a press is answered, at a table that was not in memory before. The floor
is `benchmarks.floor` on the same servers: what discord.py takes by itself. The bot without tables stands
between the two. Memory is what the process has resident once the press was answered.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import re
import sqlite3
import tempfile
import time
from contextlib import closing
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median

import discord

from benchmarks.clicks import SETTINGS, processor
from benchmarks.floor import Shapes
from bot.model.agenda import Pace
from bot.settings import Settings
from bot.store import Store, migrate
from bot.tables import Click, Options, Outages, Tables
from tests.loopback.answers import COMPONENT
from tests.loopback.application import Emoji
from tests.loopback.components import BUTTON
from tests.loopback.limits import UNLIMITED
from tests.loopback.process import BotProcess
from tests.loopback.screens import Screen
from tests.loopback.server import Loopback
from tests.loopback.world import COMPONENTS_V2, Channel, Member

#: Tables of one server.
IN_A_SERVER = 20
#: How many seconds apart they were changed last: an hour after that a table ends.
APART = 0.3
_WORDS = [{"type": 10, "content": "…"}]


@dataclass
class Started:
    """One start: seconds until a press was answered, processor seconds, and resident memory in KiB."""

    seconds: float
    processor: float
    memory: int


def resident(pid: int) -> int:
    """Return how much memory of a process is resident, in KiB (Linux)."""
    found = re.search(r"VmRSS:\s+(\d+)", Path(f"/proc/{pid}/status").read_text())
    assert found is not None
    return int(found[1])


class Servers:
    """A Discord with many servers, a channel for each table."""

    def __init__(self, loopback: Loopback, tables: int) -> None:
        self.loopback = loopback
        self.channels: list[Channel] = []
        for number in range(0, tables, IN_A_SERVER):
            guild = loopback.guild(f"Server {number}")
            self.channels += [guild.channel(f"uno-{nth}") for nth in range(IN_A_SERVER)]
        self.people: list[Member] = list(self.channels[-1].guild.join("Ann", "Bob", "Cem", "Dia"))

    async def start(self, bot: BotProcess, custom_id: str) -> Started:
        """Start a bot and press the button in the last channel until it is answered."""
        channel, member = self.channels[-1], self.people[0]
        message = channel.add(channel.guild.me, components=_WORDS, flags=COMPONENTS_V2, is_table=True)
        data = {"custom_id": custom_id.format(message.id), "component_type": BUTTON}
        began = time.perf_counter()
        await bot.start()
        pressed = self.loopback.interact(
            member, channel, COMPONENT, data, what="a press", source=message, seen=Screen(message).payload
        )
        await self.loopback.until(lambda: pressed.kind, "an answer", within=120)
        seconds = time.perf_counter() - began
        assert bot.pid is not None
        started = Started(seconds, processor(bot), resident(bot.pid))
        await bot.stop()
        return started


async def fill(folder: Path, servers: Servers) -> int:
    """Make a database in which a match of four is on in each channel; returns the number of the last one."""
    file = folder / "bot.db"
    url = f"sqlite+aiosqlite:///{file}"
    await asyncio.to_thread(migrate, url)
    store = Store(url)
    await store.open()
    pace = Pace.of(Settings(_env_file=None))
    tables = Tables(store, pace, Outages(), save_timeout=60.0, catch_grace=0.0)
    first, now = servers.channels[0], discord.utils.utcnow()
    people = [Click(number, each.id, each.name, now) for number, each in enumerate(servers.people, 1)]
    table = await tables.open_lobby(first.guild.id, first.id, people[0], Options(turn_time=None))
    for click in people[1:]:
        await tables.join(table, click)
    await tables.start(table, Click(9, people[0].user_id, people[0].name, now))
    await store.close()
    copies = [(nth, c.guild.id, c.id, nth * APART) for nth, c in enumerate(servers.channels) if nth]
    with closing(sqlite3.connect(file)) as database, database:
        database.executemany(
            "INSERT INTO tables (id, guild_id, channel_id, version, snapshot, updated_at, due_at, host_id)"
            " SELECT id + ?1, ?2, ?3, version, snapshot,"
            " datetime(updated_at, -?4 || ' seconds') || '.000000',"
            " datetime(due_at, -?4 || ' seconds') || '.000000', ?2 FROM tables WHERE id = 1",
            copies,
        )
        names = [(nth, c.id, c.id) for nth, c in enumerate(servers.channels)]
        database.executemany(
            "INSERT INTO screens SELECT 1 + ?1, ?2, ?3, updated_at, NULL, 0, 0, 0, '{}'"
            " FROM tables WHERE id = 1",
            names,
        )
        database.executemany(
            "INSERT INTO seats SELECT 1 + ?1, seat, user_id, name, cpu FROM seats WHERE table_id = 1",
            [(nth,) for nth, *_ in copies],
        )
        database.executemany(
            "INSERT INTO tokens SELECT 1 + ?1, user_id, 'token', NULL, ?2, 'en-US', datetime('now')"
            " || '.000000' FROM seats WHERE table_id = 1",
            [(nth, channel) for nth, channel, _ in names],
        )
    return len(servers.channels)


async def compare(folder: Path, tables: int, times: int) -> dict[str, list[Started]]:
    """Start all three in turns."""
    emojis: dict[int, Emoji] = {}
    loopback = Loopback(limits=UNLIMITED, emojis=emojis)
    await loopback.start()
    servers = Servers(loopback, tables)
    shapes = folder / "shapes.json"
    shapes.write_text(json.dumps(asdict(Shapes(_WORDS, _WORDS, _WORDS, 0.0, 0.0))))
    places = {name: folder / name for name in ("floor", "no tables", "tables")}
    for place in places.values():
        place.mkdir()
    last = await fill(places["tables"], servers)
    bots = {
        "floor": BotProcess(
            loopback, places["floor"], None, module="benchmarks.floor", FLOOR_SHAPES=str(shapes)
        ),
        "no tables": BotProcess(loopback, places["no tables"], None, **SETTINGS),
        "tables": BotProcess(loopback, places["tables"], None, **SETTINGS),
    }
    pressed = {"floor": "floor:{}", "no tables": "ll:1:0:rules::", "tables": f"ll:{last}:0:hand::"}
    await bots["no tables"].start()  # uploads the pictures, and makes its database
    await loopback.idle(1.0, within=120)
    await bots["no tables"].stop()
    runs: dict[str, list[Started]] = {name: [] for name in bots}
    for _ in range(times):
        for name, bot in bots.items():
            runs[name].append(await servers.start(bot, pressed[name]))
    await loopback.close()
    loopback.check()
    return runs


async def main(options: argparse.Namespace) -> None:
    """Measure, and print a line for each side."""
    with tempfile.TemporaryDirectory(prefix="benchmark-", dir=options.directory) as place:
        runs = await compare(Path(place), options.tables, options.times)
    print(f"{options.tables} live tables on {options.tables // IN_A_SERVER} servers")
    print(f"  {'':10}{'start s':>9}{'beyond':>9}{'CPU s':>9}{'MiB':>9}")
    floor, empty = (median(run.seconds for run in runs[name]) for name in ("floor", "no tables"))
    for name, started in runs.items():
        seconds, taken = (median(getattr(run, what) for run in started) for what in ("seconds", "processor"))
        memory = median(run.memory for run in started)
        print(f"  {name:10}{seconds:9.2f}{seconds - floor:+9.2f}{taken:9.2f}{memory / 1024:9.1f}")
    more = median(run.memory for run in runs["tables"]) - median(run.memory for run in runs["no tables"])
    longer = median(run.seconds for run in runs["tables"]) - empty
    print(f"  the tables take {longer:.2f} s of it, and {more / options.tables:.2f} KiB each\n")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m benchmarks.start", description=__doc__.splitlines()[0])
    parser.add_argument("--tables", type=int, default=10_000)
    parser.add_argument("--times", type=int, default=3, help="how often each side starts")
    parser.add_argument("--directory", type=Path, default=Path("data"))
    arguments = parser.parse_args()
    arguments.directory.mkdir(parents=True, exist_ok=True)
    arguments.directory = arguments.directory.resolve()
    asyncio.run(main(arguments))
