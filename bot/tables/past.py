"""Hands of earlier releases: what each seat did in them is worked out once, little by little.

Knows the model and the store.
"""

from __future__ import annotations

import asyncio
from typing import Final

import structlog

from bot.model.facts import NotReplayedError, hand_facts
from bot.store import SeatFacts, Store, UnreadHand

log = structlog.get_logger(__name__)

#: How many hands are read at a time, and the pause after them, in seconds.
AT_A_TIME: Final = 20
PAUSE: Final = 0.1


async def keep_missing_facts(store: Store, pause: float = PAUSE) -> int:
    """Work out what each seat did in the hands of which that is not known; returns how many there were.

    A hand that cannot be replayed has no facts from then on. Ends early if the store fails: the next start
    goes on from there.
    """
    done = 0
    try:
        while hands := await store.hands_without_facts(AT_A_TIME):
            for hand in hands:
                kept = await _facts(store, hand)
                await store.keep_facts(kept)
                done += 1
            await asyncio.sleep(pause)
    except Exception as error:  # noqa: BLE001  # nobody waits for this
        log.warning("facts_put_off", problem=repr(error))
    return done


async def _facts(store: Store, hand: UnreadHand) -> tuple[SeatFacts, ...]:
    moves = await store.moves(hand.table_id, hand.hand_no)
    found = {}
    try:
        found = await asyncio.to_thread(hand_facts, hand.scenario, [move.move for move in moves])
    except NotReplayedError as error:
        log.warning("hand_not_replayed", table=hand.table_id, hand=hand.hand_no, problem=str(error))
    seats = await store.scored_seats(hand.table_id, hand.hand_no)
    return tuple(SeatFacts(hand.table_id, hand.hand_no, seat, found.get(seat, {})) for seat in seats)
