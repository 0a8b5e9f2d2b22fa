"""What is behind More in a hand: the log, leaving, computer players, handing over the seat.

All of it keeps its place when the turn comes, and says so. May import `discord`, views, awaiting and events
of the engine, `bot.ui.kit`, `bot.ui.text`, and the computer players' rows from `bot.ui.screens`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum
from typing import Final

import discord
from discord import ButtonStyle

from bot.ui.kit.custom_ids import CustomId, Verb
from bot.ui.kit.emoji import Emojis
from bot.ui.kit.layout import Button, Item, Row, Section, Words, button, fit, people_menu, rows, screen
from bot.ui.kit.scene import Scene
from bot.ui.screens.computers import computer_rows
from bot.ui.text.events import story
from bot.ui.text.translation import Players, Text, bold
from engine.awaiting import Awaiting
from engine.events import Event
from engine.views import SeatView

#: How many sentences a page of the log has.
_LOG_PAGE: Final = 12


class Step(Enum):
    """Which buttons the hand shows; all but MAIN replace its own until a click leads on or back."""

    MAIN = "main"
    COLOURS = "colours"
    MORE = "more"
    LEAVE = "leave"
    COMPUTERS = "computers"
    SEAT = "seat"


@dataclass(frozen=True, slots=True)
class Log:
    """A step that tells all that has happened in a hand: a page of it, the last one if none is named."""

    events: tuple[Event, ...]
    page: int | None = None


#: The steps that are not about cards: a turn that comes leaves them in place and says so.
ASIDE: Final = frozenset({Step.MORE, Step.LEAVE, Step.COMPUTERS, Step.SEAT})


@dataclass(frozen=True, slots=True)
class Asides:
    """The panels of one hand, and what its own buttons need too."""

    text: Text
    emojis: Emojis
    scene: Scene
    view: SeatView
    players: Players
    uno: bool
    note: str | None

    def custom_id(self, verb: Verb, *args: str, uno: bool | None = None) -> CustomId:
        """Return the custom_id of a button for this decision; UNO! stays as it is unless given."""
        return CustomId(self.scene.table, self.view.decision, verb, args, self.uno if uno is None else uno)

    def notes(self) -> list[str]:
        """Return the sentence about the click that led here, cut where it is too long."""
        return [fit([self.note], 400)] if self.note else []

    def back(self) -> Button:
        """Return Back, which leads to the hand's own buttons."""
        return button(self.text.gettext("Back"), self.custom_id(Verb.BACK))

    # --- panels

    def side_screen(self, step: Step | Log) -> discord.ui.LayoutView | None:
        """Return a step that is not about cards; None for any other, and for one that is not open now."""
        text = self.text
        if step is Step.MORE:
            return self.aside(text.gettext("More"), *rows(self.more_buttons()), Row(self.leave()))
        if step is Step.LEAVE:
            return self.leave_screen()
        if isinstance(step, Log):
            return self.log_screen(step)
        if step is Step.COMPUTERS and self.may_remove_computers():
            return self.computers_screen()
        if step is Step.SEAT and self.may_hand_over():
            return self.seat_screen()
        return None

    def aside(self, headline: str, *items: Item) -> discord.ui.LayoutView:
        """Return a headline with something below it that stays in its place when the turn comes."""
        return screen(Words("\n".join(["### " + headline, self.turn_line(), *self.notes()])), *items)

    def turn_line(self) -> str:
        """Return one line, never more, about whether it is this player's turn."""
        if self.view.awaiting is Awaiting.DEAL:
            return "-# " + self.text.gettext("The hand is over.")
        if self.view.my_turn:
            return "-# ▶️ " + bold(self.text.gettext("Your turn"))
        return "-# " + self.text.gettext("Not your turn yet")

    def log_screen(self, log: Log) -> discord.ui.LayoutView:
        """Return a page of all that has happened in this hand."""
        events, page = log.events, log.page
        told = story(self.text, replace(self.scene, recent=events), len(events) + 1)
        told = told or [self.text.gettext("Nothing yet.")]
        pages = [told[start : start + _LOG_PAGE] for start in range(0, len(told), _LOG_PAGE)]
        number = len(pages) - 1 if page is None else min(page, len(pages) - 1)
        older, newer = (self.custom_id(Verb.LOG, str(other)) for other in (max(number - 1, 0), number + 1))
        where = self.text.gettext("Page {number} of {pages}", number=number + 1, pages=len(pages))
        return self.aside(
            self.text.gettext("The hand so far"),
            Words(fit([f"• {line}" for line in pages[number]], 3200)),
            Words(f"-# {where}"),
            Row(
                button(self.text.gettext("Older"), older, disabled=number == 0),
                button(self.text.gettext("Newer"), newer, disabled=number == len(pages) - 1),
                self.back(),
            ),
        )

    def computers_screen(self) -> discord.ui.LayoutView:
        """Return the list of computer players with their Remove buttons."""
        listed = computer_rows(
            self.text, self.players, self.scene.computers, self.scene.table, self.view.decision
        )
        return self.aside(self.text.gettext("Computer players"), *listed, Row(self.back()))

    def seat_screen(self) -> discord.ui.LayoutView:
        """Return the menu for handing over this seat."""
        text = self.text
        lines = text.gettext("They play from the next hand on, with your points. This hand is still yours.")
        chosen = people_menu(text.gettext("Choose somebody"), self.custom_id(Verb.OFFER, "seat"))
        return self.aside(
            text.gettext("Hand over your seat: to whom?"), Words(lines), chosen, Row(self.back())
        )

    def may_remove_computers(self) -> bool:
        """Whether this player is the host of a table with computer players."""
        return self.scene.host == self.view.seat and bool(self.scene.computers)

    def may_hand_over(self) -> bool:
        """Whether this player may offer their seat: another hand may follow, and nobody has taken it."""
        return self.scene.another_hand and self.view.seat not in dict(self.scene.successors)

    def more_buttons(self) -> list[Button]:
        """Return the buttons behind More, but the way out."""
        text = self.text
        buttons = [
            button(text.gettext("Log"), self.custom_id(Verb.LOG)),
            button(text.gettext("Rules"), self.custom_id(Verb.RULES)),
            button(text.gettext("Table here"), self.custom_id(Verb.HERE)),
        ]
        if self.may_remove_computers():
            buttons.append(button(text.gettext("Computer players"), self.custom_id(Verb.COMPUTERS)))
        if self.view.seat in dict(self.scene.offers):
            buttons.append(button(text.gettext("Keep my seat"), self.custom_id(Verb.WITHDRAW)))
        elif self.may_hand_over():
            buttons.append(button(text.gettext("Hand over my seat"), self.custom_id(Verb.SEAT)))
        return [*buttons, self.back()]

    def leave(self) -> Button:
        """Return Leave, which asks first."""
        return button(self.text.gettext("Leave"), self.custom_id(Verb.LEAVE), ButtonStyle.danger)

    def leave_question(self) -> str:
        """Return the question whether to leave, with what follows from it."""
        others = {info.seat for info in self.view.seats if not info.left} - {self.view.seat}
        if others <= {computer.seat for computer in self.scene.computers}:
            return self.text.gettext("Leave this match? Nobody else plays here, so the table is closed then.")
        return self.text.gettext("Leave this match? There is no way back in, and it may count as lost.")

    def leave_screen(self) -> discord.ui.LayoutView:
        """Return the question whether to leave: yes is on the right, and staying where Leave was."""
        words = "\n".join(["### " + self.leave_question(), self.turn_line(), *self.notes()])
        yes = button(self.text.gettext("Yes, leave"), self.custom_id(Verb.LEAVE_YES), ButtonStyle.danger)
        stay = button(self.text.gettext("Keep playing"), self.custom_id(Verb.BACK))
        return screen(Section(Words(words), accessory=yes), Row(stay))
