"""The lobby: who plays, how long, and with which house rules; and what is left of a closed table.

May import `discord`, `bot.model.options`, `bot.ui.kit`, `bot.ui.text`, and the computer players' names from
`bot.ui.screens`.
"""

from __future__ import annotations

from dataclasses import dataclass

import discord
from discord import ButtonStyle

from bot.model.options import Options
from bot.ui.kit.custom_ids import CustomId, Verb
from bot.ui.kit.emoji import Emojis
from bot.ui.kit.layout import Row, Separator, Words, button, fit, screen
from bot.ui.kit.scene import Computer
from bot.ui.screens.computers import with_level
from bot.ui.text.options import in_force
from bot.ui.text.translation import Players, Text, bold


@dataclass(frozen=True, slots=True)
class Lobby:
    """A table whose match has not begun: raw names in order of joining, the host's seat, the options.

    `invited` are the names of those who are invited and not there yet, `computers` those players who are
    computers, `absent` the names of those who played the match that is played again and are not back.
    """

    table: int
    names: tuple[str, ...]
    host: int
    options: Options
    invited: tuple[str, ...] = ()
    computers: tuple[Computer, ...] = ()
    absent: tuple[str, ...] = ()


def lobby_screen(text: Text, emojis: Emojis, lobby: Lobby) -> discord.ui.LayoutView:
    """Return a lobby with its buttons; Start and Cancel are the host's."""
    players = Players(text, lobby.names)
    levels = {
        computer.seat: with_level(text, bold(players[computer.seat]), computer)
        for computer in lobby.computers
    }
    lines = [
        "• " + text.gettext("{player} (host)", player=bold(players[seat]))
        if seat == lobby.host
        else f"• {levels.get(seat, bold(players[seat]))}"
        for seat in range(len(lobby.names))
    ]
    count = len(lobby.names)
    seats = text.ngettext(
        "{number} player of {most}", "{number} players of {most}", count, most=lobby.options.seats
    )
    title = text.gettext("UNO Mario Kart: who plays?")
    if lobby.absent:
        # Among the names of those who are there, so that two that look the same are told apart.
        everybody = Players(text, (*lobby.names, *lobby.absent))
        names = everybody.join(text, range(count, count + len(lobby.absent)))
        lines.append(text.gettext("Not there yet: {players}", players=names))
    verbs = (Verb.JOIN, Verb.QUIT, Verb.START, Verb.CANCEL, Verb.COMPUTERS)
    custom_ids = {verb: CustomId(lobby.table, 0, verb) for verb in verbs}
    return screen(
        Words(f"### {emojis['flag']} {title}\n{seats}"),
        Words(fit(lines, 1500)),
        Separator(),
        Words("\n".join(f"-# {line}" for line in _options(text, lobby))),
        Row(
            button(text.gettext("Join"), custom_ids[Verb.JOIN], ButtonStyle.success),
            button(text.gettext("Start"), custom_ids[Verb.START], ButtonStyle.primary),
            button(text.gettext("Leave"), custom_ids[Verb.QUIT]),
        ),
        Row(
            button(text.gettext("Add CPU"), custom_ids[Verb.COMPUTERS]),
            button(text.gettext("Rules"), CustomId(lobby.table, 0, Verb.PANEL, ("rules",))),
            button(text.gettext("How to play"), CustomId(lobby.table, 0, Verb.HELP)),
            button(text.gettext("Cancel"), custom_ids[Verb.CANCEL], ButtonStyle.danger),
        ),
    )


def _options(text: Text, lobby: Lobby) -> list[str]:
    lines = in_force(text, lobby.options)
    if lobby.invited:
        players = Players(text, lobby.invited)
        names = players.join(text, range(len(lobby.invited)))
        lines.append(fit([text.gettext("Invited: {players}", players=names)], 800))
    if len(lobby.names) < 2:
        return [
            *lines,
            text.gettext("Two are needed to start: people who join, or computer players ({add_cpu})."),
        ]
    if lobby.absent:
        return [*lines, text.gettext("The host can start now, without those who are not there yet.")]
    return [*lines, text.gettext("The host can start now.")]


def closed_screen(text: Text, reason: str) -> discord.ui.LayoutView:
    """Return what is left of a closed table or lobby: one sentence that says why."""
    return screen(Words(fit(["### " + text.gettext("This table is closed."), reason], 1500)))
