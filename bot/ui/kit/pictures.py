"""The bot's own pictures, drawn by code: the cards, what else becomes an emoji, and the bot's icon.

Each colour has a shape of its own behind the number: red a disc, yellow a triangle, green a square, blue a
diamond. Number and symbol stay legible at 22 pixels; the item is in the upper right corner. May import
`engine.cards`, `bot.ui.kit.drawing` and the standard library.
"""

import math
from collections.abc import Callable
from functools import cache, partial
from hashlib import sha256

from bot.ui.kit.drawing import Path, Pen, arc, digits, icon, polygon
from engine.cards import (
    CODE,
    COLOUR,
    COLOUR_NAMES,
    DRAW_TWO,
    ITEM,
    ITEM_BOX,
    NO_COLOUR,
    RANK,
    REVERSE,
    SKIP,
    WILD_FOUR,
    Item,
)

SIZE = 128
"""Width and height of every picture but the bot's icon, in pixels."""
ICON_SIZE = 512
"""Width and height of the bot's icon, in pixels."""

WHITE = "#FFFFFF"
PALE = "#D3D9E4"
SLATE = "#566074"
STEEL = "#8C96A8"
INK = "#1B1D24"
BRIGHT = {"red": "#E5372F", "yellow": "#FFC926", "green": "#42CE73", "blue": "#418FFF"}
DARK = {"red": "#5E0810", "yellow": "#573A00", "green": "#06452A", "blue": "#0B2A70"}
ITEM_COLOURS = {item: COLOUR[card] for card, item in enumerate(ITEM)}


# Parts of several pictures.
def _plate(pen: Pen, fill: str) -> None:
    """Draw the background of a whole card."""
    pen.plate(0, 0, SIZE, SIZE, 26, fill)


def _octagon(pen: Pen, radius: float, fill: str) -> None:
    """Draw the shape of cards without a colour."""
    pen.shape(polygon(64, 64, radius, 8, 22.5), fill, 8)


def _emblem(pen: Pen, colour: str, fill: str, x: float, y: float, r: float, grow: float = 0) -> None:
    """Draw a colour's shape about (x, y); `r` makes all four look equally large, `grow` moves the outline."""
    if colour == "red":
        pen.disc(x, y, r * 0.98 + grow, fill)
    elif colour == "yellow":
        corners = [(x, y - 0.76 * r), (x + 0.9 * r, y + 0.76 * r), (x - 0.9 * r, y + 0.76 * r)]
        pen.shape(corners, fill, 0.19 * r + grow)
    elif colour == "green":
        pen.shape(polygon(x, y, 1.1 * r, 4, 45), fill, 0.1 * r + grow)
    else:
        pen.shape(polygon(x, y, 1.02 * r, 4), fill, 0.09 * r + grow)


def _quarters(pen: Pen, mask: Callable[[Pen], None]) -> None:
    """Fill the shape `mask` draws with the four colours, clockwise from the upper left."""
    middle, size = pen.size / 2, float(pen.size)
    pen.plate(0, 0, middle, middle, 0, BRIGHT["red"])
    pen.plate(middle, 0, size, middle, 0, BRIGHT["yellow"])
    pen.plate(middle, middle, size, size, 0, BRIGHT["green"])
    pen.plate(0, middle, middle, size, 0, BRIGHT["blue"])
    stencil = Pen(pen.size)
    mask(stencil)
    pen.clip(stencil)


def _rimmed(pen: Pen, paths: list[Path], width: float, fill: str, rim: str, rim_width: float) -> None:
    for path in paths:
        pen.line(path, width + 2 * rim_width, rim)
    for path in paths:
        pen.line(path, width, fill)


def _small_card(pen: Pen, x: float, y: float, height: float, tilt: float, fill: str, rim: str) -> None:
    """Draw a blank upright card, turned clockwise by `tilt` degrees."""
    k = height / 80
    cos, sin = k * math.cos(math.radians(tilt)), k * math.sin(math.radians(tilt))
    half = ((-19, -31), (19, -31), (19, 31), (-19, 31))
    corners = [(x + a * cos - b * sin, y + a * sin + b * cos) for a, b in half]
    pen.shape(corners, rim, 15 * k)
    pen.shape(corners, fill, 9 * k)


# Cards.
def _number(pen: Pen, text: str, y: float, rim: str) -> None:
    if len(text) == 1:
        _rimmed(pen, digits(text, 64, y, 60, 0), 19, WHITE, rim, 6)
    else:
        _rimmed(pen, digits(text, 64, y, 48, 21), 16, WHITE, rim, 6)


def _skip(pen: Pen, y: float, rim: str) -> None:
    ring = arc(64, y, 31, 31, 0, 360)
    _rimmed(pen, [ring, [(42.0, y + 22), (86.0, y - 22)]], 17, WHITE, rim, 5)


