"""One hand: its state, the decision awaited, and what may be answered to it.

What an action does is in `apply` and the modules below it. They change a hand through what is here: the
piles, the seats, and the few ways a hand can wait for somebody. Knows seats 0 to n - 1 and no users, channels
or clocks. Piles are lists whose last card is the top.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from engine.actions import (
    ACCEPT,
    CHALLENGE,
    CHOOSE_TARGET,
    DRAW,
    KEEP,
    NAME_COLOUR,
    PLAYS,
    WILD_FOUR_PLAYS,
    Action,
)
from engine.awaiting import CHALLENGED, COLOUR_OWED, DRAWN, NO_SEAT, OVER, TARGET, TURN, Awaiting, WildFour
from engine.cards import DECK, ITEM_BOX, NO_CARD, NO_COLOUR, WILD_FOUR
from engine.chance import shuffle
from engine.events import (
    AutopilotSet,
    CardsDrawn,
    End,
    Event,
    HandEnded,
    HandShown,
    PileShuffled,
    Why,
)
from engine.rules import TIME_OUTS_TO_AUTOPILOT, RuleSet, is_bluff, matching, worth


class Game:
    """One hand in play."""

    __slots__ = (
        "acted",  # a bit per seat: has taken a turn action in this hand
        "actions",  # turn actions so far
        "awaiting",
        "called",  # the seat that said UNO at two cards in its turn, else NO_SEAT
        "colour",  # to match; NO_COLOUR while one is owed
        "dealer",
        "decision",  # running number of the decision awaited; depends on nothing hidden
        "deck",  # all cards of this hand, for the invariants; shared by clones
        "direction",  # 1 clockwise, -1
        "discard",
        "draw",
        "drawn",  # the playable card just drawn, else NO_CARD
        "due",  # cards that wait to be drawn or answered: a stack, a Wild Draw Four
        "end",  # how the hand ended, None before
        "hands",
        "opening",  # whether the colour owed is that of the first card flipped
        "out",  # per seat: has left
        "owed",  # the seat that may be caught now, else NO_SEAT
        "passes",  # turns in a row in which nothing could be drawn
        "points",  # scored by the winner
        "remaining",  # per seat: the cards left when the hand ended, sorted; empty before
        "rules",
        "said",  # per seat: holds one card and has said UNO
        "seed",  # text of the hand's seed
        "shown",  # the hand shown by a challenge, until that turn ends
        "shuffles",  # how many shuffles this hand has had, the deal included
        "streak",  # per seat: time-outs in a row
        "swap",  # whether the target owed is one to swap hands with
        "turn",  # the seat waited for, NO_SEAT once the hand is over
        "wild_four",  # what a challenge is judged by, None if there is nothing to challenge
        "winner",
    )

    def __init__(
        self, rules: RuleSet, seed: str, dealer: int, out: Sequence[bool], streak: Sequence[int]
    ) -> None:
        """Make an empty table, which `dealing` or the notation fills."""
        seats = len(out)
        self.rules = rules
        self.seed = seed
        self.dealer = dealer
        self.out = list(out)
        self.streak = list(streak)
        self.shuffles = 1
        self.deck: tuple[int, ...] = DECK
        self.direction = 1
        self.hands: list[list[int]] = [[] for _ in range(seats)]
        self.draw: list[int] = []
        self.discard: list[int] = []
        self.colour = NO_COLOUR
        self.awaiting: Awaiting = TURN
        self.turn = self.after(dealer)
        self.drawn = NO_CARD
        self.due = 0
        self.wild_four: WildFour | None = None
        self.swap = False
        self.opening = False
        self.said = [False] * seats
        self.called = NO_SEAT
        self.owed = NO_SEAT
        self.shown: HandShown | None = None
        self.passes = 0
        self.actions = 0
        self.acted = 0
        self.decision = 0
        self.winner = NO_SEAT
        self.points = 0
        self.remaining: tuple[tuple[int, ...], ...] = ()
        self.end: End | None = None

    def clone(self) -> Game:
        """Copy the hand so that neither copy can change the other."""
        copy: Game = Game.__new__(Game)
        for name in Game.__slots__:
            setattr(copy, name, getattr(self, name))
        copy.out = self.out[:]
        copy.streak = self.streak[:]
        copy.hands = [hand[:] for hand in self.hands]
        copy.draw = self.draw[:]
        copy.discard = self.discard[:]
        copy.said = self.said[:]
        return copy

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Game) and all(
            getattr(self, name) == getattr(other, name) for name in Game.__slots__
        )

    __hash__ = None  # type: ignore[assignment]  # a hand changes, so it is no key

    # --- the piles

    def shuffle_draw_pile(self) -> None:
        """Shuffle the draw pile by the next of the hand's shuffles."""
        self.draw.reverse()
        shuffle(self.draw, self.seed, self.shuffles)
        self.draw.reverse()
        self.shuffles += 1

    def next_card(self, events: list[Event]) -> int:
        """Take the top card of the draw pile, or `NO_CARD`; refill the pile first if it is empty."""
        if not self.draw:
            if len(self.discard) < 2:
                return NO_CARD
            self.draw = self.discard[:-1]
            self.discard = self.discard[-1:]
            self.shuffle_draw_pile()
            events.append(PileShuffled(len(self.draw)))
        return self.draw.pop()

    def take(self, seat: int, count: int, why: Why, events: list[Event]) -> None:
        """Draw that many cards for a seat, or as many as there are."""
        cards: list[int] = []
        while len(cards) < count and (card := self.next_card(events)) != NO_CARD:
            cards.append(card)
        self.hands[seat].extend(cards)
        if cards:
            self.unsay(seat)
        events.append(CardsDrawn(seat, len(cards), why, tuple(cards)))

    def bury(self, seat: int) -> None:
        """Put a leaver's cards, shuffled, at the bottom of the draw pile."""
        cards = sorted(self.hands[seat])
        if cards:
            shuffle(cards, self.seed, self.shuffles)
            self.shuffles += 1
            self.draw[:0] = cards[::-1]
            self.hands[seat] = []

    # --- the seats

    def after(self, seat: int) -> int:
        """Return the next player in the direction of play."""
        out = self.out
        seat = (seat + self.direction) % len(out)
        while out[seat]:
            seat = (seat + self.direction) % len(out)
        return seat

    def before(self, seat: int) -> int:
        """Return the player before, by seat in the direction of play."""
        seat = (seat - self.direction) % len(self.out)
        while self.out[seat]:
            seat = (seat - self.direction) % len(self.out)
        return seat

    def others(self, seat: int) -> list[int]:
        """Return the other players in turn order, beginning after this seat."""
        seats = len(self.out)
        order = [(seat + step * self.direction) % seats for step in range(1, seats)]
        return [other for other in order if not self.out[other]]

    def seated(self) -> list[int]:
        """Return the seats still in the match."""
        return [seat for seat, out in enumerate(self.out) if not out]

    def waits_for_a_deal(self, seat: int) -> bool:
        """Whether a seat was added after this hand ended, and so was not dealt in."""
        return (
            bool(self.remaining) and seat != self.winner and not self.remaining[seat] and not self.out[seat]
        )

    def on_autopilot(self, seat: int) -> bool:
        """Whether a seat has timed out twice in a row and not acted since (docs/rules.md, Autopilot)."""
        return self.streak[seat] >= TIME_OUTS_TO_AUTOPILOT and not self.out[seat]

    def unsay(self, seat: int) -> None:
        """Void the UNO that a seat owes or has said, because its hand has changed."""
        self.said[seat] = False
        if self.owed == seat:
            self.owed = NO_SEAT
        if self.called == seat:
            self.called = NO_SEAT

    # --- whom the hand waits for

    def begin_turn(self, seat: int) -> None:
        """Begin the turn of a seat."""
        self.turn = seat
        self.awaiting = TURN
        self.drawn = NO_CARD
        self.called = NO_SEAT
        self.shown = None

    def await_colour(self, seat: int) -> None:
        """Wait for a seat to name the colour."""
        self.turn = seat
        self.awaiting = COLOUR_OWED
        self.colour = NO_COLOUR

    def await_target(self, seat: int, *, swap: bool) -> None:
        """Wait for a seat to choose an opponent, to swap hands with or to aim a Green Shell at."""
        self.turn = seat
        self.awaiting = TARGET
        self.swap = swap

    def finish(self, end: End, events: list[Event]) -> None:
        """End the hand; if it was won, score the cards left in the other hands (docs/rules.md, Points)."""
        self.end = end
        if end is End.WON:
            self.points = worth(
                card for seat, hand in enumerate(self.hands) if seat != self.winner for card in hand
            )
        self.remaining = tuple(tuple(sorted(hand)) for hand in self.hands)
        self.awaiting = OVER
        self.turn = self.called = self.owed = NO_SEAT
        self.said = [False] * len(self.said)
        self.drawn = NO_CARD
        self.due = 0
        self.wild_four = None
        self.shown = None
        events.append(HandEnded(end, None if self.winner == NO_SEAT else self.winner, self.points))

    # --- what may be done

    def fitting(self) -> frozenset[int]:
        """Return the faces that match now (see `rules.matching`)."""
        return matching(self.discard[-1], self.colour, self.due)

    def is_playable(self, hand: Iterable[int], card: int) -> bool:
        """Whether the seat waited for could play this card of its hand now."""
        return card in self.fitting() and not (
            card == WILD_FOUR and self.rules.no_bluff and is_bluff(hand, self.colour)
        )

    def must_play(self, hand: Sequence[int], cards: Iterable[int]) -> bool:
        """Whether one of these cards of the hand must be played (docs/rules.md, force_play)."""
        if not self.rules.force_play or self.due:
            return False
        playable = self.fitting().intersection(cards)
        return bool(playable - {WILD_FOUR}) or (WILD_FOUR in playable and not is_bluff(hand, self.colour))

    def may_jump_in(self, seat: int, card: int) -> bool:
        """Whether a seat may play this card out of turn (docs/rules.md, jump_in)."""
        return (
            self.rules.jump_in
            and self.awaiting is TURN
            and not self.due
            and seat != self.turn
            and card == self.discard[-1]
            and card < WILD_FOUR
            and card in self.hands[seat]
        )

    def may_say_uno(self, seat: int) -> bool:
        """Whether a seat owes its UNO, or holds two cards while a play of its own is awaited."""
        if self.owed == seat:
            return self.awaiting is not OVER
        if seat != self.turn or self.called == seat or len(self.hands[seat]) != 2:
            return False
        return (
            self.awaiting is TURN
            or self.awaiting is DRAWN
            or (self.awaiting is CHALLENGED and self.rules.stack)
        )

    def legal_actions(self, seat: int | None = None) -> list[Action]:
        """Return the answers a seat may give to the decision awaited, each once, plays first and by card.

        By default those of the seat waited for; another has at most its jump-in. UNO, catching, leaving and
        time-outs are not answers.
        """
        if seat is not None and seat != self.turn:
            top = self.discard[-1]
            return [PLAYS[top]] if not self.out[seat] and self.may_jump_in(seat, top) else []
        awaiting = self.awaiting
        if awaiting is TURN:
            hand = self.hands[self.turn]
            return self._plays(hand, hand, DRAW)
        if awaiting is DRAWN:
            return self._plays(self.hands[self.turn], (self.drawn,), KEEP)
        if awaiting is COLOUR_OWED:
            return list(NAME_COLOUR)
        if awaiting is TARGET:
            return [CHOOSE_TARGET[other] for other in self.others(self.turn)]
        if awaiting is CHALLENGED:
            return self._challenge_answers()
        return []

    def _plays(self, hand: Sequence[int], cards: Iterable[int], otherwise: Action) -> list[Action]:
        """Return the plays of these cards of the hand, and what may be done instead."""
        playable = matching(self.discard[-1], self.colour, self.due).intersection(cards)
        actions: list[Action] = [PLAYS[card] for card in sorted(playable)]
        if WILD_FOUR in playable:
            # Only a Wild Item Box sorts after it.
            at = len(actions) - (2 if ITEM_BOX in playable else 1)
            actions[at : at + 1] = WILD_FOUR_PLAYS if self.is_playable(hand, WILD_FOUR) else ()
        if not (self.rules.force_play and self.must_play(hand, cards)):
            actions.append(otherwise)
        return actions

    def _challenge_answers(self) -> list[Action]:
        hand = self.hands[self.turn]
        actions: list[Action] = [ACCEPT]
        if not self.rules.no_bluff:
            actions.append(CHALLENGE)
        if self.rules.stack and WILD_FOUR in hand and self.is_playable(hand, WILD_FOUR):
            actions.extend(WILD_FOUR_PLAYS)
        return actions

    # --- what an action leaves behind

    def wake(self, seat: int, events: list[Event]) -> None:
        """End a row of time-outs, because the player acted."""
        if self.on_autopilot(seat):
            events.append(AutopilotSet(seat, on=False))
        self.streak[seat] = 0

    def count_action(self, seat: int) -> None:
        """Count a turn action (play, draw, accept, challenge); UNO is no longer owed for an earlier play."""
        self.actions += 1
        self.decision += 1
        self.owed = NO_SEAT
        self.acted |= 1 << seat
