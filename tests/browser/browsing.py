"""What a visitor does in the playground's page, and a record of what they saw and when."""

import re
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Self

import discord
from playwright.async_api import Browser, Error, Locator, Page

ARGUMENTS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
DESKTOP = {"width": 1200, "height": 900}
PHONE = {"width": 390, "height": 844}
#: How long anything is waited for, in seconds: far longer than it takes on a busy machine.
PATIENCE = 120.0
#: Where pictures are left to be looked at.
PICTURES = Path(__file__).parents[2] / "build" / "browser"
#: What stands on a hand beside the answers to what is awaited.
NO_ANSWERS = {"UNO!", "UNO! ✓", "Catch!", "More", "Back", "Leave", "Yes, leave", "Rules", "Table here"}
NO_ANSWERS |= {
    "Log",
    "Older",
    "Newer",
    "Keep playing",
    "Computer players",
    "Hand over my seat",
    "Keep my seat",
}

#: Writes down whatever the channel shows, with the time; drawn once a frame, as a screen is.
_WATCH = """
() => {
  const list = document.getElementById("channel-message-list");
  window.seen = [[Date.now(), list.innerText]];
  let due = false;
  const note = () => { due = false; window.seen.push([Date.now(), list.innerText]); };
  new MutationObserver(() => { if (!due) { due = true; requestAnimationFrame(note); } })
    .observe(list, { childList: true, subtree: true, characterData: true });
}
"""


def now() -> float:
    """Give the time that the browser's clock shows, in seconds; simcord hides it from the bot."""
    return time.clock_gettime(time.CLOCK_REALTIME)


def letters(text: str) -> str:
    """Take off what the page draws otherwise than it is written: emojis, marks, spaces."""
    return re.sub(r"[\W_]+", "", re.sub(r"<a?:\w+:\d+>", "", text))


def written(view: discord.ui.LayoutView) -> re.Pattern[str]:
    """Give a pattern for all the words of a screen, as `letters`; a time that is left may be any."""
    texts = [child.content for child in view.walk_children() if isinstance(child, discord.ui.TextDisplay)]
    parts = re.split(r"<t:\d+:R>", "".join(texts))
    return re.compile("[a-z0-9]{1,30}".join(map(letters, parts)))


def labelled(inside: Locator, label: str) -> Locator:
    """Find the buttons with a label, whatever their emoji is called."""
    return inside.locator("button.component-button", has_text=re.compile(rf"^\s*{re.escape(label)}\s*$"))


@dataclass
class Window:
    """One window of the browser, in which somebody is a member."""

    page: Page
    faults: list[str]

    @classmethod
    async def open(cls, browser: Browser, address: str, *, sharpness: float = 1) -> Self:
        """Open the address in a window of its own; pictures of it have `sharpness` pixels for each of its."""
        # simcord's page forbids what wait_for_function does.
        context = await browser.new_context(viewport=DESKTOP, device_scale_factor=sharpness, bypass_csp=True)
        page = await context.new_page()
        page.set_default_timeout(PATIENCE * 1000)
        faults: list[str] = []
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on(
            "console",
            lambda line: faults.append(f"{line.text} {line.location}") if line.type == "error" else None,
        )
        await page.goto(address)
        window = cls(page, faults)
        await window.ready()
        return window

    @property
    def channel(self) -> Locator:
        """The messages."""
        return self.page.locator("#channel-message-list")

    async def ready(self) -> None:
        await self.page.wait_for_function("window.simcordPreview?.ready")

    async def become(self, member_id: int) -> None:
        """Look through a member's eyes from now on."""
        await self.page.select_option("#viewer-picker", str(member_id))
        await self.page.wait_for_function(
            f"window.simcordPreview.viewerId === '{member_id}' && window.simcordPreview.ready"
        )

    async def command(self, words: str, **options: str) -> None:
        """Type a slash command and its options, and send it with Enter."""
        box = self.page.locator("#channel-composer-input")
        await box.click()
        await box.press_sequentially(words, delay=10)
        await self.page.locator("[role=option]:visible").first.wait_for()
        await self.page.keyboard.press("Enter")
        await self.page.locator(".command-chip").wait_for()
        for name, value in options.items():
            await self.page.locator("[role=option]:visible", has_text=name).click()
            await self.page.keyboard.type(value)
        await self.page.keyboard.press("Enter")
        await self.page.locator(".command-chip").wait_for(state="detached")

    def button(self, name: str) -> Locator:
        """Find a button by its label, the newest of that name."""
        return labelled(self.channel, name).last

    def hand(self) -> Locator:
        """Find the newest message that this member alone sees."""
        return self.channel.locator("article", has_text="Only you can see this").last

    async def labels(self) -> list[str]:
        """List what can be pressed on the hand."""
        buttons = self.hand().locator("button.component-button:not(:disabled):not([aria-disabled=true])")
        return await buttons.all_inner_texts()

    async def press(self, label: str) -> bool:
        """Press a button of the hand; False where it had gone by then."""
        try:
            await labelled(self.hand(), label).click(timeout=1000)
        except Error:
            return False
        return True

    async def picture(self, name: str) -> None:
        """Leave a picture at desktop width and one at a phone's."""
        PICTURES.mkdir(parents=True, exist_ok=True)
        for width, size in (("desktop", DESKTOP), ("phone", PHONE)):
            await self.page.set_viewport_size(size)
            await self.page.wait_for_timeout(300)
            await self.page.screenshot(path=PICTURES / f"{name}-{width}.png")
        await self.page.set_viewport_size(DESKTOP)

    # --- what was seen when

    async def watch(self) -> None:
        """Begin to write down what the channel shows."""
        await self.page.evaluate(_WATCH)

    async def seen(self) -> list[tuple[float, str]]:
        """Give what was shown, as `letters`, and when, as `now`."""
        return [(at / 1000, letters(text)) for at, text in await self.page.evaluate("window.seen")]