def _reverse(pen: Pen, y: float, rim: str) -> None:
    paths: list[Path] = [
        [(32, y - 18), (94, y - 18)],
        [(80, y - 32), (96, y - 18), (80, y - 4)],
        [(96, y + 18), (34, y + 18)],
        [(48, y + 4), (32, y + 18), (48, y + 32)],
    ]
    _rimmed(pen, paths, 12, WHITE, rim, 5)


def _parcel(pen: Pen, y: float, rim: str) -> None:
    pen.shape(polygon(64, y, 36, 6), rim, 11)
    pen.shape(polygon(64, y, 36, 6), WHITE, 5)
    for corner in polygon(64, y, 38, 6)[1::2]:
        pen.line([(64, y), corner], 7, rim)


def _corner(pen: Pen, item: Item, ground: str, ink: str) -> None:
    """Draw a card's item in its upper right corner."""
    pen.disc(106, 22, 20, ground)
    icon(pen, item.value, 107, 21, 29, ink)


def _wild(card: int) -> bytes:
    pen = Pen(SIZE)
    _quarters(pen, partial(_plate, fill=WHITE))
    _octagon(pen, 48, INK)
    _corner(pen, ITEM[card], BRIGHT["yellow"], INK)
    if card == WILD_FOUR:
        _number(pen, "+4", 64, INK)
    else:
        _parcel(pen, 64, INK)
    return pen.png()


def draw_card(card: int) -> bytes:
    """Draw the face of a card, by its id, as a PNG file of 128 by 128 pixels with transparent corners."""
    if COLOUR[card] == NO_COLOUR:
        return _wild(card)
    colour, rank = COLOUR_NAMES[COLOUR[card]], RANK[card]
    bright, dark = BRIGHT[colour], DARK[colour]
    pen = Pen(SIZE)
    _plate(pen, bright)
    _emblem(pen, colour, dark, 64, 64, 54)
    _corner(pen, ITEM[card], bright, dark)
    y = 73 if colour == "yellow" else 64  # the widest part of a triangle is low
    if rank == SKIP:
        _skip(pen, y, dark)
    elif rank == REVERSE:
        _reverse(pen, y, dark)
    else:
        _number(pen, "+2" if rank == DRAW_TWO else str(rank), y, dark)
    return pen.png()


# Extras.
def _named_wild(pen: Pen, card: int, colour: str) -> None:
    """Draw a wild on which a colour was named: the colour and its shape in a rim of all four."""
    _quarters(pen, partial(_plate, fill=WHITE))
    pen.plate(11, 11, SIZE - 11, SIZE - 11, 18, BRIGHT[colour])
    _emblem(pen, colour, DARK[colour], 64, 64, 50)
    _corner(pen, ITEM[card], BRIGHT["yellow"], INK)
    y = 73 if colour == "yellow" else 64
    if card == WILD_FOUR:
        _number(pen, "+4", y, DARK[colour])
    else:
        _parcel(pen, y, DARK[colour])


def _colour(pen: Pen, colour: str) -> None:
    _emblem(pen, colour, DARK[colour], 64, 64, 51, 5)
    _emblem(pen, colour, BRIGHT[colour], 64, 64, 51, -3)


def _any_colour(pen: Pen) -> None:
    _octagon(pen, 54, INK)
    inner = Pen(SIZE)
    _quarters(inner, partial(_octagon, radius=46, fill=WHITE))
    pen.add(inner)


def _direction(pen: Pen, clockwise: bool) -> None:
    ring = arc(60, 64, 32, 32, 80, 360)
    head = [(112.0, 64.0), (72.0, 64.0), (92.0, 88.0)]
    if not clockwise:
        ring, head = [[(SIZE - x, y) for x, y in path] for path in (ring, head)]
    pen.disc(64, 64, 63, SLATE)
    pen.line(ring, 15, WHITE)
    pen.shape(head, WHITE, 3)


def _turn(pen: Pen) -> None:
    pen.disc(64, 64, 63, BRIGHT["green"])
    pen.shape([(50, 38), (92, 64), (50, 90)], WHITE, 8)


def _one_card(pen: Pen) -> None:
    _small_card(pen, 48, 64, 98, -8, WHITE, BRIGHT["red"])
    _rimmed(pen, digits("1", 45, 64, 50, 0), 16, INK, WHITE, 0)
    _rimmed(pen, digits("!", 110, 62, 82, 0), 20, BRIGHT["red"], WHITE, 5)


def _catch(pen: Pen) -> None:
    """Draw the half white, half black flag that a race marshal shows for bad conduct."""
    pen.shape([(26, 22), (110, 22), (110, 84), (26, 84)], STEEL, 7)
    pen.shape([(26, 22), (110, 22), (26, 84)], WHITE, 2)
    pen.shape([(110, 22), (110, 84), (26, 84)], INK, 2)
    pen.line([(20, 16), (20, 118)], 14, STEEL)


