"""Many tables for a long time, with faults and time on the way: `python -m tests.loopback.soak`.

Each table plays one match after another until the time is over. In the end nothing may have grown with time:
the memory of the bot, its tasks, connections and files; every press was answered, and no row is left that
nobody removes.
"""

import argparse
import asyncio
import re
import sqlite3
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from statistics import median

import aiohttp
import discord

from bot.store.saving import PACKED_AFTER, TOKEN_LIFE
from tests.loopback.process import BotProcess
from tests.loopback.room import Click
from tests.loopback.screens import UnreachableError
from tests.loopback.server import Loopback
from tests.loopback.stress import SETTINGS, Seating, Stress, free_port
from tests.loopback.way import Way, add_option, way_of

#: Seconds between two samples; which part of the time the bot may take to reach its size.
EVERY, WARM = 10.0, 1 / 6
#: How much larger the memory may be in the end, in MiB and as a part; how many more tasks and files.
MORE_MEMORY, MORE_PART, MORE_TASKS, MORE_FILES = 8.0, 0.05, 40, 16
#: How much longer than its time a row may be there: it is tidied once a minute.
TIDIED = timedelta(minutes=3)
#: Seconds after which an interaction is not delivered again here.
FORGOTTEN = 60.0
#: How often a match is tried to begin.
ATTEMPTS = 30
_VALUES = re.compile(
    r"^(process_resident_memory_bytes|process_open_fds|lastlap_tasks) (\S+)", flags=re.MULTILINE
)


@dataclass(frozen=True)
class Sample:
    """What the bot takes at one moment: MiB, file descriptors, tasks."""

    at: float
    memory: float
    files: int
    tasks: int


