import asyncio
import sqlite3
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest

from bot.store import NotSaved, Save, SeatRecord, StaleVersion, Store, TableRecord
from tests.store import making
from tests.store.making import ANN, BOB, CAT, GUILD, NOW


async def test_a_save_is_read_back_whole(store: Store) -> None:
    assert await store.submit(making.opening())
    hand, match = making.finished_hand((ANN, 135, True), (BOB, 0, False)), making.finished_match()
    log = (
        making.move(55, position=0, part=0, entry=["s0", "uno"]),
        making.move(55, position=1, part=1, entry=["s0", "play", "W4", "blue"]),
    )
    tokens = (making.token(ANN), making.token(BOB, message=None))
    save = Save(
        table=making.table(version=2),
        log=log,
        hands=(hand,),
        match=match,
        tokens=tokens,
        screen=making.screen(),
    )
    assert await store.submit(save) is True
    (stored,) = await store.stored_tables()
    by_user = sorted(tokens, key=lambda token: token.user_id)
    assert stored == replace(making.stored(version=2), tokens=tuple(by_user), screen=making.screen())
    assert await store.moves(1, 1) == list(log)
    assert await store.hand(1, 1) == hand
    assert await making.tokens(store, 1) == list(tokens)
    assert await store.screen(1) == making.screen()


async def test_the_players_of_a_match_are_kept(store: Store, path: Path) -> None:
    await store.submit(making.opening())
    await store.submit(Save(table=making.table(version=2), closes=True, match=making.finished_match()))
    with sqlite3.connect(path) as database:
        assert database.execute("SELECT table_id, guild_id, ended, ended_at FROM matches").fetchall() == [
            (1, GUILD, "won", "2026-01-01 12:00:00.000000")
        ]
        assert database.execute("SELECT * FROM match_players ORDER BY seat").fetchall() == [
            (1, 0, ANN, 135, 2, "won", 0, 1),
            (1, 1, BOB, 20, 1, "lost", 0, 1),
        ]
    database.close()


class TestOnce:
    async def test_the_same_interaction_again_changes_nothing(self, store: Store) -> None:
        await store.submit(making.opening())
        assert await store.submit(making.turn(version=2, interaction=77)) is True
        again = Save(
            table=making.table(version=3),
            seats=making.seats(people=[(CAT, "Cat")]),
            log=(making.move(77, position=9),),
            tokens=(making.token(),),
            screen=making.screen(),
        )
        assert await store.submit(again) is False
        assert await store.stored_tables() == [making.stored(version=2)]
        assert len(await store.moves(1, 1)) == 1
        assert await making.tokens(store, 1) == []
        assert await store.screen(1) is None

    async def test_twice_in_one_batch_counts_once(self, store: Store) -> None:
        await store.submit(making.opening())
        twins = [store.submit(making.turn(version=2, interaction=77)) for _ in range(2)]
        assert await asyncio.gather(*twins) == [True, False]

    async def test_the_second_counts_if_the_first_was_bad(self, store: Store) -> None:
        await store.submit(making.opening())
        bad, good = making.turn(version=9, interaction=77), making.turn(version=2, interaction=77)
        outcomes = await asyncio.gather(
            store.submit(bad), store.submit(good), store.submit(good), return_exceptions=True
        )
        assert [type(outcome) for outcome in outcomes] == [StaleVersion, bool, bool]
        assert outcomes[1:] == [True, False]

    async def test_other_parts_of_the_interaction_are_the_same_click(self, store: Store) -> None:
        await store.submit(making.opening())
        log = tuple(making.move(77, position=part, part=part) for part in range(2))
        assert await store.submit(Save(table=making.table(version=2), log=log)) is True
        partly = (making.move(77, position=5, part=1), making.move(77, position=6, part=2))
        assert await store.submit(Save(table=making.table(version=3), log=partly)) is False

    async def test_what_was_not_written_makes_nothing_known(self, store: Store) -> None:
        await store.submit(making.opening())
        known, unknown = making.move(77, position=0), making.move(78, position=1)
        saves = [
            Save(table=making.table(version=2), log=(known,)),
            Save(table=making.table(version=3), log=(known, unknown)),
            Save(table=making.table(version=3), log=(unknown,)),
        ]
        assert await asyncio.gather(*map(store.submit, saves)) == [True, False, True]

    async def test_nobody_clicked_for_an_automatic_move(self, store: Store) -> None:
        await store.submit(making.opening())
        for version in (2, 3):
            log = (making.move(None, position=version),)
            assert await store.submit(Save(table=making.table(version=version), log=log)) is True

    async def test_a_move_remembers_its_interaction(self, store: Store) -> None:
        await store.submit(making.opening())
        await store.submit(making.turn(version=2, interaction=77))
        assert [move.interaction_id for move in await store.moves(1, 1)] == [77]


