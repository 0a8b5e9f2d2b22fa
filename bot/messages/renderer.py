"""What to show of a table: a state in, a finished view out. The only place where states meet `ui`."""

from __future__ import annotations

from dataclasses import replace

import discord

from bot.model.agenda import Pace, shown_since, shown_until
from bot.model.results import is_recorded
from bot.model.state import State
from bot.tables import Change
from bot.ui.kit.commands import Commands
from bot.ui.kit.emoji import Emojis
from bot.ui.kit.scene import Computer, Hindrance, Scene, Vote
from bot.ui.screens import computers, hand, lobby, summary, table
from bot.ui.screens.asides import Log, Step
from bot.ui.text import items, replies
from bot.ui.text.translation import Text, text_for
from engine.awaiting import Awaiting
from engine.views import seat_view, table_view


class Renderer:
    """Renders views with the emojis uploaded so far and the times of the clock."""

    def __init__(self, emojis: Emojis, pace: Pace, commands: Commands | None = None) -> None:
        self.emojis = emojis
        self._commands = commands or Commands()
        self._pace = pace
        self._hindrances: dict[int, Hindrance] = {}
        #: The people who want their cards in words; kept up to date by whoever loads and saves that.
        self.in_words: set[int] = set()

    def hinder(self, table_id: int, hindrance: Hindrance | None) -> None:
        """Remember why a table cannot be kept up to date, for its hands to say; None if it can."""
        if hindrance is None:
            self._hindrances.pop(table_id, None)
        else:
            self._hindrances[table_id] = hindrance

    def scene(self, table_id: int, state: State) -> Scene:
        """Return what every screen of a table needs besides the view of the game."""
        people, match = state.seated_people, state.match
        return Scene(
            table=table_id,
            names=state.seating.names,
            host=state.seating.host,
            recent=state.log.recent,
            until=shown_until(state, self._pace),
            since=shown_since(state),
            paused=state.clock.paused_at is not None,
            waiting=tuple(person.name for person in state.newcomers),
            may_join=state.another_hand and state.has_room(),
            votes=tuple(
                Vote(seat, len(voters), state.votes_needed(seat))
                for seat, voters in sorted(state.removals.votes.items())
                if voters and seat in people
            ),
            woken=state.seating.woken,
            calls_uno=state.options.calls_uno,
            removed=state.removals.seats,
            heirs=state.seating.heirs,
            another_hand=state.another_hand,
            computers=computers_of(state),
            successors=tuple(
                (seat, person.name) for seat, person in sorted(state.seating.successors.items())
            ),
            offers=tuple((seat, person.name) for seat, person in sorted(state.seating.offers.items())),
            recorded=is_recorded(state),
            hindrance=self._hindrances.get(table_id),
            learning=frozenset(
                seat
                for seat, person in enumerate(state.seating.people)
                if person.user_id in state.seating.learning
            ),
            touched=state.log.touched,
            had_turn=frozenset(
                seat
                for seat in people
                if match is not None and (match.hand_no > 1 or match.game.acted >> seat & 1)
            ),
            in_words=frozenset(seat for seat, user_id in people.items() if user_id in self.in_words),
        )

    def table_message(self, table_id: int, state: State) -> discord.ui.LayoutView:
        """Render the message everybody sees: the lobby, the table, the summary of a hand, the end."""
        return self._commands.in_view(self._table_message(table_id, state))

    def _table_message(self, table_id: int, state: State) -> discord.ui.LayoutView:
        text = text_for(state.options.locale)
        match = state.match
        if match is not None and match.winners is not None:
            return summary.match_summary(text, self.emojis, self.scene(table_id, state), table_view(match))
        if state.ended is not None:
            if match is None or not is_recorded(state):
                return lobby.closed_screen(text, self._closed(text, state))
            scene = self.scene(table_id, state)
            return summary.broken_off(text, self.emojis, scene, table_view(match), self._closed(text, state))
        if match is None:
            return lobby.lobby_screen(text, self.emojis, waiting(table_id, state))
        scene = self.scene(table_id, state)
        if match.awaiting is Awaiting.DEAL:
            return summary.hand_summary(text, self.emojis, scene, table_view(match))
        return table.table_screen(text, self.emojis, scene, table_view(match))

    def computers(self, table_id: int, state: State, text: Text) -> discord.ui.LayoutView:
        """Render the list of computer players that the host of a lobby sees."""
        return computers.computers_panel(
            text, table_id, state.seating.names, computers_of(state), state.options.seats
        )

    def opening(self, change: Change) -> discord.ui.LayoutView | None:
        """Render the table with a Wild Item Box just laid, before the card it turns over is shown.

        Returns None for any other change. It is rendered from the state before, so it cannot show that card.
        """
        box = items.opened_box(change.events)
        before, after = change.before.match, change.after.match
        if box is None or before is None or after is None:
            return None
        scene = self.scene(change.table.id, change.before)
        scene = replace(scene, recent=(*scene.recent, box), until=None, opens=box.seat)
        view = table_view(before)
        cards = tuple(count - (seat == box.seat) for seat, count in enumerate(view.cards))
        # Its buttons are those of the table that follows.
        view = view.but(
            decision=after.decision,
            discard=(box.card, *view.discard),
            colour=None,
            turn=box.seat,
            cards=cards,
            owed_by=None,
        )
        return table.table_screen(text_for(change.before.options.locale), self.emojis, scene, view)

    def _closed(self, text: Text, state: State) -> str:
        """Return how a table came to its end."""
        assert state.ended is not None
        match = state.match
        hands = None if match is None else match.hand_no - (match.game.end is None)
        return replies.closed(text, state.ended, idle=self._pace.idle, by=state.ended_by, hands=hands)

    def hand(
        self,
        table_id: int,
        state: State,
        seat: int,
        text: Text,
        *,
        step: Step | Log = Step.MAIN,
        uno: bool = False,
        note: str | None = None,
    ) -> discord.ui.LayoutView:
        """Render the hand of one seat."""
        assert state.match is not None
        if state.ended is not None and state.match.winners is None:
            return lobby.closed_screen(text, self._closed(text, state))
        view = seat_view(state.match, seat)
        scene = self.scene(table_id, state)
        return self._commands.in_view(
            hand.hand_screen(text, self.emojis, scene, view, step=step, uno=uno, note=note)
        )


def waiting(table_id: int, state: State) -> lobby.Lobby:
    """Return what the screens of a lobby show."""
    here = {person.user_id for person in state.seating.people}
    invited = tuple(person.name for person in state.seating.invited if person.user_id not in here)
    only = state.options.invite_only
    absent = tuple(person.name for person in state.seating.absent)
    return lobby.Lobby(
        table_id,
        state.seating.names,
        state.seating.host,
        state.options,
        invited if only else (),
        computers_of(state),
        absent,
    )


def computers_of(state: State) -> tuple[Computer, ...]:
    """List the computer players at a table."""
    people = ((seat, state.seating.people[seat]) for seat in state.seated_computers)
    return tuple(Computer(seat, person.name, person.cpu or "") for seat, person in people)
