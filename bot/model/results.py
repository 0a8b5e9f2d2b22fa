"""What is kept of a finished hand and a finished match: docs/rules.md, Forfeits; What counts.

Pure: a table's state in, the store's records out.
"""

from __future__ import annotations

from dataclasses import dataclass

from bot.model.ending import Ending
from bot.model.state import State
from bot.store.records import FinishedHand, FinishedMatch, HandScore, MatchStanding
from engine.awaiting import NO_SEAT
from engine.cards import CARD_OF_CODE, CODE
from engine.events import End


@dataclass(frozen=True, slots=True)
class KeptHand:
    """A finished hand as the screens want it: by seat, in the engine's own terms."""

    hand_no: int
    end: End
    hand_winner: int | None
    points: int
    remaining: tuple[tuple[int, ...], ...]

    @classmethod
    def of(cls, hand: FinishedHand, seats: int) -> KeptHand:
        """Read it from what the store kept; who has no score held nothing."""
        cards = {score.seat: tuple(CARD_OF_CODE[code] for code in score.cards) for score in hand.scores}
        winner = next((score.seat for score in hand.scores if score.won), None)
        remaining = tuple(cards.get(seat, ()) for seat in range(seats))
        return cls(hand.hand_no, End(hand.end), winner, hand.points, remaining)


def is_recorded(state: State) -> bool:
    """Whether what happened at a table is kept (docs/rules.md, What counts).

    It is once a hand is finished, or somebody has won by forfeit after every player had had a turn.
    """
    match = state.match
    if match is None:
        return False
    if match.hand_no > 1 or match.game.end in (End.WON, End.BLOCKED):
        return True
    return match.winners is not None and all([*state.seating.gone.values()][-1:])


def finished_hand(state: State) -> FinishedHand | None:
    """Describe the hand that has just ended and count it for the standings (docs/rules.md, What counts).

    Everybody dealt in has a score, those who left as a loss once every player had had a turn. A hand broken
    off because one player was left is a loss for those who left, and nothing for the one who stayed. Computer
    players are not ranked, nor is somebody alone against them, nor a hand won by one who removed a player
    in it. None where nothing of the match is recorded.
    """
    match, head = state.match, state.log.head
    assert match is not None
    assert head is not None
    game = match.game
    assert game.end is not None
    winner = None if game.winner == NO_SEAT else game.winner
    if winner is not None:
        won = list(state.hands_won)
        won[winner] += 1
        state.hands_won = tuple(won)
    if not is_recorded(state):
        return None
    dealt_in = [seat for seat in range(len(state.seating.people)) if f"s{seat}" in head["players"]]
    # Leaving later does not undo a win: its winner may go while aiming the last Green Shell.
    counted = [seat for seat in dealt_in if seat == winner or state.seating.gone.get(seat, True)]
    among_people = sum(state.seating.people[seat].user_id is not None for seat in counted) > 1
    earned = winner is None or state.seating.people[winner].user_id not in state.removals.hand_removers
    if game.end is End.ABANDONED:
        counted = [seat for seat in counted if seat in state.seating.gone]
    return FinishedHand(
        hand_no=match.hand_no,
        end=game.end.value,
        winner_user_id=None if winner is None else state.seating.people[winner].user_id,
        points=game.points,
        scenario=head,
        scores=tuple(
            HandScore(
                user_id=state.seating.people[seat].user_id,
                seat=seat,
                points=game.points if seat == winner else 0,
                cards=tuple(CODE[card] for card in sorted(game.hands[seat])),
                won=seat == winner,
                ranked=among_people and earned and state.seating.people[seat].user_id is not None,
            )
            for seat in counted
        ),
    )


def finished_match(state: State) -> FinishedMatch | None:
    """Describe the match of a table that has ended; None where it is recorded nowhere.

    It is ranked for people who won, lost or forfeited it, unless one person played it alone, or it was won by
    somebody who removed a player in it (docs/rules.md, What counts; Removing somebody).
    """
    match = state.match
    if match is None or not is_recorded(state):
        return None
    winners = match.winners or ()

    def outcome(seat: int) -> str:
        if seat in winners:
            return "won"
        if seat in state.seating.gone:
            return "forfeit" if state.seating.gone[seat] else "left"
        return "lost" if match.winners is not None else "none"

    people = state.seating.people
    outcomes = [outcome(seat) for seat in range(len(match.scores))]
    counted = [
        seat for seat, how in enumerate(outcomes) if people[seat].user_id is not None and how != "left"
    ]
    earned = not any(people[seat].user_id in state.removals.removers for seat in winners)
    ranked = {seat for seat in counted if len(counted) > 1 and earned and outcomes[seat] != "none"}
    return FinishedMatch(
        ended=state.ended or Ending.WON,
        options=state.options.written(),
        host_user_id=people[state.seating.host].user_id,
        ranked=len(counted) > 1 and earned,
        standings=tuple(
            MatchStanding(
                user_id=person.user_id,
                seat=seat,
                points=match.scores[seat],
                hands_won=state.hands_won[seat],
                outcome=outcomes[seat],
                removed=seat in state.removals.seats,
                ranked=seat in ranked,
            )
            for seat, person in enumerate(people[: len(match.scores)])
        ),
    )
