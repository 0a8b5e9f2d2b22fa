"""Commands that need no table: rules, help, about, results, tables, what people and servers choose."""

from __future__ import annotations

from typing import Final

import discord

from bot import VERSION
from bot.interactions import stored
from bot.interactions.components.history import History
from bot.interactions.components.leaderboard import Leaderboard
from bot.interactions.components.panels import Panels
from bot.interactions.components.statistics import Statistics
from bot.interactions.context import Context
from bot.interactions.permissions import sees
from bot.interactions.services import Services
from bot.tallies.boards import By
from bot.tallies.periods import Period
from bot.ui.screens import rules
from bot.ui.screens.about import Links, about_screen
from bot.ui.screens.help import help_screen
from bot.ui.text import replies
from bot.ui.text.translation import LANGUAGES

#: Chooses no language: that of the server or of Discord is spoken.
AUTOMATIC: Final = "auto"


class Anywhere:
    """What each of them does."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._emojis = services.renderer.emojis
        self._panels = Panels(services)
        self._leaderboard = Leaderboard(services)
        self._statistics = Statistics(services)
        self._history = History(services)

    async def rules(self, context: Context) -> None:
        """Show the rules."""
        # Its buttons carry the table of this channel, whose house rules one topic names.
        await context.answer.send(rules.rules_screen(context.text, None, table=self._table_id(context)))

    async def help(self, context: Context) -> None:
        """Show how to play."""
        await context.answer.send(help_screen(context.text, self._emojis, table=self._table_id(context)))

    def _table_id(self, context: Context) -> int:
        return self._services.tables.id_in_channel(context.channel_id) or 0

    async def about(self, context: Context) -> None:
        """Show what the bot is and what it stores."""
        settings = self._services.settings
        links = Links(settings.support_url, settings.privacy_url, settings.terms_url, settings.source_url)
        await context.answer.send(about_screen(context.text, self._emojis, VERSION, links))

    async def leaderboard(self, context: Context, by: By, period: Period) -> None:
        """Show who leads on this server."""
        await self._leaderboard.open(context, by, period)

    async def stats(self, context: Context, member: discord.abc.User | None) -> None:
        """Show somebody's statistics, the asker's own if nobody is named."""
        await self._statistics.open(context, member or context.member)

    async def history(self, context: Context) -> None:
        """Show the last matches of this server."""
        await self._history.open(context)

    async def tables(self, context: Context) -> None:
        """List the tables of this server in channels that the asker may see."""
        tables = await stored.read(self._services.tables.reach_all(context.guild_id, context.now))
        lines = [
            (f"<#{table.channel_id}>", len(table.state.seating.people), table.state.playing)
            for table in tables
            if sees(context, table.channel_id)
        ]
        await context.answer.send(replies.tables(context.text, lines))

    async def notify(self, context: Context, wish: str) -> None:
        """Save when somebody wants to be called to their turn."""
        await stored.save(self._services.store.set_nudges(context.member.id, wish))
        await context.answer.send(replies.nudges_set(context.text, wish))

    async def cards(self, context: Context, shown: str) -> None:
        """Save how somebody's cards are shown."""
        await stored.save(self._services.store.set_cards(context.member.id, shown))
        people = self._services.renderer.in_words
        (people.add if shown == "words" else people.discard)(context.member.id)
        await context.answer.send(replies.cards_shown(context.text, shown))

    async def language(self, context: Context, wish: str) -> None:
        """Save the language in which somebody is answered from now on, and answer in it."""
        spoken, interaction = self._services.spoken, context.interaction
        await stored.save(spoken.choose(interaction, None if wish == AUTOMATIC else wish))
        text = await spoken.text(interaction)
        self._services.messages.speak(context.member.id, text.key)
        await context.answer.send(
            replies.language_chosen(text, None if wish == AUTOMATIC else LANGUAGES[wish])
        )

    async def settings(self, context: Context, time_zone: str | None = None) -> None:
        """Show the settings of this server to its managers, after changing its time zone if one is given."""
        await self._panels.open_server(context, time_zone)
