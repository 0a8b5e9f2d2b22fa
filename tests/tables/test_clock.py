"""What the clock does at a table: docs/rules.md, The clock; Time-outs; Autopilot."""

from datetime import timedelta
from typing import Any

import pytest

from bot.model.agenda import Due, agenda, ask_after, nudge_at
from bot.model.errors import Problem
from bot.store import Store
from bot.tables import Outages, Table, Tables
from engine.actions import ACCEPT, DEAL, DRAW, KEEP, Play
from engine.awaiting import Awaiting
from engine.cards import CARD_OF_CODE
from engine.events import AutopilotSet, CardPlayed, HandDealt, TimedOut, UnoSaid
from engine.rules import Length
from tests.tables.sitting import PACE, Somebody, lobby, playing, put, refused, restored

MINUTE = timedelta(minutes=1)
HANDS = {"s0": ["B1", "B2", "B3"], "s1": ["B4", "B5", "B6"], "s2": ["B7", "B8", "B9"]}


async def waiting(tables: Tables, by: Somebody, **position: Any) -> Table:
    """Give a table that waits for the first of three, who can play nothing and will draw nothing playable."""
    table = await playing(tables, by, 3, **position.pop("how", {}))
    put(table, **({"hands": HANDS, "discard": ["R9"], "turn": "s0", "draw": ["G1"] * 20} | position))
    return table


def due(tables: Tables, table: Table) -> tuple[float, Due] | None:
    """Give what is due next, in seconds after the decision's clock began."""
    entry = tables.next_due(table.state)
    return None if entry is None else ((entry[0] - table.state.clock.full_at).total_seconds(), entry[1])


def nudge(table: Table, seen: float | None = 0.0) -> float | None:
    """Return when the one waited for is nudged, in seconds after the decision's clock began.

    `seen` is how many seconds before that they last pressed something.
    """
    since = table.state.clock.full_at
    at = nudge_at(table.state, PACE, None if seen is None else since - timedelta(seconds=seen))
    return None if at is None else (at - since).total_seconds()


# --- turns


async def test_a_turn_is_nudged_at_half_time_and_times_out_at_the_end(tables: Tables, by: Somebody) -> None:
    table = await waiting(tables, by)
    assert nudge(table) == 30
    assert await tables.tick(table, table.state.clock.full_at + 0.6 * MINUTE) is None
    assert await tables.nudged(table, table.state.clock.full_at + 0.5 * MINUTE) is not None
    assert nudge(table) is None
    assert await tables.nudged(table, table.state.clock.full_at + 0.5 * MINUTE) is None, "once a decision"
    assert due(tables, table) == (60, Due.TIME_OUT)
    assert await tables.tick(table, table.state.clock.full_at + 0.99 * MINUTE) is None
    change = await tables.tick(table, table.state.clock.full_at + MINUTE)
    assert change is not None
    assert isinstance(change.events[0], TimedOut)
    assert table.state.match is not None
    assert table.state.match.turn == 1


@pytest.mark.parametrize("seen", [None, 121])
async def test_who_has_been_away_is_nudged_at_once(tables: Tables, by: Somebody, seen: int | None) -> None:
    table = await waiting(tables, by)
    assert nudge(table, seen) == 0


@pytest.mark.parametrize("seen", [0, 121])
async def test_short_turns_are_not_nudged(tables: Tables, by: Somebody, seen: float) -> None:
    table = await waiting(tables, by, how={"turn_time": 20})
    assert nudge(table, seen) is None
    assert due(tables, table) == (20, Due.TIME_OUT)


@pytest.mark.parametrize("turn_time", [15, 600, None])
async def test_who_cannot_be_reached_is_called_at_once(
    tables: Tables, by: Somebody, turn_time: int | None
) -> None:
    table = await waiting(tables, by, how={"turn_time": turn_time})
    assert nudge(table, None) == 0


async def test_who_has_pressed_anything_in_this_turn_is_not_nudged(tables: Tables, by: Somebody) -> None:
    table = await waiting(tables, by)
    assert nudge_at(table.state, PACE, table.state.clock.full_at, here=False) is not None
    assert nudge_at(table.state, PACE, table.state.clock.full_at, here=True) is None


@pytest.mark.parametrize(("turn_time", "silence"), [(15, 10), (60, 15), (600, 150), (None, 30)])
async def test_who_presses_nothing_for_a_while_may_have_left_the_server(
    tables: Tables, by: Somebody, turn_time: int | None, silence: int
) -> None:
    table = await waiting(tables, by, how={"turn_time": turn_time})
    at, later = table.state.clock.full_at, table.state.clock.full_at + timedelta(seconds=5)
    assert ask_after(table.state, None) == at + timedelta(seconds=silence)
    assert ask_after(table.state, at - MINUTE) == at + timedelta(seconds=silence)
    assert ask_after(table.state, later) == later + timedelta(seconds=silence)
    await tables.pause(table, by(1), stop=True)
    assert ask_after(table.state, None) is None


