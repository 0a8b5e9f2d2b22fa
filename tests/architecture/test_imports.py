"""Dependencies point inward, those for the type checker alone included."""

from __future__ import annotations

import ast
import sys

import pytest

from tests.architecture.code import Module, modules, within

ALL = modules()
BY_NAME = {module.name: module for module in ALL}

#: The rooms of the house and the rooms each may use. What is not named here may not be imported.
ROOMS: dict[str, tuple[str, ...]] = {
    "bot.settings": (),
    "bot.logs": (),
    "bot.clock": (),
    "bot.metrics": ("bot.model", "bot.store"),
    "bot.tallies": (),
    "bot.store": ("bot.logs", "bot.tallies"),
    "bot.model": ("engine", "bot.settings", "bot.store.records", "bot.tallies"),
    "bot.tables": ("engine", "bot.model", "bot.store", "bot.metrics"),
    "bot.ui.kit": ("engine", "bot.model", "bot.tallies"),
    "bot.ui.text": ("engine", "bot.model", "bot.tallies", "bot.ui.kit"),
    "bot.ui.screens": ("engine", "bot.model", "bot.tallies", "bot.ui.kit", "bot.ui.text"),
    "bot.messages": (
        "engine",
        "bot.model",
        "bot.store",
        "bot.tables",
        "bot.ui",
        "bot.settings",
        "bot.metrics",
    ),
    "bot.interactions": (
        *("engine", "bot.model", "bot.store", "bot.tables", "bot.ui", "bot.messages", "bot.settings"),
        *("bot.metrics", "bot.tallies", "bot.VERSION"),
    ),
    "bot.client": (
        *("bot.model", "bot.store", "bot.tables", "bot.ui", "bot.messages", "bot.interactions"),
        *("bot.settings", "bot.metrics"),
    ),
    "bot.ops": (
        *(
            "engine",
            "bot.model",
            "bot.store",
            "bot.ui",
            "bot.messages",
            "bot.interactions",
            "bot.client",
            "bot.settings",
            "bot.metrics",
            "bot.logs",
            "bot.tallies",
        ),
        "bot.VERSION",
    ),
    "bot": (
        *("bot.model", "bot.store", "bot.tables", "bot.ui", "bot.messages", "bot.interactions", "bot.client"),
        *("bot.settings", "bot.metrics", "bot.logs"),
    ),
    "bot.__main__": (
        "bot.create_bot",
        "bot.client",
        "bot.clock",
        "bot.ops",
        "bot.settings",
        "bot.store",
        "bot.logs",
    ),
    "bot.playground": (
        *("engine", "bot.create_bot", "bot.client", "bot.model", "bot.store", "bot.tables", "bot.ui"),
        *("bot.settings", "bot.logs"),
    ),
}
#: What ui may know of the engine: what things are called and what may be seen, never a game.
SEEN_BY_UI = ("actions", "awaiting", "cards", "errors", "events", "rules", "views")
#: What ui may know of the model: what was chosen and what went wrong, never a table's state.
MODEL_OF_UI = tuple(f"bot.model.{name}" for name in ("options", "guild_settings", "errors", "ending"))
#: Where Discord is known.
DISCORD = (
    *("bot.__main__", "bot.client", "bot.interactions", "bot.messages"),
    *("bot.ui", "bot.ops", "bot.playground"),
)


def room(name: str) -> str:
    """Find the room a module of the bot is in; the package itself is the room of nothing else."""
    return max((room for room in ROOMS if room != "bot" and within(name, room)), key=len, default="bot")


def offending(module: Module, *forbidden: str) -> set[str]:
    return {name for name in module.imports() if within(name, *forbidden)}


