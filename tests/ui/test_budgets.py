"""Every screen at its worst: within Discord's limits, every word translated, nothing given away."""

import importlib
import inspect
import random
import re
import sys
from dataclasses import replace
from datetime import UTC, datetime
from itertools import chain
from pkgutil import iter_modules

import discord
import pytest
from discord.ui.select import BaseSelect

from bot.model.options import Options
from bot.ops.smoke import worst_cases
from bot.ui import screens
from bot.ui.kit.layout import Button, Row, Words, finish, fit, fit_newest
from bot.ui.kit.scene import Computer, Vote
from bot.ui.screens.asides import Log, Step
from bot.ui.screens.hand import hand_screen
from bot.ui.screens.lobby import Lobby, lobby_screen
from bot.ui.screens.summary import details, hand_summary, match_summary
from bot.ui.screens.table import table_screen
from bot.ui.text import replies
from bot.ui.text.events import sentence
from engine.actions import CHALLENGE, LEAVE
from engine.awaiting import Awaiting
from engine.cards import DECK, WILD_FOUR
from engine.events import HandShown
from engine.match import Match
from engine.rules import Length, RuleSet
from engine.views import seat_view, table_view
from tests.ui.positions import (
    CYRILLIC,
    ENGLISH,
    FLAGS,
    HUGE,
    PLAIN,
    PSEUDO,
    STARS,
    UPLOADED,
    WORDLESS,
    all_events,
    buttons,
    characters,
    components,
    crowd,
    play,
    position,
    scene,
    size,
    texts,
    untranslated,
)

EVERY_RULE = RuleSet(*[True] * 7)
ALL_ON = dict.fromkeys(RuleSet.__slots__, True)
TARGET = {"target": 1000}
#: Cards with the longest names of all, two of each.
LONG = ["WI", "W4", "YD", "YR", "GD", "GR"] * 2


def worst_events(text, names, number):
    """Give the events with the longest sentences, newest last."""
    events = sorted(all_events(), key=lambda event: len(sentence(text, event, names)))
    return events[-number:]


def worst_positions():
    """Give a match in every decision a table can await: ten players, one of whom holds 105 cards."""
    hands = crowd(HUGE, ["WI", "W4", "R7"])
    rules = {"stack": True, "jump_in": True, "seven_zero": True}
    bluffs = {"match": TARGET, "start": {"scores": dict.fromkeys("abcdefghij", 999)}, "rules": rules}
    found = {
        "turn": play(position(hands, **bluffs)),
        "forced": play(position(hands, **bluffs | {"rules": ALL_ON})),
        "wild": play(position(hands, top="W4", colour="yellow", **bluffs)),
        "colour": play(position(hands, top="WI", **bluffs)),
        "drawn": play(position(hands, draw=["R1"], actions=[["a", "draw"]], **bluffs)),
        "stack": play(
            position(
                hands, turn="j", draw=["R1"], actions=[["j", "play", "R7"], ["j", "target", "a"]], **bluffs
            )
        ),
        "swap": play(position(hands, actions=[["a", "play", "R7"]], **bluffs)),
        "shell": play(position(hands, draw=["G1"], actions=[["a", "play", "WI"]], **bluffs)),
        "challenge": play(position(hands, turn="j", actions=[["j", "play", "W4", "yellow"]], **bluffs)),
        "shown": play(
            position(hands, turn="j", actions=[["j", "play", "W4", "yellow"]], draw=["R1"] * 9, **bluffs)
        ),
    }
    matches = {name: match for name, (match, _) in found.items()}
    shown = matches["shown"]
    shown.apply(0, CHALLENGE)
    shown.game.shown = HandShown(0, 9, tuple(DECK[:54]) + tuple(range(54)))
    ended = play(position([["R1"], *crowd(HUGE, LONG)[:9]], actions=[["a", "play", "R1"]], **bluffs))[0]
    matches["over"] = ended
    again = play(
        position([["R1"], *crowd(HUGE, LONG)[:9]], actions=[["a", "play", "R1"]], match={"hands": 20})
    )[0]
    matches["deal"] = again
    for match in matches.values():
        for seat in range(1, 10):
            match.game.said[seat] = True
            match.game.streak[seat] = 2
    return matches


POSITIONS = worst_positions()
NOW = datetime(2026, 1, 1, tzinfo=UTC)
LANGUAGES = pytest.mark.parametrize(
    ("text", "names"),
    [(ENGLISH, STARS), (PSEUDO, STARS), (CYRILLIC, FLAGS)],
    ids=["English", "pseudo", "Cyrillic"],
)


