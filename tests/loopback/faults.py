"""All goes wrong, kind by kind, while matches are played: `python -m tests.loopback.faults`.

For each way to go wrong there is a table for each kind of request that goes wrong, and one where nothing
does; they are played at once. A press is answered within 2.5 s unless it is the answer that fails. A move is
at the table and in the hand of whoever is next within 2 s, or within 2 s after what they need works again. No
move is lost, and a channel has one live table. What was otherwise is listed.
"""

import argparse
import asyncio
import contextlib
import math
import random
import sys
import tempfile
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.loopback.books import Books
from tests.loopback.fault import (
    FAILS,
    HANGS,
    LIMITED,
    LOST,
    LOST_IN_SILENCE,
    UNAVAILABLE,
)
from tests.loopback.kinds import Kind
from tests.loopback.limits import UNLIMITED
from tests.loopback.mirror import Mirror
from tests.loopback.process import BotProcess, Launcher
from tests.loopback.room import Room
from tests.loopback.server import STEP, Loopback
from tests.loopback.trial import ANSWERED, GROWN, OLD, SHOWN, Lateness, ThreadTrial, Trial
from tests.loopback.way import Way, add_option, way_of

#: How requests go wrong.
MODES: dict[str, Mapping[str, Any]] = {
    "fails with 500": FAILS,
    "fails with 503": UNAVAILABLE,
    "hangs": HANGS,
    "is limited": LIMITED,
    "is lost": LOST,
    "is lost in silence": LOST_IN_SILENCE,
}
#: What goes wrong as a whole: what cannot be done meanwhile, and whether people can go on playing.
WHOLE = {
    "no line": (("answer", "table", "hand"), False),
    "no gateway": (("answer",), False),
    "no server": (("answer", "table", "hand"), False),
    "no permission": (("table",), True),
    "under time-out": (("table",), True),
}
#: Requests at a table that may be answered with 403 until the bot knows better.
MOST_WASTED = 3
#: What goes wrong at the tables of a round, each at one; None is nothing.
KINDS = (
    *(None, Kind.ANSWER, Kind.HAND_EDIT, Kind.HAND_SEND, Kind.TABLE_EDIT, Kind.TABLE_POST),
    *(Kind.TABLE_DELETE, Kind.TABLE_LOOK, Kind.NOTICE_POST, Kind.NOTICE_DELETE, Kind.MEMBER_LOOK),
    *(Kind.CHANNEL_LOOK, Kind.MESSAGE_LIST, Kind.THREAD_CREATE, Kind.ANSWER_EDIT),
)
IN_A_THREAD = (Kind.THREAD_CREATE, Kind.ANSWER_EDIT)
#: What is carried out or not without being told: looks and deletions have nothing to lose.
MAKES_SOMETHING = (
    *(Kind.ANSWER, Kind.HAND_EDIT, Kind.HAND_SEND, Kind.TABLE_EDIT, Kind.TABLE_POST, Kind.NOTICE_POST),
    *IN_A_THREAD,
)
#: What need not be asked at all.
AT_WILL = (*OLD, Kind.TABLE_LOOK, Kind.MEMBER_LOOK)
#: Age from which the bot looks whether a table has scrolled away, in seconds.
AGE = 181.0
#: How long a bot takes to start, in seconds, and what goes wrong while it does.
STARTS = 2.0
START = "at the start"
AT_THE_START = (Kind.COMMAND_SYNC, Kind.EMOJI_LOOK, Kind.EMOJI_UPLOAD)
#: What logs that a line was broken, and that it will be mended.
BROKEN_LINES = ("discord.shard", "discord.client")
#: What is awaited in all after things went wrong, to see how late it comes that comes too late; in seconds.
PATIENCE = 6.0
SETTINGS = {
    "AWAY_TIME": "0",  # everybody is called to every turn
    "CATCH_GRACE": "0",
    "CLICK_PAUSE": "0",
    "COMPUTER_PAUSE": "0.3",
    "COMPUTER_UNO_PAUSE": "0.3",
    "ITEM_BOX_PAUSE": "0",
    "REPOST_PAUSE": "1",
    "START_PAUSE": "0",
    "TABLE_EDIT_DELAY": "0.2",
    "TABLE_REQUEST_PAUSE": "0",
}


