"""What a request of the bot's is for: an answer, a hand, the table, a notice, a look at something."""

from collections.abc import Iterable
from enum import Enum
from typing import TYPE_CHECKING, Any

from tests.loopback.components import BUTTON, walk
from tests.loopback.wire import Call
from tests.loopback.world import EPHEMERAL, Channel, Guild, Message

if TYPE_CHECKING:
    from tests.loopback.server import Loopback


class Kind(Enum):
    """The kinds of request that a bot makes.

    A table is a public message with buttons that is not the offer of a seat, and remains one without them;
    a notice is any other public message. A hand is what somebody's token sends or edits by a message's id.
    """

    ANSWER = "answer"
    ANSWER_EDIT = "answer edited"
    FOLLOW_UP = "follow-up"
    HAND_SEND = "hand sent"
    HAND_EDIT = "hand edited"
    TOKEN_LOOK = "look through a token"
    TOKEN_DELETE = "deletion through a token"
    TABLE_POST = "table posted"
    TABLE_EDIT = "table edited"
    TABLE_DELETE = "table deleted"
    TABLE_LOOK = "look at the table"
    NOTICE_POST = "notice posted"
    NOTICE_EDIT = "notice edited"
    NOTICE_DELETE = "notice deleted"
    NOTICE_LOOK = "look at a notice"
    CHANNEL_LOOK = "look at a channel"
    MESSAGE_LIST = "list of messages"
    MEMBER_LOOK = "look at a member"
    USER_LOOK = "look at a user"
    GUILD_LOOK = "look at a server"
    THREAD_CREATE = "thread made"
    THREAD_EDIT = "thread edited"
    COMMAND_LOOK = "look at the commands"
    COMMAND_SYNC = "commands synced"
    EMOJI_LOOK = "look at the emojis"
    EMOJI_UPLOAD = "emoji uploaded"
    EMOJI_DELETE = "emoji deleted"
    LOGIN = "login"


_BY_ROUTE = {
    "POST /interactions/{interaction}/{token}/callback": Kind.ANSWER,
    "GET /webhooks/{application}/{token}/messages/{message}": Kind.TOKEN_LOOK,
    "DELETE /webhooks/{application}/{token}/messages/{message}": Kind.TOKEN_DELETE,
    "GET /guilds/{guild}": Kind.GUILD_LOOK,
    "GET /guilds/{guild}/members/{user}": Kind.MEMBER_LOOK,
    "GET /users/{user}": Kind.USER_LOOK,
    "GET /channels/{channel}": Kind.CHANNEL_LOOK,
    "PATCH /channels/{channel}": Kind.THREAD_EDIT,
    "GET /channels/{channel}/messages": Kind.MESSAGE_LIST,
    "POST /channels/{channel}/messages/{message}/threads": Kind.THREAD_CREATE,
    "POST /channels/{channel}/threads": Kind.THREAD_CREATE,
    "GET /applications/{application}/commands": Kind.COMMAND_LOOK,
    "PUT /applications/{application}/commands": Kind.COMMAND_SYNC,
    "GET /applications/{application}/emojis": Kind.EMOJI_LOOK,
    "GET /applications/{application}/emojis/{emoji}": Kind.EMOJI_LOOK,
    "POST /applications/{application}/emojis": Kind.EMOJI_UPLOAD,
    "DELETE /applications/{application}/emojis/{emoji}": Kind.EMOJI_DELETE,
    "GET /users/@me": Kind.LOGIN,
    "GET /applications/@me": Kind.LOGIN,
    "GET /oauth2/applications/@me": Kind.LOGIN,
    "GET /gateway": Kind.LOGIN,
    "GET /gateway/bot": Kind.LOGIN,
}
#: Whether it is about a table, and what it does.
_OF_A_MESSAGE = {
    (True, "POST"): Kind.TABLE_POST,
    (True, "PATCH"): Kind.TABLE_EDIT,
    (True, "DELETE"): Kind.TABLE_DELETE,
    (True, "GET"): Kind.TABLE_LOOK,
    (False, "POST"): Kind.NOTICE_POST,
    (False, "PATCH"): Kind.NOTICE_EDIT,
    (False, "DELETE"): Kind.NOTICE_DELETE,
    (False, "GET"): Kind.NOTICE_LOOK,
}


def kind_of(loopback: "Loopback", call: Call) -> Kind:
    """Return the kind of a request whose route is known."""
    assert call.route is not None
    template = call.route.template
    if (known := _BY_ROUTE.get(f"{call.method} {template}")) is not None:
        return known
    if template == "/webhooks/{application}/{token}/messages/{message}":
        return Kind.ANSWER_EDIT if call.args["message"] == "@original" else Kind.HAND_EDIT
    if template == "/webhooks/{application}/{token}":
        private = int(call.body.get("flags") or 0) & EPHEMERAL
        return Kind.HAND_SEND if private and has_buttons(call.body.get("components")) else Kind.FOLLOW_UP
    if call.method == "POST":
        return _OF_A_MESSAGE[has_buttons(call.body.get("components")), "POST"]
    message = _message(loopback, call)
    return _OF_A_MESSAGE[message is None or message.is_table, call.method]


def has_buttons(components: Iterable[dict[str, Any]] | None) -> bool:
    """Whether a message has buttons, other than the one that takes an offered seat."""
    parts = [part for part in walk(components or []) if part.get("type") == BUTTON]
    return any(":take:" not in str(part.get("custom_id")) for part in parts)


def _message(loopback: "Loopback", call: Call) -> Message | None:
    channel = loopback.world.channel(call.number("channel"))
    return None if channel is None else channel.messages.get(call.number("message"))


def place_of(loopback: "Loopback", call: Call) -> tuple[Guild | None, Channel | None]:
    """Return the server and the channel that a request is about, as far as it is about one."""
    if "guild" in call.args:
        return loopback.world.guilds.get(call.number("guild")), None
    channel = loopback.world.channel(call.number("channel")) if "channel" in call.args else None
    asked = loopback.interactions.get(call.args.get("token", ""))
    channel = asked.channel if asked is not None else channel
    return (None if channel is None else channel.guild), channel
