"""The statistics of one person on a server.

May import `discord`, items of the engine, `bot.tallies`, `bot.ui.kit` and `bot.ui.text`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import discord
from discord import ButtonStyle

from bot.tallies.statistics import Effect, Other, Statistics
from bot.ui.kit.custom_ids import CustomId, Verb
from bot.ui.kit.emoji import Emojis
from bot.ui.kit.layout import Row, Words, button, fit, screen
from bot.ui.text.achievements import ACHIEVEMENTS
from bot.ui.text.translation import Text, bold, item, safe_name
from engine.cards import Item


@dataclass(frozen=True, slots=True)
class Profile:
    """A person, what their results add up to, and the keys of the achievements they have."""

    user_id: int
    name: str
    statistics: Statistics
    earned: Sequence[str]


def stats_screen(text: Text, emojis: Emojis, profile: Profile, *, own: bool) -> discord.ui.LayoutView:
    """Return somebody's statistics; `own` is whether they are the reader's."""
    told = profile.statistics
    name = safe_name(profile.name, empty=text.gettext("Somebody"))
    title = text.gettext("Statistics of {player}", player=name)
    heading = Words(f"### {emojis['flag']} {title}")
    if not told.hands and not told.matches:
        return screen(heading, Words(text.gettext("Nothing to count yet.")), Words(_counted(text)))
    card = CustomId(0, 0, Verb.STATS, ("card", str(profile.user_id)))
    buttons = [button(text.gettext("Profile card"), card)]
    if own:
        share = CustomId(0, 0, Verb.STATS, ("share",))
        buttons.append(button(text.gettext("Share"), share, ButtonStyle.primary))
    return screen(
        heading,
        Words(_part(text.gettext("Results"), _results(text, told))),
        Words(_part(text.gettext("Nerve"), _nerve(text, told))),
        Words(_part(text.gettext("Items"), _items(text, emojis, told))),
        *([Words(_part(text.gettext("Company"), people))] if (people := _people(text, told)) else []),
        Words(fit(_achievements(text, profile.earned), 1900)),
        Words(_counted(text)),
        Row(*buttons),
    )


def _part(heading: str, lines: Sequence[str]) -> str:
    return "\n".join([bold(heading), *lines])


def _counted(text: Text) -> str:
    return "-# " + text.gettext("Counted: hands and matches with at least two people.")


def _results(text: Text, told: Statistics) -> list[str]:
    return [
        text.gettext(
            "Matches: {played} · Won: {won} · Forfeited: {forfeits}",
            played=told.matches,
            won=told.matches_won,
            forfeits=told.forfeits,
        ),
        text.gettext(
            "Hands: {played} · Won: {won} ({share})",
            played=told.hands,
            won=told.hands_won,
            share=text.percent(told.hands_won / max(1, told.hands)),
        ),
        text.gettext("Points: {points} · Best hand: {best}", points=told.points, best=told.best),
        text.gettext(
            "Hands won in a row: {longest} · Right now: {current}", longest=told.longest, current=told.current
        ),
    ]


def _nerve(text: Text, told: Statistics) -> list[str]:
    return [
        text.gettext("Challenges: {made} · Won: {won}", made=told.challenges, won=told.challenges_won),
        text.gettext(
            "Bluffs: {made} · Got away with: {passed} · Caught: {caught}",
            made=told.bluffs,
            passed=told.bluffs_passed,
            caught=told.bluffs_caught,
        ),
        text.gettext(
            "Catches: {catches} · Caught not saying UNO: {caught}", catches=told.catches, caught=told.caught
        ),
        text.gettext("Most cards in hand: {number}", number=told.most),
    ]


def _items(text: Text, emojis: Emojis, told: Statistics) -> list[str]:
    return [f"{emojis[which.value]} {_item(text, which, told.items[which.value])}" for which in Item]


def _item(text: Text, which: Item, effect: Effect) -> str:
    """Return what an item did for somebody, and to them."""
    values = {"item": item(text, which), "used": effect.used, "took": effect.took, "gave": effect.gave}
    if which is Item.MUSHROOM:
        return text.gettext("{item}: {used}", **values)
    if which is Item.BOB_OMB:
        return text.gettext("{item}: {used} · Own cards drawn: {took}", **values)
    return text.gettext("{item}: {used} · Others drew: {gave} · Drew from it: {took}", **values)


def _people(text: Text, told: Statistics) -> list[str]:
    lines = []
    if told.company is not None:
        lines.append(
            text.ngettext(
                "Most played with: {player} ({number} hand)",
                "Most played with: {player} ({number} hands)",
                told.company.hands,
                player=_name(text, told.company),
            )
        )
    if told.nemesis is not None:
        lines.append(
            text.ngettext(
                "Nemesis: {player} (won {number} hand of {hands} together)",
                "Nemesis: {player} (won {number} hands of {hands} together)",
                told.nemesis.lost,
                player=_name(text, told.nemesis),
                hands=told.nemesis.hands,
            )
        )
    return lines


def _name(text: Text, other: Other) -> str:
    return bold(safe_name(other.name, empty=text.gettext("Somebody")))


def achieved(text: Text, earned: Sequence[str]) -> str:
    """Return how many of the achievements somebody has."""
    return text.gettext("Achievements: {earned} of {all}", earned=len(earned), all=len(ACHIEVEMENTS))


def _achievements(text: Text, earned: Sequence[str]) -> list[str]:
    lines = [bold(achieved(text, earned))]
    for key in earned:
        title, how = ACHIEVEMENTS[key]
        lines.append(f"• {bold(text.gettext(title))}: {text.gettext(how)}")
    return lines
