"""How modules are cut and named."""

from __future__ import annotations

import ast
import re

import pytest

from tests.architecture.code import PACKAGES, ROOT, Module, modules

MOST_LINES = 450
BANNED = {"util", "utils", "manager", "managers", "helper", "helpers", "data", "common", "misc"}
ALL = modules()


def words(name: str) -> set[str]:
    """Cut a name into its words: snake_case or CamelCase."""
    return {word.lower() for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+", name)}


@pytest.mark.parametrize("module", ALL, ids=lambda module: str(module.path.relative_to(ROOT)))
class TestModule:
    def test_is_short(self, module: Module) -> None:
        assert module.lines <= MOST_LINES

    def test_says_what_lives_there(self, module: Module) -> None:
        assert ast.get_docstring(module.tree)

    def test_is_named_for_what_it_is(self, module: Module) -> None:
        for part in module.path.relative_to(ROOT).with_suffix("").parts:
            assert not words(part) & BANNED, part

    def test_its_classes_and_functions_are_named_for_what_they_are(self, module: Module) -> None:
        for node in ast.walk(module.tree):
            if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
                assert not words(node.name) & (BANNED - {"data"}), node.name


@pytest.mark.parametrize("module", modules("tests"), ids=lambda module: module.name)
def test_no_assert_leaves_open_which_of_two_things_is_true(module: Module) -> None:
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Assert) and isinstance(node.test, ast.BoolOp):
            assert not isinstance(node.test.op, ast.Or), f"{module.name}:{node.lineno}"


def test_every_package_is_here() -> None:
    assert all((ROOT / package).is_dir() for package in PACKAGES)
    assert {module.name.partition(".")[0] for module in ALL} == set(PACKAGES)
