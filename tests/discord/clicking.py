"""All that members do in a channel, and all they see there.

Every test gives its commands, clicks and choices through `Room`, because a simulated Discord does not notice
a dead button by itself: here each interaction has to be answered, exactly once. Imports simcord and the
simulation only.
"""

import json
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import discord
from simcord import ChannelHandle, InteractionResult, MemberActor
from simcord.backend import serializers
from simcord.backend.access import can_access_message
from simcord.backend.errors import BackendError
from simcord.components import walk_components
from simcord.enums import SELECT_TYPES, ComponentType, InteractionType
from simcord.interactions import base_payload, resolve_handle

from tests.discord.simulation import Simulation

#: A label or custom_id, or a pattern that the whole of it matches.
Wanted = str | re.Pattern[str]


class UnansweredError(AssertionError):
    """Discord would have shown "This interaction failed"."""


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

    A menu of people or channels has no options; `most` is how many can be chosen.
    """

    custom_id: str
    kind: ComponentType
    options: tuple[tuple[str, str], ...]
    chosen: tuple[str, ...]
    fewest: int
    most: int


class Screen:
    """One message as somebody saw it at one moment.

    It keeps what was seen: clicking an old screen after its message has changed sends the old button, as a
    slow thumb does. `Room.look` gives the same message anew.
    """

    def __init__(self, channel: ChannelHandle, payload: dict[str, Any], pinged: Iterable[int]) -> None:
        self.channel = channel
        self.payload = payload
        self.pinged = frozenset(pinged)  # who was notified by it, by id

    def __repr__(self) -> str:
        return f"<Screen {self.id} {'private' if self.private else 'public'} {self.text!r} {self.labels}>"

    @property
    def id(self) -> int:
        return int(self.payload["id"])

    @property
    def flags(self) -> discord.MessageFlags:
        return discord.MessageFlags._from_value(self.payload["flags"])

    @property
    def private(self) -> bool:
        return self.flags.ephemeral

    @cached_property
    def components(self) -> list[dict[str, Any]]:
        """All components, nested ones too, in order: at most 40 on Discord."""
        return list(walk_components(self.payload["components"]))

    def _of(self, kind: ComponentType) -> list[dict[str, Any]]:
        return [component for component in self.components if component["type"] == kind]

    @property
    def texts(self) -> list[str]:
        """The message's content and each text display, in order."""
        content = [self.payload["content"]] if self.payload["content"] else []
        shown = content + [text["content"] for text in self._of(ComponentType.TEXT_DISPLAY)]
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
        return [_button(component) for component in self._of(ComponentType.BUTTON)]

    @property
    def labels(self) -> list[str]:
        return [button.label for button in self.buttons]

    @property
    def custom_ids(self) -> list[str]:
        return [component["custom_id"] for component in self.components if component.get("custom_id")]

    @property
    def rows(self) -> list[list[str]]:
        """The labels of each action row that holds buttons."""
        rows = [row["components"] for row in self._of(ComponentType.ACTION_ROW)]
        return [[_button(c).label for c in row] for row in rows if row[0]["type"] == ComponentType.BUTTON]

    @property
    def menus(self) -> list[Menu]:
        return [_menu(component) for component in self.components if component["type"] in SELECT_TYPES]

    @property
    def thumbnails(self) -> list[str]:
        """The address of each section's picture."""
        return [thumbnail["media"]["url"] for thumbnail in self._of(ComponentType.THUMBNAIL)]

    @property
    def accents(self) -> list[int]:
        """The accent colour of each container that has one, as 0xRRGGBB."""
        colours = [container.get("accent_color") for container in self._of(ComponentType.CONTAINER)]
        return [colour for colour in colours if colour is not None]

    def button(self, label: Wanted | None = None, *, custom_id: Wanted | None = None) -> Button:
        """Return the one button with this label or custom_id.

        Raises UnreachableError unless there is exactly one.
        """
        found = [b for b in self.buttons if _matches(b.label, label) and _matches(b.custom_id, custom_id)]
        if len(found) != 1:
            raise UnreachableError(
                f"{len(found)} buttons match label={label!r} custom_id={custom_id!r} on {self}"
            )
        return found[0]

    def has(self, label: Wanted) -> bool:
        """Say whether a button with this label is shown and can be pressed."""
        return any(_matches(button.label, label) and not button.disabled for button in self.buttons)