async def test_without_a_limit_nobody_times_out(tables: Tables, by: Somebody) -> None:
    table = await waiting(tables, by, how={"turn_time": None})
    entry = tables.next_due(table.state)
    assert entry is not None
    assert entry[1] is Due.END_IDLE


async def test_a_catch_and_a_word_do_not_restart_the_clock_and_a_move_does(
    tables: Tables, by: Somebody
) -> None:
    table = await waiting(
        tables, by, hands=HANDS | {"s0": ["R1", "B2"]}, draw=["Y8", "Y8", "Y8", "Y8"], turn="s0"
    )
    await tables.act(table, by(1), (Play(CARD_OF_CODE["R1"]),))
    at = table.state.clock.full_at
    assert at == by.now
    await tables.catch(table, by(2, wait=5))
    assert table.state.clock.full_at == at
    await tables.act(table, by(2), (DRAW,))
    assert table.state.clock.full_at == by.now


async def test_somebody_else_leaving_does_not_restart_the_clock_and_the_turn_passing_on_does(
    tables: Tables, by: Somebody
) -> None:
    table = await waiting(tables, by)
    at = table.state.clock.full_at
    await tables.leave(table, by(3, wait=9))
    assert table.state.clock.full_at == at
    table = await again(tables, by)
    await tables.leave(table, by(1, wait=9))
    assert table.state.clock.full_at == by.now


async def again(tables: Tables, by: Somebody) -> Table:
    for table in tables.live():
        await tables.end(table, by(1), moderator=True)
    return await waiting(tables, by)


async def test_a_move_that_was_faster_than_the_clock_wins(tables: Tables, by: Somebody) -> None:
    table = await waiting(tables, by)
    late = table.state.clock.full_at + MINUTE
    await tables.act(table, by(1), (DRAW,))
    assert await tables.tick(table, late) is None


# --- autopilot


async def on_autopilot(tables: Tables, by: Somebody) -> Table:
    """Give a table whose first seat is on autopilot and waited for."""
    table = await waiting(tables, by, discard=["R9"], draw=["G1"] * 40)
    for _ in range(2):
        await tables.nudged(table, table.state.clock.full_at + 0.5 * MINUTE)
        await tables.tick(table, table.state.clock.full_at + MINUTE)
        by.now = table.state.clock.full_at
        for user in (2, 3):
            await tables.act(table, by(user), (DRAW,))
    assert table.state.computer_plays(0)
    return table


async def test_two_time_outs_in_a_row_let_the_computer_play_after_a_pause(
    tables: Tables, by: Somebody
) -> None:
    table = await on_autopilot(tables, by)
    assert due(tables, table) == (1.5, Due.COMPUTER)
    change = await tables.tick(table, table.state.clock.full_at + timedelta(seconds=1.5))
    assert change is not None
    assert change.by is None
    # It neither wakes the seat nor breaks the row.
    assert table.state.computer_plays(0)


async def test_the_computer_waits_while_somebody_may_be_caught_and_says_its_own_uno(
    tables: Tables, by: Somebody
) -> None:
    table = await on_autopilot(tables, by)
    put(table, hands={"s0": ["R1", "R2"], "s1": ["B4", "B5"], "s2": ["R8", "B9"]}, discard=["R9"], turn="s2")
    assert table.state.match is not None
    table.state.match.game.streak[0] = 2
    await tables.act(table, by(3), (Play(CARD_OF_CODE["R8"]),))
    assert due(tables, table) == (3, Due.COMPUTER)
    change = await tables.tick(table, table.state.clock.full_at + timedelta(seconds=3))
    assert change is not None
    assert [type(event) for event in change.events] == [CardPlayed, UnoSaid]
    assert table.state.match.game.said[0]


async def test_any_press_stops_the_computer_and_their_move_ends_the_autopilot(
    tables: Tables, by: Somebody, store: Store
) -> None:
    table = await on_autopilot(tables, by)
    await tables.wake(table, by(1))
    assert not table.state.computer_plays(0)
    assert table.state.clock.full_at == by.now
    # The mark is saved.
    others = Tables(store, PACE, Outages(), save_timeout=60.0, catch_grace=2.0)
    await restored(others, by.now)
    reborn = others.get(table.id)
    assert reborn is not None
    assert not reborn.state.computer_plays(0)
    click = by(1)
    change = await tables.act(table, click, (DRAW,))
    assert AutopilotSet(0, on=False) in change.events
    assert table.state.seating.woken == frozenset()


