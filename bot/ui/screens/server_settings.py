"""The panel on which the managers of a server choose its settings.

May import `discord`, `bot.model.guild_settings`, `bot.ui.kit`, `bot.ui.text`, and the panel's parts from
`bot.ui.screens`.
"""

from __future__ import annotations

from typing import Final

import discord
from discord import ButtonStyle

from bot.model.guild_settings import GuildSettings
from bot.ui.kit.custom_ids import Verb
from bot.ui.kit.layout import Item, Row, Section, Words, button, channels_menu, fit, menu, option, screen
from bot.ui.screens.lobby_settings import PanelIds, house_rules, invitation_only, option_menus, switch
from bot.ui.text.translation import LANGUAGES, N_, Text, bold, safe_name

#: The pages, by the argument of the button that leads there.
PAGES: Final = {"server": N_("This server"), "rules": N_("House rules"), "table": N_("New tables")}
#: Where a table can be.
KINDS: Final = (
    discord.ChannelType.text,
    discord.ChannelType.news,
    discord.ChannelType.voice,
    discord.ChannelType.forum,
)
_NUDGES: Final = {
    "always": (N_("Call to a turn: always"), N_("At half time, and at once when they have been away")),
    "away": (N_("Call to a turn: when away"), N_("Only when they have been away")),
    "never": (N_("Call to a turn: never"), N_("The clock still runs")),
}
_IDS: Final = PanelIds(0, Verb.SERVER)
#: The custom_id of the window that closes a season.
SEASON: Final = _IDS.custom_id("season").encoded


def server_panel(
    text: Text, settings: GuildSettings, page: str, *, note: str | None = None
) -> discord.ui.LayoutView:
    """Return a page of the panel; "reset" asks whether to reset all settings.

    `note` is a sentence about the click that led here.
    """
    if page == "reset":
        return _reset(text)
    heading = ["### " + text.gettext("Settings of this server")]
    if note:
        heading.append(fit([note], 400))
    if page == "rules":
        heading.append("-# " + text.gettext("New tables begin with these. The host can choose others."))
        items = house_rules(text, _IDS, settings.options.rules)
    elif page == "table":
        heading.append("-# " + text.gettext("New tables begin with these. The host can choose others."))
        items = [
            *option_menus(text, _IDS, settings.options),
            invitation_only(text, _IDS, settings.options),
        ]
    else:
        items = _of_server(text, settings)
    ways = [
        button(
            text.gettext(title),
            _IDS.custom_id("page", name),
            ButtonStyle.primary if name == page else ButtonStyle.secondary,
        )
        for name, title in PAGES.items()
    ]
    results = [
        button(text.gettext("Export results"), _IDS.custom_id("export")),
        button(text.gettext("Close the season"), _IDS.custom_id("season")),
    ]
    reset = button(text.gettext("Reset"), _IDS.custom_id("page", "reset"), ButtonStyle.danger)
    below = [reset, *results] if page == "server" else [reset]
    return screen(Words("\n".join(heading)), *items, Row(*ways), Row(*below))


def season_window(text: Text) -> discord.ui.Modal:
    """Return the window in which closing a season is confirmed by typing (`confirmation`)."""
    words = confirmation(text)
    window = discord.ui.Modal(
        title=text.gettext("Close the season")[:45], custom_id=_IDS.custom_id("season").encoded
    )
    typed = discord.ui.TextInput[discord.ui.Modal](custom_id="typed", max_length=100, placeholder=words[:100])
    window.add_item(
        discord.ui.Label(
            text=text.gettext("To confirm, type: {words}", words=words)[:45],
            description=text.gettext(
                "Its leaders become champions; a new season begins with the next hand. All time stays."
            )[:100],
            component=typed,
        )
    )
    return window


def confirmation(text: Text) -> str:
    """Return what has to be typed to close a season."""
    # Translators: somebody types this, so keep it short.
    return text.gettext("close season")


def _of_server(text: Text, settings: GuildSettings) -> list[Item]:
    own = text.gettext("Language: the server's own")
    languages = [option(own, "own", chosen=settings.locale is None)]
    languages += [
        option(text.gettext("Language: {language}", language=name), key, chosen=key == settings.locale)
        for key, name in list(LANGUAGES.items())[:24]
    ]
    nudges = [
        option(text.gettext(words), wish, chosen=wish == settings.nudges, explained=text.gettext(more))
        for wish, (words, more) in _NUDGES.items()
    ]
    return [
        Words(
            text.gettext("Tables may start in these channels and their threads. None chosen: in all of them.")
        ),
        channels_menu(text.gettext("All channels"), _IDS.custom_id("channels"), KINDS, settings.channels),
        menu(text.gettext("Language of the tables"), _IDS.custom_id("locale"), languages),
        menu(text.gettext("When players are called"), _IDS.custom_id("nudges"), nudges),
        switch(
            text,
            _IDS,
            "thread",
            on=settings.thread,
            title=N_("A thread for each table"),
            words=N_("New tables are opened in a thread of their own where that can be."),
        ),
        switch(
            text,
            _IDS,
            "moderators_only",
            on=settings.moderators_only,
            title=N_("Only moderators end and remove"),
            words=N_("The host of a match neither ends it nor removes players. Players still can by a vote."),
        ),
        Words(
            text.gettext(
                "Time zone of the leaderboard: {zone}. Change it: /uno settings time_zone",
                zone=bold(safe_name(settings.time_zone, width=40)),
            )
        ),
    ]


def _reset(text: Text) -> discord.ui.LayoutView:
    question = text.gettext(
        "Make all settings of this server the usual ones again? Tables that are on stay as they are."
    )
    # Yes is on the right, and the way back where Reset was.
    yes = button(text.gettext("Yes, reset"), _IDS.custom_id("reset"), ButtonStyle.danger)
    back = button(text.gettext("Back"), _IDS.custom_id("page", "server"))
    return screen(Section(Words("### " + question), accessory=yes), Row(back))
