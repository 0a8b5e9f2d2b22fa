"""The live tables: each has one lock; a change is worked out on a clone, saved, and only then counts.

Whatever changed is told to one callback. Knows the engine and the store, not discord, and no clock: every
click brings the time it was made. `core` is what all changes share, `lobby`, `play`, `seats` and `clock` are
the changes there are.
"""

from bot.model.options import Options
from bot.tables.clock import Clock
from bot.tables.core import Change, Click, Table, not_seated, seat_name
from bot.tables.lobby import Lobby
from bot.tables.play import Play
from bot.tables.seats import Seats


class Tables(Lobby, Play, Seats, Clock):
    """All live tables of this process, and all that can be done at them."""


__all__ = ["Change", "Click", "Options", "Table", "Tables", "not_seated", "seat_name"]
