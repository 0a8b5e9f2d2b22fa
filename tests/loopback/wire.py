"""What goes over the wire: a request and its answer, refusals by Discord's codes, the table of routes."""

import asyncio
import json
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from aiohttp import web

#: What each of Discord's codes is answered with; a code that is not here needs its status given.
CODES: dict[int, tuple[int, str]] = {
    0: (401, "401: Unauthorized"),
    10003: (404, "Unknown Channel"),
    10004: (404, "Unknown Guild"),
    10007: (404, "Unknown Member"),
    10008: (404, "Unknown Message"),
    10013: (404, "Unknown User"),
    10014: (404, "Unknown Emoji"),
    10015: (404, "Unknown Webhook"),
    10062: (404, "Unknown interaction"),
    30008: (400, "Maximum number of emojis reached (2000)"),
    30046: (429, "Maximum number of edits to messages older than 1 hour reached. Try again later"),
    40060: (400, "Interaction has already been acknowledged."),
    50001: (403, "Missing Access"),
    50005: (403, "Cannot edit a message authored by another user"),
    50006: (400, "Cannot send an empty message"),
    50008: (400, "Cannot send messages in a non-text channel"),
    50013: (403, "Missing Permissions"),
    50024: (403, "Cannot execute action on this channel type"),
    50027: (401, "Invalid Webhook Token"),
    50035: (400, "Invalid Form Body"),
    50083: (400, "Thread is archived"),
    160004: (400, "A thread has already been created for this message"),
}


class Refusal(Exception):
    """An answer that is an error of Discord's.

    `errors` is the tree of a 50035; `retry_after` are the seconds of a 429.
    """

    def __init__(
        self,
        code: int,
        *,
        status: int | None = None,
        message: str | None = None,
        errors: dict[str, Any] | None = None,
        retry_after: float | None = None,
        globally: bool = False,
    ) -> None:
        known_status, known_message = CODES.get(code, (400, "Refused"))
        self.code = code
        self.status = known_status if status is None else status
        self.message = known_message if message is None else message
        self.errors = errors
        self.retry_after = retry_after
        self.globally = globally
        super().__init__(f"{self.status} {code}: {self.message} {errors or ''}".rstrip())

    @classmethod
    def of_field(cls, name: str, code: str, message: str) -> "Refusal":
        """Make the 50035 that finds fault with one field."""
        return cls(50035, errors={name: {"_errors": [{"code": code, "message": message}]}})

    @property
    def body(self) -> dict[str, Any]:
        """The JSON that tells it."""
        body: dict[str, Any] = {"message": self.message, "code": self.code}
        if self.errors is not None:
            body["errors"] = self.errors
        if self.retry_after is not None:
            body |= {"retry_after": round(self.retry_after, 3), "global": self.globally}
        return body


@dataclass(eq=False)
class Call:
    """One request of the bot's and what became of it; `path` is without /api/v10.

    `at` is on the clock of the test's event loop, `kind` is one of `Kind`, `guild` and `channel` are what it
    is about. `status` is None while the answer is being made, and stays
    so where the connection was cut.
    """

    method: str
    path: str
    query: dict[str, str]
    text: str
    files: list[dict[str, Any]]
    authorization: str
    at: float
    route: "Route | None" = None
    args: dict[str, str] = field(default_factory=dict)
    kind: Any = None
    guild: Any = None
    channel: Any = None
    status: int | None = None
    code: int | None = None
    took: float | None = None

    def finish(self, now: float) -> None:
        """Note that it was answered; from now on its body is read anew from its text when asked for."""
        self.took = now - self.at
        self.__dict__.pop("body", None)

    @cached_property
    def body(self) -> Any:
        """The JSON that was sent, {} for none."""
        return json.loads(self.text)

    def __repr__(self) -> str:
        return f"<{self.method} {self.path} {self.status} {self.code or ''}>"

    def number(self, name: str) -> int:
        """Return one of the path's ids; -1, which nothing has, for what is none."""
        return int(self.args[name]) if self.args[name].isdecimal() else -1

    @property
    def name(self) -> str:
        return f"{self.method} {self.path}"


#: Answers a request with JSON, or with None for 204; raises Refusal. Its first argument is the Loopback.
Handler = Callable[[Any, Call], Any]


@dataclass(frozen=True)
class Route:
    """One kind of request; `bucket` names its rate limit, kept apart by the values of `major`."""

    method: str
    template: str
    pattern: re.Pattern[str]
    handler: Handler
    bucket: str | None
    major: str | None

    @property
    def interaction(self) -> bool:
        """Whether it is authorised by an interaction's token, and free of the bot's 50 requests a second."""
        return self.template.startswith(("/interactions/", "/webhooks/"))


ROUTES: list[Route] = []


def route(
    method: str, template: str, *, bucket: str | None = None, major: str | None = None
) -> Callable[[Handler], Handler]:
    """Register what answers requests of this method to such a path; {name} stands for any one part of it."""

    def register(handler: Handler) -> Handler:
        pattern = re.compile(re.sub(r"\{(\w+)\}", r"(?P<\1>[^/]+)", template))
        ROUTES.append(Route(method, template, pattern, handler, bucket, major))
        return handler

    return register


def find(method: str, path: str) -> tuple[Route, dict[str, str]] | None:
    """Find what answers a request, with the ids in its path."""
    for known in ROUTES:
        if known.method == method and (match := known.pattern.fullmatch(path)):
            return known, match.groupdict()
    return None


async def read(request: web.Request, root: str) -> Call:
    """Read what the bot sent to a path below `root`."""
    text = "{}"
    files: list[dict[str, Any]] = []
    if request.content_type == "multipart/form-data":
        form = await request.post()
        text = str(form.get("payload_json", "{}"))
        for number, part in enumerate(part for part in form.values() if isinstance(part, web.FileField)):
            size = len(part.file.read())
            file = {"id": str(number), "filename": part.filename, "size": size}
            files.append(file | dict.fromkeys(("url", "proxy_url"), f"attachment://{part.filename}"))
    elif request.can_read_body:
        text = await request.text()
    return Call(
        method=request.method,
        path=request.path.removeprefix(root),
        query=dict(request.query),
        text=text,
        files=files,
        authorization=request.headers.get("Authorization", ""),
        at=asyncio.get_running_loop().time(),
    )


def answered(call: Call, value: Any, headers: dict[str, str]) -> web.Response:
    """Answer with JSON, or with nothing for None."""
    call.status = 204 if value is None else 200
    if value is None:
        return web.Response(status=204, headers=headers)
    # Exactly this type: with a charset behind it discord.py would take the JSON for text.
    headers["Content-Type"] = "application/json"
    return web.Response(body=json.dumps(value).encode(), headers=headers)


def refused(call: Call, refusal: Refusal, headers: dict[str, str]) -> web.Response:
    """Answer with a refusal."""
    call.status, call.code = refusal.status, refusal.code
    if refusal.retry_after is not None:
        headers["Retry-After"] = f"{refusal.retry_after:.3f}"
    headers["Content-Type"] = "application/json"
    return web.Response(body=json.dumps(refusal.body).encode(), status=refusal.status, headers=headers)


def gave_up(request: web.Request) -> bool:
    """Whether the bot has hung up, or died."""
    return request.transport is None or request.transport.is_closing()
