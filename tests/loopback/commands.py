"""Slash commands: what Discord lets a bot sync, and what a member's client sends for one."""

import re
from typing import Any

import discord

from tests.loopback import payloads
from tests.loopback.permissions import compute
from tests.loopback.wire import Refusal
from tests.loopback.world import Channel, Member

SUB_COMMAND, GROUP, STRING, INTEGER, BOOLEAN, USER, CHANNEL, NUMBER = 1, 2, 3, 4, 5, 6, 7, 10
CHAT_INPUT = 1
MOST, MOST_OPTIONS, MOST_CHOICES, MOST_TEXT = 100, 25, 25, 8000
_NAME = re.compile(r"[-_'\w]{1,32}")
_TYPES: dict[int, Any] = {
    STRING: str,
    INTEGER: int,
    BOOLEAN: bool,
    USER: Member,
    CHANNEL: Channel,
    NUMBER: float,
}

LOCALES = frozenset(locale.value for locale in discord.Locale)

Spec = dict[str, Any]


def check(specs: list[Spec]) -> None:
    """Refuse what Discord would not sync. Raises Refusal 50035 with the places of all faults."""
    errors: dict[str, Any] = {}
    for number, spec in enumerate(specs):
        found = list(_faults(spec, command=True))
        if _length(spec) > MOST_TEXT:
            found.append(("APPLICATION_COMMAND_TOO_LARGE", "Command exceeds maximum size (8000)"))
        if found:
            told = [{"code": code, "message": message} for code, message in found]
            errors[str(number)] = {"_errors": told}
    if len(specs) > MOST:
        errors["_errors"] = [{"code": "BASE_TYPE_MAX_LENGTH", "message": f"Must be {MOST} or fewer."}]
    if errors:
        raise Refusal(50035, errors=errors)


def _faults(spec: Spec, *, command: bool = False) -> list[tuple[str, str]]:
    name, faults = str(spec.get("name", "")), []
    names = [name, *(spec.get("name_localizations") or {}).values()]
    in_menu = spec.get("type") in (2, 3) and command  # those may have spaces and capitals
    if not all(
        1 <= len(text) <= 32 if in_menu else _NAME.fullmatch(text) and text == text.lower() for text in names
    ):
        faults.append(("APPLICATION_COMMAND_INVALID_NAME", f"Command name {names} is invalid"))
    if not command or spec.get("type", CHAT_INPUT) == CHAT_INPUT:
        described = [spec.get("description", ""), *(spec.get("description_localizations") or {}).values()]
        if not all(1 <= len(text) <= 100 for text in described):
            faults.append(("BASE_TYPE_BAD_LENGTH", f"{name}: a description must have 1 to 100 characters"))
    told = {*(spec.get("name_localizations") or {}), *(spec.get("description_localizations") or {})}
    if told - LOCALES:
        faults.append(("DICT_TYPE_INVALID_KEY", f"{name}: no locales: {sorted(told - LOCALES)}"))
    options = spec.get("options") or []
    if len(options) > MOST_OPTIONS or len(spec.get("choices") or []) > MOST_CHOICES:
        faults.append(("BASE_TYPE_MAX_LENGTH", f"{name}: more than 25 options or choices"))
    names = [option.get("name") for option in options]
    if len(set(names)) < len(names):
        faults.append(("APPLICATION_COMMAND_OPTIONS_NAME_ALREADY_EXISTS", f"{name}: {names}"))
    required = [bool(option.get("required")) for option in options]
    if required != sorted(required, reverse=True):
        faults.append(("APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID", f"{name}: required options first"))
    return faults + [fault for option in options for fault in _faults(option)]


def _length(spec: Spec) -> int:
    """Return the characters that count: names, descriptions and values, the longest of each language."""

    def longest(key: str) -> int:
        return max(map(len, [str(spec.get(key, "")), *(spec.get(f"{key}_localizations") or {}).values()]))

    choices = sum(len(str(c["name"])) + len(str(c["value"])) for c in spec.get("choices") or [])
    nested = sum(_length(option) for option in spec.get("options") or [])
    return longest("name") + longest("description") + choices + nested


class UnknownCommandError(AssertionError):
    """A member's client would not send this: there is no such command, or not such an option."""


def data(specs: list[Spec], name: str, given: dict[str, Any], member: Member) -> dict[str, Any]:
    """Return what a client sends for a command: sub-commands in `name` with a space, options in `given`."""
    root, *path = name.split()
    spec = next((s for s in specs if s["name"] == root), None)
    if spec is None:
        raise UnknownCommandError(f"no command /{root} among {[s['name'] for s in specs]}")
    resolved: dict[str, Any] = {}
    told = {"id": spec["id"], "name": root, "type": CHAT_INPUT}
    options = _nested(spec, path, given, member, resolved)
    return told | {"options": options} | ({"resolved": resolved} if resolved else {})


def _nested(
    spec: Spec, path: list[str], given: dict[str, Any], member: Member, resolved: dict[str, Any]
) -> list[dict[str, Any]]:
    options = spec.get("options") or []
    if path:
        held = next((o for o in options if o["name"] == path[0] and o["type"] in (SUB_COMMAND, GROUP)), None)
        if held is None:
            raise UnknownCommandError(f"no sub-command {path[0]!r} in {spec['name']!r}")
        inner = _nested(held, path[1:], given, member, resolved)
        return [{"name": held["name"], "type": held["type"], "options": inner}]
    by_name = {option["name"]: option for option in options}
    missing = {n for n, option in by_name.items() if option.get("required")} - given.keys()
    if missing or given.keys() - by_name.keys():
        raise UnknownCommandError(f"/{spec['name']} takes {sorted(by_name)}, not {given}")
    return [_option(by_name[key], value, member, resolved) for key, value in given.items()]


def _option(option: Spec, value: Any, member: Member, resolved: dict[str, Any]) -> dict[str, Any]:
    kind = option["type"]
    wanted = _TYPES.get(kind)
    if wanted is None or not isinstance(value, wanted) or (wanted is int and isinstance(value, bool)):
        raise UnknownCommandError(f"{option['name']} takes no {value!r}")
    measured = len(value) if kind == STRING else value if kind in (INTEGER, NUMBER) else None
    least = option.get("min_length" if kind == STRING else "min_value")
    most = option.get("max_length" if kind == STRING else "max_value")
    if measured is not None and not (
        (least is None or measured >= least) and (most is None or measured <= most)
    ):
        raise UnknownCommandError(f"{option['name']} is from {least} to {most}, not {value!r}")
    if option.get("choices") and value not in [choice["value"] for choice in option["choices"]]:
        raise UnknownCommandError(f"{option['name']} has no choice {value!r}")
    if kind in (USER, CHANNEL):
        resolve(value, member, resolved)
    return {
        "name": option["name"],
        "type": kind,
        "value": str(value.id) if kind in (USER, CHANNEL) else value,
    }


def resolve(value: Any, member: Member, resolved: dict[str, Any]) -> None:
    """Tell of a member or channel that somebody chose what is sent beside its id."""
    if isinstance(value, Member):
        resolved.setdefault("users", {})[str(value.id)] = payloads.user(value.user)
        told = {k: v for k, v in payloads.member(value).items() if k != "user"}
        resolved.setdefault("members", {})[str(value.id)] = told | {"permissions": str(compute(value))}
    else:
        may = {"permissions": str(compute(member, value))}
        resolved.setdefault("channels", {})[str(value.id)] = payloads.channel(value) | may
