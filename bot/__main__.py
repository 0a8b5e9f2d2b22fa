"""Run the bot: `python -m bot`; `health` asks whether one is alive, `smoke` tries every screen on Discord.

Reads the settings, says in one line what is wrong with them, and stops cleanly on SIGTERM and SIGINT.
"""

from __future__ import annotations

import argparse
import asyncio
import functools
import os
import signal
import sys
from collections.abc import Callable, Coroutine, Sequence
from typing import Any

import aiohttp
import discord
import structlog
from pydantic import ValidationError
from yarl import URL

from bot import create_bot, logs
from bot.client import Lastlap
from bot.clock import SteadyClock
from bot.ops.health import OK, NotServedError, asked, beat, heartbeat_file, watched
from bot.ops.smoke import Plan, smoke
from bot.settings import Settings
from bot.store import StoreError

log = structlog.get_logger("bot")

#: How long a clean stop may take before the process goes anyway, in seconds.
STOP_WITHIN = 4.0


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m bot", description=__doc__)
    commands = parser.add_subparsers(dest="command", metavar="{run,health,smoke}")
    commands.add_parser("run", help="run the bot, as without a command")
    commands.add_parser("health", help="say how the running bot is; the exit status is 0 if it is well")
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
    bot = create_bot(settings, SteadyClock())
    async with watched(bot, settings.metrics_host, settings.metrics_port):
        await _serve_bot(bot, settings)
    log.info("stopped")
    return 0


async def _serve_bot(bot: Lastlap, settings: Settings) -> None:
    assert settings.discord_token is not None
    loop = asyncio.get_running_loop()
    serving = asyncio.create_task(bot.start(settings.discord_token.get_secret_value()))
    beating = asyncio.create_task(beat(bot, heartbeat_file(settings)))
    for sign in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(sign, serving.cancel)
    try:
        await serving
    except asyncio.CancelledError:
        log.info("stopping")
    finally:
        beating.cancel()
        try:
            async with asyncio.timeout(STOP_WITHIN):
                await bot.close()
        except TimeoutError:
            log.warning("stopped_in_the_middle")


async def _smoke(settings: Settings, plan: Plan) -> int:
    trying = asyncio.create_task(smoke(settings, plan, functools.partial(print, flush=True)))
    for sign in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(sign, trying.cancel)
    try:
        return 0 if await trying else 1
    except asyncio.CancelledError:
        print("stopped before the end", flush=True)
        return 1


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
