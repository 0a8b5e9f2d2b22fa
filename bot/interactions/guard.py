"""The guard around every interaction: it is answered once and in time, whatever happens.

discord.py only logs what a callback raises, and the person would see "This interaction failed".
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Awaitable, Callable, Coroutine, Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Any, Final

import discord
import structlog

from bot import metrics
from bot.interactions.answer import Answer, Interaction
from bot.interactions.context import Context
from bot.interactions.cooldowns import Cooldowns, Verdict
from bot.interactions.spoken import Spoken
from bot.messages.requests import FAILURES
from bot.model.errors import Problem, UserError
from bot.ui.kit.commands import Commands
from bot.ui.text import problems
from bot.ui.text.translation import Text
from engine.errors import IllegalAction

log = structlog.get_logger(__name__)

#: What an interaction asks for; it answers through the context, or raises UserError or IllegalAction.
Work = Callable[[Context], Coroutine[Any, Any, None]]

#: An interaction not answered after so many seconds is deferred; the deferral takes time, too.
DEFER_AFTER: Final = 1.5
#: The interaction is no longer known, or was answered already: both happen when it is delivered twice.
_GONE: Final = (10062, 40060)


class Guard:
    """Carries out interactions and sees that each is answered."""

    def __init__(
        self,
        cooldowns: Cooldowns,
        spoken: Spoken,
        now: Callable[[], datetime],
        commands: Commands | None = None,
    ) -> None:
        self._cooldowns = cooldowns
        self._spoken = spoken
        self._commands = commands
        self._now = now
        self._unanswered = 0
        self._all_answered: asyncio.Future[None] | None = None

    async def answer(self, interaction: Interaction, work: Work, *, public: bool = False) -> None:
        """Carry out an interaction; if that is not possible, say why in one sentence.

        What takes long is deferred first, for everybody to see if `public`. Interactions that come faster
        than a person can press are not carried out: the person is told so once, in a message of its own, and
        further presses are answered without a word until they slow down.
        """
        with self._counted(), metrics.answering(interaction.id):
            answer = Answer(interaction, public=public, commands=self._commands)
            working = asyncio.create_task(self._work(interaction, answer, work))
            done, _ = await asyncio.wait({working}, timeout=DEFER_AFTER)
            if not done:
                await _sent(interaction, answer.defer())
            await working
            if not answer.responded:
                metrics.UNANSWERED.inc()

    async def all_answered(self, within: float) -> None:
        """Wait until nothing is being answered, for at most so many seconds."""
        if self._unanswered:
            self._all_answered = asyncio.get_running_loop().create_future()
            await asyncio.wait([self._all_answered], timeout=within)

    @contextmanager
    def _counted(self) -> Iterator[None]:
        self._unanswered += 1
        try:
            yield
        finally:
            self._unanswered -= 1
            if not self._unanswered and self._all_answered is not None and not self._all_answered.done():
                self._all_answered.set_result(None)

    async def _work(self, interaction: Interaction, answer: Answer, work: Work) -> None:
        text = await self._spoken.text(interaction)
        sentence = None
        try:
            await self._try(interaction, answer, text, work)
        except (UserError, IllegalAction) as error:
            sentence = refusal(text, error)
        except FAILURES as error:
            # The answer may be lost; what was saved is not.
            _log_failure(interaction, error)
            sentence = None if _is_gone(error) else problems.problem(text, Problem.UNCERTAIN)
        except Exception:
            reference = secrets.token_hex(4)
            log.exception("unexpected", interaction=interaction.id, reference=reference)
            sentence = problems.problem(text, Problem.UNEXPECTED, reference=reference)
        if sentence is None:
            return
        if answer.given:
            log.info("failed_after_answer", interaction=interaction.id)
            return
        await _sent(interaction, answer.send(sentence))

    async def _try(self, interaction: Interaction, answer: Answer, text: Text, work: Work) -> None:
        context = self._context(interaction, answer, text)
        verdict = self._cooldowns.ask(context.member.id)
        if verdict is Verdict.TOLD_ALREADY and interaction.type is discord.InteractionType.component:
            metrics.refused(Problem.TOO_FAST)
            await answer.defer()
        elif verdict is not Verdict.FINE:
            raise UserError(Problem.TOO_FAST)
        else:
            await work(context)

    def _context(self, interaction: Interaction, answer: Answer, text: Text) -> Context:
        """Return the context of an interaction; raises UserError outside the channels of a server."""
        member, guild_id, channel_id = interaction.user, interaction.guild_id, interaction.channel_id
        if not isinstance(member, discord.Member) or guild_id is None or channel_id is None:
            raise UserError(Problem.SERVER_ONLY)
        return Context(interaction, answer, member, guild_id, channel_id, text, self._now())


def refusal(text: Text, error: UserError | IllegalAction) -> str:
    """Return the sentence that says why something was refused, and count the refusal."""
    if isinstance(error, IllegalAction):
        metrics.REFUSED.labels(error.reason.value).inc()
        return problems.refusal(text, error.reason)
    metrics.refused(error.problem)
    return problems.problem(text, error.problem, **error.values)


async def _sent(interaction: Interaction, sending: Awaitable[object]) -> None:
    try:
        await sending
    except FAILURES as error:
        _log_failure(interaction, error)


def _is_gone(error: Exception) -> bool:
    """Whether Discord no longer accepts an answer to an interaction, or has one."""
    return isinstance(error, TimeoutError) or (
        isinstance(error, discord.HTTPException) and error.code in _GONE
    )


def _log_failure(interaction: Interaction, error: Exception) -> None:
    """Log that an answer did not arrive, except for an interaction delivered twice, which is normal."""
    if isinstance(error, discord.HTTPException):
        if error.code not in _GONE:
            log.warning("not_answered", interaction=interaction.id, code=error.code, status=error.status)
    elif isinstance(error, TimeoutError):
        log.warning("answer_too_slow", interaction=interaction.id)
    else:
        log.warning("answer_lost", interaction=interaction.id, problem=type(error).__name__)
