"""What a page of a leaderboard costs: `python -m benchmarks.boards`, or `make boards`.

A server of 10,000 members and 200,000 hands of four, beside 5,000 other servers, made up by a seed. A page
with the reader's own rank is read through the store: the first, one's own and the one after it, for readers
drawn by lot, once with the server alone in the database and once beside the others. The references are a
query that ranks all tallies of the server, and one that adds up all its hands. Each is measured by the
clock, and by the processor's time, which other work on the machine lengthens less. The plans are printed
last.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import sqlite3
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterable, Iterator
from pathlib import Path
from statistics import median, quantiles
from typing import Any

from sqlalchemy import event

from bot.store import Store, migrate
from bot.tallies.boards import By, Turn, average, win_bound
from bot.tallies.periods import Period, period_key

GUILD = 1
MEMBERS, HANDS, SERVERS = 10_000, 200_000, 5_000
SEATS = 4
#: Members and hands of each of the other servers.
OF_OTHERS = (20, 40)
DAY, TIME = "2026-12-01", "2026-12-01 12:00:00.000000"
#: What a page may take at the median, in milliseconds.
MOST = 5.0

_NAIVE = """
SELECT * FROM (
    SELECT rank() OVER (ORDER BY points DESC, hands_won DESC) AS place, user_id, points, hands_won, hands
    FROM tallies WHERE guild_id = :guild AND period = 'all' AND others >= 5
) WHERE place <= 10 OR user_id = :reader ORDER BY place, user_id
"""
_ADDED_UP = """
SELECT * FROM (
    SELECT rank() OVER (ORDER BY points DESC, won DESC) AS place, * FROM (
        SELECT user_id, sum(points) AS points, sum(won) AS won, count(*) AS hands
        FROM hand_scores WHERE guild_id = :guild AND ranked GROUP BY user_id
    )
) WHERE place <= 10 OR user_id = :reader ORDER BY place, user_id
"""

Sums = dict[int, list[int]]


def fill(database: sqlite3.Connection, guild: int, members: int, hands: int, first: int, seed: str) -> None:
    """Make up the hands of a server, each at a table of its own from `first` on, and what they add up to."""
    dice = random.Random(seed)
    user = guild * 1_000_000
    # Some play far more than others, and some better.
    eager = [dice.paretovariate(1.2) for _ in range(members)]
    skill = [dice.gauss(25, 3) for _ in range(members)]
    rows = []
    sums: Sums = {member: [0, 0, 0] for member in range(members)}
    month: Sums = {}
    met: dict[int, set[int]] = {member: set() for member in range(members)}
    seated = dice.choices(range(members), eager, k=hands * SEATS)
    for hand in range(hands):
        people = [*dict.fromkeys(seated[hand * SEATS : hand * SEATS + SEATS])]
        winner = max(people, key=lambda member: skill[member] + dice.gauss(0, 12.5))
        points = dice.randrange(1, 300)
        for seat, member in enumerate(people):
            won = member == winner
            scored = points if won else 0
            rows.append((first + hand, 1, seat, guild, user + member, 1, scored, won, "[]", "{}"))
            for sum_of in (sums, month) if hand > hands * 0.95 else (sums,):
                counted = sum_of.setdefault(member, [0, 0, 0])
                counted[0] += 1
                counted[1] += won
                counted[2] += scored
            met[member].update(people)
    tables = range(first, first + hands)
    insert(database, "tables", [(table, guild, 1, 1, None, TIME, TIME, None) for table in tables])
    insert(database, "hands", [(t, 1, guild, TIME, "won", None, 0, "{}", DAY, 1) for t in tables])
    insert(database, "hand_scores", rows)
    insert(database, "names", [(user + member, guild, f"Member {member}", TIME) for member in range(members)])
    for period in Period:
        of_period = sums if period in (Period.ALL, Period.SEASON) else month
        rated = period in (Period.ALL, Period.SEASON)
        insert(
            database,
            "tallies",
            [
                (
                    *(guild, period_key(period, DAY, 1), user + member, played, won, points),
                    *(played, won, 0, len(met[member]) - 1, win_bound(won, played), average(points, played)),
                    *((skill[member], 3.5, TIME, played >= 60) if rated else (None, None, None, False)),
                    round(100 * (skill[member] - 7)) if rated else None,
                )
                for member, (played, won, points) in of_period.items()
                if played
            ],
        )


def insert(database: sqlite3.Connection, table: str, rows: list[tuple[Any, ...]]) -> None:
    """Insert whole rows."""
    if rows:
        marks = ", ".join("?" * len(rows[0]))
        database.executemany(f"INSERT INTO {table} VALUES ({marks})", rows)  # noqa: S608


async def timed(asked: Iterable[Callable[[], Awaitable[Any]]]) -> list[tuple[float, float]]:
    """Return how long each took in all, and of the processor's time, in milliseconds."""
    took = []
    for ask in asked:
        began, worked = time.perf_counter(), time.process_time()
        await ask()
        took.append((1000 * (time.perf_counter() - began), 1000 * (time.process_time() - worked)))
    return took


