"""Requests about servers, channels, threads and messages, made with the bot's own token."""

from typing import TYPE_CHECKING, Any

from tests.loopback import messages, payloads
from tests.loopback.clock import age
from tests.loopback.components import CONTAINER
from tests.loopback.permissions import bits, compute, may
from tests.loopback.wire import Call, Refusal, route
from tests.loopback.world import (
    BOT_ID,
    HAS_THREAD,
    NEWS,
    NEWS_THREAD,
    PRIVATE_THREAD,
    PUBLIC_THREAD,
    TEXT,
    Channel,
    Guild,
    Message,
)

if TYPE_CHECKING:
    from tests.loopback.server import Loopback

OLD = 3600.0


def _guild(loopback: "Loopback", call: Call) -> Guild:
    guild = loopback.world.guilds.get(call.number("guild"))
    if guild is None or BOT_ID not in guild.members:
        raise Refusal(10004)
    return guild


def _channel(loopback: "Loopback", call: Call, *needed: str) -> Channel:
    """Find the channel of a request, in which the bot must have these permissions."""
    channel = loopback.world.channel(call.number("channel"))
    if channel is None:
        raise Refusal(10003)
    if BOT_ID not in channel.guild.members or not may(channel.guild.me, channel):
        raise Refusal(50001)
    if call.method != "GET" and channel.guild.me.timed_out:
        raise Refusal(50013)
    if bits(*needed) & ~compute(channel.guild.me, channel):
        raise Refusal(50013)
    return channel


def _message(channel: Channel, call: Call) -> Message:
    message = channel.messages.get(call.number("message"))
    if message is None or message.viewer is not None:  # a private one is reached through its token alone
        raise Refusal(10008)
    return message


# --- servers


@route("GET", "/guilds/{guild}")
def get_guild(loopback: "Loopback", call: Call) -> Any:
    return payloads.guild(_guild(loopback, call))


@route("GET", "/guilds/{guild}/members/{user}")
def get_member(loopback: "Loopback", call: Call) -> Any:
    guild = _guild(loopback, call)
    if call.number("user") not in loopback.world.users:
        raise Refusal(10013)
    if call.number("user") not in guild.members:
        raise Refusal(10007)
    return payloads.member(guild.members[call.number("user")])


@route("GET", "/users/{user}")
def get_user(loopback: "Loopback", call: Call) -> Any:
    if call.number("user") not in loopback.world.users:
        raise Refusal(10013)
    return payloads.user(loopback.world.users[call.number("user")])


# --- channels and threads


@route("GET", "/channels/{channel}")
def get_channel(loopback: "Loopback", call: Call) -> Any:
    return payloads.channel(_channel(loopback, call))


@route("PATCH", "/channels/{channel}")
def edit_thread(loopback: "Loopback", call: Call) -> Any:
    """Archive, lock, open or rename a thread; other channels are not edited here."""
    channel = _channel(loopback, call)
    manages = may(channel.guild.me, channel, "manage_threads")
    if not channel.is_thread or not (manages or channel.owner_id == BOT_ID):
        raise Refusal(50013)
    if not manages and (channel.locked or "locked" in call.body):
        raise Refusal(50013)
    channel.name = call.body.get("name", channel.name)
    archived = call.body.get("archived", channel.archived)
    channel.set_archived(archived, locked=call.body.get("locked", channel.locked))
    return payloads.channel(channel)


def _named(call: Call) -> str:
    name = str(call.body.get("name") or "")
    if not 1 <= len(name) <= 100:
        raise Refusal.of_field("name", "BASE_TYPE_BAD_LENGTH", "Must be between 1 and 100 in length.")
    return name


@route("POST", "/channels/{channel}/messages/{message}/threads")
def start_thread_at_message(loopback: "Loopback", call: Call) -> Any:
    channel = _channel(loopback, call, "create_public_threads")
    message = _message(channel, call)
    if channel.type not in (TEXT, NEWS):
        raise Refusal(50024)
    if message.flags & HAS_THREAD:
        raise Refusal(160004)
    kind = NEWS_THREAD if channel.type == NEWS else PUBLIC_THREAD
    made = channel.thread(_named(call), kind=kind, at=message.id)
    message.flags |= HAS_THREAD
    return payloads.channel(made)