def grown(samples: Sequence[Sample], seconds: float) -> list[str]:
    """Say what has grown since the bot had reached its size; nothing where all is flat."""
    warm = [sample for sample in samples if sample.at >= WARM * seconds]
    if len(warm) < 4:
        return ["there were too few samples to tell"]
    tenth = max(1, len(warm) // 10)
    found = []
    for name, most in (("memory", MORE_MEMORY), ("files", MORE_FILES), ("tasks", MORE_TASKS)):
        before, after = (
            median(getattr(sample, name) for sample in part) for part in (warm[:tenth], warm[-tenth:])
        )
        if after > before + max(most, MORE_PART * before):
            found.append(f"{name} has grown from {before:.1f} to {after:.1f}")
    return found


class Soak(Stress):
    """All tables of one bot, which are played at for so many seconds."""

    def __init__(
        self, loopback: Loopback, bot: BotProcess, *, tables: int, rate: float, seed: int, seconds: float
    ) -> None:
        super().__init__(loopback, bot, tables=tables, rate=rate, seed=seed)
        self.samples: list[Sample] = []
        self._length = seconds
        self._began = 0.0

    async def run(self) -> None:
        """Play until the time is over; whatever then hangs is seen by what is not answered."""
        await self.bot.start()
        self._up.set()
        self._began = time.monotonic()
        around = [asyncio.create_task(self._sample()), asyncio.create_task(self.mishaps.go_on())]
        async with asyncio.TaskGroup() as playing:
            for seating in self.seatings:
                playing.create_task(self._play_on(seating))
        self.seconds = time.monotonic() - self._began
        for task in around:
            task.cancel()
        for failure in await asyncio.gather(*around, return_exceptions=True):
            if isinstance(failure, Exception):
                raise failure
        self.mishaps.stop()
        await self.loopback.until(lambda: not self.loopback.pending, "an answer to everything", within=60)

    @property
    def _over(self) -> bool:
        return time.monotonic() - self._began >= self._length

    async def _play_on(self, seating: Seating) -> None:
        """Play one match after another; the time over, whoever is there goes."""
        while not self._over:
            await self._begin(seating)
            while not self._over and not seating.over:
                await asyncio.sleep(seating.dice.uniform(0.5, 1.5) * self.think)
                try:
                    await self._move(seating)
                except UnreachableError:
                    self.seen["nothing to press"] += 1
            self.seen["matches"] += seating.over

    async def _begin(self, seating: Seating) -> None:
        """Begin a match; what has gone wrong on the way is asked for again."""
        room, (host, *others) = seating.room, seating.people
        for attempt in range(ATTEMPTS):
            try:
                table = room.table()
                if table.has("My hand"):
                    return
                if table.has("Start"):
                    for member in others:
                        await self._press(seating, Click(member, room.table(), "Join"))
                    await self._press(seating, Click(host, room.table(), "Start"))
                    continue
            except UnreachableError:
                pass  # the answer with the lobby went wrong, or somebody has deleted it
            if attempt % 2:
                await self._wait(seating, room.give(host, "uno table"))
            else:
                await self._wait(seating, room.give(host, "uno start", turn_time="off"))
            await asyncio.sleep(seating.dice.uniform(0.5, 1.5))
        raise AssertionError(f"no match has begun: {room.screens()[-3:]}")

    async def _move(self, seating: Seating) -> None:
        if seating.over:
            return
        table = seating.room.table()
        if table.has("Next hand"):
            await self._press(seating, Click(seating.people[0], table, "Next hand"))
            return
        moves = any(screen.has("Draw") for screen in seating.room.screens()[-8:])
        await self._act(seating, seen=True, waited=0.0)
        if not moves and seating.dice.random() < 0.05:
            await self._act(seating, seen=False, waited=60.0)

    async def _sample(self) -> None:
        """Note what the bot takes, and forget here what is not needed any more."""
        url = f"http://127.0.0.1:{self.bot.setting('METRICS_PORT')}/metrics"
        async with aiohttp.ClientSession() as session:
            while True:
                await asyncio.sleep(EVERY)
                async with session.get(url) as answer:
                    found = {name: float(value) for name, value in _VALUES.findall(await answer.text())}
                at = time.monotonic() - self._began
                memory = found["process_resident_memory_bytes"] / 2**20
                sample = Sample(at, memory, int(found["process_open_fds"]), int(found["lastlap_tasks"]))
                self.samples.append(sample)
                self._forget()

    def _forget(self) -> None:
        now = asyncio.get_running_loop().time()
        for asked in self.loopback.interactions.values():
            if now - asked.sent > FORGOTTEN:
                asked.payload = "null"
                asked.excused = True

    # --- what must be

    def left_behind(self, now: datetime) -> list[str]:
        """Say which rows are left that should have been removed by now."""
        asked = {
            "tokens": ("SELECT count(*) FROM tokens WHERE issued_at <= ?", TOKEN_LIFE),
            "places of closed tables": (
                "SELECT count(*) FROM screens JOIN tables ON id = table_id WHERE closed_at <= ?",
                TOKEN_LIFE,
            ),
            "moves of finished hands": (
                "SELECT count(*) FROM log JOIN hands USING (table_id, hand_no) WHERE ended_at <= ?",
                PACKED_AFTER,
            ),
            "moves of closed tables": (
                "SELECT count(*) FROM log JOIN tables ON id = table_id WHERE closed_at <= ?",
                PACKED_AFTER,
            ),
        }
        found = []
        with closing(sqlite3.connect(self.bot.folder / "bot.db")) as database:
            for what, (question, life) in asked.items():
                before = (now - life - TIDIED).replace(tzinfo=None).isoformat(" ")
                (number,) = database.execute(question, (before,)).fetchone()
                if number:
                    found.append(f"{number} {what} were not removed")
        return found

    def told(self) -> list[str]:
        """Tell what was seen, a line each."""
        shown = [self.samples[number * (len(self.samples) - 1) // 5] for number in range(6)]
        presses, kept = self.seen["presses"], sorted(self.waits)
        tables, rate = len(self.seatings), presses / self.seconds
        return [
            f"{tables} tables for {self.seconds:.0f} s, {rate:.0f} presses a second",
            f"  answers after {median(kept) * 1000:.0f} ms (half), {kept[-1] * 1000:.0f} ms (all)",
            *(f"  {s.at:6.0f} s: {s.memory:6.1f} MiB, {s.files} files, {s.tasks} tasks" for s in shown),
            *(f"  {what:32} {count}" for what, count in sorted((self.seen + self.mishaps.seen).items())),
        ]


async def run(tables: int, minutes: float, rate: float, seed: int, way: Way | None) -> int:
    """Play at so many tables for so long, and print what came of it; returns the exit status."""
    loopback = Loopback(way=way)
    await loopback.start()
    with tempfile.TemporaryDirectory() as folder:
        bot = BotProcess(loopback, Path(folder), None, METRICS_PORT=str(free_port()), **SETTINGS)
        soak = Soak(loopback, bot, tables=tables, rate=rate, seed=seed, seconds=60 * minutes)
        await soak.run()
        wrong = [*grown(soak.samples, 60 * minutes), *soak.left_behind(discord.utils.utcnow())]
        await bot.stop()
        wrong += [*loopback.faults, *map(str, bot.unexpected())]
        said = [*soak.told(), *wrong]
    await loopback.close()
    sys.stdout.write("\n".join([*said, ""]))
    return 1 if wrong else 0


def main() -> int:
    """Run the command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.loopback.soak", description=__doc__)
    parser.add_argument("--tables", type=int, default=300)
    parser.add_argument("--minutes", type=float, default=30.0)
    parser.add_argument("--rate", type=float, default=30.0, help="presses a second that are aimed at")
    parser.add_argument("--seed", type=int, default=1)
    add_option(parser)
    options = parser.parse_args()
    return asyncio.run(run(options.tables, options.minutes, options.rate, options.seed, way_of(options)))


if __name__ == "__main__":
    sys.exit(main())