def crowded(at, changes):
    """Fill a table with computers and votes, and let so many seats be offered and so many be promised."""
    people = tuple((seat, at.names[seat]) for seat in range(changes))
    computers = tuple(
        Computer(seat, "Wwwwwww" + "abcdefghij"[seat], "normal") for seat in range(1, len(at.names))
    )
    votes = tuple(Vote(seat, 1, 5) for seat in range(len(at.names)))
    return replace(at, another_hand=True, computers=computers, successors=people, offers=people, votes=votes)


def screens_of(text, emojis, match, at):
    """Draw everything that can be drawn of a match, for players in their first one."""
    at = replace(at, learning=frozenset(range(len(at.names))))
    yield "table", table_screen(text, emojis, at, table_view(match))
    if match.awaiting not in (Awaiting.DEAL, Awaiting.OVER):
        yield "table", table_screen(text, emojis, replace(at, opens=9), table_view(match))
    for seat in range(len(at.names)):
        view = seat_view(match, seat)
        for step in (*Step, Log(at.recent * 2)):
            for uno in (False, True):
                yield (
                    f"hand {seat}",
                    hand_screen(text, emojis, at, view, step=step, uno=uno, note=text.gettext("Draw")),
                )
    if match.awaiting in (Awaiting.DEAL, Awaiting.OVER):
        for made in (hand_summary, match_summary, details):
            yield made.__name__, made(text, emojis, at, table_view(match))


def check(name, view):
    assert components(view) <= (34 if name.startswith("hand ") else 40), name
    assert characters(view) <= 4000, name
    assert size(view) <= 10_000, name
    for row in [child for child in view.walk_children() if isinstance(child, discord.ui.ActionRow)]:
        assert 1 <= len(row.children) <= 5
    for made in buttons(view):
        assert 1 <= len(made.label) <= 80
    written = [made.custom_id for made in (*buttons(view), *menus(view))]
    assert len(set(written)) == len(written)
    assert all(len(custom_id) <= 100 for custom_id in written)


def menus(view):
    return [child for child in view.walk_children() if isinstance(child, BaseSelect)]


def offered(view):
    """Give every word of the menus: what they say while nothing is chosen, and their options."""
    for made in menus(view):
        yield made.placeholder
        for option in getattr(made, "options", []):
            yield option.label
            yield option.description or ""


def is_cut(view):
    return any(words.endswith("\n…") for words in texts(view))


def test_the_positions_have_every_decision():
    assert {match.awaiting for match in POSITIONS.values()} == set(Awaiting)
    assert len(POSITIONS["turn"].game.hands[0]) == 105


@pytest.mark.parametrize("position", POSITIONS)
@LANGUAGES
def test_every_screen_fits_at_its_worst(position, text, names):
    at = crowded(scene(worst_events(text, names, 9), names), 1)
    for name, view in screens_of(text, UPLOADED, POSITIONS[position], at):
        check(name, view)
        # More cards than there are in a deck: only their sum, tested below with all there are, is cut then.
        if name != "details":
            assert not is_cut(view), f"{name} is cut"


@pytest.mark.parametrize("position", POSITIONS)
@LANGUAGES
def test_every_screen_fits_when_all_seats_change_hands(position, text, names):
    at = crowded(scene(worst_events(text, names, 9), names), 9)
    for name, view in screens_of(text, UPLOADED, POSITIONS[position], at):
        check(name, view)


@pytest.mark.parametrize("position", POSITIONS)
def test_every_word_of_every_screen_is_translated(position):
    for emojis, event in zip((PLAIN, UPLOADED), (all_events()[:25], all_events()[25:]), strict=True):
        at = replace(crowded(scene(event, WORDLESS), 1), calls_uno=emojis is PLAIN)
        for name, view in screens_of(PSEUDO, emojis, POSITIONS[position], at):
            for words in chain(texts(view), (made.label for made in buttons(view))):
                assert not untranslated(words), name
                if not re.sub(r"<:\w+:\d+>|\s|×\d+", "", words):
                    continue  # pictures of cards
                assert any(mark in words for mark in "⟦⟧"), f"{name}: {words!r}"


# --- the screens of the smoke test, which are all there are


def drawn(text, names):
    """Draw the screens of the smoke test, and lobbies that are not full."""
    yield from worst_cases.screens(text, UPLOADED, NOW, names)
    options = Options(EVERY_RULE, Length(target=999), 90, invite_only=True, calls_uno=True)
    for here in range(1, 10):
        lobby = Lobby(10**18 - 1, names[:here], 0, options, invited=names * 3, absent=names[here:])
        yield f"rematch, {here}", lobby_screen(text, UPLOADED, lobby)
    for computers in ((), tuple(Computer(seat, "Wwwwwww", "normal") for seat in range(1, 5))):
        lobby = Lobby(10**18 - 1, names[: 1 + len(computers)], 0, options, computers=computers)
        yield f"lobby, {len(computers)}", lobby_screen(text, UPLOADED, lobby)


