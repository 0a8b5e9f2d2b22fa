"""The letters of pictures that have words in them. May import Pillow."""

from __future__ import annotations

from functools import cache

from PIL import ImageFont

Font = ImageFont.FreeTypeFont | ImageFont.ImageFont


@cache
def font(size: int) -> Font:
    """Return the font of all pictures at a size in pixels."""
    return ImageFont.load_default(size)


def drawable(words: str) -> str:
    """Return words without what the font has no letter for, such as emojis."""
    kept = "".join(char for char in words if char == " " or _has(char))
    return " ".join(kept.split())


@cache
def _has(char: str) -> bool:
    return _picture(char) != _picture("\uffff")


def _picture(char: str) -> bytes:
    return bytes(font(24).getmask(char))
