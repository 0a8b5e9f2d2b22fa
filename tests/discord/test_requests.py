"""How requests are bounded, and how many refusals are borne. No simulation: these parts stand alone."""

import asyncio
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any

import aiohttp
import discord
import pytest

from bot import metrics
from bot.messages import requests
from bot.messages.requests import (
    Failing,
    NotSentError,
    Refusals,
    Requests,
    is_passing,
    is_refusal,
    within,
)


class Clock:
    def __init__(self) -> None:
        self.seconds = 1000.0

    def __call__(self) -> float:
        return self.seconds


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def refusals(clock: Clock) -> Refusals:
    return Refusals(clock)


@pytest.fixture
async def client() -> Any:
    """Stand in for a client under no limit."""
    over = asyncio.Event()
    over.set()
    return SimpleNamespace(http=SimpleNamespace(_global_over=over))


# --- refusals


def test_refusals_count_for_ten_minutes(refusals: Refusals, clock: Clock) -> None:
    for _ in range(30):
        refusals.count()
        clock.seconds += 20
    assert refusals.recent == 30
    clock.seconds += 300
    assert 14 <= refusals.recent <= 16
    clock.seconds += 311
    assert refusals.recent == 0


def test_what_is_needed_is_borne_longer(refusals: Refusals, clock: Clock) -> None:
    for _ in range(requests.UNNEEDED_UP_TO):
        assert refusals.allow(needed=False)
        refusals.count()
    assert not refusals.allow(needed=False)
    for _ in range(requests.NEEDED_UP_TO - requests.UNNEEDED_UP_TO):
        assert refusals.allow(needed=True)
        refusals.count()
    assert not refusals.allow(needed=True)
    clock.seconds += 620
    assert refusals.allow(needed=False)


@pytest.mark.parametrize(
    ("status", "headers", "counts"),
    [
        (200, {}, False),
        (401, {}, True),
        (403, {}, True),
        (404, {}, False),
        (429, {}, True),
        (429, {"X-RateLimit-Scope": "user"}, True),
        (429, {"X-RateLimit-Scope": "shared"}, False),
        (503, {}, False),
    ],
)
async def test_what_discord_counts_is_counted(
    refusals: Refusals, status: int, headers: dict[str, str], counts: bool
) -> None:
    async def read() -> bytes:
        return b'{"code": 0}'

    response = SimpleNamespace(status=status, headers=headers, read=read)
    url = SimpleNamespace(path="/api/v10/channels/1/messages")
    (ended,) = metrics.trace(refusals.count).on_request_end
    await ended(None, SimpleNamespace(), SimpleNamespace(response=response, url=url))  # type: ignore[arg-type]
    assert refusals.recent == int(counts)


# --- bounds


def test_pauses_grow_with_the_time_that_something_fails() -> None:
    since = begun = datetime(2026, 1, 1, tzinfo=UTC)
    failing = None
    pauses: list[float] = []
    while begun - since < timedelta(hours=1):
        failing = Failing.again(failing, begun)
        pauses.append((failing.retry_at(begun) - begun).total_seconds())
        begun = failing.retry_at(begun)
    assert pauses[:5] == [1, 1, 1, 1, 1]
    assert pauses == sorted(pauses)
    assert pauses[-1] == 60
    assert len(pauses) < 90


def test_bounds_grow_with_the_tries() -> None:
    since = datetime(2026, 1, 1, tzinfo=UTC)
    assert [within(Failing(since, tries)) for tries in range(1, 7)] == [2.5, 5, 5, 10, 10, 10]
    assert within(None) == 2.5
    assert within(Failing(since, 10_000)) == 10


async def test_a_request_is_given_up_in_time_and_cancelled(client: Any, refusals: Refusals) -> None:
    made, begun = Requests(client, refusals), asyncio.Event()
    ended: list[bool] = []

    async def hang() -> None:
        begun.set()
        try:
            await asyncio.Event().wait()
        finally:
            ended.append(True)

    with pytest.raises(TimeoutError):
        await made.make("look", hang(), within=0.01)
    assert begun.is_set()
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    assert ended == [True]
    assert made.under_way() == set()
    assert made.calls == {"look": 1}


async def test_no_request_is_cancelled_that_ends_a_limit_on_all_of_them(
    client: Any, refusals: Refusals
) -> None:
    made, over = Requests(client, refusals), client.http._global_over

    async def limited() -> None:
        over.clear()
        await asyncio.sleep(0.05)
        over.set()  # as discord.py does

    with pytest.raises(TimeoutError):
        await made.make("look", limited(), within=0.01)
    assert not over.is_set()
    await asyncio.gather(*made.under_way())
    assert over.is_set()


async def test_what_fails_after_it_was_given_up_fails_unheard(
    client: Any, refusals: Refusals, recwarn: pytest.WarningsRecorder
) -> None:
    made = Requests(client, refusals)
    client.http._global_over.clear()

    async def fail() -> None:
        await asyncio.sleep(0.02)
        raise aiohttp.ServerDisconnectedError

    with pytest.raises(TimeoutError):
        await made.make("look", fail(), within=0.01)
    await asyncio.wait(made.under_way())
    assert made.under_way() == set()


async def test_nothing_is_sent_once_closed(client: Any, refusals: Refusals) -> None:
    made = Requests(client, refusals)
    made.close()

    async def never() -> None:
        raise AssertionError

    made.aside(never(), "nothing")
    with pytest.raises(NotSentError):
        await made.make("look", never())
    assert made.calls == {}


# --- what failures mean


def failure(status: int, code: int) -> discord.HTTPException:
    response: Any = SimpleNamespace(status=status, reason="")
    return discord.HTTPException(response, {"code": code, "message": ""})


@pytest.mark.parametrize(
    ("error", "passing", "refusal"),
    [
        (failure(500, 0), True, False),
        (failure(503, 0), True, False),
        (failure(429, 0), True, False),
        (TimeoutError(), True, False),
        (ConnectionResetError(), True, False),
        (NotSentError(), True, False),
        (failure(401, 0), False, True),
        (failure(403, 50001), False, True),
        (failure(403, 50013), False, True),
        (failure(400, 50083), False, True),
        (failure(400, 160005), False, True),
        (failure(400, 50035), False, False),
        (failure(404, 10008), False, False),
    ],
)
def test_what_a_failure_means(error: Exception, passing: bool, refusal: bool) -> None:
    assert is_passing(error) is passing
    assert is_refusal(error) is refusal
