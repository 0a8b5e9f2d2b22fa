"""What people ask about themselves: to be forgotten, to be hidden, and what is kept of them."""

from __future__ import annotations

import asyncio
import gzip
import io
import json
from typing import Final

import discord

from bot.interactions import stored
from bot.interactions.context import Context
from bot.interactions.services import Services
from bot.model.errors import Problem, UserError
from bot.ui.kit.custom_ids import CustomId
from bot.ui.screens.privacy import forget_screen, forgotten_screen, hidden_now, sure_screen

#: A larger file is packed: Discord takes no attachment above 10 MiB.
_LARGE: Final = 8_000_000


class Privacy:
    """What each command and button does."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._store = services.store

    async def ask(self, context: Context) -> None:
        """Say what being forgotten means."""
        await context.answer.send(forget_screen(context.text))

    async def press(self, context: Context, custom_id: CustomId) -> None:
        """Ask once more, go back, or forget the person who pressed."""
        what, *rest = custom_id.args
        if what == "ask":
            await context.answer.show(sure_screen(context.text, rest[0]))
        elif what == "back":
            await context.answer.show(forget_screen(context.text))
        else:
            await self._forget(context, rest[0])

    async def _forget(self, context: Context, where: str) -> None:
        user, here = context.member.id, context.guild_id if where == "here" else None
        seated = await stored.save(self._store.forget(user, here, context.now))
        if seated:
            places = ", ".join(f"<#{channel}>" for channel in seated[:5])
            raise UserError(Problem.STILL_SEATED, channels=places)
        if here is None:
            self._services.renderer.in_words.discard(user)
            await stored.read(self._services.spoken.forget(user))
        await context.answer.show(forgotten_screen(context.text, where))

    async def hide(self, context: Context, *, hidden: bool) -> None:
        """Take a person out of the boards of this server, or back in."""
        await stored.save(self._store.hide(context.guild_id, context.member.id, hidden=hidden))
        await context.answer.send(hidden_now(context.text, hidden=hidden))

    async def data(self, context: Context) -> None:
        """Send somebody everything that is kept about them, for their eyes alone."""
        kept = await stored.read(self._store.kept_of(context.member.id))
        told = {"user_id": context.member.id, "at": context.now, **kept}
        words = context.text.gettext("All that is kept about you")
        file = await asyncio.to_thread(_file, told, words)
        await context.answer.send(file)


def _file(kept: dict[str, object], words: str) -> discord.File:
    told = json.dumps(kept, default=str, ensure_ascii=False, indent=1).encode()
    if len(told) <= _LARGE:
        return discord.File(io.BytesIO(told), "my-data.json", description=words)
    return discord.File(io.BytesIO(gzip.compress(told)), "my-data.json.gz", description=words)