def told(name: str, took: list[tuple[float, float]]) -> float:
    """Print a line of times; returns the median."""
    by_clock, by_processor = zip(*took, strict=True)
    cuts = quantiles(by_clock, n=100, method="inclusive")
    print(f"  {name:24} {cuts[49]:8.2f} {cuts[98]:8.2f} {median(by_processor):8.2f}", flush=True)
    return cuts[49]


def pages(
    store: Store, by: By, period: Period, dice: random.Random, number: int
) -> Iterator[Callable[[], Any]]:
    """Yield what asks for a page each: the first, one's own, and the one after it."""
    key = period_key(period, DAY, 1)
    for asked in range(number):
        reader = GUILD * 1_000_000 + dice.randrange(MEMBERS)
        turn = (Turn.FIRST, Turn.OWN, Turn.AFTER)[asked % 3]
        user = reader if turn is Turn.AFTER else None
        yield lambda reader=reader, turn=turn, user=user: store.board(
            GUILD, by, key, reader=reader, turn=turn, user=user
        )


async def measure(store: Store, number: int) -> float:
    """Print the times of each board; returns the highest median."""
    print(f"  {'':24} {'p50 ms':>8} {'p99 ms':>8} {'CPU ms':>8}")
    dice = random.Random("readers")
    worst = 0.0
    for by in By:
        for period in (Period.ALL, Period.MONTH) if by is not By.SKILL else (Period.ALL, Period.SEASON):
            asked = pages(store, by, period, dice, number)
            worst = max(worst, told(f"{by}, {period}", await timed(asked)))
    return worst


async def compare(path: Path, number: int) -> None:
    """Print the times of the references, by the same driver."""
    store = Store(f"sqlite+aiosqlite:///{path}")
    dice = random.Random("readers")

    async def run(statement: str, times: int) -> list[tuple[float, float]]:
        async def ask() -> None:
            reader = GUILD * 1_000_000 + dice.randrange(MEMBERS)
            async with store._engine.connect() as connection:  # noqa: SLF001  # the same connections
                (await connection.exec_driver_sql(statement, {"guild": GUILD, "reader": reader})).all()

        return await timed([ask] * times)

    told("an empty query", await run("SELECT 1", number))
    told("all tallies ranked", await run(_NAIVE, number))
    told("all hands added up", await run(_ADDED_UP, 5))
    await store.close()


async def plans(path: Path) -> None:
    """Print how SQLite carries out the statements of a page in the middle."""
    store = Store(f"sqlite+aiosqlite:///{path}")
    seen: dict[str, Any] = {}

    @event.listens_for(store._engine.sync_engine, "before_cursor_execute")  # noqa: SLF001
    def note(connection: object, cursor: object, statement: str, parameters: Any, *rest: object) -> None:
        seen[statement] = parameters

    await store.board(GUILD, reader=GUILD * 1_000_000 + 17, turn=Turn.OWN)
    await store.close()
    with sqlite3.connect(path) as database:
        for statement, parameters in seen.items():
            print("  " + " ".join(statement.split())[:100] + " …")
            for row in database.execute(f"EXPLAIN QUERY PLAN {statement}", parameters):
                print(f"      {row[3]}")
    database.close()


async def main(directory: Path, number: int) -> int:
    """Run the benchmark; 1 where a page takes too long."""
    with tempfile.TemporaryDirectory(prefix="boards-", dir=directory) as place:
        path = Path(place) / "boards.db"
        url = f"sqlite+aiosqlite:///{path}"
        await asyncio.to_thread(migrate, url)
        store = Store(url)
        await store.open()
        await store.close()
        database = sqlite3.connect(path)
        database.execute("PRAGMA synchronous = OFF")
        worst = 0.0
        for beside in (0, SERVERS):
            with database:
                if not beside:
                    fill(database, GUILD, MEMBERS, HANDS, 1, "boards")
                for other in range(beside):
                    fill(database, 2 + other, *OF_OTHERS, HANDS + 1 + other * OF_OTHERS[1], f"other {other}")
            database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            scores, tallies = (
                database.execute(f"SELECT count(*) FROM {name}").fetchone()[0]  # noqa: S608
                for name in ("hand_scores", "tallies")
            )
            print(f"{MEMBERS} members, {HANDS} hands, {beside} other servers")
            print(f"  ({scores} scores, {tallies} tallies, {path.stat().st_size >> 20} MiB)")
            store = Store(url)
            worst = await measure(store, number)
            await store.close()
        database.close()
        print("the references")
        await compare(path, number)
        print("the plans")
        await plans(path)
    return 0 if worst < MOST else 1


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m benchmarks.boards", description=__doc__.splitlines()[0])
    parser.add_argument("--pages", type=int, default=150, help="how many are read of each board (150)")
    parser.add_argument(
        "--directory", type=Path, default=Path("data"), help="where: on the disk to be measured"
    )
    arguments = parser.parse_args()
    arguments.directory.mkdir(parents=True, exist_ok=True)
    sys.exit(asyncio.run(main(arguments.directory, arguments.pages)))
