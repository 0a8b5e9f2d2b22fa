"""`python -m bot backup` and `restore`: what they do, and the line that each says of it."""

from __future__ import annotations

import asyncio
import signal
import threading
from collections.abc import Callable
from pathlib import Path

import discord

from bot.settings import Settings
from bot.store import Contents, Follower, StoreError, backup, restore
from bot.store.files import file_of


def back_up(settings: Settings, target: Path) -> str:
    """Copy the database to a file; returns what was copied. Raises StoreError."""
    return f"backed up to {target}: {_described(backup(settings.database_url, target))}"


def keep_current(settings: Settings, directory: Path, every: float, say: Callable[[str], None]) -> str:
    """Keep a directory current until told to stop, with a step every so many seconds; raises StoreError."""
    stop = threading.Event()
    for sign in (signal.SIGTERM, signal.SIGINT):
        signal.signal(sign, lambda *_: stop.set())
    file = file_of(settings.database_url)
    if file is None:
        raise StoreError("the database must be a plain file")
    with Follower(file, directory) as follower:
        size = follower.open()
        say(f"following into {directory} every {every:g} s: {_megabytes(size)} copied")
        while not stop.wait(every):
            follower.step()
        follower.step()
    return "stopped; everything until now is copied"


def put_back(settings: Settings, source: Path) -> str:
    """Restore the database from a file or a followed directory; returns what was restored.

    Raises StoreError.
    """
    restored = asyncio.run(restore(settings.database_url, source, discord.utils.utcnow()))
    kept = "" if restored.former is None else f"; the former database is kept as {restored.former}"
    passed = f"; {restored.passed_over} damaged changes were passed over" if restored.passed_over else ""
    again = (
        f"; {restored.forgotten} requests to be forgotten were carried out again"
        if restored.forgotten
        else ""
    )
    return f"restored from {source}: {_described(restored.contents)}{passed}{again}{kept}"


def _described(contents: Contents) -> str:
    newest = "never" if contents.newest is None else f"{contents.newest:%Y-%m-%d %H:%M:%S} UTC"
    return (
        f"{contents.live_tables} live tables, {contents.hands} finished hands, last change {newest}, "
        f"migration {contents.version}, {_megabytes(contents.size)}"
    )


def _megabytes(size: int) -> str:
    return f"{size / 1e6:.1f} MB"
