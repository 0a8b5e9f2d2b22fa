"""Waiting without looking again and again."""

import asyncio
from collections.abc import Callable
from typing import TypeVar

#: How long anything is waited for, in seconds: far longer than it takes on a busy machine.
PATIENCE = 60.0

T = TypeVar("T")


class Bell:
    """Rung whenever anything has happened; whoever waits then looks whether it is what they wait for."""

    def __init__(self) -> None:
        self._waiting: set[asyncio.Future[None]] = set()

    def ring(self) -> None:
        """Wake all who wait."""
        for waiting in self._waiting:
            if not waiting.done():
                waiting.set_result(None)
        self._waiting.clear()

    async def until(self, true: Callable[[], T], what: str, *, within: float) -> T:
        """Return what is true once it is. Raises AssertionError after `within` seconds."""
        try:
            async with asyncio.timeout(within):
                while not (found := true()):
                    waiting = asyncio.get_running_loop().create_future()
                    self._waiting.add(waiting)
                    await waiting
                return found
        except TimeoutError:
            raise AssertionError(f"waited {within} s in vain for {what}") from None
