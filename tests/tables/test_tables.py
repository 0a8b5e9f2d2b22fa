"""The tables: who may do what, one order for everything, saved before it counts."""

import asyncio
from typing import Any

import pytest

from bot.model.errors import Problem
from bot.model.snapshot import restore, snapshot
from bot.store import NotSaved, Save, Store, TableRecord
from bot.tables import Change, Click, Options, Outages, Table, Tables
from engine.actions import ACCEPT, DEAL, DRAW, KEEP, SAY_UNO, Play
from engine.awaiting import NO_SEAT, Awaiting
from engine.cards import CARD_OF_CODE, ITEM_BOX, WILD_FOUR
from engine.codec import encode
from engine.errors import IllegalAction, Reason
from engine.events import CardPlayed, HandStarted, UnoSaid
from engine.notation import read_move
from engine.replay import replay
from engine.rules import Length
from tests.tables.sitting import (
    CHANNEL,
    GUILD,
    PACE,
    Somebody,
    holder,
    lobby,
    owing,
    playing,
    put,
    refused,
    restored,
)
from tests.tables.slow import SlowStore

# --- the lobby


async def test_a_lobby_fills_up_and_starts(tables: Tables, by: Somebody) -> None:
    table = await lobby(tables, by, 2)
    assert tables.in_channel(CHANNEL) is table
    change = await tables.start(table, by(1))
    assert isinstance(change.events[0], HandStarted)
    assert table.state.match is not None
    box = table.state.match.game.discard[-1] == ITEM_BOX
    assert table.state.match.awaiting is (Awaiting.COLOUR if box else Awaiting.TURN)


async def test_one_table_per_channel(tables: Tables, by: Somebody) -> None:
    table = await lobby(tables, by)
    await refused(Problem.LOBBY_IS_OPEN, tables.open_lobby(GUILD, CHANNEL, by(9), Options()))
    await tables.start(table, by(1))
    await refused(Problem.CHANNEL_TAKEN, tables.open_lobby(GUILD, CHANNEL, by(9), Options()))


async def test_a_match_with_a_hand_to_come_can_be_joined_instead(tables: Tables, by: Somebody) -> None:
    await playing(tables, by, length=Length(hands=2))
    await refused(Problem.MATCH_TO_JOIN, tables.open_lobby(GUILD, CHANNEL, by(9), Options()))


async def test_who_was_removed_is_remembered_and_an_heir_too(
    tables: Tables, store: Store, by: Somebody
) -> None:
    table = await playing(tables, by, 4, length=Length(hands=2))
    await tables.kick(table, by(1), 3, moderator=False)
    await tables.leave(table, by(1))
    again = restore(snapshot(table.state), table.state.seating.people, table.state.version)
    for state in (table.state, again):
        assert state.removals.seats == {2}
        assert state.seating.heirs == {0: 1}
    await refused(Problem.REMOVED_FOR_GOOD, tables.join(table, by(3)))
    await refused(Problem.GONE_FOR_GOOD, tables.join(table, by(1)))


async def test_who_may_do_what_in_a_lobby(tables: Tables, by: Somebody) -> None:
    table = await lobby(tables, by, 1)
    await refused(Problem.ALREADY_SEATED, tables.join(table, by(1)))
    await refused(Problem.NEED_TWO, tables.start(table, by(1)))
    await tables.join(table, by(2))
    await refused(Problem.NOT_THE_HOST, tables.start(table, by(2)))
    await refused(Problem.NOT_THE_HOST, tables.cancel(table, by(2)))
    await refused(Problem.NOT_SEATED, tables.leave(table, by(3)))
    await refused(Problem.NOT_HOST_OR_MODERATOR, tables.end(table, by(2), moderator=False))
    await refused(Problem.NOT_STARTED, tables.act(table, by(1), (DRAW,)))
    for user in range(3, 11):
        await tables.join(table, by(user))
    await refused(Problem.LOBBY_FULL, tables.join(table, by(11)))
    await tables.cancel(table, by(1))
    await refused(Problem.TABLE_OVER, tables.join(table, by(12)))
    assert tables.in_channel(CHANNEL) is None


