"""What a click costs the bot, and how soon it is answered: `python -m benchmarks.clicks`.

The floor is `benchmarks.floor`, a minimal bot on discord.py that makes as many requests of each kind for a
click as were counted here just before, with messages as large. Both run as processes of their own against
the loopback Discord, in turns within the same run: first one click at a time, then so many a second over
many tables. Processor time is that of the bot's process alone, all its threads together.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import sqlite3
import tempfile
import time
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from statistics import mean, median, quantiles
from typing import Any

from benchmarks.floor import Shapes
from tests.loopback import playing
from tests.loopback.answers import COMPONENT, Interaction
from tests.loopback.application import Emoji
from tests.loopback.components import BUTTON
from tests.loopback.kinds import Kind
from tests.loopback.limits import UNLIMITED
from tests.loopback.process import BotProcess
from tests.loopback.room import Click, Room
from tests.loopback.screens import Screen
from tests.loopback.server import Loopback
from tests.loopback.world import COMPONENTS_V2, EPHEMERAL, Member, Message

#: The requests that a click leads to.
COUNTED = (Kind.ANSWER, Kind.TABLE_EDIT, Kind.TABLE_POST, Kind.HAND_EDIT, Kind.HAND_SEND)
#: What keeps presses apart that are faster than people's.
SETTINGS = {"CATCH_GRACE": "0", "CLICK_PAUSE": "0", "START_PAUSE": "0"}
#: One click at a time is drawn at once, so that each click costs what it costs alone.
ALONE = {"TABLE_EDIT_DELAY": "0", "ITEM_BOX_PAUSE": "0", "TABLE_REQUEST_PAUSE": "0"}
#: How often the sides take turns.
TURNS = 4
#: Seconds without a request after which a click is over.
OVER = 0.015


@dataclass
class Tally:
    """What one side has done: processor seconds, answer times, and requests by kind."""

    processor: float = 0.0
    waits: list[float] = field(default_factory=list)
    requests: Counter[Kind] = field(default_factory=Counter)
    sizes: list[int] = field(default_factory=list)

    @property
    def clicks(self) -> int:
        """How many clicks were answered."""
        return len(self.waits)

    @property
    def a_click(self) -> float:
        """Processor time for a click, in milliseconds."""
        return self.processor / self.clicks * 1000

    def percentile(self, percent: int) -> float:
        """Return how long the answer took that is slower than so many percent of them, in milliseconds."""
        return quantiles(self.waits, n=100, method="inclusive")[percent - 1] * 1000

    def rate(self, *kinds: Kind) -> float:
        """Return how many requests of these kinds were made for a click."""
        return sum(self.requests[kind] for kind in kinds) / self.clicks

    def line(self, name: str) -> str:
        """Write what was measured."""
        requests = self.rate(*COUNTED)
        return (
            f"  {name:8}{self.clicks:7}{requests:10.2f}{mean(self.sizes):8.0f}{self.a_click:10.2f}"
            f"{self.a_click / requests:12.2f}{self.percentile(50):9.1f}{self.percentile(99):9.1f}"
        )


HEADING = (
    f"  {'':8}{'clicks':>7}{'requests':>10}{'bytes':>8}{'CPU ms':>10}{'a request':>12}"
    f"{'p50 ms':>9}{'p99 ms':>9}"
)


def processor(bot: BotProcess) -> float:
    """Return the processor time a process has taken so far, all threads together, in seconds (Linux)."""
    assert bot.pid is not None
    return time.clock_gettime(~bot.pid << 3 | 2)


class Side(ABC):
    """One bot on a Discord of its own, with people who click."""

    def __init__(self, loopback: Loopback, bot: BotProcess, dice: random.Random) -> None:
        self.loopback = loopback
        self.bot = bot
        self.dice = dice
        self.tally = Tally()

    @abstractmethod
    def press(self) -> Interaction | None:
        """Press something at some table; None where the press before it is not answered yet."""

    async def alone(self, clicks: int) -> None:
        """Click so often, each time when all that the last click led to is done."""
        asked: list[Interaction] = []
        with self._counting(asked):
            while len(asked) < clicks:
                pressed = self.press()
                if pressed is not None:
                    asked.append(pressed)
                    await self._answered(pressed)
                await self.loopback.idle(OVER)

    async def crowd(self, clicks: int, rate: float) -> None:
        """Click so often, at a steady rate, whatever becomes of the clicks before."""
        loop = asyncio.get_running_loop()
        asked: list[Interaction] = []
        with self._counting(asked):
            began = loop.time()
            while len(asked) < clicks:
                await asyncio.sleep(began + len(asked) / rate - loop.time())
                pressed = self.press()
                if pressed is None:
                    began += 0.002  # nobody could click just then
                else:
                    asked.append(pressed)
            for pressed in asked:
                await self._answered(pressed)
            await self.loopback.idle(OVER)

    async def _answered(self, pressed: Interaction) -> None:
        await self.loopback.until(lambda: pressed.kind, pressed.what, within=4)

    @contextmanager
    def _counting(self, asked: list[Interaction]) -> Iterator[None]:
        """Add what happens inside this block to the tally."""
        self.loopback.calls.clear()
        before = processor(self.bot)
        yield
        self.tally.processor += processor(self.bot) - before
        self.tally.waits += [pressed.answered - pressed.sent for pressed in asked if pressed.answered]
        calls = [call for call in self.loopback.calls if call.kind in COUNTED]
        self.tally.requests.update(call.kind for call in calls)
        self.tally.sizes += [len(call.text.encode()) for call in calls]


class Lastlap(Side):
    """The bot itself, and matches that are played by clicks."""

    async def open(self, tables: int) -> None:
        """Begin so many matches of two."""
        self.rooms: list[tuple[Room, list[Member]]] = []
        self._busy: dict[int, Interaction] = {}
        for first in range(0, tables, 10):
            await asyncio.gather(*(self._open(number) for number in range(first, min(first + 10, tables))))
        await self.loopback.idle(0.5, within=30)

    async def _open(self, number: int) -> None:
        guild = self.loopback.guild(f"Server {number}")
        room = Room(self.loopback, guild.channel(f"uno-{number}"))
        ann, bob = guild.join("Ann", "Bob")
        await room.command(ann, "uno start", hands=20, turn_time="off")
        await room.click(bob, room.table(), "Join")
        await room.click(ann, room.table(), "Start")
        self.rooms.append((room, [ann, bob]))

    def press(self) -> Interaction | None:
        """Make a move at some table, or deal there, or fetch the hand that did not come."""
        room, people = self.dice.choice(self.rooms)
        busy = self._busy.get(room.channel.id)
        if busy is not None and busy.kind is None:
            return None
        click = playing.a_move(room, people, self.dice)
        if click is None:
            label = "Next hand" if room.table().has("Next hand") else "My hand"
            click = Click(self.dice.choice(people), room.table(), label)
        self._busy[room.channel.id] = pressed = room.press(click)
        return pressed

    def shapes(self) -> Shapes:
        """Return messages of middle size, and how many a click led to."""
        calls = self.loopback.calls

        def middle(kind: Kind) -> list[dict[str, Any]]:
            sent = [json.loads(call.text) for call in calls if call.kind is kind]
            shown = [body.get("data", body).get("components") for body in sent]
            sizes = sorted((len(json.dumps(each)), number) for number, each in enumerate(shown) if each)
            _, number = sizes[len(sizes) // 2]
            components: list[dict[str, Any]] = shown[number]
            return components

        return Shapes(
            answer=middle(Kind.ANSWER),
            table=middle(Kind.TABLE_EDIT),
            hand=middle(Kind.HAND_EDIT),
            tables=self.tally.rate(Kind.TABLE_EDIT, Kind.TABLE_POST),
            hands=self.tally.rate(Kind.HAND_EDIT, Kind.HAND_SEND),
        )


class Floor(Side):
    """The minimal bot, and people who press buttons."""

    def open(self, tables: int, shapes: Shapes) -> None:
        """Lay out so many tables, with a hand for each of two people."""
        self.tables: list[tuple[Room, Message, list[tuple[Member, Message]]]] = []
        for number in range(tables):
            guild = self.loopback.guild(f"Server {number}")
            room = Room(self.loopback, guild.channel(f"uno-{number}"))
            people = guild.join("Ann", "Bob")
            add, me = room.channel.add, guild.me
            table = add(me, components=shapes.table, flags=COMPONENTS_V2, is_table=True)
            flags = COMPONENTS_V2 | EPHEMERAL
            hands = [add(me, components=shapes.hand, flags=flags, viewer=member.id) for member in people]
            self.tables.append((room, table, list(zip(people, hands, strict=True))))

    def press(self) -> Interaction:
        """Press a button of a hand."""
        room, table, hands = self.dice.choice(self.tables)
        member, hand = self.dice.choice(hands)
        data = {"custom_id": f"floor:{table.id}", "component_type": BUTTON}
        seen = Screen(hand).payload
        return self.loopback.interact(
            member, room.channel, COMPONENT, data, what="a press", source=hand, seen=seen
        )


async def compare(
    folder: Path, tables: int, clicks: int, rate: float | None, seed: int
) -> tuple[Tally, Tally]:
    """Measure the bot and the floor in turns: one click at a time, or so many a second."""
    emojis: dict[int, Emoji] = {}
    ours, theirs = (Loopback(limits=UNLIMITED, emojis=emojis) for _ in range(2))
    await asyncio.gather(ours.start(), theirs.start())
    settings = SETTINGS | (ALONE if rate is None else {})
    lastlap = Lastlap(ours, BotProcess(ours, folder, None, **settings), random.Random(seed))

    async def some(side: Side, number: int) -> None:
        await (side.alone(number) if rate is None else side.crowd(number, rate))

    await lastlap.bot.start()
    await ours.until(lambda: ours.counts[Kind.EMOJI_UPLOAD], within=30)
    await ours.idle(0.5, within=60)
    await lastlap.open(tables)
    await some(lastlap, clicks // TURNS)
    shapes = lastlap.shapes()
    where = folder / "shapes.json"
    where.write_text(json.dumps(asdict(shapes)))
    bot = BotProcess(theirs, folder, None, name="floor", module="benchmarks.floor", FLOOR_SHAPES=str(where))
    floor = Floor(theirs, bot, random.Random(seed))
    await bot.start()
    floor.open(tables, shapes)
    await theirs.gateway.poke()
    await some(floor, clicks // TURNS)
    for side in (lastlap, floor):
        side.tally = Tally()  # until here they were warming up
    for _ in range(TURNS):
        await some(lastlap, clicks // TURNS)
        await some(floor, clicks // TURNS)
    for side in (lastlap, floor):
        await side.bot.stop()
        await side.loopback.close()
        side.loopback.check()
    return lastlap.tally, floor.tally


def commit(folder: Path, times: int = 50) -> float:
    """Return how long one durable commit takes here, in milliseconds, the middle of so many."""
    took = []
    with closing(sqlite3.connect(folder / "commit.db", isolation_level=None)) as connection:
        connection.executescript("pragma journal_mode = wal; pragma synchronous = full; create table t (x)")
        for _ in range(times):
            began = time.perf_counter()
            connection.execute("insert into t values (zeroblob(2000))")
            took.append(time.perf_counter() - began)
    return median(took) * 1000


def tell(heading: str, lastlap: Tally, floor: Tally) -> None:
    """Print what was measured, and the ratios."""
    print(f"{heading}\n{HEADING}\n{lastlap.line('Lastlap')}\n{floor.line('floor')}")
    by_request = lastlap.a_click / lastlap.rate(*COUNTED) * floor.rate(*COUNTED) / floor.a_click
    print(
        f"  processor {lastlap.a_click / floor.a_click:.2f} × the floor's for a click,"
        f" {by_request:.2f} × for a request;"
        f" the middle answer {lastlap.percentile(50) - floor.percentile(50):+.1f} ms\n"
    )


async def main(options: argparse.Namespace) -> None:
    """Measure, and print a table for one click at a time and one for many tables."""
    with tempfile.TemporaryDirectory(prefix="benchmark-", dir=options.directory) as place:
        folder = Path(place)
        alone, crowd = folder / "alone", folder / "crowd"
        for made in (alone, crowd):
            made.mkdir()
        tell("one click at a time", *await compare(alone, 4, options.clicks, None, options.seed))
        print(f"  one durable commit: {commit(folder):.1f} ms\n")
        clicks = int(options.seconds * options.rate)
        measured = await compare(crowd, options.tables, clicks, options.rate, options.seed)
        tell(f"{options.rate:g} clicks a second over {options.tables} tables", *measured)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m benchmarks.clicks", description=__doc__.splitlines()[0])
    parser.add_argument("--clicks", type=int, default=400, help="how many, one at a time, on each side")
    parser.add_argument("--tables", type=int, default=100, help="at how many many people click")
    parser.add_argument("--rate", type=float, default=50.0, help="how many clicks a second then")
    parser.add_argument("--seconds", type=float, default=12.0, help="for how long then, on each side")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--directory", type=Path, default=Path("data"), help="where: on the disk to be measured"
    )
    arguments = parser.parse_args()
    arguments.directory.mkdir(parents=True, exist_ok=True)
    arguments.directory = arguments.directory.resolve()  # the bots run elsewhere
    asyncio.run(main(arguments))
