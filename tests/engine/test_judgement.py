"""The computer players decide as they did when their strength was last measured."""

import json

import pytest

from tests.engine.judgement import KEPT, judged


def test_computer_players_decide_as_they_were_measured() -> None:
    kept, found = json.loads(KEPT.read_text(encoding="utf-8")), judged()
    assert len(found) == len(kept)
    for each, before in zip(found, kept, strict=True):
        assert each.pop("worths") == pytest.approx(before.pop("worths"), abs=2e-6)
        assert each == before
