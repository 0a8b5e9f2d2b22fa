"""The live tables: each has one lock; a change is worked out on a clone, saved, and only then counts.

Knows the engine, the model and the store, not discord, and no clock: every click brings the time it was made.
`core` is what all changes share, `draft` one on its way; `lobby`, `play`, `seats` and `clock` are the changes
there are. `scheduler` waits for deadlines, `history` plays a hand again.
"""

from bot.model.options import Options
from bot.tables.clock import Clock, TableClock
from bot.tables.draft import Change, Click, Table, not_invited, not_seated, seat_name
from bot.tables.history import hand_so_far
from bot.tables.limits import Limits
from bot.tables.lobby import Lobby
from bot.tables.outages import Outages
from bot.tables.play import Play
from bot.tables.scheduler import Scheduler
from bot.tables.seats import Seats


class Tables(Lobby, Play, Seats, Clock):
    """All live tables of this process, and all that can be done at them."""


__all__ = [
    "Change",
    "Click",
    "Limits",
    "Options",
    "Outages",
    "Scheduler",
    "Table",
    "TableClock",
    "Tables",
    "hand_so_far",
    "not_invited",
    "not_seated",
    "seat_name",
]
