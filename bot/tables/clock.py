"""What the clock does at a table, and the computer for its own players and whoever is on autopilot.

RULES.md, Leaving, timing out.
"""

from __future__ import annotations

from datetime import datetime

from bot.model.agenda import Due
from bot.model.computers import catcher, jumper, player
from bot.tables.core import Change, Click, Core, Draft, Table
from engine.actions import DEAL, SAY_UNO, TIME_OUT, Catch
from engine.views import seat_view


class Clock(Core):
    """What happens without a click."""

    async def tick(self, table: Table, now: datetime) -> Change | None:
        """Do the first thing that is due at a table by now; None if nothing is, or if it changes no state.

        What is due is looked up again under the lock: a click that was faster has changed it.
        """
        async with table.lock:
            due = self.next_due(table)
            if table.unsettled is not None or due is None or due[0] > now:
                return None
            if due[1] in (Due.NUDGE, Due.REPOST):
                return None
            draft = Draft(table, Click.of_the_clock(now))
            self._do(draft, due[1])
            return await self._commit(draft)

    async def nudged(self, table: Table, now: datetime) -> Change | None:
        """Note that the one waited for is being nudged; None if a click was faster."""
        async with table.lock:
            due = self.next_due(table)
            if table.unsettled is not None or due is None or due[1] is not Due.NUDGE:
                return None
            draft = Draft(table, Click.of_the_clock(now))
            draft.after.nudged = draft.match.decision
            return await self._commit(draft)

    @staticmethod
    def _do(draft: Draft, what: Due) -> None:
        after = draft.after
        if what is Due.CLOSE_LOBBY:
            after.ended = "expired"
        elif what is Due.END_IDLE:
            after.ended = "idle"
        elif what is Due.RESUME:
            after.paused_at = None
            after.clock_at = after.began_at = after.acted_at = draft.click.now
        elif what is Due.DEAL:
            draft.do(draft.match.game.seated()[0], DEAL, auto=True)
        elif what is Due.TIME_OUT:
            draft.do(draft.match.turn, TIME_OUT, auto=True)
        elif what is Due.CATCH:
            _catch(draft)
        else:
            seat = jumper(draft.before) if what is Due.JUMP_IN else draft.match.turn
            assert seat is not None
            _answer(draft, seat)


def _catch(draft: Draft) -> None:
    """Let the first computer player catch that wants to."""
    seat = catcher(draft.before)
    assert seat is not None
    draft.do(seat, Catch(draft.match.game.owed), auto=True)


def _answer(draft: Draft, seat: int) -> None:
    """Let the computer answer for a seat, and in the same move say its UNO, unless it forgets."""
    match = draft.match
    mind = player(draft.before, seat, str(match.decision))
    draft.do(seat, mind.answer(seat_view(match, seat)), auto=True)
    if match.game.owed == seat and mind.says_uno(seat_view(match, seat)):
        draft.do(seat, SAY_UNO, auto=True)
