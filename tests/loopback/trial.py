"""One table at which a match is played while one kind of request goes wrong, and what is seen of it.

The database tells what the table waits for, and since when. Whether the table and the hand of whoever is
waited for show it, the number in the custom_ids of their buttons tells.
"""

import asyncio
import contextlib
import random
from collections.abc import Sequence
from dataclasses import dataclass, field

from tests.loopback import playing
from tests.loopback.answers import Interaction
from tests.loopback.books import Books, Kept
from tests.loopback.components import walk
from tests.loopback.kinds import Kind, has_buttons
from tests.loopback.mirror import Mirror, seen
from tests.loopback.room import Click, Room
from tests.loopback.screens import UnreachableError
from tests.loopback.server import Loopback
from tests.loopback.world import Member, Message

#: In how many seconds a press is answered, and how soon a move is on screen once nothing hinders that.
ANSWERED, SHOWN = 2.5, 2.0
#: Pauses between tries may have grown to such a part of how long things went wrong.
GROWN = 1 / 6
#: Seconds without a turn in sight after which somebody presses My hand.
STALLED = 0.6
#: What cannot be done while a kind of request goes wrong: answers, tables, hands.
SPOILS = {
    Kind.ANSWER: ("answer",),
    Kind.TABLE_EDIT: ("table",),
    Kind.TABLE_POST: ("table",),
    Kind.HAND_EDIT: ("hand",),
    Kind.HAND_SEND: ("hand",),
}
#: What is provoked by /uno table, and what only at a table that has stood for a while.
BROUGHT_DOWN = (Kind.TABLE_POST, Kind.TABLE_DELETE, Kind.TABLE_LOOK)
OLD = (Kind.CHANNEL_LOOK, Kind.MESSAGE_LIST)


@dataclass(eq=False)
class Step:
    """A decision by its number: since when and whose it is, and when table and hand showed it.

    `member` is None where a computer player is waited for, or nobody.
    """

    number: int
    at: float
    member: Member | None
    computer: bool
    table: float | None = None
    hand: float | None = None


@dataclass
class Lateness:
    """The longest that something took, in seconds, and after how many it was too late."""

    most: float
    longest: float = 0.0
    never: bool = False

    def note(self, took: float | None) -> None:
        if took is None:
            self.never = True
        else:
            self.longest = max(self.longest, took)

    @property
    def too_long(self) -> bool:
        return self.never or self.longest > self.most

    def __str__(self) -> str:
        return "never" if self.never else f"{self.longest:.2f} s"


