"""Components and messages within Discord's limits: texts, buttons, menus, rows.

May import `discord`, `engine.cards`, and `custom_ids`, `emoji` and `pictures` from `bot.ui.kit`.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Final

import discord
from discord import ButtonStyle
from discord.ui.select import BaseSelect

from bot.ui.kit.custom_ids import TEMPLATE, CustomId, read
from bot.ui.kit.emoji import Emojis
from bot.ui.kit.pictures import BRIGHT
from engine.cards import CODE, COLOUR_NAMES, WILD_FOUR

#: Components of one message, nested ones too, and characters of all its texts; their bytes are a limit that
#: Discord does not name.
MOST_COMPONENTS: Final = 40
MOST_CHARACTERS: Final = 4000
MOST_BYTES: Final = 10_000
MOST_LABEL: Final = 80
MOST_CUSTOM_ID: Final = 100
BUTTONS_IN_A_ROW: Final = 5
#: Options of one menu, characters of an option's label, value or description, and of a menu's own words.
MOST_OPTIONS: Final = 25
MOST_OPTION: Final = 100
MOST_PLACEHOLDER: Final = 150

Button = discord.ui.Button[discord.ui.LayoutView]
Row = discord.ui.ActionRow[discord.ui.LayoutView]
Item = discord.ui.Item[discord.ui.LayoutView]
Words = discord.ui.TextDisplay[discord.ui.LayoutView]
Container = discord.ui.Container[discord.ui.LayoutView]
Section = discord.ui.Section[discord.ui.LayoutView]
Thumbnail = discord.ui.Thumbnail[discord.ui.LayoutView]
Gallery = discord.ui.MediaGallery[discord.ui.LayoutView]
Separator = discord.ui.Separator[discord.ui.LayoutView]
Option = discord.SelectOption
Menu = (
    discord.ui.Select[discord.ui.LayoutView]
    | discord.ui.UserSelect[discord.ui.LayoutView]
    | discord.ui.ChannelSelect[discord.ui.LayoutView]
)


def button(
    label: str,
    custom_id: CustomId,
    style: ButtonStyle = ButtonStyle.secondary,
    *,
    emoji: discord.PartialEmoji | None = None,
    disabled: bool = False,
) -> Button:
    """Make a button; a label that is too long is cut."""
    label = _cut(label, MOST_LABEL)
    return Button(label=label, custom_id=custom_id.encoded, style=style, emoji=emoji, disabled=disabled)


def _cut(words: str, most: int) -> str:
    return words if len(words) <= most else words[: most - 1] + "…"


def option(label: str, value: str, *, chosen: bool = False, explained: str | None = None) -> Option:
    """Make an option of a menu; a label or description that is too long is cut."""
    told = None if explained is None else _cut(explained, MOST_OPTION)
    return Option(label=_cut(label, MOST_OPTION), value=value, default=chosen, description=told)


def menu(placeholder: str, custom_id: CustomId, options: Sequence[Option]) -> Item:
    """Make a row with a menu in which one option is chosen."""
    return Row(
        discord.ui.Select(
            custom_id=custom_id.encoded,
            placeholder=_cut(placeholder, MOST_PLACEHOLDER),
            options=list(options),
        )
    )


def people_menu(placeholder: str, custom_id: CustomId) -> Item:
    """Make a row with a menu of the server's people, of whom as many are chosen as the custom_id allows."""
    assert custom_id.menu is not None
    return Row(
        discord.ui.UserSelect(
            custom_id=custom_id.encoded,
            placeholder=_cut(placeholder, MOST_PLACEHOLDER),
            max_values=custom_id.menu.most,
        )
    )


def channels_menu(
    placeholder: str, custom_id: CustomId, kinds: Sequence[discord.ChannelType], chosen: Sequence[int] = ()
) -> Item:
    """Make a row with a menu of channels, of which none or as many are chosen as the custom_id allows."""
    assert custom_id.menu is not None
    return Row(
        discord.ui.ChannelSelect(
            custom_id=custom_id.encoded,
            placeholder=_cut(placeholder, MOST_PLACEHOLDER),
            channel_types=list(kinds),
            default_values=[discord.Object(channel) for channel in chosen],
            min_values=0,
            max_values=custom_id.menu.most,
        )
    )


def countdown(moment: datetime) -> str:
    """Format a time so that Discord counts down to it in each reader's language."""
    return discord.utils.format_dt(moment, "R")


def rows(buttons: Sequence[Button]) -> list[Item]:
    """Put buttons in rows of five."""
    step = BUTTONS_IN_A_ROW
    return [Row(*buttons[start : start + step]) for start in range(0, len(buttons), step)]