async def test_the_next_time_out_clears_the_mark(tables: Tables, by: Somebody) -> None:
    table = await on_autopilot(tables, by)
    await tables.wake(table, by(1))
    await tables.nudged(table, table.state.clock.full_at + 0.5 * MINUTE)
    await tables.tick(table, table.state.clock.full_at + MINUTE)
    assert table.state.computer_plays(0)


async def test_a_press_of_somebody_awake_changes_nothing(tables: Tables, by: Somebody) -> None:
    table = await waiting(tables, by)
    version = table.state.version
    await tables.wake(table, by(1))
    await tables.wake(table, by(77))
    assert table.state.version == version


# --- lobbies, hands, silence, pauses


async def test_a_lobby_is_closed_a_quarter_of_an_hour_after_the_last_press(
    tables: Tables, by: Somebody
) -> None:
    table = await lobby(tables, by)
    assert await tables.tick(table, by.now + timedelta(minutes=14.9)) is None
    await tables.tick(table, by.now + timedelta(minutes=15))
    assert table.state.ended == "expired"
    assert tables.get(table.id) is None


async def test_the_next_hand_is_dealt_by_itself_and_logged_as_the_clock_s(
    tables: Tables, by: Somebody, store: Store
) -> None:
    table = await waiting(tables, by, hands=HANDS | {"s0": ["R1"]}, how={"length": Length(hands=2)})
    await tables.act(table, by(1), (Play(CARD_OF_CODE["R1"]),))
    assert table.state.awaiting is Awaiting.DEAL
    await tables.leave(table, by(1))
    assert due(tables, table) == (120, Due.DEAL)
    change = await tables.tick(table, table.state.clock.full_at + 2 * MINUTE)
    assert change is not None
    assert any(isinstance(event, HandDealt) for event in change.events)
    (deal,) = await store.moves(table.id, 2)
    assert deal.move == ["s1", "deal", {"auto": True}]
    assert deal.auto


async def test_a_table_where_nobody_acts_for_an_hour_ends(tables: Tables, by: Somebody) -> None:
    table = await waiting(tables, by, how={"turn_time": None})
    acted = table.state.clock.acted_at
    assert await tables.tick(table, acted + 59 * MINUTE) is None
    await tables.tick(table, acted + 60 * MINUTE)
    assert table.state.ended == "idle"


async def test_a_pause_stops_everything_for_a_day_at_most(tables: Tables, by: Somebody) -> None:
    table = await waiting(tables, by)
    await refused(Problem.NOT_THE_HOST, tables.pause(table, by(2), stop=True))
    await refused(Problem.NOT_PAUSED, tables.pause(table, by(1), stop=False))
    await tables.pause(table, by(1), stop=True)
    await refused(Problem.PAUSED_ALREADY, tables.pause(table, by(1), stop=True))
    began = by.now
    assert await tables.tick(table, began + 600 * MINUTE) is None
    await tables.pause(table, by(1, wait=3600), stop=False)
    assert nudge(table) == 30
    await tables.pause(table, by(1), stop=True)
    change = await tables.tick(table, by.now + timedelta(days=1))
    assert change is not None
    assert table.state.clock.paused_at is None
    assert table.state.ended is None


async def test_what_came_due_while_the_bot_was_away_is_put_off(
    tables: Tables, by: Somebody, store: Store
) -> None:
    table = await waiting(tables, by, how={"turn_time": 120})
    await tables.nudged(table, table.state.clock.full_at + MINUTE)
    others = Tables(store, PACE, Outages(), save_timeout=60.0, catch_grace=2.0)
    much_later = by.now + timedelta(days=3)
    await restored(others, much_later)
    reborn = others.get(table.id)
    assert reborn is not None
    entry = others.next_due(reborn.state)
    assert entry is not None
    assert entry == (much_later + timedelta(seconds=120), Due.TIME_OUT)
    assert reborn.state.ended is None


# --- coming and going


async def between_hands(tables: Tables, by: Somebody, hands: int = 3) -> Table:
    table = await waiting(tables, by, hands=HANDS | {"s0": ["R1"]}, how={"length": Length(hands=hands)})
    await tables.act(table, by(1), (Play(CARD_OF_CODE["R1"]),))
    return table


async def test_a_newcomer_gets_a_seat_at_the_next_deal(tables: Tables, by: Somebody, store: Store) -> None:
    table = await between_hands(tables, by)
    await tables.join(table, by(9))
    await refused(Problem.ALREADY_SEATED, tables.join(table, by(9)))
    await refused(Problem.WAITING, tables.act(table, by(9), (DEAL,)))
    others = Tables(store, PACE, Outages(), save_timeout=60.0, catch_grace=2.0)
    await restored(others, by.now)
    for tables_now in (others, tables):
        seated = tables_now.get(table.id)
        assert seated is not None
        if tables_now is tables:
            await tables.act(seated, by(1), (DEAL,))
            assert seated.state.match is not None
            assert len(seated.state.match.game.hands[3]) == 7
            assert seated.state.seat_of(9) == 3
        else:
            assert [person.user_id for person in seated.state.newcomers] == [9]


