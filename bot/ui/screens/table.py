"""The table, which everybody in the channel sees: the top card, the seats, what happened last.

May import `discord`, views, awaiting, cards and rules of the engine, `bot.ui.kit`, `bot.ui.text`, and the
summary and seat changes from `bot.ui.screens`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import discord
from discord import ButtonStyle

from bot.ui.kit.custom_ids import CustomId, Verb
from bot.ui.kit.emoji import Emojis
from bot.ui.kit.layout import (
    Button,
    Item,
    Separator,
    Words,
    button,
    countdown,
    fit,
    fit_newest,
    gallery,
    pictured,
    rows,
    screen,
)
from bot.ui.kit.scene import Scene
from bot.ui.screens import summary
from bot.ui.screens.seat_offer import seat_changes
from bot.ui.text import cards, prompts
from bot.ui.text.events import story
from bot.ui.text.items import item_effect, item_in_sight
from bot.ui.text.options import clock_stopped, house_rules, which_hand
from bot.ui.text.translation import Players, Text, bold, colour, face, item
from engine.awaiting import Awaiting
from engine.cards import COLOUR_NAMES, WILD_FOUR
from engine.rules import ONE_HAND
from engine.views import SeatInfo, TableView

#: How many sentences of what happened last are told, at a table of many.
_MOST_TOLD: Final = 5
_MOST_TOLD_OF_MANY: Final = 3
#: How many votes have a button.
_MOST_VOTES: Final = 4
#: How many seats have a line of their own, and how many house rules are named.
_MOST_LINES: Final = 6
_MOST_RULES: Final = 3


def table_screen(text: Text, emojis: Emojis, scene: Scene, view: TableView) -> discord.ui.LayoutView:
    """Return the table; after a hand its summary, after the match the standings."""
    if view.awaiting is Awaiting.OVER:
        return summary.match_summary(text, emojis, scene, view)
    if view.awaiting is Awaiting.DEAL:
        return summary.hand_summary(text, emojis, scene, view)
    players = Players(text, scene.names)
    parts: list[Item] = [
        pictured(
            emojis,
            view.top,
            cards.laid(text, view.top, view.colour),
            "\n".join([*_heading(text, emojis, scene, view, players), *_clock(text, scene, players)]),
            named=view.colour,
        ),
        *_item(text, emojis, scene),
        Words(fit(_seats(text, emojis, scene, view, players), 1900)),
    ]
    if told := story(text, scene, _MOST_TOLD_OF_MANY if _folds(view) else _MOST_TOLD):
        parts += [Separator(), Words(fit_newest([f"• {line}" for line in told], 1100))]
    footer = [which_hand(text, view.length, view.hand_no)]
    if view.rules.names():
        footer.append(house_rules(text, view.rules, most=_MOST_RULES))
    if scene.calls_uno:
        footer.append(text.gettext("The bot says UNO for everybody."))
    parts.append(Words("-# " + " · ".join(footer)))
    return screen(*parts, *_rows(text, emojis, scene, view), colour=view.colour)


def _heading(text: Text, emojis: Emojis, scene: Scene, view: TableView, players: Players) -> list[str]:
    """Return whose turn it is, the top card, what its item did, what to match, and the direction of play."""
    if scene.opens is None:
        lines = ["### " + prompts.for_table(text, view, players)]
    else:
        lines = ["### " + text.gettext("{player} opens an Item Box…", player=players[scene.opens])]
    facts = [text.gettext("Top card: {card}", card=face(text, view.top))]
    facts += filter(None, [prompts.to_match(text, view)])
    lines.append(" · ".join([facts[0], *map(bold, facts[1:])]))
    if did := item_effect(text, emojis, scene.recent, players):
        lines.append(did)
    if view.awaiting is Awaiting.CHALLENGE and view.wild_four_on is not None:
        before = text.gettext("Before the Wild Draw Four: {colour}", colour=colour(text, view.wild_four_on))
        lines.append(f"{emojis[COLOUR_NAMES[view.wild_four_on]]} {before}")
    if view.direction == 1:
        way = [str(emojis["clockwise"]), text.gettext("Clockwise"), "→" if _folds(view) else "↓"]
    else:
        way = [
            str(emojis["counter_clockwise"]),
            text.gettext("Anticlockwise"),
            "←" if _folds(view) else "↑",
        ]
    return [*lines, " ".join(way)]


def _item(text: Text, emojis: Emojis, scene: Scene) -> list[Item]:
    """Return the picture of the item that has just acted."""
    which = None if scene.opens is not None else item_in_sight(scene.recent)
    return [] if which is None else gallery(emojis, which.value, item(text, which))


def _clock(text: Text, scene: Scene, players: Players) -> list[str]:
    """Return the time limit and the votes that are on."""
    lines = []
    if scene.paused:
        lines.append(clock_stopped(text))
    elif scene.until is not None:
        lines.append(text.gettext("⏳ Turn ends: {when}", when=countdown(scene.until)))
    elif scene.since is not None:
        lines.append(text.gettext("⏳ Turn began: {when}", when=countdown(scene.since)))
    votes = [
        text.gettext(
            "Vote to remove {player}: {got} of {needed}",
            player=players[vote.seat],
            got=vote.got,
            needed=vote.needed,
        )
        for vote in scene.votes
    ]
    return lines + ([fit(votes, 400)] if votes else []) + seat_changes(text, scene, players)


def _folds(view: TableView) -> bool:
    """Whether the seats stand one behind the other, since there are too many of them for a phone."""
    return len(view.seats) > _MOST_LINES


def _seats(text: Text, emojis: Emojis, scene: Scene, view: TableView, players: Players) -> list[str]:
    """Return the seats: a line for each, or all of them in one with their points below."""
    if not _folds(view):
        return [_seat(text, emojis, scene, view, players, info) for info in view.seats]
    here = [info for info in view.seats if not info.left]
    lines = [" · ".join(_briefly(text, emojis, scene, view, players[info.seat], info) for info in here)]
    if scored := [info for info in here if info.score]:
        points = " · ".join(
            text.gettext("{player} {number}", player=players[info.seat], number=info.score) for info in scored
        )
        # Translators: {players} is a list such as "Ann 64 · Bob 121".
        lines.append("-# " + text.gettext("Points: {players}", players=points))
    if gone := [info.seat for info in view.seats if info.left]:
        lines.append("-# " + text.gettext("No longer here: {players}", players=players.join(text, gone)))
    return lines


def _briefly(text: Text, emojis: Emojis, scene: Scene, view: TableView, player: str, info: SeatInfo) -> str:
    """Return one seat as one of many: its name and, in brackets, its cards and what else is so."""
    facts = [text.number(info.cards)]
    if info.said:
        facts.append(text.gettext("**UNO!**"))
    if info.autopilot and info.seat not in scene.woken:
        facts.append(text.pgettext("after a name", "on autopilot"))
    if info.seat == scene.host:
        # Translators: marks the one at a table who may stop the clock, remove players and end the table.
        facts.append(text.pgettext("after a name", "host"))
    turn = info.seat == view.turn
    shown = f"{bold(player) if turn else player} ({', '.join(facts)})"
    return (f"{emojis['turn']} {shown}" if turn else shown).replace(" ", "\N{NO-BREAK SPACE}")


def _seat(text: Text, emojis: Emojis, scene: Scene, view: TableView, players: Players, info: SeatInfo) -> str:
    """Return the line of one seat: whether it is its turn, name, cards, UNO, total."""
    player = bold(players[info.seat])
    if info.seat in scene.removed:
        return "• " + text.gettext("{player} was removed", player=players[info.seat])
    if info.left:
        return "• " + text.gettext("{player} has left", player=players[info.seat])
    facts = [text.ngettext("{player}: {number} card", "{player}: {number} cards", info.cards, player=player)]
    if info.said:
        facts.append(text.gettext("**UNO!**"))
    if view.length != ONE_HAND:
        facts.append(text.ngettext("{number} point", "{number} points", info.score))
    if info.autopilot and info.seat not in scene.woken:
        # Translators: stands alone after the name of a player, so nothing in it may agree with them.
        facts.append(text.pgettext("after a name", "on autopilot"))
    if info.seat == scene.host:
        # Translators: marks the one at a table who may stop the clock, remove players and end the table.
        # It stands alone after the name of a player, so nothing in it may agree with them.
        facts.append(text.pgettext("after a name", "host"))
    bullet = str(emojis["turn"]) if info.seat == view.turn else "•"
    return f"{bullet} {' · '.join(facts)}"


def _rows(text: Text, emojis: Emojis, scene: Scene, view: TableView) -> list[Item]:
    """Return the buttons: a first row for everybody, a second for the answers to a Wild Draw Four."""

    def made(
        label: str, verb: Verb, style: ButtonStyle = ButtonStyle.secondary, emoji: str | None = None
    ) -> Button:
        custom_id = CustomId(scene.table, view.decision, verb)
        return button(label, custom_id, style, emoji=emojis[emoji] if emoji else None)

    buttons = [made(text.gettext("My hand"), Verb.HAND, ButtonStyle.primary, "hand")]
    if not scene.calls_uno:
        buttons += [
            made(text.gettext("UNO!"), Verb.UNO, emoji="uno"),
            made(text.gettext("Catch!"), Verb.CATCH, emoji="catch"),
        ]
    if view.rules.jump_in and view.awaiting is Awaiting.TURN and not view.due and view.top < WILD_FOUR:
        buttons.append(made(text.gettext("Jump in"), Verb.JUMP))
    return [*rows(buttons), *rows(_challenge(text, view, made)), *rows(_of_table(text, scene, view))]


def _of_table(text: Text, scene: Scene, view: TableView) -> list[Button]:
    """Return Resume in a pause, and a button for each of the first votes that are on."""
    buttons = []
    if scene.paused:
        custom_id = CustomId(scene.table, view.decision, Verb.RESUME)
        buttons.append(button(text.gettext("Resume"), custom_id, ButtonStyle.success))
    players = Players(text, scene.names)
    for vote in scene.votes[:_MOST_VOTES]:
        custom_id = CustomId(scene.table, view.decision, Verb.VOTE, (str(vote.seat),))
        label = text.gettext("Vote: remove {player}", player=players.plain(vote.seat))
        buttons.append(button(label, custom_id))
    return buttons


def _challenge(text: Text, view: TableView, made: Callable[..., Button]) -> list[Button]:
    """Return the answers to a Wild Draw Four that waits."""
    if view.awaiting is not Awaiting.CHALLENGE:
        return []
    buttons = [made(text.gettext("Accept +{number}", number=view.due), Verb.ACCEPT)]
    if not view.rules.no_bluff:
        buttons.append(made(prompts.challenge_label(text, view), Verb.CHALLENGE, ButtonStyle.danger))
    return buttons
