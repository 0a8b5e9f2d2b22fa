"""What the browser is shown and what becomes of its clicks: simcord's preview, but live.

simcord publishes a page when asked to and refuses whatever was clicked on an older publication, and it does
one thing at a time. Here every page is published whenever something has happened, and a press goes to the bot
as the raw event that Discord would send, with the button as it was seen: an old one is for the bot to answer.
Imports simcord.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Iterator, Mapping
from typing import Any, Final, Self
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import simcord
from simcord.backend import serializers
from simcord.backend.errors import SetupError
from simcord.backend.models import Interaction, Message
from simcord.components import walk_components
from simcord.enums import ComponentType, InteractionType
from simcord.interactions import base_payload
from simcord.preview import Preview
from simcord.preview._assets import _Asset
from simcord.preview._pages import _Page

from bot.playground import typed
from bot.playground.server import Pictures, Server
from bot.playground.world import Scene

#: Publications of a page whose buttons are remembered, for clicks on what it showed a moment ago.
KEPT: Final = 40
#: How long Discord waits for an answer to a press, and how often the playground looks for it, in seconds.
ANSWERED_WITHIN: Final = 3.0
LOOK_AGAIN: Final = 0.01
#: A page that has not asked for news for so long is not looked at any more; browsers let a hidden one ask
#: once a minute at least, in seconds.
LOOKED_AT_WITHIN: Final = 90.0
#: How long a seat is kept for somebody whose page has gone: loading it again takes a moment, in seconds.
BACK_WITHIN: Final = 10.0
#: The number of a message that there is not.
NO_MESSAGE: Final = "0"
#: Ends every address: a fixed word, so that a page opened before a restart works after it.
CAPABILITY: Final = "play"


class Pages(Preview):
    """All open pages of the channel."""

    def __init__(self, scene: Scene, port: int = 0) -> None:
        super().__init__(
            scene.world,
            scene.channel,
            scene.members,
            layout="channel",
            display="responsive",
            width=960,
            height=720,
            locale="en-US",
            timezone="UTC",
            presentation_time=None,
            assets=scene.pictures,
            port=port,
        )
        self.capability = CAPABILITY
        self._server: Server = Server(self, port)
        self._media_worker = Pictures()
        self._world = scene.world
        self._home = scene.channel
        self._members = scene.members
        self._tree = scene.bot.tree
        #: simcord does one operation at a time, and refuses a second.
        self._one_at_a_time = asyncio.Lock()
        #: By page and publication: the custom_id of each control that can be pressed.
        self._seen: dict[str, dict[int, dict[str, str]]] = {}
        #: When somebody last looked through each member, by the monotonic clock.
        self._looked: dict[int, float] = {}
        #: Whether stand-ins play, which the page's toolbar switches.
        self.stand_ins = True
        #: Whatever was refused, for the tests: kind of action, codes of the reasons.
        self.refused: list[tuple[str, list[str]]] = []

    async def __aenter__(self) -> Self:
        """Open the address."""
        await super().__aenter__()
        return self

    # --- showing

    def show_news(self) -> None:
        """Show what has happened, if anything has."""
        # Every request of the bot and every event for it stands in the transcript, private ones too.
        if self._world.backend.transcript:
            self.show_all()

    def show_all(self) -> None:
        """Publish the world as it is to every page; awaits nothing, so nothing can overlap it."""
        self._world.backend.transcript.clear()
        self._world.backend.http_requests.clear()
        self._advance_presentation_time()
        for page in list(self._pages.values()):
            if page is not self._python:
                self._publish(page, reason="refresh")

    def _publish(self, page: _Page, *, reason: Any = "action") -> None:
        """Publish a page and remember what can be pressed on it."""
        # Half of the work would be simcord's list of messages, which the page does not show: look for none.
        page.navigation_query = NO_MESSAGE
        super()._publish(page, reason=reason)
        page.snapshot["assets"] = dict.fromkeys(page.assets)  # filled in when the page asks
        seen = self._seen.setdefault(page.id, {})
        seen[page.revision] = {
            f"message:{message['id']}:component:{component['id']}": component["custom_id"]
            for message in page.snapshot["messages"].values()
            for component in walk_components(message["components"])
            if component.get("custom_id")
        }
        for old in list(seen)[:-KEPT]:
            del seen[old]
        self._server.tell()
        for gone in self._seen.keys() - self._pages.keys() - {page.id}:
            del self._seen[gone]

    def _reconcile_assets(self, page: _Page) -> None:
        """Keep every picture: a card that comes again is there at once, and none goes while it is fetched."""

    def _authorize_asset(self, page: _Page, asset_id: str, *, content: bool = True) -> _Asset:
        """Let a page have what it was told of, though another card may lie on it by now."""
        if (record := page.assets.get(asset_id)) is None:
            raise SetupError("asset is unavailable")
        return record

    def watched(self) -> set[int]:
        """Return the ids of the users through whom somebody looks, or did a moment ago.

        A page that is loaded again is another one, and begins as the first member.
        """
        now = time.monotonic()  # the world's while it runs, as where a page's last activity was noted
        for page in self._pages.values():
            if page is not self._python and now - page.last_activity < LOOKED_AT_WITHIN:
                self._looked[page.viewer.id] = now
        self._looked = {user: at for user, at in self._looked.items() if now - at < BACK_WITHIN}
        return set(self._looked)

    # --- acting

    async def _action(self, context_id: str | None, body: Mapping[str, Any]) -> dict[str, Any]:
        """Answer what a page sends."""
        page = self._pages.get(context_id or "")
        kind = str(body.get("kind"))
        if kind == "toolbar":
            return self._toolbar(page, body)
        if page is not None and kind in ("click", "select"):
            seen = self._seen.get(page.id, {}).get(int(body.get("published_revision") or 0), {})
            custom_id = seen.get(str(body.get("control_key")))
            message_id = int(body.get("target_id") or 0)
            if custom_id is not None and message_id in self._world.backend.messages[page.channel_id]:
                return await self._pressed(page, body, message_id, custom_id)
        async with self._one_at_a_time:
            if page is not None:
                # What is typed or picked does not depend on which publication the page had got to.
                if "published_revision" in body:
                    body = {**body, "published_revision": page.revision}
                self.channel = self._places()[page.channel_id]
                if kind == "viewer":
                    self._seen.pop(page.id, None)
            try:
                result = await super()._action(context_id, body)
            finally:
                self.channel = self._home
        if result.get("rejected"):
            self.refused.append((kind, [str(reason["code"]) for reason in result["diagnostics"]]))
        return result

    async def _pressed(
        self, page: _Page, body: Mapping[str, Any], message_id: int, custom_id: str
    ) -> dict[str, Any]:
        """Carry out a press of a page, and show the answer with the receipt."""
        sequence, request_id = body["sequence"], body["request_id"]
        if sequence != page.last_sequence + 1:
            return self._reject(page, "stale-sequence", request_id=request_id, sequence=sequence)
        page.last_sequence = sequence
        record = self.press(page.viewer, page.channel_id, message_id, custom_id, body.get("values"))
        loop = asyncio.get_running_loop()
        until = loop.time() + ANSWERED_WITHIN
        while not record.responded and loop.time() < until:  # noqa: ASYNC110  # simcord has no event for it
            await asyncio.sleep(LOOK_AGAIN)
        self.show_all()
        page.last_action = self._result(
            page,
            request_id=request_id,
            sequence=sequence,
            rejected=False,
            dispatch="dispatched",
            acknowledgement="acknowledged" if record.responded else "unacknowledged",
            settlement="settled",
            diagnostics=[],
        )
        return page.last_action

    def press(
        self,
        member: simcord.MemberActor,
        channel_id: int,
        message_id: int,
        custom_id: str,
        values: list[str] | None = None,
    ) -> Interaction:
        """Let a member press a button, or choose `values` in a menu, as they saw it; returns at once."""
        backend = self._world.backend
        message = backend.get_message(channel_id, message_id)
        # A copy, since the bot's reading of it must not reach back into the world.
        shown = json.loads(json.dumps(serializers.message_payload(backend, message)))
        kinds = {part.get("custom_id"): part["type"] for part in walk_components(shown["components"])}
        kind = kinds.get(custom_id, int(ComponentType.BUTTON))
        data: dict[str, Any] = {"custom_id": custom_id, "component_type": kind}
        if values is not None:
            data |= {"values": values, "resolved": self._resolved(kind, values, member.guild.id)}
        record, payload = base_payload(
            backend,
            type=int(InteractionType.MESSAGE_COMPONENT),
            channel_id=channel_id,
            guild_id=member.guild.id,
            user_id=member.id,
            data=data,
        )
        record.source_message_id = message_id
        backend.emit("INTERACTION_CREATE", payload | {"message": shown})
        return record

    def _resolved(self, kind: int, values: list[str], guild_id: int) -> dict[str, Any]:
        """Tell of people and channels that were chosen what Discord tells beside their ids."""
        backend = self._world.backend
        if kind == ComponentType.USER_SELECT:
            guild = backend.get_guild(guild_id)
            told = {value: guild.members[int(value)] for value in values}
            return {
                "users": {
                    value: dict(serializers.user_payload(backend.get_user(int(value)))) for value in values
                },
                "members": {
                    value: dict(serializers.member_payload(backend, guild, each, with_user=False))
                    for value, each in told.items()
                },
            }
        if kind == ComponentType.CHANNEL_SELECT:
            channels = {value: backend.get_channel(int(value)) for value in values}
            return {
                "channels": {
                    value: dict(serializers.channel_payload(backend, channel))
                    for value, channel in channels.items()
                }
            }
        return {}

    def shown_to(self, member: simcord.MemberActor, channel_id: int) -> Iterator[Message]:
        """Give the messages of a channel that a member sees, newest first."""
        for message in reversed(list(self._world.backend.messages[channel_id].values())):
            if message.visible_to(member.id):
                yield message

    # --- the toolbar

    def _places(self) -> dict[int, simcord.ChannelHandle]:
        return {place.id: place for place in (self._home, *self._home.threads)}

    def _toolbar(self, page: _Page | None, body: Mapping[str, Any]) -> dict[str, Any]:
        """Do what the page's toolbar asks for, and tell it how things stand."""
        if isinstance(body.get("stand_ins"), bool):
            self.stand_ins = body["stand_ins"]
        if (zone := body.get("timezone")) and zone != self.timezone:
            self._set_timezone(str(zone))
        told = ""
        if page is not None and isinstance(body.get("typed"), str):
            told = self._typed(page, body["typed"])
        places = self._places()
        wanted = int(body.get("place") or 0)
        if page is not None and wanted in places and wanted != page.channel_id:
            self._go(page, wanted)
        return {
            "stand_ins": self.stand_ins,
            "places": [[str(place.id), f"#{place.name}"] for place in places.values()],
            "here": str(page.channel_id if page is not None else self._home.id),
            "told": told,
        }

    def _typed(self, page: _Page, text: str) -> str:
        """Give a command that was typed out; returns why it cannot be given, "" where it was."""
        guild = page.viewer.guild
        users = (self._world.backend.get_user(member.id) for member in self._members)
        people = {(user.global_name or user.name).casefold(): user.id for user in users}
        try:
            data = typed.read(text, self._tree, people)
        except typed.NoCommandError as error:
            return str(error)
        if chosen := data.pop("people", None):
            data["resolved"] = self._resolved(int(ComponentType.USER_SELECT), chosen, guild.id)
        _, payload = base_payload(
            self._world.backend,
            type=int(InteractionType.APPLICATION_COMMAND),
            channel_id=page.channel_id,
            guild_id=guild.id,
            user_id=page.viewer.id,
            data=data,
        )
        self._world.backend.emit("INTERACTION_CREATE", payload)
        return ""

    def _set_timezone(self, zone: str) -> None:
        """Show times as the browser's clock does."""
        try:
            ZoneInfo(zone)
        except (ZoneInfoNotFoundError, ValueError):
            return
        self.timezone = zone
        self.show_all()

    def _go(self, page: _Page, channel_id: int) -> None:
        """Let a page show another place: simcord's own are bound to one channel."""
        self._clear_page_assets(page)
        page.channel_id = channel_id
        page.generation += 1
        page.target_id = page.window_end_id = page.navigation_cursor = None
        page.candidate_queries.clear()
        self._publish(page, reason="navigation")
