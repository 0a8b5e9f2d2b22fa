"""The one guard round everything a person asks for: it is answered exactly once, whatever happens.

discord.py only logs what a button's callback raises, and the person would see "This interaction failed".
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Awaitable, Callable, Coroutine, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

import aiohttp
import discord
import structlog

from bot import metrics
from bot.interactions.cooldowns import Verdict
from bot.model.errors import Problem, UserError
from bot.ui.text import replies
from bot.ui.text.translation import Text
from engine.errors import IllegalAction

if TYPE_CHECKING:
    from bot.client import Lastlap

    Interaction = discord.Interaction[Lastlap]
else:
    Interaction = discord.Interaction

log = structlog.get_logger(__name__)

#: Tells a person one sentence; it must not raise anything but discord's own exceptions.
Tell = Callable[[str], Awaitable[None]]
#: What was asked, not yet begun.
Work = Coroutine[Any, Any, None]

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


async def guard(interaction: Interaction, text: Text, work: Work, tell: Tell) -> None:
    """Do what was asked; where that cannot be, tell why in one sentence.

    Of somebody who asks faster than a person does nothing is done: that is said once, and on a message of
    their own, and their further presses are answered without a word until they have calmed down.
    """
    with IN_HAND.one(), metrics.answering(interaction.id):
        verdict = interaction.client.cooldowns.ask(interaction.user.id)
        if verdict is Verdict.FINE:
            await _guard(interaction, text, work, tell)
        else:
            work.close()
            metrics.refused(Problem.TOO_FAST)
            await _guard(interaction, text, _slow_down(interaction, text, verdict), tell)
        if not interaction.response.is_done():
            metrics.UNANSWERED.inc()


async def _slow_down(interaction: Interaction, text: Text, verdict: Verdict) -> None:
    async with asyncio.timeout(ANSWER_WITHIN):
        if verdict is Verdict.TOLD_ALREADY and interaction.type is discord.InteractionType.component:
            await interaction.response.defer()
        else:
            await say(interaction, replies.problem(text, Problem.TOO_FAST))


async def _guard(interaction: Interaction, text: Text, work: Work, tell: Tell) -> None:
    try:
        try:
            await work
        except UserError as error:
            metrics.refused(error.problem)
            await _tell(interaction, tell, replies.problem(text, error.problem, **error.values))
        except IllegalAction as error:
            metrics.REFUSED.labels(error.reason.value).inc()
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
