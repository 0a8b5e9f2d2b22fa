"""What the tests of the architecture read: the modules of the project and what each imports."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
#: What belongs to the product; tests are none of it.
PACKAGES = ("engine", "bot", "migrations", "benchmarks")


@dataclass(frozen=True)
class Module:
    """One file: its dotted name, its lines, its syntax tree."""

    name: str
    path: Path
    lines: int
    tree: ast.Module

    def imports(self, *, types_too: bool = True) -> set[str]:
        """Give what it imports, dotted, names of modules and of what is taken out of them.

        Without `types_too` whatever is imported for the type checker alone is left out.
        """
        return set(_imports(self.tree, types_too))


def modules(*packages: str) -> list[Module]:
    """Read all modules of some packages, by default of the whole product."""
    found = []
    for package in packages or PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            text = path.read_text()
            parts = path.relative_to(ROOT).with_suffix("").parts
            name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
            found.append(Module(name, path, text.count("\n"), ast.parse(text)))
    return found


def _imports(node: ast.AST, types_too: bool) -> Iterator[str]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Import):
            yield from (alias.name for alias in child.names)
        elif isinstance(child, ast.ImportFrom):
            assert child.module is not None
            yield child.module
            yield from (f"{child.module}.{alias.name}" for alias in child.names)
        elif types_too or not _for_types_alone(child):
            yield from _imports(child, types_too)


def _for_types_alone(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"


def within(name: str, *prefixes: str) -> bool:
    """Tell whether a dotted name is one of these or inside one of them."""
    return any(name == prefix or name.startswith(f"{prefix}.") for prefix in prefixes)
