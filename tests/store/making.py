"""Records for the tests, with made-up people."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from bot.store import (
    FinishedHand,
    FinishedMatch,
    HandScore,
    HandToken,
    LogRecord,
    MatchStanding,
    Save,
    ScreenRecord,
    SeatRecord,
    Store,
    StoredTable,
    TableRecord,
)

NOW = datetime(2026, 1, 1, 12, tzinfo=UTC)
GUILD = 900_000_000_000_000_001
ANN, BOB, CAT, DAN = 1_000_000_000_000_000_001, 1_000_000_000_000_000_002, 3, 4


def table(
    number: int = 1,
    version: int = 1,
    *,
    seconds: float = 0,
    guild: int = GUILD,
    due_at: datetime | None = None,
) -> TableRecord:
    snapshot = {"schema": 1, "version": version, "cards": ["R7", "W4"]}
    at = NOW + timedelta(seconds=seconds)
    return TableRecord(number, guild, 70_000 + number, version, snapshot, at, due_at)


def seats(
    number: int = 1, people: Sequence[tuple[int, str]] = ((ANN, "Ann"), (BOB, "Bob"))
) -> tuple[SeatRecord, ...]:
    return tuple(SeatRecord(number, seat, user_id, name) for seat, (user_id, name) in enumerate(people))


def stored(number: int = 1, version: int = 1) -> StoredTable:
    return StoredTable(table(number, version), seats(number))


async def tokens(store: Store, number: int = 1) -> list[HandToken]:
    there = await store.table(number)
    assert there is not None
    return list(there.tokens)


def move(
    interaction: int | None,
    number: int = 1,
    *,
    position: int = 0,
    part: int = 0,
    hand_no: int = 1,
    entry: list[Any] | None = None,
) -> LogRecord:
    return LogRecord(
        number,
        hand_no,
        position,
        interaction,
        part,
        0,
        entry or ["s0", "play", "R7"],
        interaction is None,
        NOW,
    )


def opening(number: int = 1) -> Save:
    return Save(table=table(number), seats=seats(number))


def turn(number: int = 1, version: int = 2, interaction: int | None = None, **changes: Any) -> Save:
    """Make the save of a click with one move, which the `version` tells from others."""
    interaction = 10_000 * number + version if interaction is None else interaction
    log = (move(interaction, number, position=version),)
    return Save(table=table(number, version), log=log, **changes)


def finished_hand(*scores: tuple[int, int, bool], hand_no: int = 1) -> FinishedHand:
    """Make a hand from its scores: user, points, won."""
    winner = next((user for user, _, won in scores if won), None)
    return FinishedHand(
        hand_no=hand_no,
        end="blocked" if winner is None else "won",
        winner_user_id=winner,
        points=sum(points for _, points, _ in scores),
        scenario={"players": ["s0", "s1"], "actions": [["s0", "play", "R7"]]},
        scores=tuple(
            HandScore(user, seat, points, () if won else ("B9", "W4"), won)
            for seat, (user, points, won) in enumerate(scores)
        ),
    )


def finished_match() -> FinishedMatch:
    return FinishedMatch("won", (MatchStanding(ANN, 0, 135, 2, "won"), MatchStanding(BOB, 1, 20, 1, "lost")))


def token(
    user: int = ANN,
    number: int = 1,
    *,
    text: str = "secret-token",
    message: int | None = 5,
    seconds: float = 0,
) -> HandToken:
    return HandToken(number, user, text, message, 70_001, "de", NOW + timedelta(seconds=seconds))


def screen(number: int = 1, message: int = 800) -> ScreenRecord:
    return ScreenRecord(number, 70_001, message, NOW)
