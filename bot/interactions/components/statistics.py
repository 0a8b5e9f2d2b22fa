"""What is shown of one person's results: the commands that ask for it, and the buttons below it."""

from __future__ import annotations

import asyncio
import io

import discord

from bot.interactions import stored
from bot.interactions.context import Context
from bot.interactions.services import Services
from bot.interactions.spoken import of_server
from bot.model.errors import Problem, UserError
from bot.tallies.achievements import earned
from bot.tallies.statistics import Past, add_up
from bot.ui.kit.custom_ids import CustomId
from bot.ui.screens.card import Card, profile_card
from bot.ui.screens.stats import Profile, stats_screen
from bot.ui.text.translation import text_for


class Statistics:
    """The statistics of the members of a server, to anybody there."""

    def __init__(self, services: Services) -> None:
        self._services = services

    async def open(self, context: Context, member: discord.abc.User) -> None:
        """Show somebody's statistics, privately."""
        profile = await self._profile(context, member.id, member.display_name)
        own = member.id == context.member.id
        await context.answer.send(
            stats_screen(context.text, self._services.renderer.emojis, profile, own=own)
        )

    async def press(self, context: Context, custom_id: CustomId) -> None:
        """Show somebody's profile card, or post the presser's own in the channel; raises UserError."""
        if custom_id.args[0] == "card":
            profile = await self._profile(context, int(custom_id.args[1]))
            await context.answer.send(await self._card(profile_card(context.text, profile)))
            return
        settings = await stored.read(self._services.guild_settings.get(context.guild_id))
        member = context.member
        profile = await self._profile(context, member.id, member.display_name)
        self._services.cooldowns.share(context.channel_id)
        card = profile_card(text_for(of_server(context.interaction, settings)), profile)
        await context.answer.send(await self._card(card), public=True)

    async def _card(self, card: Card) -> discord.File:
        png = await asyncio.to_thread(card.png)
        return discord.File(io.BytesIO(png), "profile.png", description=card.words)

    async def _profile(self, context: Context, user_id: int, name: str | None = None) -> Profile:
        """Return what is told of a person; without a name under the last one known.

        Raises UserError for somebody else who is hidden.
        """
        store, guild = self._services.store, context.guild_id
        if user_id != context.member.id and await stored.read(store.is_hidden(guild, user_id)):
            raise UserError(Problem.HIDDEN)
        past = await stored.read(store.past(guild, user_id))
        return await asyncio.to_thread(_profile, user_id, name, past)


def _profile(user_id: int, name: str | None, past: Past) -> Profile:
    return Profile(user_id, past.name if name is None else name, add_up(past), earned(past))
