"""Rehearse the loss of a disk: `make rehearsal`, or `python -m tests.store.rehearsal --moments 50 --seed 1`.

Tables are played on a database that `python -m bot backup --follow` copies. At random moments the disk is
lost: what is left is the directory as it stands then. It is restored to an empty disk and compared with what
was acknowledged until then. Less than a minute of moves may be missing; every table must be whole in one of
its states, every finished hand must play out from its record to its scores, the leaderboard must be a recount
of them, and every table must go on.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import signal
import sqlite3
import statistics
import sys
import tempfile
import time
from contextlib import closing
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any, Final

from bot.store import FinishedHand, Store, migrate, restore
from bot.tables import Options, Outages, Table, Tables
from engine.actions import DEAL, Play
from engine.cards import CODE
from engine.match import Match
from engine.notation import read_scenario
from engine.rules import Length
from tests.store.conftest import url_of
from tests.tables.sitting import GUILD, PACE, START, Somebody, restored

#: How much may be missing after the loss of a disk, in seconds.
AT_MOST: Final = 60.0
ROOT: Final = Path(__file__).parents[2]
#: How long a process may take to start, in seconds; and how many moves each restored table goes on for.
PATIENCE: Final = 120.0
ONWARD: Final = 10


@dataclass(frozen=True)
class Loss:
    """A lost disk: what is left, when it was lost, and when each version of each table was acknowledged."""

    left: Path
    at: float
    acknowledged: dict[int, dict[int, float]]


@dataclass(frozen=True)
class Outcome:
    """What was restored: how many seconds and moves are missing, and what is there."""

    missing_seconds: float
    missing_moves: int
    live_tables: int
    hands: int


class Player:
    """Tables that are played at random; `acknowledged` has the time of each save, by table and version."""

    def __init__(self, store: Store, seed: str, pause: float) -> None:
        self.tables = Tables(store, PACE, Outages(), save_timeout=60.0, catch_grace=0.0)
        self.acknowledged: dict[int, dict[int, float]] = {}
        self.waits: list[float] = []
        self.random = random.Random(seed)
        self.by = Somebody()
        self._pause = pause

    async def _begin(self, channel: int, players: int) -> Table:
        options, first = Options(length=Length(hands=3)), 100 * channel
        table = await self.tables.open_lobby(GUILD, channel, self.by(first), options)
        for user in range(first + 1, first + players):
            await self.tables.join(table, self.by(user))
        await self.tables.start(table, self.by(first))
        self._saved(table)
        return table

    async def play_a_hand(self) -> None:
        """Play at a table of two until a hand is finished."""
        table = await self._begin(1, 2)
        while table.state.match is not None and table.state.match.game.end is None:
            await self.move(table)
        self._saved(table)

    async def sit(self, channel: int, players: int) -> None:
        """Play one match after another with the same people."""
        while True:
            table = await self._begin(channel, players)
            while table.state.ended is None:
                await asyncio.sleep(self._pause * self.random.random() * 2)
                began = time.monotonic()
                await self.move(table)
                self.waits.append(time.monotonic() - began)
                self._saved(table)
            await self.tables.put_away(table, self.by.now)

    async def move(self, table: Table) -> None:
        """Let somebody who may do something at a table do it."""
        match = table.state.match
        assert match is not None
        seat = match.turn if match.turn >= 0 else next(s for s, out in enumerate(match.game.out) if not out)
        legal = match.legal_actions(seat)
        # Who can play a card does, so that hands come to an end.
        action = self.random.choice([each for each in legal if type(each) is Play] or legal)
        person = table.state.seating.people[seat]
        await self.tables.act(table, self.by(person.user_id or 0), (action,), match.decision)

    def _saved(self, table: Table) -> None:
        self.acknowledged.setdefault(table.id, {})[table.state.version] = time.monotonic()

    def moves(self) -> int:
        """Return how many saves were acknowledged."""
        return sum(len(versions) for versions in self.acknowledged.values())


async def follow(database: Path, directory: Path, every: float) -> asyncio.subprocess.Process:
    """Start `backup --follow`, and wait until its first copy is there."""
    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), "DATABASE_URL": url_of(database)}
    command = ["-m", "bot", "backup", "--follow", str(directory), "--every", str(every)]
    following = await asyncio.create_subprocess_exec(
        sys.executable, *command, cwd=database.parent, env=environment, stdout=asyncio.subprocess.PIPE
    )
    assert following.stdout is not None
    async with asyncio.timeout(PATIENCE):
        said = await following.stdout.readline()
    assert said.startswith(b"following into"), said
    return following


def lose(following: asyncio.subprocess.Process, directory: Path, left: Path, play: Player) -> Loss:
    """Keep the directory as it stands now, in the middle of whatever is being written to it."""
    os.kill(following.pid, signal.SIGSTOP)
    at = time.monotonic()
    acknowledged = {table: dict(versions) for table, versions in play.acknowledged.items()}
    left.mkdir()
    for each in directory.iterdir():
        os.link(each, left / each.name)  # what has its name is not written to any more
    os.kill(following.pid, signal.SIGCONT)
    return Loss(left, at, acknowledged)


async def check(loss: Loss, new: Path) -> Outcome:
    """Restore what is left of a lost disk to a new one, and see that it is whole and goes on."""
    done = await restore(url_of(new), loss.left, START)
    assert done.passed_over == 0
    with closing(sqlite3.connect(new)) as database:
        assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert database.execute("PRAGMA foreign_key_check").fetchall() == []
        assert database.execute("SELECT count(*) FROM tokens").fetchone() == (0,)
        versions = dict(database.execute("SELECT id, version FROM tables"))
        moves = database.execute("SELECT table_id, hand_no, count(*) FROM log GROUP BY table_id, hand_no")
        log = {(table, hand): count for table, hand, count in moves}
        finished = database.execute("SELECT table_id, hand_no FROM hands").fetchall()
    missing = [
        at
        for table, saves in loss.acknowledged.items()
        for version, at in saves.items()
        if version > versions.get(table, 0)
    ]
    seconds = loss.at - min(missing, default=loss.at)
    assert seconds < AT_MOST, f"{seconds:.1f} s of moves are missing"
    store = Store(url_of(new))
    await store.open()
    try:
        await _whole(store, finished)
        live = await _goes_on(store, log)
    finally:
        await store.close()
    return Outcome(seconds, len(missing), live, len(finished))


async def _whole(store: Store, finished: list[tuple[int, int]]) -> None:
    """See that each finished hand plays out to its scores, and that the leaderboard is their sum."""
    totals: dict[int | None, list[int]] = {}
    for table, hand_no in finished:
        hand = await store.hand(table, hand_no)
        assert hand is not None
        scored = {score.seat: sorted(score.cards) for score in hand.scores}
        held = await _played_out(store, table, hand)
        assert held == scored, f"table {table}, hand {hand_no}: {held} is not {scored}"
        for score in hand.scores:
            if score.ranked:
                total = totals.setdefault(score.user_id, [0, 0, 0])
                total[0] += score.points
                total[1] += score.won
                total[2] += 1
    board = (await store.board(GUILD, limit=1000)).lines
    assert {row.user_id: [row.points, row.hands_won, row.hands] for row in board} == totals


async def _played_out(store: Store, table: int, hand: FinishedHand) -> dict[int, list[str]]:
    """Return the cards that each seat holds when a hand is played again from its record and its moves."""
    actions = [move.move for move in await store.moves(table, hand.hand_no)]
    scenario = read_scenario(hand.scenario | {"actions": actions})
    for move in scenario.moves:
        if move.action is DEAL:
            continue  # what led to this hand
        scenario.match.apply(move.seat, move.action, move.auto)
    return {score.seat: _codes(scenario.match, score.seat) for score in hand.scores}


def _codes(match: Match, seat: int) -> list[str]:
    return sorted(CODE[card] for card in match.game.hands[seat])


async def _goes_on(store: Store, log: dict[Any, int]) -> int:
    """See that all live tables open with all their moves, and play on at each; returns how many there are."""
    play = Player(store, "onward", 0.0)
    play.by.last, play.by.now = 10**9, START + timedelta(days=3)
    broken: list[Table] = []
    play.tables.listen_unreadable(broken.append)
    await restored(play.tables, play.by.now)
    assert broken == []
    live = list(play.tables.live())
    for table in live:
        match = table.state.match
        if match is None:
            continue
        assert match.invariants() == []
        assert log.get((table.id, match.hand_no), 0) == table.state.log.moves
        version = table.state.version
        for _ in range(ONWARD):
            if table.state.ended is None:
                await play.move(table)
        assert table.state.version > version
    return len(live)


async def rehearse(
    folder: Path, *, moments: int, seed: int, tables: int, pause: float, every: float, apart: int
) -> tuple[list[Outcome], list[float]]:
    """Lose the disk at so many moments, `apart` saves after the last on average.

    Returns what came of each, and how many seconds each move took meanwhile. Raises AssertionError for the
    first loss that is too large or not whole.
    """
    database, directory = folder / "lost.db", folder / "kept"
    directory.mkdir()
    await asyncio.to_thread(migrate, url_of(database))
    store = Store(url_of(database))
    await store.open()
    play = Player(store, str(seed), pause)
    await play.play_a_hand()
    following = await follow(database, directory, every)
    playing = [asyncio.create_task(play.sit(2 + number, 2 + number % 4)) for number in range(tables)]
    outcomes = []
    try:
        for moment in range(moments):
            until = play.moves() + play.random.randrange(apart // 5, 2 * apart - apart // 5)
            while play.moves() < until:
                await asyncio.sleep(0.001)
                for task in playing:
                    if task.done():
                        task.result()
            loss = lose(following, directory, folder / f"left-{moment}", play)
            outcomes.append(await check(loss, folder / f"new-{moment}" / "restored.db"))
    finally:
        for task in playing:
            task.cancel()
        await asyncio.gather(*playing, return_exceptions=True)
        following.terminate()
        status = await following.wait()
        await store.close()
    assert status == 0
    return outcomes, play.waits


def main() -> int:
    """Run the rehearsal from the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--moments", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--tables", type=int, default=40)
    parser.add_argument("--every", type=float, default=3.0, help="seconds between two copies of changes")
    parser.add_argument("--apart", type=int, default=150, help="saves between two losses, on average")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="rehearsal-") as folder:
        outcomes, waits = asyncio.run(
            rehearse(
                Path(folder),
                moments=options.moments,
                seed=options.seed,
                tables=options.tables,
                pause=0.5,
                every=options.every,
                apart=options.apart,
            )
        )
    seconds = statistics.quantiles((outcome.missing_seconds for outcome in outcomes), n=2, method="inclusive")
    moves = statistics.quantiles((outcome.missing_moves for outcome in outcomes), n=2, method="inclusive")
    hundredths = statistics.quantiles(waits, n=100)
    last = outcomes[-1]
    sys.stdout.write(
        f"{len(waits)} moves at {options.tables} tables; one took {hundredths[49] * 1e3:.0f} ms at the "
        f"median, {hundredths[98] * 1e3:.0f} ms at p99\n"
        f"{len(outcomes)} lost disks: missing were {seconds[0]:.1f} s of moves at the median, "
        f"{max(outcome.missing_seconds for outcome in outcomes):.1f} s at most ({moves[0]:.0f} moves, "
        f"{max(outcome.missing_moves for outcome in outcomes)} at most)\n"
        f"all were whole and played on; the last had {last.live_tables} live tables, {last.hands} hands\n"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
