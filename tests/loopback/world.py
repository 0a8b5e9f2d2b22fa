"""Servers, channels, members and messages, and what tests do to them.

Whatever a connected bot would hear of goes out through `World.emit`.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

import discord

from tests.loopback import payloads
from tests.loopback.clock import Clock
from tests.loopback.permissions import EVERYONE, INVITED, bits, may

TEXT, VOICE, NEWS, NEWS_THREAD, PUBLIC_THREAD, PRIVATE_THREAD, FORUM = 0, 2, 5, 10, 11, 12, 15
THREADS = (NEWS_THREAD, PUBLIC_THREAD, PRIVATE_THREAD)

#: Message flags.
HAS_THREAD, EPHEMERAL, LOADING, COMPONENTS_V2 = 1 << 5, 1 << 6, 1 << 7, 1 << 15

BOT_ID = 1000

#: Sends an event of a server to the bot's sessions.
Emit = Callable[["Guild", str, dict[str, Any]], Any]


@dataclass(eq=False)
class User:
    """A person, or the bot; `locale` is the language of their client."""

    id: int
    name: str
    bot: bool = False
    locale: str = "en-US"


@dataclass(eq=False)
class Role:
    id: int
    name: str
    permissions: int


@dataclass(eq=False)
class Member:
    """A user in one server."""

    guild: "Guild"
    user: User
    joined_at: str
    nick: str | None = None
    roles: set[int] = field(default_factory=set)
    timed_out_until: datetime | None = None

    def __repr__(self) -> str:
        return f"<Member {self.name} of {self.guild.name}>"

    @property
    def id(self) -> int:
        return self.user.id

    @property
    def name(self) -> str:
        return self.nick or self.user.name

    def permit(self, *names: str) -> None:
        """Give them a role with these permissions, as to a moderator."""
        role = Role(self.guild.world.clock.snowflake(), "role", bits(*names))
        self.guild.roles[role.id] = role
        self.roles.add(role.id)
        self.guild.tell("GUILD_ROLE_CREATE", {"role": payloads.role(role)})
        self._tell()

    @property
    def timed_out(self) -> bool:
        """Whether a time-out forbids them all but looking on."""
        return self.timed_out_until is not None and self.timed_out_until > self.guild.world.clock.now()

    def time_out(self, seconds: float) -> None:
        """Put them under a time-out; 0 ends it. Its end by itself is told by no event."""
        self.timed_out_until = self.guild.world.clock.now() + timedelta(seconds=seconds)
        self._tell()

    def _tell(self) -> None:
        if self.id == BOT_ID:  # of others only the members intent would tell
            self.guild.tell("GUILD_MEMBER_UPDATE", payloads.member(self))

    def leave(self) -> None:
        """Leave the server; without the members intent no event says so."""
        del self.guild.members[self.id]


@dataclass(eq=False)
class Message:
    """One message; `viewer` is who alone sees it, `interaction` what it answers or follows.

    `is_table`: it has, or had, buttons that are not the offer of a seat.
    """

    id: int
    channel: "Channel"
    author: Member
    timestamp: str
    content: str = ""
    components: list[dict[str, Any]] = field(default_factory=list)
    embeds: list[dict[str, Any]] = field(default_factory=list)
    attachments: list[dict[str, Any]] = field(default_factory=list)
    flags: int = 0
    edited: str | None = None
    viewer: int | None = None
    interaction: Any = None
    pinged: frozenset[int] = frozenset()
    edits: int = 0
    nonce: str | int | None = None
    is_table: bool = False

    @property
    def gone(self) -> bool:
        return self.id not in self.channel.messages

    def visible_to(self, member: Member | None) -> bool:
        """Say whether a member sees it; without one, whether everybody in the channel does."""
        if member is None:
            return self.viewer is None
        return self.viewer in (None, member.id) and may(member, self.channel)

    def delete(self) -> None:
        """Remove it, as a moderator does, or its author, or a member their own private copy."""
        self.channel.messages.pop(self.id, None)


@dataclass(eq=False)
class Channel:
    """A channel or a thread; `overwrites` are (allowed, denied) bits by the id of a role or member.

    `last_message_id` stays when that message is deleted.
    """

    guild: "Guild"
    id: int
    name: str
    type: int
    parent: "Channel | None" = None
    owner_id: int = 0
    overwrites: dict[int, tuple[int, int]] = field(default_factory=dict)
    messages: dict[int, Message] = field(default_factory=dict)
    archived: bool = False
    locked: bool = False
    changed_at: str = ""
    last_message_id: int | None = None

    def __repr__(self) -> str:
        return f"<Channel {self.name} of {self.guild.name}>"

    @property
    def is_thread(self) -> bool:
        return self.type in THREADS

    @property
    def gone(self) -> bool:
        return self.id not in self.guild.channels

    def _overwrite(self, who: Member | None, allow: int, deny: int) -> None:
        target = self.guild.id if who is None else who.id
        allowed, denied = self.overwrites.get(target, (0, 0))
        self.overwrites[target] = (allowed & ~deny | allow, denied & ~allow | deny)
        self.guild.tell("CHANNEL_UPDATE", payloads.channel(self))

    def allow(self, *names: str, who: Member | None = None) -> None:
        """Allow these permissions here, to one member or to everybody."""
        self._overwrite(who, bits(*names), 0)

    def deny(self, *names: str, who: Member | None = None) -> None:
        """Deny these permissions here, to one member or to everybody."""
        self._overwrite(who, 0, bits(*names))

    def say(self, member: Member, content: str) -> Message:
        """Let a member write something."""
        self.archived = False
        return self.add(member, content=content)

    def add(self, author: Member, **fields: Any) -> Message:
        """Add a message."""
        clock = self.guild.world.clock
        message = Message(clock.snowflake(), self, author, clock.text(), **fields)
        self.messages[message.id] = message
        if message.viewer is None or self.guild.world.private_is_last:
            self.last_message_id = message.id
        return message

    def thread(
        self, name: str, *, kind: int = PUBLIC_THREAD, at: int | None = None, by: int = BOT_ID
    ) -> "Channel":
        """Open a thread here, one that begins `at` a message with its id."""
        made = self.guild.add_channel(name, kind, parent=self, number=at, owner_id=by)
        self.guild.tell("THREAD_CREATE", payloads.channel(made) | {"newly_created": True})
        return made

    def archive(self, *, locked: bool = False) -> None:
        """Archive this thread, and lock it."""
        self.set_archived(True, locked=locked)

    def set_archived(self, archived: bool, *, locked: bool = False) -> None:
        self.archived, self.locked, self.changed_at = archived, locked, self.guild.world.clock.text()
        self.guild.tell("THREAD_UPDATE", payloads.channel(self))

    def delete(self) -> None:
        """Delete this channel and its threads."""
        for thread in [c for c in self.guild.channels.values() if c.parent is self]:
            thread.delete()
        payload = payloads.channel(self)
        del self.guild.channels[self.id]
        self.guild.tell("THREAD_DELETE" if self.is_thread else "CHANNEL_DELETE", payload)


@dataclass(eq=False)
class Guild:
    """A server; the bot is `me`, and not in it after `expel`.

    While `unavailable`, no request about it is carried out.
    """

    world: "World"
    id: int
    name: str
    locale: str
    owner_id: int
    roles: dict[int, Role] = field(default_factory=dict)
    members: dict[int, Member] = field(default_factory=dict)
    channels: dict[int, Channel] = field(default_factory=dict)
    me: Member = field(init=False)
    unavailable: bool = False

    def __repr__(self) -> str:
        return f"<Guild {self.name}>"

    def tell(self, event: str, payload: dict[str, Any]) -> None:
        """Send an event of this server to the bot, if it is in it."""
        if BOT_ID in self.members:
            self.world.emit(self, event, payload | {"guild_id": str(self.id)})

    def add_channel(self, name: str, kind: int, *, number: int | None = None, **fields: Any) -> Channel:
        clock = self.world.clock
        channel = Channel(self, number or clock.snowflake(), name, kind, changed_at=clock.text(), **fields)
        self.channels[channel.id] = channel
        return channel

    def channel(self, name: str, kind: int = TEXT) -> Channel:
        """Make a channel: text, or TEXT, VOICE, NEWS or FORUM."""
        made = self.add_channel(name, kind)
        self.tell("CHANNEL_CREATE", payloads.channel(made))
        return made

    def join(self, *names: str, locale: str = "en-US") -> list[Member]:
        """Let people with these display names join, with clients in this language."""
        return [self.enter(User(self.world.clock.snowflake(), name, locale=locale)) for name in names]

    def enter(self, user: User) -> Member:
        """Let somebody join who may be in other servers too."""
        self.world.users[user.id] = user
        self.members[user.id] = Member(self, user, self.world.clock.text())
        return self.members[user.id]

    def invite(self) -> None:
        """Let the bot in."""
        self.me = self.enter(self.world.bot)
        self.me.permit(*(name for name, on in discord.Permissions(INVITED) if on))
        self.world.emit(self, "GUILD_CREATE", payloads.guild(self))

    def fail(self) -> None:
        """Be unavailable, as in an outage of a part of Discord."""
        self.unavailable = True
        self.world.emit(self, "GUILD_DELETE", {"id": str(self.id), "unavailable": True})

    def recover(self) -> None:
        """Be available again."""
        self.unavailable = False
        self.world.emit(self, "GUILD_CREATE", payloads.guild(self))

    def expel(self) -> None:
        """Throw the bot out."""
        self.me.leave()
        self.world.emit(self, "GUILD_DELETE", {"id": str(self.id)})


class World:
    """All servers, and everybody."""

    def __init__(self, clock: Clock, emit: Emit) -> None:
        self.clock = clock
        self.emit = emit
        self.bot = User(BOT_ID, "lastlap", bot=True)
        self.users: dict[int, User] = {BOT_ID: self.bot}
        self.guilds: dict[int, Guild] = {}
        #: Whether a private message too becomes the last of its channel.
        self.private_is_last = False

    def guild(self, name: str, *, locale: str = "en-US", shard: int = 0, shards: int = 1) -> Guild:
        """Make a server with the bot in it, and an owner, on a shard of so many."""
        number = self.clock.snowflake(shard=shard, shards=shards)
        owner = User(self.clock.snowflake(), "Owner")
        guild = self.guilds[number] = Guild(self, number, name, locale, owner.id)
        guild.roles[number] = Role(number, "@everyone", EVERYONE)
        guild.enter(owner)
        guild.invite()
        return guild

    def channel(self, number: int) -> Channel | None:
        """Find a channel or thread by its id."""
        return next((g.channels[number] for g in self.guilds.values() if number in g.channels), None)