class Trial:
    """One table; `kind` is what goes wrong there between `begins` and `ends`, None for nothing.

    `spoils` is what cannot be done meanwhile, if it is more than one kind of request that goes wrong.
    """

    def __init__(
        self, loopback: Loopback, kind: Kind | None, dice: random.Random, *, spoils: Sequence[str] = ()
    ) -> None:
        self.loopback = loopback
        self.kind = kind
        self.spoils = spoils or ((SPOILS.get(kind) or ()) if kind is not None else ())
        self.dice = dice
        self.guild = loopback.guild()
        self.room = Room(loopback, self.guild.channel("uno"))
        self.people = self.guild.join("Ann", "Bob", "Cem")  # with two, a Skip leaves all hands as they are
        self.steps: list[Step] = []
        self.presses: list[Interaction] = []
        self.wrong: list[str] = []
        self.begins = self.ends = 0.0
        self._moved = 0.0

    @property
    def name(self) -> str:
        return "nothing" if self.kind is None else self.kind.value

    # --- what people do

    async def open(self) -> None:
        """Begin a match; where hands are not sent, only the lobby."""
        ann, *others = self.people
        # A computer player tells whether what the clock does goes on.
        computers = 1 if self.kind in (Kind.MEMBER_LOOK, Kind.NOTICE_POST, Kind.NOTICE_DELETE) else 0
        await self.room.command(ann, "uno start", hands=20, turn_time="off", cpus=computers)
        for member in others:
            await self.room.click(member, self.room.table(), "Join")
        if self.kind is not Kind.HAND_SEND:
            await self.room.click(ann, self.room.table(), "Start")
            for member in self.people:
                await self.room.until(lambda member=member: self.room.hand(member), "a hand")

    async def play(self) -> None:
        """Play while things go wrong; towards the end nobody asks for a hand that does not come by itself."""
        length = self.ends - self.begins
        if self.kind is Kind.HAND_SEND:
            await self._press(Click(self.people[0], self.room.table(), "Start"))
        while self._now() < self.ends:
            await asyncio.sleep(min(self.dice.uniform(0.5, 0.9), max(0.0, self.ends - self._now())))
            if self.kind in OLD:
                self.room.channel.say(self.people[0], "Hello")
            if self.kind in BROUGHT_DOWN and (len(self.presses) < 2 or self.dice.random() < 0.6):
                for _ in range(2):
                    await self._answered(self.room.give(self.people[0], "uno table"))
            await self.act(fetch=self._now() < self.ends - 0.4 * length)

    async def wait(self) -> None:
        """Do nothing while things go wrong."""
        await asyncio.sleep(max(0.0, self.ends - self._now()))

    async def go_on(self) -> None:
        """Make one move that nothing hinders."""
        before = len(self.steps)
        while len(self.steps) == before and self._now() < self.ends + 20:
            await self.act(fetch=True)
            with contextlib.suppress(AssertionError):
                await self.loopback.until(lambda: len(self.steps) > before, within=0.3)

    async def act(self, *, fetch: bool) -> None:
        """Make a move, or `fetch` the hand of whoever is waited for, if nobody can move."""
        with contextlib.suppress(UnreachableError):
            click = playing.a_move(self.room, self.people, self.dice)
            if click is None and self.room.table().has("Next hand"):
                click = Click(self.people[0], self.room.table(), "Next hand")
            if click is not None:
                await self._press(click)
                if ":pick:" in str(click.custom_id):  # a colour is to be named before it is a move
                    await self.act(fetch=False)
                return
        waited = self.steps[-1].member if self.steps else self.people[0]
        if fetch and waited is not None and self._now() - self._moved > STALLED:
            with contextlib.suppress(UnreachableError):
                await self._press(Click(waited, self.room.table(), "My hand"))
                return
            await self._answered(self.room.give(waited, "uno hand"))

    async def _press(self, click: Click) -> None:
        await self._answered(self.room.press(click))

    async def _answered(self, asked: Interaction) -> None:
        """Wait for an answer, as long as a person sees that one may come."""
        self.loopback.excuse(asked)  # it is judged here
        self.presses.append(asked)
        with contextlib.suppress(AssertionError):
            await self.loopback.until(lambda: asked.kind, within=3.1)

    # --- what is seen

    def came_to(self, kept: Kept) -> None:
        """Note what the database has of the table now."""
        if kept.state is None or kept.state.match is None or kept.state.ended is not None:
            return
        number, seat = kept.match.decision, kept.match.turn
        if self.steps and number <= self.steps[-1].number:
            if number < self.steps[-1].number:
                self.wrong.append(f"decision {number} after {self.steps[-1].number}")
            return
        person = kept.state.seating.people[seat] if seat >= 0 else None
        member = None if person is None else self.guild.members.get(person.user_id or 0)
        self._moved = self._now()
        self.steps.append(Step(number, self._moved, member, person is not None and member is None))

    def look(self) -> None:
        """Note which decisions are on screen."""
        now = self._now()
        with contextlib.suppress(UnreachableError):
            shown = number_on(self.room.table().message)
            for step in self.steps:
                if step.table is None and step.number <= shown:
                    step.table = now
        for member in self.people:
            shown = max(map(number_on, self._private(member)), default=-1)
            for step in self.steps:
                if step.hand is None and (step.number <= shown and member is step.member):
                    step.hand = now

    def _private(self, member: Member) -> list[Message]:
        return [m for m in self.room.channel.messages.values() if m.viewer == member.id]

    def _hand_of(self, step: Step) -> float | None:
        """Tell when a hand showed a step, or what came after it."""
        later = [s.hand for s in self.steps if s.number >= step.number and s.member is step.member]
        return min((at for at in later if at is not None), default=None)

    @property
    def settled(self) -> bool:
        """Whether the newest decision is on screen, and everybody has a hand."""
        if not self.steps:
            return False
        step = self.steps[-1]
        waits = step.member is not None and self._hand_of(step) is None
        return step.table is not None and not waits and all(map(self._private, self.people))

    @property
    def turned(self) -> bool:
        """Whether the turn passed to somebody else while things went wrong: several items keep it."""
        follow = zip(self.steps, self.steps[1:], strict=False)
        return any(
            self.begins < later.at < self.ends and later.member is not step.member for step, later in follow
        )

    def _now(self) -> float:
        return asyncio.get_running_loop().time()

    # --- what must be

    def judge(self, books: Books, mirror: Mirror) -> tuple[Lateness, Lateness, Lateness]:
        """Find what was wrong; returns how late answers, table and hands were."""
        answers, table, hands = Lateness(ANSWERED), Lateness(SHOWN), Lateness(SHOWN)
        for asked in self.presses:
            if not ("answer" in self.spoils and self.begins - ANSWERED < asked.sent < self.ends):
                answers.note(None if asked.answered is None else asked.answered - asked.sent)
        for step in self.steps:
            table.note(self._late(step, step.table, "table"))
            if step.member is not None:
                hands.note(self._late(step, self._hand_of(step), "hand"))
        for step, following in zip(self.steps, self.steps[1:], strict=False):
            if step.computer and following.at - step.at > ANSWERED:
                self.wrong.append(f"a computer player waited {following.at - step.at:.1f} s")
        for what, late in (("answer", answers), ("table", table), ("hand", hands)):
            if late.too_long:
                self.wrong.append(f"{what}: {late}")
        self._judge_the_end(books, mirror)
        return answers, table, hands

    def _late(self, step: Step, shown: float | None, what: str) -> float | None:
        """Tell how long it took to show a step from when nothing hindered that any more."""
        if shown is None:
            return None
        since = step.at
        if what in self.spoils and self.begins - SHOWN < step.at:
            since = max(since, self.ends + GROWN * (self.ends - self.begins))
        elif "answer" in self.spoils and step.at < self.ends:
            since += ANSWERED  # an answer is given up after that, and drawn is what was answered
        return max(0.0, shown - since)

    def _judge_the_end(self, books: Books, mirror: Mirror) -> None:
        tables = [m for m in self.room.channel.messages.values() if m.is_table and m.viewer is None]
        live = sum(has_buttons(message.components) for message in tables)
        if live != 1:
            self.wrong.append(f"{live} live tables")
        if not all(map(self._private, self.people)):
            self.wrong.append("somebody has no hand")
        kept = books.in_channel(self.room.channel.id)
        try:
            books.check_live(kept)
        except AssertionError as lost:
            self.wrong.append(f"moves: {lost}")
        if live and not kept.over and seen(self.room.table()) != mirror.board(kept):
            self.wrong.append("the table is not what the database has")


