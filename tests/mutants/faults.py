"""Every small fault that cosmic-ray can put into a module, and a fair choice among them."""

import ast
import difflib
import hashlib
import random
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from cosmic_ray.ast import ast_nodes, get_ast
from cosmic_ray.mutating import mutate_code
from cosmic_ray.operators.operator import Operator
from cosmic_ray.plugins import get_operator, operator_names
from parso.python.tree import Keyword

#: What is replaced by what, of all that cosmic-ray can: mistakes that somebody could make.
MISTAKES = re.compile(
    r"core/(?:AddNot|NumberReplacer|ExceptionReplacer|ZeroIterationForLoop"
    r"|Replace(?:AndWithOr|OrWithAnd|TrueWithFalse|FalseWithTrue|BreakWithContinue|ContinueWithBreak)"
    r"|ReplaceUnaryOperator_(?:Delete_Not|USub_UAdd)"
    r"|ReplaceBinaryOperator_(?:Add_Sub|Sub_Add|Mul_Add|Div_Mul|FloorDiv_Mul|Mod_FloorDiv|BitOr_BitAnd|BitAnd_BitOr"
    r"|LShift_RShift|RShift_LShift)"
    r"|ReplaceComparisonOperator_(?:Is_IsNot|IsNot_Is|In_NotIn|NotIn_In"
    r"|(?:Eq|NotEq)_(?:Eq|NotEq|LtE|GtE)|(?:Lt|LtE|Gt|GtE)_(?:Lt|LtE|Gt|GtE|Eq|NotEq)))"
)
#: Calls that nothing but the log or a metric is the poorer for.
_TELLING = re.compile(r"(?:_?log|metrics)\.")


class DropCall(Operator):
    """Leave out a call whose result nobody takes, which cosmic-ray has no operator for."""

    def mutation_positions(self, node: Any) -> Iterator[tuple[Any, Any]]:
        if node.type == "simple_stmt" and node.children[0].type in ("atom_expr", "power"):
            call = node.children[0]
            if not _TELLING.match(call.get_code(include_prefix=False)):
                yield call.start_pos, call.end_pos

    def mutate(self, node: Any, index: int) -> Any:
        call = node.children[0]
        node.children[0] = Keyword("pass", call.start_pos, prefix=call.get_first_leaf().prefix)
        node.children[0].parent = node
        return node

    @classmethod
    def examples(cls) -> tuple[Any, ...]:
        return ()


OPERATORS: dict[str, Operator] = {
    name: get_operator(name)() for name in sorted(operator_names()) if MISTAKES.fullmatch(name)
} | {"DropCall": DropCall()}


@dataclass(frozen=True)
class Mutant:
    """One fault: the `occurrence`th of an operator in a module, which first changes this line."""

    path: Path
    operator: str
    occurrence: int
    line: int

    def code(self, source: str) -> str:
        """Return the module with the fault in it."""
        code = mutate_code(source, OPERATORS[self.operator], self.occurrence)
        assert code is not None, self
        return str(code)

    def compiles(self) -> bool:
        """Whether the module can be read with the fault in it; a `*` of a call is no product."""
        try:
            compile(self.code(self.path.read_text(encoding="utf-8")), self.path, "exec")
        except SyntaxError:
            return False
        return True


def changed(source: str, mutated: str) -> tuple[str, str]:
    """Return the lines that a fault takes away and those that it puts there, each as one line."""
    lines = [
        line
        for line in difflib.unified_diff(source.splitlines(), mutated.splitlines(), n=0, lineterm="")
        if not line.startswith(("---", "+++", "@@"))
    ]
    before, after = (" ".join(line[1:].strip() for line in lines if line[0] == sign) for sign in "-+")
    return before, after


def within(source: str, line: int) -> str:
    """Return the name of the function or class that a line is in; "" where it is in none."""
    found = ""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
            if first <= line <= (node.end_lineno or line):
                found = node.name  # the walk goes outside in
    return found


def choose(root: Path, paths: Iterable[Path], number: int, seed: int) -> list[Mutant]:
    """Choose so many places where a fault can be, and one fault for each.

    The same seed takes the same ones, and goes on doing so where other lines are changed: a place is drawn by
    the text of its line.
    """
    drawn = []
    for path in paths:
        places: dict[tuple[tuple[int, int], str], list[Mutant]] = defaultdict(list)
        for position, mutant in _all(path):
            places[position, mutant.operator.partition("_")[0]].append(mutant)
        lines = path.read_text(encoding="utf-8").splitlines()
        seen: Counter[tuple[str, str]] = Counter()
        for ((line, _), family), mutants in sorted(places.items()):
            text = lines[line - 1].strip()
            seen[text, family] += 1
            name = f"{seed} {path.relative_to(root)} {text} {family} {seen[text, family]}"
            lot = hashlib.sha256(name.encode()).hexdigest()
            drawn.append((lot, random.Random(lot).choice(mutants)))
    in_order = (mutant for _, mutant in sorted(drawn, key=lambda each: each[0]))
    return list(islice(filter(Mutant.compiles, in_order), number))


def _all(path: Path) -> Iterator[tuple[tuple[int, int], Mutant]]:
    source = path.read_text(encoding="utf-8")
    unread = _unread(source)
    nodes = list(ast_nodes(get_ast(source)))
    for name, operator in OPERATORS.items():
        positions = (found[0] for node in nodes for found in operator.mutation_positions(node))
        for occurrence, (line, column) in enumerate(positions):
            if not any(first <= (line, column) < last for first, last in unread):
                yield (line, column), Mutant(path, name, occurrence, line)


def _unread(source: str) -> list[tuple[tuple[int, int], tuple[int, int]]]:
    """Return where the parts begin and end that only tools read: types, and what a dataclass is made of."""
    tree = ast.parse(source)
    parts: list[Any] = []
    for node in ast.walk(tree):
        parts += [
            part for name in ("annotation", "returns") if (part := getattr(node, name, None)) is not None
        ]
        if isinstance(node, ast.keyword) and node.arg in ("slots", "frozen"):
            parts.append(node)
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            parts.append(node)
    for statement in tree.body:
        value = getattr(statement, "value", None)
        if (
            isinstance(statement, ast.Assign)
            and isinstance(value, ast.BinOp)
            and isinstance(value.op, ast.BitOr)
        ):
            parts.append(value)  # a union of types
    return [
        ((part.lineno, part.col_offset), (part.end_lineno or 0, part.end_col_offset or 0)) for part in parts
    ]
