"""kill -9 between a click and its answer, again and again: `python -m tests.loopback.kills --kills 200`.

After each kill the bot is started anew on its database, which must have the table as it was before the move
or after it, whole; and what is on screen must come to that by itself. Then the table plays on.
"""

import argparse
import asyncio
import contextlib
import random
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from engine.awaiting import NO_SEAT, Awaiting
from tests.loopback import playing
from tests.loopback.answers import Interaction
from tests.loopback.bell import PATIENCE
from tests.loopback.books import Books, Kept, position
from tests.loopback.fault import Fault
from tests.loopback.limits import UNLIMITED
from tests.loopback.mirror import Mirror, seen
from tests.loopback.process import BotProcess, Launcher
from tests.loopback.room import Click, Room
from tests.loopback.screens import Screen
from tests.loopback.server import Loopback
from tests.loopback.way import Way, add_option, way_of
from tests.loopback.world import Member

#: What a click leads to, each held on its way there or on its way back: the bot dies while it waits.
HELD = {
    "answer": ("POST", "/interactions/*/*/callback"),
    "table": ("PATCH", "/channels/*/messages/*"),
    "hand": ("PATCH", "/webhooks/*/*/messages/*"),
}
#: Where the bot is killed: a moment after the click, in the catching up after a start, when a hand fetched at
#: the table was shown and the bot does not know it yet, or at a request.
FETCHED = "after My hand"
POINTS = ("moment", "start", FETCHED, *(f"{what} {way}" for what in HELD for way in ("out", "back")))
#: How soon after a click, and after a start, in seconds.
SOON, AT_START = 0.03, 0.3
#: What a client waits for all of its servers, in seconds; only then it takes itself for ready.
READY = 2.0

#: The bot's settings: no clock of the game's own moves anything here.
SETTINGS = {
    "TABLE_EDIT_DELAY": "0",
    "ITEM_BOX_PAUSE": "0",
    "ITEM_SHOWN_PAUSE": "0",
    "CATCH_GRACE": "0",
    "CLICK_PAUSE": "0",
    "START_PAUSE": "0",
    "AWAY_TIME": "86400",
}


