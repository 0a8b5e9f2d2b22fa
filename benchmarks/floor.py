"""The least that a bot on discord.py does for a click: the floor that `benchmarks.clicks` measures from.

It answers every press with an update, then edits the table's message and another person's hand as often as
it is told to. It keeps no game, no database and no log; each message is built from the same components as
one of the bot's own.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import discord
from discord import ui
from yarl import URL

Payload = dict[str, Any]


@dataclass
class Shapes:
    """What to send: the components of an answer, a table and a hand, and how many of the last two a click."""

    answer: list[Payload]
    table: list[Payload]
    hand: list[Payload]
    tables: float
    hands: float

    @classmethod
    def read(cls, path: Path) -> Shapes:
        """Read them from a file of JSON."""
        return cls(**json.loads(path.read_text()))


def view_of(components: Iterable[Payload]) -> ui.LayoutView:
    """Build a message from components; it is not kept for presses on it."""
    view = ui.LayoutView(timeout=None)
    for component in components:
        view.add_item(_item(component))
    view.stop()
    return view


def _item(payload: Payload) -> ui.Item[Any]:
    inner = [_item(component) for component in payload.get("components", ())]
    match payload["type"]:
        case 1:
            return ui.ActionRow(*inner)
        case 2:
            emoji = payload.get("emoji")
            return ui.Button(
                label=payload.get("label"),
                custom_id=payload["custom_id"],
                style=discord.ButtonStyle(payload["style"]),
                emoji=None if emoji is None else discord.PartialEmoji.from_dict(emoji),
                disabled=payload.get("disabled", False),
            )
        case 9:
            return ui.Section(*inner, accessory=_item(payload["accessory"]))
        case 10:
            return ui.TextDisplay(payload["content"])
        case 11:
            return ui.Thumbnail(payload["media"]["url"], description=payload.get("description"))
        case 14:
            return ui.Separator()
        case _:
            return ui.Container(*inner, accent_colour=payload.get("accent_color"))


@dataclass
class Share:
    """Says yes to such a share of all that it is asked, evenly."""

    share: float
    owed: float = field(default=0.0, init=False)

    def due(self) -> bool:
        """Whether it is time again."""
        self.owed += self.share
        if self.owed < 1:
            return False
        self.owed -= 1
        return True


class Floor(discord.AutoShardedClient):
    """Answers the presses of buttons whose custom_id ends with the id of the table's message."""

    def __init__(self, shapes: Shapes) -> None:
        super().__init__(
            intents=discord.Intents(guilds=True),
            max_messages=None,
            member_cache_flags=discord.MemberCacheFlags.none(),
            chunk_guilds_at_startup=False,
            shard_count=1,
        )
        self._shapes = shapes
        self._tables, self._hands = Share(shapes.tables), Share(shapes.hands)
        self._last: dict[int, discord.Interaction[Any]] = {}

    async def on_interaction(self, interaction: discord.Interaction[Any]) -> None:
        """Answer, then draw."""
        assert interaction.data is not None
        assert interaction.channel_id is not None
        table = int(str(interaction.data["custom_id"]).rpartition(":")[2])
        await interaction.response.edit_message(view=view_of(self._shapes.answer))
        last = self._last.get(interaction.channel_id)
        self._last[interaction.channel_id] = interaction
        if self._tables.due():
            channel = self.get_partial_messageable(interaction.channel_id)
            await channel.get_partial_message(table).edit(view=view_of(self._shapes.table))
        if last is not None and last.message is not None and self._hands.due():
            assert self.application_id is not None
            webhook = discord.Webhook.partial(self.application_id, last.token, client=self)
            await webhook.edit_message(last.message.id, view=view_of(self._shapes.hand))


async def main() -> None:
    """Run until told to stop."""
    url = os.environ["DISCORD_LOOPBACK"]
    discord.http.Route.BASE = f"{url}/api/v10"
    discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY = URL(url.replace("http", "ws", 1))
    floor = Floor(Shapes.read(Path(os.environ["FLOOR_SHAPES"])))
    serving = asyncio.create_task(floor.start(os.environ["DISCORD_TOKEN"]))
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, serving.cancel)
    try:
        await serving
    except asyncio.CancelledError:
        await floor.close()


if __name__ == "__main__":
    asyncio.run(main())
