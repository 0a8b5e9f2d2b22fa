"""Translation: the catalogues of sentences, the names of cards and items, and people's names made safe.

A sentence is written in English where it is used, and looked up in `bot/locale`. May import the standard
library, Babel, structlog, discord.py's escaping, and `engine.cards`.
"""

from __future__ import annotations

import io
import re
import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence
from copy import copy
from datetime import timedelta
from functools import cache, lru_cache
from gettext import GNUTranslations, NullTranslations
from math import ceil
from pathlib import Path
from typing import Final, Literal

import structlog
from babel import Locale, UnknownLocaleError
from babel.lists import format_list
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from babel.numbers import format_decimal, format_percent
from babel.units import format_unit
from discord.utils import escape_markdown, escape_mentions

from engine.cards import Item

#: Where the catalogues are: `<language>/LC_MESSAGES/lastlap.po` below it.
LOCALES: Final = Path(__file__).parents[2] / "locale"
#: The English of the sentences: no comma before the "and" of a list.
ENGLISH: Final = Locale("en", "GB")
#: Languages whose "and" depends on the name that follows; their lists are joined by commas alone.
_BY_COMMAS: Final = frozenset({"cy"})
#: How many characters of a name are shown.
NAME_WIDTH: Final = 20

log = structlog.get_logger(__name__)


def N_(msgid: str) -> str:  # noqa: N802  # the name that gettext's own tools know
    """Mark a sentence for translation where it stands in a table; `Text.gettext` translates it later."""
    return msgid


#: Buttons that everybody sees, by the placeholder that stands for their word in a sentence.
PUBLIC_LABELS: Final = {
    # Translators: a button in the lobby that leads to the list of computer players.
    "add_cpu": N_("Add CPU"),
    # Translators: a button that shows the sum of a round card by card.
    "details": N_("Details"),
    # Translators: a button: take a seat at this table.
    "join": N_("Join"),
    # Translators: a button: play the very card that lies on top out of turn (a house rule).
    "jump_in": N_("Jump in"),
    # Translators: a button that shows me the cards I hold.
    "my_hand": N_("My hand"),
    # Translators: a button: deal the next round of this match.
    "next_hand": N_("Next hand"),
    # Translators: a button under a finished match: the same people play another.
    "rematch": N_("Rematch"),
    # Translators: a button of the host: let the clock of a paused table run again.
    "resume": N_("Resume"),
    # Translators: a button that shows rules.
    "rules": N_("Rules"),
    # Translators: a button of the host: begin the match.
    "start": N_("Start"),
}
#: Buttons of the hand, which is in the person's own language, likewise.
OWN_LABELS: Final = {
    # Translators: a button, called out to whoever has one card left and has not said UNO.
    "catch": N_("Catch!"),
    # Translators: a button: take a card from the pile.
    "draw": N_("Draw"),
    # Translators: a button: keep the card that I drew, and do not play it.
    "keep": N_("Keep"),
    # Translators: a button that leads to further buttons.
    "more": N_("More"),
    # Translators: a button: post the message with the table anew at the bottom of the channel.
    "table_here": N_("Table here"),
    # Translators: a button: say UNO.
    "uno": N_("UNO!"),
}


def bold(words: object) -> str:
    """Return words in bold type."""
    return f"**{words}**"


