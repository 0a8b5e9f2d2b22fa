"""Run the bot: `python -m bot`; what else there is looks at one, copies its database or tries it on Discord.

Reads the settings, says in one line what is wrong with them, and stops cleanly on SIGTERM and SIGINT.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import functools
import os
import signal
import sys
import time
from collections.abc import Callable, Coroutine, Sequence
from pathlib import Path
from typing import Any

import aiohttp
import discord
import structlog
from pydantic import ValidationError
from yarl import URL

from bot import create_bot, logs
from bot.client import Lastlap
from bot.clock import SteadyClock
from bot.ops.copies import back_up, keep_current, put_back
from bot.ops.doctor import Verdict, findings
from bot.ops.health import OK, NotServedError, asked, beat, heartbeat_file, watched
from bot.ops.smoke import Plan, smoke
from bot.settings import Settings
from bot.store import BEAT, Owner, Store, StoreError

log = structlog.get_logger("bot")

#: How long a clean stop may take before the process goes anyway, in seconds.
STOP_WITHIN = 4.0
#: The exit status of a process whose database another one has taken.
LOST = 7
#: How often the database is tidied, in seconds.
TIDY_EVERY = 60.0
#: How often those who have not played for long are looked for, in seconds.
SLEEP_EVERY = 86_400.0


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m bot", description=__doc__)
    commands = parser.add_subparsers(dest="command", metavar="{run,health,doctor,backup,restore,smoke}")
    commands.add_parser("run", help="run the bot, as without a command")
    commands.add_parser("health", help="say how the running bot is; the exit status is 0 if it is well")
    examining = commands.add_parser("doctor", help="look whether all is as it should be")
    examining.add_argument("--online", action="store_true", help="ask Discord too: the token is used")
    examining.add_argument(
        "--rebuild", action="store_true", help="recount the tallies from the stored hands; stop the bot first"
    )
    copying = commands.add_parser("backup", help="copy the database, while the bot runs or not")
    copying.add_argument("target", type=Path, metavar="FILE|DIR", help="the file to write")
    copying.add_argument(
        "--follow", action="store_true", help="keep a directory current instead, until stopped"
    )
    copying.add_argument(
        "--every", type=float, default=3.0, metavar="SECONDS", help="how often changes are copied to it (3)"
    )
    restoring = commands.add_parser(
        "restore", help="put a copy in the place of the database; stop the bot first"
    )
    restoring.add_argument("source", type=Path, metavar="FILE|DIR", help="what backup has written")
    trying = commands.add_parser("smoke", help="post every screen to a test channel, try it out, delete it")
    trying.add_argument("--channel", type=int, required=True, metavar="ID", help="a text channel of yours")
    trying.add_argument(
        "--wait",
        type=float,
        default=60.0,
        metavar="SECONDS",
        help="for the press of a button (60; 0: do not)",
    )
    trying.add_argument(
        "--expiry", action="store_true", help="wait the 15 minutes until the press's token has expired"
    )
    options = parser.parse_args(arguments)
    try:
        settings = Settings()
    except ValidationError as error:
        for fault in error.errors():
            name = "_".join(str(part) for part in fault["loc"]).upper()
            print(f"{name}: {fault['msg']}", file=sys.stderr)
        return 2
    if options.command == "health":
        return health(settings)
    if options.command == "doctor" and options.rebuild:
        return asyncio.run(rebuilt(settings))
    if options.command == "doctor":
        return asyncio.run(examined(settings, online=options.online))
    if options.command in ("backup", "restore"):
        return copy(settings, options)
    if options.command == "smoke":
        plan = Plan(options.channel, options.wait, options.expiry)
        return run(settings, functools.partial(_smoke, plan=plan))
    return run(settings, _serve)


def run(settings: Settings, work: Callable[[Settings], Coroutine[Any, Any, int]]) -> int:
    """Run what needs a token until it is done or told to stop; returns the exit status."""
    logs.configure(settings.log_level, settings.log_format)
    if settings.discord_token is None or not settings.discord_token.get_secret_value().strip():
        print(
            "DISCORD_TOKEN is not set: put your bot's token into .env (see .env.example). "
            "Without one, `make play` opens the bot in your browser.",
            file=sys.stderr,
        )
        return 2
    if settings.discord_loopback is not None:
        _stand_in(settings.discord_loopback)
    try:
        return asyncio.run(work(settings))
    except discord.LoginFailure:
        print(
            "DISCORD_TOKEN was refused by Discord: copy it again from the page Bot of your application "
            "in Discord's developer portal.",
            file=sys.stderr,
        )
        return 3
    except aiohttp.ClientConnectionError as error:
        print(f"Discord cannot be reached from here: {error}", file=sys.stderr)
        return 6
    except StoreError as error:
        print(f"DATABASE_URL: {error}", file=sys.stderr)
        return 4
    except NotServedError as error:
        print(f"METRICS_PORT: {error}", file=sys.stderr)
        return 5


def _stand_in(url: str) -> None:
    """Talk to a stand-in for Discord on this machine; the setting lets no other address in."""
    discord.http.Route.BASE = f"{url}/api/v10"
    discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY = URL(url.replace("http", "ws", 1))
    discord.Asset.BASE = url


async def _serve(settings: Settings) -> int:
    told_to_stop = asyncio.Event()
    for sign in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(sign, told_to_stop.set)
    owner = Owner(settings.database_url)
    leaving = asyncio.create_task(_leave_to_another(owner))
    try:
        if await _done_before(told_to_stop, owner.take()):
            bot = create_bot(settings, SteadyClock(), owner)
            async with watched(bot, settings.metrics_host, settings.metrics_port):
                await _serve_bot(bot, settings, told_to_stop)
    finally:
        await owner.release()
        leaving.cancel()
    log.info("stopped")
    return 0


async def _serve_bot(bot: Lastlap, settings: Settings, told_to_stop: asyncio.Event) -> None:
    assert settings.discord_token is not None
    living = [asyncio.create_task(beat(bot, heartbeat_file(settings))), asyncio.create_task(_keep(bot))]
    try:
        if not await _done_before(told_to_stop, bot.start(settings.discord_token.get_secret_value())):
            log.info("stopping")
    finally:
        for task in living:
            task.cancel()
        try:
            async with asyncio.timeout(STOP_WITHIN):
                await bot.close()
        except TimeoutError:
            log.warning("stopped_in_the_middle")


async def _done_before(end: asyncio.Event, work: Coroutine[Any, Any, None]) -> bool:
    """Work until it is done, or until the end comes, which cancels it; returns whether it was done."""
    working, ending = asyncio.ensure_future(work), asyncio.ensure_future(end.wait())
    await asyncio.wait([working, ending], return_when=asyncio.FIRST_COMPLETED)
    ending.cancel()
    if not working.done():
        working.cancel()
        await asyncio.wait([working])
        return False
    working.result()
    return True


async def _keep(bot: Lastlap) -> None:
    """Keep the database as this process's own, and in order."""
    loop, tidy_at, sleep_at = asyncio.get_running_loop(), 0.0, 0.0
    while True:
        with contextlib.suppress(StoreError):
            await bot.store.beat()
            if loop.time() >= tidy_at:
                await bot.store.tidy(bot.now())
                await bot.forget_departed()
                await bot.store.pack(bot.now())
                tidy_at = loop.time() + TIDY_EVERY
            if loop.time() >= sleep_at:
                await bot.store.put_to_sleep(bot.now())
                sleep_at = loop.time() + SLEEP_EVERY
        await asyncio.sleep(BEAT)


