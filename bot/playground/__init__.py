"""The bot in a local browser, on a simulated Discord: no token, no network, nothing kept.

The client is the real one, the Discord is simcord's, and its preview draws the channel as a page. simcord is
made for tests, where one operation at a time is awaited to its end; here several people click at once while
the bot works. What has to differ for that is in `world` (a clock that runs by itself), `pages` (showing and
pressing without waiting for anything) and `server` (the page itself); it leans on parts that simcord keeps to
itself, which is why simcord is pinned to one release.

May import simcord, aiohttp, discord, all of bot, and of the engine what computer players need. Its own words
are for whoever tries the bot out in this browser and not for players, so they are not translated.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass

from bot.playground.pages import Pages
from bot.playground.stand_ins import StandIns
from bot.playground.world import Scene, scene


@dataclass(frozen=True, slots=True)
class Playground:
    """A playground that is open; `following` goes on until it is closed, or until something is broken."""

    scene: Scene
    pages: Pages
    following: asyncio.Task[None]


@asynccontextmanager
async def playground(
    names: Sequence[str], port: int = 0, language: str | None = None, *, with_past: bool = False
) -> AsyncIterator[Playground]:
    """Open the playground for members with these names on a port of this machine, 0 for any.

    `language` is the one chosen for the server, if any; `with_past` lets its members have played before.
    """
    async with scene(names, language, with_past=with_past) as made, Pages(made, port) as pages:
        stand_ins = StandIns(pages, made.bot.tables, made.members)

        def look_after() -> None:
            stand_ins.look()
            pages.show_news()

        following = asyncio.create_task(made.world.run(look_after), name="playground")
        try:
            yield Playground(made, pages, following)
        finally:
            following.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await following
