"""The bot as a process of its own: `python -m bot`, started, stopped, killed and started again."""

import asyncio
import contextlib
import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

from tests.loopback.server import TOKEN, Loopback

ROOT = Path(__file__).parents[2]
#: How long a bot may take to start or to stop, in seconds.
PATIENCE = 120.0
#: What discord.py waits between two logins of shards, in seconds.
BETWEEN_SHARDS = 5.0

Line = dict[str, Any]


class Launcher:
    """The process that bots are forked from; it starts while the first tests run."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.loopback.launcher"],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def ask(self, **request: Any) -> dict[str, Any]:
        """Send a request and return the reply, which comes at once."""
        stdin, stdout = self._process.stdin, self._process.stdout
        assert stdin is not None
        assert stdout is not None
        stdin.write(json.dumps(request) + "\n")
        stdin.flush()
        reply: dict[str, Any] = json.loads(stdout.readline())
        return reply

    def close(self) -> None:
        self._process.communicate()


class BotProcess:
    """One bot on one database, which its restarts keep.

    Without a launcher it is `python -m bot` itself, or another `module`; with one it starts in a tenth of the
    time, and moves with the clock of the Loopback. What it logs at level error is a fault of the Loopback,
    unless the test takes it from `errors` first.
    """

    def __init__(
        self,
        loopback: Loopback,
        folder: Path,
        launcher: Launcher | None,
        *,
        name: str = "bot",
        module: str = "bot",
        **settings: str,
    ) -> None:
        self.loopback = loopback
        self._module = module
        self.folder = folder
        self._launcher = launcher
        self._env = {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), "LC_ALL": "C.UTF-8"}
        self._env |= {
            "DATABASE_URL": f"sqlite+aiosqlite:///{folder / 'bot.db'}",
            "DISCORD_TOKEN": TOKEN,
            "DISCORD_LOOPBACK": loopback.url,
            "LOG_FORMAT": "json",
            "SHARD_COUNT": "1",
        }
        self._env = {name: value for name, value in (self._env | settings).items() if value}
        self._err = folder / f"{name}.err"
        self._out = folder / f"{name}.out"
        self._read = 0
        self._process: asyncio.subprocess.Process | None = None
        self.pid: int | None = None
        #: How the last run ended; a signal is a negative number.
        self.status: int | None = None
        #: What it said on stderr in all its runs, and those of it that are errors and were not expected.
        self.lines: list[Line] = []
        self.errors: list[Line] = []

    def setting(self, name: str) -> str:
        """Return a setting it is started with."""
        return self._env[name]

    # --- running

    async def launch(self, *arguments: str) -> None:
        """Start the process, and wait for nothing."""
        assert self.pid is None, "it is running"
        self.status = None
        if self._launcher is None:
            with self._out.open("ab") as out, self._err.open("ab") as err:
                command = [sys.executable, "-m", self._module, *arguments]
                self._process = await asyncio.create_subprocess_exec(
                    *command, cwd=self.folder, env=self._env, stdout=out, stderr=err
                )
            self.pid = self._process.pid
            return
        clock = self.folder / "clock"
        self.loopback.clock.share(clock)
        start = {
            "folder": str(self.folder),
            "env": self._env,
            "arguments": arguments,
            "out": str(self._out),
            "err": str(self._err),
            "clock": str(clock),
        }
        self.pid = int(self._launcher.ask(start=start)["pid"])

    async def start(self, *, shards: int = 1) -> None:
        """Start it and wait until its shards are logged in and were told of their servers.

        Raises AssertionError with what it said if it ends instead.
        """
        gateway, before = self.loopback.gateway, self.loopback.gateway.identifies
        await self.launch()
        ended = asyncio.ensure_future(self.wait())
        ended.add_done_callback(lambda _: self.loopback.bell.ring())
        for shard in range(1, shards + 1):
            if shard > 1 and self._launcher is not None:
                await self.loopback.until(lambda: gateway.hello, f"a line of shard {shard}", within=PATIENCE)
                await gateway.poke()  # it has begun to wait
                await self.loopback.move(BETWEEN_SHARDS)

            def logged_in(wanted: int = before + shard) -> bool:
                return gateway.identifies >= wanted or ended.done()

            await self.loopback.until(logged_in, f"shard {shard} of the bot", within=PATIENCE)
            if ended.done():
                raise AssertionError(f"it ended with {self.status}: {self.said()}")
        ended.cancel()

    async def wait(self) -> int:
        """Wait for its end and return its status."""
        assert self.pid is not None
        async with asyncio.timeout(PATIENCE):
            if self._process is not None:
                status = await self._process.wait()
            else:
                assert self._launcher is not None
                await _ended(self.pid)
                status = int(self._launcher.ask(reap=self.pid)["status"])
        self.status, self.pid, self._process = status, None, None
        self._listen()
        return status

    async def stop(self, sign: signal.Signals = signal.SIGTERM) -> int:
        """Tell it to stop and return its status."""
        assert self.pid is not None, "it is not running"
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.pid, sign)
        return await self.wait()

    async def kill(self) -> None:
        """End it where it stands (kill -9); what is pending is excused."""
        await self.stop(signal.SIGKILL)
        self.loopback.excuse(*self.loopback.pending)

    async def restart(self, *, killed: bool = False) -> None:
        """Start it anew on the same database, after a clean stop or a kill."""
        await (self.kill() if killed else self.stop())
        await self.start()

    # --- hearing

    def said(self) -> str:
        """Return all it said on stderr."""
        return self._err.read_text(encoding="utf-8") if self._err.exists() else ""

    def logged(self, event: str) -> list[Line]:
        """Return what it logged so far under this name."""
        self._listen()
        return [line for line in self.lines if line["event"] == event]

    def unexpected(self) -> list[Line]:
        """Return the errors it logged so far that the test has not taken from here."""
        self._listen()
        return self.errors

    def _listen(self) -> None:
        if not self._err.exists():
            return
        text = self._err.read_bytes()[self._read :]
        whole = text[: text.rfind(b"\n") + 1]
        self._read += len(whole)
        bare = ""  # lines that are not JSON, such as those of one traceback
        for said in [*whole.decode().splitlines(), "{}"]:
            try:
                line = json.loads(said)
            except ValueError:
                bare += f"{said}\n"
                continue
            found = [{"event": bare, "level": "not JSON"}] if bare else []
            found += [line] if line else []
            self.lines += found
            self.errors += [line for line in found if line["level"] in ("error", "critical", "not JSON")]
            bare = ""


async def _ended(pid: int) -> None:
    """Wait for the end of a process that is not a child of ours."""
    loop, end = asyncio.get_running_loop(), asyncio.Event()
    descriptor = os.pidfd_open(pid)
    loop.add_reader(descriptor, end.set)
    try:
        await end.wait()
    finally:
        loop.remove_reader(descriptor)
        os.close(descriptor)
