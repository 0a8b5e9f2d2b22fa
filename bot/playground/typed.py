"""Commands typed out, as the README writes them: `/uno start cpus:3 thread:True`.

Reads the text against the commands the bot has and makes what Discord would send. Imports discord.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import discord
from discord import app_commands

_TRUE: Final = {"true": True, "yes": True, "false": False, "no": False}
#: Discord's number for a subcommand among the options of a command.
_SUBCOMMAND: Final = 1


class NoCommandError(ValueError):
    """What was typed is no command with options that fit; the text says why."""


def read(text: str, tree: app_commands.CommandTree[Any], people: Mapping[str, int]) -> dict[str, Any]:
    """Return the data of an interaction for a command typed as `/group name option:value …`.

    `people` are the members by name, for options that take somebody. Raises NoCommandError.
    """
    group_name, _, rest = text.removeprefix("/").strip().partition(" ")
    name, _, typed = rest.strip().partition(" ")
    group = tree.get_command(group_name)
    command = group.get_command(name) if isinstance(group, app_commands.Group) else None
    if not isinstance(command, app_commands.Command):
        raise NoCommandError(f"There is no command /{group_name} {name}.")
    given = _split(typed, [parameter.name for parameter in command.parameters])
    options = [
        {
            "name": parameter.name,
            "type": parameter.type.value,
            "value": _value(parameter, given[parameter.name], people),
        }
        for parameter in command.parameters
        if parameter.name in given
    ]
    for parameter in command.parameters:
        if parameter.required and parameter.name not in given:
            raise NoCommandError(f"/{group_name} {name} needs {parameter.name}:…")
    data: dict[str, Any] = {
        "id": "0",
        "name": group_name,
        "type": 1,
        "options": [{"name": name, "type": _SUBCOMMAND, "options": options}],
    }
    if people_chosen := {str(option["value"]) for option in options if option["type"] == _USER}:
        data["people"] = sorted(people_chosen)
    return data


_USER: Final = discord.AppCommandOptionType.user.value


def _split(typed: str, names: list[str]) -> dict[str, str]:
    """Return the values by option; a value ends where the next option's name begins."""
    given: dict[str, str] = {}
    current = None
    for word in typed.split():
        name, colon, value = word.partition(":")
        if colon and name in names:
            current = name
            given[name] = value
        elif current is not None:
            given[current] = f"{given[current]} {word}".strip()
        else:
            raise NoCommandError(f"Options are typed as name:value; the options here are {', '.join(names)}.")
    return given


def _value(parameter: app_commands.Parameter, typed: str, people: Mapping[str, int]) -> object:
    for choice in parameter.choices:
        if typed.casefold() in (choice.name.casefold(), str(choice.value).casefold()):
            return choice.value
    if parameter.choices:
        offered = ", ".join(choice.name for choice in parameter.choices)
        raise NoCommandError(f"{parameter.name} is one of: {offered}.")
    if parameter.type is discord.AppCommandOptionType.boolean:
        if typed.casefold() not in _TRUE:
            raise NoCommandError(f"{parameter.name} is True or False.")
        return _TRUE[typed.casefold()]
    if parameter.type is discord.AppCommandOptionType.integer:
        least, most = parameter.min_value, parameter.max_value
        if not typed.isdecimal() or not (least or 0) <= int(typed) <= (most or int(typed)):
            raise NoCommandError(f"{parameter.name} is a number from {least} to {most}.")
        return int(typed)
    if parameter.type is discord.AppCommandOptionType.user:
        found = people.get(typed.removeprefix("@").casefold())
        if found is None:
            raise NoCommandError(f"Nobody here is called {typed}.")
        return str(found)
    return typed