@pytest.mark.parametrize(("leaver", "host"), [(1, 2), (2, 1), (3, 1)])
async def test_the_host_role_passes_on_in_a_lobby(
    tables: Tables, by: Somebody, leaver: int, host: int
) -> None:
    table = await lobby(tables, by, 3)
    await tables.leave(table, by(leaver))
    assert table.state.seating.people[table.state.seating.host].user_id == host


async def test_a_lobby_with_nobody_left_closes(tables: Tables, by: Somebody) -> None:
    table = await lobby(tables, by, 2)
    await tables.leave(table, by(2))
    await tables.leave(table, by(1))
    assert table.state.ended == "empty"
    assert tables.in_channel(CHANNEL) is None


@pytest.mark.parametrize("players", [2, 3, 10])
@pytest.mark.parametrize("direction", [1, -1])
async def test_the_host_role_passes_on_in_a_match(
    tables: Tables, by: Somebody, players: int, direction: int
) -> None:
    table = await playing(tables, by, players)
    assert table.state.match is not None
    table.state.match.game.direction = direction
    await tables.leave(table, by(1))
    assert table.state.seating.people[table.state.seating.host].user_id == 2


async def test_ten_people_joining_at_once_are_ten_seats(tables: Tables, by: Somebody) -> None:
    table = await lobby(tables, by, 1)
    answers = await asyncio.gather(
        *(tables.join(table, by(user)) for user in range(2, 14)), return_exceptions=True
    )
    assert sum(isinstance(answer, Change) for answer in answers) == 9
    assert (
        len({person.user_id for person in table.state.seating.people})
        == len(table.state.seating.people)
        == 10
    )


# --- moves


async def test_a_move_of_another_decision_is_an_old_hand(tables: Tables, by: Somebody) -> None:
    table = await playing(tables, by)
    user, match = holder(table)
    before = encode(match)
    await refused(Problem.OLD_HAND, tables.act(table, by(user), (DRAW,), match.decision - 1))
    assert encode(table.state.match) == before  # type: ignore[arg-type]


async def test_an_interaction_delivered_twice_counts_once(tables: Tables, by: Somebody, store: Store) -> None:
    table = await playing(tables, by)
    put(table, hands={"s0": ["R1", "R2"], "s1": ["B1"], "s2": ["B2"]}, discard=["R9"], turn="s0")
    click = by(1)
    first = await tables.act(table, click, (DRAW,), table.state.match.decision)  # type: ignore[union-attr]
    again = await tables.act(table, click, (DRAW,), 1)
    assert first.events
    assert again.events == ()
    assert again.after is first.after
    # A bot started anew has forgotten the click, the store has not.
    others = Tables(store, PACE, Outages(), save_timeout=60.0, catch_grace=2.0)
    await restored(others, by.now)
    reborn = others.get(table.id)
    assert reborn is not None
    match = reborn.state.match
    assert match is not None
    action = KEEP if match.awaiting is Awaiting.DRAWN else DRAW
    late = Click(click.interaction_id, reborn.state.seating.people[match.turn].user_id, "x", by.now)
    assert (await others.act(reborn, late, (action,))).events == ()
    assert reborn.state.match is match


async def test_uno_and_the_play_are_one_move_or_none(tables: Tables, by: Somebody) -> None:
    table = await playing(tables, by)
    match = put(table, hands={"s0": ["R1", "B2"], "s1": ["B1"], "s2": ["B2"]}, discard=["R9"], turn="s0")
    before = encode(match)
    with pytest.raises(IllegalAction) as caught:
        await tables.act(table, by(1), (Play(CARD_OF_CODE["B2"]),), match.decision, uno=True)
    assert caught.value.reason is Reason.DOES_NOT_MATCH
    assert encode(match) == before
    change = await tables.act(table, by(1), (Play(CARD_OF_CODE["R1"]),), match.decision, uno=True)
    assert [type(event) for event in change.events[:2]] == [UnoSaid, CardPlayed]
    assert table.state.match is not None
    assert table.state.match.game.said[0]


