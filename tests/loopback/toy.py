"""A small bot of plain discord.py, with which the stand-in proves itself."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any
from unittest import mock

import discord
from discord import app_commands
from yarl import URL

from tests.loopback.server import Loopback


def menu(*labels: str) -> discord.ui.LayoutView:
    """Make a message of Components V2 with a text and a row of buttons."""
    view = discord.ui.LayoutView(timeout=None)
    buttons = [discord.ui.Button[Any](label=label, custom_id=f"toy:{label.lower()}") for label in labels]
    view.add_item(discord.ui.Container(discord.ui.TextDisplay("## Toys"), discord.ui.ActionRow(*buttons)))
    view.stop()
    return view


class Toy(discord.AutoShardedClient):
    """A bot that does what the label of a button says, and keeps what it hears."""

    def __init__(self, **options: Any) -> None:
        intents = discord.Intents(guilds=True)
        super().__init__(intents=intents, max_messages=None, chunk_guilds_at_startup=False, **options)
        self.tree = app_commands.CommandTree(self)
        self.heard: list[discord.Interaction[Any]] = []
        self.resumed = 0
        group = app_commands.Group(name="toy", description="Toys", guild_only=True)

        @group.command(name="show", description="Show buttons")
        async def show(interaction: discord.Interaction, labels: str, private: bool = False) -> None:
            self.heard.append(interaction)
            await interaction.response.send_message(view=menu(*labels.split()), ephemeral=private)

        self.tree.add_command(group)

    async def setup_hook(self) -> None:
        await self.tree.sync()

    async def on_shard_resumed(self, _: int) -> None:
        self.resumed += 1

    async def on_interaction(self, interaction: discord.Interaction[Any]) -> None:
        if interaction.type is not discord.InteractionType.component:
            return
        self.heard.append(interaction)
        assert interaction.data is not None
        match str(interaction.data["custom_id"]).removeprefix("toy:"):
            case "tell":
                await interaction.response.send_message("Only you.", ephemeral=True)
            case "change":
                await interaction.response.edit_message(view=menu("Changed"))
            case "later":
                await interaction.response.defer()
            case "think":
                await interaction.response.defer(thinking=True, ephemeral=True)
            case "twice":
                await interaction.response.defer()
                interaction.response._response_type = None  # discord.py would stop it by itself
                with suppress(discord.HTTPException):
                    await interaction.response.defer()


@asynccontextmanager
async def connected(loopback: Loopback, toy: Toy) -> AsyncIterator[Toy]:
    """Let a toy live in this process, against a stand-in, until the block ends."""
    gateway = URL(loopback.gateway_url)
    with (
        mock.patch.object(discord.http.Route, "BASE", f"{loopback.url}/api/v10"),
        mock.patch.object(discord.gateway.DiscordWebSocket, "DEFAULT_GATEWAY", gateway),
        mock.patch.object(discord.Asset, "BASE", loopback.url),
    ):
        living = asyncio.create_task(toy.start(loopback.token))
        living.add_done_callback(lambda _: loopback.bell.ring())
        try:
            await loopback.until(lambda: loopback.gateway.identifies or living.done(), "a login")
            if living.done():
                await living
            await loopback.gateway.poke()
            yield toy
        finally:
            await toy.close()
            with suppress(discord.LoginFailure):
                await living
