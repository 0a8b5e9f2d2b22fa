"""A visitor's hour: a match begun, joined, played and read in the browser, with stand-ins at the table."""

import asyncio
from datetime import timedelta

from bot.playground import playground, stand_ins
from bot.playground.world import NAMES
from engine.awaiting import Awaiting
from tests.browser.browsing import NO_ANSWERS, PATIENCE, Window, now, written
from tests.discord.conftest import refused_errors

#: Clicks that two windows make between them.
CLICKS = 50
#: How long each move may take to be seen in both, in seconds; a second at most where nothing else is done.
SEEN_WITHIN = 30.0


class Watched:
    """The playground's bot, with a note of each press that reached it and each state that came of it."""

    def __init__(self, opened) -> None:
        self.opened = opened
        self.presses = []
        self.states = []
        press = opened.pages.press

        def noted_press(member, *rest):
            self.presses.append((member.id, press(member, *rest)))
            return self.presses[-1][1]

        opened.pages.press = noted_press
        opened.scene.bot.tables.listen(lambda change: self.states.append((now(), change.after)))

    @property
    def table(self):
        return next(iter(self.opened.scene.bot.tables.live()))

    def count(self, member):
        return sum(who == member.id for who, _ in self.presses)

    def screens(self):
        """Give when each state came about, and the words of its table."""
        renderer = self.opened.scene.bot.renderer
        return [(at, written(renderer.table_message(self.table.id, state))) for at, state in self.states]


async def sit(watched, window, member, done):
    """Answer in one's turn, and look behind More and back while others play, until it is done.

    Returns how many clicks were made, and how many never arrived.
    """
    clicks = lost = 0
    while not done():
        labels = await window.labels()
        answers = [label for label in labels if label not in NO_ANSWERS]
        before = watched.count(member)
        label = answers[0] if answers else "Back" if "Back" in labels else "More"
        if not await window.press(label):
            continue
        clicks += 1
        if not await soon(lambda before=before: watched.count(member) > before):
            lost += 1
        await asyncio.sleep(0.3)
    return clicks, lost


async def soon(happened):
    """Wait until something has happened, in a while at most; tell whether it has."""
    for _ in range(int(PATIENCE / 0.01)):
        if happened():
            return True
        await asyncio.sleep(0.01)
    return False


def delays(states, seen):
    """Tell after how long each state, or one after it, was seen."""
    shown = []
    for when, text in seen:
        found = (position for position in reversed(range(len(states))) if states[position][1].search(text))
        shown.append((when, next(found, -1)))
    waits = []
    for position, (at, _) in enumerate(states):
        later = (when for when, newest in shown if when >= at and newest >= position)
        waits.append(next(later, float("inf")) - at)
    return waits


async def test_three_join_and_a_hand_is_played_to_its_end_in_two_windows(browser, dealt, monkeypatch, report):
    monkeypatch.setattr(stand_ins, "THINKS", timedelta(seconds=0.5))
    monkeypatch.setenv("ITEM_BOX_PAUSE", "0")  # each state is to be seen as soon as it is there
    with refused_errors():
        async with playground(NAMES[:4]) as opened:
            await play(opened, browser, report)


async def play(opened, browser, report):
    ann, bob, cat, dan = opened.scene.members
    watched = Watched(opened)
    first = await Window.open(browser, opened.pages.url)
    await first.page.uncheck("#stand-ins")
    await first.picture("1-begin")
    await first.command("/uno start", hands="3")
    await first.button("Start").wait_for()
    for number, member in enumerate((bob, cat, dan), 2):
        await first.become(member.id)
        await first.button("Join").click()
        await first.channel.get_by_text(f"{number} players of 10").wait_for()
    second = await Window.open(browser, opened.pages.url)
    await second.become(bob.id)
    await first.become(ann.id)
    await first.picture("2-lobby")
    await first.button("Start").click()
    for window in (first, second):
        await window.hand().wait_for()
        await window.watch()
    await first.picture("3-table")
    watched.states.clear()
    watched.presses.clear()
    await first.page.check("#stand-ins")

    def over():
        return watched.table.state.awaiting in (Awaiting.DEAL, Awaiting.OVER)

    def done():
        return over() or opened.following.done()

    hands = 0
    counted = [(0, 0), (0, 0)]
    while sum(clicks for clicks, _ in counted) < CLICKS or not hands:
        if hands:
            await first.button("Next hand").click()
            assert await soon(lambda: not over())
        played = await asyncio.gather(sit(watched, first, ann, done), sit(watched, second, bob, done))
        counted = [(a + c, b + d) for (a, b), (c, d) in zip(counted, played, strict=True)]
        if opened.following.done():
            opened.following.result()
        hands += 1
    for window in (first, second):
        await window.button("Next hand").wait_for()
    await first.picture("4-summary")

    assert [lost for _, lost in counted] == [0, 0]
    assert [record for _, record in watched.presses if not record.responded] == []
    assert opened.pages.refused == []
    assert opened.scene.world.errors == []
    assert first.faults + second.faults == []
    assert watched.count(cat) > 5
    assert watched.count(dan) > 5
    states = watched.screens()
    waits = [wait for window in (first, second) for wait in delays(states, await window.seen())]
    waits.sort()
    clicks = sum(clicks for clicks, _ in counted)
    stood_in = watched.count(cat) + watched.count(dan)
    report.append(
        f"{clicks} clicks in two windows and {stood_in} of stand-ins, none lost; {len(states)} moves seen in "
        f"both windows within {waits[-1]:.2f} s, half of them within {waits[len(waits) // 2]:.2f} s"
    )
    assert waits[-1] <= SEEN_WITHIN
