"""Words: the catalogues of sentences, the names of cards and items, and people's names made harmless.

A sentence is written where it is used, as the English one, and looked up in `bot/locale`. May import the
standard library, Babel, discord.py's escaping, and `engine.cards`.
"""

from __future__ import annotations

import io
import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from functools import cache
from gettext import GNUTranslations, NullTranslations
from pathlib import Path
from typing import Final

from babel import Locale
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from discord.utils import escape_markdown, escape_mentions

from engine.cards import Item

#: Where the catalogues are: `<language>/LC_MESSAGES/lastlap.po` below it.
LOCALES: Final = Path(__file__).parents[2] / "locale"
#: How many characters of a name are shown.
NAME_WIDTH: Final = 20


def mark(msgid: str) -> str:
    """Mark a sentence for translation where it stands in a table; `Text.say` translates it later."""
    return msgid


def bold(words: object) -> str:
    """Write words in bold type."""
    return f"**{words}**"


class Text:
    """The sentences of one language."""

    def __init__(self, locale: str | None = None, catalogue: NullTranslations | None = None) -> None:
        """Take the catalogue for a locale as Discord spells it; without one the language is English."""
        self._catalogue = read_catalogue(locale) if catalogue is None else catalogue

    def say(self, msgid: str, /, **values: object) -> str:
        """Translate a whole sentence and fill in its named placeholders."""
        return self._catalogue.gettext(msgid).format(**values)

    def say_n(self, singular: str, plural: str, number: int, /, **values: object) -> str:
        """Translate a whole sentence about a number, which fills the placeholder {number}."""
        return self._catalogue.ngettext(singular, plural, number).format(number=number, **values)

    def join(self, parts: Sequence[str]) -> str:
        """Join names in the language's own way: "Ann, Bob and Cy"."""
        if len(parts) < 2:
            return "".join(parts)
        # Translators: {names} are one or more names with commas between them.
        return self.say("{names} and {name}", names=", ".join(parts[:-1]), name=parts[-1])


def read_catalogue(locale: str | None) -> NullTranslations:
    """Read the catalogue for a locale, or for its language alone; an empty one where there is neither."""
    spelt = (locale or "").replace("-", "_")
    for name in (spelt, spelt.partition("_")[0]):
        path = LOCALES / name / "LC_MESSAGES" / "lastlap.po"
        if re.fullmatch(r"[A-Za-z]+(_[A-Za-z0-9]+)?", name) and path.is_file():
            compiled = io.BytesIO()
            with path.open("rb") as file:
                write_mo(compiled, read_po(file, locale=name))
            compiled.seek(0)
            return GNUTranslations(compiled)
    return NullTranslations()


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
    """Give the sentences for a locale as Discord spells it, such as `en-GB`; read once."""
    return Text(locale)


# --- cards


_FACES: Final = (
    (
        *(mark("Red 0"), mark("Red 1"), mark("Red 2"), mark("Red 3"), mark("Red 4"), mark("Red 5")),
        *(mark("Red 6"), mark("Red 7"), mark("Red 8"), mark("Red 9")),
        *(mark("Red Skip"), mark("Red Reverse"), mark("Red Draw Two")),
    )
    + (
        *(mark("Yellow 0"), mark("Yellow 1"), mark("Yellow 2"), mark("Yellow 3"), mark("Yellow 4")),
        *(mark("Yellow 5"), mark("Yellow 6"), mark("Yellow 7"), mark("Yellow 8"), mark("Yellow 9")),
        *(mark("Yellow Skip"), mark("Yellow Reverse"), mark("Yellow Draw Two")),
    )
    + (
        *(mark("Green 0"), mark("Green 1"), mark("Green 2"), mark("Green 3"), mark("Green 4")),
        *(mark("Green 5"), mark("Green 6"), mark("Green 7"), mark("Green 8"), mark("Green 9")),
        *(mark("Green Skip"), mark("Green Reverse"), mark("Green Draw Two")),
    )
    + (
        *(mark("Blue 0"), mark("Blue 1"), mark("Blue 2"), mark("Blue 3"), mark("Blue 4"), mark("Blue 5")),
        *(mark("Blue 6"), mark("Blue 7"), mark("Blue 8"), mark("Blue 9")),
        *(mark("Blue Skip"), mark("Blue Reverse"), mark("Blue Draw Two")),
    )
    + (mark("Wild Draw Four"), mark("Wild Item Box"))
)
_COLOURS: Final = (mark("Red"), mark("Yellow"), mark("Green"), mark("Blue"))
_ITEMS: Final = {
    Item.MUSHROOM: mark("Mushroom"),
    Item.BANANA_PEEL: mark("Banana Peel"),
    Item.GREEN_SHELL: mark("Green Shell"),
    Item.LIGHTNING: mark("Lightning"),
    Item.BOB_OMB: mark("Bob-omb"),
}


