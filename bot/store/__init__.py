"""The database: SQLite through SQLAlchemy, records in and out. Knows neither the engine nor discord."""

from bot.store.backup import Contents, Restored, backup, restore
from bot.store.errors import FileLost, NotSaved, OwnershipLost, StaleVersion, StoreError, Uncertain
from bot.store.follow import Follower
from bot.store.migration import migrate
from bot.store.owner import BEAT, Owner
from bot.store.records import (
    Board,
    BoardLine,
    FinishedHand,
    FinishedMatch,
    HandLine,
    HandScore,
    HandToken,
    KeptMatch,
    LiveTable,
    LogRecord,
    MatchStanding,
    PlayedMatch,
    Save,
    ScreenRecord,
    SeatFacts,
    SeatRecord,
    StoredTable,
    TableRecord,
    UnreadHand,
)
from bot.store.store import Store

__all__ = [
    "BEAT",
    "Board",
    "BoardLine",
    "Contents",
    "FileLost",
    "FinishedHand",
    "FinishedMatch",
    "Follower",
    "HandLine",
    "HandScore",
    "HandToken",
    "KeptMatch",
    "LiveTable",
    "LogRecord",
    "MatchStanding",
    "NotSaved",
    "Owner",
    "OwnershipLost",
    "PlayedMatch",
    "Restored",
    "Save",
    "ScreenRecord",
    "SeatFacts",
    "SeatRecord",
    "StaleVersion",
    "Store",
    "StoreError",
    "StoredTable",
    "TableRecord",
    "Uncertain",
    "UnreadHand",
    "backup",
    "migrate",
    "restore",
]