@dataclass
class Row:
    """What came of one table: how often it was struck, how late what was, and what was wrong."""

    mode: str
    name: str
    struck: int
    presses: int
    late: tuple[Lateness, Lateness, Lateness]
    wrong: list[str]

    def __str__(self) -> str:
        told = "; ".join(self.wrong) or "ok"
        late = "".join(f"{late!s:>8}" for late in self.late)
        return f"  {self.name:32}{self.struck:7}{self.presses:9}{late}  {told}"


@dataclass
class Rounds:
    """One bot, and round after round of tables."""

    loopback: Loopback
    bot: BotProcess
    seconds: float
    dice: random.Random
    rows: list[Row] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.books = Books(self.bot.folder / "bot.db")
        self.mirror = Mirror()

    async def kinds(self, mode: str) -> None:
        """Let each kind of request go wrong at a table of its own."""
        loses = mode.startswith("is lost")
        wanted = [kind for kind in KINDS if kind is None or not loses or kind in MAKES_SOMETHING]
        trials = [
            ThreadTrial(self.loopback, kind) if kind in IN_A_THREAD else Trial(self.loopback, kind, self.dice)
            for kind in wanted
        ]
        async with self._watching(trials):
            await self._open(trials)
            self._begin(trials)
            faults = {
                trial: self.loopback.strike(trial.kind, MODES[mode], channel=trial.room.channel)
                for trial in trials
                if trial.kind is not None
            }
            await asyncio.gather(*(trial.play() for trial in trials))
            for fault in faults.values():
                fault.stop()
            await self._end(trials)
        for trial in trials:
            self._judge(mode, trial, len(faults[trial].struck) if trial in faults else 0)

    async def whole(self, mode: str) -> None:
        """Let all of it go wrong at four tables at once, in the middle of a move."""
        spoils, play_on = WHOLE[mode]
        trials = [Trial(self.loopback, None, self.dice, spoils=spoils) for _ in range(4)]
        async with self._watching(trials):
            await self._open(trials)
            # What a move leads to is on its way when it goes wrong; not every move changes another's hand.
            held = [
                self.loopback.strike(kind, HANGS, channel=trial.room.channel)
                for trial in trials
                for kind in (Kind.TABLE_EDIT, Kind.HAND_EDIT)
            ]
            moving = [asyncio.create_task(trial.act(fetch=True)) for trial in trials]
            with contextlib.suppress(AssertionError):
                await self.loopback.until(lambda: all(fault.struck for fault in held), within=1.0)
            self._begin(trials)
            before = len(self.loopback.wasted())
            async with self._going_wrong(mode, trials):
                for fault in held:
                    fault.stop()
                    fault.release()
                await asyncio.gather(*(trial.play() if play_on else trial.wait() for trial in trials))
            await asyncio.gather(*moving)
            wasted = len(self.loopback.wasted()) - before
            await self.loopback.until(self.loopback.gateway.connected, "the gateway", within=60)
            await self.loopback.gateway.poke()
            await self._end(trials)
        for trial in trials:
            self._judge(mode, trial, wasted // len(trials))
            if wasted > MOST_WASTED * len(trials):
                trial.wrong.append(f"{wasted} requests wasted at {len(trials)} tables")

    @asynccontextmanager
    async def _going_wrong(self, mode: str, trials: Sequence[Trial]) -> AsyncIterator[None]:
        """Let the line, the servers or the permissions be gone inside this block."""
        if mode == "no line":
            async with self.loopback.no_line():
                yield
            return
        if mode == "no gateway":
            async with self.loopback.gateway.outage():
                yield
            return
        for trial in trials:
            if mode == "no server":
                trial.guild.fail()
            elif mode == "no permission":
                trial.room.channel.deny("view_channel", who=trial.guild.me)
            else:
                trial.guild.me.time_out(3600)
        yield
        for trial in trials:
            if mode == "no server":
                trial.guild.recover()
            elif mode == "no permission":
                trial.room.channel.allow("view_channel", who=trial.guild.me)
            else:
                trial.guild.me.time_out(0)

    def wrong(self) -> list[str]:
        """Tell what was wrong besides: what no table can be blamed for."""
        lists = self.loopback.counts[Kind.MESSAGE_LIST]
        told = [f"{lists} lists of messages were asked for"] if lists else []
        return [*told, *self.loopback.faults, *unexpected(self.bot)]

    # --- a round

    async def _open(self, trials: Sequence[Trial | ThreadTrial]) -> None:
        """Open the tables, those first that are to be old by the time that things go wrong."""
        await asyncio.gather(*(trial.open() for trial in trials if trial.kind in OLD))
        if any(trial.kind in OLD for trial in trials):
            await asyncio.sleep(0.5)  # a save under way would seem to take as long as the clock is moved
            for _ in range(math.ceil(AGE / STEP)):
                self.loopback.clock.move(AGE / math.ceil(AGE / STEP))
                await self.loopback.gateway.poke()
        await asyncio.gather(*(trial.open() for trial in trials if trial.kind not in OLD))
        begun = [trial for trial in trials if trial.kind not in (*IN_A_THREAD, Kind.HAND_SEND)]
        await self.loopback.until(lambda: all(t.settled for t in begun), "all tables", within=20)

    def _begin(self, trials: Sequence[Trial | ThreadTrial]) -> None:
        now = asyncio.get_running_loop().time()
        for trial in trials:
            trial.begins, trial.ends = now, now + self.seconds

    async def _end(self, trials: Sequence[Trial | ThreadTrial]) -> None:
        """Wait until all is on screen, a little longer than it may take, and make a move everywhere."""
        now = asyncio.get_running_loop().time()
        for trial in trials:
            trial.ends = now
        for last in (False, True):
            with contextlib.suppress(AssertionError):
                await self.loopback.until(
                    lambda: all(trial.settled for trial in trials),
                    within=SHOWN + PATIENCE + self.seconds * GROWN,
                )
            if not last:
                await asyncio.gather(*(trial.go_on() for trial in trials))

    def _judge(self, mode: str, trial: Trial | ThreadTrial, struck: int) -> None:
        late = trial.judge(self.books, self.mirror)
        asked = trial.kind not in (None, *AT_WILL) and (trial.kind is not Kind.HAND_EDIT or trial.turned)
        if asked and not struck:
            trial.wrong.append("never asked")
        self.rows.append(Row(mode, trial.name, struck, len(trial.presses), late, trial.wrong))

    @asynccontextmanager
    async def _watching(self, trials: Sequence[Trial | ThreadTrial]) -> AsyncIterator[None]:
        watching = asyncio.create_task(self._watch({trial.room.channel.id: trial for trial in trials}))
        try:
            yield
        finally:
            watching.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await watching

    async def _watch(self, trials: Mapping[int, Trial | ThreadTrial]) -> None:
        known: dict[int, int] = {}
        while True:
            for channel, (number, version) in self.books.versions().items():
                if channel in trials and known.get(channel) != version:
                    known[channel] = version
                    trials[channel].came_to(self.books.table(number))
            for trial in trials.values():
                trial.look()
            self.loopback.bell.ring()
            await asyncio.sleep(0.04)


async def at_the_start(launcher: Launcher, kind: Kind, mode: str, seconds: float) -> Row:
    """Start a bot while a kind of request goes wrong, and open a lobby."""
    loop = asyncio.get_running_loop()
    loopback = Loopback(limits=UNLIMITED)
    await loopback.start()
    late, wrong = (Lateness(ANSWERED), Lateness(SHOWN), Lateness(SHOWN)), []
    with tempfile.TemporaryDirectory() as folder:
        bot = BotProcess(loopback, Path(folder), launcher, **SETTINGS)
        room = Room(loopback, loopback.guild().channel("uno"))
        (ann,) = room.channel.guild.join("Ann")
        fault = loopback.strike(kind, MODES[mode], seconds=seconds)
        ends = loop.time() + (seconds if kind is Kind.COMMAND_SYNC else 0)
        await bot.launch()
        try:
            await loopback.until(
                lambda: loopback.commands and loopback.gateway.identifies, within=seconds + 20
            )
            await loopback.gateway.poke()
            late[1].note(max(0.0, loop.time() - ends - STARTS))
            answer = await room.command(ann, "uno start")
            late[0].note(answer.took)
        except AssertionError as failed:
            wrong.append(str(failed))
        wrong += [what for what, late in (("start", late[1]), ("answer", late[0])) if late.too_long]
        if bot.pid is not None:
            await bot.kill()
        wrong += unexpected(bot)
    wrong += loopback.faults
    await loopback.close()
    return Row(START, f"{kind.value} {mode}", len(fault.struck), 1, late, wrong)


async def start_rows(launcher: Launcher, seconds: float) -> list[Row]:
    """Let each thing that a bot does at its start go wrong, one after another."""
    return [
        await at_the_start(launcher, kind, mode, seconds)
        for kind in AT_THE_START
        for mode in ("fails with 500", "hangs", "is limited")
    ]


def unexpected(bot: BotProcess) -> list[str]:
    """Tell the errors that a bot has logged, but that its line was broken."""
    return [str(line) for line in bot.unexpected() if line.get("logger") not in BROKEN_LINES]


async def run(seconds: float, modes: Sequence[str], seed: int, way: Way | None) -> int:
    """Let all go wrong for so long each, and print what came of it; returns the exit status."""
    launcher, loopback = Launcher(), Loopback(limits=UNLIMITED, way=way)
    await loopback.start()
    with tempfile.TemporaryDirectory() as folder:
        bot = BotProcess(loopback, Path(folder), launcher, **SETTINGS)
        rounds = Rounds(loopback, bot, seconds, random.Random(seed))
        await bot.start()
        for mode in modes:
            if mode == START:
                rounds.rows += await start_rows(launcher, seconds)
            else:
                await (rounds.kinds(mode) if mode in MODES else rounds.whole(mode))
            tell(rounds.rows, mode)
        await bot.stop()
        wrong = rounds.wrong()
    await loopback.close()
    launcher.close()
    sys.stdout.write("\n".join([*wrong, ""]))
    return 1 if wrong or any(row.wrong for row in rounds.rows) else 0


def tell(rows: Sequence[Row], mode: str) -> None:
    """Print what came of one way to go wrong."""
    head = f"{mode:34}{'struck':>7}{'presses':>9}{'answer':>8}{'table':>8}{'hand':>8}"
    sys.stdout.write("\n".join([head, *(str(row) for row in rows if row.mode == mode), ""]))
    sys.stdout.flush()


def main() -> int:
    """Run the command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.loopback.faults", description=__doc__)
    parser.add_argument("--seconds", type=float, default=60.0, help="how long each goes wrong")
    parser.add_argument(
        "--only", nargs="+", choices=(*MODES, *WHOLE, START), help="ways to go wrong; all if none"
    )
    parser.add_argument("--seed", type=int, default=1)
    add_option(parser)
    options = parser.parse_args()
    return asyncio.run(
        run(options.seconds, options.only or (*MODES, *WHOLE, START), options.seed, way_of(options))
    )


if __name__ == "__main__":
    sys.exit(main())
