"""Dependencies point inward: engine, store, tables, then clicks and commands, screens; ui stands aside."""

from __future__ import annotations

import sys

import pytest

from tests.architecture.code import Module, modules, within

ALL = modules()
BY_NAME = {module.name: module for module in ALL}
#: What ui may know of the engine: what things are called and what may be seen, never a game.
SEEN_BY_UI = ("actions", "awaiting", "cards", "errors", "events", "rules", "views")
#: The modules of the bot that are Discord's side of it; guard and show are parts of clicks and screens.
DISCORD = (
    *("bot.__main__", "bot.client", "bot.presses", "bot.permissions", "bot.guard", "bot.commands"),
    *("bot.screens", "bot.show", "bot.smoke", "bot.ui", "bot.playground"),
)
OUTER = (
    *("bot.presses", "bot.commands", "bot.client", "bot.watch", "bot.smoke"),
    *("bot.playground", "bot.__main__"),
)

#: For each part what it may not import.
FORBIDDEN = {
    "bot.store": (
        "bot.tables",
        "bot.state",
        "bot.results",
        "bot.ui",
        "bot.show",
        "bot.guard",
        "bot.screens",
        *OUTER,
    ),
    "bot.terms": ("bot.store", "bot.tables", "bot.ui", "bot.guard", "bot.screens", *OUTER),
    "bot.servers": ("bot.store", "bot.tables", "bot.ui", "bot.guard", "bot.screens", *OUTER),
    "bot.state": ("bot.tables", "bot.ui", "bot.show", "bot.guard", "bot.screens", *OUTER),
    "bot.results": ("bot.tables", "bot.ui", "bot.show", "bot.guard", "bot.screens", *OUTER),
    "bot.tables": ("bot.ui", "bot.show", "bot.guard", "bot.screens", *OUTER),
    "bot.ui": (
        "bot.tables",
        "bot.store",
        "bot.state",
        "bot.results",
        "bot.show",
        "bot.guard",
        "bot.screens",
        *OUTER,
    ),
    "bot.screens": OUTER,
    "bot.presses": ("bot.commands", "bot.client", "bot.playground", "bot.__main__"),
    "bot.commands": ("bot.playground", "bot.__main__"),
    "bot.client": ("bot.playground", "bot.watch", "bot.smoke", "bot.__main__"),
    "bot.metrics": ("bot.tables", "bot.state", "bot.ui", "bot.guard", "bot.screens", *OUTER),
    "bot.cooldowns": ("bot.store", "bot.tables", "bot.state", "bot.ui", "bot.guard", "bot.screens", *OUTER),
    "bot.smoke": ("bot.tables", "bot.state", "bot.presses", "bot.commands", "bot.client", "bot.__main__"),
}


def offending(module: Module, *forbidden: str) -> set[str]:
    return {name for name in module.imports() if within(name, *forbidden)}


@pytest.mark.parametrize("module", modules("engine"), ids=lambda module: module.name)
def test_engine_is_pure(module: Module) -> None:
    for name in module.imports():
        top = name.partition(".")[0]
        assert top == "engine" or top in sys.stdlib_module_names, f"{module.name} imports {name}"
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
    if module.name not in ("bot.metrics", "bot.watch"):
        assert not offending(module, "prometheus_client")
    if within(module.name, "bot.store", "bot.tables", "bot.ui"):
        assert not offending(module, "bot.metrics")


@pytest.mark.parametrize("part", FORBIDDEN)
def test_dependencies_point_inward(part: str) -> None:
    inside = [module for module in ALL if within(module.name, part)]
    assert inside
    for module in inside:
        assert not offending(module, *FORBIDDEN[part]), module.name


@pytest.mark.parametrize("module", modules("bot/ui"), ids=lambda module: module.name)
def test_ui_sees_views_and_no_game(module: Module) -> None:
    allowed = tuple(f"engine.{name}" for name in SEEN_BY_UI)
    for name in module.imports():
        if within(name, "engine") and name != "engine":
            assert within(name, *allowed), f"{module.name} imports {name}"


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
        module.name: {
            name for name in module.imports(types_too=False) if name in BY_NAME and name != module.name
        }
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
