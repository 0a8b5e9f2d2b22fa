"""The font for words in pictures, which has the letters of every catalogue and is shipped with the bot.

It has no arrows, emojis and scripts other than Latin, Greek and Cyrillic. May import Pillow.
"""

from __future__ import annotations

from functools import cache, lru_cache
from pathlib import Path
from typing import Final

from PIL import ImageDraw, ImageFont

_FONTS: Final = Path(__file__).parent / "fonts"


@lru_cache(maxsize=32)
def font(size: int, *, bold: bool = False) -> ImageFont.FreeTypeFont:
    """Return the font in a size in pixels; raises OSError where its file is missing."""
    return ImageFont.truetype(_FONTS / f"NotoSans-{'Bold' if bold else 'Regular'}.ttf", size)


def write(
    draw: ImageDraw.ImageDraw,
    at: tuple[int, int],
    words: str,
    face: tuple[int, bool],
    ink: str,
    room: int,
    *,
    anchor: str = "lm",
) -> int:
    """Write words in one line, smaller or cut where they would be wider than `room`; returns their width.

    `face` is the size of the letters, and whether they are bold.
    """
    size, bold = face
    used = font(size, bold=bold)
    while used.getlength(words) > room and size > 14:
        size -= 2
        used = font(size, bold=bold)
    while used.getlength(words) > room and len(words) > 1:
        words = words[:-2].rstrip() + "…"
    draw.text(at, words, ink, used, anchor)
    return round(used.getlength(words))


def has_letters(words: str) -> bool:
    """Whether the font can write all of this."""
    return all(char.isspace() or _has(char) for char in words)


def drawable(words: str) -> str:
    """Return words without what the font has no letter for, such as emojis."""
    kept = "".join(char for char in words if char == " " or _has(char))
    return " ".join(kept.split())


@cache
def _has(char: str) -> bool:
    return _shape(char) != _shape("\uffff")


def _shape(char: str) -> bytes:
    return bytes(font(24).getmask(char))
