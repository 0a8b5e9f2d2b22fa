"""The example scenarios hold, and the page about scenarios is whole (docs/scenarios.md, Example cases).

A file put into `scenarios` is found by itself.
"""

import json
import re
from pathlib import Path

import pytest

from engine.errors import Reason
from engine.events import PUBLIC
from engine.replay import replay
from tests.engine.cases import check

FILES = sorted((Path(__file__).parent / "scenarios").glob("*.json"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_scenario(path: Path) -> None:
    case = json.loads(path.read_text())
    assert case["name"] == path.stem
    check(case["scenario"], case["expect"]["results"], case["expect"]["state"])


def test_there_are_scenarios() -> None:
    assert len(FILES) >= 14


PAGE = (Path(__file__).parents[2] / "docs/scenarios.md").read_text()


def rows(heading: str) -> list[list[str]]:
    """Return the rows of the tables under a heading of the page, each as the codes in its cells."""
    section = PAGE.split(f"\n## {heading}\n")[1].split("\n## ")[0]
    lines = [line for line in section.splitlines() if line.startswith("| `")]
    return [[" ".join(re.findall(r"`(\w+)`", cell)) for cell in line.split("|")[1:-1]] for line in lines]


def test_the_page_lists_each_event_with_its_fields() -> None:
    listed = [[name, *fields] for name, *fields in rows("Events")]
    assert listed == [
        [
            re.sub(r"(?<!^)(?=[A-Z])", "_", kind.__name__).lower(),
            " ".join(public),
            " ".join(name for name in kind._fields if name not in public),
        ]
        for kind, public in PUBLIC.items()
    ]


def test_the_page_lists_each_error_word() -> None:
    assert [row[0] for row in rows("Error words")] == [reason.value for reason in Reason]


def test_the_page_lists_each_key_of_the_state() -> None:
    state = replay({"players": ["ann", "bob"]})["state"]
    shown = json.loads(PAGE.split("\n## State\n")[1].split("```")[1])
    assert shown.keys() == state.keys()
