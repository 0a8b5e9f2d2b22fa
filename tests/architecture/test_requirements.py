"""The sets of libraries in requirements/ agree with each other and with pyproject.toml."""

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
#: The one library that the set for running the bot may have in another release than the simulation takes.
OWN = "discord-py"


def pins(name: str) -> dict[str, str]:
    """Return the pinned release of each library of a set."""
    text = (ROOT / "requirements" / f"{name}.txt").read_text(encoding="utf-8")
    return dict(re.findall(r"^([a-z0-9-]+)==([^ ]+)", text, flags=re.MULTILINE))


def project() -> dict[str, Any]:
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def normalised(requirement: str) -> str:
    """Return the name in a requirement, as requirement files spell it."""
    match = re.match(r"[A-Za-z0-9._-]+", requirement)
    assert match is not None
    return re.sub(r"[._-]+", "-", match[0]).lower()


@pytest.mark.parametrize("name", ["run", "play", "bench", "mutants"])
def test_each_set_pins_the_releases_that_are_tested(name: str) -> None:
    tested, used = pins("dev"), pins(name)
    others = {library for library in used.keys() & tested.keys() if used[library] != tested[library]}
    assert others <= ({OWN} if name == "run" else set())


@pytest.mark.parametrize("name", ["run", "play", "dev", "bench", "mutants"])
def test_each_set_holds_what_the_bot_needs(name: str) -> None:
    assert {normalised(wanted) for wanted in project()["project"]["dependencies"]} <= set(pins(name))


def test_the_simulation_alone_pins_discord_py() -> None:
    read = project()
    (pinned,) = (wanted for wanted in read["dependency-groups"]["play"] if normalised(wanted) == OWN)
    assert pinned == f"discord.py=={pins('play')[OWN]}"
    (ranged,) = (wanted for wanted in read["project"]["dependencies"] if normalised(wanted) == OWN)
    assert "==" not in ranged
