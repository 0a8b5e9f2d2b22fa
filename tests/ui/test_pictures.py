import io
import itertools
import re
import time

import pytest
from PIL import Image, ImageOps

from bot.ui.kit import pictures
from engine.cards import CODE, COLOUR_NAMES, FACES, Item

INLINE = 22
"""Discord's size of an emoji in a line of text or on a button, in pixels."""


def picture(png):
    return Image.open(io.BytesIO(png))


def grey(png, ground, size=INLINE):
    """Show a picture as somebody sees it who sees no colour, on a ground of that grey."""
    small = picture(png).resize((size, size), Image.Resampling.LANCZOS)
    page = Image.new("RGBA", small.size, (ground, ground, ground, 255))
    page.alpha_composite(small)
    return ImageOps.autocontrast(page.convert("L"))


def difference(one, other):
    """Return the root mean square of the differences between two grey pictures, 0 to 255."""
    squares = [(a - b) ** 2 for a, b in zip(one.tobytes(), other.tobytes(), strict=True)]
    return (sum(squares) / len(squares)) ** 0.5


def luminance(colour):
    channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one, other):
    """Return the contrast ratio of two colours as WCAG defines it."""
    darker, lighter = sorted((luminance(one), luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def test_every_face_and_every_extra_has_a_picture():
    keys = set(pictures.all_pictures())
    assert set(CODE) <= keys
    assert {*COLOUR_NAMES, *(item.value for item in Item)} <= keys
    assert len(keys) == FACES + len(pictures.EXTRAS)


def test_a_picture_is_a_small_png_with_transparent_corners():
    for key, png in pictures.all_pictures().items():
        image = picture(png)
        assert (image.format, image.mode, image.size) == ("PNG", "RGBA", (128, 128)), key
        assert image.getpixel((0, 0))[3] == image.getpixel((127, 127))[3] == 0, key
        assert image.getchannel("A").getextrema() == (0, 255), key
        assert len(png) < 64 * 1024, key


def test_drawing_again_gives_the_same_bytes_within_seconds_of_work():
    first = dict(pictures.all_pictures())
    pictures.all_pictures.cache_clear()
    start = time.process_time()
    assert pictures.all_pictures() == first
    assert time.process_time() - start < 10, "it takes one, more where processors are shared"


def test_a_name_is_one_discord_takes_and_follows_the_content():
    for key, png in pictures.all_pictures().items():
        assert re.fullmatch(r"[A-Za-z0-9_]{2,32}", pictures.emoji_name(key, png))
    assert pictures.emoji_name("R7", b"old") != pictures.emoji_name("R7", b"new")


@pytest.mark.parametrize("ground", [0x33, 0xFF], ids=["dark", "light"])
def test_any_two_faces_differ_without_colour_at_22_pixels(ground):
    faces = {code: grey(pictures.all_pictures()[code], ground) for code in CODE}
    for one, other in itertools.combinations(faces, 2):
        assert difference(faces[one], faces[other]) > 25, (one, other)


@pytest.mark.parametrize("wild", ["W4", "WI"])
def test_a_wild_shows_the_named_colour_without_colour_as_well(wild):
    thumbnail = 80
    keys = [wild, *(f"{wild}_{colour}" for colour in COLOUR_NAMES)]
    faces = {key: grey(pictures.all_pictures()[key], 0x33, thumbnail) for key in keys}
    for one, other in itertools.combinations(faces, 2):
        assert difference(faces[one], faces[other]) > 20, (one, other)


def test_any_two_colours_differ_by_their_shape_alone():
    shapes = {}
    for colour in COLOUR_NAMES:
        image = picture(pictures.draw_extra(colour)).resize((INLINE, INLINE), Image.Resampling.LANCZOS)
        shapes[colour] = image.getchannel("A")
    for one, other in itertools.combinations(shapes, 2):
        assert difference(shapes[one], shapes[other]) > 50, (one, other)


def test_numbers_and_shapes_stand_out_from_their_ground():
    for colour in COLOUR_NAMES:
        assert contrast(pictures.WHITE, pictures.DARK[colour]) > 7
        assert contrast(pictures.BRIGHT[colour], pictures.DARK[colour]) > 3
    assert contrast(pictures.WHITE, pictures.INK) > 7


def test_the_icon_fills_its_square():
    icon = picture(pictures.draw_icon())
    assert (icon.format, icon.size) == ("PNG", (512, 512))
    assert icon.getchannel("A").getextrema() == (255, 255)
