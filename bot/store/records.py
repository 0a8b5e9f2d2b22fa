"""What goes into the store and what comes out: frozen records, never rows. Imports the standard library only.

Snapshots, moves and scenarios are JSON values that the store does not look into; all but the seats know
people by seat alone. Every time is aware, and comes back in UTC. A record must not be changed
after it was handed in: it is written a little later.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any


@dataclass(frozen=True, slots=True)
class TableRecord:
    """A table as one save leaves it; `version` is 1 for a new table and one higher with each save.

    Read back, a snapshot that is no JSON object any more is `{}`. `host_id` is the user id of the host.
    """

    id: int
    guild_id: int
    channel_id: int
    version: int
    snapshot: dict[str, Any] = field(repr=False)
    updated_at: datetime
    due_at: datetime | None = None
    host_id: int | None = None


@dataclass(frozen=True, slots=True)
class LiveTable:
    """A table that is not closed, without its snapshot.

    `unshown` is whether its messages may not be as they should be: it has none, or one that is pending, or
    old ones that are to go.
    """

    id: int
    guild_id: int
    channel_id: int
    version: int
    updated_at: datetime
    due_at: datetime | None
    host_id: int | None = None
    unshown: bool = False


@dataclass(frozen=True, slots=True)
class SeatRecord:
    """Who sits in a seat: a person by user id, or a computer player by its kind (`cpu`)."""

    table_id: int
    seat: int
    user_id: int | None
    name: str
    cpu: str | None = None


@dataclass(frozen=True, slots=True)
class LogRecord:
    """A move: the `position`-th of its hand and the `part`-th of its interaction, None without a click."""

    table_id: int
    hand_no: int
    position: int
    interaction_id: int | None
    part: int
    seat: int
    move: list[Any]
    auto: bool
    at: datetime


@dataclass(frozen=True, slots=True)
class HandScore:
    """The result of a hand for one seat: the points scored, and the codes of the cards left.

    A computer player has no user id. `ranked` is whether the score counts for the leaderboard. `facts` are
    what the seat did (`bot.model.facts`), None while that is not worked out.
    """

    user_id: int | None
    seat: int
    points: int
    cards: tuple[str, ...]
    won: bool
    ranked: bool = True
    facts: dict[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class FinishedHand:
    """A hand that ended, as a scenario of its own; `scores` are by seat."""

    hand_no: int
    end: str
    winner_user_id: int | None
    points: int
    scenario: dict[str, Any] = field(repr=False)
    scores: tuple[HandScore, ...] = ()


@dataclass(frozen=True, slots=True)
class MatchStanding:
    """The result of a match for one seat; a computer player has no user id.

    `removed` is whether others took them out of the match, `ranked` whether it counts for the leaderboard.
    """

    user_id: int | None
    seat: int
    points: int
    hands_won: int
    outcome: str
    removed: bool = False
    ranked: bool = True


@dataclass(frozen=True, slots=True)
class FinishedMatch:
    """A match that ended, how, and with which options (a JSON object), so that it can be played again.

    `host_user_id` is who was host at its end, `ranked` whether it counts for leaderboards and ratings.
    """

    ended: str
    standings: tuple[MatchStanding, ...] = ()
    options: dict[str, Any] = field(default_factory=dict)
    host_user_id: int | None = None
    ranked: bool = False


@dataclass(frozen=True, slots=True)
class PlayedMatch:
    """What a rematch needs of a finished match: `seats` is how many took part, `removed` who was removed."""

    options: dict[str, Any]
    host_user_id: int | None
    ranked: bool
    seats: int
    removed: frozenset[int]


@dataclass(frozen=True, slots=True)
class HandLine:
    """A finished hand in one line; `winner` is a seat, None if nobody won."""

    hand_no: int
    winner: int | None
    points: int


@dataclass(frozen=True, slots=True)
class KeptMatch:
    """A finished match of the past; who sat there is in `seats`, and `hands` only where one match is read."""

    table_id: int
    ended_at: datetime
    match: FinishedMatch
    seats: tuple[SeatRecord, ...]
    hands: tuple[HandLine, ...] = ()


@dataclass(frozen=True, slots=True)
class HandToken:
    """The newest interaction token of a person at a table, to edit their hand with; never printed."""

    table_id: int
    user_id: int
    token: str = field(repr=False)
    message_id: int | None
    channel_id: int
    locale: str
    issued_at: datetime


@dataclass(frozen=True, slots=True)
class ScreenRecord:
    """Where a table's message is, and the last nudge.

    `posting` is how many messages the table has had, `posting_tried` whether the next one may have been
    posted. `pending` is whether the newest state may not be on
    screen. `leftovers` are old messages that are to go, by their ids, each with its channel.
    """

    table_id: int
    channel_id: int
    message_id: int
    posted_at: datetime
    nudge_id: int | None = None
    posting: int = 0
    posting_tried: bool = False
    pending: bool = False
    leftovers: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class StoredTable:
    """All that is kept of a live table; the seats are in order, the tokens by user id.

    Where the snapshot or a seat cannot be read, the snapshot is `{}`.
    """

    table: TableRecord
    seats: tuple[SeatRecord, ...]
    tokens: tuple[HandToken, ...] = ()
    screen: ScreenRecord | None = None


@dataclass(frozen=True, slots=True)
class BoardLine:
    """A person's line of a leaderboard; `name` is the last one known, "" if there never was one.

    `rank` is None for a reader who does not stand on the board. `others` is how many different people they
    have met on the server, `average` the points a hand in millionths, `skill` the lower bound of what is
    believed of them; None where that is not known. `settled` is whether enough is known of their skill, and
    lately.
    """

    rank: int | None
    user_id: int
    name: str
    points: int
    hands_won: int
    hands: int
    matches: int = 0
    matches_won: int = 0
    forfeits: int = 0
    others: int = 0
    average: int | None = None
    skill: int | None = None
    settled: bool = False


@dataclass(frozen=True, slots=True)
class Board:
    """A page of a leaderboard.

    `own` is the reader's line, on this page or not; None if they have no results in this period. `more` is
    whether lines follow, `earlier` whether lines come before. `others_needed` is how many different people
    somebody has to have met to stand on it.
    """

    lines: tuple[BoardLine, ...]
    own: BoardLine | None = None
    more: bool = False
    earlier: bool = False
    others_needed: int = 1


@dataclass(frozen=True, slots=True)
class UnreadHand:
    """A finished hand of which it is not known what each seat did; its moves are in the log."""

    table_id: int
    hand_no: int
    scenario: dict[str, Any] = field(repr=False)


@dataclass(frozen=True, slots=True)
class SeatFacts:
    """What a seat did in a finished hand, worked out later than the hand was saved."""

    table_id: int
    hand_no: int
    seat: int
    facts: dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Save:
    """Everything one click changes, written in one transaction or not at all.

    `closes` ends the table: its snapshot is dropped and it takes no further save. `seats` replace those that
    were there. Finished hands and the match belong to `table` and ended at its `updated_at`. `facts` are
    values by key, `nudges`, `cards` and `languages` wishes by user id (None: no language), `guild_settings`
    JSON objects by guild id ({}: the defaults). `tidy_at` removes what nobody needs any more by then,
    `pack_at` packs the moves of what is long over then. `left` are servers that the bot is no longer on, with
    when that was seen, `back` those it is on again; `forget_at` deletes a part of what is kept of one that
    removed it long before. `seat_facts` are of hands saved before, and `asleep_at` lets those who had not
    played for long by then stand below the others.
    """

    table: TableRecord | None = None
    closes: bool = False
    seats: tuple[SeatRecord, ...] | None = None
    log: tuple[LogRecord, ...] = ()
    hands: tuple[FinishedHand, ...] = ()
    match: FinishedMatch | None = None
    tokens: tuple[HandToken, ...] = ()
    screen: ScreenRecord | None = None
    facts: dict[str, str] = field(default_factory=dict)
    nudges: dict[int, str] = field(default_factory=dict)
    cards: dict[int, str] = field(default_factory=dict)
    languages: dict[int, str | None] = field(default_factory=dict)
    guild_settings: dict[int, dict[str, Any]] = field(default_factory=dict)
    tidy_at: datetime | None = None
    left: dict[int, datetime] = field(default_factory=dict)
    back: frozenset[int] = frozenset()
    forget_at: datetime | None = None
    seat_facts: tuple[SeatFacts, ...] = ()
    asleep_at: datetime | None = None
    pack_at: datetime | None = None

    def __post_init__(self) -> None:
        """Raise ValueError for parts of a table without the table."""
        if self.table is None and (self.closes or self.seats is not None or self.hands or self.match):
            raise ValueError("seats, hands, a match and an end are saved with their table")
