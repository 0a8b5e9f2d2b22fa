"""What stood on Discord when a memory was made, put up again on a simulated one by the same ids.

Imports simcord and the simulation only, nothing of the bot: what a release has left behind is read as data.
"""

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

import discord
from simcord import ChannelHandle, MemberActor
from simcord.backend import serializers
from simcord.backend.models import Channel, Interaction, Message, User
from simcord.backend.models.channel import ThreadMetadata
from simcord.backend.models.interaction import ResponseKind
from simcord.builders import GuildHandle, UserHandle
from simcord.enums import ChannelType, InteractionType

from tests.discord.clicking import Room
from tests.discord.simulation import Simulation

COMPONENTS, EPHEMERAL = 1 << 15, 1 << 6


class Token(NamedTuple):
    """An interaction's token: whose, in which channel, and the private message that it reaches, if any."""

    token: str
    user: int
    channel: int
    message: int | None
    issued_at: datetime


@dataclass
class Places:
    """Servers, channels, people and public messages, all by their ids; `people` have a name each.

    A channel has its server, and the channel of which it is a thread, if it is one. `managers` may manage
    every server. `messages` have the channel they are in. `left_at` is when the bot was stopped.
    """

    guilds: dict[int, str]
    channels: dict[int, tuple[int, int | None]]
    people: dict[int, str]
    managers: list[int]
    messages: dict[int, int] = field(default_factory=dict)
    tokens: list[Token] = field(default_factory=list)
    left_at: datetime = datetime(2026, 1, 1, tzinfo=UTC)

    def written(self) -> dict[str, Any]:
        return {
            "guilds": [[key, locale] for key, locale in self.guilds.items()],
            "channels": [[key, *place] for key, place in self.channels.items()],
            "people": [[key, name] for key, name in self.people.items()],
            "managers": self.managers,
            "messages": [[key, channel] for key, channel in self.messages.items()],
            "tokens": [[*token[:-1], token.issued_at.isoformat()] for token in self.tokens],
            "left_at": [self.left_at.isoformat()],
        }

    @classmethod
    def read(cls, saved: dict[str, Any]) -> "Places":
        return cls(
            guilds=dict(saved["guilds"]),
            channels={key: (guild, parent) for key, guild, parent in saved["channels"]},
            people=dict(saved["people"]),
            managers=saved["managers"],
            messages=dict(saved["messages"]),
            tokens=[Token(*token, datetime.fromisoformat(at)) for *token, at in saved["tokens"]],
            left_at=datetime.fromisoformat(saved["left_at"][0]),
        )


class World:
    """A simulated Discord with these places, before the bot logs in."""

    def __init__(self, simulation: Simulation, places: Places) -> None:
        self.simulation = simulation
        self.places = places
        self._private: dict[tuple[int, int], int] = {}
        self._guilds = {
            key: simulation.create_guild(f"Server {key}", id=key, preferred_locale=locale)
            for key, locale in places.guilds.items()
        }
        self._people = {key: self._user(key, name) for key, name in places.people.items()}
        for guild in self._guilds.values():
            self._populate(guild)
        for key, (guild_id, parent) in places.channels.items():
            self._open(key, guild_id, parent)
        for key, channel in places.messages.items():
            self.post(channel, key)
        for token in places.tokens:
            self._keep(token)

    # --- putting up

    def _user(self, key: int, name: str) -> UserHandle:
        user = User(id=self.simulation.backend.reserve_id(key), name=f"user{key}", global_name=name)
        self.simulation.backend.users[key] = user
        return UserHandle(self.simulation, user)

    def _populate(self, guild: GuildHandle) -> None:
        backend = self.simulation.backend
        managers = guild.create_role("Managers", permissions=discord.Permissions(manage_guild=True))
        for key in self.places.people:
            roles = [managers.id] if key in self.places.managers else []
            backend.add_member(guild.id, key, roles=roles)

    def _open(self, key: int, guild_id: int, parent: int | None) -> None:
        backend = self.simulation.backend
        guild = backend.get_guild(guild_id)
        kind = ChannelType.TEXT if parent is None else ChannelType.PUBLIC_THREAD
        channel = Channel(id=key, type=kind, name=f"channel-{key}", guild_id=guild_id, parent_id=parent)
        if parent is None:
            channel.position = len(guild.channel_ids)
            guild.channel_ids.append(key)
        else:
            now = backend.now_iso()
            channel.owner_id = backend.bot_user.id
            channel.thread_metadata = ThreadMetadata(archive_timestamp=now, create_timestamp=now)
            channel.thread_members[channel.owner_id] = now
            guild.thread_ids.append(key)
        backend.channels[key] = channel
        backend.messages[key] = {}

    def post(self, channel: int, key: int, reader: int | None = None) -> int:
        """Put up a message of the bot's, for one reader alone or for everybody."""
        backend = self.simulation.backend
        backend.messages[channel][key] = Message(
            id=key,
            channel_id=channel,
            author_id=backend.bot_user.id,
            timestamp=discord.utils.snowflake_time(key).isoformat(),
            flags=COMPONENTS if reader is None else COMPONENTS | EPHEMERAL,
            components=[{"type": 10, "content": "as it was"}],
            interaction_metadata=None if reader is None else self._read_by(reader),
        )
        return key

    def _read_by(self, reader: int) -> dict[str, Any]:
        user = dict(serializers.user_payload(self.simulation.backend.get_user(reader)))
        return {"id": str(reader), "type": 3, "user": user, "authorizing_integration_owners": {}}

    def _keep(self, token: Token) -> None:
        """Let a token reach the private message that it did."""
        backend = self.simulation.backend
        record = Interaction(
            id=backend.snowflake(),
            token=token.token,
            type=InteractionType.MESSAGE_COMPONENT,
            channel_id=token.channel,
            guild_id=self.places.channels[token.channel][0],
            user_id=token.user,
            expires_at=(token.issued_at + timedelta(minutes=15)).isoformat(),
            responded=True,
            response_kind=ResponseKind.MESSAGE,
            message_id=token.message,
        )
        backend.interactions[record.id] = record
        backend.interaction_tokens[record.token] = record.id
        if token.message is not None:
            self._private[token.channel, token.user] = self.post(token.channel, token.message, token.user)

    # --- finding

    def room(self, channel: int) -> Room:
        guild = self._guilds[self.places.channels[channel][0]]
        return Room(
            self.simulation, ChannelHandle(self.simulation, guild, self.simulation.backend.channels[channel])
        )

    def member(self, person: int, channel: int) -> MemberActor:
        """Return a person as a member of the server that a channel is on."""
        return MemberActor(self.simulation, self.room(channel).channel.guild, self._people[person])

    def private(self, channel: int, person: int) -> int:
        """Return the private message that somebody has in a channel: their hand, or one put up now."""
        key = self._private.get((channel, person))
        if key is None:
            key = self.post(channel, self.simulation.backend.snowflake(), person)
            self._private[channel, person] = key
        return key
