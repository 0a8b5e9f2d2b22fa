"""The lobby: who plays, how long, and by which house rules.

May import `discord`, `bot.model.options`, and what is beside it.
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
    """A table that has not started: raw names in order of joining, the host among them, what is agreed.

    `invited` are the raw names of those invited who are not there yet, `computers` those of the players that
    are none of the people, `absent` those of a match to be played again.
    """

    table: int
    names: tuple[str, ...]
    host: int
    options: Options
    invited: tuple[str, ...] = ()
    computers: tuple[Computer, ...] = ()
    absent: tuple[str, ...] = ()


def lobby_screen(text: Text, emojis: Emojis, lobby: Lobby) -> discord.ui.LayoutView:
    """Draw a lobby with its buttons; Start and Cancel are the host's."""
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
    presses = {verb: CustomId(lobby.table, 0, verb) for verb in verbs}
    return screen(
        Words(f"### {emojis['flag']} {title}\n{seats}"),
        Words(fit(lines, 1500)),
        Separator(),
        Words("\n".join(f"-# {line}" for line in _agreed(text, lobby))),
        Row(
            button(text.gettext("Join"), presses[Verb.JOIN], ButtonStyle.success),
            button(text.gettext("Leave"), presses[Verb.QUIT]),
            button(text.gettext("Start"), presses[Verb.START], ButtonStyle.primary),
            button(text.gettext("Cancel"), presses[Verb.CANCEL], ButtonStyle.danger),
        ),
        Row(
            button(text.gettext("Add CPU"), presses[Verb.COMPUTERS]),
            button(text.gettext("Rules"), CustomId(lobby.table, 0, Verb.PANEL, ("rules",))),
            button(text.gettext("How to play"), CustomId(lobby.table, 0, Verb.HELP)),
        ),
    )


def _agreed(text: Text, lobby: Lobby) -> list[str]:
    lines = in_force(text, lobby.options)
    if lobby.invited:
        players = Players(text, lobby.invited)
        names = players.join(text, range(len(lobby.invited)))
        lines.append(fit([text.gettext("Invited: {players}", players=names)], 800))
    if len(lobby.names) < 2:
        return [
            *lines,
            text.gettext("Two are needed to start: people who join, or computer players (Add CPU)."),
        ]
    if lobby.absent:
        return [*lines, text.gettext("The host can start now, without those who are not there yet.")]
    return [*lines, text.gettext("The host can start now.")]


def closed_screen(text: Text, reason: str) -> discord.ui.LayoutView:
    """Draw what is left of a table or lobby that was closed: one sentence, which says why."""
    return screen(Words(fit(["### " + text.gettext("This table is closed."), reason], 1500)))
