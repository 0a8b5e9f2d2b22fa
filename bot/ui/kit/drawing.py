"""A pen for pictures: shapes, digits and item icons as geometry, without fonts or image files.

Coordinates are pixels of the finished picture. May import the standard library and Pillow.
"""

import io
import math
from collections.abc import Callable, Sequence
from itertools import pairwise

from PIL import Image, ImageDraw

Point = tuple[float, float]
Path = list[Point]

OVERSAMPLING = 4
"""How many times larger than the finished picture everything is drawn."""


def arc(x: float, y: float, rx: float, ry: float, start: float, end: float) -> Path:
    """Return points along an ellipse from angle `start` to `end`, in degrees, clockwise from the right."""
    length = math.radians(abs(end - start)) * max(rx, ry)
    steps = max(8, int(length / 4))
    angles = (math.radians(start + (end - start) * i / steps) for i in range(steps + 1))
    return [(x + rx * math.cos(a), y + ry * math.sin(a)) for a in angles]


def curve(a: Point, b: Point, c: Point, d: Point) -> Path:
    """Return points along the cubic Bézier curve from `a` to `d`."""
    points = []
    for i in range(17):
        t = i / 16
        weights = ((1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3)
        points.append(
            (
                sum(w * p[0] for w, p in zip(weights, (a, b, c, d), strict=True)),
                sum(w * p[1] for w, p in zip(weights, (a, b, c, d), strict=True)),
            )
        )
    return points


def polygon(x: float, y: float, radius: float, corners: int, start: float = -90) -> Path:
    """Return the corners of a regular polygon, the first at angle `start`."""
    angles = (math.radians(start + 360 * i / corners) for i in range(corners))
    return [(x + radius * math.cos(a), y + radius * math.sin(a)) for a in angles]


class Pen:
    """A square picture being drawn, larger than it will be so that its edges become smooth."""

    def __init__(self, size: int) -> None:
        self.size = size
        side = size * OVERSAMPLING
        self.image = Image.new("RGBA", (side, side), (0, 0, 0, 0))
        self._draw = ImageDraw.Draw(self.image)

    def disc(self, x: float, y: float, radius: float, fill: str) -> None:
        """Draw a filled circle."""
        k = OVERSAMPLING
        box = ((x - radius) * k, (y - radius) * k, (x + radius) * k, (y + radius) * k)
        self._draw.ellipse(box, fill=fill)

    def line(self, path: Sequence[Point], width: float, fill: str) -> None:
        """Draw a line of `width` with round ends and joints."""
        for (ax, ay), (bx, by) in pairwise(path):
            length = math.hypot(bx - ax, by - ay)
            if length:
                nx, ny = (ay - by) / length * width / 2, (bx - ax) / length * width / 2
                self._fill(
                    [(ax + nx, ay + ny), (bx + nx, by + ny), (bx - nx, by - ny), (ax - nx, ay - ny)], fill
                )
        for x, y in path:
            self.disc(x, y, width / 2, fill)

    def shape(self, path: Sequence[Point], fill: str, rounding: float = 0) -> None:
        """Draw a filled polygon, grown outwards by `rounding` with round corners."""
        self._fill(path, fill)
        if rounding:
            self.line([*path, path[0]], 2 * rounding, fill)

    def plate(self, left: float, top: float, right: float, bottom: float, radius: float, fill: str) -> None:
        """Draw a filled rectangle with round corners."""
        k = OVERSAMPLING
        box = (left * k, top * k, right * k - 1, bottom * k - 1)
        self._draw.rounded_rectangle(box, radius * k, fill=fill)

    def clip(self, mask: "Pen") -> None:
        """Keep only what lies inside the opaque part of `mask`."""
        empty = Image.new("RGBA", self.image.size, (0, 0, 0, 0))
        self.image = Image.composite(self.image, empty, mask.image.getchannel("A"))
        self._draw = ImageDraw.Draw(self.image)

    def add(self, other: "Pen") -> None:
        """Lay another picture of the same size over this one."""
        self.image.alpha_composite(other.image)

    def png(self) -> bytes:
        """Return the finished picture as a PNG file."""
        finished = self.image.resize((self.size, self.size), Image.Resampling.LANCZOS)
        file = io.BytesIO()
        finished.save(file, "PNG", optimize=True)
        return file.getvalue()

    def _fill(self, path: Sequence[Point], fill: str) -> None:
        self._draw.polygon([(x * OVERSAMPLING, y * OVERSAMPLING) for x, y in path], fill=fill)


# Digits: centre lines in a box 100 high and as wide as WIDTHS says.
WIDTHS = {"1": 36, "+": 46, "4": 66, "!": 10}
GLYPHS: dict[str, list[Path]] = {
    "0": [[*arc(31, 31, 31, 31, -180, 0), *arc(31, 69, 31, 31, 0, 180), (0, 31)]],
    "1": [[(4, 20), (34, 0), (34, 100)]],
    "2": [[*arc(30, 30, 30, 30, -165, 40), (2, 100), (62, 100)]],
    "3": [arc(29, 25, 29, 25, -155, 90) + arc(29, 75, 32, 25, -90, 150)],
    "4": [[(46, 100), (46, 0), (0, 68), (66, 68)]],
    "5": [[(56, 0), (10, 0), (6, 45), *arc(29, 69, 32, 31, -132, 150)]],
    "6": [curve((47, 0), (24, 12), (0, 38), (0, 69)) + arc(31, 69, 31, 31, 180, 540)],
    "7": [[(0, 0), (61, 0), (22, 100)]],
    "8": [arc(31, 24, 26, 24, 90, 450) + arc(31, 74, 31, 26, -90, 270)],
    "9": [curve((15, 100), (38, 88), (62, 62), (62, 31)) + arc(31, 31, 31, 31, 0, 360)],
    "+": [[(0, 58), (46, 58)], [(23, 35), (23, 81)]],
    "!": [[(5, 0), (5, 58)], [(5, 100), (5, 100)]],
}


def digits(text: str, x: float, y: float, height: float, gap: float) -> list[Path]:
    """Return the centre lines of `text`, centred at (x, y), with `gap` between two glyphs."""
    k = height / 100
    widths = [WIDTHS.get(glyph, 62) * k for glyph in text]
    left = x - (sum(widths) + gap * (len(text) - 1)) / 2
    paths = []
    for glyph, width in zip(text, widths, strict=True):
        paths += [[(left + px * k, y - height / 2 + py * k) for px, py in path] for path in GLYPHS[glyph]]
        left += width + gap
    return paths


# Item icons: drawn in a box of 100 by 100 about its middle, placed and scaled by `icon`.
class _Placed:
    """A pen that draws in a box of 100 by 100 on another pen's picture."""

    def __init__(self, pen: Pen, x: float, y: float, size: float, fill: str) -> None:
        self.pen, self.fill, self.k = pen, fill, size / 100
        self.left, self.top = x - size / 2, y - size / 2

    def at(self, path: Sequence[Point]) -> Path:
        return [(self.left + px * self.k, self.top + py * self.k) for px, py in path]

    def shape(self, path: Sequence[Point], rounding: float = 0) -> None:
        self.pen.shape(self.at(path), self.fill, rounding * self.k)

    def line(self, path: Sequence[Point], width: float) -> None:
        self.pen.line(self.at(path), width * self.k, self.fill)


def _mushroom(box: _Placed) -> None:
    box.shape([*arc(50, 50, 40, 38, -180, 0)], 8)
    box.shape([(38, 70), (62, 70), (66, 90), (34, 90)], 7)


def _banana_peel(box: _Placed) -> None:
    box.shape([(44, 12), (57, 9), (60, 40), (42, 40)], 4)
    box.shape(
        [*curve((42, 34), (30, 36), (4, 50), (6, 88)), *curve((6, 88), (22, 66), (38, 62), (50, 52))], 4
    )
    box.shape(
        [*curve((58, 34), (72, 36), (98, 50), (94, 88)), *curve((94, 88), (80, 66), (64, 62), (50, 52))], 4
    )
    box.shape(
        [*curve((45, 44), (36, 60), (38, 78), (56, 94)), *curve((56, 94), (64, 78), (62, 60), (55, 44))], 4
    )


def _green_shell(box: _Placed) -> None:
    turns = [(i / 60, 1.7 * math.tau * i / 60 + 1.9) for i in range(61)]
    box.line([(54 + 38 * t * math.cos(a), 45 + 38 * t * math.sin(a)) for t, a in turns], 15)
    box.line([(10, 90), (90, 90)], 14)


def _lightning(box: _Placed) -> None:
    box.shape([(62, 6), (18, 56), (46, 56), (36, 94), (82, 40), (54, 40)], 4)


def _bob_omb(box: _Placed) -> None:
    box.shape(arc(42, 60, 34, 34, 0, 360))
    box.line([(58, 36), (66, 28)], 20)
    box.line(curve((66, 28), (74, 12), (84, 14), (88, 24)), 8)
    box.line([(88, 38), (88, 38)], 10)


ICONS: dict[str, Callable[[_Placed], None]] = {
    "mushroom": _mushroom,
    "banana_peel": _banana_peel,
    "green_shell": _green_shell,
    "lightning": _lightning,
    "bob_omb": _bob_omb,
}


def icon(pen: Pen, name: str, x: float, y: float, size: float, fill: str) -> None:
    """Draw the item icon `name` (a key of ICONS) in one colour, centred at (x, y)."""
    ICONS[name](_Placed(pen, x, y, size, fill))
