"""Try the bot in a browser, with no Discord and no token: `python -m bot.playground`, or `make play`."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import os
import signal
import socket
import sys
import webbrowser
from collections.abc import Sequence
from typing import Final

from simcord.backend.errors import SetupError

from bot import logs
from bot.playground import playground
from bot.playground.world import NAMES
from bot.ui.text.translation import LANGUAGES

#: The usual port; another is taken where this one is not free.
PORT: Final = 8765
MOST_PORTS: Final = 65535


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m bot.playground", description=__doc__)
    parser.add_argument("--port", type=_port, help=f"port on 127.0.0.1 ({PORT}, or any that is free)")
    parser.add_argument("--no-browser", action="store_true", help="only print the address")
    parser.add_argument(
        "--members", type=int, default=4, choices=range(2, len(NAMES) + 1), help="members of the server (4)"
    )
    parser.add_argument(
        "--language", choices=[*LANGUAGES], help="language of the server, and so of the hands (English)"
    )
    parser.add_argument(
        "--past", action="store_true", help="let the members have played some hundred matches before"
    )
    options = parser.parse_args(arguments)
    logs.configure("WARNING", "console")
    port = _usual_port() if options.port is None else options.port
    try:
        asyncio.run(_play(options, port))
    except SetupError as error:
        print(f"The playground cannot be opened: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:  # where there are no signal handlers
        return 0
    return 0


def _port(text: str) -> int:
    """Read a port; raises ArgumentTypeError for one that there is not, or that is taken."""
    if not text.isdecimal() or int(text) > MOST_PORTS:
        raise argparse.ArgumentTypeError(
            f"{text} is no port: choose one from 1 to {MOST_PORTS}, or 0 for any"
        )
    if int(text) and not _is_free(int(text)):
        raise argparse.ArgumentTypeError(f"port {text} is taken by another program: choose another")
    return int(text)


def _is_free(port: int) -> bool:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True


def _usual_port() -> int:
    return PORT if _is_free(PORT) else 0


async def _play(options: argparse.Namespace, port: int) -> None:
    loop = asyncio.get_running_loop()
    stopping = asyncio.Event()
    for sign in (signal.SIGINT, signal.SIGTERM):
        with contextlib.suppress(NotImplementedError):  # Windows has none
            loop.add_signal_handler(sign, stopping.set)
    names = NAMES[: options.members]
    async with playground(names, port, options.language, with_past=options.past) as opened:
        print(f"Lastlap's playground: {opened.pages.url} (Ctrl-C ends it)", flush=True)
        if not options.no_browser and _has_screen():
            await asyncio.to_thread(webbrowser.open, opened.pages.url)
        stopped = asyncio.create_task(stopping.wait())
        await asyncio.wait({stopped, opened.following}, return_when=asyncio.FIRST_COMPLETED)
        stopped.cancel()
        if opened.following.done():
            opened.following.result()


def _has_screen() -> bool:
    """Tell whether a browser would be a window: one in the terminal would sit on the line just printed."""
    return sys.platform in ("win32", "darwin") or bool(
        os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    )


if __name__ == "__main__":
    sys.exit(main())