@route("POST", "/channels/{channel}/threads")
def start_thread(loopback: "Loopback", call: Call) -> Any:
    kind = call.body.get("type", PRIVATE_THREAD)
    private = kind == PRIVATE_THREAD
    channel = _channel(loopback, call, "create_private_threads" if private else "create_public_threads")
    if channel.type not in (TEXT, NEWS):
        raise Refusal(50024)
    return payloads.channel(channel.thread(_named(call), kind=kind))


# --- messages


def _holds_a_container(message: Message) -> bool:
    return message.viewer is None and any(part["type"] == CONTAINER for part in message.components)


@route("GET", "/channels/{channel}/messages")
def history(loopback: "Loopback", call: Call) -> Any:
    channel = _channel(loopback, call)
    limit = int(call.query.get("limit", 50))
    if not 1 <= limit <= 100:
        raise Refusal.of_field("limit", "NUMBER_TYPE_MAX", "int value should be between 1 and 100.")
    if loopback.lists_fail and any(map(_holds_a_container, channel.messages.values())):
        raise Refusal(0, status=500, message="500: Internal Server Error")
    if not may(channel.guild.me, channel, "read_message_history"):
        return []
    found = sorted(m.id for m in channel.messages.values() if m.viewer is None)
    if "after" in call.query:
        found = [number for number in found if number > int(call.query["after"])][:limit]
    elif "before" in call.query:
        found = [number for number in found if number < int(call.query["before"])]
    return [payloads.message(channel.messages[number]) for number in reversed(found[-limit:])]


@route("GET", "/channels/{channel}/messages/{message}")
def get_message(loopback: "Loopback", call: Call) -> Any:
    channel = _channel(loopback, call, "read_message_history")
    return payloads.message(_message(channel, call))


@route("POST", "/channels/{channel}/messages", bucket="create", major="channel")
def create_message(loopback: "Loopback", call: Call) -> Any:
    channel = _channel(loopback, call)
    needed = "send_messages_in_threads" if channel.is_thread else "send_messages"
    if not may(channel.guild.me, channel, needed):
        raise Refusal(50013)
    if channel.archived and channel.locked:
        raise Refusal(50083)
    if (before := messages.sent_before(loopback, channel, call.body)) is not None:
        return payloads.message(before)
    made = messages.create(loopback, channel, call.body, call)
    if made.nonce is not None:
        loopback.nonces[channel.id, str(made.nonce)] = made
    if channel.archived:
        channel.set_archived(False)
    return payloads.message(made)


@route("PATCH", "/channels/{channel}/messages/{message}", bucket="edit", major="channel")
def edit_message(loopback: "Loopback", call: Call) -> Any:
    channel = _channel(loopback, call)
    message = _message(channel, call)
    if message.author.id != BOT_ID:
        raise Refusal(50005)
    if channel.archived:
        raise Refusal(50083)
    limit = loopback.limits.old_edits
    if limit is not None and age(message.id, loopback.clock.now()) > OLD:
        taken = loopback.buckets.take(("old_edits", str(channel.id)), limit, loopback.clock.seconds())
        if not taken.granted:
            raise Refusal(30046, retry_after=taken.reset_after)
    return payloads.message(messages.edit(loopback, message, call.body, call))


@route("DELETE", "/channels/{channel}/messages/{message}", bucket="delete", major="channel")
def delete_message(loopback: "Loopback", call: Call) -> None:
    channel = _channel(loopback, call)
    message = _message(channel, call)
    if message.author.id != BOT_ID and not may(channel.guild.me, channel, "manage_messages"):
        raise Refusal(50013)
    if channel.archived:
        raise Refusal(50083)
    message.delete()