async def _leave_to_another(owner: Owner) -> None:
    """End this process at once when another one has taken its database.

    What it could still save, say or draw is not for it to say any more.
    """
    await owner.lost.wait()
    log.error(
        "database_lost",
        advice="Another process has taken the database, for nothing was heard of this one.",
    )
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(LOST)


async def _smoke(settings: Settings, plan: Plan) -> int:
    trying = asyncio.create_task(smoke(settings, plan, functools.partial(print, flush=True)))
    for sign in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(sign, trying.cancel)
    try:
        return 0 if await trying else 1
    except asyncio.CancelledError:
        print("stopped before the end", flush=True)
        return 1


def copy(settings: Settings, options: argparse.Namespace) -> int:
    """Print what became of a backup or a restore; 0 if it was made."""
    say = functools.partial(print, flush=True)
    try:
        if options.command == "restore":
            say(put_back(settings, options.source))
        elif options.follow:
            say(keep_current(settings, options.target, options.every, say))
        else:
            say(back_up(settings, options.target))
    except StoreError as error:
        print(f"{options.command}: {error}", file=sys.stderr)
        return 4
    return 0


async def examined(settings: Settings, *, online: bool) -> int:
    """Print what the doctor finds; 0 if nothing is in need of repair."""
    if settings.discord_loopback is not None:
        _stand_in(settings.discord_loopback)
    faults = 0
    async for finding in findings(settings, discord.utils.utcnow(), online=online):
        print(finding, flush=True)
        faults += finding.verdict is Verdict.FAULT
    return 1 if faults else 0


async def rebuilt(settings: Settings) -> int:
    """Recount all tallies and print how long it took; 4 if the database cannot be had."""
    began = time.monotonic()
    owner = Owner(settings.database_url)
    try:
        await owner.hold()
        store = Store(settings.database_url)
        await store.open()
        try:
            await store.rebuild_tallies(discord.utils.utcnow())
        finally:
            await store.close()
    except StoreError as error:
        print(f"doctor: {error}", file=sys.stderr)
        return 4
    finally:
        await owner.release()
    print(f"tallies: recounted from the stored hands in {time.monotonic() - began:.1f} s", flush=True)
    return 0


def health(settings: Settings) -> int:
    """Print how a bot with these settings is; 0 if it is well."""
    word = asked(settings)
    print(word, file=sys.stdout if word == OK else sys.stderr)
    return 0 if word == OK else 1


if __name__ == "__main__":
    status = main()
    sys.stdout.flush()
    sys.stderr.flush()
    # Threads of a database that hangs must not hold the process once the bot has stopped.
    os._exit(status)
