"""The panel on which a host chooses a table's options, and the parts that the panel of a server has too.

May import `discord`, `bot.model.options`, `engine.rules`, `bot.ui.kit`, `bot.ui.text`, and the lobby from
`bot.ui.screens`.
"""

from __future__ import annotations

from dataclasses import dataclass

import discord
from discord import ButtonStyle

from bot.model.options import (
    LENGTHS,
    PRESETS,
    SEATS,
    SWITCHES,
    TURN_TIMES,
    Options,
    preset_of,
    written_length,
)
from bot.model.options import written_turn_time as written_time
from bot.ui.kit.custom_ids import CustomId, Verb
from bot.ui.kit.layout import (
    Button,
    Item,
    Row,
    Section,
    Words,
    button,
    fit,
    menu,
    option,
    people_menu,
    screen,
)
from bot.ui.screens.lobby import Lobby
from bot.ui.text import options as option_text
from bot.ui.text.options import EXPLAINED, HOUSE_RULES, PRESET_NAMES
from bot.ui.text.translation import N_, Players, Text, bold
from engine.rules import RuleSet

#: The pages of a lobby's panel, by the argument of the button that leads there.
PAGES = {
    "rules": N_("House rules"),
    # Translators: a page of options: how long a match is, the time for a turn, who may join.
    "table": N_("Table"),
}


@dataclass(frozen=True, slots=True)
class PanelIds:
    """The custom_ids of one panel: of a lobby's, or of a server's."""

    table: int
    verb: Verb

    def custom_id(self, *args: str) -> CustomId:
        """Return the custom_id of a button or menu on the panel."""
        return CustomId(self.table, 0, self.verb, args)


def lobby_panel(
    text: Text,
    lobby: Lobby,
    page: str,
    *,
    own: RuleSet | None = None,
    thread: bool = False,
    note: str | None = None,
) -> discord.ui.LayoutView:
    """Return a page of the host's panel.

    `own` are the server's own rules, if it has any; `thread` is whether the lobby can move to a thread;
    `note` is a sentence about the click that led here.
    """
    ids = PanelIds(lobby.table, Verb.OPTION)
    heading = ["### " + text.gettext("The rules of this table")]
    if note:
        heading.append(fit([note], 400))
    if page == "table":
        items = [
            *option_menus(text, ids, lobby.options, fewest=len(lobby.names)),
            *_who(text, ids, lobby),
        ]
        if thread:
            words = text.gettext("Play in a thread of its own, so that the channel stays free.")
            custom_id = CustomId(lobby.table, 0, Verb.THREAD)
            items.append(Section(Words(words), accessory=button(text.gettext("Move to a thread"), custom_id)))
    else:
        items = house_rules(text, ids, lobby.options.rules, own=own)
    ways = [
        button(
            text.gettext(title),
            CustomId(lobby.table, 0, Verb.PANEL, (name,)),
            ButtonStyle.primary if name == page else ButtonStyle.secondary,
        )
        for name, title in PAGES.items()
    ]
    return screen(Words("\n".join(heading)), *items, Row(*ways))


def options_screen(text: Text, lobby: Lobby) -> discord.ui.LayoutView:
    """Return a lobby's options, to be read by somebody who is not the host."""
    host = Players(text, lobby.names)[lobby.host]
    lines = [f"• {line}" for line in option_text.in_force(text, lobby.options)]
    lines += [
        f"• {bold(text.gettext(HOUSE_RULES[name]))}: {text.gettext(EXPLAINED[name])}"
        for name in SWITCHES
        if getattr(lobby.options.rules, name)
    ]
    return screen(
        Words("### " + text.gettext("The rules of this table")),
        Words(fit(lines, 3000)),
        Words("-# " + text.gettext("The host, {player}, chooses them until the match begins.", player=host)),
    )


# --- parts that a server's panel has too


def house_rules(text: Text, ids: PanelIds, rules: RuleSet, *, own: RuleSet | None = None) -> list[Item]:
    """Return the menu of presets and a switch for each house rule."""
    presets = PRESETS if own is None else {**PRESETS, "server": own}
    now = preset_of(rules) or ("server" if rules == own else None)
    options = [
        option(
            text.gettext(PRESET_NAMES[name]),
            name,
            chosen=name == now,
            explained=option_text.rule_list(text, held),
        )
        for name, held in presets.items()
    ]
    items = [menu(text.gettext("A mixture of your own"), ids.custom_id("preset"), options)]
    return items + [
        switch(text, ids, name, on=getattr(rules, name), title=HOUSE_RULES[name], words=EXPLAINED[name])
        for name in SWITCHES
    ]


def switch(text: Text, ids: PanelIds, name: str, *, on: bool, title: str, words: str) -> Item:
    """Return a switch: what it is about, and a button that shows its state and changes it."""
    made: Button = button(
        # Translators: the state of a switch.
        text.gettext("✓ On") if on else text.gettext("Off"),
        ids.custom_id(name, "0" if on else "1"),
        ButtonStyle.success if on else ButtonStyle.secondary,
    )
    return Section(Words(f"{bold(text.gettext(title))}\n-# {text.gettext(words)}"), accessory=made)


def option_menus(text: Text, ids: PanelIds, options: Options, *, fewest: int = 2) -> list[Item]:
    """Return the menus of length, time and seats, and the switch that lets the bot say UNO.

    `fewest` is how many players are seated already. A length that is not among the usual ones is offered
    while it is the one chosen.
    """
    lengths = LENGTHS if options.length in LENGTHS else (options.length, *LENGTHS)
    length = [
        option(option_text.match_length(text, each), written_length(each), chosen=each == options.length)
        for each in lengths
    ]
    time = [
        option(option_text.turn_time(text, each), written_time(each), chosen=each == options.turn_time)
        for each in TURN_TIMES
    ]
    seats = [
        option(
            text.ngettext("{number} seat", "{number} seats", number),
            str(number),
            chosen=number == options.seats,
        )
        for number in SEATS
        if number >= fewest
    ]
    return [
        menu(text.gettext("Length of the match"), ids.custom_id("length"), length),
        menu(option_text.turn_time(text, options.turn_time), ids.custom_id("turn_time"), time),
        menu(text.gettext("Number of seats"), ids.custom_id("seats"), seats),
        switch(
            text,
            ids,
            "calls_uno",
            on=options.calls_uno,
            title=N_("UNO by itself"),
            words=N_("The bot says UNO for everybody, so nobody can be caught."),
        ),
    ]


def invitation_only(text: Text, ids: PanelIds, options: Options) -> Item:
    """Return the switch of who may join."""
    return switch(
        text,
        ids,
        "invite_only",
        on=options.invite_only,
        title=N_("By invitation only"),
        words=N_("Only those whom the host invites may join."),
    )


def _who(text: Text, ids: PanelIds, lobby: Lobby) -> list[Item]:
    hint = text.gettext("Whom do you invite?")
    return [invitation_only(text, ids, lobby.options), people_menu(hint, ids.custom_id("invite"))]
