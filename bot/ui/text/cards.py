"""Many cards in few words, by colour; each colour has its name, so that nobody has to see it.

May import `engine.cards`, `bot.ui.kit.emoji`, and `translation` from `bot.ui.text`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from itertools import groupby
from typing import Final

from bot.ui.kit.emoji import Emojis
from bot.ui.text.translation import N_, Text, bold, colour, face
from engine.cards import (
    CODE,
    COLOUR,
    COLOUR_NAMES,
    DRAW_TWO,
    NO_COLOUR,
    POINTS,
    RANK,
    REVERSE,
    SKIP,
    WILD_FOUR,
)

_SYMBOLS: Final = {
    # Translators: a card without its colour, as in "Red Skip".
    SKIP: N_("Skip"),
    # Translators: a card without its colour, as in "Red Reverse".
    REVERSE: N_("Reverse"),
    # Translators: a card without its colour, as in "Red Draw Two".
    DRAW_TWO: N_("Draw Two"),
}
_FIRM: Final = "\N{NO-BREAK SPACE}"
_WILDS: Final = (
    # Translators: the Wild Draw Four in a list that is headed "Wild".
    N_("Draw Four"),
    # Translators: the Wild Item Box in a list that is headed "Wild".
    N_("Item Box"),
)


def symbol(text: Text, card: int) -> str:
    """Return the name of a card without its colour: "7", "Skip", "Item Box"."""
    if card >= WILD_FOUR:
        return text.gettext(_WILDS[card - WILD_FOUR])
    rank = RANK[card]
    return text.gettext(_SYMBOLS[rank]) if rank in _SYMBOLS else str(rank)


def times(words: str, number: int) -> str:
    """Add the number of cards where there are several: "7 ×2"."""
    return f"{words} ×{number}" if number > 1 else words


def by_colour(text: Text, emojis: Emojis, cards: Iterable[int]) -> list[str]:
    """Return one line for each colour: "Red: 1 · 7 ×2 · Skip"."""
    counts = Counter(cards)
    lines = _lines(text, counts, lambda card: times(symbol(text, card), counts[card]))
    return [f"{emojis[name]} {line}" for name, line in lines.items()]


def in_pictures(emojis: Emojis, cards: Iterable[int]) -> str | None:
    """Return cards as their pictures by colour, equal ones once: "🂠 🂡×2"; None where a picture is missing."""
    counts = Counter(cards)
    if not counts or any(emojis.url(CODE[card]) is None for card in counts):
        return None
    # No space before the number: no line ends between a card and how often it is there.
    colours = (
        " ".join(times(str(emojis[CODE[card]]), counts[card]).replace(" ×", "×") for card in group)
        for _, group in groupby(sorted(counts), key=lambda card: COLOUR[card])
    )
    return "\N{EM SPACE}".join(colours)


def laid(text: Text, card: int, named: int | None) -> str:
    """Return the name of the top card, with the colour that was named on a wild."""
    if card < WILD_FOUR or named is None:
        return face(text, card)
    return text.gettext("{card} ({colour})", card=face(text, card), colour=colour(text, named))


def sums(text: Text, cards: Iterable[int]) -> list[str]:
    """Return one line for each colour, with what cards are worth: "Red: 1 · 7 ×2 (14) · Skip (20)"."""
    counts = Counter(cards)
    lines = _lines(
        text,
        counts,
        lambda card: _worth(times(symbol(text, card), counts[card]), card, counts[card]),
    )
    return list(lines.values())


def compactly(text: Text, cards: Iterable[int], most: int) -> str:
    """Return cards in one line, by colour; of more than `most` different ones those that are worth most."""
    counts = Counter(cards)
    dear = sorted(counts, key=lambda card: (-POINTS[card], CODE[card]))
    shown = {card: counts[card] for card in dear[:most]}
    lines = list(_lines(text, shown, lambda card: times(symbol(text, card), shown[card])).values())
    # On a phone no line ends within a card.
    lines = [line.replace(" ", _FIRM).replace(f"{_FIRM}·{_FIRM}", " · ") for line in lines]
    if more := sum(counts[card] for card in dear[most:]):
        # Translators: {cards} is a list, of which {number} more can be seen by pressing {details}.
        return text.ngettext(
            "{cards}; {number} more in {details}",
            "{cards}; {number} more in {details}",
            more,
            cards="; ".join(lines),
        )
    return "; ".join(lines)


def _worth(written: str, card: int, count: int) -> str:
    """Add what cards are worth, where their face does not say so."""
    return written if count == 1 and RANK[card] < SKIP else f"{written} ({POINTS[card] * count})"


def _lines(text: Text, counts: Mapping[int, int], write: Callable[[int], str]) -> dict[str, str]:
    """Return one line for each colour, by the key of its emoji."""
    lines = {}
    for number, group in groupby(sorted(counts), key=lambda card: COLOUR[card]):
        # Translators: the heading of a list of wild cards, as "Red" is of the red ones.
        name = text.gettext("Wild") if number == NO_COLOUR else colour(text, number)
        key = "wild" if number == NO_COLOUR else COLOUR_NAMES[number]
        written = " · ".join(write(card) for card in group)
        # Translators: {colour} is the name of a colour, {cards} a list such as "1 · 7 ×2 · Skip".
        lines[key] = text.gettext("{colour}: {cards}", colour=bold(name), cards=written)
    return lines


def briefly(text: Text, cards: Iterable[int], most: int) -> str:
    """Return the names of the `most` different cards that are worth most, and how many more there are."""
    counts = Counter(cards)
    dear = sorted(counts, key=lambda card: (-POINTS[card], CODE[card]))
    words = " · ".join(times(face(text, card), counts[card]) for card in dear[:most])
    if more := sum(counts[card] for card in dear[most:]):
        # Translators: {cards} is a list of cards, and there are {number} more.
        return text.ngettext("{cards} · {number} more", "{cards} · {number} more", more, cards=words)
    return words
