"""Many tables at once, through faults and restarts: `python -m tests.loopback.stress --tables 200`.

Everybody presses what they see, and now and then what they saw a while ago, or the same twice, or at the same
time as somebody else. In the end every table must have finished, its log must lead to what was scored, and
every press must have been answered once.
"""

import argparse
import asyncio
import random
import re
import socket
import sys
import tempfile
import time
from collections import Counter, deque
from dataclasses import dataclass, field
from pathlib import Path
from statistics import quantiles

import aiohttp

from tests.loopback import playing
from tests.loopback.answers import Interaction
from tests.loopback.books import Books
from tests.loopback.mishaps import Mishaps
from tests.loopback.process import BotProcess, Launcher
from tests.loopback.room import Answer, Click, Room, UnansweredError
from tests.loopback.screens import Screen, UnreachableError
from tests.loopback.server import Loopback
from tests.loopback.way import Way, add_option, way_of
from tests.loopback.world import Member

#: Nobody is slowed down: these players are faster than people.
SETTINGS = {"CATCH_GRACE": "0", "CLICK_PAUSE": "0", "START_PAUSE": "0"}
#: Tables of one server.
IN_A_SERVER = 10
#: After how many presses a table, on average, the bot is stopped (False) or killed (True).
RESTARTS = ((8, False), (16, True), (24, True), (32, False))
#: Seconds without a turn in sight after which somebody presses My hand; in which a table must come on.
LOOK_AGAIN, PATIENCE = 1.5, 300.0

#: What the bot counts of its drawings, and how it is told.
DRAWINGS = {
    "held": "drawings held back by limits for at most",
    "drawn": "and on screen, besides that, in at most",
}
DRAWN = re.compile(r'lastlap_table_(held|drawn)_seconds_bucket{le="([^"]+)"} (\S+)')
PARTS = (0.5, 0.9, 0.99, 1.0)


