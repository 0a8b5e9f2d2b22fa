"""`/uno`: start, hand, table, leave, end, rules, leaderboard. Guild only, guild install only."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Final

import discord
import structlog
from discord import app_commands
from discord.app_commands import locale_str

from bot import show
from bot.clicks import hand_token
from bot.errors import Problem, UserError
from bot.guard import ANSWER_WITHIN, Interaction, guard, say
from bot.screens import drawn
from bot.tables import Click, Table
from bot.ui import leaderboard as leaderboard_screen
from bot.ui import replies
from bot.ui import rules as rules_screen
from bot.ui.text import Text, text_for
from engine.rules import ONE_HAND, Length, RuleSet

if TYPE_CHECKING:
    from bot.client import Lastlap

log = structlog.get_logger(__name__)

#: Rows of a leaderboard: more than anybody reads, and well within a message.
LEADERS: Final = 10
#: Permissions a table needs, in the order they are named when missing.
_THREADS: Final = (
    discord.ChannelType.public_thread,
    discord.ChannelType.private_thread,
    discord.ChannelType.news_thread,
)
_NEEDED: Final[tuple[str, ...]] = ("view_channel", "send_messages", "read_message_history")
_NEEDED_IN_THREAD: Final[tuple[str, ...]] = (
    "view_channel",
    "send_messages_in_threads",
    "read_message_history",
)
_NEEDED_FOR_THREAD: Final = (
    "view_channel",
    "send_messages",
    "create_public_threads",
    "send_messages_in_threads",
    "read_message_history",
)


class UnoCommands(app_commands.Group):
    """The group `/uno`."""

    def __init__(self, bot: Lastlap) -> None:
        super().__init__(
            name="uno",
            description=locale_str("Play UNO Mario Kart in this channel"),
            guild_only=True,
            allowed_contexts=app_commands.AppCommandContext(
                guild=True, dm_channel=False, private_channel=False
            ),
            allowed_installs=app_commands.AppInstallationType(guild=True, user=False),
        )
        self._bot = bot

    # --- starting

    @app_commands.command(name="start", description=locale_str("Open a lobby in this channel"))
    @app_commands.describe(
        hands=locale_str("How many hands the match has (1 if you say nothing)"),
        target=locale_str("Play until somebody has this many points instead"),
        thread=locale_str("Play in a thread of its own, so that the channel stays free"),
    )
    async def start(
        self,
        interaction: Interaction,
        hands: app_commands.Range[int, 1, 20] | None = None,
        target: app_commands.Range[int, 100, 1000] | None = None,
        thread: bool = False,
    ) -> None:
        """Open a lobby."""
        await self._guarded(interaction, lambda text: self._start(interaction, text, hands, target, thread))

    async def _start(
        self, interaction: Interaction, text: Text, hands: int | None, target: int | None, thread: bool
    ) -> None:
        if hands is not None and target is not None:
            raise UserError(Problem.HANDS_OR_TARGET)
        length = Length(target=target) if target is not None else Length(hands=hands) if hands else ONE_HAND
        channel = interaction.channel
        if thread and not isinstance(channel, discord.TextChannel):
            raise UserError(Problem.NO_THREAD_HERE)
        self._check_permissions(interaction, text, thread=thread)
        if thread:
            await self._start_in_thread(interaction, length)
            return
        assert interaction.channel_id is not None
        table = await self._open(interaction, interaction.channel_id, length, token=True)
        with self._bot.screens.answering(table):
            view = show.board(table.id, table.state, self._bot.pictures)
            async with asyncio.timeout(ANSWER_WITHIN):
                answer = await interaction.response.send_message(view=view)
            assert answer.message_id is not None
            self._bot.screens.posted(table, answer.message_id, table.state.version)

    async def _start_in_thread(self, interaction: Interaction, length: Length) -> None:
        """Answer with one line, make a thread of it, and let the lobby be posted there.

        A thread that begins at a message is of the right kind in text and announcement channels alike.
        """
        public = text_for(str(interaction.guild_locale or "en-US"))
        name = replies.thread_name(public, interaction.user.display_name)
        async with asyncio.timeout(ANSWER_WITHIN):
            answer = await interaction.response.send_message(
                replies.lobby_opens(public), allowed_mentions=discord.AllowedMentions.none()
            )
        message = answer.resource
        assert isinstance(message, discord.InteractionMessage)
        try:
            made = await message.create_thread(name=name)
        except discord.HTTPException as error:
            log.warning("thread_not_made", code=error.code)
            await message.edit(content=replies.problem(public, Problem.NO_THREAD_MADE))
            return
        # The token of this command belongs to the channel, not to the thread: it reaches no hand there.
        table = await self._open(interaction, made.id, length, token=False)
        self._bot.screens.post_anew(table)
        await message.edit(content=replies.lobby_is_in(public, made.mention))

    async def _open(self, interaction: Interaction, channel_id: int, length: Length, *, token: bool) -> Table:
        assert interaction.guild_id is not None
        bot = self._bot
        table = await bot.tables.open_lobby(
            interaction.guild_id,
            channel_id,
            Click(interaction.id, interaction.user.id, interaction.user.display_name, bot.now()),
            rules=RuleSet(),
            length=length,
            locale=str(interaction.guild_locale or "en-US"),
        )
        if token:
            bot.screens.holds(table, hand_token(interaction, table, None), None)
        return table

    @staticmethod
    def _check_permissions(interaction: Interaction, text: Text, *, thread: bool) -> None:
        in_thread = interaction.channel is not None and interaction.channel.type in _THREADS
        needed = _NEEDED_IN_THREAD if in_thread else _NEEDED_FOR_THREAD if thread else _NEEDED
        missing = tuple(name for name in needed if not getattr(interaction.app_permissions, name))
        if missing:
            raise UserError(Problem.MISSING_PERMISSIONS, permissions=replies.permission_names(text, missing))

    # --- at a table

    @app_commands.command(name="hand", description=locale_str("Show me my hand"))
    async def hand(self, interaction: Interaction) -> None:
        """Show the asker's hand."""
        await self._guarded(interaction, lambda text: self._hand(interaction, text))

    async def _hand(self, interaction: Interaction, text: Text) -> None:
        table = self._table(interaction)
        seat = table.state.seat_of(interaction.user.id)
        if seat is None:
            raise UserError(Problem.NOT_SEATED)
        if table.state.match is None:
            raise UserError(Problem.NOT_STARTED)
        state = table.state
        view = show.private_hand(table.id, state, seat, text, self._bot.pictures)
        with self._bot.screens.answering(table):
            async with asyncio.timeout(ANSWER_WITHIN):
                answer = await interaction.response.send_message(view=view, ephemeral=True)
            token = hand_token(interaction, table, answer.message_id)
            self._bot.screens.holds(table, token, drawn(state, seat))

    @app_commands.command(
        name="table", description=locale_str("Bring the table to the bottom of the channel")
    )
    async def table(self, interaction: Interaction) -> None:
        """Post the table anew."""
        await self._guarded(interaction, lambda text: self._bring_table(interaction, text))

    async def _bring_table(self, interaction: Interaction, text: Text) -> None:
        table = self._table(interaction)
        self._check_permissions(interaction, text, thread=False)
        if not self._bot.screens.may_repost(table):
            raise UserError(Problem.REPOST_TOO_SOON)
        async with asyncio.timeout(ANSWER_WITHIN):
            await say(interaction, replies.table_is_coming(text))
        self._bot.screens.post_anew(table)

    @app_commands.command(name="leave", description=locale_str("Leave the lobby or the match for good"))
    async def leave(self, interaction: Interaction) -> None:
        """Leave the table of this channel."""
        await self._guarded(interaction, lambda text: self._leave(interaction, text))

    async def _leave(self, interaction: Interaction, text: Text) -> None:
        table = self._table(interaction)
        with self._bot.screens.answering(table):
            await self._bot.tables.leave(table, self._click(interaction))
            async with asyncio.timeout(ANSWER_WITHIN):
                await say(interaction, replies.you_left(text))

    @app_commands.command(
        name="end", description=locale_str("End the table of this channel (host or moderator)")
    )
    async def end(self, interaction: Interaction) -> None:
        """End the table of this channel."""
        await self._guarded(interaction, lambda text: self._end(interaction, text))

    async def _end(self, interaction: Interaction, text: Text) -> None:
        table = self._table(interaction)
        with self._bot.screens.answering(table):
            moderator = interaction.permissions.manage_messages
            await self._bot.tables.end(table, self._click(interaction), moderator=moderator)
            async with asyncio.timeout(ANSWER_WITHIN):
                await say(interaction, replies.table_ended(text))

    # --- for anybody

    @app_commands.command(name="rules", description=locale_str("Read the rules by topic"))
    async def rules(self, interaction: Interaction) -> None:
        """Show the rules."""
        await self._guarded(interaction, lambda text: self._rules(interaction, text))

    async def _rules(self, interaction: Interaction, text: Text) -> None:
        # The topic of house rules names those of this channel's table, which its buttons carry along.
        table = self._bot.tables.in_channel(interaction.channel_id or 0)
        view = rules_screen.rules_screen(text, None, table=0 if table is None else table.id)
        async with asyncio.timeout(ANSWER_WITHIN):
            await interaction.response.send_message(view=view, ephemeral=True)

    @app_commands.command(
        name="leaderboard", description=locale_str("Show the points and hands won on this server")
    )
    async def leaderboard(self, interaction: Interaction) -> None:
        """Show the leaderboard of this server."""
        await self._guarded(interaction, lambda text: self._leaderboard(interaction, text))

    async def _leaderboard(self, interaction: Interaction, text: Text) -> None:
        assert interaction.guild_id is not None
        rows = await self._bot.store.leaderboard(interaction.guild_id, limit=LEADERS, offset=0)
        view = leaderboard_screen.leaderboard_screen(text, self._bot.pictures, rows)
        async with asyncio.timeout(ANSWER_WITHIN):
            await interaction.response.send_message(view=view, ephemeral=True)

    # --- shared

    async def _guarded(self, interaction: Interaction, work: Callable[[Text], Awaitable[None]]) -> None:
        text = text_for(str(interaction.locale))

        async def do() -> None:
            if interaction.guild_id is None:
                raise UserError(Problem.SERVER_ONLY)
            await work(text)

        await guard(interaction, text, do(), lambda sentence: say(interaction, sentence))

    def _table(self, interaction: Interaction) -> Table:
        table = self._bot.tables.in_channel(interaction.channel_id or 0)
        if table is None:
            raise UserError(Problem.NO_TABLE_HERE)
        return table

    def _click(self, interaction: Interaction) -> Click:
        return Click(interaction.id, interaction.user.id, interaction.user.display_name, self._bot.now())


class CatalogueTranslator(app_commands.Translator):
    """Translates the commands' descriptions by the same catalogues as everything else."""

    async def translate(
        self, string: locale_str, locale: discord.Locale, context: app_commands.TranslationContextTypes
    ) -> str | None:
        """Translate one description; None keeps the English one."""
        translated = text_for(str(locale)).say(string.message)
        return translated if translated != string.message else None
