"""The picture of a person's profile. May import Pillow, and `lettering` and `pictures` from `bot.ui.kit`."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import Final

from PIL import Image, ImageDraw

from bot.ui.kit.lettering import write
from bot.ui.kit.pictures import BRIGHT, INK, PALE, WHITE

WIDTH: Final = 720
HEIGHT: Final = 520
_MARGIN: Final = 28
#: The checkered edge at the top.
_SQUARE: Final = 12
_STRIPE: Final = "#262933"
#: The figures, in rows of three below the name.
_IN_A_ROW: Final = 3
_FIGURES_AT: Final = 96
_FIGURE: Final = 72
#: The plot: left, top, right, bottom; drawn twice as large, so that its line is smooth.
_PLOT: Final = (_MARGIN, 284, WIDTH - _MARGIN, 464)
_FINE: Final = 2
#: The most points of the line.
_MOST: Final = 200


def draw_card(
    name: str, figures: Sequence[tuple[str, str]], plot: str, course: Sequence[int], footer: str
) -> bytes:
    """Draw a profile as a PNG file, WIDTH by HEIGHT pixels; takes some 20 ms.

    `figures` are at most six words and values, `plot` says what `course` is, which rises from 0.
    """
    image = Image.new("RGB", (WIDTH, HEIGHT), INK)
    draw = ImageDraw.Draw(image)
    for x in range(0, WIDTH, _SQUARE):
        y = x % (2 * _SQUARE)
        draw.rectangle((x, y, x + _SQUARE - 1, y + _SQUARE - 1), WHITE)
    room = WIDTH - 2 * _MARGIN
    write(draw, (_MARGIN, _FIGURES_AT // 2 + _SQUARE), name, (32, True), WHITE, room)
    for number, (word, value) in enumerate(figures):
        row, column = divmod(number, _IN_A_ROW)
        left, top = _MARGIN + column * room // _IN_A_ROW, _FIGURES_AT + row * _FIGURE
        write(draw, (left, top + 20), value, (30, True), BRIGHT["yellow"], room // _IN_A_ROW - 12)
        write(draw, (left, top + 50), word, (18, False), PALE, room // _IN_A_ROW - 12)
    write(draw, (_MARGIN, _PLOT[1] - 22), plot, (18, False), PALE, room)
    image.paste(_draw_plot(course), _PLOT[:2])
    write(draw, (_MARGIN, (_PLOT[3] + HEIGHT) // 2), footer, (18, False), PALE, room)
    file = io.BytesIO()
    image.save(file, "PNG", compress_level=1)
    return file.getvalue()


def _draw_plot(course: Sequence[int]) -> Image.Image:
    """Draw a line from 0 to the last value, and the area below it."""
    size = (_PLOT[2] - _PLOT[0], _PLOT[3] - _PLOT[1])
    width, height = size[0] * _FINE, size[1] * _FINE
    image = Image.new("RGB", (width, height), _STRIPE)
    draw = ImageDraw.Draw(image)
    edge = 6 * _FINE
    values = [0, *course]
    if len(values) > _MOST:
        values = [values[at * (len(values) - 1) // (_MOST - 1)] for at in range(_MOST)]
    most, last = max(1, values[-1]), max(1, len(values) - 1)
    points = [
        (
            edge + at * (width - 2 * edge) // last,
            height - edge - value * (height - 2 * edge) // most,
        )
        for at, value in enumerate(values)
    ]
    draw.polygon([(points[0][0], height), *points, (points[-1][0], height)], "#3B404F")
    draw.line(points, WHITE, 3 * _FINE, joint="curve")
    x, y = points[-1]
    draw.ellipse((x - edge, y - edge, x + edge, y + edge), BRIGHT["yellow"])
    return image.resize(size, Image.Resampling.BOX)