@dataclass(frozen=True)
class Click:
    """A press of a button that is still to be sent; see `Room.together`."""

    member: MemberActor
    screen: Screen
    label: Wanted | None = None
    custom_id: Wanted | None = None


class Answer:
    """What one interaction was answered with. `id` is the interaction's, for `Simulation.deliver_again`."""

    def __init__(self, room: "Room", result: InteractionResult) -> None:
        self.room = room
        self.result = result
        self.id: int = result._interaction.id

    def __repr__(self) -> str:
        return f"<Answer {self.kind} {self.screen!r} followups={len(self.followups)}>"

    @property
    def kind(self) -> str | None:
        """How it was answered: message, update, deferred, deferred_update, modal or, for none, None."""
        return self.result._interaction.response_kind

    @property
    def private(self) -> bool:
        """Whether the answer is a message that its member alone sees."""
        return self.kind == "message" and self.result.ephemeral

    @property
    def screen(self) -> Screen | None:
        """The message it was answered with, or the clicked one if that was edited, as it is now."""
        response = self.result.response
        return None if response is None else self.room.read(response.id)

    @property
    def text(self) -> str:
        return "" if self.screen is None else self.screen.text

    @property
    def followups(self) -> list[Screen]:
        return [self.room.read(message.id) for message in self.result.followups]