class TestVersion:
    @pytest.mark.parametrize("version", [-1, 0, 2, 3, 5], ids=str)
    async def test_only_the_next_one_is_written(self, store: Store, version: int) -> None:
        await store.submit(making.opening())
        await store.submit(making.turn(version=2))
        await store.submit(making.turn(version=3))
        with pytest.raises(StaleVersion):
            await store.submit(making.turn(version=version, interaction=99))
        assert 99 not in {move.interaction_id for move in await store.moves(1, 1)}
        assert await store.submit(making.turn(version=4)) is True

    async def test_a_table_is_opened_once(self, store: Store) -> None:
        await store.submit(making.opening())
        with pytest.raises(NotSaved):
            await store.submit(Save(table=making.table(), seats=making.seats(people=[(CAT, "Cat")])))
        assert await store.stored_tables() == [making.stored()]

    async def test_a_closed_table_takes_nothing_more(self, store: Store) -> None:
        await store.submit(making.opening())
        await store.submit(Save(table=making.table(version=2), closes=True))
        with pytest.raises(StaleVersion):
            await store.submit(making.turn(version=3))

    async def test_moves_of_one_table_may_wait_together(self, store: Store) -> None:
        saves = [making.opening(), *(making.turn(version=version) for version in range(2, 30))]
        assert await asyncio.gather(*map(store.submit, saves)) == [True] * 29
        assert (await store.live_tables())[0].version == 29


NO_ZONE = NOW.replace(tzinfo=None)


def change(version: int = 2, **parts: Any) -> Save:
    return Save(table=making.table(version=version), **parts)


class TestAlone:
    """One bad save fails alone, whatever is wrong with it, and the others of its batch are written."""

    @pytest.mark.parametrize(
        "bad",
        [
            pytest.param(change(version=7), id="stale-version"),
            pytest.param(Save(log=(making.move(9, 404),)), id="no-such-table"),
            pytest.param(change(log=(making.move(5), making.move(6))), id="position-twice"),
            pytest.param(change(log=(making.move(5, entry=[{1, 2}]),)), id="not-to-be-written-as-json"),
            pytest.param(Save(log=(making.move(5, entry=[float("nan")]),)), id="not-a-number"),
            pytest.param(Save(log=(making.move(2**63),)), id="id-beyond-64-bits"),
            pytest.param(Save(table=TableRecord(1, 1, 1, 2, {}, NO_ZONE)), id="time-without-a-zone"),
            pytest.param(change(seats=(SeatRecord(1, 0, None, "Nobody"),)), id="neither-person-nor-cpu"),
            pytest.param(change(seats=making.seats() * 2), id="two-in-one-seat"),
            pytest.param(Save(screen=making.screen(404)), id="screen-of-no-table"),
        ],
    )
    async def test_it(self, store: Store, bad: Save) -> None:
        await store.submit(making.opening(1))
        before = await store.stored_tables()
        saves = [making.opening(2), bad, making.turn(2, 2), making.turn(2, 3)]
        outcomes = await asyncio.gather(*map(store.submit, saves), return_exceptions=True)
        assert isinstance(outcomes[1], NotSaved)
        assert outcomes[:1] + outcomes[2:] == [True, True, True]
        live = await store.stored_tables()
        assert live == [*before, making.stored(2, 3)]
        assert await store.moves(1, 1) == []
        assert await store.submit(making.turn(1, 2)) is True

    async def test_its_error_tells_no_secret(self, store: Store) -> None:
        await store.submit(making.opening())
        with pytest.raises(NotSaved) as caught:
            await store.submit(Save(tokens=(making.token(number=404, text="hush"),)))
        told = f"{caught.value} {caught.value.__cause__} {caught.value!r}"
        assert "FOREIGN KEY" in told
        assert "hush" not in told

    @pytest.mark.parametrize(
        "parts",
        [
            pytest.param({"closes": True}, id="closes"),
            pytest.param({"seats": ()}, id="seats"),
            pytest.param({"hands": (making.finished_hand(),)}, id="hands"),
            pytest.param({"match": making.finished_match()}, id="match"),
        ],
    )
    def test_what_belongs_to_a_table_comes_with_it(self, parts: dict[str, Any]) -> None:
        with pytest.raises(ValueError, match="with their table"):
            Save(**parts)


