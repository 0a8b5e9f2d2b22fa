"""Rate limits: the bot's 50 requests a second, and a bucket for each kind of request and channel."""

from typing import NamedTuple


class Limit(NamedTuple):
    """So many requests in so many seconds, counted from the first of them."""

    requests: int
    seconds: float


class Limits(NamedTuple):
    """The limits of one Discord; None is no limit.

    Discord publishes only `overall`; the others are what its clients see. `old_edits` are edits of messages
    older than an hour in one channel, refused with 30046.
    """

    overall: Limit | None = Limit(50, 1.0)
    create: Limit | None = Limit(5, 5.0)
    edit: Limit | None = Limit(5, 5.0)
    delete: Limit | None = Limit(5, 1.0)
    token: Limit | None = Limit(5, 2.0)
    emoji: Limit | None = None
    old_edits: Limit | None = Limit(3, 6.0)


#: For tests that are about something else and want to be fast.
UNLIMITED = Limits(overall=None, create=None, edit=None, delete=None, token=None, old_edits=None)


class Taken(NamedTuple):
    """What a request found: its place in a window, or that the window is full."""

    granted: bool
    remaining: int
    reset_after: float


class Buckets:
    """The windows that are open now."""

    def __init__(self) -> None:
        self._windows: dict[tuple[str, str], tuple[float, int]] = {}

    def take(self, key: tuple[str, str], limit: Limit, now: float) -> Taken:
        """Count one request, at `now` in seconds, unless its window is full."""
        began, used = self._windows.get(key, (now, 0))
        if now - began >= limit.seconds:
            began, used = now, 0
        left = began + limit.seconds - now
        if used >= limit.requests:
            return Taken(False, 0, left)
        self._windows[key] = (began, used + 1)
        return Taken(True, limit.requests - used - 1, left)


def headers(bucket: str, limit: Limit, taken: Taken, now: float) -> dict[str, str]:
    """Write what Discord's clients read of a limit; `now` is in seconds since 1970."""
    return {
        "X-RateLimit-Limit": str(limit.requests),
        "X-RateLimit-Remaining": str(taken.remaining),
        "X-RateLimit-Reset": f"{now + taken.reset_after:.3f}",
        "X-RateLimit-Reset-After": f"{taken.reset_after:.3f}",
        "X-RateLimit-Bucket": f"bucket-{bucket}",
    }
