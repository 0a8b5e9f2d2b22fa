"""How a message comes to be, and to be another: what may be in it, whom it pings."""

import re
from typing import TYPE_CHECKING, Any

from tests.loopback import components
from tests.loopback.clock import age
from tests.loopback.kinds import has_buttons
from tests.loopback.permissions import may
from tests.loopback.wire import Call, Refusal
from tests.loopback.world import (
    COMPONENTS_V2,
    EPHEMERAL,
    FORUM,
    LOADING,
    Channel,
    Member,
    Message,
)

if TYPE_CHECKING:
    from tests.loopback.server import Loopback

#: Characters of a nonce, and how long one is remembered, in seconds.
MOST_NONCE, NONCE_LIFE = 25, 300.0
#: What a sender may set: no embeds shown, private, no notification, Components V2.
_SETTABLE = 1 << 2 | EPHEMERAL | 1 << 12 | COMPONENTS_V2


def create(
    loopback: "Loopback", channel: Channel, body: dict[str, Any], call: Call, asked: Any = None
) -> Message:
    """Post what the bot sends, as itself or through the token of `asked`. Raises Refusal."""
    if channel.type == FORUM:
        raise Refusal(50008)
    flags = int(body.get("flags") or 0) & _SETTABLE
    if asked is None:
        flags &= ~EPHEMERAL
    fields = _filled({"flags": flags}, body, call)
    components.check(fields | _legacy(body), None, loopback.emojis)
    viewer = asked.member.id if flags & EPHEMERAL else None
    message = channel.add(channel.guild.me, **fields, viewer=viewer, interaction=asked)
    message.pinged = frozenset(_pinged(message, body.get("allowed_mentions")))
    message.nonce = body.get("nonce")
    message.is_table = has_buttons(message.components)
    return message


def sent_before(loopback: "Loopback", channel: Channel, body: dict[str, Any]) -> Message | None:
    """Return the message that was sent with this nonce, where the sender enforces it. Raises Refusal."""
    nonce = body.get("nonce")
    if nonce is None:
        return None
    if len(str(nonce)) > MOST_NONCE:
        raise Refusal.of_field("nonce", "NONCE_TYPE_TOO_LONG", "Nonce must be 25 characters or fewer.")
    if not body.get("enforce_nonce"):
        return None
    message = loopback.nonces.get((channel.id, str(nonce)))
    if message is None or age(message.id, loopback.clock.now()) > NONCE_LIFE:
        return None
    return message


def edit(loopback: "Loopback", message: Message, body: dict[str, Any], call: Call) -> Message:
    """Change a message into what the bot sends; nobody is pinged. Raises Refusal."""
    before: dict[str, Any] = {
        "content": message.content,
        "components": message.components,
        "embeds": message.embeds,
        "attachments": message.attachments,
        "flags": (message.flags & ~LOADING) | (int(body.get("flags") or 0) & COMPONENTS_V2),
    }
    fields = _filled(before, body, call)
    components.check(fields | _legacy(body), message, loopback.emojis)
    for name, value in fields.items():
        setattr(message, name, value)
    message.is_table = message.is_table or has_buttons(message.components)
    message.edited = loopback.clock.text()
    message.edits += 1
    return message


def _filled(before: dict[str, Any], body: dict[str, Any], call: Call) -> dict[str, Any]:
    """Return the fields of a message once a body is laid over what was before."""
    fields = {"content": "", "components": [], "embeds": [], "attachments": []} | before
    for name in ("content", "components", "embeds"):
        if name in body:
            fields[name] = body[name] or ("" if name == "content" else [])
    if "attachments" in body:
        kept = {str(kept.get("id")) for kept in body["attachments"] or []}
        fields["attachments"] = [a for a in fields["attachments"] if str(a["id"]) in kept]
    fields["attachments"] = fields["attachments"] + call.files
    used = {component.get("id") for component in components.walk(fields["components"])}
    number = 0
    for component in components.walk(fields["components"]):
        if not component.get("id"):
            number = next(n for n in range(number + 1, number + 1000) if n not in used)
            component["id"] = number
    return fields


def _legacy(body: dict[str, Any]) -> dict[str, Any]:
    return {name: body.get(name) for name in ("poll", "sticker_ids")}


def _pinged(message: Message, allowed: dict[str, Any] | None) -> set[int]:
    """Find who is notified: those mentioned, as far as the sender allows it, who can see the message."""
    texts = [message.content, *(str(c.get("content", "")) for c in components.walk(message.components))]
    text = "\n".join(texts)
    guild, channel = message.channel.guild, message.channel
    users = {int(found) for found in re.findall(r"<@!?(\d+)>", text)}
    roles = {int(found) for found in re.findall(r"<@&(\d+)>", text)}
    everyone = "@everyone" in text or "@here" in text
    if allowed is not None:
        parse = allowed.get("parse") or []
        if "users" not in parse:
            users &= {int(found) for found in allowed.get("users") or []}
        if "roles" not in parse:
            roles &= {int(found) for found in allowed.get("roles") or []}
        everyone = everyone and "everyone" in parse
    everyone = everyone and may(guild.me, channel, "mention_everyone")

    def reached(member: Member) -> bool:
        return everyone or member.id in users or bool(member.roles & roles)

    return {m.id for m in guild.members.values() if reached(m) and message.visible_to(m) and not m.user.bot}
