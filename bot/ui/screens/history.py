"""The last matches of a server, and their hands.

May import `discord`, rules of the engine, `bot.ui.kit`, `bot.ui.text`, and the summary from `bot.ui.screens`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

import discord
from discord import ButtonStyle

from bot.ui.kit.custom_ids import CustomId, Verb
from bot.ui.kit.emoji import Emojis
from bot.ui.kit.layout import Item, Row, Words, button, fit, menu, option, screen
from bot.ui.kit.scene import Scene
from bot.ui.screens import summary
from bot.ui.screens.summary import FinishedHand
from bot.ui.text.options import match_length
from bot.ui.text.translation import Players, Text, bold
from engine.rules import Length

#: How many matches are on a page, and how many hands of a match, the last ones.
MATCHES: Final = 5
HANDS: Final = 20


@dataclass(frozen=True, slots=True)
class Seat:
    """How somebody stood at the end of a match."""

    name: str
    points: int
    won: bool
    left: bool


@dataclass(frozen=True, slots=True)
class Hand:
    """A hand in one line; `winner` is a seat."""

    hand_no: int
    winner: int | None
    points: int


@dataclass(frozen=True, slots=True)
class Match:
    """A match that is over, by its table; `seats` are all in it, by seat."""

    table: int
    ended_at: datetime
    length: Length
    seats: tuple[Seat, ...]
    hands: tuple[Hand, ...] = ()


def history_screen(
    text: Text, emojis: Emojis, matches: Sequence[Match], *, newest: bool, more: bool
) -> discord.ui.LayoutView:
    """Return a page of matches; `newest` is whether it is the first, `more` whether others follow."""
    title = text.gettext("Matches of this server")
    heading = Words(f"### {emojis['flag']} {title}")
    if not matches:
        return screen(heading, Words(text.gettext("No match has been finished here yet.")))
    lines = []
    options = []
    for number, match in enumerate(matches, 1):
        players = _players(text, match)
        winners = [seat for seat, each in enumerate(match.seats) if each.won]
        title = summary.who_won(text, [players[seat] for seat in winners])
        lines.append(f"{bold(text.number(number))} · {title}")
        lines.append(
            f"-# {discord.utils.format_dt(match.ended_at, 'f')} · {match_length(text, match.length)}"
        )
        plain = summary.who_won(text, [players.plain(seat) for seat in winners])
        options.append(option(f"{text.number(number)} · {plain}", str(match.table)))
    turns = [] if newest else [_button(text.gettext("Newest"), 0, 0, "first")]
    if more:
        turns.append(_button(text.gettext("Older"), matches[-1].table, 0, "older"))
    choose = menu(text.gettext("Show a match"), CustomId(0, 0, Verb.HISTORY, ("match",)), options)
    return screen(heading, Words(fit(lines, 3500)), choose, *([Row(*turns)] if turns else []))


def match_screen(text: Text, emojis: Emojis, match: Match) -> discord.ui.LayoutView:
    """Return the standings of a match and its hands, the last ones if there are many."""
    players = _players(text, match)
    winners = [players[seat] for seat, each in enumerate(match.seats) if each.won]
    hands = match.hands[-HANDS:]
    lines = [_hand_line(text, hand, players) for hand in hands]
    parts: list[Item] = [
        Words(f"### {emojis['flag']} {summary.who_won(text, winners)}"),
        Words(
            "\n".join(
                _standing(text, match.seats[seat], rank, players[seat]) for rank, seat in _ranked(match)
            )
        ),
    ]
    if hands:
        parts.append(Words(fit(lines, 2300)))
        options = [option(_hand_name(text, hand), str(hand.hand_no)) for hand in hands]
        custom_id = CustomId(match.table, 0, Verb.HISTORY, ("hand",))
        parts.append(menu(text.gettext("Show a hand"), custom_id, options))
    ended = discord.utils.format_dt(match.ended_at, "f")
    parts.append(Words(f"-# {ended} · {match_length(text, match.length)}"))
    return screen(*parts, Row(_button(text.gettext("All matches"), 0, 0, "first")))


def hand_screen(
    text: Text, emojis: Emojis, scene: Scene, view: FinishedHand, hands: Sequence[int]
) -> discord.ui.LayoutView:
    """Return a hand card by card, with what leads to the ones beside it and to its record."""
    table, number = scene.table, view.hand_no
    buttons = [
        _button(text.gettext("Back to the match"), table, 0, "show"),
        _button(text.gettext("Hand before"), table, max(1, number - 1), "at", possible=number - 1 in hands),
        _button(text.gettext("Hand after"), table, number + 1, "at", possible=number + 1 in hands),
        _button(text.gettext("Download"), table, number, "file", ButtonStyle.primary),
    ]
    return summary.details(text, emojis, scene, view, Row(*buttons))


def _button(
    label: str,
    table: int,
    number: int,
    step: str,
    style: ButtonStyle = ButtonStyle.secondary,
    *,
    possible: bool = True,
) -> discord.ui.Button[discord.ui.LayoutView]:
    return button(label, CustomId(table, number, Verb.HISTORY, (step,)), style, disabled=not possible)


def _players(text: Text, match: Match) -> Players:
    return Players(text, [seat.name for seat in match.seats])


def _ranked(match: Match) -> list[tuple[int, int]]:
    """Return the rank of each seat, the best first (docs/rules.md, What counts)."""

    def worse(seat: int) -> tuple[bool, bool, int]:
        each = match.seats[seat]
        return not each.won, each.left, -each.points

    return summary.ranked(range(len(match.seats)), worse)


def _standing(text: Text, seat: Seat, rank: int, player: str) -> str:
    line = text.ngettext(
        "{rank} · {player}: {number} point",
        "{rank} · {player}: {number} points",
        seat.points,
        rank=bold(rank),
        player=player,
    )
    return " · ".join([line, text.pgettext("after a name", "has left")]) if seat.left else line


def _hand_name(text: Text, hand: Hand) -> str:
    return text.gettext("Hand {number}", number=hand.hand_no)


def _hand_line(text: Text, hand: Hand, players: Players) -> str:
    if hand.winner is None:
        return text.gettext("Hand {number}: nobody wins", number=hand.hand_no)
    return text.ngettext(
        "Hand {hand}: {player}, {number} point",
        "Hand {hand}: {player}, {number} points",
        hand.points,
        hand=hand.hand_no,
        player=players[hand.winner],
    )
