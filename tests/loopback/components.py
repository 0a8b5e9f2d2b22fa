"""What Discord lets a message hold, and the tree of errors it answers with otherwise.

The numbers are those of Discord's documentation; the codes in the tree are those its clients report.
"""

import re
import unicodedata
from collections.abc import Callable, Collection, Iterator
from typing import Any

from tests.loopback.wire import Refusal
from tests.loopback.world import COMPONENTS_V2, Message

ROW, BUTTON, STRING_SELECT, SECTION, TEXT, THUMBNAIL = 1, 2, 3, 9, 10, 11
GALLERY, FILE, SEPARATOR, CONTAINER = 12, 13, 14, 17
SELECTS = (STRING_SELECT, 5, 6, 7, 8)
IN_CONTAINER = (ROW, SECTION, TEXT, GALLERY, FILE, SEPARATOR)
LINK, PREMIUM = 5, 6
MOST_COMPONENTS, MOST_TEXT, MOST_CONTENT, MOST_ROWS = 40, 4000, 2000, 5

Component = dict[str, Any]


def walk(components: list[Component]) -> Iterator[Component]:
    """Yield all components, nested ones too, in the order they are shown."""
    for component in components:
        yield component
        yield from walk(component.get("components") or [])
        if accessory := component.get("accessory"):
            yield accessory


def check(message: dict[str, Any], before: Message | None, emojis: Collection[int]) -> None:
    """Refuse what Discord would: `message` is the whole of it as it would be, `before` what is edited.

    `emojis` are the ids that exist. Raises Refusal 50035, or 50006 where nothing would be left to see.
    """
    found = _Check(emojis)
    components = message.get("components") or []
    if message["flags"] & COMPONENTS_V2:
        found.new_message(message, components)
    else:
        found.old_message(message, components)
    if found.errors:
        raise Refusal(50035, errors=found.errors)
    if not (components or message.get("content") or message.get("embeds") or message.get("attachments")):
        raise Refusal(50006)
    if before is not None and before.flags & COMPONENTS_V2 and not components:
        raise Refusal(50006)