def _draw(pen: Pen) -> None:
    _small_card(pen, 50, 62, 106, 0, SLATE, WHITE)
    pen.disc(91, 91, 36, WHITE)
    pen.disc(91, 91, 31, BRIGHT["blue"])
    pen.line([(76, 91), (106, 91)], 12, WHITE)
    pen.line([(91, 76), (91, 106)], 12, WHITE)


def _hand(pen: Pen) -> None:
    for x, y, tilt, colour in ((41, 70, -22, "red"), (64, 62, 0, "yellow"), (87, 70, 22, "blue")):
        _small_card(pen, x, y, 74, tilt, BRIGHT[colour], WHITE)


def _flag(pen: Pen) -> None:
    pen.shape([(26, 20), (112, 20), (112, 86), (26, 86)], STEEL, 5)
    for row in range(3):
        for column in range(4):
            x, y = 25 + 22 * column, 19 + 22 * row
            pen.plate(x, y, x + 22, y + 22, 0, WHITE if (row + column) % 2 else INK)
    pen.line([(18, 16), (18, 120)], 14, STEEL)


def _item(pen: Pen, item: Item) -> None:
    colour = ITEM_COLOURS[item]
    name = COLOUR_NAMES[colour]
    _plate(pen, PALE if colour == NO_COLOUR else BRIGHT[name])
    icon(pen, item.value, 64, 64, 98, INK if colour == NO_COLOUR else DARK[name])


EXTRAS: dict[str, Callable[[Pen], None]] = {
    **{colour: partial(_colour, colour=colour) for colour in COLOUR_NAMES},
    **{
        f"{CODE[card]}_{colour}": partial(_named_wild, card=card, colour=colour)
        for card in (WILD_FOUR, ITEM_BOX)
        for colour in COLOUR_NAMES
    },
    "wild": _any_colour,
    "clockwise": partial(_direction, clockwise=True),
    "counter_clockwise": partial(_direction, clockwise=False),
    "turn": _turn,
    "uno": _one_card,
    "catch": _catch,
    "draw": _draw,
    "hand": _hand,
    "flag": _flag,
    **{item.value: partial(_item, item=item) for item in Item},
}
"""How each extra picture is drawn, by its key; the items by the values of `Item`."""


def draw_extra(key: str) -> bytes:
    """Draw one of EXTRAS as a PNG file of 128 by 128 pixels."""
    pen = Pen(SIZE)
    EXTRAS[key](pen)
    return pen.png()


@cache
def all_pictures() -> dict[str, bytes]:
    """Draw every picture that becomes an emoji, once: the cards by code, then EXTRAS by key."""
    cards = {code: draw_card(card) for card, code in enumerate(CODE)}
    return cards | {key: draw_extra(key) for key in EXTRAS}


def emoji_name(key: str, png: bytes) -> str:
    """Return the emoji name of a picture: its key and eight hexadecimal digits of its content's hash."""
    return f"{key}_{sha256(png).hexdigest()[:8]}"


# The bot's icon.
def _band(inner: float, outer: float, start: float, end: float) -> Path:
    """Return the outline of a part of a ring about the middle of the icon."""
    middle = ICON_SIZE / 2
    return arc(middle, middle, outer, outer, start, end) + arc(middle, middle, inner, inner, end, start)


def draw_icon() -> bytes:
    """Draw the bot's icon, four colours on a lap around a last card, as a PNG file of 512 by 512 pixels."""
    pen, middle, inner, outer, rows = Pen(ICON_SIZE), ICON_SIZE / 2, 140.0, 224.0, 4
    pen.plate(0, 0, ICON_SIZE, ICON_SIZE, 0, INK)
    for radius, fill in ((outer + 10, PALE), (outer, SLATE), (inner, PALE), (inner - 10, INK)):
        pen.disc(middle, middle, radius, fill)
    depth = (outer - inner) / rows
    for row in range(rows):
        for column in range(3):
            edge, start = inner + row * depth, -100.5 + 7 * column
            pen.shape(_band(edge, edge + depth, start, start + 7), INK if (row + column) % 2 else WHITE)
    for colour, angle in zip(COLOUR_NAMES, (-28, 44, 136, 208), strict=True):
        x = middle + 182 * math.cos(math.radians(angle))
        y = middle + 182 * math.sin(math.radians(angle))
        _emblem(pen, colour, WHITE, x, y, 31, 5)
        _emblem(pen, colour, BRIGHT[colour], x, y, 31)
    _small_card(pen, middle, middle, 194, 10, WHITE, INK)
    for path in digits("1", middle, middle, 104, 0):
        pen.line(path, 37, INK)
    return pen.png()
