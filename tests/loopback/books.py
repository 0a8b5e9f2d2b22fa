"""What a bot's database says of its tables, read beside it: whole, and as its log of moves tells it.

Reads the file itself and not through the bot's store, so that neither proves the other.
"""

import json
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bot.model.seating import Person
from bot.model.snapshot import restore
from bot.model.state import State
from bot.store.packing import unpack
from engine.cards import CODE, DECK
from engine.match import Match
from engine.notation import read_move, read_scenario

#: What a hand is, but for what a log does not tell: the numbers of its decisions and its time-outs before.
_BY_SEAT = ("owed", "called", "turn", "winner", "dealer")
_PLAIN = ("draw", "discard", "direction", "colour", "awaiting", "due", "drawn", "points", "end", "swap")


@dataclass(frozen=True)
class Move:
    """One line of the log; `interaction` is whose click it was, None for the clock's."""

    hand_no: int
    interaction: int | None
    seat: int
    move: list[Any]


@dataclass(frozen=True)
class Kept:
    """One table as the database has it; `state` is None once it is closed."""

    id: int
    channel_id: int
    version: int
    state: State | None
    moves: tuple[Move, ...]

    @property
    def over(self) -> bool:
        """Whether it has ended; it is closed once its end has been shown."""
        return self.state is None or self.state.ended is not None

    @property
    def match(self) -> Match:
        """The match that is on."""
        assert self.state is not None
        assert self.state.match is not None
        return self.state.match

    def by(self, interaction: int) -> list[Move]:
        """Return what an interaction did, [] for nothing."""
        return [move for move in self.moves if move.interaction == interaction]


class Books:
    """The database of one bot."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def _rows(self, question: str, *values: Any) -> list[tuple[Any, ...]]:
        with closing(sqlite3.connect(self._path)) as connection:
            return connection.execute(question, values).fetchall()

    def tables(self) -> Iterator[Kept]:
        """Read every table there ever was; raises BadInput if a snapshot is not whole."""
        for (number,) in self._rows("select id from tables order by id"):
            yield self.table(number)

    def open_tables(self) -> int:
        """Count the tables that are not closed."""
        return int(self._rows("select count(*) from tables where closed_at is null")[0][0])

    def versions(self) -> dict[int, tuple[int, int]]:
        """Return the newest open table of each channel: its id and its version."""
        rows = self._rows("select channel_id, id, version from tables where closed_at is null order by id")
        return {channel: (number, version) for channel, number, version in rows}

    def in_channel(self, channel_id: int) -> Kept:
        """Read the newest table of a channel."""
        ((number,),) = self._rows("select max(id) from tables where channel_id = ?", channel_id)
        return self.table(number)

    def table(self, number: int) -> Kept:
        """Read one table at one moment."""
        with closing(sqlite3.connect(self._path, isolation_level=None)) as connection:
            connection.execute("begin")
            channel, version, snapshot = connection.execute(
                "select channel_id, version, snapshot from tables where id = ?", (number,)
            ).fetchone()
            seats = connection.execute(
                "select user_id, name, cpu from seats where table_id = ? order by seat", (number,)
            ).fetchall()
            log = connection.execute(
                "select hand_no, interaction_id, seat, move from log where table_id = ?"
                " order by hand_no, position",
                (number,),
            ).fetchall()
            packed = connection.execute(
                "select hand_no, moves from packed_moves where table_id = ?", (number,)
            ).fetchall()
        people = [Person(*seat) for seat in seats]
        state = None if snapshot is None else restore(json.loads(snapshot), people, version)
        moves = [Move(hand_no, by, seat, json.loads(move)) for hand_no, by, seat, move in log]
        moves += [
            Move(hand_no, each.interaction_id, each.seat, each.move)
            for hand_no, whole in packed
            for each in unpack(whole, number, hand_no)
        ]
        ordered = sorted(moves, key=lambda move: move.hand_no)
        return Kept(number, channel, version, state, tuple(ordered))

    # --- what must be

    def check_live(self, kept: Kept) -> None:
        """Raise AssertionError unless a table that lives is whole and its log leads where it stands."""
        assert kept.state is not None
        if kept.state.match is None:
            assert not kept.moves, "moves before the first deal"
            return
        assert kept.state.log.head is not None
        match, names = kept.match, [f"s{seat}" for seat in range(len(kept.match.scores))]
        assert not match.invariants()
        moves = [move.move for move in kept.moves if move.hand_no == match.hand_no]
        assert len(moves) == kept.state.log.moves, "the log has another number of moves than the snapshot"
        told, players = replayed(kept.state.log.head, moves)
        here, there = position(match, names), position(told, players)
        assert here == there, f"the log leads to {there}, the snapshot says {here}"

    def check_finished(self, kept: Kept) -> None:
        """Raise AssertionError unless a finished match adds up, hand by hand and card by card."""
        assert kept.over, f"table {kept.id} is not over"
        tally: dict[int, int] = {}
        hands = self._rows(
            "select hand_no, end, points, scenario from hands where table_id = ? order by hand_no", kept.id
        )
        assert {move.hand_no for move in kept.moves} == {hand_no for hand_no, *_ in hands}
        for hand_no, end, points, scenario in hands:
            moves = [move.move for move in kept.moves if move.hand_no == hand_no]
            told, players = replayed(json.loads(scenario), moves)
            assert (told.game.end.value, told.game.points) == (end, points)
            cards = [
                *told.game.draw,
                *told.game.discard,
                *(card for hand in told.game.hands for card in hand),
            ]
            assert sorted(cards) == sorted(DECK), f"cards are missing from hand {hand_no} of table {kept.id}"
            scores = self._rows(
                "select seat, points, won, cards from hand_scores where table_id = ? and hand_no = ?",
                kept.id,
                hand_no,
            )
            for seat, scored, won, left in scores:
                here = players.index(f"s{seat}")
                assert bool(won) == (here == told.game.winner)
                assert scored == (points if won else 0)
                assert json.loads(left) == [CODE[card] for card in sorted(told.game.hands[here])]
                tally[seat] = tally.get(seat, 0) + scored
        ((how,),) = self._rows("select ended from matches where table_id = ?", kept.id)
        assert how == "won"
        standings = dict(
            self._rows("select seat, points from match_players where table_id = ?", kept.id),
        )
        assert standings == {seat: tally.get(seat, 0) for seat in standings}, "the tally is another"


def replayed(head: dict[str, Any], moves: Sequence[list[Any]]) -> tuple[Match, list[str]]:
    """Play the moves of a hand from its deal; returns where they lead, and the names of its seats."""
    scenario = read_scenario(head)
    if moves and moves[0][1] == "deal":  # the head is the hand as this has dealt it
        moves = moves[1:]
    for number, move in enumerate(moves):
        read = read_move(move, scenario.names, f"moves[{number}]")
        assert read.refusal is None
        scenario.match.apply(read.seat, read.action, read.auto)
    assert not scenario.match.invariants()
    return scenario.match, list(scenario.names)


def position(match: Match, names: Sequence[str]) -> dict[str, Any]:
    """Describe a hand by the names of its seats, those who had left before its deal aside."""
    game = match.game
    found = {name: getattr(game, name) for name in _PLAIN}
    for name in _BY_SEAT:
        seat = getattr(game, name)
        found[name] = names[seat] if seat >= 0 else None
    for seat, name in enumerate(names):
        if not game.out[seat] or game.hands[seat]:
            found[name] = (sorted(game.hands[seat]), game.said[seat], match.scores[seat])
    return found