async def test_a_newcomer_may_change_their_mind(tables: Tables, by: Somebody) -> None:
    table = await between_hands(tables, by)
    await tables.join(table, by(9))
    await tables.join(table, by(10))
    await tables.leave(table, by(9))
    assert [person.user_id for person in table.state.newcomers] == [10]
    await tables.act(table, by(1), (DEAL,))
    assert table.state.seat_of(10) == 3


async def test_who_left_does_not_come_back_and_the_last_hand_takes_nobody(
    tables: Tables, by: Somebody
) -> None:
    table = await between_hands(tables, by)
    await tables.leave(table, by(3))
    await refused(Problem.GONE_FOR_GOOD, tables.join(table, by(3)))
    table = await again(tables, by)
    await refused(Problem.ALREADY_STARTED, tables.join(table, by(9)))


async def test_the_host_and_moderators_remove_at_once(tables: Tables, by: Somebody) -> None:
    table = await waiting(tables, by)
    await refused(Problem.KICK_YOURSELF, tables.kick(table, by(1), 1, moderator=False))
    await refused(Problem.THEY_ARE_NOT_SEATED, tables.kick(table, by(1), 55, moderator=False))
    await tables.kick(table, by(1), 3, moderator=False)
    assert table.state.seat_of(3) is None
    await tables.kick(table, by(99), 2, moderator=True)
    assert table.state.ended == "won"


async def test_a_vote_removes_when_more_than_half_of_the_others_want_it(tables: Tables, by: Somebody) -> None:
    table = await playing(tables, by, 5)
    await refused(Problem.NOT_SEATED, tables.kick(table, by(99), 1, moderator=False))
    for voter in (2, 2, 3):
        await tables.kick(table, by(voter), 1, moderator=False)
        assert table.state.seat_of(1) == 0
    await tables.kick(table, by(4), 1, moderator=False)
    assert table.state.seat_of(1) is None
    assert table.state.seating.host == 1
    assert table.state.removals.votes == {}


async def test_a_vote_of_somebody_who_left_does_not_count(tables: Tables, by: Somebody) -> None:
    table = await playing(tables, by, 5)
    for voter in (2, 3):
        await tables.kick(table, by(voter), 1, moderator=False)
    await tables.leave(table, by(3))
    assert table.state.removals.votes == {0: frozenset({1})}


async def test_the_host_s_role_is_handed_over(tables: Tables, by: Somebody) -> None:
    table = await waiting(tables, by)
    await refused(Problem.NOT_THE_HOST, tables.hand_over(table, by(2), 2, moderator=False))
    await tables.hand_over(table, by(1), 2, moderator=False)
    assert table.state.seating.host == 1
    await refused(Problem.THEY_ARE_NOT_SEATED, tables.hand_over(table, by(2), 77, moderator=False))


@pytest.mark.parametrize("seat", [0, 1, 2])
async def test_who_is_no_longer_on_the_server_is_taken_out(tables: Tables, by: Somebody, seat: int) -> None:
    table = await waiting(tables, by)
    click = by(0)
    assert await tables.lost(table, seat + 1, click) is not None
    assert table.state.seat_of(seat + 1) is None
    again = await tables.lost(table, seat + 1, click)
    assert again.after is again.before


async def test_a_log_with_time_outs_replays(tables: Tables, by: Somebody, store: Store) -> None:
    table = await waiting(tables, by)
    await tables.nudged(table, table.state.clock.full_at + 0.5 * MINUTE)
    await tables.tick(table, table.state.clock.full_at + MINUTE)
    moves = await store.moves(table.id, 1)
    assert [record.move for record in moves] == [["s0", "timeout", {"auto": True}]]
    assert moves[0].interaction_id is None
    assert {ACCEPT, KEEP} & set(table.state.match.legal_actions()) == set()  # type: ignore[union-attr]


async def test_a_pause_that_runs_out_leaves_the_table_its_hour(tables: Tables, by: Somebody) -> None:
    table = await waiting(tables, by)
    await tables.pause(table, by(1), stop=True)
    entry = tables.next_due(table.state)
    assert entry is not None
    assert entry[1] is Due.RESUME
    await tables.tick(table, entry[0])
    idle = [at for at, what in agenda(table.state, PACE) if what is Due.END_IDLE]
    assert idle == [entry[0] + PACE.idle]
