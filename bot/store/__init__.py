"""The database: SQLite through SQLAlchemy, records in and out. Knows neither the engine nor discord."""

from bot.store.backup import Contents, Restored, backup, restore
from bot.store.errors import FileLost, NotSaved, OwnershipLost, StaleVersion, StoreError, Uncertain
from bot.store.follow import Follower
from bot.store.migration import migrate
from bot.store.owner import BEAT, Owner
from bot.store.records import (
    FinishedHand,
    FinishedMatch,
    HandScore,
    HandToken,
    LeaderRow,
    LiveTable,
    LogRecord,
    MatchStanding,
    PlayedMatch,
    Save,
    ScreenRecord,
    SeatRecord,
    StoredTable,
    TableRecord,
)
from bot.store.store import Store

__all__ = [
    "BEAT",
    "Contents",
    "FileLost",
    "FinishedHand",
    "FinishedMatch",
    "Follower",
    "HandScore",
    "HandToken",
    "LeaderRow",
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
    "SeatRecord",
    "StaleVersion",
    "Store",
    "StoreError",
    "StoredTable",
    "TableRecord",
    "Uncertain",
    "backup",
    "migrate",
    "restore",
]
