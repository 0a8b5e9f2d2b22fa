"""One message as somebody saw it: its texts, its buttons, its menus."""

import re
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from tests.loopback import components, payloads
from tests.loopback.components import BUTTON, CONTAINER, ROW, SELECTS, TEXT, THUMBNAIL
from tests.loopback.world import EPHEMERAL, Message

#: A label or custom_id, or a pattern that the whole of it matches.
Wanted = str | re.Pattern[str]


class UnreachableError(AssertionError):
    """A real member could not do this: the button is absent, greyed out, or on a message they do not see."""


@dataclass(frozen=True)
class Button:
    """One button as it is shown. `emoji` is the emoji's name; `style` is Discord's number."""

    label: str
    custom_id: str
    style: int
    emoji: str | None
    disabled: bool


@dataclass(frozen=True)
class Menu:
    """One select menu. `options` are (label, value) in order; `chosen` are the values shown as chosen.

    A menu of people or channels has no options.
    """

    custom_id: str
    kind: int
    options: tuple[tuple[str, str], ...]
    chosen: tuple[str, ...]


class Screen:
    """One message as it was seen at one moment.

    It keeps what was seen: pressing a button of an old screen sends the old button, as a slow thumb does.
    """

    def __init__(self, message: Message) -> None:
        self.message = message
        self.payload = payloads.frozen(payloads.message(message))
        self.pinged = message.pinged  # who was notified by it, by id

    def __repr__(self) -> str:
        return f"<Screen {self.id} {'private' if self.private else 'public'} {self.text!r} {self.labels}>"

    @property
    def id(self) -> int:
        return self.message.id

    @property
    def flags(self) -> int:
        return int(self.payload["flags"])

    @property
    def private(self) -> bool:
        return bool(self.flags & EPHEMERAL)

    @cached_property
    def components(self) -> list[dict[str, Any]]:
        """All components, nested ones too, in order: at most 40 on Discord."""
        return list(components.walk(self.payload["components"]))

    def _of(self, kind: int) -> list[dict[str, Any]]:
        return [component for component in self.components if component["type"] == kind]

    @property
    def texts(self) -> list[str]:
        """The message's content and each text display, in order."""
        content = [self.payload["content"]] if self.payload["content"] else []
        shown = content + [text["content"] for text in self._of(TEXT)]
        return [re.sub(r"</(uno \w+):\d+>", r"/\1", text) for text in shown]  # as people read it

    @property
    def text(self) -> str:
        return "\n".join(self.texts)

    @property
    def characters(self) -> int:
        """The length of all texts: at most 4,000 on Discord."""
        return sum(map(len, self.texts))

    @property
    def buttons(self) -> list[Button]:
        return [_button(component) for component in self._of(BUTTON)]

    @property
    def labels(self) -> list[str]:
        return [button.label for button in self.buttons]

    @property
    def custom_ids(self) -> list[str]:
        return [component["custom_id"] for component in self.components if component.get("custom_id")]

    @property
    def rows(self) -> list[list[str]]:
        """The labels of each action row that holds buttons."""
        rows = [row["components"] for row in self._of(ROW)]
        return [[_button(c).label for c in row] for row in rows if row[0]["type"] == BUTTON]

    @property
    def menus(self) -> list[Menu]:
        return [_menu(component) for component in self.components if component["type"] in SELECTS]

    @property
    def thumbnails(self) -> list[str]:
        """The address of each section's picture."""
        return [thumbnail["media"]["url"] for thumbnail in self._of(THUMBNAIL)]

    @property
    def accents(self) -> list[int]:
        """The accent colour of each container that has one, as 0xRRGGBB."""
        colours = [container.get("accent_color") for container in self._of(CONTAINER)]
        return [colour for colour in colours if colour is not None]

    def button(self, label: Wanted | None = None, *, custom_id: Wanted | None = None) -> Button:
        """Return the one button with this label or custom_id.

        Raises UnreachableError unless there is exactly one.
        """
        found = [b for b in self.buttons if matches(b.label, label) and matches(b.custom_id, custom_id)]
        if len(found) != 1:
            raise UnreachableError(
                f"{len(found)} buttons match label={label!r} custom_id={custom_id!r} on {self}"
            )
        return found[0]

    def has(self, label: Wanted) -> bool:
        """Say whether a button with this label is shown and can be pressed."""
        return any(matches(button.label, label) and not button.disabled for button in self.buttons)


def matches(text: str, wanted: Wanted | None) -> bool:
    """Say whether a text is what is wanted; None wants anything."""
    if wanted is None:
        return True
    return wanted.fullmatch(text) is not None if isinstance(wanted, re.Pattern) else wanted == text


def _button(component: dict[str, Any]) -> Button:
    return Button(
        label=component.get("label") or "",
        custom_id=component.get("custom_id") or "",
        style=component["style"],
        emoji=(component.get("emoji") or {}).get("name"),
        disabled=bool(component.get("disabled")),
    )


def _menu(component: dict[str, Any]) -> Menu:
    options = component.get("options") or []
    chosen = [option["value"] for option in options if option.get("default")]
    chosen += [value["id"] for value in component.get("default_values") or []]
    return Menu(
        custom_id=component["custom_id"],
        kind=component["type"],
        options=tuple((option["label"], option["value"]) for option in options),
        chosen=tuple(map(str, chosen)),
    )
