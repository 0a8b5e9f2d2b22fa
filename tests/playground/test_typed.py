"""Commands typed out in the playground."""

from __future__ import annotations

import discord
import pytest
from discord import app_commands

from bot.playground.typed import NoCommandError, read

PEOPLE = {"ann": 7, "grandmother wilhelmina of hagen": 8}


@pytest.fixture
def tree() -> app_commands.CommandTree[discord.Client]:
    client = discord.Client(intents=discord.Intents.none())
    tree = app_commands.CommandTree(client)
    group = app_commands.Group(name="uno", description="play")

    @group.command(name="start", description="start")
    @app_commands.choices(level=[app_commands.Choice(name="Sharp", value="sharp")])
    async def start(
        interaction: discord.Interaction,
        cpus: app_commands.Range[int, 0, 9] = 0,
        level: str = "sharp",
        thread: bool = False,
    ) -> None: ...

    @group.command(name="kick", description="kick")
    async def kick(interaction: discord.Interaction, player: discord.User) -> None: ...

    tree.add_command(group)
    return tree


def options(tree: app_commands.CommandTree[discord.Client], text: str) -> dict[str, object]:
    (command,) = read(text, tree, PEOPLE)["options"]
    return {option["name"]: option["value"] for option in command["options"]}


@pytest.mark.parametrize(
    ("text", "given"),
    [
        ("/uno start", {}),
        ("/uno start cpus:3", {"cpus": 3}),
        ("/uno  start cpus:3  thread:True level:sharp", {"cpus": 3, "thread": True, "level": "sharp"}),
        ("/uno kick player:Ann", {"player": "7"}),
        ("/uno kick player:@Grandmother Wilhelmina of Hagen", {"player": "8"}),
    ],
)
def test_options_are_read_as_the_readme_writes_them(
    tree: app_commands.CommandTree[discord.Client], text: str, given: dict[str, object]
) -> None:
    assert options(tree, text) == given


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("/uno begin", "no command /uno begin"),
        ("/due start", "no command /due start"),
        ("/uno start three", "name:value"),
        ("/uno start cpus:many", "number from 0 to 9"),
        ("/uno start cpus:10", "number from 0 to 9"),
        ("/uno start level:brilliant", "one of: Sharp"),
        ("/uno start thread:perhaps", "True or False"),
        ("/uno kick", "needs player"),
        ("/uno kick player:Zoe", "Nobody here is called Zoe"),
    ],
)
def test_what_does_not_fit_is_said(
    tree: app_commands.CommandTree[discord.Client], text: str, said: str
) -> None:
    with pytest.raises(NoCommandError, match=said):
        read(text, tree, PEOPLE)