class Kills:
    """One table whose bot is killed; `seen` counts where, and what became of the moves."""

    def __init__(self, loopback: Loopback, bot: BotProcess, dice: random.Random) -> None:
        self.loopback = loopback
        self.bot = bot
        self.dice = dice
        self.books = Books(bot.folder / "bot.db")
        self.seen: Counter[str] = Counter()
        self.slowest = 0.0
        self._guild = loopback.guild()
        self.most_players = 3
        self.hands = 2
        self._mirror = Mirror()
        self._way = loopback.way.most if loopback.way else 0.0
        self.room = Room(loopback, self._guild.channel("uno"))
        self.people: list[Member] = []

    # --- the table

    async def open(self) -> None:
        """Begin a match of two to so many players."""
        names = ("Ann", "Bob", "Cem", "Dia")[: self.dice.randint(2, self.most_players)]
        self.room = Room(self.loopback, self._guild.channel("uno"))
        self.people = self._guild.join(*names)
        host, *others = self.people
        opened = await self.room.command(host, "uno start", hands=self.hands, turn_time="off")
        assert not opened.private, opened.text
        for member in others:
            await self.room.click(member, self.room.table(), "Join")
        await self.room.click(host, self.room.table(), "Start")
        for member in self.people:
            await self.room.until(lambda member=member: self.room.hand(member), f"a hand of {member.name}")

    def kept(self) -> Kept:
        """Read what the database has of the table."""
        return self.books.in_channel(self.room.channel.id)

    async def next_move(self) -> Click:
        """Find a press that is a move, through the steps that lead there; opens a new table at an end."""
        while True:
            if self.kept().over:
                self.books.check_finished(self.kept())
                self.seen["matches"] += 1
                await self.open()
            if self.kept().match.awaiting is Awaiting.DEAL:
                await self.room.until(lambda: self.room.table().has("Next hand"), "the summary")
                return Click(self.dice.choice(self.people), self.room.table(), "Next hand")
            member = self.people[self.kept().match.turn]
            hand = await self._hand_of(member)
            click = playing.a_move(self.room, [member], self.dice)
            assert click is not None, hand
            if ":pick:" not in str(click.custom_id):
                return self._at_the_table(click)
            await self.room.click(click.member, click.screen, custom_id=click.custom_id)

    async def _hand_of(self, member: Member) -> Screen:
        """Return the hand of whoever is waited for, fetched at the table where the newest is an old one."""

        def behind() -> str:
            return self.hand_is_behind(self.kept(), self.people.index(member), newest=True)

        try:
            await self.room.until(lambda: not behind(), within=1.0)
        except AssertionError:
            self.seen["fetched by My hand"] += 1
            await self.room.click(member, self.room.table(), "My hand")
            assert not behind(), behind()
        return self.room.hand(member)

    def _at_the_table(self, click: Click) -> Click:
        """Answer a Wild Draw Four at the table, now and then, where that can be done too."""
        table = self.room.table()
        if click.custom_id in table.custom_ids and self.dice.random() < 0.5:
            return Click(click.member, table, custom_id=click.custom_id)
        return click

    async def play(self, moves: int) -> None:
        """Play on for so many moves, none of them disturbed."""
        for _ in range(moves):
            click = await self.next_move()
            await self.room.click(click.member, click.screen, click.label, custom_id=click.custom_id)
            await self.loopback.quiet(0.01)

    # --- a kill

    async def kill(self, point: str) -> None:
        """Kill the bot at a point of the next move, see that all is well, and play on."""
        if point == FETCHED:
            await self.kill_after_my_hand()
        else:
            await self.kill_after(await self.next_move(), point)
        await self.play(self.dice.randint(1, 3))

    async def kill_after(self, click: Click, point: str) -> None:
        """Kill the bot at a point after a click, start it anew, and see that all is well."""
        self.seen[f"at {point}"] += 1
        await self.loopback.quiet()
        before = self.kept()
        asked = None
        if point == "start":
            await self._kill_in_the_catching_up(click)
        else:
            asked = await self._kill(click, point)
        self._check_books(before, asked)
        began = time.monotonic()
        await self.loopback.move(READY)
        while behind := self._behind():
            assert time.monotonic() - began < PATIENCE, f"after a kill at {point} {behind}"
            # Nothing is heard of a table that is put away: the database alone tells.
            with contextlib.suppress(AssertionError):
                await self.loopback.until(lambda: not self._behind(), within=0.05)
        self.slowest = max(self.slowest, time.monotonic() - began)

    async def kill_after_my_hand(self) -> None:
        """Kill the bot once a hand was shown whose token it has not saved, and see that it becomes fresh.

        Nothing reaches that message any more but a press of its own: whichever comes first has to show it as
        it is now, when it has become the turn of its player.
        """
        self.seen[f"at {FETCHED}"] += 1
        await self.next_move()  # there is one, at a new table if need be
        while self.kept().match.awaiting is Awaiting.DEAL:  # the sum of a hand shows nobody's cards
            await self.play(1)
        await self.loopback.quiet()
        fault = self.loopback.inject(*HELD["answer"], hold=True, after=True)
        waiting = self.people[(self.kept().match.turn + 1) % len(self.people)]
        self.room.press(Click(waiting, self.room.table(), "My hand"))
        await self._struck(fault)
        fetched = self.room.hand(waiting)
        await self.bot.kill()
        fault.times = 0
        await self.loopback.idle(0)  # what was held is given up with the line
        await self.bot.start()
        await self.loopback.move(READY)
        while self._waits_for_another(waiting):
            await self.play(1)
        if self.kept().over or self.kept().match.turn == NO_SEAT:
            self.seen["fetched, and the hand was over"] += 1
            return
        button = self.dice.choice([label for label in ("UNO!", "Catch!", "More") if fetched.has(label)])
        await self.room.click(waiting, fetched, button)
        seat = self.people.index(waiting)
        wrong = self.hand_is_behind(self.kept(), seat, only=self.room.look(fetched))
        assert not wrong, f"after {button} {wrong}"
        self.seen["fetched, and made fresh"] += 1

    def _waits_for_another(self, member: Member) -> bool:
        kept = self.kept()
        return not kept.over and kept.match.turn not in (NO_SEAT, self.people.index(member))

    async def _kill(self, click: Click, point: str) -> Interaction:
        what, _, way = point.partition(" ")
        fault = None
        if what in HELD:
            fault = self.loopback.inject(*HELD[what], hold=True, after=way == "back")
        asked = self.room.press(click)
        if fault is None:
            await asyncio.sleep(self.dice.uniform(0, SOON + self._way))
        elif what == "answer":
            await self.loopback.until(lambda: fault.struck, "the answer, which every press has")
        else:
            await self._struck(fault)
        await self.bot.kill()
        if fault is not None:
            fault.times = 0
            await self.loopback.idle(0)
        await self.bot.start()
        return asked

    async def _struck(self, fault: Fault) -> None:
        """Wait until a request is held or none comes any more; not every move has one of each kind."""
        quiet = asyncio.create_task(self.loopback.quiet(0.3 + 2 * self._way))
        quiet.add_done_callback(lambda _: self.loopback.bell.ring())
        await self.loopback.until(lambda: fault.struck or quiet.done())
        quiet.cancel()
        if not fault.struck:
            self.seen["not held"] += 1

    async def _kill_in_the_catching_up(self, click: Click) -> None:
        """Kill it before all was drawn, and again while it makes up for that."""
        fault = self.loopback.inject(*HELD["table"], status=500, times=None)
        await self.room.click(click.member, click.screen, click.label, custom_id=click.custom_id)
        await self.bot.kill()
        fault.times = 0
        await self.bot.start()
        await self.loopback.gateway.poke()
        self.loopback.clock.move(READY)
        await asyncio.sleep(self.dice.uniform(0, AT_START))
        await self.bot.restart(killed=True)

    def _check_books(self, before: Kept, asked: Interaction | None) -> None:
        """Raise AssertionError unless the table is as it was before the move or after it, whole."""
        after = self.kept()
        if after.over:
            self.books.check_finished(after)
        if after.state is not None:
            self.books.check_live(after)
        if asked is None:
            assert after.version > before.version, "a move that was answered is lost"
            return
        moves = after.by(asked.id)
        assert after.moves[len(before.moves) :] == tuple(moves), "the log has moves that nobody made"
        assert after.moves[: len(before.moves)] == before.moves, "moves are lost"
        if not moves:
            assert asked.kind is None, "a move that was answered is lost"
            assert after.version == before.version
            names = [f"s{seat}" for seat in range(len(self.people))]
            assert position(after.match, names) == position(before.match, names)
        else:
            if after.state is not None:
                assert after.version == before.version + 1
        self.seen["after the move" if moves else "before the move"] += 1
        self.seen["answered" if asked.kind else "not answered"] += 1

    # --- what is on screen

    def _behind(self) -> str:
        """Say in what the table, or the hand of whoever is waited for, is not what the database has."""
        kept = self.kept()
        table = self.room.table()
        if kept.state is None:
            over = any(":details:" in custom_id for custom_id in table.custom_ids)
            return "" if over and not table.has("Next hand") else f"the match is over, and not on {table}"
        if kept.over:
            return "the table has ended, and is not closed"
        if seen(table) != (wanted := self._mirror.board(kept)):
            return f"the table is {seen(table)}, not {wanted}"
        return "" if kept.match.turn == NO_SEAT else self.hand_is_behind(kept, kept.match.turn)

    def hand_is_behind(
        self, kept: Kept, seat: int, *, newest: bool = False, only: Screen | None = None
    ) -> str:
        """Say in what a hand is not what the database has, "" for nothing.

        It need not be the newest: whoever fetched one at the table in the very moment of a kill has the one
        before it brought up to date.
        """
        member = self.people[seat]
        hands = [only] if only else [self.room.hand(member)] if newest else self.room.private(member)
        if any(self._mirror.is_hand(kept, seat, hand) for hand in hands):
            return ""
        return f"the hand of seat {seat} is {seen(hands[-1])}, not {self._mirror.hand(kept, seat)}"


