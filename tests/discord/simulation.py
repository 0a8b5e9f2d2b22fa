"""The simulated Discord that the tests run the real client on.

It differs from simcord alone in five ways: it settles as soon as the bot is done instead of once in 50 ms,
time stands still until it is moved, each member speaks a language of their own, every interaction is kept
so that it can be delivered again, and private messages are never the last ones of a channel. Imports simcord
and discord only.
"""

import json
import math
from collections.abc import Mapping
from typing import Any

import discord
import simcord
from simcord._settlement import _run_due_virtual_callbacks

#: How often, in seconds, the loop is looked at while the bot works; a click then takes about 4 ms.
LOOK_AGAIN = 0.002
#: How long the bot may work at one thing, in seconds: far longer than it takes on a busy machine.
PATIENCE = 60.0


class Simulation(simcord.Env):
    """Run a client on an in-memory Discord.

    `locales` maps a member's id to the language of their client (en-US where absent). A server's own language
    is `create_guild(preferred_locale=…)`. Every sleep of the bot waits for `advance_time` or `elapse`.
    """

    def __init__(self, bot: discord.Client, **options: Any) -> None:
        super().__init__(bot, **{"settle_timeout": PATIENCE, **options})
        self.locales: dict[int, str] = {}
        self.delivered: dict[int, dict[str, Any]] = {}
        self._killed: list[discord.Client] = []
        self._deliver = self.backend.emit
        self.backend.emit = self._emit
        self._commit = self.backend.commit_message
        self.backend.commit_message = self._commit_message

    def _commit_message(self, message: Any, **options: Any) -> Any:
        """Keep what one person alone sees from being the last message of its channel."""
        channel = self.backend.get_channel(message.channel_id)
        last = channel.last_message_id
        committed = self._commit(message, **options)
        if message.is_ephemeral:
            channel.last_message_id = last
        return committed

    async def _settle_internal(self, *, idle: float = LOOK_AGAIN, **options: Any) -> None:
        # At login simcord would wait 5 s and no longer, whatever `settle_timeout` is.
        options["timeout"] = max(options.get("timeout") or 0, self.settle_timeout)
        await super()._settle_internal(idle=min(idle, LOOK_AGAIN), **options)

    def _schedule_timer(self, *_: Any) -> None:
        """Let no sleep run down by itself: simcord would let the wall's clock end short ones."""

    def elapse(self, seconds: float) -> None:
        """Move time without waiting for the bot: for one that waits in vain and is to give up.

        Everything else is moved by `advance_time`, which lets the bot finish at each step.
        """
        self.backend.advance_clock(seconds)
        _run_due_virtual_callbacks(self._settlement_state(), math.inf)

    def _emit(self, event: str, payload: Mapping[str, Any]) -> None:
        if event == "INTERACTION_CREATE" and int(payload["id"]) not in self.delivered:
            user = payload.get("user") or payload["member"]["user"]
            payload = dict(payload, locale=self.locales.get(int(user["id"]), "en-US"))
            if "guild_id" in payload:
                guild = self.backend.get_guild(int(payload["guild_id"]))
                payload["guild_locale"] = guild.preferred_locale or "en-US"
            # A copy: what is delivered a second time is what was delivered the first time.
            self.delivered[int(payload["id"])] = json.loads(json.dumps(payload))
        self._deliver(event, payload)

    async def deliver_again(self, interaction_id: int) -> None:
        """Deliver an interaction the bot has already had, as a resumed gateway does."""
        self.backend.emit("INTERACTION_CREATE", self.delivered[interaction_id])
        await self.settle()

    def calls(self, *parts: str) -> list[simcord.HttpLogEntry]:
        """Return the bot's REST calls whose "METHOD /path" holds all these parts, oldest first."""
        return [
            call for call in self.http_requests if all(part in f"{call.method} {call.path}" for part in parts)
        ]

    async def restart(self, bot: discord.Client, *, killed: bool = False) -> None:
        """Start another client in place of the one that runs; messages and tokens stay.

        The old one is closed, as by SIGTERM, or `killed`: its tasks are cancelled where they stand.
        """
        await self.settle()
        if killed:
            self._killed.append(self.bot)
        else:
            await self.bot.close()
        await self.restart_bot(bot)

    async def close(self) -> None:
        """Stop everything; raise what the bot raised, as a group, unless the test has read `errors`."""
        await self.settle()
        await self.bot.close()
        await self.shutdown()
        for bot in self._killed:  # only to give back what they hold, such as connections
            await bot.close()
        self._raise_errors_since(self._errors_acknowledged)
