"""The answer to one interaction: in time, once, and through whichever request Discord still takes.

Discord waits 3 s for the first response. Where the true answer takes longer a deferral is sent first, and the
answer then is an edit of the original response or a follow-up; no caller needs to know which. A modal cannot
follow a deferral. Imports discord only.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, Final, TypeAlias

import discord
import structlog

log = structlog.get_logger(__name__)

Interaction: TypeAlias = discord.Interaction[discord.Client]
#: One sentence, or a whole screen.
Message: TypeAlias = str | discord.ui.LayoutView

#: Within how many seconds of its arrival an interaction gets its first response; discord.py would go on
#: trying after Discord's 3 s.
ANSWER_WITHIN: Final = 2.5
#: How long an answer after a deferral may take, the library's own retries included, in seconds.
FOLLOW_UP_WITHIN: Final = 10.0


class Answer:
    """The answer to an interaction; a deferral of a `public` command is seen by everybody."""

    def __init__(self, interaction: Interaction, *, public: bool = False) -> None:
        self._interaction = interaction
        self._public = public
        self._by = asyncio.get_running_loop().time() + ANSWER_WITHIN
        self._lock = asyncio.Lock()
        self._meanwhile: Callable[[], Awaitable[None]] = self._send_deferral
        self._waiting: list[Callable[[], None]] = []
        # Whether "thinking…" is shown, which the answer replaces; and the answer, where it is a follow-up.
        self._thinking = False
        self._follow_up: discord.WebhookMessage | None = None
        #: Whether the person was told what came of it; a deferral does not tell.
        self.given = False
        #: Whether something else had to be sent before the answer, so that Discord did not give up.
        self.deferred = False

    @property
    def responded(self) -> bool:
        """Whether Discord has taken a first response, which may be a deferral."""
        return self._interaction.response.is_done()

    # --- deferring

    def when_deferred(self, callback: Callable[[], None]) -> None:
        """Call something once the answer is deferred, for what waits for the answer no longer."""
        self._waiting.append(callback)

    def defer_by(self, meanwhile: Callable[[], Awaitable[None]]) -> None:
        """Send this in place of a deferral, if the answer takes long."""
        self._meanwhile = meanwhile

    async def defer(self) -> None:
        """Send a first response, unless there is one or it is on its way; the answer is still to come."""
        if self._lock.locked() or self.responded:
            return
        self.deferred = True
        for callback in self._waiting:
            callback()
        await self._meanwhile()

    async def _send_deferral(self) -> None:
        async with self._lock, asyncio.timeout_at(self._by):
            await self._interaction.response.defer(ephemeral=not self._public)
            self._thinking = self._interaction.type is discord.InteractionType.application_command

    async def show_meanwhile(self, view: discord.ui.LayoutView) -> None:
        """Edit the message that was pressed in place of a deferral (see `defer_by`)."""
        async with self._lock, asyncio.timeout_at(self._by):
            await self._interaction.response.edit_message(view=view)

    # --- answering

    async def send(self, message: Message, *, public: bool = False) -> int:
        """Answer with a message of its own, private unless `public`; returns its id.

        After the deferral of a command it is as public as that.
        """
        async with self._lock:
            if self.responded:
                async with asyncio.timeout(FOLLOW_UP_WITHIN):
                    message_id = await self._send_late(message, public=public)
            else:
                async with asyncio.timeout_at(self._by):
                    sent = await self._interaction.response.send_message(
                        ephemeral=not public, **_content(message)
                    )
                assert sent.message_id is not None
                message_id = sent.message_id
            self.given = True
            return message_id

    async def _send_late(self, message: Message, *, public: bool) -> int:
        if self._thinking:
            edited = await self._interaction.edit_original_response(**_content(message))
            self._thinking = False
            return edited.id
        sent = await self._interaction.followup.send(ephemeral=not public, wait=True, **_content(message))
        if not public and not sent.flags.ephemeral:
            log.error("answer_was_public", interaction=self._interaction.id)
            await sent.delete()
        self._follow_up = sent
        return sent.id

    async def update(self, view: discord.ui.LayoutView) -> None:
        """Answer by editing the message that was pressed."""
        async with self._lock:
            if self.responded:
                async with asyncio.timeout(FOLLOW_UP_WITHIN):
                    await self._interaction.edit_original_response(view=view)
            else:
                async with asyncio.timeout_at(self._by):
                    await self._interaction.response.edit_message(view=view)
            self.given = True

    async def show(self, view: discord.ui.LayoutView) -> None:
        """Answer with a private screen: in the place of the private one that was pressed, else a new one."""
        if is_private(self._interaction):
            await self.update(view)
        else:
            await self.send(view)

    async def replace(self, message: Message) -> None:
        """Edit the answer that was given."""
        async with self._lock, asyncio.timeout(FOLLOW_UP_WITHIN):
            if self._follow_up is None:
                await self._interaction.edit_original_response(**_content(message))
            else:
                await self._follow_up.edit(**_content(message))


def _content(message: Message) -> dict[str, Any]:
    """Say what to send; nobody is notified, whatever it says."""
    nobody = discord.AllowedMentions.none()
    if isinstance(message, str):
        return {"content": message, "allowed_mentions": nobody}
    return {"view": message, "allowed_mentions": nobody}


def is_private(interaction: Interaction) -> bool:
    """Whether the message that was pressed is seen by one person alone."""
    return interaction.message is not None and interaction.message.flags.ephemeral
