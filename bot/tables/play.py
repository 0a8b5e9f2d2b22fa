"""The moves: every action of the game that a person takes, and catching."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from bot.model.errors import Problem, UserError
from bot.model.seating import Person
from bot.tables.core import Core
from bot.tables.draft import Change, Click, Draft, Table
from engine import actions as act
from engine.awaiting import NO_SEAT, Awaiting
from engine.errors import IllegalAction, Reason


class Play(Core):
    """What can be done in a match."""

    async def act(
        self,
        table: Table,
        click: Click,
        actions: Sequence[act.Action],
        number: int | None = None,
        *,
        uno: bool = False,
    ) -> Change:
        """Carry out one or more actions of one click, all or none.

        `number` is the decision the click was made for; another one awaited now raises UserError. `uno` says
        UNO first, unless it has been said. Raises IllegalAction where the rules refuse.
        """
        async with self._changing(table, click) as draft:
            state, seat, match = draft.before, draft.seat(), draft.match
            if number is not None and number != match.decision:
                raise UserError(Problem.OLD_HAND)
            if state.options.calls_uno:
                if act.SAY_UNO in actions:
                    raise UserError(Problem.UNO_IS_CALLED)
                uno = False
            if any(
                type(action) is act.ChooseTarget and action.seat >= len(match.scores) for action in actions
            ):
                # A seat that a forged click invents is nobody's.
                raise UserError(Problem.OLD_HAND)
            if uno and isinstance(actions[0], act.Play) and match.game.may_say_uno(seat):
                actions = (act.SAY_UNO, *actions)
            self._know_again(draft, seat)
            for action in actions:
                draft.do(seat, action)
        return draft.change

    async def catch(self, table: Table, click: Click) -> Change:
        """Catch whoever owes a UNO (docs/rules.md, Catching)."""
        async with self._changing(table, click) as draft:
            state, seat, match = draft.before, draft.seat(), draft.match
            if match.awaiting in (Awaiting.DEAL, Awaiting.OVER):
                raise IllegalAction(Reason.NOT_NOW)
            if state.options.calls_uno:
                raise UserError(Problem.UNO_IS_CALLED)
            owing = match.game.owed
            if owing == seat:
                raise UserError(Problem.CATCH_YOURSELF)
            if owing != NO_SEAT:
                if (
                    state.clock.played_at is not None
                    and click.now - state.clock.played_at < self._catch_grace
                ):
                    raise UserError(Problem.TOO_EARLY, time=self._catch_grace)
                draft.do(seat, act.Catch(owing))
            elif seat in state.log.failed:
                raise UserError(Problem.CATCH_SPENT)
            else:
                draft.after.log.failed |= {seat}
        if not draft.change.events and draft.change.after is not draft.change.before:
            raise UserError(Problem.NOBODY_TO_CATCH)
        return draft.change

    async def wake(self, table: Table, click: Click) -> bool:
        """Note that somebody on autopilot is back: no computer plays for them, and their full time runs.

        Returns whether they were away; does nothing where it need not.
        """
        if table.unsettled is not None or not self._sleeps(table, click):
            return False
        # Not this click's move: that is still to come.
        async with self._changing(table, replace(click, interaction_id=None)) as draft:
            if not self._sleeps(table, click):
                draft.drop()
                return False
            seat = draft.seat()
            draft.after.seating.woken |= {seat}
            if draft.match.turn == seat:
                draft.after.clock.full_at = click.now
        return True

    @staticmethod
    def _sleeps(table: Table, click: Click) -> bool:
        state = table.state
        seat = None if click.user_id is None or not state.playing else state.seat_of(click.user_id)
        return seat is not None and state.computer_plays(seat)

    @staticmethod
    def _know_again(draft: Draft, seat: int) -> None:
        """Keep the name somebody goes by now."""
        click = draft.click
        assert click.user_id is not None
        draft.after.seating.people[seat] = Person(click.user_id, click.name)
