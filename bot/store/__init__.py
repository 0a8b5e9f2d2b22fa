"""What is kept: SQLite through SQLAlchemy, records in and out. Knows neither the engine nor discord."""

from bot.store.errors import FileLost, NotSaved, StaleVersion, StoreError, Uncertain
from bot.store.migration import migrate
from bot.store.records import (
    FinishedHand,
    FinishedMatch,
    HandScore,
    HandToken,
    LeaderRow,
    LiveTable,
    LogRecord,
    MatchStanding,
    Save,
    ScreenRecord,
    SeatRecord,
    StoredTable,
    TableRecord,
)
from bot.store.store import Store

__all__ = [
    "FileLost",
    "FinishedHand",
    "FinishedMatch",
    "HandScore",
    "HandToken",
    "LeaderRow",
    "LiveTable",
    "LogRecord",
    "MatchStanding",
    "NotSaved",
    "Save",
    "ScreenRecord",
    "SeatRecord",
    "StaleVersion",
    "Store",
    "StoreError",
    "StoredTable",
    "TableRecord",
    "Uncertain",
    "migrate",
]
