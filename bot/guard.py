"""The one guard round everything a person asks for: it is answered exactly once, whatever happens.

discord.py only logs what a button's callback raises, and the person would see "This interaction failed".
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import Final

import aiohttp
import discord
import structlog

from bot.errors import Problem, UserError
from bot.ui import replies
from bot.ui.text import Text
from engine.errors import IllegalAction

log = structlog.get_logger(__name__)

Interaction = discord.Interaction[discord.Client]
#: Tells a person one sentence; it must not raise anything but discord's own exceptions.
Tell = Callable[[str], Awaitable[None]]

#: The interaction is unknown by now, or was answered already: both happen when it is delivered twice.
_GONE: Final = (10062, 40060)
#: Discord waits 3 s for the first answer; discord.py would try again after that.
ANSWER_WITHIN: Final = 2.5


class InHand:
    """Counts what is being answered, so that a clean stop can let it come to its end."""

    def __init__(self) -> None:
        self._count = 0
        self._none: asyncio.Future[None] | None = None

    @contextmanager
    def one(self) -> Iterator[None]:
        """Count one while it is being answered."""
        self._count += 1
        try:
            yield
        finally:
            self._count -= 1
            if not self._count and self._none is not None and not self._none.done():
                self._none.set_result(None)

    async def all_answered(self, within: float) -> None:
        """Wait until nothing is being answered, so many seconds at most."""
        if self._count:
            self._none = asyncio.get_running_loop().create_future()
            await asyncio.wait([self._none], timeout=within)


IN_HAND: Final = InHand()


async def guard(interaction: Interaction, text: Text, work: Awaitable[None], tell: Tell) -> None:
    """Do what was asked; where that cannot be, tell why in one sentence."""
    with IN_HAND.one():
        await _guard(interaction, text, work, tell)


async def _guard(interaction: Interaction, text: Text, work: Awaitable[None], tell: Tell) -> None:
    try:
        try:
            await work
        except UserError as error:
            await _tell(interaction, tell, replies.problem(text, error.problem, **error.values))
        except IllegalAction as error:
            await _tell(interaction, tell, replies.refusal(text, error.reason))
    except discord.HTTPException as error:
        if error.code not in _GONE:
            log.warning("not_answered", interaction=interaction.id, code=error.code, status=error.status)
    except TimeoutError:
        log.warning("answer_too_slow", interaction=interaction.id)
    except (aiohttp.ClientError, OSError) as error:
        # The answer may be lost, what was saved is not.
        log.warning("answer_lost", interaction=interaction.id, problem=type(error).__name__)
        await _last_words(interaction, replies.problem(text, Problem.UNCERTAIN))
    except Exception:
        reference = secrets.token_hex(4)
        log.exception("unexpected", interaction=interaction.id, reference=reference)
        sentence = replies.problem(text, Problem.UNEXPECTED, reference=reference)
        await _last_words(interaction, sentence)


async def _tell(interaction: Interaction, tell: Tell, sentence: str) -> None:
    if interaction.response.is_done():
        log.info("refused_after_answer", interaction=interaction.id)
        return
    async with asyncio.timeout(ANSWER_WITHIN):
        await tell(sentence)


async def _last_words(interaction: Interaction, sentence: str) -> None:
    try:
        if not interaction.response.is_done():
            await say(interaction, sentence)
    except (discord.HTTPException, aiohttp.ClientError, OSError) as error:
        log.warning("not_answered", interaction=interaction.id, problem=type(error).__name__)


async def say(interaction: Interaction, sentence: str) -> None:
    """Answer with one sentence that only the asker sees."""
    await interaction.response.send_message(
        sentence, ephemeral=True, allowed_mentions=discord.AllowedMentions.none()
    )