@dataclass(eq=False)
class ThreadTrial:
    """A table that is opened in a thread while the making of it, or what is said of that, goes wrong."""

    loopback: Loopback
    kind: Kind
    begins: float = 0.0
    ends: float = 0.0
    wrong: list[str] = field(default_factory=list)
    presses: list[Interaction] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.guild = self.loopback.guild()
        self.room = Room(self.loopback, self.guild.channel("uno"))
        (self.ann,) = self.guild.join("Ann")

    @property
    def name(self) -> str:
        return self.kind.value

    async def open(self) -> None:
        """Do nothing: all of it is done while things go wrong."""

    async def play(self) -> None:
        asked = self.room.give(self.ann, "uno start", thread=True)
        self.loopback.excuse(asked)
        self.presses.append(asked)
        await asyncio.sleep(max(0.0, self.ends - asyncio.get_running_loop().time()))

    async def go_on(self) -> None:
        """Do nothing more."""

    def came_to(self, kept: Kept) -> None:
        """Take no note of the table."""

    def look(self) -> None:
        """Take no note of it."""

    @property
    def settled(self) -> bool:
        """Whether the channel says what became of it, and no thread is empty."""
        (asked,) = self.presses
        threads = [c for c in self.guild.channels.values() if c.is_thread]
        return (
            asked.response is not None
            and asked.response.edits > 0
            and all(any(m.is_table for m in thread.messages.values()) for thread in threads)
        )

    def judge(self, books: Books, mirror: Mirror) -> tuple[Lateness, Lateness, Lateness]:
        answers = Lateness(ANSWERED)
        (asked,) = self.presses
        answers.note(None if asked.answered is None else asked.answered - asked.sent)
        if answers.too_long:
            self.wrong.append(f"answer: {answers}")
        if not self.settled:
            self.wrong.append("an empty thread, or not a word of what became of it")
        return answers, Lateness(SHOWN), Lateness(SHOWN)


def number_on(message: Message) -> int:
    """Return the number of the decision that a message's buttons are for, -1 for none."""
    numbers = [
        int(part["custom_id"].split(":")[2])
        for part in walk(message.components)
        if str(part.get("custom_id")).startswith("ll:")
    ]
    return max(numbers, default=-1)
