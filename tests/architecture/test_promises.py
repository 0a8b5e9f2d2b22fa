"""Every promise of docs/promises.md names tests that exist."""

import ast
import re

import pytest

from tests.architecture.code import ROOT

LINES = [line for line in (ROOT / "docs/promises.md").read_text().splitlines() if line.startswith("| ")]
PROMISES = [line for line in LINES if not line.startswith(("| ---", "| what happens here"))]
NAMED = re.compile(r"`(tests/[a-z_/]+\.py)::(test_[a-z0-9_]+)`")


def named_in(path: str) -> set[str]:
    """Give the names of all tests of a file."""
    tree = ast.parse((ROOT / path).read_text())
    functions = (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))
    return {function.name for function in functions}


@pytest.mark.parametrize("promise", PROMISES, ids=lambda line: line.split("|")[1].strip()[:60])
def test_a_promise_is_shown_by_tests_that_exist(promise: str) -> None:
    named = NAMED.findall(promise)
    assert named, "no test is named"
    assert promise.count("`") == 2 * len(named), "a test is not named as `tests/file.py::test_name`"
    for path, name in named:
        assert name in named_in(path), f"{path} has no {name}"


def test_there_are_promises() -> None:
    assert len(PROMISES) > 40
