"""The group `/uno` and the menu of a member: names, options and descriptions. Guild only, guild install only.

What each does is in `starting`, `at_table` and `anywhere`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import discord
from discord import app_commands
from discord.app_commands import locale_str

from bot.interactions.commands.anywhere import AUTOMATIC, Anywhere
from bot.interactions.commands.at_table import AtTable
from bot.interactions.commands.starting import Starting
from bot.interactions.commands.sync import NP_, in_brief
from bot.interactions.commands.tree import PUBLIC, do
from bot.interactions.context import Context
from bot.interactions.privacy import Privacy
from bot.interactions.services import Services
from bot.model.errors import Problem, UserError
from bot.model.options import HANDS, LEVELS, TARGETS, TURN_TIMES, USUAL_LEVEL
from bot.tallies.boards import By
from bot.tallies.periods import Period, zones_like
from bot.ui.text.translation import LANGUAGES
from engine.actions import MOST_SEATS
from engine.rules import Length

Interaction = discord.Interaction[discord.Client]


#: Where commands can be given, and how the bot is installed for that.
_SERVERS: Final = app_commands.AppCommandContext(guild=True, dm_channel=False, private_channel=False)
_INSTALLED: Final = app_commands.AppInstallationType(guild=True, user=False)

#: The times for a turn by their names.
_TURN_TIMES: Final = {
    NP_("choice", "off") if seconds is None else in_brief(seconds): seconds for seconds in TURN_TIMES
}
_SECONDS: Final = {name.message: seconds for name, seconds in _TURN_TIMES.items()}
_LEVELS: Final = {
    "easy": NP_("choice", "easy"),
    "normal": NP_("choice", "normal"),
    "sharp": NP_("choice", "sharp"),
}
_NUDGES: Final = {
    "always": NP_("choice", "Always: at half time, and at once when you have been away"),
    "away": NP_("choice", "Away: only when you have pressed nothing for a while"),
    "never": NP_("choice", "Never: the clock still runs"),
}
_CARDS: Final = {
    "pictures": NP_("choice", "Pictures"),
    "words": NP_("choice", "Words, for screen readers"),
}

#: Languages go by their own names, so that their speakers find them.
_LANGUAGES: Final[dict[str, str | locale_str]] = {
    AUTOMATIC: NP_("choice", "That of the server, or of my Discord"),
    **dict(list(LANGUAGES.items())[:24]),
}

_BY: Final = {
    By.POINTS: NP_("choice", "Points"),
    By.HANDS: NP_("choice", "Hands won"),
    By.MATCHES: NP_("choice", "Matches won"),
    By.RATE: NP_("choice", "Win rate"),
    By.AVERAGE: NP_("choice", "Average points"),
    By.SKILL: NP_("choice", "Skill"),
}
_PERIODS: Final = {
    Period.ALL: NP_("choice", "All time"),
    Period.MONTH: NP_("choice", "This month"),
    Period.WEEK: NP_("choice", "This week"),
    Period.SEASON: NP_("choice", "This season"),
}


def _choices(names: Mapping[Any, str | locale_str]) -> list[app_commands.Choice[str]]:
    """Return choices from their values and names."""
    return [app_commands.Choice(name=name, value=str(value)) for value, name in names.items()]


def user_menu(services: Services) -> app_commands.ContextMenu:
    """Return the command in the menu of a member that shows their statistics."""
    anywhere = Anywhere(services)

    async def stats(interaction: Interaction, member: discord.User) -> None:
        do(interaction, lambda context: anywhere.stats(context, member))

    return app_commands.ContextMenu(
        name=NP_("menu name", "UNO stats"),
        callback=stats,
        allowed_contexts=_SERVERS,
        allowed_installs=_INSTALLED,
    )


class UnoCommands(app_commands.Group):
    """The group `/uno`."""

    def __init__(self, services: Services) -> None:
        super().__init__(
            name="uno",
            description=NP_("description", "Play UNO Mario Kart in this channel"),
            guild_only=True,
            allowed_contexts=_SERVERS,
            allowed_installs=_INSTALLED,
        )
        self._starting = Starting(services)
        self._at_table = AtTable(services)
        self._anywhere = Anywhere(services)
        self._privacy = Privacy(services)

    @app_commands.command(
        name=NP_("command name", "start"),
        description=NP_("description", "Open a lobby in this channel"),
        extras={PUBLIC: True},
    )
    @app_commands.rename(
        hands=NP_("option name", "hands"),
        target=NP_("option name", "target"),
        thread=NP_("option name", "thread"),
        turn_time=NP_("option name", "turn_time"),
        cpus=NP_("option name", "cpus"),
        level=NP_("option name", "level"),
    )
    @app_commands.describe(
        hands=NP_("description", "How many hands the match has"),
        target=NP_("description", "Play until somebody has this many points instead"),
        thread=NP_("description", "Play in a thread of its own, so that the channel stays free"),
        turn_time=NP_("description", "How long a turn may take"),
        cpus=NP_(
            "description", "How many computer players take a seat right away; you can play against them alone"
        ),
        level=NP_("description", "How well the computer players play (normal if you say nothing)"),
    )
    @app_commands.choices(
        turn_time=_choices({name.message: name for name in _TURN_TIMES}),
        level=_choices({level: _LEVELS[level] for level in LEVELS}),
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
                wishes["turn_time"] = _SECONDS[turn_time]
            await self._starting.start(context, wishes, thread=thread, levels=(level or USUAL_LEVEL,) * cpus)

        do(interaction, work)

    @app_commands.command(name=NP_("command name", "hand"), description=NP_("description", "Show me my hand"))
    async def hand(self, interaction: Interaction) -> None:
        """Show the asker's hand."""
        do(interaction, self._at_table.hand)

    @app_commands.command(
        name=NP_("command name", "table"),
        description=NP_("description", "Bring the table to the bottom of the channel"),
    )
    async def table(self, interaction: Interaction) -> None:
        """Repost the table."""
        do(interaction, self._at_table.bring_table)

    @app_commands.command(
        name=NP_("command name", "leave"),
        description=NP_("description", "Leave the lobby or the match for good"),
    )
    async def leave(self, interaction: Interaction) -> None:
        """Leave the table of this channel."""
        do(interaction, self._at_table.leave)

    @app_commands.command(
        name=NP_("command name", "end"),
        description=NP_("description", "End the table of this channel (host or moderator)"),
    )
    async def end(self, interaction: Interaction) -> None:
        """End the table of this channel."""
        do(interaction, self._at_table.end)

    @app_commands.command(
        name=NP_("command name", "kick"),
        description=NP_("description", "Remove a player: the host, a moderator, or a vote of the players"),
    )
    @app_commands.rename(player=NP_("option name", "player"))
    @app_commands.describe(player=NP_("description", "Who has to go"))
    async def kick(self, interaction: Interaction, player: discord.User) -> None:
        """Remove somebody from the table of this channel."""
        do(interaction, lambda context: self._at_table.kick(context, player))

    @app_commands.command(
        name=NP_("command name", "host"), description=NP_("description", "Make another player the host")
    )
    @app_commands.rename(player=NP_("option name", "player"))
    @app_commands.describe(player=NP_("description", "Who is to be the host"))
    async def host(self, interaction: Interaction, player: discord.User) -> None:
        """Make another player the host."""
        do(interaction, lambda context: self._at_table.hand_over(context, player))

    @app_commands.command(
        name=NP_("command name", "pause"),
        description=NP_("description", "Stop the clock of this table (host)"),
    )
    async def pause(self, interaction: Interaction) -> None:
        """Stop the clock."""
        do(interaction, lambda context: self._at_table.pause(context, stop=True))

    @app_commands.command(
        name=NP_("command name", "resume"),
        description=NP_("description", "Let the clock of this table go on (host)"),
    )
    async def resume(self, interaction: Interaction) -> None:
        """Start the clock again."""
        do(interaction, lambda context: self._at_table.pause(context, stop=False))

    @app_commands.command(
        name=NP_("command name", "rules"), description=NP_("description", "Read the rules by topic")
    )
    async def rules(self, interaction: Interaction) -> None:
        """Show the rules."""
        do(interaction, self._anywhere.rules)

    @app_commands.command(
        name=NP_("command name", "help"), description=NP_("description", "How to play, in one screen")
    )
    async def help(self, interaction: Interaction) -> None:
        """Show how to play."""
        do(interaction, self._anywhere.help)

    @app_commands.command(
        name=NP_("command name", "about"),
        description=NP_("description", "What this bot is, and what it stores"),
    )
    async def about(self, interaction: Interaction) -> None:
        """Show what the bot is."""
        do(interaction, self._anywhere.about)

    @app_commands.command(
        name=NP_("command name", "leaderboard"),
        description=NP_("description", "Show who leads on this server"),
    )
    @app_commands.rename(by=NP_("option name", "by"), period=NP_("option name", "period"))
    @app_commands.describe(
        by=NP_("description", "What to order by"), period=NP_("description", "What to add up")
    )
    @app_commands.choices(by=_choices(_BY), period=_choices(_PERIODS))
    async def leaderboard(
        self, interaction: Interaction, by: str = By.POINTS, period: str = Period.ALL
    ) -> None:
        """Show the leaderboard of this server."""
        do(interaction, lambda context: self._anywhere.leaderboard(context, By(by), Period(period)))

    @app_commands.command(
        name=NP_("command name", "stats"),
        description=NP_("description", "Show what somebody has done on this server"),
    )
    @app_commands.rename(member=NP_("option name", "member"))
    @app_commands.describe(member=NP_("description", "Whose statistics (yours if you say nothing)"))
    async def stats(self, interaction: Interaction, member: discord.User | None = None) -> None:
        """Show the statistics of a member."""
        do(interaction, lambda context: self._anywhere.stats(context, member))

    @app_commands.command(
        name=NP_("command name", "history"),
        description=NP_("description", "Show the last matches of this server, hand by hand"),
    )
    async def history(self, interaction: Interaction) -> None:
        """Show the last matches of this server."""
        do(interaction, self._anywhere.history)

    @app_commands.command(
        name=NP_("command name", "tables"), description=NP_("description", "List the tables of this server")
    )
    async def tables(self, interaction: Interaction) -> None:
        """List the tables of this server."""
        do(interaction, self._anywhere.tables)

    @app_commands.command(
        name=NP_("command name", "notify"),
        description=NP_("description", "Choose when the bot calls you to your turn"),
    )
    @app_commands.rename(when=NP_("option name", "when"))
    @app_commands.describe(when=NP_("description", "A call is a message in the channel that pings you"))
    @app_commands.choices(when=_choices(_NUDGES))
    async def notify(self, interaction: Interaction, when: str) -> None:
        """Choose when to be called."""
        do(interaction, lambda context: self._anywhere.notify(context, when))

    @app_commands.command(
        name=NP_("command name", "cards"),
        description=NP_("description", "Choose how the cards in your hand are shown to you"),
    )
    @app_commands.rename(shown=NP_("option name", "shown"))
    @app_commands.describe(
        shown=NP_("description", "Cards that can be played are buttons with their names either way")
    )
    @app_commands.choices(shown=_choices(_CARDS))
    async def cards(self, interaction: Interaction, shown: str) -> None:
        """Choose how one's cards are shown."""
        do(interaction, lambda context: self._anywhere.cards(context, shown))

    @app_commands.command(
        name=NP_("command name", "language"),
        description=NP_("description", "Choose the language in which the bot answers you"),
    )
    @app_commands.rename(language=NP_("option name", "language"))
    @app_commands.describe(
        language=NP_(
            "description", "Your hand and all that only you see; the table has the server's language"
        )
    )
    @app_commands.choices(language=_choices(_LANGUAGES))
    async def language(self, interaction: Interaction, language: str) -> None:
        """Choose the language of private answers."""
        do(interaction, lambda context: self._anywhere.language(context, language))

    @app_commands.command(
        name=NP_("command name", "hide"),
        description=NP_("description", "Choose whether the leaderboards of this server show you"),
    )
    @app_commands.rename(hidden=NP_("option name", "hidden"))
    @app_commands.describe(
        hidden=NP_(
            "description", "Yes: no leaderboard, picture or export shows you; your results still count"
        )
    )
    async def hide(self, interaction: Interaction, hidden: bool) -> None:
        """Choose whether to be seen on boards."""
        do(interaction, lambda context: self._privacy.hide(context, hidden=hidden))

    @app_commands.command(
        name=NP_("command name", "my-data"),
        description=NP_("description", "Get a file with all that is kept about you"),
    )
    async def my_data(self, interaction: Interaction) -> None:
        """Send the asker what is kept about them."""
        do(interaction, self._privacy.data)

    @app_commands.command(
        name=NP_("command name", "forget-me"),
        description=NP_("description", "Have your name and your results deleted, here or everywhere"),
    )
    async def forget_me(self, interaction: Interaction) -> None:
        """Ask whether to forget the asker."""
        do(interaction, self._privacy.ask)

    @app_commands.command(
        name=NP_("command name", "settings"),
        description=NP_("description", "Choose what holds on this server (Manage Server)"),
    )
    @app_commands.rename(time_zone=NP_("option name", "time_zone"))
    @app_commands.describe(
        time_zone=NP_("description", "Where a day of this server begins, for its leaderboards")
    )
    async def settings(self, interaction: Interaction, time_zone: str | None = None) -> None:
        """Show the settings of this server to its managers."""
        do(interaction, lambda context: self._anywhere.settings(context, time_zone))

    @settings.autocomplete("time_zone")
    async def zones(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        """Suggest time zones while one is being typed."""
        return [app_commands.Choice(name=zone, value=zone) for zone in zones_like(typed)]