@pytest.mark.parametrize("module", modules("engine"), ids=lambda module: module.name)
def test_engine_is_pure(module: Module) -> None:
    for name in module.imports():
        top = name.partition(".")[0]
        assert top in {"engine", *sys.stdlib_module_names}, f"{module.name} imports {name}"
    impure = ["asyncio", "logging", "os", "socket", "subprocess", "threading", "random", "datetime"]
    if module.name != "engine.__main__":
        impure += ["time", "sys", "pathlib"]
    assert not offending(module, *impure)


@pytest.mark.parametrize("module", modules("bot", "migrations"), ids=lambda module: module.name)
def test_discord_stays_on_its_side(module: Module) -> None:
    if module.name != "bot" and not within(module.name, *DISCORD):
        assert not offending(module, "discord")


@pytest.mark.parametrize("module", modules("bot"), ids=lambda module: module.name)
def test_sql_stays_in_the_store(module: Module) -> None:
    if not within(module.name, "bot.store"):
        assert not offending(module, "sqlalchemy", "aiosqlite", "alembic", "sqlite3")


@pytest.mark.parametrize("module", modules("bot"), ids=lambda module: module.name)
def test_prometheus_is_told_in_one_place(module: Module) -> None:
    if module.name not in ("bot.metrics", "bot.ops.health"):
        assert not offending(module, "prometheus_client")


@pytest.mark.parametrize("module", modules("bot"), ids=lambda module: module.name)
def test_a_room_uses_only_the_rooms_it_may(module: Module) -> None:
    here = room(module.name)
    for name in module.imports():
        if name in ("bot", "engine") or not within(name, "bot", "engine") or room(name) == here:
            # The package itself holds what is asked of it by name: its version, and the way to make a bot.
            continue
        assert within(name, *ROOMS[here]), f"{module.name} imports {name}"


@pytest.mark.parametrize("module", modules("bot/ui"), ids=lambda module: module.name)
def test_ui_sees_views_and_no_game(module: Module) -> None:
    allowed = tuple(f"engine.{name}" for name in SEEN_BY_UI)
    for name in module.imports():
        if within(name, "engine") and name != "engine":
            assert within(name, *allowed), f"{module.name} imports {name}"
        if within(name, "bot.model") and name != "bot.model":
            assert within(name, *MODEL_OF_UI), f"{module.name} imports {name}"


@pytest.mark.parametrize(
    "name", ["engine.players", "engine.views", "engine.events", "engine.cards", "engine.actions"]
)
def test_what_may_be_seen_does_not_lead_to_the_game(name: str) -> None:
    if name == "engine.views":
        # Views are made of a match; nothing they hold is a part of it, which tests/engine/test_views.py pins.
        assert within("engine.match", *BY_NAME[name].imports())
        return
    assert not offending(BY_NAME[name], "engine.match", "engine.game")


def test_no_module_imports_in_a_circle() -> None:
    needs = {
        module.name: {name for name in module.imports() if name in BY_NAME and name != module.name}
        for module in ALL
    }
    done: set[str] = set()

    def visit(name: str, path: tuple[str, ...]) -> None:
        assert name not in path, " imports ".join((*path[path.index(name) :], name))
        if name in done:
            return
        for needed in sorted(needs[name]):
            # A package's own __init__ gathers what its modules give; they do not go through it.
            if not within(name, needed):
                visit(needed, (*path, name))
        done.add(name)

    for name in needs:
        visit(name, ())


@pytest.mark.parametrize("module", modules("bot"), ids=lambda module: module.name)
def test_no_part_is_assigned_after_construction(module: Module) -> None:
    """What an object needs comes with its construction: nobody sets an attribute of another's attribute."""
    for node in ast.walk(module.tree):
        targets = node.targets if isinstance(node, ast.Assign) else ()
        for target in targets:
            if isinstance(target, ast.Attribute) and isinstance(node.value, ast.Attribute | ast.Lambda):
                chain = ast.unparse(target.value)
                assert not chain.startswith("self."), (
                    f"{module.name}:{node.lineno} sets {chain}.{target.attr}"
                )