class TestSeats:
    async def test_they_are_replaced_as_a_whole(self, store: Store) -> None:
        await store.submit(
            Save(table=making.table(), seats=making.seats(people=[(ANN, "A"), (BOB, "B"), (CAT, "C")]))
        )
        fewer = making.seats(people=[(CAT, "C"), (ANN, "Anna")])
        await store.submit(Save(table=making.table(version=2), seats=fewer))
        assert (await store.stored_tables())[0].seats == fewer

    async def test_replaced_twice_in_one_batch_the_last_stand(self, store: Store) -> None:
        first, last = making.seats(people=[(ANN, "A")]), making.seats(people=[(BOB, "B"), (CAT, "C")])
        saves = [Save(table=making.table(), seats=first), Save(table=making.table(version=2), seats=last)]
        assert await asyncio.gather(*map(store.submit, saves)) == [True, True]
        assert (await store.stored_tables())[0].seats == last

    async def test_a_computer_player_has_no_user(self, store: Store) -> None:
        cpu = SeatRecord(1, 1, None, "Computer", "normal")
        await store.submit(Save(table=making.table(), seats=(*making.seats(people=[(ANN, "Ann")]), cpu)))
        assert (await store.stored_tables())[0].seats[1] == cpu


class TestTables:
    async def test_a_closed_one_has_no_snapshot_and_is_not_live(self, store: Store, path: Path) -> None:
        await store.submit(making.opening(1))
        await store.submit(making.opening(2))
        await store.submit(Save(table=making.table(1, 2, seconds=5), closes=True, screen=making.screen()))
        assert [table.id for table in await store.live_tables()] == [2]
        assert await store.screen(1) == making.screen()
        database = sqlite3.connect(path)
        assert database.execute("SELECT snapshot, closed_at FROM tables WHERE id = 1").fetchone() == (
            None,
            "2026-01-01 12:00:05.000000",
        )
        database.close()

    async def test_its_number_is_never_given_again(self, store: Store) -> None:
        assert await store.next_table_id() == 1
        await store.submit(making.opening(7))
        await store.submit(Save(table=making.table(7, 2), closes=True))
        assert await store.next_table_id() == 8

    @pytest.mark.parametrize(
        "damaged",
        [
            pytest.param("'{\"schema\": 1'", id="cut-off"),
            pytest.param("'[1, 2]'", id="no-object"),
            pytest.param("NULL", id="gone"),
            pytest.param("x'ff00fe'", id="no-text"),
            pytest.param("CAST(x'7b22ff227d' AS TEXT)", id="no-utf-8"),
            pytest.param("''", id="empty"),
            pytest.param("17", id="a-number"),
            pytest.param("'" + "[" * 100_000 + "'", id="too-deep"),
        ],
    )
    async def test_a_damaged_snapshot_keeps_nothing_else_from_being_read(
        self, store: Store, path: Path, damaged: str
    ) -> None:
        await store.submit(making.opening(1))
        await store.submit(making.opening(2))
        with sqlite3.connect(path) as database:
            database.execute(f"UPDATE tables SET snapshot = {damaged} WHERE id = 1")
        database.close()
        first, second = await store.stored_tables()
        assert first.table.snapshot == {}
        assert first.seats == making.seats(1)
        assert second == making.stored(2)


