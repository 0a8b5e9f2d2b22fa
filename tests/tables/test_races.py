"""Two things at the same moment: one order, decided at the table, and each gets the answer that fits it."""

import asyncio
from collections.abc import Coroutine
from datetime import timedelta
from typing import Any

import pytest

from bot.model.errors import Problem, UserError
from bot.tables import Change, Table, Tables
from engine.actions import DRAW, KEEP, SAY_UNO
from engine.awaiting import Awaiting
from engine.errors import IllegalAction, Reason
from tests.tables.sitting import Somebody, owing, playing, put

BOTH_WAYS = pytest.mark.parametrize("swapped", [False, True], ids=["first", "second"])
MINUTE = timedelta(minutes=1)


async def at_once(*works: Coroutine[Any, Any, Any], swapped: bool) -> list[Any]:
    """Let things begin at the same moment, in this order or the other; returns their answers in this one."""
    order = works[::-1] if swapped else works
    answers = await asyncio.gather(*order, return_exceptions=True)
    return answers[::-1] if swapped else answers


async def table_of_three(tables: Tables, by: Somebody, **position: Any) -> Table:
    table = await playing(tables, by, 3)
    hands = {"s0": ["R1", "B2", "B3"], "s1": ["B1", "Y1"], "s2": ["B2", "Y2"]}
    put(table, **({"hands": hands, "discard": ["R9"], "turn": "s0", "draw": ["G1"] * 20} | position))
    return table


@BOTH_WAYS
async def test_a_catch_and_the_uno(tables: Tables, by: Somebody, swapped: bool) -> None:
    table = await owing(tables, by)
    catch, uno = by(2, wait=5), by(1, wait=0)
    caught, said = await at_once(
        tables.catch(table, catch), tables.act(table, uno, (SAY_UNO,)), swapped=swapped
    )
    assert table.state.match is not None
    held = len(table.state.match.game.hands[0])
    if swapped:
        assert isinstance(said, Change)
        assert isinstance(caught, UserError)
        assert caught.problem is Problem.NOBODY_TO_CATCH
        assert held == 1
    else:
        assert isinstance(caught, Change)
        assert isinstance(said, IllegalAction)
        assert said.reason is Reason.NOTHING_TO_CALL
        assert held == 3


@BOTH_WAYS
async def test_leaving_and_ones_own_move(tables: Tables, by: Somebody, swapped: bool) -> None:
    table = await table_of_three(tables, by)
    match = table.state.match
    assert match is not None
    left, moved = await at_once(
        tables.leave(table, by(1)), tables.act(table, by(1), (DRAW,), match.decision), swapped=swapped
    )
    assert isinstance(left, Change)
    if swapped:
        assert isinstance(moved, Change)
    else:
        assert isinstance(moved, UserError)
        assert moved.problem is Problem.NOT_SEATED
    now = table.state.match
    assert now is not None
    assert now.game.out[0]
    assert now.turn == 1
    assert not now.invariants()


@BOTH_WAYS
async def test_a_move_and_the_clock(tables: Tables, by: Somebody, swapped: bool) -> None:
    table = await table_of_three(tables, by, draw=["G1", "G2", "G3"])
    match = table.state.match
    assert match is not None
    late = table.state.clock.full_at + MINUTE
    await tables.nudged(table, late)
    moved, ticked = await at_once(
        tables.act(table, by(1), (DRAW,), match.decision), tables.tick(table, late), swapped=swapped
    )
    if swapped:
        assert isinstance(ticked, Change)
        assert isinstance(moved, UserError)
        assert moved.problem is Problem.OLD_HAND
    else:
        assert isinstance(moved, Change)
        assert ticked is None
    assert table.state.match is not None
    assert len(table.state.match.game.hands[0]) == 4
    assert table.state.match.turn == 1


@BOTH_WAYS
async def test_leaving_and_being_removed(tables: Tables, by: Somebody, swapped: bool) -> None:
    table = await table_of_three(tables, by)
    left, removed = await at_once(
        tables.leave(table, by(2)), tables.kick(table, by(1), 2, moderator=False), swapped=swapped
    )
    assert isinstance(removed if swapped else left, Change)
    second = left if swapped else removed
    assert isinstance(second, UserError)
    assert second.problem is (Problem.NOT_SEATED if swapped else Problem.THEY_ARE_NOT_SEATED)
    assert table.state.match is not None
    assert table.state.match.game.seated() == [0, 2]


async def test_ten_who_press_the_same_button_at_once_move_once(tables: Tables, by: Somebody) -> None:
    table = await table_of_three(tables, by, discard=["G9"])
    match = table.state.match
    assert match is not None
    clicks = [by(1, wait=0) for _ in range(10)]
    answers = await asyncio.gather(
        *[tables.act(table, click, (DRAW,), match.decision) for click in clicks], return_exceptions=True
    )
    assert sum(isinstance(answer, Change) for answer in answers) == 1
    assert {error.problem for error in answers if isinstance(error, UserError)} == {Problem.OLD_HAND}
    now = table.state.match
    assert now is not None
    assert now.awaiting is Awaiting.DRAWN
    assert len(now.game.hands[0]) == 4
    await tables.act(table, by(1), (KEEP,))
    assert table.state.match is not None
    assert table.state.match.turn == 1
