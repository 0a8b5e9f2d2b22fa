import asyncio
import threading
from pathlib import Path

import pytest
from sqlalchemy import Connection, event, text

from bot.store import NotSaved, Save, Store, StoredTable
from bot.store.connections import make_engine
from tests.store import making
from tests.store.conftest import url_of


def transactions(store: Store) -> list[str]:
    """Note what the writer begins and ends from now on."""
    seen: list[str] = []
    for name in ("begin", "commit", "rollback"):
        event.listen(store._writer._engine, name, lambda connection, name=name: seen.append(name))
    return seen


async def test_what_waits_is_written_at_once_and_at_most_64(store: Store) -> None:
    seen = transactions(store)
    futures = [store.submit(making.opening(number)) for number in range(1, 201)]
    assert await asyncio.gather(*futures) == [True] * 200
    assert seen == ["begin", "commit"] * 4
    assert len(await store.live_tables()) == 200


async def test_futures_are_released_after_the_commit(store: Store) -> None:
    order: list[str] = []
    event.listen(store._writer._engine, "commit", lambda connection: order.append("commit"))
    futures = [store.submit(making.opening(number)) for number in (1, 2, 3)]
    for number, future in enumerate(futures):
        future.add_done_callback(lambda done, number=number: order.append(f"saved {number}"))
    await asyncio.gather(*futures)
    await asyncio.sleep(0)
    assert order == ["commit", "saved 0", "saved 1", "saved 2"]


async def test_no_task_waits_without_work(store: Store) -> None:
    assert asyncio.all_tasks() == {asyncio.current_task()}
    future = store.submit(making.opening())
    assert {task.get_name() for task in asyncio.all_tasks() - {asyncio.current_task()}} == {"store writer"}
    await future
    await asyncio.sleep(0)
    assert asyncio.all_tasks() == {asyncio.current_task()}
    assert await store.submit(making.turn())


async def test_a_caller_who_gives_up_cancels_nothing(store: Store) -> None:
    future = store.submit(making.opening())
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(asyncio.shield(future), 0)
    assert await future is True


async def test_a_future_that_was_cancelled_harms_nobody(store: Store) -> None:
    first, second = store.submit(making.opening(1)), store.submit(making.opening(2))
    first.cancel()
    assert await second is True
    assert len(await store.live_tables()) == 2


async def test_closing_finishes_what_is_queued(store: Store, path: Path) -> None:
    futures = [store.submit(making.opening(number)) for number in range(1, 101)]
    await store.close()
    assert all(future.done() and future.result() for future in futures)
    with pytest.raises(RuntimeError):
        store.submit(making.opening(200))
    await store.close()
    again = Store(url_of(path))
    await again.open()
    assert len(await again.live_tables()) == 100
    await again.close()


async def test_a_batch_is_rolled_back_whole_after_a_released_savepoint(path: Path) -> None:
    """With the driver's defaults, releasing the savepoint would have committed."""
    engine = make_engine(url_of(path), begin="BEGIN IMMEDIATE")
    async with engine.connect() as connection:
        async with connection.begin() as batch:
            async with connection.begin_nested():
                await connection.execute(text("INSERT INTO facts VALUES ('a', 'b')"))
            assert (await connection.execute(text("SELECT count(*) FROM facts"))).scalar_one() == 1
            await batch.rollback()
        async with connection.begin():
            assert (await connection.execute(text("SELECT count(*) FROM facts"))).scalar_one() == 0
    await engine.dispose()


async def test_where_sqlite_gives_a_transaction_up_nothing_of_the_batch_is_written(
    store: Store, path: Path
) -> None:
    """The batch holds a bad save, so that each is tried alone; the last makes SQLite roll everything back."""
    await store.submit(making.opening(1))
    trigger = text(
        "CREATE TRIGGER give_up BEFORE INSERT ON screens WHEN new.message_id = 13 "
        "BEGIN SELECT RAISE(ROLLBACK, 'given up'); END"
    )
    await store._writer.run(lambda connection: connection.execute(trigger))
    saves = [
        making.opening(2),
        Save(table=making.table(1, 9)),
        making.turn(1, 2),
        Save(screen=making.screen(1, message=13)),
        making.turn(1, 3),
    ]
    outcomes = await asyncio.gather(*map(store.submit, saves), return_exceptions=True)
    assert all(isinstance(outcome, NotSaved) for outcome in outcomes)
    assert await store.stored_tables() == [making.stored()]
    assert await store.moves(1, 1) == []
    assert await store.submit(making.turn(1, 2)) is True


async def test_a_commit_that_fails_has_written_nothing(store: Store) -> None:
    """A foreign key that is looked at only in the end is what makes SQLite itself refuse a COMMIT."""
    await store.submit(making.opening(1))
    late = text(
        "CREATE TABLE late (id INTEGER PRIMARY KEY, "
        "of_table INTEGER REFERENCES tables (id) DEFERRABLE INITIALLY DEFERRED)"
    )
    trigger = text(
        "CREATE TRIGGER late BEFORE INSERT ON screens WHEN new.message_id = 13 "
        "BEGIN INSERT INTO late VALUES (1, 404); END"
    )
    await store._writer.run(lambda connection: connection.execute(late))
    await store._writer.run(lambda connection: connection.execute(trigger))
    outcomes = await asyncio.gather(
        store.submit(making.turn(1, 2)),
        store.submit(Save(screen=making.screen(1, message=13))),
        return_exceptions=True,
    )
    assert all(isinstance(outcome, NotSaved) for outcome in outcomes)
    assert await store.moves(1, 1) == []
    assert await store.submit(making.turn(1, 2)) is True


async def test_moves_tokens_choices_and_tidying_share_a_commit(store: Store) -> None:
    await store.submit(making.opening(1))
    seen = transactions(store)
    click = making.turn(1, 2, tokens=(making.token(),), screen=making.screen(), nudges={making.ANN: "never"})
    futures = [
        store.submit(click),
        store.set_fact("key", "value"),
        store.set_nudges(making.BOB, "away"),
        store.set_guild_settings(making.GUILD, {"channels": []}),
        store.tidy(making.NOW),
    ]
    assert await asyncio.gather(*futures) == [True] * 5
    assert seen == ["begin", "commit"]
    assert await store.table(1) == StoredTable(
        making.table(1, 2), making.seats(1), (making.token(),), making.screen()
    )
    assert (await store.nudges(making.ANN), await store.nudges(making.BOB)) == ("never", "away")
    assert await store.fact("key") == "value"


async def test_who_reads_waits_for_no_writer(store: Store) -> None:
    await store.submit(making.opening(1))
    written, enough = threading.Event(), threading.Event()

    def write(connection: Connection) -> None:
        connection.execute(text("UPDATE tables SET version = 50"))
        written.set()
        assert enough.wait(10)

    writing = asyncio.create_task(store._writer.run(write))
    await asyncio.to_thread(written.wait, 10)
    assert (await store.live_tables())[0].version == 1
    enough.set()
    await writing
    assert (await store.live_tables())[0].version == 50


async def test_where_the_loop_ends_before_the_outcome_is_known_nothing_is_claimed(store: Store) -> None:
    futures = [store.submit(making.opening(number)) for number in range(1, 101)]
    await asyncio.sleep(0)
    assert store._writer._task is not None
    store._writer._task.cancel()  # as asyncio.run does at its end
    await asyncio.wait(futures)
    assert all(future.cancelled() for future in futures)
    assert await store.submit(making.opening(200)) is True
