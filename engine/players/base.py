"""What a computer player has to decide, from what its seat may see."""

from __future__ import annotations

from typing import Protocol

from engine.actions import Action
from engine.views import SeatView


class Player(Protocol):
    """A computer player at one seat; nothing but its dice lasts from one decision to the next."""

    def answer(self, view: SeatView) -> Action:
        """Choose one of `view.answers`; the table waits for this seat."""

    def jumps_in(self, view: SeatView) -> bool:
        """Whether it plays the card that `view.answers` offers out of turn."""

    def says_uno(self, view: SeatView) -> bool:
        """Whether it says the UNO that `view.may_say_uno` offers."""

    def catches(self, view: SeatView) -> bool:
        """Whether it catches the seat that owes its UNO."""
