"""Requests that hang, fail or lose their answer, by what a request is: `METHOD /path` against a pattern.

Unlike injected errors these take the simulated Discord's time, and can be carried out before they fail.
"""

import asyncio
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import aiohttp
import pytest
from simcord.http import client as simcord_client

#: Patterns of the requests that a bot makes.
TABLE_EDIT = r"PATCH /channels/\d+/messages/\d+"
TABLE_POST = r"POST /channels/\d+/messages"
DELETION = r"DELETE /channels/\d+/messages/\d+"
HAND_EDIT = r"PATCH /webhooks/.*/messages/\d+"
HAND_SEND = r"POST /webhooks/\d+/\S+"
LOOK = r"GET /channels/\d+"
MEMBER = r"GET /guilds/\d+/members/\d+"
ANSWER = r"POST /interactions/.*/callback"


@dataclass
class Trouble:
    """What strikes the requests that match: no answer for ever, or `lost`, carried out and then cut off."""

    pattern: str
    lost: bool = False
    times: int | None = None
    struck: list[str] = field(default_factory=list)

    async def strike(self, request: str) -> bool:
        """Hang if a request is struck; returns whether its answer is to be lost."""
        if (self.times is not None and len(self.struck) >= self.times) or not re.fullmatch(
            self.pattern, request
        ):
            return False
        self.struck.append(request)
        if not self.lost:
            await asyncio.sleep(1_000_000)
        return True

    def stop(self) -> None:
        """Strike no more; what hangs goes on hanging."""
        self.times = 0


@contextmanager
def trouble(
    monkeypatch: pytest.MonkeyPatch, pattern: str, *, lost: bool = False, times: int | None = None
) -> Iterator[Trouble]:
    """Let requests be in trouble meanwhile."""
    made = Trouble(pattern, lost, times)
    with monkeypatch.context() as patch:
        for kind in (simcord_client.FakeHTTPClient, simcord_client.FakeWebhookAdapter):
            patch.setattr(kind, "request", _troubled(kind.request, made))
        yield made
        made.stop()


def _troubled(request: Any, made: Trouble) -> Any:
    async def troubled(self: Any, route: Any, *args: Any, **options: Any) -> Any:
        lost = await made.strike(f"{route.method} {simcord_client._path_of(route.url)}")
        answer = await request(self, route, *args, **options)
        if lost:
            raise aiohttp.ServerDisconnectedError
        return answer

    return troubled
