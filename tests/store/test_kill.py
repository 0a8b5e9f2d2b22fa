"""kill -9 amid many saves: what was acknowledged is there, and each save is there whole or not at all."""

import asyncio
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from bot.store import Store
from tests.store import killed, making
from tests.store.conftest import url_of


def kill_after(path: Path, first: int, lines: int) -> dict[int, int]:
    """Let another process save, kill it after so many acknowledgements, and give the last of each table."""
    command = [sys.executable, "-m", "tests.store.killed", url_of(path), str(first)]
    acknowledged: dict[int, int] = {}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, bufsize=1) as process:
        assert process.stdout is not None
        for count, line in enumerate(process.stdout, 1):
            number, version = map(int, line.split())
            acknowledged[number] = version
            if count == lines:
                os.kill(process.pid, signal.SIGKILL)
        process.wait()
    assert process.returncode == -signal.SIGKILL
    return acknowledged


async def check(store: Store, acknowledged: dict[int, int]) -> None:
    live = {stored.table.id: (stored.table, stored.seats) for stored in await store.stored_tables()}
    for number, version in acknowledged.items():
        record, seats = live[number]
        assert version <= record.version <= version + 1
        assert (record, seats) == (making.table(number, record.version), making.seats(number))
        last = killed.step(number, record.version)
        assert (await making.tokens(store, number), await store.screen(number)) == (
            list(last.tokens),
            last.screen,
        )
        for hand_no in range(1, record.version + 2):
            expected = killed.step(number, hand_no)
            there = hand_no <= record.version
            assert await store.moves(number, hand_no) == (list(expected.log) if there else [])
            assert await store.hand(number, hand_no) == (expected.hands[0] if there else None)
        assert await store.submit(killed.step(number, record.version)) is False
        assert await store.submit(killed.step(number, record.version + 1)) is True


@pytest.mark.parametrize("lines", [1, 60, 200])
async def test_a_kill_loses_nothing_and_halves_nothing(path: Path, lines: int) -> None:
    acknowledged = await asyncio.to_thread(kill_after, path, 1, lines)
    store = Store(url_of(path))
    await store.open()
    await check(store, acknowledged)
    await store.close()
