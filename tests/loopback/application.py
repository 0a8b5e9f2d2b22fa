"""Requests about the bot itself: its login, the gateway's address, its commands and its emojis."""

import base64
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tests.loopback import commands, payloads
from tests.loopback.wire import Call, Refusal, route

if TYPE_CHECKING:
    from tests.loopback.server import Loopback

MOST_EMOJIS, MOST_BYTES = 2000, 256 * 1024
_PICTURE = re.compile(r"data:image/(png|jpeg|gif|webp|avif);base64,(.*)", re.DOTALL)


@dataclass(frozen=True)
class Emoji:
    """One emoji of the application, with the picture that was uploaded."""

    id: int
    name: str
    picture: bytes
    kind: str

    @property
    def payload(self) -> dict[str, Any]:
        return {
            "id": str(self.id),
            "name": self.name,
            "roles": [],
            "require_colons": True,
            "managed": False,
            "animated": self.kind == "gif",
            "available": True,
        }


@route("GET", "/users/@me")
def get_me(loopback: "Loopback", call: Call) -> Any:
    return payloads.user(loopback.world.bot)


@route("GET", "/oauth2/applications/@me")
@route("GET", "/applications/@me")
def get_application(loopback: "Loopback", call: Call) -> Any:
    bot = payloads.user(loopback.world.bot)
    return {
        "id": bot["id"],
        "name": bot["username"],
        "icon": None,
        "description": "",
        "summary": "",
        "bot": bot,
        "bot_public": True,
        "bot_require_code_grant": False,
        "owner": bot,
        "team": None,
        "verify_key": "",
        "flags": 0,
    }


@route("GET", "/gateway")
def get_gateway(loopback: "Loopback", call: Call) -> Any:
    return {"url": loopback.gateway_url}


@route("GET", "/gateway/bot")
def get_gateway_for_bot(loopback: "Loopback", call: Call) -> Any:
    starts = {"total": 1000, "remaining": 1000, "reset_after": 0, "max_concurrency": 1}
    return {"url": loopback.gateway_url, "shards": loopback.shards, "session_start_limit": starts}


# --- commands


@route("GET", "/applications/{application}/commands")
def get_commands(loopback: "Loopback", call: Call) -> Any:
    return loopback.commands


@route("PUT", "/applications/{application}/commands")
def put_commands(loopback: "Loopback", call: Call) -> Any:
    """Keep these commands in place of all others."""
    commands.check(call.body)
    known = {command["name"]: int(command["id"]) for command in loopback.commands}
    loopback.commands = [
        payloads.command(known.get(spec["name"]) or loopback.clock.snowflake(), spec) for spec in call.body
    ]
    return loopback.commands


# --- emojis


@route("GET", "/applications/{application}/emojis")
def get_emojis(loopback: "Loopback", call: Call) -> Any:
    return {"items": [emoji.payload for emoji in loopback.emojis.values()]}


@route("GET", "/applications/{application}/emojis/{emoji}")
def get_emoji(loopback: "Loopback", call: Call) -> Any:
    return _emoji(loopback, call).payload


@route("POST", "/applications/{application}/emojis", bucket="emoji")
def create_emoji(loopback: "Loopback", call: Call) -> Any:
    name, image = str(call.body.get("name") or ""), _PICTURE.fullmatch(str(call.body.get("image") or ""))
    if not re.fullmatch(r"[A-Za-z0-9_]{2,32}", name):
        raise Refusal.of_field("name", "BASE_TYPE_BAD_LENGTH", "Must be between 2 and 32 in length.")
    if any(emoji.name == name for emoji in loopback.emojis.values()):
        message = "An emoji with that name has already been added to this application."
        raise Refusal.of_field("name", "APPLICATION_EMOJI_NAME_ALREADY_TAKEN", message)
    if image is None:
        raise Refusal.of_field("image", "IMAGE_INVALID", "Invalid image data")
    picture = base64.b64decode(image[2], validate=True)
    if len(picture) > MOST_BYTES:
        raise Refusal.of_field("image", "BINARY_TYPE_MAX_SIZE", "File cannot be larger than 256.0 kb.")
    if len(loopback.emojis) >= MOST_EMOJIS:
        raise Refusal(30008)
    emoji = Emoji(loopback.clock.snowflake(), name, picture, image[1])
    loopback.emojis[emoji.id] = emoji
    return emoji.payload


@route("DELETE", "/applications/{application}/emojis/{emoji}", bucket="emoji")
def delete_emoji(loopback: "Loopback", call: Call) -> None:
    del loopback.emojis[_emoji(loopback, call).id]


def _emoji(loopback: "Loopback", call: Call) -> Emoji:
    if call.number("emoji") not in loopback.emojis:
        raise Refusal(10014)
    return loopback.emojis[call.number("emoji")]
