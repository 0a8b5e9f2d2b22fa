"""A browser for the tests under this folder, and nothing without one."""

import shutil
from collections.abc import AsyncIterator
from types import SimpleNamespace

import pytest
import pytest_asyncio
from playwright.async_api import Browser, async_playwright

from bot.tables import draft
from tests.browser.browsing import ARGUMENTS, PATIENCE
from tests.playground.pace import unhurried

__all__ = ["unhurried"]

#: A hand of some fifty decisions, every kind of them among them; the host does not begin.
SEED = f"{132:032x}"
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
_MEASURED: list[str] = []


def pytest_sessionstart() -> None:
    if CHROMIUM is None:
        raise pytest.UsageError("needs Debian's package chromium (apt-get install chromium)")


@pytest.fixture
def dealt(monkeypatch: pytest.MonkeyPatch) -> None:
    """Deal the same hand each time, so that a run takes as long as the last."""
    monkeypatch.setattr(draft, "secrets", SimpleNamespace(token_hex=lambda _: SEED))


@pytest.fixture
def report() -> list[str]:
    """Give a list of sentences that are printed at the end."""
    return _MEASURED


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    for sentence in _MEASURED:
        terminalreporter.write_line(sentence)


@pytest_asyncio.fixture
async def browser() -> AsyncIterator[Browser]:
    """Start Chromium."""
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(
            executable_path=CHROMIUM, args=ARGUMENTS, timeout=PATIENCE * 1000
        )
        yield browser
        await browser.close()