async def test_uno_said_by_the_table_s_button_does_not_spoil_the_play(tables: Tables, by: Somebody) -> None:
    table = await playing(tables, by)
    match = put(table, hands={"s0": ["R1", "B2"], "s1": ["B1"], "s2": ["B2"]}, discard=["R9"], turn="s0")
    await tables.act(table, by(1), (SAY_UNO,))
    await tables.act(table, by(1), (Play(CARD_OF_CODE["R1"]),), match.decision, uno=True)
    assert table.state.match is not None
    assert table.state.match.game.said[0]


async def test_a_stranger_and_a_leaver_play_nothing(tables: Tables, by: Somebody) -> None:
    table = await playing(tables, by, 4)
    await refused(Problem.NOT_SEATED, tables.act(table, by(99), (DRAW,)))
    await tables.leave(table, by(3))
    await refused(Problem.NOT_SEATED, tables.act(table, by(3), (DRAW,)))


# --- catching


async def test_a_catch_in_the_first_two_seconds_is_too_early_and_costs_nothing(
    tables: Tables, by: Somebody
) -> None:
    table = await owing(tables, by)
    await refused(Problem.TOO_EARLY, tables.catch(table, by(2, wait=1.9)))
    await refused(Problem.TOO_EARLY, tables.catch(table, by(2, wait=0.05)))
    change = await tables.catch(table, by(2, wait=0.1))
    assert len(change.after.match.game.hands[0]) == 3  # type: ignore[union-attr]


async def test_the_time_of_the_play_outlives_a_restart(tables: Tables, by: Somebody, store: Store) -> None:
    table = await owing(tables, by)
    others = Tables(store, PACE, Outages(), save_timeout=60.0, catch_grace=2.0)
    await restored(others, by.now)
    reborn = others.get(table.id)
    assert reborn is not None
    await refused(Problem.TOO_EARLY, others.catch(reborn, by(2, wait=1.0)))


async def test_nobody_catches_themselves(tables: Tables, by: Somebody) -> None:
    table = await owing(tables, by)
    await refused(Problem.CATCH_YOURSELF, tables.catch(table, by(1, wait=5)))


async def test_one_failed_catch_each_between_two_turn_actions(tables: Tables, by: Somebody) -> None:
    table = await playing(tables, by)
    hands = {"s0": ["R1", "B2", "B3"], "s1": ["B1"], "s2": ["B2"]}
    match = put(table, hands=hands, discard=["R9"], turn="s0", draw=["Y8", "Y9", "Y7", "Y6"])
    await refused(Problem.NOBODY_TO_CATCH, tables.catch(table, by(2)))
    await refused(Problem.CATCH_SPENT, tables.catch(table, by(2)))
    await refused(Problem.NOBODY_TO_CATCH, tables.catch(table, by(3)))
    await tables.act(table, by(1), (DRAW,), match.decision)
    await refused(Problem.NOBODY_TO_CATCH, tables.catch(table, by(2)))


async def test_two_catches_at_once_are_one(tables: Tables, by: Somebody) -> None:
    table = await owing(tables, by)
    first, second = by(2, wait=5), by(3, wait=0)
    answers = await asyncio.gather(
        tables.catch(table, first), tables.catch(table, second), return_exceptions=True
    )
    assert sum(isinstance(answer, Change) for answer in answers) == 1
    assert table.state.match is not None
    assert len(table.state.match.game.hands[0]) == 3


# --- saving


async def test_what_is_not_saved_has_not_happened(slow: SlowStore, by: Somebody) -> None:
    tables = Tables(slow, PACE, Outages(), save_timeout=60.0, catch_grace=2.0)
    table = await playing(tables, by)
    user, match = holder(table)
    before = encode(match)
    slow.gate = asyncio.get_running_loop().create_future()
    slow.gate.set_exception(NotSaved("disk full"))
    await refused(Problem.NOT_SAVED, tables.act(table, by(user), match.legal_actions()[:1]))
    assert encode(table.state.match) == before  # type: ignore[arg-type]
    slow.gate = None
    assert (await tables.act(table, by(user), match.legal_actions()[:1])).events


