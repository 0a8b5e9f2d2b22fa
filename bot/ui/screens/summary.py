"""The end of a hand and of a match: who scored what, card by card where asked for, and the standings.

May import `discord`, views, events, rules, cards and awaiting of the engine, `bot.ui.kit`, `bot.ui.text`, and
seat changes from `bot.ui.screens`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, Protocol, TypeVar

import discord
from discord import ButtonStyle

from bot.ui.kit.custom_ids import CustomId, Verb
from bot.ui.kit.emoji import Emojis
from bot.ui.kit.layout import Button, Item, Row, Separator, Words, button, countdown, fit, pictured, screen
from bot.ui.kit.scene import Scene
from bot.ui.screens.seat_offer import seat_changes
from bot.ui.text import cards
from bot.ui.text.items import item_effect
from bot.ui.text.options import clock_stopped, which_hand
from bot.ui.text.translation import N_, Players, Text, bold, face, safe_name
from engine.awaiting import Awaiting
from engine.cards import FACES
from engine.events import CardPlayed, End
from engine.rules import ONE_HAND, worth
from engine.views import SeatInfo, TableView

#: How many different cards of each hand are named: all, or the most that leave room for everybody's.
_MOST_NAMED: Final = (FACES, 24, 16, 12, 10, 8, 6, 4)

_Entry = TypeVar("_Entry")
_Place = tuple[bool, bool, int]

_NO_WINNER: Final = {
    End.BLOCKED: N_("The hand is blocked: nobody scores."),
    End.ABANDONED: N_("Only one player is left: nobody scores."),
}


class FinishedHand(Protocol):
    """A finished hand as its sum needs it; a table view of one will do."""

    @property
    def hand_no(self) -> int:
        """Its number in the match."""

    @property
    def end(self) -> End | None:
        """How it ended."""

    @property
    def hand_winner(self) -> int | None:
        """The seat that won it, None if there is none."""

    @property
    def points(self) -> int:
        """What the winner scored."""

    @property
    def remaining(self) -> tuple[tuple[int, ...], ...]:
        """The cards left in each hand, by seat."""


def hand_summary(text: Text, emojis: Emojis, scene: Scene, view: TableView) -> discord.ui.LayoutView:
    """Return the end of a hand, with Next hand if another is to be dealt."""
    players = Players(text, scene.names)

    def lines(most: int) -> list[str]:
        seats = [_hand_lines(text, emojis, scene, view, players, info, most) for info in view.seats]
        return [line for seat in seats for line in seat]

    told = [f"### {emojis['flag']} {hand_title(text, view, players)}", *went_out(text, scene, view, players)]
    told += filter(None, [item_effect(text, emojis, scene.recent, players)])
    buttons = [_details_button(text, scene, view)]
    if view.awaiting is Awaiting.DEAL:
        custom_id = CustomId(scene.table, view.decision, Verb.NEXT)
        buttons.append(button(text.gettext("Next hand"), custom_id, ButtonStyle.success))
        if scene.may_join:
            buttons.append(button(text.gettext("Join"), CustomId(scene.table, view.decision, Verb.JOIN)))
    return screen(
        with_winning_card(text, emojis, scene, view, "\n".join(told)),
        Words(_fitting(lines, 2800)),
        Words("\n".join(f"-# {line}" for line in _next_hand(text, scene, view))),
        Row(*buttons),
    )


def _next_hand(text: Text, scene: Scene, view: TableView) -> list[str]:
    """Return which hand this was, who joins the next, and when it is dealt."""
    lines = [which_hand(text, view.length, view.hand_no)]
    if scene.waiting:
        names = text.join([safe_name(name) for name in scene.waiting])
        lines.append(text.gettext("At the next hand: {players}", players=names))
    lines += seat_changes(text, scene, Players(text, scene.names))
    if scene.paused:
        lines.append(clock_stopped(text))
    elif scene.until is not None:
        lines.append(text.gettext("The next hand comes by itself: {when}", when=countdown(scene.until)))
    return lines


def winning_card(scene: Scene, view: TableView) -> int | None:
    """Return the card with which a hand was won; None if nobody won it."""
    if view.end is not End.WON or view.hand_winner is None:
        return None
    played = [event for event in scene.recent if isinstance(event, CardPlayed)]
    # A Wild Item Box lies below the card that it turned over.
    return played[-1].card if played and played[-1].seat == view.hand_winner else view.top


def went_out(text: Text, scene: Scene, view: TableView, players: Players) -> list[str]:
    """Return the sentence about the card with which a hand was won."""
    card = winning_card(scene, view)
    if card is None or view.hand_winner is None:
        return []
    player = players[view.hand_winner]
    return [text.gettext("{player} went out with {card}.", player=player, card=face(text, card))]


def with_winning_card(text: Text, emojis: Emojis, scene: Scene, view: TableView, words: str) -> Item:
    """Put words beside the picture of the card with which a hand was won."""
    card = winning_card(scene, view)
    return Words(words) if card is None else pictured(emojis, card, face(text, card), words)


def hand_title(text: Text, view: FinishedHand, players: Players) -> str:
    """Return who won a hand, with how many points."""
    if view.hand_winner is None:
        return text.gettext(_NO_WINNER[view.end or End.ABANDONED])
    return text.ngettext(
        "{player} wins the hand: {number} point!",
        "{player} wins the hand: {number} points!",
        view.points,
        player=players[view.hand_winner],
    )


def _fitting(lines: Callable[[int], list[str]], most: int) -> str:
    """Join lines that name as many cards of each hand as fit into `most` characters."""
    tried = (lines(named) for named in _MOST_NAMED)
    return next((shown for shown in map("\n".join, tried) if len(shown) <= most), fit(lines(1), most))


def _hand_lines(
    text: Text, emojis: Emojis, scene: Scene, view: TableView, players: Players, info: SeatInfo, most: int
) -> list[str]:
    """Return the lines of one seat: what it scored or held, its total, its cards."""
    player = bold(players[info.seat])
    won = info.seat == view.hand_winner
    facts = [_outcome(text, view, player, info.seat)]
    if info.left:
        facts.append(_how_left(text, scene, info.seat))
    if view.length != ONE_HAND:
        # Translators: stands alone after the name of a player; {number} are points.
        facts.append(bold(text.gettext("total {number}", number=info.score)))
    lines = [f"{emojis['flag'] if won else '•'} {' · '.join(facts)}"]
    if (held := view.remaining[info.seat]) and not won:
        lines.append(f"-# {cards.compactly(text, held, most)}")
    return lines


def _outcome(text: Text, view: TableView, player: str, seat: int) -> str:
    """Return what a seat scored, or what it held."""
    held = view.remaining[seat]
    if seat == view.hand_winner:
        # Translators: {number} is what the winner of a hand scored.
        return text.gettext("{player}: +{number}", player=player, number=view.points)
    if view.seats[seat].left and not held:
        return player
    return text.ngettext(
        "{player}: {number} point in hand", "{player}: {number} points in hand", worth(held), player=player
    )


def _how_left(text: Text, scene: Scene, seat: int) -> str:
    """Return how a seat left."""
    if seat in scene.removed:
        # Translators: stands alone after the name of a player, so nothing in it may agree with them.
        return text.pgettext("after a name", "was removed")
    # Translators: stands alone after the name of a player, so nothing in it may agree with them.
    return text.pgettext("after a name", "has left")


def _details_button(text: Text, scene: Scene, view: TableView) -> Button:
    """Return the button that shows the sum of the last finished hand."""
    finished = view.hand_no if view.end is not None else view.hand_no - 1
    custom_id = CustomId(scene.table, view.decision, Verb.DETAILS, (str(finished),))
    return button(text.gettext("Details"), custom_id)


# --- the sum of a hand


def details(
    text: Text, emojis: Emojis, scene: Scene, view: FinishedHand, *more: Item
) -> discord.ui.LayoutView:
    """Return the sum of a hand card by card, each hand by colour, with what is to stand below it."""
    players = Players(text, scene.names)
    lines: list[str] = []
    options: list[int] = []
    for seat, held in enumerate(view.remaining):
        if held and seat != view.hand_winner:
            options.append(worth(held))
            lines.append(
                text.ngettext(
                    "{player}: {number} point",
                    "{player}: {number} points",
                    options[-1],
                    player=bold(players[seat]),
                )
            )
            lines += cards.sums(text, held)
    parts: list[Item] = [Words("### " + text.gettext("Hand {number}, card by card", number=view.hand_no))]
    if lines:
        parts += [Words(fit(lines, 3500)), Separator()]
    return screen(*parts, Words(_sum(text, view, players, options)), *more)


def total(text: Text, view: FinishedHand, players: Players) -> str:
    """Return the sum of all hands for the winner of one."""
    held = enumerate(view.remaining)
    return _sum(
        text, view, players, [worth(left) for seat, left in held if left and seat != view.hand_winner]
    )


def _sum(text: Text, view: FinishedHand, players: Players, options: list[int]) -> str:
    """Return the sum of all hands for the winner."""
    if view.hand_winner is None:
        return text.gettext(_NO_WINNER[view.end or End.ABANDONED])
    player = bold(players[view.hand_winner])
    if len(options) < 2:
        return text.ngettext(
            "{player} scores {number} point.", "{player} scores {number} points.", view.points, player=player
        )
    return text.ngettext(
        "{player} scores {sum} = {number} point.",
        "{player} scores {sum} = {number} points.",
        view.points,
        player=player,
        sum=" + ".join(map(text.number, options)),
    )


# --- the end of a match


def match_summary(text: Text, emojis: Emojis, scene: Scene, view: TableView) -> discord.ui.LayoutView:
    """Return the end of a match: who won it, the standings, and what the last hand left."""
    players = Players(text, scene.names)
    heading = [f"### {emojis['flag']} {verdict(text, view, players)}"]
    if view.length != ONE_HAND or view.end is not End.WON:
        heading.append(hand_title(text, view, players))
    heading += went_out(text, scene, view, players)
    if did := item_effect(text, emojis, scene.recent, players):
        heading.append(did)
    top = with_winning_card(text, emojis, scene, view, "\n".join(heading))
    share = button(text.gettext("Share"), CustomId(scene.table, 0, Verb.SHARE))
    return _end_screen(text, emojis, scene, view, top, share)


def broken_off(
    text: Text, emojis: Emojis, scene: Scene, view: TableView, reason: str
) -> discord.ui.LayoutView:
    """Return the end of a match that was ended early: why, and the standings after its finished hands."""
    title = f"### {emojis['flag']} {verdict(text, view, Players(text, scene.names))}"
    return _end_screen(text, emojis, scene, view, Words(f"{title}\n{reason}"))


def _end_screen(
    text: Text, emojis: Emojis, scene: Scene, view: TableView, top: Item, *more: Button
) -> discord.ui.LayoutView:
    """Return the standings below a heading; nothing can be looked up or played again that is not recorded."""
    players = Players(text, scene.names)
    parts: list[Item] = [
        top,
        Words(_fitting(lambda most: _standings_lines(text, emojis, scene, view, players, most), 3100)),
        Words(f"-# {which_hand(text, view.length, view.hand_no)}"),
    ]
    if scene.recorded:
        again = button(text.gettext("Rematch"), CustomId(scene.table, 0, Verb.AGAIN), ButtonStyle.success)
        parts.append(Row(_details_button(text, scene, view), again, *more))
    return screen(*parts)


def _standings_lines(
    text: Text, emojis: Emojis, scene: Scene, view: TableView, players: Players, most: int
) -> list[str]:
    """Return the lines of the standings, each with what was left in hand."""
    lines: list[str] = []
    for rank, info in standings(view):
        won = info.seat in (view.winners or ())
        # While a hand is in play nobody sees what the others hold.
        held = view.remaining[info.seat] if view.remaining else ()
        facts = [_rank(text, view, players, rank, info)]
        if info.left:
            facts.append(_how_left(text, scene, info.seat))
        lines.append(f"{emojis['flag'] if won else '•'} {' · '.join(facts)}")
        if not held or info.seat == view.hand_winner:
            continue
        named = cards.compactly(text, held, most)
        if not _by_hand(view, info):
            named = text.ngettext(
                "{number} point in hand: {cards}",
                "{number} points in hand: {cards}",
                worth(held),
                cards=named,
            )
        lines.append(f"-# {named}")
    return lines


def _rank(text: Text, view: TableView, players: Players, rank: int, info: SeatInfo) -> str:
    """Return the place of a seat, and the points that gave it."""
    place = {"rank": bold(rank), "player": players[info.seat]}
    if _by_hand(view, info):
        return text.ngettext(
            "{rank} · {player}: {number} point in hand",
            "{rank} · {player}: {number} points in hand",
            worth(view.remaining[info.seat]),
            **place,
        )
    return text.ngettext(
        "{rank} · {player}: {number} point", "{rank} · {player}: {number} points", info.score, **place
    )


def _by_hand(view: TableView, info: SeatInfo) -> bool:
    """Whether a seat is ranked by what it has left in hand: in a match of one hand, unless it won or left."""
    return view.length == ONE_HAND and not info.left and info.seat not in (view.winners or ())


def verdict(text: Text, view: TableView, players: Players) -> str:
    """Return who won the match."""
    winners = view.winners or ()
    if len(winners) == 1 and _by_forfeit(view, winners[0]):
        return text.gettext("{player} wins the match: everybody else left.", player=players[winners[0]])
    return who_won(text, [players[seat] for seat in winners])


def who_won(text: Text, winners: Sequence[str]) -> str:
    """Return who won a match, from the names of the winners."""
    if not winners:
        return text.gettext("The match is over: nobody wins.")
    if len(winners) > 1:
        # Translators: {players} are {number} players, two at least.
        return text.ngettext(
            "The match is over: {players} share the win!",
            "The match is over: {players} share the win!",
            len(winners),
            players=text.join(winners),
        )
    return text.gettext("{player} wins the match!", player=winners[0])


def _by_forfeit(view: TableView, winner: int) -> bool:
    """Whether the winner won as the only one left, and not by points."""
    if [info.seat for info in view.seats if not info.left] != [winner]:
        return False
    length = view.length
    last = view.seats[winner].score >= length.target if length.target else view.hand_no == length.hands
    return view.end is End.ABANDONED or not last


def standings(view: TableView) -> list[tuple[int, SeatInfo]]:
    """Rank the seats of a match, equal ones alike (1, 2, 2, 4).

    Winners come first and those who left last. Among them points decide, in a match of one hand those left in
    hand, the fewest first; equal seats stay in seat order.
    """

    def worse(info: SeatInfo) -> tuple[bool, bool, int]:
        by_hand = view.length == ONE_HAND
        points = worth(view.remaining[info.seat]) if by_hand else -info.score
        return info.seat not in (view.winners or ()), info.left, points

    return ranked(view.seats, worse)


def ranked(entries: Sequence[_Entry], worse: Callable[[_Entry], _Place]) -> list[tuple[int, _Entry]]:
    """Sort entries, the best first, each with its rank; equal ones have the same (1, 2, 2, 4)."""
    found: list[tuple[int, _Entry]] = []
    for place, entry in enumerate(sorted(entries, key=worse), 1):
        same = found and worse(found[-1][1]) == worse(entry)
        found.append((found[-1][0] if same else place, entry))
    return found
