"""The playground's server can have a past: matches that add up as real ones do."""

from collections import Counter

from bot.model.seating import Person
from bot.playground import past as playground_past
from bot.playground.past import past
from bot.store import Store
from bot.tallies.boards import By
from tests.store.conftest import migrated, path, store
from tests.store.making import GUILD, NOW
from tests.store.test_leaderboard import summed

__all__ = ["migrated", "path", "store"]

PEOPLE = [Person(number, name) for number, name in enumerate(("Ann", "Bob", "Cat", "Dan"), 1)]


async def test_matches_of_the_past_are_saved_as_real_ones(store: Store, path, monkeypatch) -> None:
    monkeypatch.setattr(playground_past, "MATCHES", 12)
    for saving in [store.submit(save) for save in past(5, GUILD, 7, PEOPLE, NOW)]:
        assert await saving
    assert await store.live_tables() == []
    assert await store.next_table_id() == 17
    board = await store.board(GUILD, By.SKILL)
    assert {line.name for line in board.lines} == {"Ann", "Bob", "Cat", "Dan"}
    assert sum(line.matches_won for line in board.lines) >= 12
    assert await store.hands_without_facts(5) == []
    hand = await store.hand(5, 1)
    assert hand is not None
    assert await store.moves(5, 1)
    assert Counter(score.won for score in hand.scores)[True] == 1
    before = summed(path)
    await store.rebuild_tallies(NOW)
    assert summed(path) == before
