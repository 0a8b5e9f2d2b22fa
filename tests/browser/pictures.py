"""Take the pictures of docs/pictures anew: `python -m tests.browser.pictures`."""

import asyncio
import io
import shutil
from dataclasses import replace
from pathlib import Path

from PIL import Image
from playwright.async_api import async_playwright

from bot.playground import Playground, playground
from bot.tables import Change
from engine.events import public
from engine.notation import read_scenario
from tests.browser.browsing import ARGUMENTS, Window

FOLDER = Path(__file__).parents[2] / "docs" / "pictures"
NAMES = ("Ann", "Bob", "Cat", "Dan")
#: Room for a table and a hand above each other, so that nothing is scrolled away.
WIDE, NARROW, TALL = 720, 390, 1600
#: A match to 300 points, with something to tell about its last turns.
MIDDLE = {
    "players": list(NAMES),
    "match": {"target": 300},
    "start": {"hand_no": 2, "scores": {"Ann": 64, "Cat": 121}},
    "position": {
        "hands": {
            "Ann": ["B2", "BD", "R7", "WI", "Y4", "Y4", "G1", "RS"],
            "Bob": ["WI", "R1", "R1", "G2", "Y9"],
            "Cat": ["G7", "B1"],
            "Dan": ["B7", "R3", "YR"],
        },
        "draw": ["G4", "Y1", "Y2", "Y3"],
        "discard": ["R5", "R2"],
        "turn": "Bob",
    },
    "actions": [
        ["Bob", "play", "WI"],
        ["Bob", "target", "Dan"],
        ["Cat", "uno"],
        ["Cat", "play", "G7"],
        ["Dan", "play", "B7"],
    ],
}
#: One card before the end of a hand.
LAST = {
    **MIDDLE,
    "position": {
        "hands": {
            "Ann": ["B2"],
            "Bob": ["WI", "R1", "R1", "G2", "Y9"],
            "Cat": ["B1"],
            "Dan": ["R3", "YR", "W4"],
        },
        "draw": ["G4", "Y1", "Y2", "Y3"],
        "discard": ["B7", "R2"],
        "turn": "Ann",
    },
    "actions": [],
}


async def arrange(opened: Playground, scenario: dict) -> None:
    """Put the table of the playground into a position, and draw it."""
    bot = opened.scene.bot
    (table,) = bot.tables.live()
    read = read_scenario(scenario)
    told = list(read.start)
    for move in read.moves:
        told += read.match.apply(move.seat, move.action)
    before = table.state
    after = before.clone()
    after.match, after.options = read.match, replace(after.options, length=read.match.length)
    after.log.recent = ()
    after.log.remember([public(event) for event in told])
    table.state = after
    bot.messages._tracked(table).version = -1  # so that it is drawn, though nothing was saved
    bot.messages.changed(Change(table, before, after, (), None))
    await asyncio.sleep(1)


async def take(window: Window, name: str, width: int, first: int, last: int | None = None) -> None:
    """Take a picture of some messages of the channel, from the one at `first` to the one before `last`."""
    await window.page.set_viewport_size({"width": width, "height": TALL})
    await window.page.mouse.move(0, 0)
    await window.page.wait_for_timeout(500)
    boxes = [await message.bounding_box() for message in (await window.channel.locator("article").all())]
    boxes = boxes[first:last]
    top, bottom = boxes[0]["y"], boxes[-1]["y"] + boxes[-1]["height"]
    png = await window.page.screenshot(clip={"x": 0, "y": top, "width": width, "height": bottom - top})
    image = Image.open(io.BytesIO(png)).convert("RGB").quantize(256, dither=Image.Dither.NONE)
    FOLDER.mkdir(parents=True, exist_ok=True)
    image.save(FOLDER / f"{name}.png", optimize=True)


async def main() -> None:
    """Take all of them."""
    async with async_playwright() as playwright, playground(NAMES) as opened:
        chromium = await playwright.chromium.launch(executable_path=shutil.which("chromium"), args=ARGUMENTS)
        window = await Window.open(chromium, opened.pages.url, sharpness=2)
        await window.command("/uno start", hands="3")
        await window.channel.get_by_text("4 players of 10").wait_for()
        await window.page.uncheck("#stand-ins")
        await window.button("Start").click()
        await window.hand().wait_for()
        await arrange(opened, MIDDLE)
        await take(window, "table", WIDE, 1, 2)
        await take(window, "hand", WIDE, 2)
        await take(window, "phone", NARROW, 2)
        await arrange(opened, LAST)
        await window.button("Blue 2").click()
        await window.button("Next hand").wait_for()
        await take(window, "summary", WIDE, 1, 2)
        await chromium.close()


if __name__ == "__main__":
    asyncio.run(main())
