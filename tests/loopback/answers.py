"""Interactions: what is asked of the bot, its answer within 3 s, and what its token allows for 15 minutes."""

import asyncio
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tests.loopback import messages, payloads
from tests.loopback.wire import Call, Refusal, route
from tests.loopback.world import EPHEMERAL, LOADING, Channel, Member, Message

if TYPE_CHECKING:
    from tests.loopback.server import Loopback

COMMAND, COMPONENT = 2, 3
TOKEN_LIFE = 15 * 60.0
KINDS = {4: "message", 5: "deferred", 6: "deferred_update", 7: "update"}


@dataclass(eq=False)
class Interaction:
    """One command or press.

    `sent` and `answered` are on the clock of the test's loop, `created` on the server's. `kind` is
    how it was answered, one of KINDS, or None. `excused` says that the test does not expect an answer, or not
    an orderly one. `delivered` is how often it was sent to the bot, and `lost` how often the bot was not told
    by an injected fault that its answer had come: so often it may answer again.
    """

    id: int
    token: str
    type: int
    member: Member
    channel: Channel
    data: dict[str, Any]
    source: Message | None
    sent: float
    created: float
    what: str
    payload: str = ""
    delivered: int = 1
    answers: int = 0
    lost: int = 0
    kind: str | None = None
    answered: float | None = None
    response: Message | None = None
    followups: list[Message] = field(default_factory=list)
    excused: bool = False

    def __repr__(self) -> str:
        return f"<Interaction {self.what}: {self.kind}>"

    @property
    def original(self) -> Message | None:
        """What @original names: the answer, or the message that was pressed."""
        return self.source if self.kind in ("update", "deferred_update") else self.response


@route("POST", "/interactions/{interaction}/{token}/callback")
def answer(loopback: "Loopback", call: Call) -> Any:
    asked = loopback.interactions.get(call.args["token"])
    if asked is None or asked.id != call.number("interaction"):
        raise Refusal(10062)
    if asked.kind is not None:
        asked.answers += 1
        if asked.answers > asked.delivered + asked.lost and not asked.excused:
            loopback.faults.append(f"answered {asked.answers} times: {asked.what}")
        raise Refusal(40060)
    waited = asyncio.get_running_loop().time() - asked.sent
    if waited > loopback.answer_within:
        if not asked.excused:
            loopback.faults.append(f"answered after {waited:.1f} s: {asked.what}")
        raise Refusal(10062)
    kind = KINDS.get(call.body.get("type"))
    if kind is None or (asked.type == COMMAND and "update" in kind):
        raise Refusal.of_field("type", "BASE_TYPE_CHOICES", "Not simulated, or not allowed here")
    try:
        _carry_out(loopback, asked, kind, call)
    except Refusal as refusal:
        if refusal.errors is not None:
            refusal.errors = {"data": refusal.errors}
        raise
    asked.answers += 1
    asked.kind, asked.answered = kind, asyncio.get_running_loop().time()
    loopback.pending.discard(asked)
    return _told(asked) if call.query.get("with_response") in ("1", "true") else None


def _carry_out(loopback: "Loopback", asked: Interaction, kind: str, call: Call) -> None:
    data = call.body.get("data") or {}
    _open(asked.channel)
    if kind == "message":
        asked.response = messages.create(loopback, asked.channel, data, call, asked)
    elif kind == "deferred":
        private = int(data.get("flags") or 0) & EPHEMERAL
        viewer = asked.member.id if private else None
        asked.response = asked.channel.add(
            asked.channel.guild.me, flags=private | LOADING, viewer=viewer, interaction=asked
        )
    elif kind == "update":
        assert asked.source is not None
        if asked.source.gone:
            raise Refusal(10008)
        messages.edit(loopback, asked.source, data, call)


def _open(channel: Channel) -> None:
    """Open an archived thread again for an answer; a locked one stays shut."""
    if channel.gone:
        raise Refusal(10003)
    if channel.archived and channel.locked:
        raise Refusal(50083)
    if channel.archived:
        channel.set_archived(False)


def _told(asked: Interaction) -> Any:
    shown = asked.original
    assert shown is not None
    interaction = {
        "id": str(asked.id),
        "type": asked.type,
        "response_message_id": str(shown.id),
        "response_message_loading": bool(shown.flags & LOADING),
        "response_message_ephemeral": bool(shown.flags & EPHEMERAL),
    }
    number = next(number for number, kind in KINDS.items() if kind == asked.kind)
    resource: dict[str, Any] = {"type": number}
    if asked.kind in ("message", "update"):
        resource["message"] = payloads.message(shown)
    return {"interaction": interaction, "resource": resource}


# --- through the token


def _asked(loopback: "Loopback", call: Call) -> Interaction:
    asked = loopback.interactions.get(call.args["token"])
    if call.number("application") != loopback.world.bot.id:
        raise Refusal(10015)
    if asked is None or loopback.clock.seconds() - asked.created >= TOKEN_LIFE:
        raise Refusal(50027)
    if asked.kind is None:
        raise Refusal(10015)
    return asked


def _message(asked: Interaction, call: Call) -> Message:
    """Find what a token reaches: the answer, the follow-ups, and the message that was pressed.

    That the last is reached by its id is not documented by Discord.
    """
    if call.args["message"] == "@original":
        reached = [asked.original]
    else:
        own = [asked.source, asked.response, *asked.followups]
        reached = [m for m in own if m is not None and m.id == call.number("message")]
    for message in reached:
        if message is not None and not message.gone and not message.channel.gone:
            return message
    raise Refusal(10008)


@route("POST", "/webhooks/{application}/{token}", bucket="token", major="token")
def follow_up(loopback: "Loopback", call: Call) -> Any:
    asked = _asked(loopback, call)
    _open(asked.channel)
    waiting = asked.response
    if asked.kind == "deferred" and waiting is not None and waiting.flags & LOADING:
        # The first follow-up to a deferral takes its place, and is private only if that is.
        return payloads.message(messages.edit(loopback, waiting, call.body, call))
    made = messages.create(loopback, asked.channel, call.body, call, asked)
    asked.followups.append(made)
    return payloads.message(made)


@route("GET", "/webhooks/{application}/{token}/messages/{message}", bucket="token", major="token")
def get_through_token(loopback: "Loopback", call: Call) -> Any:
    return payloads.message(_message(_asked(loopback, call), call))


@route("PATCH", "/webhooks/{application}/{token}/messages/{message}", bucket="token", major="token")
def edit_through_token(loopback: "Loopback", call: Call) -> Any:
    message = _message(_asked(loopback, call), call)
    _open(message.channel)
    return payloads.message(messages.edit(loopback, message, call.body, call))


@route("DELETE", "/webhooks/{application}/{token}/messages/{message}", bucket="token", major="token")
def delete_through_token(loopback: "Loopback", call: Call) -> None:
    _message(_asked(loopback, call), call).delete()
