"""The checks: each prints one line, ok or failed with Discord's code; all that was posted is deleted.

Imports discord, `worst_cases` beside it, `ui`, and what failures mean from `messages`.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final, TypeVar

import discord

from bot.interactions.answer import ANSWER_WITHIN, Interaction
from bot.messages.requests import BAD_TOKEN, FAILURES, UNKNOWN_MESSAGE, UNKNOWN_WEBHOOK
from bot.ops.smoke import worst_cases
from bot.settings import Settings
from bot.ui.kit.emoji import FALLBACKS, Emojis, upload
from bot.ui.text.translation import Text, text_for

#: Discord's codes for a token that it does not know, or no longer knows.
_NO_TOKEN: Final = frozenset({BAD_TOKEN, UNKNOWN_WEBHOOK})
#: How long the token of a press works, and a little longer.
_TOKEN_DIES: Final = timedelta(minutes=15, seconds=10)
#: How many seconds the gateway may take to let the bot in.
_LOGIN_WITHIN: Final = 60.0

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Plan:
    """The channel, how many seconds to wait for a press (0: do not), and whether to outlast its token."""

    channel_id: int
    wait: float = 60.0
    expiry: bool = False


async def smoke(settings: Settings, plan: Plan, tell: Callable[[str], None]) -> bool:
    """Carry out all checks, one line each; returns whether none failed, raises discord.LoginFailure."""
    assert settings.discord_token is not None
    checks = _Checks(tell)
    async with _Client(settings.shard_count) as client:
        await client.login(settings.discord_token.get_secret_value())
        checks.passed(f"log in as {client.user}")
        trial = _Trial(client, checks, plan)
        try:
            await trial.run()
        finally:
            await trial.tidy_up()
    tell(f"{checks.failures} failed" if checks.failures else "all is well")
    return not checks.failures


class _Checks:
    """Carries out checks and prints a line about each."""

    def __init__(self, tell: Callable[[str], None]) -> None:
        self._tell = tell
        self.failures = 0

    async def check(self, name: str, work: Awaitable[T]) -> T | None:
        """Return what something returns that must succeed; None if it failed."""
        try:
            result = await work
        except FAILURES as error:
            self.failed(name, _described(error))
            return None
        self.passed(name)
        return result

    async def refused(self, name: str, codes: frozenset[int], work: Awaitable[Any]) -> None:
        """Do something that Discord must refuse with one of these codes."""
        try:
            await work
        except discord.HTTPException as error:
            if error.code in codes:
                self.passed(f"{name} ({error.code})")
            else:
                self.failed(name, _described(error))
        except FAILURES as error:
            self.failed(name, _described(error))
        else:
            self.failed(name, f"was carried out; expected {', '.join(map(str, sorted(codes)))}")

    def passed(self, name: str) -> None:
        self._tell(f"ok       {name}")

    def failed(self, name: str, why: str) -> None:
        self.failures += 1
        self._tell(f"failed   {name}: {why}")

    def skipped(self, name: str, why: str) -> None:
        self._tell(f"skipped  {name}: {why}")

    def note(self, words: str) -> None:
        self._tell(f"         {words}")


def _described(error: Exception) -> str:
    if isinstance(error, discord.HTTPException):
        return f"{error.code} (HTTP {error.status}) {error.text}".replace("\n", " ")
    return f"nothing heard ({type(error).__name__})"


class _Client(discord.AutoShardedClient):
    """A client that waits for one press of a button on what it posted, and ignores all others."""

    def __init__(self, shard_count: int | None) -> None:
        options: dict[str, Any] = {} if shard_count is None else {"shard_count": shard_count}
        super().__init__(
            intents=discord.Intents(guilds=True),
            allowed_mentions=discord.AllowedMentions.none(),
            max_messages=None,
            member_cache_flags=discord.MemberCacheFlags.none(),
            chunk_guilds_at_startup=False,
            **options,
        )
        self.messages: set[int] = set()
        self._pressed: asyncio.Future[Interaction] | None = None

    async def on_interaction(self, interaction: Interaction) -> None:
        """Keep the first press."""
        message, pressed = interaction.message, self._pressed
        if message is not None and message.id in self.messages and pressed is not None and not pressed.done():
            pressed.set_result(interaction)

    async def press(self, within: float) -> Interaction | None:
        """Return the first press on anything posted; None if nobody presses in time."""
        self._pressed = asyncio.get_running_loop().create_future()
        with contextlib.suppress(TimeoutError):
            return await asyncio.wait_for(self._pressed, within)
        return None


class _Trial:
    """One run: posts, tries and deletes."""

    def __init__(self, client: _Client, checks: _Checks, plan: Plan) -> None:
        self._client = client
        self._checks = checks
        self._plan = plan
        self._text: Text = text_for("en-US")
        self._emojis = Emojis()
        self._channel = client.get_partial_messageable(plan.channel_id)
        self._posted: list[discord.Message] = []

    async def run(self) -> None:
        """Carry out everything but the tidying up."""
        checks = self._checks
        if await checks.check("find the channel", self._client.fetch_channel(self._plan.channel_id)) is None:
            return
        there = len(await upload(self._client, self._emojis))
        if there == len(FALLBACKS):
            checks.passed(f"{there} pictures as emojis")
        else:
            checks.failed("pictures as emojis", f"{there} of {len(FALLBACKS)} are there; see the log")
        if await checks.check("say that all is made up", self._post(worst_cases.made_up(self._text))) is None:
            return
        for name, view in worst_cases.screens(self._text, self._emojis, discord.utils.utcnow()):
            await checks.check(f"post {name}", self._post(view))
        await self._edit()
        await self._follow_up()

    async def tidy_up(self) -> None:
        """Delete everything that was posted."""
        if self._posted:
            await self._checks.check(f"delete {len(self._posted)} messages", self._delete_all())

    # --- the messages of the channel

    async def _post(self, what: str | discord.ui.LayoutView) -> discord.Message:
        if isinstance(what, str):
            message = await self._channel.send(what)
        else:
            message = await self._channel.send(view=what)
        self._posted.append(message)
        self._client.messages.add(message.id)
        return message

    async def _edit(self) -> None:
        """Edit a message by its id alone, then one that was deleted."""
        screens = [message for message in self._posted if message.flags.components_v2]
        if len(screens) < 2:
            self._checks.skipped("edit", "too little was posted")
            return
        first, second = screens[:2]
        by_id = self._channel.get_partial_message(first.id)
        huge = worst_cases.huge_hand(self._text, self._emojis)
        await self._checks.check("edit a message into another screen", by_id.edit(view=huge))
        await self._checks.check("delete a message", self._delete(second))
        gone = self._channel.get_partial_message(second.id).edit(view=huge)
        await self._checks.refused(
            "an edit of a deleted message is refused", frozenset({UNKNOWN_MESSAGE}), gone
        )

    async def _delete(self, message: discord.Message) -> None:
        await message.delete()
        self._posted.remove(message)

    async def _delete_all(self) -> None:
        failure: Exception | None = None
        for message in self._posted[::-1]:
            try:
                await self._delete(message)
            except FAILURES as error:
                failure = error
        if failure is not None:
            raise failure

    # --- what needs a press

    async def _follow_up(self) -> None:
        """Answer a press, and try what its token allows."""
        what = "answer, follow up, token"
        if not self._plan.wait:
            self._checks.skipped(what, "they need the press of a button, and --wait is 0")
            return
        connecting = asyncio.create_task(self._client.connect(), name="gateway")
        try:
            if not await self._connected(connecting):
                return
            self._checks.note(
                f"Now press any button in the channel, within {self._plan.wait:g} s. "
                "If the bot itself is running, stop it first: it would answer instead."
            )
            interaction = await self._client.press(self._plan.wait)
            if interaction is None:
                self._checks.skipped(what, "nobody pressed a button")
            else:
                await self._pressed(interaction)
        finally:
            connecting.cancel()
            await asyncio.gather(connecting, return_exceptions=True)

    async def _connected(self, connecting: asyncio.Task[None]) -> bool:
        ready = asyncio.create_task(self._client.wait_until_ready())
        await asyncio.wait({ready, connecting}, timeout=_LOGIN_WITHIN, return_when=asyncio.FIRST_COMPLETED)
        if ready.done():
            self._checks.passed("connect to the gateway")
            return True
        ready.cancel()
        error = connecting.exception() if connecting.done() else None
        self._checks.failed("connect to the gateway", repr(error) if error else "nothing heard")
        return False

    async def _pressed(self, interaction: Interaction) -> None:
        checks, huge = self._checks, worst_cases.huge_hand(self._text, self._emojis)
        answer = await checks.check("answer with a hand of 105 cards", self._answer(interaction, huge))
        hook = self._hook(interaction.token)
        if answer is not None:
            await checks.check("edit the answer by its number", hook.edit_message(answer, view=huge))
        sent = await checks.check("follow up", hook.send(view=huge, ephemeral=True, wait=True))
        if sent is not None:
            if sent.flags.ephemeral:
                checks.passed("the follow-up is private")
            else:
                checks.failed("the follow-up is private", "everybody saw it")
            await checks.check("edit the follow-up by its number", hook.edit_message(sent.id, view=huge))
            await checks.check("delete the follow-up", hook.delete_message(sent.id))
        source = interaction.message
        if source is not None:
            # Discord does not document this; the bot refreshes the hands that were pressed this way.
            changing = hook.edit_message(source.id, view=huge)
            await checks.check("edit the message pressed by its number, through the press's token", changing)
        made = self._hook(f"{interaction.token[:-8]}Lastlap0").send(view=huge, ephemeral=True, wait=True)
        await checks.refused("a token that is none is refused", _NO_TOKEN, made)
        await self._outwait(interaction, hook, answer)

    async def _answer(self, interaction: Interaction, view: discord.ui.LayoutView) -> int | None:
        async with asyncio.timeout(ANSWER_WITHIN):
            return (await interaction.response.send_message(view=view, ephemeral=True)).message_id

    async def _outwait(self, interaction: Interaction, hook: discord.Webhook, answer: int | None) -> None:
        """Try the token once it has expired, if asked to; else delete the answer while it works."""
        name = "an expired token is refused"
        if answer is None:
            return
        if not self._plan.expiry:
            self._checks.skipped(name, "that takes 15 minutes; --expiry waits for it")
            await self._checks.check("delete the answer", hook.delete_message(answer))
            return
        left = interaction.created_at + _TOKEN_DIES - discord.utils.utcnow()
        self._checks.note(
            f"Waiting {left.total_seconds() / 60:.0f} minutes until the press's token has expired."
        )
        await asyncio.sleep(left.total_seconds())
        huge = worst_cases.huge_hand(self._text, self._emojis)
        await self._checks.refused(name, _NO_TOKEN, hook.edit_message(answer, view=huge))
        self._checks.note("The answer stays with whoever pressed: nothing reaches it any more.")

    def _hook(self, token: str) -> discord.Webhook:
        assert self._client.application_id is not None
        hook = discord.Webhook.partial(self._client.application_id, token, client=self._client)
        hook.type = discord.WebhookType.application
        return hook
