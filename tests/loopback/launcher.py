"""Starts bots fast: it has everything imported, and forks itself into a bot for each request.

A bot so started is `python -m bot` but for its beginning, and for its clock, which a test moves: the time of
day and the event loop's time are the machine's plus the number in a file.
Requests and replies are lines of JSON on stdin and stdout: {"start": …} -> {"pid": …}, and {"reap": pid} ->
{"status": …}, which waits for the end of that bot.
"""

import asyncio
import ctypes
import functools
import json
import mmap
import os
import random
import runpy
import signal
import struct
import sys
import time
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import discord

#: Linux's PR_SET_PDEATHSIG: no bot outlives the tests.
DIE_WITH_PARENT = 1

_real_utcnow = discord.utils.utcnow
#: The file that says by how many seconds the clock was moved, once it is known.
_clock: list[mmap.mmap] = []


def moved() -> float:
    """Return by how many seconds the clock was moved."""
    return float(struct.unpack("d", _clock[0][:8])[0]) if _clock else 0.0


def utcnow() -> datetime:
    """Stand in for discord.utils.utcnow."""
    return _real_utcnow() + timedelta(seconds=moved())


def make_clock_movable() -> None:
    """Let the clock be moved; to be called before anything of the bot is imported."""
    discord.utils.utcnow = utcnow
    asyncio.BaseEventLoop.time = lambda loop: time.monotonic() + moved()
    # What the stand-in asks of it shall not use up the 110 answers a minute that discord.py lets itself give.
    discord.gateway.GatewayRatelimiter.get_delay = lambda limiter: 0.0


def warm_up() -> None:
    """Import what a bot imports, and draw the pictures once for all."""
    import alembic.command
    import alembic.config

    import bot.client
    from bot.clock import SteadyClock
    from bot.ui.kit import emoji
    from bot.ui.text.translation import text_for

    assert alembic.command
    assert alembic.config
    assert bot.client
    # The bot's own clock, by what it takes for the machine's where nothing else is given.
    SteadyClock.__init__.__defaults__ = (utcnow, lambda: time.monotonic() + moved())
    text_for("en-US")
    drawn = functools.cache(emoji.all_pictures)
    drawn()
    emoji.all_pictures = drawn


def become_a_bot(start: dict[str, Any]) -> None:
    """Be `python -m bot` from here on; does not return."""
    ctypes.CDLL(None).prctl(DIE_WITH_PARENT, signal.SIGKILL)
    os.chdir(start["folder"])
    os.environ.clear()
    os.environ.update(start["env"])
    for number, name, flags in (
        (0, os.devnull, os.O_RDONLY),
        (1, start["out"], os.O_WRONLY | os.O_APPEND | os.O_CREAT),
        (2, start["err"], os.O_WRONLY | os.O_APPEND | os.O_CREAT),
    ):
        os.dup2(os.open(name, flags), number)
    with Path(start["clock"]).open("rb") as file:
        _clock.append(mmap.mmap(file.fileno(), 8, access=mmap.ACCESS_READ))
    random.seed()
    sys.argv = ["bot", *start["arguments"]]
    try:
        runpy.run_module("bot", run_name="__main__", alter_sys=True)
    except SystemExit as end:
        os._exit(end.code if isinstance(end.code, int) else 1)
    finally:
        if sys.exc_info()[0] is not None:
            sys.excepthook(*sys.exc_info())
        os._exit(1)


def main() -> None:
    """Answer requests until stdin ends."""
    make_clock_movable()
    warm_up()
    for line in sys.stdin:
        request = json.loads(line)
        if "reap" in request:
            _, status = os.waitpid(request["reap"], 0)
            reply = {"status": os.waitstatus_to_exitcode(status)}
        else:
            sys.stdout.flush()
            pid = os.fork()
            if pid == 0:
                become_a_bot(request["start"])
            reply = {"pid": pid}
        sys.stdout.write(json.dumps(reply) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