class Room:
    """One channel or thread, with everybody in it."""

    def __init__(self, simulation: Simulation, channel: ChannelHandle) -> None:
        self.simulation = simulation
        self.channel = channel

    def members(self, *names: str) -> list[MemberActor]:
        """Let people with these display names join the server."""
        guild = self.channel.guild
        users = [self.simulation.create_user(name.lower(), global_name=name) for name in names]
        return [guild.add_member(user) for user in users]

    # --- seeing ---

    def read(self, message_id: int) -> Screen:
        """Return a message as it is now, whoever may see it."""
        stored = self.simulation.backend.get_message(self.channel.id, message_id)
        payload = serializers.message_payload(self.simulation.backend, stored)
        return Screen(self.channel, json.loads(json.dumps(payload)), stored.ping_user_ids)

    def look(self, screen: Screen) -> Screen:
        """Return the same message as it is now."""
        return self.read(screen.id)

    def screens(self, viewer: MemberActor | None = None) -> list[Screen]:
        """Return all that a member sees, oldest first; without one, all that everybody sees."""
        messages = self.simulation.backend.messages[self.channel.id].values()
        seen = [message for message in messages if message.visible_to(viewer and viewer.id)]
        return [self.read(message.id) for message in sorted(seen, key=lambda message: message.id)]

    def table(self) -> Screen:
        """Return the newest public message that has buttons, and is no call to somebody."""
        return self._newest(self.screens(), lambda screen: bool(screen.buttons) and not screen.pinged)

    def private(self, viewer: MemberActor) -> list[Screen]:
        """Return what this member alone sees, oldest first."""
        return [screen for screen in self.screens(viewer) if screen.private]

    def hand(self, viewer: MemberActor) -> Screen:
        """Return the newest message with buttons that this member alone sees."""
        return self._newest(self.private(viewer), lambda screen: bool(screen.buttons))

    def _newest(self, screens: list[Screen], wanted: Callable[[Screen], bool]) -> Screen:
        for screen in reversed(screens):
            if wanted(screen):
                return screen
        raise UnreachableError(f"no such message among {screens}")

    # --- acting ---

    async def command(
        self, member: MemberActor, name: str, /, *, lost: bool = False, **options: Any
    ) -> Answer:
        """Give a slash command, sub-commands with a space: `command(ann, "uno start", hands=3)`."""
        result = await member.slash(self.channel, name, **options)
        return self._answered(result, f"{member.name}: /{name}", lost=lost)

    async def click(
        self,
        member: MemberActor,
        screen: Screen,
        label: Wanted | None = None,
        *,
        custom_id: Wanted | None = None,
        lost: bool = False,
    ) -> Answer:
        """Press a button. `lost` says that its answer is kept from arriving, by an injected error."""
        result = self._press(Click(member, screen, label, custom_id))
        await self.simulation.settle()
        return self._answered(result, f"{member.name}: {label or custom_id} on {screen}", lost=lost)

    async def choose(
        self,
        member: MemberActor,
        screen: Screen,
        values: Sequence[str | MemberActor | ChannelHandle],
        *,
        menu: Wanted | None = None,
    ) -> Answer:
        """Choose in a select menu, the only one or the one with this custom_id.

        In a menu of words these values or labels, in one of people or channels these members or channels.
        """
        found = [m for m in screen.menus if _matches(m.custom_id, menu)]
        if len(found) != 1 or not found[0].fewest <= len(values) <= found[0].most:
            raise UnreachableError(f"{list(values)} cannot be chosen in {menu!r} on {screen}")
        data = {"custom_id": found[0].custom_id, "component_type": found[0].kind}
        result = self._send(member, screen, data | self._chosen(member, found[0], values))
        await self.simulation.settle()
        return self._answered(result, f"{member.name}: {list(values)} on {screen}")

    def _chosen(
        self, member: MemberActor, menu: Menu, values: Sequence[str | MemberActor | ChannelHandle]
    ) -> dict[str, Any]:
        if menu.kind is ComponentType.STRING_SELECT:
            by_label = dict(menu.options)
            wanted = [by_label.get(str(value), value) for value in values]
            if not set(wanted) <= set(by_label.values()):
                raise UnreachableError(f"{wanted} are not among {menu.options}")
            return {"values": wanted}
        resolved: dict[str, dict[str, Any]] = {}
        for value in values:
            resolve_handle(member, value, resolved, channel_id=self.channel.id)
        return {
            "values": [str(value.id) for value in values if not isinstance(value, str)],
            "resolved": resolved,
        }

    async def forge(self, member: MemberActor, screen: Screen, data: dict[str, Any]) -> Answer:
        """Send what no client would: this data as if a component of a message had sent it."""
        kind = ComponentType.STRING_SELECT if "values" in data else ComponentType.BUTTON
        result = self._send(member, screen, {"component_type": kind} | data)
        await self.simulation.settle()
        return self._answered(result, f"{member.name}: {data} on {screen}")

    async def together(self, *clicks: Click) -> list[Answer]:
        """Press many buttons at once: all are on their way before the bot sees the first."""
        results = [self._press(click) for click in clicks]
        await self.simulation.settle()
        return [self._answered(result, f"{click}") for result, click in zip(results, clicks, strict=True)]

    def _press(self, click: Click) -> InteractionResult:
        button = click.screen.button(click.label, custom_id=click.custom_id)
        if button.disabled or not button.custom_id:
            raise UnreachableError(f"{button} cannot be pressed on {click.screen}")
        data = {"custom_id": button.custom_id, "component_type": ComponentType.BUTTON}
        return self._send(click.member, click.screen, data)

    def _send(self, member: MemberActor, screen: Screen, data: dict[str, Any]) -> InteractionResult:
        backend = self.simulation.backend
        try:
            stored = backend.get_message(self.channel.id, screen.id)
        except BackendError as error:
            raise UnreachableError(f"{screen} is gone") from error
        if not can_access_message(self.simulation, self.channel.id, stored, member):
            raise UnreachableError(f"{member.name} does not see {screen}")
        interaction, payload = base_payload(
            backend,
            type=InteractionType.MESSAGE_COMPONENT,
            channel_id=self.channel.id,
            guild_id=member.guild.id,
            user_id=member.id,
            data=data,
        )
        interaction.source_message_id = screen.id
        backend.emit("INTERACTION_CREATE", payload | {"message": screen.payload})
        return InteractionResult(self.simulation, interaction)

    def _answered(self, result: InteractionResult, what: str, *, lost: bool = False) -> Answer:
        answer = Answer(self, result)
        sent = len(self.simulation.calls(f"/interactions/{answer.id}/"))
        if result.acknowledged == lost:
            raise UnansweredError(f"{'answered after all' if lost else 'not answered'}: {what}")
        if sent != 1 and not lost:
            raise UnansweredError(f"answered {sent} times: {what}")
        return answer


def _matches(text: str, wanted: Wanted | None) -> bool:
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
        kind=ComponentType(component["type"]),
        options=tuple((option["label"], option["value"]) for option in options),
        chosen=tuple(map(str, chosen)),
        fewest=component.get("min_values", 1),
        most=component.get("max_values", 1),
    )