def face(text: Text, card: int) -> str:
    """Name a card: "Red 7", "Blue Draw Two", "Wild Item Box"."""
    return text.say(_FACES[card])


def colour(text: Text, number: int) -> str:
    """Name a colour (0-3)."""
    return text.say(_COLOURS[number])


def item(text: Text, which: Item) -> str:
    """Name an item."""
    return text.say(_ITEMS[which])


# --- people's names

# Looks empty, and has a category of something to be seen.
_BLANK: Final = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
_HIDDEN: Final = frozenset({"Cc", "Cf", "Cs", "Co"})
_RIGHT_TO_LEFT: Final = frozenset({"R", "AL", "AN"})


def _visible(name: str) -> str:
    """Take out of a name whatever cannot be seen, turns the text round, or grows over its neighbours."""
    kept: list[str] = []
    marks = 0
    for char in " ".join(name.split()):
        category = unicodedata.category(char)
        marks = marks + 1 if category in ("Mn", "Me") else 0
        floating = marks > 0 and (not kept or kept[-1] == " " or marks > 2)
        if not (category in _HIDDEN or char in _BLANK or floating):
            kept.append(char)
    return " ".join("".join(kept).split())


def plain_name(name: str, width: int = NAME_WIDTH, empty: str = "?") -> str:
    """Give a name for a button, where nothing is markdown: visible, on one line, at most `width` characters.

    `empty` stands for a name with nothing to be seen in it. A name written from right to left gets marks that
    keep it from turning the rest of the line round.
    """
    seen = _visible(name) or empty
    if len(seen) > width:
        seen = seen[: width - 1].rstrip() + "…"
    if any(unicodedata.bidirectional(char) in _RIGHT_TO_LEFT for char in seen):
        return f"\u2068{seen}\u2069"
    return seen


def safe_name(name: str, width: int = NAME_WIDTH, empty: str = "?") -> str:
    """Give a name for a text: as `plain_name`, and nothing in it is markdown, a link or a mention."""
    seen = plain_name(name, width, empty).replace("](", "]\u200b(").replace("://", ":\u200b//")
    seen = escape_mentions(escape_markdown(seen, ignore_links=False)).replace("<", "\\<")
    return re.sub(r"^([0-9]+)\.", r"\1\\.", seen)


class Players:
    """The names at one table, by seat; two that look the same are told apart by the seat's number."""

    def __init__(self, text: Text, names: Sequence[str]) -> None:
        empty = [text.say("Player {number}", number=seat + 1) for seat in range(len(names))]
        seen = [plain_name(name, empty=empty[seat]) for seat, name in enumerate(names)]
        alike = Counter(name.casefold() for name in seen)
        twins = [
            f" ({seat + 1})" if alike[name.casefold()] > 1 and _visible(names[seat]) else ""
            for seat, name in enumerate(seen)
        ]
        self._plain = [name + twin for name, twin in zip(seen, twins, strict=True)]
        self._safe = [safe_name(name, empty=empty[s]) + twins[s] for s, name in enumerate(names)]

    def __getitem__(self, seat: int) -> str:
        """Give a seat's name for a text."""
        return self._safe[seat]

    def plain(self, seat: int) -> str:
        """Give a seat's name for a button."""
        return self._plain[seat]

    def join(self, text: Text, seats: Sequence[int]) -> str:
        """Join the names of seats as the language does."""
        return text.join([self._safe[seat] for seat in seats])