class TestClosing:
    async def names(self, path: Path) -> list[int]:
        with sqlite3.connect(path) as database:
            rows = database.execute("SELECT user_id FROM names ORDER BY user_id").fetchall()
        database.close()
        return [user for (user,) in rows]

    async def test_a_lobby_that_never_began_leaves_nobody(self, store: Store, path: Path) -> None:
        await store.submit(making.opening(1))
        await store.submit(making.opening(2))
        await store.submit(Save(tokens=(making.token(ANN, 1), making.token(ANN, 2))))
        assert await store.submit(Save(table=making.table(1, 2), seats=making.seats(1), closes=True))
        assert await store.seats(1) == []
        assert await store.seats(2) == list(making.seats(2))
        assert [stored.table.id for stored in await store.stored_tables() if stored.tokens] == [2]
        assert await self.names(path) == []
        with sqlite3.connect(path) as database:
            assert database.execute("SELECT table_id FROM tokens").fetchall() == [(2,)]
        database.close()

    @pytest.mark.parametrize("parts", ["log", "hands", "match"])
    async def test_one_that_was_played_at_keeps_who_sat_there(self, store: Store, parts: str) -> None:
        save = {
            "log": Save(table=making.table(version=2), log=(making.move(5),)),
            "hands": Save(table=making.table(version=2), hands=(making.finished_hand((ANN, 5, True)),)),
            "match": Save(table=making.table(version=2), match=making.finished_match()),
        }[parts]
        await store.submit(making.opening())
        await store.submit(save)
        await store.submit(Save(table=making.table(version=3), closes=True))
        assert await store.seats(1) == list(making.seats(1))

    async def test_a_name_is_kept_from_the_first_finished_hand_on(self, store: Store, path: Path) -> None:
        await store.submit(making.opening())
        await store.submit(making.turn(version=2))
        assert await self.names(path) == []
        hands = (making.finished_hand((ANN, 5, True), (BOB, 0, False)),)
        await store.submit(Save(table=making.table(version=3), hands=hands))
        assert await self.names(path) == [ANN, BOB]
        cat = making.seats(people=[(ANN, "Anna"), (CAT, "Cat")])
        await store.submit(Save(table=making.table(version=4), seats=cat))
        assert await self.names(path) == [ANN, BOB]
        assert ((await store.board(GUILD, limit=1)).lines)[0].name == "Anna"


class TestTimes:
    async def test_they_come_back_in_utc(self, store: Store) -> None:
        here = timezone(timedelta(hours=5, minutes=30))
        at = datetime(2026, 1, 1, 3, 4, 5, 678901, tzinfo=here)
        await store.submit(Save(table=TableRecord(1, GUILD, 5, 1, {}, at)))
        stored = (await store.stored_tables())[0].table.updated_at
        assert stored == at
        assert stored.tzinfo is UTC


class TestTokens:
    async def test_the_newest_of_each_person_is_kept(self, store: Store) -> None:
        await store.submit(making.opening())
        await store.submit(Save(tokens=(making.token(ANN, text="old"), making.token(BOB, text="other"))))
        newest = making.token(ANN, text="new", seconds=9)
        await store.submit(Save(tokens=(newest,)))
        await store.submit(Save(tokens=(making.token(ANN, text="late", seconds=5),)))
        assert await making.tokens(store, 1) == [newest, making.token(BOB, text="other")]

    async def test_the_message_of_a_token_may_become_known_later(self, store: Store) -> None:
        await store.submit(making.opening())
        await store.submit(Save(tokens=(making.token(message=None),)))
        await store.submit(Save(tokens=(making.token(message=6),)))
        assert await making.tokens(store, 1) == [making.token(message=6)]

    async def test_the_old_are_forgotten(self, store: Store) -> None:
        await store.submit(making.opening())
        await store.submit(Save(tokens=(making.token(ANN), making.token(BOB, seconds=1))))
        await store.tidy(NOW + timedelta(minutes=13, seconds=59))
        assert len(await making.tokens(store)) == 2
        await store.tidy(NOW + timedelta(minutes=14))
        assert await making.tokens(store) == [making.token(BOB, seconds=1)]

    def test_a_token_is_never_printed(self) -> None:
        assert "secret-token" not in repr(making.token())
        assert "R7" not in repr(making.table())


