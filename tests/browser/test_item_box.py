"""A Wild Item Box at real pace: what it did stays on the page, by its clock, before a computer moves."""

from contextlib import suppress

from bot.playground import playground
from bot.playground.world import NAMES
from tests.browser.browsing import Window
from tests.browser.pictures import arrange
from tests.discord.conftest import refused_errors

#: A visitor and two computers, none of which can play a card before they draw.
BOXED = {
    "players": ["Ann", "Bob", "Cat"],
    "match": {"hands": 1},
    "position": {
        "hands": {"Ann": ["WI", "R1", "R2", "R3"], "Bob": ["B1", "B2", "B3"], "Cat": ["B4", "B6", "B7"]},
        "draw": ["Y5", "G1", "G2", "G3", "G4", "G6", "G7", "G8"],
        "discard": ["R7", "R9"],
        "turn": "Ann",
    },
    "actions": [],
}
#: How long an item is seen at least, in seconds: two from Discord's answer, less what the page takes for it.
SEEN_FOR = 1.5


async def test_what_an_item_did_is_seen_before_a_computer_moves(browser, dealt, report):
    with refused_errors():
        async with playground(NAMES[:2]) as opened:
            window = await Window.open(browser, opened.pages.url)
            host = opened.scene.members[0]
            with suppress(TimeoutError):  # simcord's patience with a busy machine is short, and no matter
                await host.slash(opened.scene.channel, "uno start", cpus=2, turn_time="off")
            await window.channel.get_by_text("3 players of 10").wait_for()
            await window.button("Start").click()
            await window.hand().wait_for()
            await arrange(opened, BOXED)
            await window.button("My hand").click()
            await window.button("Wild Item Box").wait_for()
            await window.watch()
            await window.button("Wild Item Box").click()
            await window.channel.get_by_text("slips and draws 2 cards").wait_for()
            await window.picture("9-item")
            await window.channel.get_by_text("slips and draws 2 cards").wait_for(state="hidden")
            seen = [at for at, text in await window.seen() if "slipsanddraws2cards" in text]
            later = [at for at, text in await window.seen() if at > seen[-1]]
            assert any("opensanItemBox" in text for _, text in await window.seen())
            assert later[0] - seen[0] >= SEEN_FOR
            report.append(f"an item was seen for {later[0] - seen[0]:.2f} s before a computer moved")
            assert window.faults == []