def fit(lines: Sequence[str], most: int) -> str:
    """Join lines, as many as fit into `most` characters; "…" stands for the rest."""
    shown = "\n".join(lines)
    if len(shown) <= most:
        return shown
    end = shown.rfind("\n", 0, most - 1)
    return shown[:end] + "\n…" if end > 0 else shown[: most - 1] + "…"


def fit_newest(lines: Sequence[str], most: int) -> str:
    """Join lines, as many of the last ones as fit into `most` characters."""
    while len(lines) > 1 and len("\n".join(lines)) > most:
        lines = lines[1:]
    return fit(lines, most)


def characters(items: Sequence[Item]) -> int:
    """Count the characters of all texts of some items."""
    inside = (
        child
        for item in items
        for child in (item, *(item.children if isinstance(item, discord.ui.Section) else ()))
    )
    return sum(len(child.content) for child in inside if isinstance(child, discord.ui.TextDisplay))


def pictured(emojis: Emojis, card: int, name: str, words: str, *, named: int | None = None) -> Item:
    """Put words beside the picture of a card, or alone where it has none; `name` is its alternative text.

    A wild is shown in the colour that was `named` on it.
    """
    url = emojis.url(CODE[card])
    if card >= WILD_FOUR and named is not None:
        url = emojis.url(f"{CODE[card]}_{COLOUR_NAMES[named]}") or url
    return Words(words) if url is None else Section(words, accessory=Thumbnail(url, description=name))


def gallery(emojis: Emojis, key: str, name: str) -> list[Item]:
    """Return the picture of an emoji by itself, as large as it is; nothing where there is none."""
    url = emojis.url(key)
    return [] if url is None else [Gallery(discord.MediaGalleryItem(url, description=name))]


def accent(colour: int | None) -> discord.Colour | None:
    """Return the accent colour of a message for the colour to match."""
    return None if colour is None else discord.Colour.from_str(BRIGHT[COLOUR_NAMES[colour]])


def screen(*items: Item, colour: int | None = None) -> discord.ui.LayoutView:
    """Put items into one container, with the accent of the colour to match."""
    view = discord.ui.LayoutView(timeout=None)
    view.add_item(Container(*items, accent_colour=accent(colour)))
    return finish(view)


def finish(view: discord.ui.LayoutView) -> discord.ui.LayoutView:
    """Check a message against Discord's limits, and stop its view.

    Screens keep the limits by construction. A stopped view is not kept by the client: clicks are found by
    their custom_id alone.
    """
    children = list(view.walk_children())
    assert len(children) <= MOST_COMPONENTS, f"{len(children)} components"
    texts = [child.content for child in children if isinstance(child, discord.ui.TextDisplay)]
    assert all(texts), "an empty text"
    assert sum(map(len, texts)) <= MOST_CHARACTERS, f"{sum(map(len, texts))} characters"
    size = sum(len(words.encode()) for words in texts)
    assert size <= MOST_BYTES, f"{size} bytes"
    buttons = [child for child in children if isinstance(child, discord.ui.Button)]
    menus = [child for child in children if isinstance(child, BaseSelect)]
    custom_ids = [made.custom_id or "" for made in buttons] + [made.custom_id for made in menus]
    assert len(set(custom_ids)) == len(custom_ids), f"two alike among {custom_ids}"
    for custom_id in custom_ids:
        assert len(custom_id) <= MOST_CUSTOM_ID, custom_id
        assert TEMPLATE.fullmatch(custom_id), custom_id
    assert all(read(made.custom_id or "") for made in buttons), "a menu's custom_id on a button"
    assert all(made.label and len(made.label) <= MOST_LABEL for made in buttons), "a label"
    for made in menus:
        _check_menu(made)
    view.stop()
    return view


def _check_menu(made: BaseSelect[discord.ui.LayoutView]) -> None:
    assert len(made.placeholder or "") <= MOST_PLACEHOLDER, "a placeholder"
    custom_id = read(made.custom_id, [])
    assert custom_id is not None, f"a button's custom_id on a menu: {made.custom_id}"
    assert custom_id.menu is not None
    assert made.max_values <= custom_id.menu.most, "more may be chosen than is read"
    if not isinstance(made, discord.ui.Select):
        return
    options = made.options
    assert 1 <= len(options) <= MOST_OPTIONS, f"{len(options)} options"
    assert len({offered.value for offered in options}) == len(options), "two options alike"
    for offered in options:
        assert offered.label, "an option without a label"
        assert len(offered.label) <= MOST_OPTION, offered.label
        assert len(offered.description or "") <= MOST_OPTION, offered.description
        assert read(made.custom_id, [offered.value]), f"{offered.value!r} cannot be chosen"
    assert sum(offered.default for offered in options) <= made.max_values, "more chosen than may be"
