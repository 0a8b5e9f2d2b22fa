"""The whole hand so far, played again from what is stored of it. Knows the engine and the store."""

from __future__ import annotations

import structlog

from bot.store import Store
from bot.tables.draft import Table
from engine.errors import BadInput, IllegalAction
from engine.events import Event, public
from engine.notation import read_scenario

log = structlog.get_logger(__name__)


async def hand_so_far(store: Store, table: Table) -> tuple[Event, ...]:
    """Return the public versions of all events of the hand that a table plays or has just played.

    Where they cannot be played again those that the table remembers stand in.
    """
    state = table.state
    if state.match is None or state.log.head is None:
        return state.log.recent
    moves = (await store.moves(table.id, state.match.hand_no))[: state.log.moves]
    try:
        read = read_scenario({**state.log.head, "actions": [move.move for move in moves]})
        events = list(read.start)
        for move in read.moves:
            events += read.match.apply(move.seat, move.action, move.auto)
    except (BadInput, IllegalAction) as error:
        log.warning("hand_not_played_again", table=table.id, problem=repr(error))
        return state.log.recent
    return tuple(map(public, events))
