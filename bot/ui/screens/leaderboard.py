"""The leaderboard of a server. May import `discord`, `bot.tallies`, `bot.ui.kit` and `bot.ui.text`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Protocol

import discord
from discord import ButtonStyle

from bot.tallies.boards import LEAST_HANDS, PARTS, By, Turn
from bot.tallies.periods import Period
from bot.ui.kit.custom_ids import CustomId, Verb
from bot.ui.kit.emoji import Emojis
from bot.ui.kit.layout import Row, Words, button, fit, menu, option, screen
from bot.ui.text.translation import N_, Text, bold, safe_name

#: What each board is called, and each period.
_BY: Final = {
    By.POINTS: N_("Points"),
    By.HANDS: N_("Hands won"),
    By.MATCHES: N_("Matches won"),
    By.RATE: N_("Win rate"),
    By.AVERAGE: N_("Average points"),
    By.SKILL: N_("Skill"),
}
_PERIODS: Final = {
    Period.ALL: N_("All time"),
    Period.MONTH: N_("This month"),
    Period.WEEK: N_("This week"),
    Period.SEASON: N_("This season"),
}
#: The periods for which skill is worked out.
OF_SKILL: Final = (Period.ALL, Period.SEASON)
#: Stands before the reader's own line.
_OWN: Final = "▸"
_MOST_WORDS: Final = 3000


class Line(Protocol):
    """One person's line; equal results have the same rank."""

    @property
    def rank(self) -> int | None:
        """The rank, 1 for the first; None for somebody who does not stand on the board."""

    @property
    def user_id(self) -> int:
        """Whose line it is."""

    @property
    def name(self) -> str:
        """The last known name, raw."""

    @property
    def points(self) -> int:
        """Points of all hands won."""

    @property
    def hands_won(self) -> int:
        """Hands won."""

    @property
    def hands(self) -> int:
        """Hands played to the end."""

    @property
    def matches(self) -> int:
        """Matches played to the end, or forfeited."""

    @property
    def matches_won(self) -> int:
        """Matches won."""

    @property
    def others(self) -> int:
        """How many different people they have met."""

    @property
    def average(self) -> int | None:
        """Points a hand, in millionths."""

    @property
    def skill(self) -> int | None:
        """The lower bound of what is believed of them."""

    @property
    def settled(self) -> bool:
        """Whether enough is known of their skill."""


class Page(Protocol):
    """A page of a board."""

    @property
    def lines(self) -> Sequence[Line]:
        """The lines, the best first."""

    @property
    def own(self) -> Line | None:
        """The reader's line, None if they have no results in this period."""

    @property
    def more(self) -> bool:
        """Whether lines follow."""

    @property
    def earlier(self) -> bool:
        """Whether lines come before."""

    @property
    def others_needed(self) -> int:
        """How many different people somebody has to have met to stand on the board."""


def leaderboard_screen(
    text: Text,
    emojis: Emojis,
    page: Page,
    by: By = By.POINTS,
    period: Period = Period.ALL,
    closed: tuple[int, Sequence[tuple[By, int, str]]] | None = None,
) -> discord.ui.LayoutView:
    """Return a page of the leaderboard, with what leads to all others.

    `closed` is the number of the season closed last, and its champions: board, person, last known name.
    """
    name = text.gettext("Leaderboard of this server")
    heading = f"### {emojis['flag']} {name}\n-# {text.gettext(_BY[by])} · {text.gettext(_PERIODS[period])}"
    lines = [words for line in page.lines for words in _line(text, line, by, own=_is_own(line, page))]
    own = page.own
    off_page = (
        own is not None and own.rank is not None and not any(_is_own(line, page) for line in page.lines)
    )
    if off_page and own is not None:
        lines += ["…", *_line(text, own, by, own=True)]
    return screen(
        Words(heading),
        Words(fit(lines, _MOST_WORDS) if lines else text.gettext(_EMPTY)),
        *([] if closed is None else [Words(fit(champions(text, *closed), 1000))]),
        Words("\n".join(f"-# {words}" for words in _footer(text, page, by))),
        *_menus(text, by, period),
        Row(*_buttons(text, page, by, period)),
    )


def champions(text: Text, season: int, named: Sequence[tuple[By, int, str]]) -> list[str]:
    """Name who led each board of a closed season, somebody who was forgotten without a name."""
    if not named:
        return []
    lines = [bold(text.gettext("Champions of season {number}", number=text.number(season)))]
    for by, title in _BY.items():
        names = [
            text.gettext("a player who was forgotten")
            if user < 0
            else safe_name(name, width=16, empty=text.gettext("Somebody"))
            for board, user, name in named
            if board is by
        ]
        if names:
            lines.append(
                text.gettext("{board}: {players}", board=text.gettext(title), players=text.join(names[:3]))
            )
    return lines


#: Hands of one person against computer players are not ranked.
_EMPTY: Final = N_(
    "No hand has been finished here yet by two people or more; hands against computers alone do not count. "
    "Start one: /uno start"
)


def _is_own(line: Line, page: Page) -> bool:
    return page.own is not None and line.user_id == page.own.user_id


