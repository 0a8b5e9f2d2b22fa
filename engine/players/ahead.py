"""What each answer of a decision may lead to, as the seat that gives it can foresee.

An outlook is a list of positions with the likelihood of each. The answers of others are guessed only where
they matter at once: a challenge, an answer to a stack. Knows every house rule and every item.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from engine.actions import Action, Challenge, ChooseTarget, Draw, NameColour, Play
from engine.cards import (
    COLOUR,
    DRAW_TWO,
    FACES,
    ITEM,
    ITEM_BOX,
    RANK,
    REVERSE,
    SEVEN,
    SKIP,
    WILD,
    WILD_FOUR,
    ZERO,
    Item,
)
from engine.players.position import NO_RANK, Position
from engine.players.race import chances
from engine.rules import is_bluff, most_held_colour
from engine.views import SeatView

Outlook = list[tuple[float, Position]]

#: How often a player who could bluff does, against how often a player plays a legal Wild Draw Four.
_BLUFFS: Final = 0.02
#: A Wild Draw Four from so many cards is suspicious; how often it is challenged then, and otherwise.
_SUSPICIOUS: Final = 7
_CHALLENGED: Final = 0.9
_CHALLENGED_ELSE: Final = 0.1


def outlook(view: SeatView, now: Position, answer: Action) -> Outlook:
    """Return what an answer of the seat may lead to, with likelihoods that add up to 1."""
    kind = type(answer)
    if kind is Play:
        assert isinstance(answer, Play)
        return _after_play(view, now.copy(), answer)
    if kind is Draw and not view.due:
        return _after_draw(view, now)
    if kind is Challenge:
        return _after_challenge(view, now)
    then = now.copy()
    if isinstance(answer, NameColour):
        then.colour = answer.colour
        if _is_opening(view):
            return [(1.0, then)]
    elif isinstance(answer, ChooseTarget):
        if view.swap:
            then.swap(answer.seat)
        else:
            then.take(answer.seat, 1)
    else:
        # Accept, keep, or draw the total of a stack.
        then.take(then.seat, view.due)
    then.pass_on()
    return [(1.0, then)]


def _is_opening(view: SeatView) -> bool:
    """Whether the colour owed is that of the first card; a Bob-omb lies on the box that flipped it."""
    return view.discard[1:2] != (ITEM_BOX,)


def _after_draw(view: SeatView, now: Position) -> Outlook:
    """Draw for the turn; a card that matches is played at once, and leaves a rank that cannot be foreseen."""
    chance = now.unseen.matching(now.colour, now.rank)
    played = now.copy()
    played.rank = NO_RANK
    if view.rules.draw_until_playable and chance:
        played.take(played.seat, round(1 / chance) - 1)
        chance = 1.0
    played.pass_on()
    kept = now.copy()
    kept.take(kept.seat, 1)
    kept.pass_on()
    return [(chance, played), (1 - chance, kept)]


def _after_challenge(view: SeatView, now: Position) -> Outlook:
    assert view.wild_four_by is not None
    assert view.wild_four_on is not None
    unseen = now.unseen
    share = (unseen.colours[view.wild_four_on] + unseen.faces[ITEM_BOX]) / unseen.number
    without = (1 - share) ** now.cards[view.wild_four_by]
    bluff = _BLUFFS * (1 - without)
    upheld = bluff / (bluff + without) if bluff else 0.0
    won = now.copy()
    won.take(view.wild_four_by, view.due)
    lost = now.copy()
    lost.take(lost.seat, view.due + 2)
    lost.pass_on()
    return [(upheld, won), (1 - upheld, lost)]


# --- a card


def _after_play(view: SeatView, then: Position, play: Play) -> Outlook:
    """Play a card, in turn or out of it, from the position `then`."""
    card, me = play.card, then.seat
    rank = RANK[card]
    then.turn = me
    then.hand.remove(card)
    then.cards[me] -= 1
    if not then.cards[me]:
        return [(1.0, then)]
    if card == ITEM_BOX:
        return _after_box(then)
    below = then.colour
    then.rank = rank
    if play.colour is not None:
        then.colour = play.colour
        return _after_wild_four(view, then, below)
    then.colour = COLOUR[card]
    if rank == DRAW_TWO:
        return _after_penalty(view, then, 2, then.unseen.ranks[DRAW_TWO])
    if rank == SKIP:
        then.pass_on()
    elif rank == REVERSE:
        then.direction = -then.direction
        if len(then.order()) == 2:
            then.pass_on()
    elif view.rules.seven_zero and rank == SEVEN:
        then = max(_swaps(then), key=lambda swapped: chances(swapped)[me])
    elif view.rules.seven_zero and rank == ZERO:
        then.pass_hands_on()
    then.pass_on()
    return [(1.0, then)]


def _swaps(then: Position) -> list[Position]:
    swaps = []
    for seat in then.order()[1:]:
        swapped = then.copy()
        swapped.swap(seat)
        swaps.append(swapped)
    return swaps


def _after_wild_four(view: SeatView, then: Position, below: int) -> Outlook:
    """Make the next player draw four or challenge."""
    outcomes = _after_penalty(view, then.copy(), 4, then.unseen.faces[WILD_FOUR])
    if view.rules.no_bluff:
        return outcomes
    challenged = _CHALLENGED if then.cards[then.seat] >= _SUSPICIOUS else _CHALLENGED_ELSE
    then.pass_on()
    if is_bluff(then.hand, below):
        then.take(then.seat, view.due + 4)
    else:
        then.take(then.turn, view.due + 6)
        then.pass_on()
    return [(share * (1 - challenged), other) for share, other in outcomes] + [(challenged, then)]


def _after_penalty(view: SeatView, then: Position, number: int, answers: int) -> Outlook:
    """Make the next player draw; under `stack` they may hold one of the `answers` and pass the total on."""
    due = view.due + number
    answered = then.copy()
    then.pass_on()
    then.take(then.turn, due)
    then.pass_on()
    if not view.rules.stack:
        return [(1.0, then)]
    answered.pass_on()
    holder = answered.turn
    held = 1 - (1 - answers / then.unseen.number) ** answered.cards[holder]
    answered.cards[holder] -= 1
    answered.pass_on()
    answered.take(answered.turn, due + number)
    answered.pass_on()
    return [(1 - held, then), (held, answered)]


#: What a Wild Item Box can turn over: an item and a colour, and the faces that have both.
_FLIPS: Final = {
    flip: tuple(face for face in range(FACES) if (ITEM[face], COLOUR[face]) == flip)
    for flip in dict.fromkeys(zip(ITEM, COLOUR, strict=True))
}


def _after_box(then: Position) -> Outlook:
    """Flip any of the unseen cards, and let its item act."""
    unseen = then.unseen
    outcomes = []
    for (item, colour), faces in _FLIPS.items():
        flipped = then.copy()
        flipped.colour = colour
        flipped.rank = NO_RANK
        _FIRE[item](flipped)
        outcomes.append((sum(unseen.faces[face] for face in faces) / unseen.number, flipped))
    return outcomes


def _mushroom(then: Position) -> None:
    """Leave the turn where it is."""


def _banana_peel(then: Position) -> None:
    then.take(then.before(then.seat), 2)
    then.pass_on()


def _green_shell(then: Position) -> None:
    """Hit the opponent with the fewest cards."""
    then.take(min(then.order()[1:], key=lambda seat: then.cards[seat]), 1)
    then.pass_on()


def _lightning(then: Position) -> None:
    for seat in then.order()[1:]:
        then.take(seat, 1)


def _bob_omb(then: Position) -> None:
    """Draw two, then name the colour most held."""
    then.take(then.seat, 2)
    then.colour = most_held_colour(then.hand)
    then.rank = WILD
    then.pass_on()


_FIRE: Final[dict[Item, Callable[[Position], None]]] = {
    Item.MUSHROOM: _mushroom,
    Item.BANANA_PEEL: _banana_peel,
    Item.GREEN_SHELL: _green_shell,
    Item.LIGHTNING: _lightning,
    Item.BOB_OMB: _bob_omb,
}
