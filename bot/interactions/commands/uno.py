"""The group `/uno`: names, options and descriptions of its commands. Guild only, guild install only.

What each does is in `starting`, `at_table` and `anywhere`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import discord
from discord import app_commands
from discord.app_commands import locale_str

from bot.interactions.commands.anywhere import Anywhere
from bot.interactions.commands.at_table import AtTable
from bot.interactions.commands.starting import Starting
from bot.interactions.commands.tree import PUBLIC, do
from bot.interactions.context import Context
from bot.interactions.services import Services
from bot.model.errors import Problem, UserError
from bot.model.options import HANDS, LEVELS, TARGETS, TURN_TIMES, USUAL_LEVEL
from engine.actions import MOST_SEATS
from engine.rules import Length

Interaction = discord.Interaction[discord.Client]


def _briefly(seconds: int | None) -> str:
    """Return the name of a time for a turn in a command."""
    if seconds is None:
        return "off"
    return f"{seconds} s" if seconds <= 60 else f"{seconds // 60} min"


_TURN_TIMES: Final = {_briefly(seconds): seconds for seconds in TURN_TIMES}
_NUDGES: Final = {
    "always": locale_str("Always: at half time, and at once when you have been away"),
    "away": locale_str("Away: only when you have pressed nothing for a while"),
    "never": locale_str("Never: the clock still runs"),
}
_CARDS: Final = {
    "pictures": locale_str("Pictures"),
    "words": locale_str("Words, for screen readers"),
}


def _choices(names: Mapping[str, str | locale_str]) -> list[app_commands.Choice[str]]:
    """Return choices from their values and names."""
    return [app_commands.Choice(name=name, value=value) for value, name in names.items()]


class UnoCommands(app_commands.Group):
    """The group `/uno`."""

    def __init__(self, services: Services) -> None:
        super().__init__(
            name="uno",
            description=locale_str("Play UNO Mario Kart in this channel"),
            guild_only=True,
            allowed_contexts=app_commands.AppCommandContext(
                guild=True, dm_channel=False, private_channel=False
            ),
            allowed_installs=app_commands.AppInstallationType(guild=True, user=False),
        )
        self._starting = Starting(services)
        self._at_table = AtTable(services)
        self._anywhere = Anywhere(services)

    @app_commands.command(
        name="start", description=locale_str("Open a lobby in this channel"), extras={PUBLIC: True}
    )
    @app_commands.describe(
        hands=locale_str("How many hands the match has"),
        target=locale_str("Play until somebody has this many points instead"),
        thread=locale_str("Play in a thread of its own, so that the channel stays free"),
        turn_time=locale_str("How long a turn may take"),
        cpus=locale_str("How many computer players take a seat right away; you can play against them alone"),
        level=locale_str("How well the computer players play (normal if you say nothing)"),
    )
    @app_commands.choices(
        turn_time=_choices({name: name for name in _TURN_TIMES}),
        level=_choices({level: level for level in LEVELS}),
    )
    async def start(
        self,
        interaction: Interaction,
        hands: app_commands.Range[int, HANDS[0], HANDS[-1]] | None = None,
        target: app_commands.Range[int, TARGETS[0], TARGETS[-1]] | None = None,
        thread: bool | None = None,
        turn_time: str | None = None,
        cpus: app_commands.Range[int, 0, MOST_SEATS - 1] = 0,
        level: str | None = None,
    ) -> None:
        """Open a lobby."""

        async def work(context: Context) -> None:
            if level is not None and not cpus:
                raise UserError(Problem.LEVEL_OF_NOBODY)
            if hands is not None and target is not None:
                raise UserError(Problem.HANDS_OR_TARGET)
            wishes: dict[str, Any] = {}
            if hands is not None or target is not None:
                wishes["length"] = Length(hands=hands, target=target)
            if turn_time is not None:
                wishes["turn_time"] = _TURN_TIMES[turn_time]
            await self._starting.start(context, wishes, thread=thread, levels=(level or USUAL_LEVEL,) * cpus)

        do(interaction, work)

    @app_commands.command(name="hand", description=locale_str("Show me my hand"))
    async def hand(self, interaction: Interaction) -> None:
        """Show the asker's hand."""
        do(interaction, self._at_table.hand)

    @app_commands.command(
        name="table", description=locale_str("Bring the table to the bottom of the channel")
    )
    async def table(self, interaction: Interaction) -> None:
        """Repost the table."""
        do(interaction, self._at_table.bring_table)

    @app_commands.command(name="leave", description=locale_str("Leave the lobby or the match for good"))
    async def leave(self, interaction: Interaction) -> None:
        """Leave the table of this channel."""
        do(interaction, self._at_table.leave)

    @app_commands.command(
        name="end", description=locale_str("End the table of this channel (host or moderator)")
    )
    async def end(self, interaction: Interaction) -> None:
        """End the table of this channel."""
        do(interaction, self._at_table.end)

    @app_commands.command(
        name="kick",
        description=locale_str("Remove a player: the host, a moderator, or a vote of the players"),
    )
    @app_commands.describe(player=locale_str("Who has to go"))
    async def kick(self, interaction: Interaction, player: discord.User) -> None:
        """Remove somebody from the table of this channel."""
        do(interaction, lambda context: self._at_table.kick(context, player))

    @app_commands.command(name="host", description=locale_str("Make another player the host"))
    @app_commands.describe(player=locale_str("Who is to be the host"))
    async def host(self, interaction: Interaction, player: discord.User) -> None:
        """Make another player the host."""
        do(interaction, lambda context: self._at_table.hand_over(context, player))

    @app_commands.command(name="pause", description=locale_str("Stop the clock of this table (host)"))
    async def pause(self, interaction: Interaction) -> None:
        """Stop the clock."""
        do(interaction, lambda context: self._at_table.pause(context, stop=True))

    @app_commands.command(name="resume", description=locale_str("Let the clock of this table go on (host)"))
    async def resume(self, interaction: Interaction) -> None:
        """Start the clock again."""
        do(interaction, lambda context: self._at_table.pause(context, stop=False))

    @app_commands.command(name="rules", description=locale_str("Read the rules by topic"))
    async def rules(self, interaction: Interaction) -> None:
        """Show the rules."""
        do(interaction, self._anywhere.rules)

    @app_commands.command(name="help", description=locale_str("How to play, in one screen"))
    async def help(self, interaction: Interaction) -> None:
        """Show how to play."""
        do(interaction, self._anywhere.help)

    @app_commands.command(name="about", description=locale_str("What this bot is, and what it stores"))
    async def about(self, interaction: Interaction) -> None:
        """Show what the bot is."""
        do(interaction, self._anywhere.about)

    @app_commands.command(
        name="leaderboard", description=locale_str("Show the points and hands won on this server")
    )
    async def leaderboard(self, interaction: Interaction) -> None:
        """Show the leaderboard of this server."""
        do(interaction, self._anywhere.leaderboard)

    @app_commands.command(name="tables", description=locale_str("List the tables of this server"))
    async def tables(self, interaction: Interaction) -> None:
        """List the tables of this server."""
        do(interaction, self._anywhere.tables)

    @app_commands.command(name="notify", description=locale_str("Choose when the bot calls you to your turn"))
    @app_commands.describe(when=locale_str("A call is a message in the channel that pings you"))
    @app_commands.choices(when=_choices(_NUDGES))
    async def notify(self, interaction: Interaction, when: str) -> None:
        """Choose when to be called."""
        do(interaction, lambda context: self._anywhere.notify(context, when))

    @app_commands.command(
        name="cards", description=locale_str("Choose how the cards in your hand are shown to you")
    )
    @app_commands.describe(
        shown=locale_str("Cards that can be played are buttons with their names either way")
    )
    @app_commands.choices(shown=_choices(_CARDS))
    async def cards(self, interaction: Interaction, shown: str) -> None:
        """Choose how one's cards are shown."""
        do(interaction, lambda context: self._anywhere.cards(context, shown))

    @app_commands.command(
        name="settings", description=locale_str("Choose what holds on this server (Manage Server)")
    )
    async def settings(self, interaction: Interaction) -> None:
        """Show the settings of this server to its managers."""
        do(interaction, self._anywhere.settings)
