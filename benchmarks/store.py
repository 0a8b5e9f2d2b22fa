"""How many saves a second, and how long one takes, at 1, 50 and 200 at once: `python -m benchmarks.store`.

The reference is what one would write first: a session and a commit for each save. Both write the same rows
by the same statements to a file of their own, with the same promises (WAL, synchronous FULL), in turns within
the same run, so that whatever slows the disk slows both.

What it taught: a save alone costs about the same either way, for it is the disk that is waited for. From
there on the reference gets no faster: its sessions only queue up for SQLite's one lock, which they find
free by polling, and that makes its slowest saves so slow. One commit for all that wait is worth most when
everybody clicks at once.
"""

from __future__ import annotations

import argparse
import asyncio
import secrets
import tempfile
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from statistics import quantiles
from typing import Any

from sqlalchemy.ext.asyncio import AsyncSession

from bot.store import HandToken, LogRecord, Save, SeatRecord, Store, TableRecord, migrate
from bot.store.connections import make_engine
from bot.store.saving import write_batch
from engine.codec import encode
from engine.match import Match

AT_ONCE = (1, 50, 200)
TURNS = 3
NOW = datetime(2026, 1, 1, tzinfo=UTC)

SaveOne = Callable[[Save], Awaitable[object]]


@dataclass
class Tally:
    """What one side has done so far: seconds in all, and of each save."""

    seconds: float = 0.0
    waits: list[float] = field(default_factory=list)

    @property
    def per_second(self) -> float:
        """Saves per second."""
        return len(self.waits) / self.seconds

    def percentile(self, percent: int) -> float:
        """Return the time of the save that is slower than so many percent of them, in milliseconds."""
        return quantiles(self.waits, n=100, method="inclusive")[percent - 1] * 1000


class Tables:
    """Tables in the middle of a match of four, each with its own next save."""

    def __init__(self, first: int) -> None:
        match = Match(4, seed=secrets.token_hex(16), hand_seeds=[secrets.token_hex(16)])
        match.begin()
        self._snapshot: dict[str, Any] = encode(match)
        self._first = first
        self._versions: dict[int, int] = {}

    def next(self, number: int) -> Save:
        """Make the save of a table's next click: its snapshot, a move, and the token of the click."""
        number += self._first
        version = self._versions[number] = self._versions.get(number, 0) + 1
        now = NOW + timedelta(milliseconds=version)
        seats = tuple(SeatRecord(number, seat, seat + 1, f"Player {seat}") for seat in range(4))
        return Save(
            table=TableRecord(number, 1, number, version, self._snapshot, now),
            seats=seats if version == 1 else None,
            log=(
                LogRecord(number, 1, version, number << 32 | version, 0, 0, ["s0", "play", "R7"], False, now),
            ),
            tokens=(HandToken(number, version % 4 + 1, "t" * 200, version, number, "en-US", now),),
        )


async def play(save: SaveOne, tables: Tables, at_once: int, seconds: float, tally: Tally) -> None:
    """Let so many tables save one click after the other, each as soon as its last one is saved."""
    began = time.perf_counter()
    end = began + seconds

    async def one(number: int) -> None:
        while (sent := time.perf_counter()) < end:
            await save(tables.next(number))
            tally.waits.append(time.perf_counter() - sent)

    await asyncio.gather(*(one(number) for number in range(at_once)))
    tally.seconds += time.perf_counter() - began


async def compare(directory: Path, at_once: int, seconds: float) -> tuple[Tally, Tally]:
    """Measure the store and the reference in turns."""
    urls = [f"sqlite+aiosqlite:///{directory}/{at_once}-{name}.db" for name in ("ours", "theirs")]
    for url in urls:
        await asyncio.to_thread(migrate, url)
    store = Store(urls[0])
    await store.open()
    # Its patience is a minute: it shall be slow, not fail.
    engine = make_engine(urls[1], begin="BEGIN IMMEDIATE", pool_size=15, busy_timeout=60)

    async def by_session(save: Save) -> None:
        async with AsyncSession(engine) as session, session.begin():
            await session.run_sync(lambda session: write_batch(session.connection(), [save]))

    ours, theirs = Tally(), Tally()
    our_tables, their_tables = Tables(1), Tables(1)
    for _ in range(TURNS):
        await play(store.submit, our_tables, at_once, seconds / TURNS, ours)
        await play(by_session, their_tables, at_once, seconds / TURNS, theirs)
    await store.close()
    await engine.dispose()
    return ours, theirs


async def main(directory: Path, seconds: float) -> None:
    """Print a line of ratios for each number of saves at once."""
    print(f"{'at once':>7}  {'':9}  {'saves/s':>8}  {'p50 ms':>8}  {'p99 ms':>8}")
    with tempfile.TemporaryDirectory(prefix="benchmark-", dir=directory) as place:
        for at_once in AT_ONCE:
            ours, theirs = await compare(Path(place), at_once, seconds)
            for name, tally in (("store", ours), ("reference", theirs)):
                print(
                    f"{at_once:7}  {name:9}  {tally.per_second:8.0f}  "
                    f"{tally.percentile(50):8.1f}  {tally.percentile(99):8.1f}"
                )
            print(
                f"{at_once:7}  {'ratio':9}  {ours.per_second / theirs.per_second:7.1f}×  "
                f"{ours.percentile(50) / theirs.percentile(50):7.2f}×  "
                f"{ours.percentile(99) / theirs.percentile(99):7.2f}×"
            )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m benchmarks.store", description=__doc__.splitlines()[0])
    parser.add_argument(
        "--seconds", type=float, default=3, help="how long each side saves for each number at once"
    )
    parser.add_argument(
        "--directory", type=Path, default=Path("data"), help="where: on the disk to be measured"
    )
    arguments = parser.parse_args()
    arguments.directory.mkdir(parents=True, exist_ok=True)
    asyncio.run(main(arguments.directory, arguments.seconds))
