"""Which language an interaction is answered in. Imports discord and the tables."""

from __future__ import annotations

import asyncio
from typing import Final

import structlog

from bot.interactions.answer import Interaction
from bot.interactions.context import locale_of, spelt
from bot.model.guild_settings import GuildSettings
from bot.tables import Tables
from bot.tables.guild_settings import GuildSettingsCache
from bot.tables.languages import Languages
from bot.ui.text.translation import Text, text_for

log = structlog.get_logger(__name__)

#: How many seconds an answer waits to learn its language before it is in that of Discord.
KNOWN_WITHIN: Final = 0.5


class Spoken:
    """Knows the language of each answer.

    A private answer is in the language the person has chosen; else in that chosen for the server; else in
    that of the person's Discord. Where it names a button of the table, that has the word of the table.
    """

    def __init__(self, languages: Languages, guild_settings: GuildSettingsCache, tables: Tables) -> None:
        self._languages = languages
        self._guild_settings = guild_settings
        self._tables = tables

    async def text(self, interaction: Interaction) -> Text:
        """Return the sentences for a private answer; whatever cannot be read in time counts as not chosen."""
        guild_id = interaction.guild_id or 0
        languages, settings = self._languages.known, self._guild_settings.known(guild_id)
        if languages is None or settings is None:
            languages, settings = await self._read(guild_id)
        # An interaction that is odd may name nobody.
        chosen = languages.get(getattr(interaction.user, "id", 0))
        table = self._tables.in_channel(interaction.channel_id or 0)
        public = of_server(interaction, settings) if table is None else table.state.options.locale
        return text_for(chosen or settings.locale or locale_of(interaction)).beside(text_for(public))

    async def _read(self, guild_id: int) -> tuple[dict[int, str], GuildSettings]:
        """Read what was chosen, once after the start; what takes too long is read on meanwhile."""

        async def reading() -> tuple[dict[int, str], GuildSettings]:
            return await self._languages.read(), await self._guild_settings.get(guild_id)

        task = asyncio.create_task(reading())
        done, _ = await asyncio.wait({task}, timeout=KNOWN_WITHIN)
        if done and task.exception() is None:
            return task.result()
        log.warning("language_unknown", problem=type(task.exception()).__name__ if done else "late")
        task.add_done_callback(lambda late: late.cancelled() or late.exception())
        return {}, GuildSettings()

    async def choose(self, interaction: Interaction, language: str | None) -> None:
        """Save the language a person has chosen, None for no choice."""
        await self._languages.choose(interaction.user.id, language)

    async def forget(self, user_id: int) -> None:
        """Forget the language of a person, after it was deleted."""
        await self._languages.forget(user_id)


def of_server(interaction: Interaction, settings: GuildSettings) -> str:
    """Return the language of a new table: the one chosen for the server, else that of its Discord."""
    return settings.locale or spelt(interaction.guild_locale)
