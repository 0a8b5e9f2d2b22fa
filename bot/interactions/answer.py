"""The answer to one interaction: once, in time, and by whichever request Discord still accepts.

Discord waits 3 s for the first response. If the answer takes longer, a deferral is sent first, and the answer
becomes an edit of the original response or a follow-up. Callers do not need to know which. A modal cannot
follow a deferral. Imports discord, and what makes commands clickable.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, Final, TypeAlias

import discord
import structlog

from bot.ui.kit.commands import Commands

log = structlog.get_logger(__name__)

Interaction: TypeAlias = discord.Interaction[discord.Client]
#: One sentence, a whole screen, or a picture.
Message: TypeAlias = str | discord.ui.LayoutView | discord.File

#: How many seconds after its arrival an interaction may have its first response; discord.py would retry
#: past Discord's 3 s.
ANSWER_WITHIN: Final = 2.5
#: How many seconds an answer after a deferral may take, with discord.py's own retries.
FOLLOW_UP_WITHIN: Final = 10.0


class Answer:
    """The answer to an interaction; everybody sees the deferral of a `public` command."""

    def __init__(
        self, interaction: Interaction, *, public: bool = False, commands: Commands | None = None
    ) -> None:
        self._interaction = interaction
        self._commands = commands or Commands()
        self._public = public
        self._by = asyncio.get_running_loop().time() + ANSWER_WITHIN
        self._lock = asyncio.Lock()
        self._meanwhile: Callable[[], Awaitable[None]] = self._send_deferral
        self._waiting: list[Callable[[], None]] = []
        # Whether "thinking…" is shown, which the answer replaces, and the answer if it was a follow-up.
        self._thinking = False
        self._follow_up: discord.WebhookMessage | None = None
        #: Whether the answer was given; a deferral is none.
        self.given = False
        #: Whether a deferral, or what stands in for it, was sent before the answer.
        self.deferred = False

    @property
    def responded(self) -> bool:
        """Whether Discord has accepted a first response, which may be a deferral."""
        return self._interaction.response.is_done()

    # --- deferring

    def when_deferred(self, callback: Callable[[], None]) -> None:
        """Call this if the answer is deferred: what waits for the answer should wait no longer."""
        self._waiting.append(callback)

    def defer_by(self, meanwhile: Callable[[], Awaitable[None]]) -> None:
        """Send this instead of a deferral if the answer takes long."""
        self._meanwhile = meanwhile

    async def defer(self) -> None:
        """Send a deferral, unless a first response was sent or is on its way."""
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
        """Edit the message that was pressed, instead of a deferral (see `defer_by`)."""
        async with self._lock, asyncio.timeout_at(self._by):
            await self._interaction.response.edit_message(view=self._commands.in_view(view))

    # --- answering

    async def send(self, message: Message, *, public: bool = False) -> int:
        """Answer with a new message, private unless `public`; returns its id.

        After the deferral of a command the message is as public as the deferral.
        """
        async with self._lock:
            if self.responded:
                async with asyncio.timeout(FOLLOW_UP_WITHIN):
                    message_id = await self._send_late(message, public=public)
            else:
                async with asyncio.timeout_at(self._by):
                    sent = await self._interaction.response.send_message(
                        ephemeral=not public, **self._content(message)
                    )
                assert sent.message_id is not None
                message_id = sent.message_id
            self.given = True
            return message_id

    async def _send_late(self, message: Message, *, public: bool) -> int:
        if self._thinking:
            edited = await self._interaction.edit_original_response(**self._content(message))
            self._thinking = False
            return edited.id
        sent = await self._interaction.followup.send(
            ephemeral=not public, wait=True, **self._content(message)
        )
        if not public and not sent.flags.ephemeral:
            log.error("answer_was_public", interaction=self._interaction.id)
            await sent.delete()
        self._follow_up = sent
        return sent.id

    async def ask(self, window: discord.ui.Modal) -> None:
        """Answer by opening a window to be filled in; what is typed comes as an interaction of its own."""
        async with self._lock, asyncio.timeout_at(self._by):
            await self._interaction.response.send_modal(window)
            self.given = True

    async def update(self, view: discord.ui.LayoutView) -> None:
        """Answer by editing the message that was pressed."""
        async with self._lock:
            if self.responded:
                async with asyncio.timeout(FOLLOW_UP_WITHIN):
                    await self._interaction.edit_original_response(view=self._commands.in_view(view))
            else:
                async with asyncio.timeout_at(self._by):
                    await self._interaction.response.edit_message(view=self._commands.in_view(view))
            self.given = True

    async def show(self, view: discord.ui.LayoutView) -> None:
        """Answer with a private screen: replace the private one that was pressed, else send a new one."""
        if is_private(self._interaction):
            await self.update(view)
        else:
            await self.send(view)

    async def replace(self, message: Message) -> None:
        """Edit the answer that was given."""
        async with self._lock, asyncio.timeout(FOLLOW_UP_WITHIN):
            if self._follow_up is None:
                await self._interaction.edit_original_response(**self._content(message))
            else:
                await self._follow_up.edit(**self._content(message))

    def _content(self, message: Message) -> dict[str, Any]:
        """Return what to send, with commands that can be clicked; it notifies nobody."""
        nobody = discord.AllowedMentions.none()
        if isinstance(message, str):
            return {"content": self._commands.in_words(message), "allowed_mentions": nobody}
        if isinstance(message, discord.File):
            return {"file": message, "allowed_mentions": nobody}
        return {"view": self._commands.in_view(message), "allowed_mentions": nobody}


def is_private(interaction: Interaction) -> bool:
    """Whether only one person sees the message that was pressed."""
    return interaction.message is not None and interaction.message.flags.ephemeral