async def test_the_screen_is_the_last_one_posted(store: Store) -> None:
    await store.submit(making.opening())
    assert await store.screen(1) is None
    await store.submit(Save(screen=making.screen(message=800)))
    await store.submit(Save(screen=making.screen(message=801)))
    assert await store.screen(1) == making.screen(message=801)


async def test_where_a_closed_table_stood_is_forgotten(store: Store) -> None:
    await store.submit(Save(table=making.table(1), seats=making.seats(1), screen=making.screen(1)))
    await store.submit(Save(table=making.table(2), seats=making.seats(2), screen=making.screen(2)))
    await store.submit(Save(table=making.table(1, 2), closes=True))
    await store.tidy(NOW + timedelta(minutes=13, seconds=59))
    assert await store.screen(1) == making.screen(1)
    await store.tidy(NOW + timedelta(days=1))
    assert await store.screen(1) is None
    assert await store.screen(2) == making.screen(2)


class TestChoices:
    async def test_facts(self, store: Store) -> None:
        assert await store.fact("commands") is None
        await store.set_fact("commands", "one")
        await store.set_fact("commands", "two")
        assert await store.fact("commands") == "two"

    async def test_how_cards_are_shown(self, store: Store) -> None:
        assert await store.in_words() == set()
        await store.set_cards(ANN, "words")
        await store.set_nudges(ANN, "away")
        await store.set_nudges(BOB, "never")
        await store.set_cards(BOB, "words")
        assert await store.in_words() == {ANN, BOB}
        await store.set_cards(BOB, "pictures")
        assert await store.in_words() == {ANN}
        assert (await store.nudges(ANN), await store.nudges(BOB)) == ("away", "never")

    async def test_languages(self, store: Store) -> None:
        assert await store.languages() == {}
        await store.set_language(ANN, "cy")
        await store.set_nudges(ANN, "never")
        await store.set_nudges(BOB, "away")
        await store.set_language(BOB, "be")
        assert await store.languages() == {ANN: "cy", BOB: "be"}
        await store.set_language(ANN, None)
        assert await store.languages() == {BOB: "be"}
        assert (await store.nudges(ANN), await store.nudges(BOB)) == ("never", "away")

    async def test_nudges(self, store: Store) -> None:
        assert await store.nudges(ANN) is None
        await store.set_nudges(ANN, "never")
        await store.set_nudges(BOB, "away")
        await store.set_nudges(ANN, "always")
        assert (await store.nudges(ANN), await store.nudges(BOB)) == ("always", "away")

    async def test_guild_settings(self, store: Store, path: Path) -> None:
        assert await store.guild_settings(GUILD) == {}
        await store.set_guild_settings(GUILD, {"channels": [1]})
        await store.set_guild_settings(GUILD + 1, {"channels": [2]})
        assert await store.guild_settings(GUILD) == {"channels": [1]}
        await store.set_guild_settings(GUILD, {})
        assert await store.guild_settings(GUILD) == {}
        with sqlite3.connect(path) as database:
            assert database.execute("SELECT guild_id FROM servers").fetchall() == [(GUILD + 1,)]
        database.close()

    async def test_the_last_of_a_batch_stands(self, store: Store) -> None:
        futures = [store.set_nudges(ANN, wish) for wish in ("always", "away", "never")]
        futures += [store.set_guild_settings(GUILD, settings) for settings in ({"a": 1}, {}, {"a": 2}, {})]
        futures += [store.set_fact("key", str(number)) for number in range(5)]
        assert await asyncio.gather(*futures) == [True] * 12
        assert await store.nudges(ANN) == "never"
        assert await store.guild_settings(GUILD) == {}
        assert await store.fact("key") == "4"

    async def test_a_bad_one_fails_alone(self, store: Store) -> None:
        outcomes = await asyncio.gather(
            store.set_nudges(ANN, "never"),
            store.set_guild_settings(GUILD, {"a": {1, 2}}),
            store.set_fact("key", "value"),
            return_exceptions=True,
        )
        assert [type(outcome) for outcome in outcomes] == [bool, NotSaved, bool]
        assert (await store.nudges(ANN), await store.fact("key")) == ("never", "value")