# --- lines


def _line(text: Text, line: Line, by: By, *, own: bool) -> tuple[str, str]:
    name = safe_name(line.name, empty=text.gettext("Somebody"))
    rank = bold(text.number(line.rank or 0))
    first = _result(text, line, by, rank, bold(name) if own else name)
    return f"{_OWN} {first}" if own else first, f"-# {_besides(text, line, by)}"


def _result(text: Text, line: Line, by: By, rank: str, player: str) -> str:
    """Return what somebody stands on a board by."""
    who = {"rank": rank, "player": player}
    if by is By.HANDS:
        return text.ngettext(
            "{rank} · {player}: {number} hand won",
            "{rank} · {player}: {number} hands won",
            line.hands_won,
            **who,
        )
    if by is By.MATCHES:
        return text.ngettext(
            "{rank} · {player}: {number} match won",
            "{rank} · {player}: {number} matches won",
            line.matches_won,
            **who,
        )
    if by is By.RATE:
        share = text.percent(line.hands_won / max(1, line.hands))
        return text.gettext("{rank} · {player}: {share} of hands won", share=share, **who)
    if by is By.AVERAGE:
        average = text.decimal((line.average or 0) / PARTS)
        return text.gettext("{rank} · {player}: {average} points a hand", average=average, **who)
    if by is By.SKILL:
        skill = text.number(line.skill or 0) + ("" if line.settled else "?")
        return text.gettext("{rank} · {player}: {skill}", skill=skill, **who)
    return text.ngettext(
        "{rank} · {player}: {number} point", "{rank} · {player}: {number} points", line.points, **who
    )


def _besides(text: Text, line: Line, by: By) -> str:
    """Return what else is told of somebody."""
    if by is By.HANDS:
        return text.ngettext("{number} hand played", "{number} hands played", line.hands)
    if by in (By.MATCHES, By.SKILL):
        return text.ngettext(
            "{won} of {number} match won", "{won} of {number} matches won", line.matches, won=line.matches_won
        )
    return text.ngettext(
        "{won} of {number} hand won", "{won} of {number} hands won", line.hands, won=line.hands_won
    )


def _footer(text: Text, page: Page, by: By) -> list[str]:
    """Say what counts, and why the reader is not on the board."""
    counts = text.gettext("Counted: hands and matches with at least two people.")
    listed = text.ngettext(
        "Listed: anyone who has played with {number} other person.",
        "Listed: anyone who has played with {number} different people.",
        page.others_needed,
    )
    said = [f"{counts} {listed}"]
    if by is By.SKILL:
        said.append(text.gettext("? means too few matches to be sure, or none for two months."))
    own = page.own
    if own is None or own.rank is not None:
        return said
    if own.others < page.others_needed:
        said.append(
            text.ngettext(
                "You're not listed yet: you have played with {number} other person.",
                "You're not listed yet: you have played with {number} different people.",
                own.others,
            )
        )
    elif by is By.AVERAGE:
        said.append(
            text.ngettext(
                "You're not listed yet: an average takes {least} hands, and you have played {number}.",
                "You're not listed yet: an average takes {least} hands, and you have played {number}.",
                own.hands,
                least=LEAST_HANDS,
            )
        )
    else:
        said.append(text.gettext("You're not listed yet: you haven't finished a match."))
    return said


# --- what leads elsewhere


def _menus(text: Text, by: By, period: Period) -> list[discord.ui.Item[discord.ui.LayoutView]]:
    periods = OF_SKILL if by is By.SKILL else tuple(Period)
    return [
        menu(
            text.gettext("Ordered by"),
            CustomId(0, 0, Verb.BOARD, ("by", period)),
            [option(text.gettext(name), each, chosen=each is by) for each, name in _BY.items()],
        ),
        menu(
            text.gettext("Period"),
            CustomId(0, 0, Verb.BOARD, ("period", by)),
            [option(text.gettext(_PERIODS[each]), each, chosen=each is period) for each in periods],
        ),
    ]


def _buttons(
    text: Text, page: Page, by: By, period: Period
) -> list[discord.ui.Button[discord.ui.LayoutView]]:
    def turn(
        label: str, kind: Turn, line: Line | None, *, possible: bool
    ) -> discord.ui.Button[discord.ui.LayoutView]:
        args = (by, period, kind) if line is None else (by, period, kind, str(line.user_id))
        return button(text.gettext(label), CustomId(0, 0, Verb.BOARD, args), disabled=not possible)

    first, last = (page.lines[0], page.lines[-1]) if page.lines else (None, None)
    listed = page.own is not None and page.own.rank is not None
    own = button(
        text.gettext("My rank"),
        CustomId(0, 0, Verb.BOARD, (by, period, Turn.OWN)),
        ButtonStyle.primary,
        disabled=not listed,
    )
    earlier = turn(N_("Back"), Turn.FIRST if first is None else Turn.BEFORE, first, possible=page.earlier)
    following = turn(N_("Next"), Turn.FIRST if last is None else Turn.AFTER, last, possible=page.more)
    if first is None:
        return [own]
    return [earlier, own, following]