async def run(kills: int, seed: int, way: Way | None) -> int:
    """Kill a bot so often, and print what came of it; returns the exit status."""
    dice = random.Random(seed)
    launcher, loopback = Launcher(), Loopback(limits=UNLIMITED, way=way)
    await loopback.start()
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        bot = BotProcess(loopback, Path(folder), launcher, **SETTINGS)
        table = Kills(loopback, bot, dice)
        await bot.start()
        await table.open()
        for number in range(kills):
            await table.kill(POINTS[number % len(POINTS)])
        await bot.stop()
        said = [f"{kills} kills in {time.monotonic() - began:.0f} s, seed {seed}"]
        said += [f"  {what:20} {count}" for what, count in sorted(table.seen.items())]
        said.append(f"  screens caught up at most {table.slowest:.2f} s after the bot was ready")
        errors = [*loopback.faults, *map(str, bot.unexpected())]
    await loopback.close()
    launcher.close()
    sys.stdout.write("\n".join([*said, *errors, ""]))
    return 1 if errors else 0


def main() -> int:
    """Run the command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.loopback.kills", description=__doc__)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    add_option(parser)
    options = parser.parse_args()
    return asyncio.run(run(options.kills, options.seed, way_of(options)))


if __name__ == "__main__":
    sys.exit(main())
