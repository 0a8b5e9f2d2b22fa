"""Run chosen tests again and again, each time in a fork that has the libraries imported already.

It is started as a script in a copy of the project, and imports nothing of that itself: a fork does, with
whatever fault is in it by then. A request is a line of JSON on standard input, with `tests` and `output`;
the answer is a line with what became of pytest: its exit status, or minus the signal that ended it.
"""

import importlib
import json
import os
import resource
import signal
import sys
from collections.abc import Iterator
from contextlib import suppress

import pytest

LIBRARIES = (
    "aiosqlite",
    "alembic.command",
    "babel.messages.pofile",
    "discord.ext.commands",
    "hypothesis",
    "PIL.Image",
    "prometheus_client",
    "pydantic_settings",
    "pytest_asyncio",
    "simcord",
    "sqlalchemy.ext.asyncio",
    "structlog",
)
#: How long one test may compute and how long it may take, in seconds: what takes longer hangs.
COMPUTES, HANGS_AFTER = 60, 300
#: How much memory the tests may take, in bytes: a fault can let a list grow for ever.
MEMORY = 3 << 30


class Chosen:
    """Runs the chosen tests alone, in their order, and ends the process where one of them hangs."""

    def __init__(self, tests: list[str]) -> None:
        self._order = {test: number for number, test in enumerate(tests)}

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        chosen = [item for item in items if item.nodeid in self._order]
        items[:] = sorted(chosen, key=lambda item: self._order[item.nodeid])

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self) -> Iterator[None]:
        signal.setitimer(signal.ITIMER_PROF, COMPUTES)
        signal.alarm(HANGS_AFTER)
        result = yield
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.alarm(0)
        return result


def run(tests: list[str], output: str) -> int:
    """Run tests until one fails; returns pytest's exit status."""
    file = os.open(output, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    os.dup2(file, 1)
    os.dup2(file, 2)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    modules = dict.fromkeys(test.partition("::")[0] for test in tests)
    options = ["-q", "-x", "--tb=short", "--assert=plain", "--hypothesis-seed=0", "-p", "no:cacheprovider"]
    status = int(pytest.main([*options, f"--basetemp={output}.tmp", *modules], plugins=[Chosen(tests)]))
    sys.stdout.flush()
    return status


def main() -> None:
    sys.path[0] = os.getcwd()  # noqa: PTH109
    for library in LIBRARIES:
        importlib.import_module(library)
    for line in sys.stdin:
        child = os.fork()
        if not child:
            os.setsid()
            os._exit(run(**json.loads(line)))
        _, status = os.waitpid(child, 0)
        with suppress(ProcessLookupError):
            os.killpg(child, signal.SIGKILL)  # what it has started and left
        print(os.waitstatus_to_exitcode(status), flush=True)


if __name__ == "__main__":
    main()
