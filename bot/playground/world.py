"""The simulated Discord of the playground: a clock that runs, one server with one channel, its members.

Imports simcord, discord and bot.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import discord
import simcord
from simcord._settlement import _active_callbacks, _run_due_virtual_callbacks
from simcord.backend.cdn import CDN_BASE

from bot import create_bot
from bot.client import Lastlap
from bot.model.seating import Person
from bot.playground.past import MATCHES, past
from bot.settings import Settings
from bot.ui.kit.pictures import all_pictures, draw_icon, emoji_name

#: The first four are the usual ones; the others are there for a full table, some with names that take room.
NAMES: Final = (
    "Ann",
    "Bob",
    "Cat",
    "Dan",
    "Eve",
    "Finn the Undefeated",
    "Grandmother Wilhelmina of Hagen",
    "Hal",
    "*Iris* _Ivy_ ~Ida~",
    "Jo",
)
TOPIC: Final = "To begin, type /uno start and press Enter twice (or the arrow)."
WELCOME: Final = (
    "**Welcome to Lastlap's playground.** This is the real bot on a simulated Discord.\n"
    "Type `/uno start` below and press Enter twice, or the arrow. The others join by themselves; then press "
    "**Start**.\n"
    "-# *Viewing as*, at the top, changes who you are. Whoever nobody looks through is played by a stand-in, "
    "unless you switch that off. Other windows with this address may be other people."
)
#: How often real time is fed to the world, in seconds.
TICK: Final = 0.05
#: Least time between two edits of a table, in seconds: nothing here limits them.
TABLE_EDIT_DELAY: Final = 0.2
#: How long simcord waits for the bot to be done: at login, which draws and uploads the pictures, and later,
#: where only the page's slash commands wait for it, in seconds.
LOGIN_WITHIN: Final = 60.0
SETTLE_WITHIN: Final = 1.0
#: How often simcord looks whether the bot is done, in seconds.
_LOOK_AGAIN: Final = 0.005


class World(simcord.Env):
    """A simulated Discord on which time passes because the playground feeds it, and for no other reason."""

    async def _settle_internal(self, *, idle: float = _LOOK_AGAIN, **options: Any) -> None:
        """Look often: simcord's own 50 ms would be added to every command.

        At login it would wait 5 s for the pictures and no longer, whatever `settle_timeout` is.
        """
        options["timeout"] = max(options.get("timeout") or 0, self.settle_timeout)
        await super()._settle_internal(idle=min(idle, _LOOK_AGAIN), **options)

    def _schedule_timer(self, *_: Any) -> None:
        """Let no timer fire by the wall's clock.

        simcord would let short ones; but once one of these has waited in vain for the bot to be done, not one
        timer of the bot ever fires again.
        """

    async def run(self, then: Callable[[], None] = lambda: None) -> None:
        """Feed real time to the world until cancelled, and do something `then`, each time."""
        loop = asyncio.get_running_loop()
        last = loop.time()
        while True:
            await asyncio.sleep(TICK)
            now = loop.time()
            self._tick(now - last)
            last = now
            then()

    def _tick(self, seconds: float) -> None:
        """Let time pass and wake what is due, without waiting for the bot to be done."""
        self.backend.advance_clock(seconds)
        state = self._settlement_state()
        _run_due_virtual_callbacks(state, math.inf)
        _active_callbacks(state)  # forgets cancelled ones, which simcord does only where it waits


@dataclass(frozen=True, slots=True)
class Scene:
    """What is played in: the world, the bot, the channel, the members, and the pictures by address."""

    world: World
    bot: Lastlap
    channel: simcord.ChannelHandle
    members: tuple[simcord.MemberActor, ...]
    pictures: dict[str, tuple[str, bytes]]


@asynccontextmanager
async def scene(
    names: Sequence[str], language: str | None = None, *, with_past: bool = False
) -> AsyncIterator[Scene]:
    """Log the bot in to a fresh world with these members; its database goes with it.

    `language` is the one chosen for the server, if any; `with_past` lets its members have played before.
    """
    with TemporaryDirectory(prefix="lastlap-") as folder:
        settings = Settings(
            _env_file=None,  # .env is for the real bot
            database_url=f"sqlite+aiosqlite:///{Path(folder) / 'playground.db'}",
            shard_count=1,
            table_edit_delay=TABLE_EDIT_DELAY,
            away_time=86400,  # who nobody looks through is not called at once
            click_pause=0,
            start_pause=0,
        )
        bot = create_bot(settings)
        world = World(bot, settle_timeout=LOGIN_WITHIN)
        world.backend.bot_user.name, world.backend.bot_user.avatar = "Lastlap", "icon"
        await world.start()
        # simcord's clock begins at a fixed date; what is shown here is to have today's.
        world.backend.clock._epoch = discord.utils.utcnow()  # noqa: SLF001
        world.settle_timeout = SETTLE_WITHIN
        try:
            with world.time_context():
                made = await _furnish(world, bot, names)
                assert made.channel.guild is not None
                guild_id, of_guild = made.channel.guild.id, bot.services.guild_settings
                await of_guild.change(guild_id, lambda chosen: replace(chosen, locale=language))
                if with_past:
                    await _remember(made)
                yield made
        finally:
            # What the bot draws last waits for the clock.
            running = asyncio.create_task(world.run())
            await bot.close()
            running.cancel()
            await world.shutdown()


async def _furnish(world: World, bot: Lastlap, names: Sequence[str]) -> Scene:
    server = world.create_guild("Playground")
    channel = server.create_text_channel("uno", topic=TOPIC)
    # The first member manages the server: for /uno settings, and what moderators may do.
    manager = server.create_role(
        "Managers", permissions=discord.Permissions(manage_guild=True, manage_messages=True)
    )
    members = tuple(
        server.add_member(
            world.create_user(f"member{number}", global_name=name), roles=[manager] if number == 1 else []
        )
        for number, name in enumerate(names, 1)
    )
    await bot.get_partial_messageable(channel.id, guild_id=server.id).send(WELCOME)
    return Scene(world, bot, channel, members, _pictures(world))


async def _remember(made: Scene) -> None:
    """Let the members have played in the months before."""
    bot, guild = made.bot, made.channel.guild
    assert guild is not None
    people = [Person(member.id, name) for member, name in zip(made.members, NAMES, strict=False)]
    first = bot.tables.skip_ids(MATCHES)
    saves = await asyncio.to_thread(past, first, guild.id, made.channel.id, people, bot.now())
    await asyncio.gather(*map(bot.store.submit, saves))


def _pictures(world: World) -> dict[str, tuple[str, bytes]]:
    """Give the pictures to the page, which simcord has thrown away, by the addresses they go by.

    In text and on buttons an emoji has an address on simcord's host, as a thumbnail one on Discord's.
    """
    backend = world.backend
    drawn = {emoji_name(key, png): png for key, png in all_pictures().items()}
    found = {f"{CDN_BASE}/avatars/{backend.bot_user.id}/icon.png": ("icon.png", draw_icon())}
    for emoji in backend.application_emojis.values():
        if emoji.name in drawn:
            for host in (CDN_BASE, discord.Asset.BASE):
                found[f"{host}/emojis/{emoji.id}.png"] = (f"{emoji.name}.png", drawn[emoji.name])
    return found
