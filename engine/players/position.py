"""A position as one seat knows it: its cards, how many the others hold, and those it has not seen."""

from __future__ import annotations

from typing import Final

from engine.cards import DECK, FACES, ITEM_BOX, NO_COLOUR, RANK, WILD, WILD_FOUR
from engine.views import SeatView

#: The rank of a top card that cannot be foreseen.
NO_RANK: Final = -1

_IN_DECK: Final = tuple(DECK.count(face) for face in range(FACES))


class Unseen:
    """The cards a seat has not seen: the deck without its own hand and the discard pile, counted."""

    __slots__ = ("colours", "faces", "number", "ranks", "wilds")

    def __init__(self, view: SeatView) -> None:
        faces = list(_IN_DECK)
        for card in view.hand + view.discard:
            faces[card] -= 1
        self.faces = faces
        self.number = max(sum(faces), 1)
        self.colours = [sum(faces[13 * colour : 13 * colour + 13]) for colour in range(4)]
        self.ranks = [sum(faces[rank:WILD_FOUR:13]) for rank in range(WILD)]
        self.wilds = faces[WILD_FOUR] + faces[ITEM_BOX]

    def matching(self, colour: int, rank: int) -> float:
        """Return the share of the unseen cards that match a colour and a rank, wilds included."""
        number = self.wilds + self.colours[colour]
        if 0 <= rank < WILD:
            number += self.ranks[rank] - self.faces[13 * colour + rank]
        return number / self.number


class Position:
    """Whose turn it is on what, and who holds how many cards, as `seat` knows it.

    `hand` are those of its own cards that it knows; `unknown` counts the others. `cards` counts the cards of
    each seat.
    """

    __slots__ = ("cards", "colour", "direction", "hand", "left", "rank", "seat", "turn", "unknown", "unseen")

    def __init__(self, view: SeatView) -> None:
        self.seat = view.seat
        self.unseen = Unseen(view)
        self.left = [info.left for info in view.seats]
        self.cards = [info.cards for info in view.seats]
        self.hand = list(view.hand)
        self.unknown = 0
        self.turn = view.seat if view.turn is None else view.turn
        self.direction = view.direction
        self.colour = NO_COLOUR if view.colour is None else view.colour
        self.rank = RANK[view.top]

    def copy(self) -> Position:
        """Copy the position; what never changes in it is shared."""
        copy: Position = Position.__new__(Position)
        copy.seat = self.seat
        copy.unseen = self.unseen
        copy.left = self.left
        copy.cards = self.cards[:]
        copy.hand = self.hand[:]
        copy.unknown = self.unknown
        copy.turn = self.turn
        copy.direction = self.direction
        copy.colour = self.colour
        copy.rank = self.rank
        return copy

    def order(self) -> list[int]:
        """Return the players in turn order, beginning with the one whose turn it is."""
        seats = len(self.left)
        order = [(self.turn + step * self.direction) % seats for step in range(seats)]
        return [seat for seat in order if not self.left[seat]]

    def after(self, seat: int) -> int:
        """Return the next player in the direction of play."""
        return self._beside(seat, self.direction)

    def before(self, seat: int) -> int:
        """Return the player before, by seat in the direction of play."""
        return self._beside(seat, -self.direction)

    def _beside(self, seat: int, step: int) -> int:
        seats = len(self.left)
        seat = (seat + step) % seats
        while self.left[seat]:
            seat = (seat + step) % seats
        return seat

    def pass_on(self) -> None:
        """Pass the turn on to the next player."""
        self.turn = self.after(self.turn)

    def take(self, seat: int, number: int) -> None:
        """Draw unknown cards for a seat."""
        self.cards[seat] += number
        if seat == self.seat:
            self.unknown += number

    def swap(self, other: int) -> None:
        """Swap the own hand for that of another seat."""
        cards = self.cards
        cards[self.seat], cards[other] = cards[other], cards[self.seat]
        self._forget_hand()

    def pass_hands_on(self) -> None:
        """Move all hands on one seat in the direction of play."""
        before = self.cards[:]
        for seat in self.order():
            self.cards[self.after(seat)] = before[seat]
        self._forget_hand()

    def _forget_hand(self) -> None:
        self.hand = []
        self.unknown = self.cards[self.seat]