@pytest.mark.parametrize("counts", [True, False])
async def test_a_save_that_takes_too_long_is_settled_later(
    slow: SlowStore, by: Somebody, counts: bool
) -> None:
    tables = Tables(slow, PACE, Outages(), save_timeout=60.0, catch_grace=2.0)
    table = await playing(tables, by)
    tables._save_timeout = 0.01
    seen: list[Change] = []
    tables.listen(seen.append)
    user, match = holder(table)
    slow.gate = asyncio.get_running_loop().create_future()
    await refused(Problem.UNCERTAIN, tables.act(table, by(user), match.legal_actions()[:1]))
    await refused(Problem.BUSY, tables.act(table, by(user), match.legal_actions()[:1]))
    assert table.state.match is match
    if counts:
        slow.gate.set_result(True)
    else:
        slow.gate.set_exception(NotSaved("locked"))
    await asyncio.sleep(0)
    assert (table.state.match is not match) is counts
    assert len(seen) == counts


async def test_a_snapshot_reads_back_as_the_state(tables: Tables, by: Somebody) -> None:
    table = await owing(tables, by)
    state = table.state
    assert restore(snapshot(state), state.seating.people, state.version) == state


# --- to the end


async def play_on(tables: Tables, table: Table, by: Somebody) -> None:
    """Play the first legal answer, plays before draws, until the match is over."""
    while table.state.ended is None:
        match = table.state.match
        assert match is not None
        if match.awaiting is Awaiting.DEAL:
            await tables.act(table, by(table.state.seating.people[match.game.seated()[0]].user_id), (DEAL,))
            continue
        user, _ = holder(table)
        answers = [
            answer for answer in match.legal_actions() if answer != ACCEPT or len(match.legal_actions()) == 1
        ]
        plays = [answer for answer in answers if isinstance(answer, Play) and answer.card != WILD_FOUR]
        await tables.act(table, by(user), ((plays or answers)[0],), match.decision)


async def test_a_match_is_kept_hand_by_hand_and_every_hand_can_be_replayed(
    tables: Tables, by: Somebody, store: Store
) -> None:
    table = await playing(tables, by, 4, length=Length(hands=2))
    # Somebody leaves in the first hand: the second is a scenario of three.
    await tables.leave(table, by(3))
    await play_on(tables, table, by)
    assert tables.get(table.id) is None
    assert table.state.match is not None
    for hand_no in (1, 2):
        hand = await store.hand(table.id, hand_no)
        assert hand is not None
        moves = [record.move for record in await store.moves(table.id, hand_no) if record.move[1] != "deal"]
        names = hand.scenario["players"]
        for move in moves:
            read_move(move, names, "moves")
        answer: Any = replay({**hand.scenario, "actions": moves})
        assert all(result["ok"] for result in answer["results"])
        winner = answer["state"]["hand_winner"]
        won = [score for score in hand.scores if score.won]
        assert [f"s{score.seat}" for score in won] == ([] if winner is None else [winner])
        for score in hand.scores:
            assert sorted(answer["state"]["hands"][f"s{score.seat}"]) == sorted(score.cards)
    rows = (await store.board(GUILD, limit=10)).lines
    assert sum(row.points for row in rows) == sum(table.state.match.scores)


async def test_leaving_before_everybody_had_a_turn_is_no_loss(tables: Tables, by: Somebody) -> None:
    table = await playing(tables, by, 4)
    await tables.leave(table, by(4))
    assert table.state.seating.gone == {3: False}


async def test_leaving_after_everybody_had_a_turn_is_a_loss(tables: Tables, by: Somebody) -> None:
    table = await playing(tables, by, 3)
    hands = {"s0": ["R1", "R2", "R7"], "s1": ["R3", "R4", "R8"], "s2": ["R5", "R6", "R0"]}
    put(table, hands=hands, discard=["R9"], turn="s0")
    for user, card in ((1, "R1"), (2, "R3"), (3, "R5")):
        await tables.act(table, by(user), (Play(CARD_OF_CODE[card]),))
    await tables.leave(table, by(2))
    assert table.state.seating.gone == {1: True}


