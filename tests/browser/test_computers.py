"""A visitor alone with computer players: they are added by clicks and play in real time."""

import asyncio
import re
from contextlib import suppress

from bot.playground import playground
from bot.playground.world import NAMES
from engine.awaiting import Awaiting
from tests.browser.browsing import NO_ANSWERS, PATIENCE, Window, labelled
from tests.discord.conftest import refused_errors

#: Computers that the visitor adds, one of each level.
LEVELS = ("Easy", "Normal", "Sharp")


async def test_a_visitor_alone_adds_computers_and_plays_a_hand_against_them(browser, dealt, monkeypatch):
    monkeypatch.setenv("COMPUTER_PAUSE", "0.3")  # nine of them take minutes over a hand otherwise
    with refused_errors():
        async with playground(NAMES) as opened:
            window = await Window.open(browser, opened.pages.url)
            host = opened.scene.members[6]
            await window.become(host.id)
            with suppress(TimeoutError):  # simcord's patience with a busy machine is short, and no matter
                await host.slash(opened.scene.channel, "uno start", cpus=6, hands=3, turn_time="off")
            await window.channel.get_by_text("7 players of 10").wait_for()
            await window.button("Add CPU").click()
            for number, level in enumerate(LEVELS, 8):
                await labelled(window.hand(), level).click()
                await window.channel.get_by_text(f"{number} players of 10").wait_for()
            await window.picture("6-computers")
            table = next(iter(opened.scene.bot.tables.live()))
            assert len(table.state.seated_computers) == 9
            await window.button("Start").click()
            await window.hand().get_by_text(re.compile("Your hand|Up next")).first.wait_for()
            await window.picture("7-computers-table")
            pictured = False
            async with asyncio.timeout(5 * PATIENCE):
                while table.state.awaiting is not Awaiting.DEAL:
                    labels = [label for label in await window.labels() if label not in NO_ANSWERS]
                    if not labels:
                        await asyncio.sleep(0.1)
                        continue
                    if not pictured:
                        await window.picture("8-computers-hand")
                        await labelled(window.hand(), "More").click()
                        await window.picture("9-more")
                        await labelled(window.hand(), "Computer players").click()
                        await window.hand().get_by_text("Computer players").wait_for()
                        await window.picture("10-remove")
                        await labelled(window.hand(), "Back").click()
                        await labelled(window.hand(), "More").click()
                        await labelled(window.hand(), "Hand over my seat").click()
                        await window.hand().get_by_text("to whom?").wait_for()
                        await window.picture("11-hand-over")
                        await labelled(window.hand(), "Back").click()
                        pictured = True
                    await window.press(labels[0])
                    await asyncio.sleep(0.1)
            await window.button("Next hand").wait_for()
            await window.picture("12-computers-summary")
            assert opened.pages.refused == []
            assert opened.scene.world.errors == []
            assert window.faults == []
