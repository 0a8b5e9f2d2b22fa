"""Whatever can go wrong with a request, on demand: by kind of request, and so many times."""

import asyncio
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from tests.loopback.wire import CODES, Call, Refusal


@dataclass(eq=False)
class Fault:
    """One fault, which strikes the requests whose method and path match; `*` is any one part of a path.

    The first `skip` of them pass, the next `times` are struck, all if None. In this order, each where it is
    given: the body is rewritten; the request waits until `release`d (`hold`) and for `delay` seconds; it is
    refused with `status` or `code`, or its connection is cut without an answer. With `after` it is carried
    out first, and only then struck. A 429 asks to wait `retry_after` seconds, and without `via` looks as if
    it did not come from Discord itself.
    """

    method: str
    path: str
    times: int | None = 1
    skip: int = 0
    status: int | None = None
    code: int | None = None
    retry_after: float = 0.2
    via: bool = True
    delay: float = 0.0
    hold: bool = False
    cut: bool = False
    after: bool = False
    rewrite: Callable[[Any], Any] | None = None
    struck: list[Call] = field(default_factory=list)
    _released: asyncio.Event = field(default_factory=asyncio.Event)

    def __post_init__(self) -> None:
        self._pattern = re.compile("[^/]+".join(map(re.escape, self.path.split("*"))))

    def strikes(self, call: Call) -> bool:
        """Say whether it strikes this request, and count it."""
        if self.method not in ("*", call.method) or not self._pattern.fullmatch(call.path):
            return False
        if self.skip > 0:
            self.skip -= 1
            return False
        if self.times is not None and len(self.struck) >= self.times:
            return False
        self.struck.append(call)
        return True

    async def wait(self) -> None:
        """Keep a request waiting."""
        if self.hold:
            await self._released.wait()
        if self.delay:
            await asyncio.sleep(self.delay)

    def release(self) -> None:
        """Let go on what it holds, and hold no more."""
        self._released.set()

    def refusal(self) -> Refusal | None:
        """Return what it answers with, if it refuses."""
        if self.status is None and self.code is None:
            return None
        code = self.code or 0
        status = self.status or CODES[code][0]
        retry_after = self.retry_after if status == 429 else None
        message = CODES[code][1] if code else f"{status}: Injected"
        return Refusal(code, status=status, message=message, retry_after=retry_after)
