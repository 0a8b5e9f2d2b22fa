"""The picture of a match's standings. May import Pillow, and `lettering` and `pictures` from `bot.ui.kit`."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from PIL import Image, ImageDraw

from bot.ui.kit.lettering import write
from bot.ui.kit.pictures import BRIGHT, INK, PALE, WHITE

WIDTH: Final = 720
_MARGIN: Final = 28
_HEAD: Final = 96
_ROW: Final = 46
_FOOT: Final = 44
#: The checkered edge at the top.
_SQUARE: Final = 12
_RANK_WIDTH: Final = 56
_STRIPE: Final = "#262933"


@dataclass(frozen=True, slots=True)
class Row:
    """A line of the standings: the rank, the name, and what the player has at the end."""

    rank: str
    name: str
    points: str
    won: bool = False


def draw_standings(title: str, rows: Sequence[Row], footer: str) -> bytes:
    """Draw the standings of a match as a PNG file, WIDTH pixels wide; takes some 20 ms."""
    image = Image.new("RGB", (WIDTH, _HEAD + _ROW * len(rows) + _FOOT), INK)
    draw = ImageDraw.Draw(image)
    for x in range(0, WIDTH, _SQUARE):
        y = x % (2 * _SQUARE)
        draw.rectangle((x, y, x + _SQUARE - 1, y + _SQUARE - 1), WHITE)
    write(draw, (_MARGIN, _HEAD // 2 + _SQUARE), title, (30, True), WHITE, WIDTH - 2 * _MARGIN)
    for number, row in enumerate(rows):
        _draw_row(draw, _HEAD + number * _ROW, row, striped=number % 2 == 0)
    write(draw, (_MARGIN, image.height - _FOOT // 2), footer, (18, False), PALE, WIDTH - 2 * _MARGIN)
    file = io.BytesIO()
    image.save(file, "PNG", compress_level=1)
    return file.getvalue()


def _draw_row(draw: ImageDraw.ImageDraw, top: int, row: Row, *, striped: bool) -> None:
    middle, ink = top + _ROW // 2, BRIGHT["yellow"] if row.won else WHITE
    if striped:
        draw.rectangle((0, top, WIDTH, top + _ROW - 1), _STRIPE)
    if row.won:
        draw.rectangle((0, top, 7, top + _ROW - 1), BRIGHT["yellow"])
    write(draw, (_MARGIN, middle), row.rank, (24, True), ink, _RANK_WIDTH)
    taken = write(draw, (WIDTH - _MARGIN, middle), row.points, (22, False), ink, WIDTH // 2, anchor="rm")
    room = WIDTH - 2 * _MARGIN - _RANK_WIDTH - taken - _MARGIN
    write(draw, (_MARGIN + _RANK_WIDTH, middle), row.name, (24, False), ink, room)
