"""The loss of a disk, in short; `make rehearsal` loses fifty."""

from pathlib import Path

from tests.store.rehearsal import rehearse


async def test_little_is_missing_and_nothing_is_half_there(tmp_path: Path) -> None:
    outcomes, _ = await rehearse(tmp_path, moments=3, seed=3, tables=4, pause=0.005, every=0.1, apart=60)
    assert len(outcomes) == 3
    assert outcomes[-1].live_tables > 0
    assert outcomes[-1].hands > 0