class _Check:
    """One message being looked at; `errors` is Discord's tree, keyed by the fields on the way."""

    def __init__(self, emojis: Collection[int]) -> None:
        self.errors: dict[str, Any] = {}
        self._emojis = emojis
        self._kinds: dict[int, Callable[[Component, tuple[str, ...]], None]] = {
            ROW: self._row,
            BUTTON: self._button,
            SECTION: self._section,
            TEXT: self._text,
            THUMBNAIL: self._media,
            GALLERY: self._gallery,
            SEPARATOR: self._separator,
            CONTAINER: self._container,
            **dict.fromkeys(SELECTS, self._select),
        }

    def fault(self, path: tuple[str, ...], code: str, message: str) -> None:
        node = self.errors
        for key in path:
            node = node.setdefault(key, {})
        node.setdefault("_errors", []).append({"code": code, "message": message})

    # --- messages

    def new_message(self, message: dict[str, Any], components: list[Component]) -> None:
        for name in ("content", "embeds", "poll", "sticker_ids"):
            if message.get(name):
                self.fault(
                    (name,),
                    "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2",
                    f"The '{name}' field cannot be used when using MessageFlags.IS_COMPONENTS_V2",
                )
        self._all(components, ("components",), (*IN_CONTAINER, CONTAINER))
        everything = list(walk(components))
        if len(everything) > MOST_COMPONENTS:
            self.fault(
                ("components",),
                "COMPONENT_MAX_TOTAL_COMPONENTS_EXCEEDED",
                f"Total number of components cannot exceed {MOST_COMPONENTS}",
            )
        if sum(len(str(c.get("content", ""))) for c in everything if c.get("type") == TEXT) > MOST_TEXT:
            self.fault(
                ("components",),
                "COMPONENT_DISPLAYABLE_TEXT_SIZE_EXCEEDED",
                f"Components displayable text size exceeds maximum size of {MOST_TEXT}",
            )
        self._unique(components)

    def old_message(self, message: dict[str, Any], components: list[Component]) -> None:
        content = message.get("content") or ""
        if len(content) > MOST_CONTENT:
            self._too_long(("content",), MOST_CONTENT)
        if len(message.get("embeds") or []) > 10:
            self._too_long(("embeds",), 10)
        if len(components) > MOST_ROWS:
            self._too_long(("components",), MOST_ROWS)
        self._all(components, ("components",), (ROW,))
        self._unique(components)

    def _unique(self, components: list[Component]) -> None:
        custom_ids: set[str] = set()
        ids: set[int] = set()
        for path, component in _paths(components, ("components",)):
            custom_id, number = component.get("custom_id"), component.get("id")
            if custom_id in custom_ids:
                message = "Component custom id cannot be duplicated"
                self.fault((*path, "custom_id"), "COMPONENT_CUSTOM_ID_DUPLICATED", message)
            if number in ids:
                self.fault((*path, "id"), "COMPONENT_ID_DUPLICATED", "Component id cannot be duplicated")
            custom_ids |= {custom_id} if custom_id is not None else set()
            ids |= {number} if number else set()

    # --- components

    def _all(self, components: list[Component], path: tuple[str, ...], allowed: tuple[int, ...]) -> None:
        for number, component in enumerate(components):
            self._one(component, (*path, str(number)), allowed)

    def _one(self, component: Component, path: tuple[str, ...], allowed: tuple[int, ...]) -> None:
        kind = component.get("type")
        if kind not in allowed:
            choices = ", ".join(map(str, allowed))
            self.fault((*path, "type"), "BASE_TYPE_CHOICES", f"Value must be one of {{{choices}}}.")
        elif kind in self._kinds:
            self._kinds[kind](component, path)

    def _row(self, row: Component, path: tuple[str, ...]) -> None:
        held = row.get("components") or []
        self._between(held, (*path, "components"), 1, 5)
        self._all(held, (*path, "components"), (BUTTON, *SELECTS))
        if any(c.get("type") in SELECTS for c in held) and len(held) > 1:
            self.fault((*path, "components"), "COMPONENT_LAYOUT_WIDTH_EXCEEDED", "The row is too wide")

    def _button(self, button: Component, path: tuple[str, ...]) -> None:
        style = button.get("style")
        if style not in range(1, PREMIUM + 1):
            self.fault((*path, "style"), "BASE_TYPE_CHOICES", "Value must be one of {1, 2, 3, 4, 5, 6}.")
        self._at_most(button, "label", path, 80)
        if not button.get("label") and not button.get("emoji") and style != PREMIUM:
            self._required((*path, "label"))
        if style == LINK:
            self._url(button.get("url"), (*path, "url"))
        elif style != PREMIUM:
            self._custom_id(button, path)
        self._emoji(button.get("emoji"), (*path, "emoji"))

    def _select(self, menu: Component, path: tuple[str, ...]) -> None:
        self._custom_id(menu, path)
        self._at_most(menu, "placeholder", path, 150)
        fewest, most = menu.get("min_values", 1), menu.get("max_values", 1)
        if not (0 <= fewest <= 25 and 1 <= most <= 25 and fewest <= most):
            self.fault((*path, "max_values"), "BASE_TYPE_RANGE", "Value must be between 1 and 25.")
        if menu.get("type") != STRING_SELECT:
            return
        options = menu.get("options") or []
        self._between(options, (*path, "options"), 1, 25)
        values = [option.get("value") for option in options]
        for number, option in enumerate(options):
            here = (*path, "options", str(number))
            for name in ("label", "value"):
                if not option.get(name):
                    self._required((*here, name))
                self._at_most(option, name, here, 100)
            self._at_most(option, "description", here, 100)
            self._emoji(option.get("emoji"), (*here, "emoji"))
            if values.index(option.get("value")) < number:
                message = "The specified option value is already used"
                self.fault((*here, "value"), "SELECT_COMPONENT_OPTION_VALUE_DUPLICATED", message)

    def _section(self, section: Component, path: tuple[str, ...]) -> None:
        held = section.get("components") or []
        self._between(held, (*path, "components"), 1, 3)
        self._all(held, (*path, "components"), (TEXT,))
        accessory = section.get("accessory")
        if not accessory:
            self._required((*path, "accessory"))
        else:
            self._one(accessory, (*path, "accessory"), (BUTTON, THUMBNAIL))

    def _text(self, text: Component, path: tuple[str, ...]) -> None:
        content = text.get("content")
        if not isinstance(content, str) or not content.strip():
            self._required((*path, "content"))
        else:
            self._at_most(text, "content", path, MOST_TEXT)

    def _media(self, media: Component, path: tuple[str, ...]) -> None:
        self._url((media.get("media") or {}).get("url"), (*path, "media", "url"))
        self._at_most(media, "description", path, 1024)

    def _gallery(self, gallery: Component, path: tuple[str, ...]) -> None:
        items = gallery.get("items") or []
        self._between(items, (*path, "items"), 1, 10)
        for number, item in enumerate(items):
            self._media(item, (*path, "items", str(number)))

    def _separator(self, separator: Component, path: tuple[str, ...]) -> None:
        if separator.get("spacing", 1) not in (1, 2):
            self.fault((*path, "spacing"), "BASE_TYPE_CHOICES", "Value must be one of {1, 2}.")

    def _container(self, container: Component, path: tuple[str, ...]) -> None:
        held = container.get("components") or []
        if not held:
            self._required((*path, "components"))
        self._all(held, (*path, "components"), IN_CONTAINER)
        colour = container.get("accent_color")
        if colour is not None and not 0 <= colour <= 0xFFFFFF:
            message = "int value should be between 0 and 16777215."
            self.fault((*path, "accent_color"), "NUMBER_TYPE_MAX", message)

    # --- fields

    def _required(self, path: tuple[str, ...]) -> None:
        self.fault(path, "BASE_TYPE_REQUIRED", "This field is required")

    def _too_long(self, path: tuple[str, ...], most: int) -> None:
        self.fault(path, "BASE_TYPE_MAX_LENGTH", f"Must be {most} or fewer in length.")

    def _at_most(self, holder: Component, name: str, path: tuple[str, ...], most: int) -> None:
        if len(holder.get(name) or "") > most:
            self._too_long((*path, name), most)

    def _between(self, values: list[Any], path: tuple[str, ...], fewest: int, most: int) -> None:
        if not fewest <= len(values) <= most:
            message = f"Must be between {fewest} and {most} in length."
            self.fault(path, "BASE_TYPE_BAD_LENGTH", message)

    def _custom_id(self, component: Component, path: tuple[str, ...]) -> None:
        if not component.get("custom_id"):
            self._required((*path, "custom_id"))
        self._at_most(component, "custom_id", path, 100)

    def _url(self, url: Any, path: tuple[str, ...]) -> None:
        if not url:
            self._required(path)
        elif not str(url).startswith(("http://", "https://", "attachment://")):
            message = "Scheme must be one of ('http', 'https', 'attachment')."
            self.fault(path, "URL_TYPE_INVALID_SCHEME", message)

    def _emoji(self, emoji: Component | None, path: tuple[str, ...]) -> None:
        if not emoji:
            return
        number = emoji.get("id")
        if not (int(number) in self._emojis if number else _is_emoji(emoji.get("name") or "")):
            self.fault((*path, "id" if number else "name"), "COMPONENT_INVALID_EMOJI", "Invalid emoji")


def _paths(components: list[Component], path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Component]]:
    for number, component in enumerate(components):
        here = (*path, str(number))
        yield here, component
        yield from _paths(component.get("components") or [], (*here, "components"))
        if accessory := component.get("accessory"):
            yield (*here, "accessory"), accessory


def _is_emoji(name: str) -> bool:
    """Say whether a character may be an emoji: a symbol, with what may follow one. Discord has a list."""
    if re.fullmatch("[0-9#*]\ufe0f?\u20e3", name):
        return True
    return bool(name) and all(unicodedata.category(c) in ("So", "Sk", "Sm", "Mn", "Cf", "Po") for c in name)
