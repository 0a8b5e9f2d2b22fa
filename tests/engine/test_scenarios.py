"""The example scenarios hold. A file put into `scenarios` is found by itself."""

import json
from pathlib import Path

import pytest

from tests.engine.cases import check

FILES = sorted((Path(__file__).parent / "scenarios").glob("*.json"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_scenario(path: Path) -> None:
    case = json.loads(path.read_text())
    assert case["name"] == path.stem
    check(case["scenario"], case["expect"]["results"], case["expect"]["state"])


def test_there_are_scenarios() -> None:
    assert len(FILES) >= 14