def free_port() -> int:
    """Find a port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@dataclass(eq=False)
class Seating:
    """One table and those who play there."""

    room: Room
    people: list[Member]
    dice: random.Random
    old: deque[tuple[Member, Screen]] = field(default_factory=lambda: deque(maxlen=20))
    last: Answer | None = None
    done: bool = False

    @property
    def over(self) -> bool:
        """Whether the end of the match is on screen."""
        try:
            table = self.room.table()
        except UnreachableError:
            return False
        return any(":details:" in custom_id for custom_id in table.custom_ids) and not table.has("Next hand")


class Stress:
    """All tables of one bot."""

    def __init__(self, loopback: Loopback, bot: BotProcess, *, tables: int, rate: float, seed: int) -> None:
        self.loopback = loopback
        self.bot = bot
        self.dice = random.Random(seed)
        self.rate = rate
        self.books = Books(bot.folder / "bot.db")
        self.seen: Counter[str] = Counter()
        self.waits: list[float] = []
        self.delays: list[float] = []
        self.stops: list[float] = []
        self.drawn: Counter[tuple[str, float]] = Counter()
        self.seconds = 0.0
        self._up = asyncio.Event()
        self.seatings = [self._seat(number) for number in range(tables)]
        rooms = [seating.room for seating in self.seatings]
        self.mishaps = Mishaps(loopback, rooms, self.dice, every=25)

    @property
    def think(self) -> float:
        """How long, on average, a table waits for its next press, in seconds."""
        return sum(not seating.done for seating in self.seatings) / self.rate

    def _seat(self, number: int) -> Seating:
        guilds = list(self.loopback.world.guilds.values())
        guild = guilds[-1] if number % IN_A_SERVER else self.loopback.guild(f"Server {number}")
        people = guild.join("Ann", "Bob", "Cem", "Dia")[: self.dice.choice((2, 2, 3, 4))]
        room = Room(self.loopback, guild.channel(f"uno-{number}"))
        return Seating(room, people, random.Random(self.dice.random()))

    async def run(self) -> None:
        """Play all tables to their end. Raises AssertionError for one that does not come on."""
        await self.bot.start()
        self._up.set()
        async with asyncio.TaskGroup() as opening:
            for seating in self.seatings:
                opening.create_task(self._open(seating))
        began = time.monotonic()
        around = [
            asyncio.create_task(self._restart_now_and_then()),
            asyncio.create_task(self.mishaps.go_on()),
        ]
        async with asyncio.TaskGroup() as playing_on:
            for seating in self.seatings:
                playing_on.create_task(self._play(seating))
        self.seconds = time.monotonic() - began
        for task in around:
            task.cancel()
        for failure in await asyncio.gather(*around, return_exceptions=True):
            if isinstance(failure, Exception):
                raise failure
        self.mishaps.stop()
        await self._read_metrics()
        await self.loopback.until(
            lambda: not self.loopback.pending and not self.books.open_tables(),
            "an end to all tables",
            within=PATIENCE,
        )

    def check(self) -> None:
        """Raise AssertionError unless all cards and points are there."""
        tables = list(self.books.tables())
        assert len(tables) == len(self.seatings)
        asked = {interaction.id: interaction for interaction in self.loopback.interactions.values()}
        for kept in tables:
            self.books.check_finished(kept)
            shown, won = (
                self.mishaps.shown.get(kept.channel_id),
                asked[kept.moves[-1].interaction or 0].answered,
            )
            if shown is not None and won is not None:
                self.delays.append(shown - won)

    # --- one table

    async def _open(self, seating: Seating) -> None:
        await asyncio.sleep(seating.dice.uniform(0, 4 * self.think))
        room, (host, *others) = seating.room, seating.people
        await room.command(host, "uno start", turn_time="off")
        await room.until(room.table, "the lobby")  # the answer may have been a deferral
        for member in others:
            await room.click(member, room.table(), "Join")
        await room.click(host, room.table(), "Start")

    async def _play(self, seating: Seating) -> None:
        waiting = time.monotonic()
        while True:
            await asyncio.sleep(seating.dice.uniform(0.5, 1.5) * self.think)
            await self._up.wait()
            if seating.over:
                seating.done = True
                return
            moves = playing.deciding(seating.room, seating.people)
            if moves:
                waiting = time.monotonic()
            elif time.monotonic() - waiting > PATIENCE:
                raise AssertionError(f"stuck: {seating.room.screens()[-3:]}")
            try:
                await self._act(seating, seen=bool(moves), waited=time.monotonic() - waiting)
            except UnreachableError:
                self.seen["nothing to press"] += 1

    async def _act(self, seating: Seating, *, seen: bool, waited: float) -> None:
        dice, room = seating.dice, seating.room
        chance = dice.random()
        if chance < 0.05 and seating.old:
            member, screen = dice.choice(seating.old)
            buttons = playing.choices(screen)
            if buttons:
                self.seen["old hands"] += 1
                await self._press(seating, Click(member, screen, custom_id=dice.choice(buttons).custom_id))
        elif chance < 0.09 and seating.last is not None and not seating.last.asked.excused:
            self.seen["replays"] += 1
            self.loopback.deliver_again(seating.last.asked)
        elif chance < 0.14:
            label = dice.choice(("UNO!", "Catch!", "My hand"))
            await self._press(seating, Click(dice.choice(seating.people), room.table(), label))
        elif seen:
            click = playing.a_move(room, seating.people, dice)
            if click is not None:
                seating.old.append((click.member, click.screen))
                rush = [Click(member, room.table(), "Catch!") for member in seating.people]
                await self._press(seating, click, *(rush if chance > 0.97 else ()))
        elif waited > LOOK_AGAIN:
            self.seen["fetched by My hand"] += 1
            try:
                room.table()
            except UnreachableError:  # somebody has deleted it
                self.seen["fetched by /uno hand"] += 1
                await self._wait(seating, *[room.give(member, "uno hand") for member in seating.people])
                return
            for member in seating.people:
                await self._press(seating, Click(member, room.table(), "My hand"))

    async def _press(self, seating: Seating, *clicks: Click) -> None:
        """Press, all at once, and wait for the answers."""
        await self._wait(seating, *[seating.room.press(click) for click in clicks])

    async def _wait(self, seating: Seating, *all_asked: Interaction) -> None:
        pending = self.loopback.pending
        for asked in all_asked:
            self.seen["presses"] += 1
            if asked.delivered == 0:
                if self._up.is_set():
                    raise UnansweredError(asked.what)
                self.seen["nobody there to hear it"] += 1
                self.loopback.excuse(asked)
                continue
            await self.loopback.until(lambda asked=asked: asked not in pending, asked.what, within=PATIENCE)
            answer = Answer(asked)
            if answer.took is None:
                self.seen["not answered, and cannot be"] += 1
                continue
            seating.last = answer
            self.waits.append(answer.took)

    # --- the machine

    async def _restart_now_and_then(self) -> None:
        for presses, killed in RESTARTS:
            wanted = presses * len(self.seatings)
            await self.loopback.until(lambda wanted=wanted: self.seen["presses"] >= wanted, within=3600)
            self._up.clear()
            self.seen["kills" if killed else "clean stops"] += 1
            await self._read_metrics()
            began = time.monotonic()
            await (self.bot.kill() if killed else self.bot.stop())
            if not killed:
                self.stops.append(time.monotonic() - began)
            # What was still in the line when it stopped, nobody has heard.
            self.loopback.excuse(*self.loopback.pending)
            self.loopback.bell.ring()
            await self.bot.start()
            self._up.set()

    async def _read_metrics(self) -> None:
        """Take in how long drawings took, before a bot forgets it."""
        url = f"http://127.0.0.1:{self.bot.setting('METRICS_PORT')}/metrics"
        async with aiohttp.ClientSession() as session, session.get(url) as answer:
            for name, within, number in DRAWN.findall(await answer.text()):
                self.drawn[name, float(within)] += int(float(number))

    def drawn_within(self, what: str, part: float) -> float:
        """Tell in how many seconds such a part of all drawings were done, as the bot counts them."""
        counts = sorted((within, number) for (name, within), number in self.drawn.items() if name == what)
        return next(within for within, number in counts if number >= part * counts[-1][1])

    def _told_drawn(self, what: str) -> str:
        return ", ".join(f"{self.drawn_within(what, part):g} s ({part:.0%})" for part in PARTS)

    def told(self) -> list[str]:
        """Tell what was measured, a line each."""
        parts = quantiles(self.waits, n=100, method="inclusive")
        ends = sorted(self.delays)
        presses = self.seen["presses"]
        counts = self.seen + self.mishaps.seen
        half, most = parts[49] * 1000, max(self.waits) * 1000
        played = f"{presses} presses in {self.seconds:.0f} s, {presses / self.seconds:.0f} a second"
        answers = f"{half:.0f} ms (half of them), {parts[98] * 1000:.0f} ms (99 of 100), {most:.0f} ms (all)"
        middle, tenth = ends[len(ends) // 2], ends[len(ends) * 9 // 10]
        shown = f"{middle:.2f} s (half of {len(ends)}), {tenth:.2f} s (9 of 10)"
        return [
            f"{len(self.seatings)} tables, {played}",
            f"  answers after {answers}",
            f"  the end on screen after {shown}, {ends[-1]:.2f} s at most",
            *(f"  {words} {self._told_drawn(what)}" for what, words in DRAWINGS.items()),
            f"  clean stops took {' and '.join(f'{took:.2f} s' for took in self.stops)}",
            *(f"  {what:32} {count}" for what, count in sorted(counts.items())),
        ]


async def run(tables: int, rate: float, seed: int, way: Way | None) -> int:
    """Play so many tables, and print what came of it; returns the exit status."""
    launcher, loopback = Launcher(), Loopback(way=way)
    await loopback.start()
    with tempfile.TemporaryDirectory() as folder:
        bot = BotProcess(loopback, Path(folder), launcher, METRICS_PORT=str(free_port()), **SETTINGS)
        stress = Stress(loopback, bot, tables=tables, rate=rate, seed=seed)
        await stress.run()
        stress.check()
        await bot.stop()
        said = [*stress.told(), *loopback.faults, *map(str, bot.unexpected())]
        wrong = bool(loopback.faults or bot.unexpected())
    await loopback.close()
    launcher.close()
    sys.stdout.write("\n".join([*said, ""]))
    return 1 if wrong else 0


def main() -> int:
    """Run the command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.loopback.stress", description=__doc__)
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument("--rate", type=float, default=60.0, help="presses a second that are aimed at")
    parser.add_argument("--seed", type=int, default=1)
    add_option(parser)
    options = parser.parse_args()
    return asyncio.run(run(options.tables, options.rate, options.seed, way_of(options)))


if __name__ == "__main__":
    sys.exit(main())
