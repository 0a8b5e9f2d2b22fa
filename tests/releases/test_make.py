"""The maker of memories works on today's code; all of it is run before a release alone."""

import shutil
from pathlib import Path

from bot.store import Store
from tests.releases import leads
from tests.releases.exploring import Explorer
from tests.releases.make import kept, play
from tests.releases.memory import Memory
from tests.releases.stage import Stage
from tests.releases.telling import contains


async def test_it_finds_in_an_old_database_what_was_kept_in_it(memory: Memory, store: Store) -> None:
    found = await kept(memory, store)
    assert list(found) == list(memory.kept)
    for name, entries in memory.kept.items():
        if name == "leaders":  # those who share a rank may stand in another order
            assert sorted(found[name]) == sorted(entries)
            continue
        for now, then in zip(found[name], entries, strict=True):
            assert contains(now, then) if isinstance(now, dict) else contains_each(now, then), then


def contains_each(now: list[object], then: list[object]) -> bool:
    return all(contains(each, other) for each, other in zip(now, then, strict=True))


async def test_it_plays_a_table_and_presses_all_that_it_shows(migrated: Path, tmp_path: Path) -> None:
    async def scenes(stage: Stage) -> None:
        await stage.play("drawn", "Eve Fay", leads.drawn, least=2)

    database = Path(shutil.copyfile(migrated, tmp_path / "played.sqlite3"))
    memory, shown = await play("0", database, scenes)
    explorer = Explorer(memory, memory.load(tmp_path / "explored.sqlite3"))
    await explorer.explore(shown)
    moves = [press.moves[0] for press in explorer.found.values() if press.moves]
    assert {move[1] for move in moves} == {"play", "keep"}
    change = {press.custom_id.split(":")[3]: press.change for press in explorer.found.values()}
    assert not any(change[verb] for verb in ("hand", "more", "rules", "leave", "here", "back"))
    assert change["leave_yes"]
