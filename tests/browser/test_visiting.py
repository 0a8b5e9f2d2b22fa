"""A visitor alone: the command line, the page that is loaded again, and stand-ins in a thread."""

import asyncio
import re
import signal
import sys

from bot.playground import playground
from bot.playground.world import NAMES
from tests.browser.browsing import PATIENCE, Window
from tests.discord.conftest import refused_errors


async def test_the_command_line_prints_one_address_and_ends_cleanly(browser):
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "bot.playground", "--no-browser", "--port", "0", "--members", "3"),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    line = (await process.stdout.readline()).decode()
    address = re.fullmatch(
        r"Lastlap's playground: (http://127\.0\.0\.1:\d+/#play) \(Ctrl-C ends it\)\n", line
    )
    window = await Window.open(browser, address[1])
    assert await window.page.locator("#viewer-picker option").all_inner_texts() == list(NAMES[:3])
    await window.channel.get_by_text("Welcome to Lastlap's playground.").wait_for()
    process.send_signal(signal.SIGINT)
    out, err = await asyncio.wait_for(process.communicate(), PATIENCE)
    assert (process.returncode, out, err) == (0, b"", b"")


async def test_a_visitor_alone_plays_in_a_thread_and_stays_who_they_are(browser, dealt):
    with refused_errors():
        async with playground(NAMES[:4]) as opened:
            window = await Window.open(browser, opened.pages.url)
            bob = opened.scene.members[1]
            await window.become(bob.id)
            await window.page.reload()
            await window.page.wait_for_function(f"window.simcordPreview?.viewerId === '{bob.id}'")
            await window.ready()
            await window.command("/uno start", thread="True")
            await window.page.select_option("#place", index=1)
            await window.channel.get_by_text("4 players of 10").wait_for()
            await window.button("Start").click()
            await window.hand().wait_for()
            await window.channel.get_by_text(re.compile("(Ann|Cat|Dan) (played|drew)")).first.wait_for()
            await window.picture("5-thread")
            assert await window.page.locator("#place option").count() == 2
            assert opened.pages.refused == []
            assert opened.scene.world.errors == []
            assert window.faults == []


async def test_enter_sends_a_command_whose_option_was_picked_with_the_mouse(browser):
    async with playground(NAMES[:2]) as opened:
        window = await Window.open(browser, opened.pages.url)
        box = window.page.locator("#channel-composer-input")
        await box.click()
        await box.press_sequentially("/uno start", delay=10)
        await window.page.locator("[role=option]").first.wait_for()
        await window.page.keyboard.press("Enter")
        await window.page.locator("[role=option]", has_text="turn_time").click()
        await window.page.locator("[role=option]", has_text="2 min").click()
        await window.page.keyboard.press("Enter")
        await window.channel.get_by_text("Time for a turn: 2 minutes").wait_for()
        await window.page.locator(".command-chip").wait_for(state="detached")
