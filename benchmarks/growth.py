"""How large a stored hand is, and whether a move costs more the more are: `python -m benchmarks.growth`.

Matches of four are played to their end, through the same tables and the same store as the bot's. Then their
rows are copied until so many hands are stored, and the same number of moves is made again, beside a new
database in the same run. Processor time is that of the moves, the store's thread included.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import sqlite3
import tempfile
import time
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

from bot.model.agenda import Pace
from bot.settings import Settings
from bot.store import Store, migrate
from bot.tables import Click, Options, Outages, Table, Tables
from bot.tables.limits import Limits
from engine.actions import DEAL
from engine.awaiting import NO_SEAT
from engine.chance import words
from engine.players import NormalPlayer
from engine.rules import Length
from engine.views import seat_view

START = datetime(2026, 1, 1, tzinfo=UTC)
#: How long after the last move the database is tidied: everything is old then.
LATER = timedelta(hours=1)
SEATS, HANDS = 4, 5
#: Snowflakes of interactions and people, as large as Discord's.
FIRST = 1_456_074_443_980_800_000


class Playing:
    """Tables at which people play as the normal computer player would."""

    def __init__(self, folder: Path, name: str) -> None:
        self.file = folder / f"{name}.db"
        self.moves = 0
        self._now = START
        self._dice = random.Random(1)

    async def open(self) -> None:
        """Open the database, made anew if it is not there."""
        url = f"sqlite+aiosqlite:///{self.file}"
        await asyncio.to_thread(migrate, url)
        self.store = Store(url)
        await self.store.open()
        pace = Pace.of(Settings(_env_file=None))
        self.tables = Tables(
            self.store,
            pace,
            Outages(),
            save_timeout=60.0,
            catch_grace=0.0,
            limits=Limits(tables_of_a_person=10**6, tables_of_a_server=10**6),
        )
        await self.tables.load(self._now)

    def _click(self, seat: int) -> Click:
        self._now += timedelta(seconds=self._dice.uniform(0.1, 0.5))
        return Click(self._snowflake(), FIRST + seat, f"Player {seat}", self._now)

    def _snowflake(self) -> int:
        """Return an id as Discord makes one now."""
        return FIRST + (int((self._now - START).total_seconds() * 1000) << 22 | self._dice.getrandbits(22))

    async def play(self, tables: int, moves: int | None = None) -> float:
        """Play so many matches at once, to their end or for so many moves; returns processor seconds."""
        live = await asyncio.gather(*(self._open() for _ in range(tables)))
        began, most = time.process_time(), None if moves is None else self.moves + moves
        await asyncio.gather(*(self._play(table, most) for table in live))
        return time.process_time() - began

    async def _open(self) -> Table:
        channel = self._snowflake()
        length = Length(hands=HANDS)
        table = await self.tables.open_lobby(FIRST, channel, self._click(0), Options(length=length))
        for seat in range(1, SEATS):
            await self.tables.join(table, self._click(seat))
        await self.tables.start(table, self._click(0))
        return table

    async def _play(self, table: Table, most: int | None) -> None:
        player = NormalPlayer(words(str(table.id)))
        while table.state.ended is None and (most is None or self.moves < most):
            match = table.state.match
            assert match is not None
            seat, action = match.turn, DEAL
            if seat == NO_SEAT:
                seat = 0
            else:
                action = player.answer(seat_view(match, seat))
            await self.tables.act(table, self._click(seat), (action,), uno=True)
            self.moves += 1
        if table.state.ended is not None:
            await self.tables.put_away(table, self._now)

    async def close(self) -> None:
        """Tidy the database, as it is once nothing in it is young any more, and close it."""
        while self.file_has_moves():
            await self.store.pack(self._now + LATER)
        await self.store.close()

    def file_has_moves(self) -> bool:
        """Whether there are moves that were not packed yet."""
        with closing(sqlite3.connect(self.file)) as database:
            return database.execute("SELECT 1 FROM log LIMIT 1").fetchone() is not None


def count_hands(file: Path) -> int:
    """Return how many hands are stored."""
    with closing(sqlite3.connect(file)) as database:
        return int(database.execute("SELECT count(*) FROM hands").fetchone()[0])


def sizes(file: Path) -> tuple[int, int, dict[str, int]]:
    """Return the number of hands, the bytes of a whole database, and of each table with its indexes."""
    with closing(sqlite3.connect(file)) as database:
        database.execute("VACUUM")
        parts = dict(
            database.execute(
                "SELECT tbl_name, sum(pgsize) FROM dbstat JOIN sqlite_master USING (name)"
                " GROUP BY tbl_name ORDER BY 2 DESC"
            )
        )
    return count_hands(file), file.stat().st_size, parts


def multiply(file: Path, hands: int) -> None:
    """Copy all closed tables until so many hands are stored."""
    with closing(sqlite3.connect(file)) as database, database:
        names = [name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        columns = {name: [row[1] for row in database.execute(f"PRAGMA table_info({name})")] for name in names}
        kept = [(name, "table_id") for name in names if "table_id" in columns[name]] + [("tables", "id")]
        (last,) = database.execute("SELECT max(id) FROM tables").fetchone()
        for copy in range(1, -(-hands // count_hands(file))):
            for name, number in kept:
                wanted = ", ".join(
                    f"{column} + {copy * last}" if column == number else f'"{column}"'
                    for column in columns[name]
                )
                database.execute(f"INSERT INTO {name} SELECT {wanted} FROM {name} WHERE {number} <= {last}")  # noqa: S608


async def main(options: argparse.Namespace) -> None:
    """Measure, and print both."""
    with tempfile.TemporaryDirectory(prefix="benchmark-", dir=options.directory) as place:
        full, empty = Playing(Path(place), "full"), Playing(Path(place), "empty")
        await full.open()
        await full.play(options.tables)
        moves = full.moves
        await full.close()
        played = moves / count_hands(full.file)
        multiply(full.file, options.hands)
        many, size, parts = sizes(full.file)
        print(f"{many} hands of {SEATS} in matches of {HANDS}, {played:.0f} moves a hand")
        print(f"  {size / many:7.0f} bytes a hand, of which")
        for name, taken in parts.items():
            if taken >= many:
                print(f"  {taken / many:7.0f} {name}")
        await full.open()
        await empty.open()
        spent = {"a new database": 0.0, f"{many} hands": 0.0}
        for _ in range(3):
            for name, side in zip(spent, (empty, full), strict=True):
                spent[name] += await side.play(options.tables, options.moves // 3)
        for name, seconds in spent.items():
            print(f"  {seconds / options.moves * 1000:7.2f} ms of processor a move beside {name}")
        await full.store.close()
        await empty.store.close()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m benchmarks.growth", description=__doc__.splitlines()[0])
    parser.add_argument("--tables", type=int, default=40, help="how many matches of five hands are played")
    parser.add_argument("--hands", type=int, default=100_000, help="how many hands are stored then")
    parser.add_argument("--moves", type=int, default=3_000, help="how many moves are made beside them")
    parser.add_argument("--directory", type=Path, default=Path("data"))
    arguments = parser.parse_args()
    arguments.directory.mkdir(parents=True, exist_ok=True)
    asyncio.run(main(arguments))