def public_screens():
    """Find the public functions that draw a screen, by their code."""
    names = [f"{screens.__name__}.{each.name}" for each in iter_modules(screens.__path__)]
    return {
        made.__code__: f"{module.__name__}.{name}"
        for module in (*map(importlib.import_module, names), replies)
        for name, made in vars(module).items()
        if inspect.isfunction(made) and made.__module__ == module.__name__ and not name.startswith("_")
        if inspect.signature(made, eval_str=True).return_annotation is discord.ui.LayoutView
    }


def test_every_public_screen_is_among_those_of_the_smoke_test():
    called = set()
    sys.setprofile(lambda frame, event, _: called.add(frame.f_code))
    try:
        assert len(list(worst_cases.screens(ENGLISH, UPLOADED, NOW))) > 50
    finally:
        sys.setprofile(None)
    found = public_screens()
    assert "bot.ui.screens.table.table_screen" in found.values()
    assert [name for code, name in found.items() if code not in called] == []


def test_the_screens_of_the_smoke_test_are_told_apart():
    names = [name for name, _ in worst_cases.screens(ENGLISH, UPLOADED, NOW)]
    assert len(set(names)) == len(names)


@LANGUAGES
def test_every_screen_of_the_smoke_test_fits_at_its_worst(text, names):
    for name, view in drawn(text, names):
        check(name, view)
        assert not is_cut(view), f"{name} is cut"
    check("hand 0", worst_cases.huge_hand(text, UPLOADED))


def test_every_word_of_the_screens_of_the_smoke_test_is_translated():
    for name, view in drawn(PSEUDO, WORDLESS):
        for words in chain(texts(view), (made.label for made in buttons(view)), offered(view)):
            assert not untranslated(words.replace("English", "")), name


@pytest.mark.parametrize("text", [ENGLISH, PSEUDO], ids=["English", "pseudo"])
@pytest.mark.parametrize("losers", range(1, 10))
def test_the_sum_of_all_cards_fits_however_they_lie(text, losers):
    """All 112 cards but those of the winner and the top one, spread so that as few as can be are twins."""
    match = POSITIONS["over"].clone()
    for spread in (sorted(DECK), sorted(DECK, key=lambda card: (card % 13, card))):
        left = (tuple(spread[seat - 1 :: losers]) if 1 <= seat <= losers else () for seat in range(10))
        match.game.remaining = tuple(left)
        view = details(text, UPLOADED, scene((), STARS), table_view(match))
        check("details", view)
        assert not is_cut(view)


# --- the limits themselves


def press(number):
    return f"ll:7:{number}:draw::"


LENGTH = "ll:7:0:agree:length:"
Select, Option = discord.ui.Select, discord.SelectOption


@pytest.mark.parametrize(
    "items",
    [
        [Row(*[Button(label="a", custom_id=press(row * 5 + n)) for n in range(5)]) for row in range(7)],
        [Words("x" * 4001)],
        [Words("x" * 2001), Words("x" * 2000)],
        [Words("🏁" * 2501)],
        [Words("")],
        [Row(Button(label="a", custom_id=press(1)), Button(label="b", custom_id=press(1)))],
        [Row(Button(label="a", custom_id="x" * 101))],
        [Row(Button(label="a", custom_id="mine"))],
        [Row(Button(label="a" * 81, custom_id=press(1)))],
        [Row(Button(label="", custom_id=press(1)))],
        [Row(Button(label="a", custom_id=LENGTH))],
        [Row(Select(custom_id=press(1), options=[Option(label="a", value="hands.1")]))],
        [Row(Select(custom_id=LENGTH, options=[Option(label="a", value="b")]))],
        [Row(Select(custom_id=LENGTH, options=[Option(label="a" * 101, value="hands.1")]))],
        [Row(Select(custom_id=LENGTH, options=[Option(label="a", value="hands.1", description="x" * 101)]))],
        [
            Row(
                Select(
                    custom_id=LENGTH,
                    options=[Option(label="a", value=f"target.{n}") for n in range(100, 126)],
                )
            )
        ],
        [Row(Select(custom_id=LENGTH, options=[Option(label="a", value="hands.1")] * 2))],
        [Row(Select(custom_id=LENGTH, options=[]))],
        [Row(Select(custom_id=LENGTH, placeholder="x" * 151, options=[Option(label="a", value="hands.1")]))],
        [Row(discord.ui.UserSelect(custom_id="ll:7:0:agree:invite:", max_values=11))],
    ],
    ids=[
        *(
            "components",
            "characters",
            "sum",
            "bytes",
            "empty",
            "twins",
            "custom_id",
            "grammar",
            "label",
            "no label",
        ),
        *("a menu's button", "a button's menu", "value", "option", "description", "options", "same options"),
        *("no options", "placeholder", "too many"),
    ],
)
def test_what_breaks_a_limit_is_refused(items):
    view = discord.ui.LayoutView(timeout=None)
    for item in items[:-1] if len(items) == 7 else items:
        view.add_item(item)
    if len(items) == 7:
        view._total_children = 0
        view.add_item(items[-1])
    with pytest.raises(AssertionError):
        finish(view)


