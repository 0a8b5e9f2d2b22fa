"""The tables of the database. Imports SQLAlchemy only.

A change here needs a migration; a test compares the two.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any, Final

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    DateTime,
    Dialect,
    Float,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    TypeDecorator,
    UniqueConstraint,
    text,
)

#: Every constraint has a name, so that a migration can change it (Alembic, batch mode).
NAMING: Final = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
    "pk": "pk_%(table_name)s",
}


class UtcTime(TypeDecorator[datetime]):
    """An aware time, stored in UTC without a zone."""

    impl = DateTime
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Convert a time to UTC; raises ValueError for one without a zone."""
        if value is None:
            return None
        if value.utcoffset() is None:
            raise ValueError("a stored time must have a zone")
        return value.astimezone(UTC).replace(tzinfo=None)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Add the zone to a stored time."""
        return None if value is None else value.replace(tzinfo=UTC)


metadata = MetaData(naming_convention=NAMING)


def _of_table(**options: Any) -> Column[int]:
    return Column("table_id", Integer, ForeignKey("tables.id"), nullable=False, **options)


def _of_hand() -> ForeignKeyConstraint:
    return ForeignKeyConstraint(["table_id", "hand_no"], ["hands.table_id", "hands.hand_no"])


#: Rows are never removed, so that no id is used twice; a closed table has no snapshot and no host.
tables = Table(
    "tables",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("guild_id", BigInteger, nullable=False),
    Column("channel_id", BigInteger, nullable=False),
    Column("version", Integer, nullable=False),
    Column("snapshot", JSON(none_as_null=True)),
    Column("updated_at", UtcTime, nullable=False),
    Column("due_at", UtcTime),
    Column("closed_at", UtcTime),
    Column("host_id", BigInteger),
    Index(None, "due_at", sqlite_where=text("closed_at IS NULL")),
)

#: The only place that says who sits where. A user id below zero stands for somebody who was forgotten, here
#: and wherever results are kept (see `bot.store.forgetting`).
seats = Table(
    "seats",
    metadata,
    _of_table(primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("user_id", BigInteger),
    Column("name", String, nullable=False),
    Column("cpu", String),
    CheckConstraint("(user_id IS NULL) = (cpu IS NOT NULL)", name="person_or_cpu"),
    Index(None, "user_id"),
)

#: The last known name of everybody who has finished a hand on a server; for its leaderboard.
names = Table(
    "names",
    metadata,
    Column("user_id", BigInteger, primary_key=True),
    Column("guild_id", BigInteger, primary_key=True),
    Column("name", String, nullable=False),
    Column("updated_at", UtcTime, nullable=False),
)

#: Every move of late. The unique pair makes a click that is delivered twice count once.
log = Table(
    "log",
    metadata,
    _of_table(primary_key=True),
    Column("hand_no", Integer, primary_key=True),
    Column("position", Integer, primary_key=True),
    Column("interaction_id", BigInteger),
    Column("part", Integer, nullable=False),
    Column("seat", Integer, nullable=False),
    Column("move", JSON, nullable=False),
    Column("auto", Boolean, nullable=False),
    Column("at", UtcTime, nullable=False),
    UniqueConstraint("interaction_id", "part"),
)

#: The moves of hands that ended a while ago, packed; they are not in `log` any more.
packed_moves = Table(
    "packed_moves",
    metadata,
    Column("table_id", Integer, primary_key=True),
    Column("hand_no", Integer, primary_key=True),
    Column("moves", LargeBinary, nullable=False),
    _of_hand(),
)

hands = Table(
    "hands",
    metadata,
    _of_table(primary_key=True),
    Column("hand_no", Integer, primary_key=True),
    Column("guild_id", BigInteger, nullable=False),
    Column("ended_at", UtcTime, nullable=False),
    Column("end", String, nullable=False),
    Column("winner_user_id", BigInteger),
    Column("points", Integer, nullable=False),
    Column("scenario", JSON, nullable=False),
    # The day in the server's time zone and the season of the server, both fixed when the hand ends.
    Column("day", String, nullable=False),
    Column("season", Integer, nullable=False),
)

#: The server is repeated in each score, because the leaderboard reads only these.
hand_scores = Table(
    "hand_scores",
    metadata,
    Column("table_id", Integer, primary_key=True),
    Column("hand_no", Integer, primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("guild_id", BigInteger, nullable=False),
    Column("user_id", BigInteger),
    Column("ranked", Boolean, nullable=False),
    Column("points", Integer, nullable=False),
    Column("won", Boolean, nullable=False),
    Column("cards", JSON, nullable=False),
    # What the seat did; NULL until it is worked out.
    Column("facts", JSON(none_as_null=True)),
    _of_hand(),
    Index(None, "guild_id", "user_id"),
    Index("ix_hand_scores_without_facts", "table_id", "hand_no", sqlite_where=text("facts IS NULL")),
)

matches = Table(
    "matches",
    metadata,
    _of_table(primary_key=True),
    Column("guild_id", BigInteger, nullable=False),
    Column("ended_at", UtcTime, nullable=False),
    Column("ended", String, nullable=False),
    Column("terms", JSON, nullable=False),
    Column("host_user_id", BigInteger),
    Column("ranked", Boolean, nullable=False),
    Column("day", String, nullable=False),
    Column("season", Integer, nullable=False),
    Index(None, "guild_id", "ended_at"),
)

match_players = Table(
    "match_players",
    metadata,
    Column("table_id", Integer, ForeignKey("matches.table_id"), primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("user_id", BigInteger),
    Column("points", Integer, nullable=False),
    Column("hands_won", Integer, nullable=False),
    Column("outcome", String, nullable=False),
    Column("removed", Boolean, nullable=False),
    Column("ranked", Boolean, nullable=False),
    Index(None, "user_id"),
)

#: A server's seasons; the one that is not closed is on. One without a row has not had a result yet.
seasons = Table(
    "seasons",
    metadata,
    Column("guild_id", BigInteger, primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("began_at", UtcTime, nullable=False),
    Column("closed_at", UtcTime),
)


def _board(name: str, *order: str) -> Index:
    """Return what a leaderboard is read from, backwards: the best first, equal ones by user id."""
    return Index(f"ix_tallies_by_{name}", "guild_id", "period", *order, "user_id", "others")


#: The ranked results of a person on a server in a period: the sum of what the other tables hold.
tallies = Table(
    "tallies",
    metadata,
    Column("guild_id", BigInteger, primary_key=True),
    Column("period", String, primary_key=True),
    Column("user_id", BigInteger, primary_key=True),
    Column("hands", Integer, nullable=False),
    Column("hands_won", Integer, nullable=False),
    Column("points", Integer, nullable=False),
    Column("matches", Integer, nullable=False),
    Column("matches_won", Integer, nullable=False),
    Column("forfeits", Integer, nullable=False),
    Column("others", Integer, nullable=False),
    Column("win_bound", Integer, nullable=False),
    Column("average", Integer),
    Column("mu", Float),
    Column("sigma", Float),
    Column("rated_at", UtcTime),
    Column("settled", Boolean, nullable=False),
    Column("skill", Integer),
    _board("points", "points", "hands_won"),
    _board("hands", "hands_won", "points"),
    _board("matches", "matches_won", "points"),
    _board("rate", "win_bound", "hands"),
    _board("average", "average", "hands"),
    _board("skill", "settled", "skill"),
    Index("ix_tallies_settled", "rated_at", sqlite_where=text("settled")),
    sqlite_with_rowid=False,
)

#: What a person has played with another on a server: ranked hands, those that the other won, and how many
#: rated matches on the day of the last one.
meetings = Table(
    "meetings",
    metadata,
    Column("guild_id", BigInteger, primary_key=True),
    Column("user_id", BigInteger, primary_key=True),
    Column("other_id", BigInteger, primary_key=True),
    Column("hands", Integer, nullable=False),
    Column("lost", Integer, nullable=False),
    Column("day", String, nullable=False),
    Column("matches", Integer, nullable=False),
    sqlite_with_rowid=False,
)

#: How each match changed the skill of a person, for all time and for the season.
skill_changes = Table(
    "skill_changes",
    metadata,
    Column("guild_id", BigInteger, primary_key=True),
    Column("period", String, primary_key=True),
    Column("user_id", BigInteger, primary_key=True),
    Column("table_id", Integer, ForeignKey("matches.table_id"), primary_key=True),
    Column("mu_before", Float, nullable=False),
    Column("sigma_before", Float, nullable=False),
    Column("mu", Float, nullable=False),
    Column("sigma", Float, nullable=False),
    Index(None, "table_id"),
    sqlite_with_rowid=False,
)

#: Interaction tokens, removed when they are too old to be used.
tokens = Table(
    "tokens",
    metadata,
    _of_table(primary_key=True),
    Column("user_id", BigInteger, primary_key=True),
    Column("token", String, nullable=False),
    Column("message_id", BigInteger),
    Column("channel_id", BigInteger, nullable=False),
    Column("locale", String, nullable=False),
    Column("issued_at", UtcTime, nullable=False),
)

#: What the bot remembers about itself.
facts = Table(
    "facts",
    metadata,
    Column("key", String, primary_key=True),
    Column("value", String, nullable=False),
)

screens = Table(
    "screens",
    metadata,
    _of_table(primary_key=True),
    Column("channel_id", BigInteger, nullable=False),
    Column("message_id", BigInteger, nullable=False),
    Column("posted_at", UtcTime, nullable=False),
    Column("nudge_id", BigInteger),
    Column("posting", Integer, nullable=False),
    Column("posting_tried", Boolean, nullable=False),
    Column("pending", Boolean, nullable=False),
    Column("leftovers", JSON, nullable=False),
)

#: Which process owns the database: one row. It is read before a migration, so its columns stay as they are.
owner = Table(
    "owner",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("owner", String, nullable=False),
    Column("lock", String, nullable=False),
    Column("epoch", Integer, nullable=False),
    Column("beat", Integer, nullable=False),
    CheckConstraint("id = 1", name="one_row"),
)

#: When a person wants to be nudged, their language, how their cards are shown; NULL for what they never said.
wishes = Table(
    "wishes",
    metadata,
    Column("user_id", BigInteger, primary_key=True),
    Column("nudges", String),
    Column("language", String),
    Column("cards", String),
)

#: Servers that have removed the bot, and when that was first seen.
departures = Table(
    "departures",
    metadata,
    Column("guild_id", BigInteger, primary_key=True),
    Column("left_at", UtcTime, nullable=False),
)

#: Who asked to be forgotten on a server, or on all of them (0), so that a restored copy forgets them again.
forgotten = Table(
    "forgotten",
    metadata,
    Column("user_id", BigInteger, primary_key=True),
    Column("guild_id", BigInteger, primary_key=True),
    Column("at", UtcTime, nullable=False),
)

#: Who does not want to be seen on the boards of a server.
hidden = Table(
    "hidden",
    metadata,
    Column("guild_id", BigInteger, primary_key=True),
    Column("user_id", BigInteger, primary_key=True),
)

#: Who led a board when a season of a server was closed.
champions = Table(
    "champions",
    metadata,
    Column("guild_id", BigInteger, primary_key=True),
    Column("season", Integer, primary_key=True),
    Column("board", String, primary_key=True),
    Column("user_id", BigInteger, primary_key=True),
)

#: The settings of a server; one with the defaults has no row.
guild_settings = Table(
    "servers",
    metadata,
    Column("guild_id", BigInteger, primary_key=True),
    Column("settings", JSON, nullable=False),
)
