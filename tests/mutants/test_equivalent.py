"""The faults that are said to change nothing are still faults of the code as it is."""

import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
LISTED = tomllib.loads(Path(__file__).with_name("equivalent.toml").read_text("utf-8"))["equivalent"]


def joined(text: str) -> str:
    return " ".join(text.split())


@pytest.mark.parametrize("entry", LISTED, ids=[f"{each['path']}-{each['within']}" for each in LISTED])
def test_what_is_listed_is_still_there_and_has_a_reason(entry: dict[str, str]) -> None:
    source = joined((ROOT / entry["path"]).read_text("utf-8"))
    assert joined(entry["before"]) in source
    assert joined(entry["after"]) not in ("", joined(entry["before"]))
    assert entry["within"] in source
    assert len(entry["reason"]) > 20