def test_lines_are_cut_between_lines():
    lines = ["aaaa", "bbbb", "cccc"]
    assert fit(lines, 14) == "aaaa\nbbbb\ncccc"
    assert fit(lines, 13) == "aaaa\nbbbb\n…"
    assert fit(["aaaaaaaa"], 4) == "aaa…"
    assert fit_newest(lines, 13) == "bbbb\ncccc"
    assert fit_newest(["aaaaaaaa"], 4) == "aaa…"
    assert all(len(fit(lines, most)) <= most for most in range(1, 16))


# --- what nobody may see


def rendering(view):
    return view.to_components()


def shuffled(match, seat, rng):
    """Deal what a seat does not see anew: the other hands and the draw pile, each as many cards as before."""
    other = match.clone()
    game = other.game
    piles = [hand for owner, hand in enumerate(game.hands) if owner != seat] + [game.draw]
    cards = [card for pile in piles for card in pile]
    rng.shuffle(cards)
    for pile in piles:
        pile[:] = [cards.pop() for _ in pile]
    return other


RULES = [
    RuleSet(),
    RuleSet(stack=True),
    RuleSet(draw_until_playable=True, force_play=True),
    RuleSet(seven_zero=True, jump_in=True),
    RuleSet(no_bluff=True),
    EVERY_RULE,
]


@pytest.mark.parametrize("rules", RULES, ids=lambda rules: "-".join(rules.names()) or "none")
@pytest.mark.parametrize("seats", [2, 3, 10])
def test_real_matches_fit_and_give_nothing_away(seats, rules):
    rng = random.Random(f"{seats}{rules}")
    match = Match(seats, rules, Length(hands=2), seed=str(rng.random()))
    told = match.begin()
    names = STARS[:seats]
    for move in range(120):
        at = scene(told[-20:], names)
        if move % 4 == 0:
            seat = rng.randrange(seats)
            other, public = shuffled(match, seat, rng), shuffled(match, None, rng)
            view = table_screen(ENGLISH, PLAIN, at, table_view(match))
            check("table", view)
            if match.awaiting not in (Awaiting.DEAL, Awaiting.OVER):
                assert rendering(table_screen(ENGLISH, PLAIN, at, table_view(public))) == rendering(view)
                for step in Step:
                    mine = hand_screen(ENGLISH, PLAIN, at, seat_view(match, seat), step=step)
                    theirs = hand_screen(ENGLISH, PLAIN, at, seat_view(other, seat), step=step)
                    check("hand ", mine)
                    assert rendering(mine) == rendering(theirs)
        if match.winners is not None:
            break
        acting = match.turn if match.turn >= 0 else next(s for s in range(seats) if not match.game.out[s])
        told += match.apply(acting, rng.choice(match.legal_actions(acting)))
        if move == 60 and seats > 3 and match.winners is None:
            told += match.apply(match.game.seated()[0], LEAVE)


def test_the_hand_of_a_bluffer_stays_hidden_from_all_but_the_challenger():
    hands = [["W4", "B1", "B2"], ["G1", "G2"], ["R5", "R6"]]
    match, told = play(position(hands, actions=[["a", "play", "W4", "red"], ["b", "challenge"]]))
    at = scene(told)
    before = rendering(hand_screen(ENGLISH, PLAIN, at, seat_view(match, 2)))
    other = match.clone()
    other.game.shown = other.game.shown._replace(cards=(WILD_FOUR,))
    assert rendering(hand_screen(ENGLISH, PLAIN, at, seat_view(other, 2))) == before
    assert rendering(table_screen(ENGLISH, PLAIN, at, table_view(other))) == rendering(
        table_screen(ENGLISH, PLAIN, at, table_view(match))
    )
