"""Whatever can go wrong with a request, on demand: by kind of request, so many times or for so long."""

import asyncio
import contextlib
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from tests.loopback.kinds import Kind
from tests.loopback.wire import CODES, Call, Refusal
from tests.loopback.world import Channel

#: Ways for requests to go wrong, for `Loopback.strike`: discord.py tries again after a 500, not after a 503.
FAILS: dict[str, Any] = {"status": 500}
UNAVAILABLE: dict[str, Any] = {"status": 503}
FORBIDDEN: dict[str, Any] = {"code": 50013}
LIMITED: dict[str, Any] = {"status": 429, "retry_after": 1.0}
CUT: dict[str, Any] = {"cut": True}
HANGS: dict[str, Any] = {"hold": True}
#: The request is carried out, and its answer lost: the connection breaks, or nothing comes over it.
LOST: dict[str, Any] = {"after": True, "cut": True}
LOST_IN_SILENCE: dict[str, Any] = {"after": True, "hold": True}


@dataclass(eq=False)
class Fault:
    """One fault, which strikes the requests that match all that is given: method, path, kind, channel.

    `*` is any one part of a path, or any method. In a channel, requests about its server match too. The
    first `skip` of them pass, the next `times` are struck, all if None, and none from `until` on, in the
    time of the test's loop. In this order, each where it is given: the body is rewritten; the request waits
    until `release`d, or the bot gives it up (`hold`), and for `delay` seconds; it is refused with `status`
    or `code`, or its connection is cut without an answer. With `after` it is carried out first, and only
    then struck. A 429 asks to wait `retry_after` seconds, `globally` with every request of the bot's, and
    without `via` looks as if it did not come from Discord itself.
    """

    method: str = "*"
    path: str | None = None
    kind: Kind | None = None
    channel: Channel | None = None
    times: int | None = 1
    skip: int = 0
    until: float | None = None
    status: int | None = None
    code: int | None = None
    retry_after: float = 0.2
    globally: bool = False
    via: bool = True
    delay: float = 0.0
    hold: bool = False
    cut: bool = False
    after: bool = False
    rewrite: Callable[[Any], Any] | None = None
    struck: list[Call] = field(default_factory=list)
    _released: asyncio.Event = field(default_factory=asyncio.Event)

    def __post_init__(self) -> None:
        self._pattern = re.compile("[^/]+".join(map(re.escape, (self.path or "").split("*"))))

    def strikes(self, call: Call) -> bool:
        """Say whether it strikes this request, and count it."""
        if not self._matches(call):
            return False
        if self.until is not None and asyncio.get_running_loop().time() >= self.until:
            return False
        if self.skip > 0:
            self.skip -= 1
            return False
        if self.times is not None and len(self.struck) >= self.times:
            return False
        self.struck.append(call)
        return True

    def _matches(self, call: Call) -> bool:
        if self.method not in ("*", call.method) or self.kind not in (None, call.kind):
            return False
        if self.channel is not None and call.channel is not self.channel:
            return call.channel is None and call.guild is self.channel.guild
        return self.path is None or self._pattern.fullmatch(call.path) is not None

    async def wait(self, gave_up: Callable[[], bool]) -> None:
        """Keep a request waiting, as long as there is a bot that waits."""
        while self.hold and not self._released.is_set() and not gave_up():
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._released.wait(), 0.05)
        if self.delay:
            await asyncio.sleep(self.delay)

    def release(self) -> None:
        """Let go on what it holds, and hold no more."""
        self._released.set()

    def stop(self) -> None:
        """Strike no more; what it holds stays held."""
        self.times = 0

    def refusal(self) -> Refusal | None:
        """Return what it answers with, if it refuses."""
        if self.status is None and self.code is None:
            return None
        code = self.code or 0
        status = self.status or CODES[code][0]
        retry_after = self.retry_after if status == 429 else None
        message = CODES[code][1] if code else f"{status}: Injected"
        return Refusal(code, status=status, message=message, retry_after=retry_after, globally=self.globally)

    @property
    def headers(self) -> dict[str, str]:
        """What its answer says in its headers."""
        headers = {"Via": "1.1 google"} if self.via else {}
        if self.globally:
            headers |= {"X-RateLimit-Global": "true", "X-RateLimit-Scope": "global"}
        return headers
