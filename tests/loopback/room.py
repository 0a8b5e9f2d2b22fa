"""All that members do in a channel, and all they see there.

Each command and press waits for its answer, as its member does; a test that expects none says so.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from tests.loopback import commands
from tests.loopback.answers import COMMAND, COMPONENT, Interaction
from tests.loopback.bell import PATIENCE
from tests.loopback.components import BUTTON, STRING_SELECT, walk
from tests.loopback.permissions import may
from tests.loopback.screens import Screen, UnreachableError, Wanted, matches
from tests.loopback.server import Loopback
from tests.loopback.world import Channel, Member, Message


class UnansweredError(AssertionError):
    """Discord would have shown "This interaction failed"."""


@dataclass(frozen=True)
class Click:
    """A press of a button that is still to be sent; see `Room.together`."""

    member: Member
    screen: Screen
    label: Wanted | None = None
    custom_id: Wanted | None = None


class Answer:
    """What one interaction was answered with."""

    def __init__(self, asked: Interaction) -> None:
        self.asked = asked

    def __repr__(self) -> str:
        return f"<Answer {self.kind} {self.screen!r} followups={len(self.followups)}>"

    @property
    def id(self) -> int:
        return self.asked.id

    @property
    def kind(self) -> str | None:
        """How it was answered: message, update, deferred, deferred_update or, for none, None."""
        return self.asked.kind

    @property
    def took(self) -> float | None:
        """The seconds until it was answered."""
        return None if self.asked.answered is None else self.asked.answered - self.asked.sent

    @property
    def private(self) -> bool:
        """Whether the answer is a message that its member alone sees."""
        return self.kind == "message" and self.screen is not None and self.screen.private

    @property
    def screen(self) -> Screen | None:
        """The message it was answered with, or the clicked one if that was edited, as it is now."""
        shown = self.asked.original if self.asked.kind else None
        return None if shown is None or shown.gone else Screen(shown)

    @property
    def text(self) -> str:
        return "" if self.screen is None else self.screen.text

    @property
    def followups(self) -> list[Screen]:
        return [Screen(message) for message in self.asked.followups if not message.gone]


class Room:
    """One channel or thread, with everybody in it."""

    def __init__(self, loopback: Loopback, channel: Channel) -> None:
        self.loopback = loopback
        self.channel = channel

    # --- seeing

    def look(self, screen: Screen) -> Screen:
        """Return the same message as it is now. Raises UnreachableError if it is gone."""
        if screen.message.gone:
            raise UnreachableError(f"{screen} is gone")
        return Screen(screen.message)

    def screens(self, viewer: Member | None = None) -> list[Screen]:
        """Return all that a member sees, oldest first; without one, all that everybody sees."""
        seen = [m for m in self.channel.messages.values() if m.visible_to(viewer)]
        return [Screen(message) for message in sorted(seen, key=lambda message: message.id)]

    def table(self) -> Screen:
        """Return the newest public message that has buttons."""
        return self._newest("public", lambda message: message.viewer is None)

    def private(self, viewer: Member) -> list[Screen]:
        """Return what this member alone sees, oldest first."""
        return [screen for screen in self.screens(viewer) if screen.private]

    def hand(self, viewer: Member) -> Screen:
        """Return the newest message with buttons that this member alone sees."""
        return self._newest(
            f"private for {viewer.name}",
            lambda message: message.viewer == viewer.id and message.visible_to(viewer),
        )

    def _newest(self, what: str, wanted: Callable[[Message], bool]) -> Screen:
        for _, message in sorted(self.channel.messages.items(), reverse=True):
            if wanted(message) and any(part["type"] == BUTTON for part in walk(message.components)):
                return Screen(message)
        raise UnreachableError(f"no message with buttons is {what}")

    async def until(self, true: Callable[[], Any], what: str = "it", *, within: float = PATIENCE) -> Any:
        """Wait until something is true of what is seen; until then, what is sought may be absent."""

        def reached() -> Any:
            try:
                return true()
            except UnreachableError:
                return None

        return await self.loopback.until(reached, what, within=within)

    # --- acting

    async def command(self, member: Member, name: str, *, lost: bool = False, **options: Any) -> Answer:
        """Give a slash command, sub-commands with a space: `command(ann, "uno start", hands=3)`.

        `lost` says that no answer to it is expected, or not an orderly one: then this does not wait.
        """
        return await self._wait(self.give(member, name, lost=lost, **options))

    async def click(
        self,
        member: Member,
        screen: Screen,
        label: Wanted | None = None,
        *,
        custom_id: Wanted | None = None,
        lost: bool = False,
    ) -> Answer:
        """Press a button of a message as it was seen."""
        return await self._wait(self.press(Click(member, screen, label, custom_id), lost=lost))

    async def choose(
        self,
        member: Member,
        screen: Screen,
        values: Sequence[str | Member | Channel],
        *,
        menu: Wanted | None = None,
    ) -> Answer:
        """Choose in a select menu, the only one or the one with this custom_id.

        In a menu of words these values, in one of people or channels these members or channels.
        """
        found = [m for m in screen.menus if matches(m.custom_id, menu)]
        if len(found) != 1:
            raise UnreachableError(f"{list(values)} cannot be chosen in {menu!r} on {screen}")
        what = f"{member.name}: {list(values)} on {screen}"
        data = {"custom_id": found[0].custom_id, "component_type": found[0].kind}
        if found[0].kind == STRING_SELECT:
            if not set(values) <= {value for _, value in found[0].options}:
                raise UnreachableError(f"{list(values)} cannot be chosen in {menu!r} on {screen}")
            return await self._wait(self._send(member, screen, data | {"values": list(values)}, what))
        resolved: dict[str, Any] = {}
        for value in values:
            commands.resolve(value, member, resolved)
        chosen = {"values": [str(value.id) for value in values if not isinstance(value, str)]}
        return await self._wait(self._send(member, screen, data | chosen | {"resolved": resolved}, what))

    async def forge(
        self, member: Member, screen: Screen, custom_id: str, *, lost: bool = False, **more: Any
    ) -> Answer:
        """Press a button that is not there, as only a tampered client can, on a message seen once.

        `more` is sent besides, such as values that a menu does not offer.
        """
        data = {"custom_id": custom_id, "component_type": BUTTON} | more
        what = f"{member.name} forges {custom_id!r} {more or ''} on {screen}"
        return await self._wait(self._send(member, screen, data, what, lost=lost, forged=True))

    async def together(self, *clicks: Click) -> list[Answer]:
        """Press many buttons at once: all are on their way before the bot sees the first."""
        return [await self._wait(asked) for asked in [self.press(click) for click in clicks]]

    def give(self, member: Member, name: str, *, lost: bool = False, **options: Any) -> Interaction:
        """Give a command, without waiting."""
        if not may(member, self.channel, "use_application_commands"):
            raise UnreachableError(f"{member.name} may give no commands in {self.channel}")
        data = commands.data(self.loopback.commands, name, options, member)
        what = f"{member.name}: /{name} {options or ''}"
        asked = self.loopback.interact(member, self.channel, COMMAND, data, what=what)
        if lost:
            self.loopback.excuse(asked)
        return asked

    def press(self, click: Click, *, lost: bool = False) -> Interaction:
        """Press a button, without waiting."""
        button = click.screen.button(click.label, custom_id=click.custom_id)
        if button.disabled or not button.custom_id:
            raise UnreachableError(f"{button} cannot be pressed on {click.screen}")
        data = {"custom_id": button.custom_id, "component_type": BUTTON}
        what = f"{click.member.name}: {button.label!r} ({button.custom_id}) on {click.screen}"
        return self._send(click.member, click.screen, data, what, lost=lost)

    def _send(
        self,
        member: Member,
        screen: Screen,
        data: dict[str, Any],
        what: str,
        *,
        lost: bool = False,
        forged: bool = False,
    ) -> Interaction:
        message = screen.message
        if not forged and (message.gone or self.channel.gone):
            raise UnreachableError(f"{screen} is gone")
        if not forged and (message.channel is not self.channel or not message.visible_to(member)):
            raise UnreachableError(f"{member.name} does not see {screen}")
        asked = self.loopback.interact(
            member, self.channel, COMPONENT, data, what=what, source=message, seen=screen.payload
        )
        if lost:
            self.loopback.excuse(asked)
        return asked

    async def _wait(self, asked: Interaction) -> Answer:
        """Wait for an answer. Raises UnansweredError after 3 s, or at once if nobody was there to hear."""
        if asked.excused:
            return Answer(asked)
        if asked.delivered:
            pending = self.loopback.pending
            await self.loopback.until(
                lambda: asked not in pending, asked.what, within=self.loopback.answer_within + 1
            )
        if asked.kind is None and not asked.excused:
            self.loopback.pending.discard(asked)
            raise UnansweredError(f"not answered: {asked.what}")
        return Answer(asked)