async def test_a_table_ended_before_its_first_hand_leaves_no_result(
    tables: Tables, by: Somebody, store: Store
) -> None:
    table = await playing(tables, by)
    await tables.end(table, by(50), moderator=True)
    assert tables.get(table.id) is None
    assert (await store.board(GUILD, limit=10)).lines == ()
    assert await tables.put_away(table, by.now)
    assert await store.live_tables() == []


async def test_a_table_that_ended_is_kept_apart_until_its_end_has_been_shown(
    tables: Tables, by: Somebody, store: Store
) -> None:
    table = await playing(tables, by)
    await tables.end(table, by(50), moderator=True)
    again = Tables(store, PACE, Outages(), save_timeout=60.0, catch_grace=2.0)
    told: list[Table] = []
    again.listen_restored(lambda ended, stored: told.append(ended))
    await restored(again, by.now)
    assert (again.live(), again.idle(), [ended.id for ended in told]) == ([], [], [table.id])
    assert again.id_in_channel(table.channel_id) is None
    assert await again.put_away(told[0], by.now)
    assert await store.live_tables() == []


async def test_a_match_broken_off_in_its_second_hand_is_kept(
    tables: Tables, by: Somebody, store: Store
) -> None:
    table = await playing(tables, by, 2, length=Length(hands=3))
    put(table, hands={"s0": ["R1"], "s1": ["B1", "B3"]}, discard=["R9"], turn="s0")
    await tables.act(table, by(1), (Play(CARD_OF_CODE["R1"]),))
    await tables.act(table, by(2), (DEAL,))
    await tables.end(table, by(1), moderator=False)
    kept = await store.match(table.id, guild_id=GUILD, channel_id=CHANNEL)
    assert kept is not None
    assert [(each.hands_won, each.outcome) for each in kept.standings] == [(1, "none"), (0, "none")]


async def test_who_sits_where_is_saved_when_it_changes(
    tables: Tables, by: Somebody, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, saves = await playing(tables, by), []
    submit = tables.store.submit
    monkeypatch.setattr(tables.store, "submit", lambda save: [saves.append(save), submit(save)][1])
    put(table, hands={"s0": ["B1", "B2"], "s1": ["B3", "B4"], "s2": ["B5", "B6"]}, discard=["R9"], turn="s0")
    await tables.act(table, by(1), (DRAW,))
    await tables.leave(table, by(1))
    await tables.act(table, by(2, name="Ann"), (DRAW,))
    assert [save.seats is not None for save in saves] == [False, False, True]


async def test_a_table_that_cannot_be_read_is_closed_for_good(
    tables: Tables, by: Somebody, store: Store
) -> None:
    table, other = await playing(tables, by), await tables.open_lobby(GUILD, CHANNEL + 1, by(9), Options())
    assert await store.submit(
        Save(table=TableRecord(table.id, GUILD, CHANNEL, table.state.version + 1, {}, by.now))
    )
    again = Tables(store, PACE, Outages(), save_timeout=60.0, catch_grace=2.0)
    broken: list[Table] = []
    again.listen_unreadable(broken.append)
    await restored(again, by.now)
    assert [unread.id for unread in broken] == [table.id]
    assert [live.id for live in again.live()] == [live.id for live in await store.live_tables()] == [other.id]


async def test_a_restart_finds_every_table_where_it_was(tables: Tables, by: Somebody, store: Store) -> None:
    table = await owing(tables, by)
    again = Tables(store, PACE, Outages(), save_timeout=60.0, catch_grace=2.0)
    await restored(again, by.now)
    reborn = again.in_channel(CHANNEL)
    assert reborn is not None
    assert reborn.state == table.state
    assert reborn.state.match is not None
    assert reborn.state.match.game.owed == 0 != NO_SEAT
    await play_on(again, reborn, by)
