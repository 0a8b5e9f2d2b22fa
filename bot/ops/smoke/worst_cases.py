"""Every screen at its worst: ten players called `*`, 105 cards in one hand, every house rule, all made up.

May import `bot.ui` and what it shows of `bot.model` and `bot.store`, and of the engine what reads a position
and what may be seen of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, Final

import discord

from bot.model.guild_settings import GuildSettings
from bot.model.options import Options
from bot.store import Board, BoardLine
from bot.tallies.achievements import ACHIEVEMENTS
from bot.tallies.boards import By
from bot.tallies.periods import Period
from bot.tallies.statistics import ITEMS, Effect, Hand, Other, Past, Statistics, add_up
from bot.ui.kit.custom_ids import CustomId, Verb
from bot.ui.kit.emoji import Emojis
from bot.ui.kit.scene import Computer, Scene, Vote
from bot.ui.screens import (
    call,
    computers,
    hand,
    history,
    leaderboard,
    lobby,
    lobby_settings,
    privacy,
    rules,
    seat_offer,
    server_settings,
    stats,
    summary,
    table,
)
from bot.ui.screens.about import Links, about_screen
from bot.ui.screens.asides import Step
from bot.ui.screens.help import help_screen
from bot.ui.text import replies
from bot.ui.text.translation import Text
from engine import events as happened
from engine.awaiting import Awaiting
from engine.cards import CODE, FACES, Item
from engine.events import End, Why, public
from engine.match import Match
from engine.notation import read_scenario
from engine.rules import RULE_NAMES, Length, RuleSet
from engine.views import seat_view, table_view

Messages = Iterator[tuple[str, discord.ui.LayoutView]]

_SEATS: Final = tuple("abcdefghij")
#: As long and as full of markdown as Discord lets a name be.
NAMES: Final = ("*" * 32,) * 10
#: A number that no table has.
_TABLE: Final = 10**18 - 1
_COMPUTERS: Final = tuple(Computer(seat, f"Wwwwwww{_SEATS[seat]}", "normal") for seat in range(1, 10))
_HUGE: Final = [CODE[card] for card in range(FACES)] + [CODE[card] for card in range(51)]
_LONG: Final = ["WI", "W4", "YD", "YR", "GD", "GR"] * 2
_ALL_RULES: Final = dict.fromkeys(RULE_NAMES, True)
_SOME_RULES: Final = {"stack": True, "jump_in": True, "seven_zero": True}
_OWN: Final = RuleSet(stack=True, no_bluff=True)
_TARGET: Final[dict[str, Any]] = {"match": {"target": 1000}, "start": {"scores": dict.fromkeys(_SEATS, 999)}}
#: What takes many words to tell.
_RECENT: Final[tuple[happened.Event, ...]] = (
    happened.HandStarted(20, 0),
    happened.CardsDrawn(0, 12, Why.TURN, (3,)),
    happened.HandsSwapped(0, 9),
    *(happened.ItemFired(0, item) for item in Item),
    happened.ChallengeMade(0, 9, bluff=True),
    happened.ChallengeMade(0, 9, bluff=False),
    happened.UnoCaught(0, 9),
    happened.TimedOut(0),
    happened.AutopilotSet(0, on=True),
    happened.HandEnded(End.WON, 0, 1234),
)


def screens(text: Text, emojis: Emojis, now: datetime, names: Sequence[str] = NAMES) -> Messages:
    """Yield every screen at its worst, each with its name; `names` are those of ten players."""
    names = tuple(names)
    scene = Scene(
        table=_TABLE,
        names=names,
        host=0,
        recent=tuple(map(public, _RECENT)),
        until=now,
        votes=(Vote(9, 4, 5),),
        woken=frozenset(range(10)),
        another_hand=True,
        computers=_COMPUTERS,
        successors=((9, names[9]),),
        offers=((8, names[8]),),
        learning=frozenset(range(10)),
    )
    yield from _of_lobbies(text, emojis, names)
    for name, match in _positions().items():
        yield from _of_match(text, emojis, scene, name, match)
    boxed = replace(scene, opens=9)
    yield "item box", table.table_screen(text, emojis, boxed, table_view(_positions()["turn"]))
    paused = replace(scene, paused=True, votes=tuple(Vote(seat, 4, 5) for seat in range(10)))
    yield "paused", table.table_screen(text, emojis, paused, table_view(_positions()["turn"]))
    yield "ending", replies.end_question(text, _TABLE, playing=True)
    yield "no seat", replies.stranger(text, CustomId(_TABLE, 0, Verb.JOIN))
    take = CustomId(_TABLE, 0, Verb.TAKE, ("9",))
    yield "offer", seat_offer.offer_screen(text, names[0], f"<@{2**63 - 1}>", take)
    yield "call", call.call_screen(text, replies.nudge(text, f"<@{2**63 - 1}>", now), _TABLE)
    yield "closed", lobby.closed_screen(text, made_up(text))
    yield "a sentence", replies.plain(made_up(text))
    for topic in rules.TOPICS:
        drawn = rules.rules_screen(text, topic, table=_TABLE, rules=RuleSet(**_ALL_RULES))
        yield f"rules, {topic}", drawn
    results = (*(10**9, 10**6, 10**6, 10**6, 10**6, 10**6, 0), 10**15, 10**4)
    leaders = [BoardLine(rank, rank, names[0], *results) for rank in range(10**6, 10**6 + 11)]
    page = Board(tuple(leaders[:10]), leaders[10], more=True, earlier=True, others_needed=5)
    for by in By:
        yield f"leaderboard, {by}", leaderboard.leaderboard_screen(text, emojis, page, by)
    led = [(by, 1, name) for by in By for name in names[:5]]
    season = leaderboard.leaderboard_screen(text, emojis, page, By.SKILL, Period.SEASON, (12, led))
    yield "leaderboard, a season", season
    unlisted = replace(page, own=replace(leaders[10], rank=None))
    yield "leaderboard, not listed", leaderboard.leaderboard_screen(text, emojis, unlisted)
    own = stats.Profile(2**63 - 1, names[0], _statistics(names[1]), tuple(ACHIEVEMENTS))
    yield "statistics", stats.stats_screen(text, emojis, own, own=True)
    nothing = replace(own.statistics, hands=0, matches=0)
    yield "no statistics", stats.stats_screen(text, emojis, replace(own, statistics=nothing), own=True)
    yield from _of_history(text, emojis, now, names)
    yield "forget me", privacy.forget_screen(text)
    for where in ("here", "everywhere"):
        yield f"forget me {where}, asked", privacy.sure_screen(text, where)
        yield f"forgotten {where}", privacy.forgotten_screen(text, where)
    for hidden in (True, False):
        yield f"hidden, {hidden}", replies.plain(privacy.hidden_now(text, hidden=hidden))
    yield "help", help_screen(text, emojis, table=_TABLE)
    address = "https://example.org/" + "x" * 180
    yield "about", about_screen(text, emojis, "0.1.0", Links(address, address, address, address))


def _of_history(text: Text, emojis: Emojis, now: datetime, names: tuple[str, ...]) -> Messages:
    seats = tuple(history.Seat(name, 10**9, won=True, left=True) for name in names)
    hands = tuple(history.Hand(number, 9, 10**9) for number in range(10**4, 10**4 + 30))
    match = history.Match(_TABLE, now, Length(target=1000), seats, hands)
    page = [replace(match, table=_TABLE - number) for number in range(history.MATCHES)]
    yield "history", history.history_screen(text, emojis, page, newest=False, more=True)
    yield "no history", history.history_screen(text, emojis, [], newest=True, more=False)
    yield "a match of the past", history.match_screen(text, emojis, match)
    scene, over = Scene(_TABLE, names, None, ()), table_view(_positions()["next"])
    yield "a hand of the past", history.hand_screen(text, emojis, scene, over, [0, 2])


def _statistics(other: str) -> Statistics:
    """Return what nobody can play in a life."""
    hands = (Hand(10**9, won=True, left=0, players=10, facts={"challenges": [True] * 99}),) * 10**3
    return replace(
        add_up(Past(hands=hands, others=(Other(1, other, 10**9, 10**9),))),
        items=dict.fromkeys(ITEMS, Effect(10**9, 10**9, 10**9)),
        bluffs=10**9,
        bluffs_passed=10**9,
        bluffs_caught=10**9,
        catches=10**9,
        caught=10**9,
    )


def _of_lobbies(text: Text, emojis: Emojis, names: tuple[str, ...]) -> Messages:
    every = RuleSet(**_ALL_RULES)
    options = Options(every, Length(target=1000), 600, invite_only=True, calls_uno=True)
    full = lobby.Lobby(_TABLE, names, 0, options, invited=names * 3, computers=_COMPUTERS)
    yield "lobby", lobby.lobby_screen(text, emojis, full)
    again = replace(full, names=names[:1], computers=(), absent=names[1:])
    yield "rematch", lobby.lobby_screen(text, emojis, again)
    yield "computer players", computers.computers_panel(text, _TABLE, names, _COMPUTERS, 10)
    yield "options", lobby_settings.options_screen(text, full)
    for page in lobby_settings.PAGES:
        drawn = lobby_settings.lobby_panel(text, full, page, own=_OWN, thread=True, note=made_up(text))
        yield f"rules panel, {page}", drawn
    settings = GuildSettings(options, "en")
    for page in (*server_settings.PAGES, "reset"):
        yield f"settings, {page}", server_settings.server_panel(text, settings, page, note=made_up(text))


def huge_hand(text: Text, emojis: Emojis) -> discord.ui.LayoutView:
    """Return a hand of 105 cards, all of which can be played."""
    scene = Scene(table=_TABLE, names=NAMES, host=0)
    view = seat_view(_match(_crowd(), **_TARGET), 0)
    return hand.hand_screen(text, emojis, scene, view, note=made_up(text))


def made_up(text: Text) -> str:
    """Return a sentence that says that nothing of a screen is true."""
    return text.gettext("This is a test, and all of it is made up. It goes away by itself.")


def _of_match(text: Text, emojis: Emojis, scene: Scene, name: str, match: Match) -> Messages:
    if match.awaiting is Awaiting.DEAL:
        yield f"hand summary, {name}", summary.hand_summary(text, emojis, scene, table_view(match))
        yield f"card by card, {name}", summary.details(text, emojis, scene, table_view(match))
        return
    if match.awaiting is Awaiting.OVER:
        yield f"broken off, {name}", summary.broken_off(text, emojis, scene, table_view(match), made_up(text))
        yield f"match summary, {name}", summary.match_summary(text, emojis, scene, table_view(match))
        return
    yield f"table, {name}", table.table_screen(text, emojis, scene, table_view(match))
    view = seat_view(match, match.turn)
    for step in Step if name == "turn" else (Step.MAIN,):
        screen = hand.hand_screen(text, emojis, scene, view, step=step, uno=True, note=made_up(text))
        yield f"hand, {name}, {step.value}", screen


# --- positions


def _crowd(own: Sequence[str] = _HUGE, others: Sequence[str] = ("R1", "R2")) -> list[list[str]]:
    return [list(own), *(list(others) for _ in _SEATS[1:])]


def _match(
    hands: list[list[str]],
    *actions: list[str],
    top: str = "R7",
    turn: str = "a",
    draw: Sequence[str] = ("G1", "G2", "G3", "G4", "Y1", "Y2"),
    **more: Any,
) -> Match:
    """Return the match of a position after these actions."""
    position = {
        "hands": dict(zip(_SEATS, hands, strict=True)),
        "draw": list(draw),
        "discard": [top, "B9"],
        "turn": turn,
    }
    scenario = {"players": list(_SEATS), "position": position, "actions": list(actions), **more}
    read = read_scenario(scenario)
    for move in read.moves:
        read.match.apply(move.seat, move.action, move.auto)
    for seat in range(1, len(_SEATS)):
        read.match.game.said[seat] = True
        read.match.game.streak[seat] = 2
    return read.match


def _positions() -> dict[str, Match]:
    """Return a match for every decision that a table can await."""
    hands, others = _crowd(), _crowd(others=["WI", "W4", "R7"])
    four = ["j", "play", "W4", "yellow"]
    some: dict[str, Any] = {"rules": _SOME_RULES, **_TARGET}
    shown = _match(others, four, ["a", "challenge"], turn="j", draw=["R1"] * 9, **_TARGET)
    last = [["R1"], *_crowd(others=_LONG)[1:]]
    return {
        "turn": _match(hands, **some),
        "every rule": _match(hands, **_TARGET, rules=_ALL_RULES),
        "colour": _match(hands, top="WI", **some),
        "drawn": _match(hands, ["a", "draw"], draw=["R1"], **some),
        "stack": _match(_crowd(others=["RD", "R1"]), ["j", "play", "RD"], turn="j", **some),
        "swap": _match(hands, ["a", "play", "R7"], **some),
        "shell": _match(hands, ["a", "play", "WI"], draw=["G1"], **some),
        "challenge": _match(others, four, turn="j", **_TARGET),
        "shown": shown,
        "next": _match(last, ["a", "play", "R1"], match={"hands": 20}),
        "end": _match(last, ["a", "play", "R1"], **_TARGET),
    }
