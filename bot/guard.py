"""The one guard round everything a person asks for: it is answered exactly once, whatever happens.

discord.py only logs what a button's callback raises, and the person would see "This interaction failed".
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Awaitable, Callable
from typing import Final

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


async def guard(interaction: Interaction, text: Text, work: Awaitable[None], tell: Tell) -> None:
    """Do what was asked; where that cannot be, tell why in one sentence."""
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
    except Exception:
        reference = secrets.token_hex(4)
        log.exception("unexpected", interaction=interaction.id, reference=reference)
        sentence = replies.problem(text, Problem.UNEXPECTED, reference=reference)
        if not interaction.response.is_done():
            await _last_words(interaction, sentence)


async def _tell(interaction: Interaction, tell: Tell, sentence: str) -> None:
    if interaction.response.is_done():
        log.info("refused_after_answer", interaction=interaction.id)
        return
    async with asyncio.timeout(ANSWER_WITHIN):
        await tell(sentence)


async def _last_words(interaction: Interaction, sentence: str) -> None:
    try:
        await say(interaction, sentence)
    except discord.HTTPException as error:
        log.warning("not_answered", interaction=interaction.id, code=error.code, status=error.status)


async def say(interaction: Interaction, sentence: str) -> None:
    """Answer with one sentence that only the asker sees."""
    await interaction.response.send_message(
        sentence, ephemeral=True, allowed_mentions=discord.AllowedMentions.none()
    )