class Text:
    """The sentences of one language, and how it writes lists, numbers and durations."""

    def __init__(self, locale: str | None = None, catalogue: NullTranslations | None = None) -> None:
        """Take the catalogue for a locale as Discord spells it; without one the language is English."""
        if catalogue is None:
            name = _catalogue_of(locale)
            self._catalogue = read_catalogue(locale)
            self._locale = ENGLISH if name is None else _conventions(locale, name)
        else:
            self._catalogue = catalogue
            self._locale = _conventions(locale, "en_GB")
        #: The language as it was asked for.
        self.key = locale or ""
        self._unfilled: set[str] = set()
        self._public = self

    def beside(self, public: Text) -> Text:
        """Return the same sentences, in which the buttons at a table are called as they are there."""
        text = copy(self)
        text._public = public  # noqa: SLF001  # its own kind
        return text

    def label(self, name: str) -> str:
        """Return the word on a button, by its key in `LABELS`; raises KeyError for another."""
        if name in PUBLIC_LABELS:
            return self._public._catalogue.gettext(PUBLIC_LABELS[name])  # noqa: SLF001  # its own kind
        return self._catalogue.gettext(OWN_LABELS[name])

    def gettext(self, msgid: str, /, **values: object) -> str:
        """Return a whole sentence translated, with its named placeholders filled in.

        A number and a duration are written as the language does.
        """
        return self._fill(self._catalogue.gettext(msgid), msgid, values)

    def ngettext(self, singular: str, plural: str, number: int, /, **values: object) -> str:
        """Return a whole sentence about a number, which fills the placeholder {number}."""
        english = singular if number == 1 else plural
        translated = self._catalogue.ngettext(singular, plural, number)
        return self._fill(translated, english, {"number": number, **values})

    def pgettext(self, context: str, msgid: str, /, **values: object) -> str:
        """Return what has a translation of its own in this context."""
        return self._fill(self._catalogue.pgettext(context, msgid), msgid, values)

    def _fill(self, translated: str, english: str, values: Mapping[str, object]) -> str:
        """Fill in the placeholders of a sentence; English where the translation cannot be filled in."""
        shown = _Values(self)
        for name, value in values.items():
            if isinstance(value, timedelta):
                shown[name] = self.duration(ceil(value.total_seconds()))
            else:
                shown[name] = self.number(value) if isinstance(value, int) else value
        try:
            return translated.format_map(shown)
        except (LookupError, ValueError, AttributeError, TypeError) as error:
            if translated == english:
                raise
            if english not in self._unfilled:
                self._unfilled.add(english)
                log.warning(
                    "sentence_not_filled", language=str(self._locale), sentence=english, problem=repr(error)
                )
            return english.format_map(shown)

    def join(self, parts: Sequence[str]) -> str:
        """Join names as the language does: "Ann, Bob and Cy"."""
        if self._locale.language in _BY_COMMAS:
            return ", ".join(parts)
        return format_list(parts, locale=self._locale)

    def number(self, number: int) -> str:
        """Return a number as the language writes it: "1,234"."""
        return _number(number, self._locale)

    @property
    def is_english(self) -> bool:
        """Whether these are the sentences as they stand in the code."""
        return self._locale == ENGLISH

    def decimal(self, number: float) -> str:
        """Return a number with one decimal: "12.3"."""
        return format_decimal(number, format="#,##0.0", locale=self._locale)

    def percent(self, share: float) -> str:
        """Return a share of one in hundreds: "42%"."""
        return format_percent(share, locale=self._locale)

    def duration(self, seconds: int, length: Literal["long", "short"] = "long") -> str:
        """Return a duration in its largest whole unit: "90 seconds", "2 minutes"; "2 mins" if short."""
        whole = ((unit, size) for unit, size in _UNITS if seconds and not seconds % size)
        unit, size = next(whole, ("second", 1))
        return format_unit(seconds // size, f"duration-{unit}", length=length, locale=self._locale)


class _Values(dict[str, object]):
    """The values of placeholders; those that name a button, and were not given, are the word on it."""

    def __init__(self, text: Text) -> None:
        super().__init__()
        self._text = text

    def __missing__(self, name: str) -> str:
        return self._text.label(name)


#: Units of a duration and their seconds, the largest first.
_UNITS: Final = (("day", 86_400), ("hour", 3_600), ("minute", 60))


@lru_cache(maxsize=4096)
def _number(number: int, locale: Locale) -> str:
    return format_decimal(number, locale=locale)


def _catalogue_of(locale: str | None) -> str | None:
    """Return the name of the catalogue for a locale, or for its language; None where there is neither."""
    spelt = (locale or "").replace("-", "_")
    for name in (spelt, spelt.partition("_")[0]):
        if re.fullmatch(r"[A-Za-z]+(_[A-Za-z0-9]+)?", name) and _path(name).is_file():
            return name
    return None


def _conventions(locale: str | None, name: str) -> Locale:
    """Return how a locale writes lists and numbers; that of its catalogue where it is not known."""
    try:
        return Locale.parse(locale or "", sep="-")
    except (UnknownLocaleError, ValueError):
        return Locale.parse(name)


def _path(name: str) -> Path:
    return LOCALES / name / "LC_MESSAGES" / "lastlap.po"


def read_catalogue(locale: str | None) -> NullTranslations:
    """Return the catalogue for a locale, or for its language; an empty one where there is neither."""
    name = _catalogue_of(locale)
    if name is None:
        return NullTranslations()
    compiled = io.BytesIO()
    with _path(name).open("rb") as file:
        write_mo(compiled, read_po(file, locale=name))
    compiled.seek(0)
    return GNUTranslations(compiled)


def _languages() -> dict[str, str]:
    names = sorted(path.parents[1].name for path in LOCALES.glob("*/LC_MESSAGES/lastlap.po"))
    found = {"en": "English"}
    for name in names:
        language = Locale.parse(name)
        found[name.replace("_", "-")] = str(language.get_display_name(language) or name)
    return found


#: The languages there are, each by its own name; keys as Discord spells locales.
LANGUAGES: Final = _languages()


@cache
def text_for(locale: str | None) -> Text:
    """Return the sentences for a locale as Discord spells it, such as `en-GB`; read once."""
    return Text(locale)


# --- cards


_FACES: Final = (
    (
        *(N_("Red 0"), N_("Red 1"), N_("Red 2"), N_("Red 3"), N_("Red 4"), N_("Red 5")),
        *(N_("Red 6"), N_("Red 7"), N_("Red 8"), N_("Red 9")),
        *(N_("Red Skip"), N_("Red Reverse"), N_("Red Draw Two")),
    )
    + (
        *(N_("Yellow 0"), N_("Yellow 1"), N_("Yellow 2"), N_("Yellow 3"), N_("Yellow 4")),
        *(N_("Yellow 5"), N_("Yellow 6"), N_("Yellow 7"), N_("Yellow 8"), N_("Yellow 9")),
        *(N_("Yellow Skip"), N_("Yellow Reverse"), N_("Yellow Draw Two")),
    )
    + (
        *(N_("Green 0"), N_("Green 1"), N_("Green 2"), N_("Green 3"), N_("Green 4")),
        *(N_("Green 5"), N_("Green 6"), N_("Green 7"), N_("Green 8"), N_("Green 9")),
        *(N_("Green Skip"), N_("Green Reverse"), N_("Green Draw Two")),
    )
    + (
        *(N_("Blue 0"), N_("Blue 1"), N_("Blue 2"), N_("Blue 3"), N_("Blue 4"), N_("Blue 5")),
        *(N_("Blue 6"), N_("Blue 7"), N_("Blue 8"), N_("Blue 9")),
        *(N_("Blue Skip"), N_("Blue Reverse"), N_("Blue Draw Two")),
    )
    + (N_("Wild Draw Four"), N_("Wild Item Box"))
)
_COLOURS: Final = (N_("Red"), N_("Yellow"), N_("Green"), N_("Blue"))
_ITEMS: Final = {
    Item.MUSHROOM: N_("Mushroom"),
    Item.BANANA_PEEL: N_("Banana Peel"),
    Item.GREEN_SHELL: N_("Green Shell"),
    Item.LIGHTNING: N_("Lightning"),
    Item.BOB_OMB: N_("Bob-omb"),
}


def face(text: Text, card: int) -> str:
    """Return the name of a card: "Red 7", "Blue Draw Two", "Wild Item Box"."""
    return text.gettext(_FACES[card])


def colour(text: Text, number: int) -> str:
    """Return the name of a colour (0-3)."""
    return text.gettext(_COLOURS[number])


def item(text: Text, which: Item) -> str:
    """Return the name of an item."""
    return text.gettext(_ITEMS[which])


# --- people's names

# Looks empty, and has a category of something to be seen.
_BLANK: Final = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
_HIDDEN: Final = frozenset({"Cc", "Cf", "Cs", "Co"})
_RIGHT_TO_LEFT: Final = frozenset({"R", "AL", "AN"})
#: How many names are remembered as they are shown: each is shown many times in a hand.
_NAMES: Final = 4096


@lru_cache(_NAMES)
def _visible(name: str) -> str:
    """Remove what cannot be seen, turns the text round, or grows over its neighbours."""
    kept: list[str] = []
    marks = 0
    for char in " ".join(name.split()):
        category = unicodedata.category(char)
        marks = marks + 1 if category in ("Mn", "Me") else 0
        floating = marks > 0 and (not kept or kept[-1] == " " or marks > 2)
        if not (category in _HIDDEN or char in _BLANK or floating):
            kept.append(char)
    return " ".join("".join(kept).split())


@lru_cache(_NAMES)
def plain_name(name: str, width: int = NAME_WIDTH, empty: str = "?") -> str:
    """Return a name for a button, where there is no markdown: visible, one line, at most `width` characters.

    `empty` stands for a name of which nothing can be seen. A name written from right to left gets marks that
    keep it from turning the rest of the line round.
    """
    seen = _visible(name) or empty
    if len(seen) > width:
        seen = seen[: width - 1].rstrip() + "…"
    if any(unicodedata.bidirectional(char) in _RIGHT_TO_LEFT for char in seen):
        return f"\u2068{seen}\u2069"
    return seen


@lru_cache(_NAMES)
def safe_name(name: str, width: int = NAME_WIDTH, empty: str = "?") -> str:
    """Return a name for a text: as `plain_name`, without markdown, links and mentions."""
    seen = plain_name(name, width, empty).replace("](", "]\u200b(").replace("://", ":\u200b//")
    seen = escape_mentions(escape_markdown(seen, ignore_links=False)).replace("<", "\\<")
    return re.sub(r"^([0-9]+)\.", r"\1\\.", seen)


class Players:
    """The names at one table, by seat; names that look the same get the number of their seat."""

    def __init__(self, text: Text, names: Sequence[str]) -> None:
        empty = [text.gettext("Player {number}", number=seat + 1) for seat in range(len(names))]
        seen = [plain_name(name, empty=empty[seat]) for seat, name in enumerate(names)]
        alike = Counter(name.casefold() for name in seen)
        twins = [
            f" ({seat + 1})" if alike[name.casefold()] > 1 and _visible(names[seat]) else ""
            for seat, name in enumerate(seen)
        ]
        self._plain = [name + twin for name, twin in zip(seen, twins, strict=True)]
        self._safe = [safe_name(name, empty=empty[s]) + twins[s] for s, name in enumerate(names)]

    def __getitem__(self, seat: int) -> str:
        """Return the name of a seat for a text."""
        return self._safe[seat]

    def plain(self, seat: int) -> str:
        """Return the name of a seat for a button."""
        return self._plain[seat]

    def join(self, text: Text, seats: Sequence[int]) -> str:
        """Join the names of seats as the language does."""
        return text.join([self._safe[seat] for seat in seats])
