"""Checks that a slash command is one that was offered: its name, its options, their values.

Discord's clients send only what was synced, but that may have been by an earlier release, and a client may be
tampered with. discord.py checks neither choices nor ranges. Imports discord only.
"""

from __future__ import annotations

from typing import Any, Final

import discord
from discord import AppCommandOptionType as Kind
from discord import app_commands

from bot.interactions.answer import Interaction
from bot.model.errors import Problem, UserError

Command = app_commands.Command[Any, ..., Any]
Menu = app_commands.ContextMenu

_TYPES: Final[dict[Kind, type]] = {
    Kind.string: str,
    Kind.integer: int,
    Kind.boolean: bool,
    Kind.user: str,
}


def offered_command(tree: app_commands.CommandTree[Any], interaction: Interaction) -> Command | Menu:
    """Return the command of an interaction; raises UserError if it was not offered with these options."""
    try:
        data = dict[str, Any](interaction.data or {})
        if data.get("type", 1) == discord.AppCommandType.user.value:
            return _find_menu(tree, interaction, data)
        command, options = _find(tree, data)
        known = {parameter.display_name: parameter for parameter in command.parameters}
        names = [option["name"] for option in options]
        if not set(names) <= known.keys() or len(set(names)) != len(names):
            raise UserError(Problem.UNKNOWN_COMMAND)
        fine = all(_fits(known[option["name"]], option) for option in options)
        required = {name for name, parameter in known.items() if parameter.required}
        values = interaction.namespace
        people = [option["name"] for option in options if option["type"] == Kind.user.value]
        fine = fine and all(isinstance(values[name], discord.abc.User) for name in people)
    except (KeyError, TypeError, ValueError, AttributeError):
        raise UserError(Problem.UNREADABLE) from None
    if not required <= set(names):
        raise UserError(Problem.UNKNOWN_COMMAND)
    if not fine:
        raise UserError(Problem.NO_SUCH_CHOICE)
    return command


def suggests(tree: app_commands.CommandTree[Any], interaction: Interaction) -> bool:
    """Whether there are suggestions for the option being typed."""
    try:
        command, options = _find(tree, dict[str, Any](interaction.data or {}))
        focused = {option["name"] for option in options if option.get("focused")}
    except (UserError, KeyError, TypeError, ValueError, AttributeError):
        return False
    return any(each.autocomplete and each.display_name in focused for each in command.parameters)


def _find(tree: app_commands.CommandTree[Any], data: dict[str, Any]) -> tuple[Command, list[dict[str, Any]]]:
    """Return a command and the options given."""
    found = tree.get_command(data["name"], type=discord.AppCommandType(data.get("type", 1)))
    options = data.get("options") or []
    while isinstance(found, app_commands.Group) and options:
        (chosen,) = options
        found, options = found.get_command(chosen["name"]), chosen.get("options") or []
    if not isinstance(found, app_commands.Command):
        raise UserError(Problem.UNKNOWN_COMMAND)
    return found, options


def _find_menu(tree: app_commands.CommandTree[Any], interaction: Interaction, data: dict[str, Any]) -> Menu:
    """Return a command in the menu of a member, which has to be somebody Discord tells about."""
    found = tree.get_command(data["name"], type=discord.AppCommandType.user)
    if not isinstance(found, Menu):
        raise UserError(Problem.UNKNOWN_COMMAND)
    # Raises where what is told of the member cannot be read.
    _read = interaction.namespace
    if str(int(data["target_id"])) not in data["resolved"]["users"]:
        raise UserError(Problem.NO_SUCH_CHOICE)
    return found


def _fits(parameter: app_commands.Parameter, option: dict[str, Any]) -> bool:
    """Whether a value is one that can be given for a parameter."""
    value: Any = option["value"]
    if option["type"] != parameter.type.value or not _is_of(value, parameter.type):
        return False
    if parameter.choices:
        return value in [choice.value for choice in parameter.choices]
    size = len(value) if parameter.type is Kind.string else value
    least, most = parameter.min_value, parameter.max_value
    return (least is None or size >= least) and (most is None or size <= most)


def _is_of(value: object, kind: Kind) -> bool:
    return type(value) is _TYPES[kind]
