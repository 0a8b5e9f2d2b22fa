"""The statements of a save. Imports SQLAlchemy and the store's records, models and errors.

Each kind of row is written by one `executemany` for all saves together, which is what makes a batch cheap;
the same function writes a single save when one of a batch turns out to be bad. All of it blocks, and runs in
the writer's thread.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import fields
from datetime import datetime, timedelta
from functools import cache
from typing import Any, Final

import sqlalchemy
import structlog
from sqlalchemy import BigInteger, Connection, Executable, and_, bindparam, delete, exists, select, update
from sqlalchemy.dialects import sqlite
from sqlalchemy.exc import SQLAlchemyError

from bot.store import counting, models
from bot.store.connections import problem
from bot.store.departures import forget_departed, write_departures
from bot.store.errors import NotSaved, StaleVersion
from bot.store.packing import pack
from bot.store.records import LogRecord, Save, ScreenRecord, SeatFacts, TableRecord

#: Discord forgets a token after fifteen minutes; the bot uses none that is this old.
TOKEN_LIFE: Final = timedelta(minutes=14)
#: Moves are packed this long after the end of their hand: no click of it is delivered again then.
PACKED_AFTER: Final = timedelta(minutes=20)
#: How many hands are packed in one save, which others wait for.
PACKED_AT_ONCE: Final = 100

_log = structlog.get_logger(__name__)

#: Making a statement takes longer than writing a row by it, so each is made once.
insert: Final = cache(sqlalchemy.insert)

_Row = dict[str, Any]
_Rows = list[_Row]

_CHANGE_TABLE: Final = update(models.tables).where(
    models.tables.c.id == bindparam("of_id"),
    models.tables.c.version == bindparam("of_version"),
    models.tables.c.closed_at.is_(None),
)
_CLEAR_SEATS: Final = delete(models.seats).where(models.seats.c.table_id == bindparam("of_id"))

_SAVED: Final = select(models.log.c.interaction_id, models.log.c.part).where(
    models.log.c.interaction_id.in_(bindparam("ids", expanding=True))
)
_CLEAR_TOKENS: Final = delete(models.tokens).where(models.tokens.c.table_id == bindparam("of_id"))
#: Whoever sat in a lobby that never began is forgotten with it.
_CLEAR_NEVER_BEGUN: Final = _CLEAR_SEATS.where(
    *(
        ~exists().where(played.c.table_id == bindparam("of_id"))
        for played in (models.log, models.hands, models.matches)
    )
)

_first_moves = select(models.log.c.table_id, models.log.c.hand_no).where(models.log.c.position == 0)
_hand_of_move = and_(
    models.hands.c.table_id == models.log.c.table_id, models.hands.c.hand_no == models.log.c.hand_no
)
_before = bindparam("before", type_=models.UtcTime)
_TO_PACK: Final = (
    _first_moves.join_from(models.log, models.hands, _hand_of_move)
    .where(models.hands.c.ended_at <= _before)
    .limit(PACKED_AT_ONCE)
)
_NEVER_RECORDED: Final = (
    _first_moves.join_from(models.log, models.tables)
    .where(models.tables.c.closed_at <= _before, ~exists().where(_hand_of_move))
    .limit(PACKED_AT_ONCE)
)
_of_hand = (
    models.log.c.table_id == bindparam("table_id"),
    models.log.c.hand_no == bindparam("hand_no"),
)
_MOVES: Final = (
    select(*(models.log.c[each.name] for each in fields(LogRecord)))
    .where(*_of_hand)
    .order_by(models.log.c.position)
)
_CLEAR_MOVES: Final = delete(models.log).where(
    models.log.c.table_id == bindparam("of_table_id"), models.log.c.hand_no == bindparam("of_hand_no")
)
_KEEP_NAME: Final = update(models.names).where(
    models.names.c.user_id == bindparam("of_user"),
    models.names.c.guild_id == bindparam("of_guild"),
    models.names.c.updated_at <= bindparam("at", type_=models.UtcTime),
)
#: A name is kept from the first finished hand on: it is for the leaderboard.
_name = sqlite.insert(models.names).from_select(
    ["user_id", "guild_id", "name", "updated_at"],
    select(
        models.seats.c.user_id,
        bindparam("of_guild", type_=BigInteger),
        models.seats.c.name,
        bindparam("at", type_=models.UtcTime),
    ).where(models.seats.c.table_id == bindparam("of_id"), models.seats.c.user_id.is_not(None)),
)
_KEEP_NAMES_OF_TABLE: Final = _name.on_conflict_do_update(
    index_elements=["user_id", "guild_id"],
    set_={"name": _name.excluded.name, "updated_at": _name.excluded.updated_at},
    where=models.names.c.updated_at <= _name.excluded.updated_at,
)
_token = sqlite.insert(models.tokens)
_KEEP_TOKEN: Final = _token.on_conflict_do_update(
    index_elements=["table_id", "user_id"],
    set_={
        name: _token.excluded[name] for name in ("token", "message_id", "channel_id", "locale", "issued_at")
    },
    where=models.tokens.c.issued_at <= _token.excluded.issued_at,
)
_screen = sqlite.insert(models.screens)
_KEEP_SCREEN: Final = _screen.on_conflict_do_update(
    index_elements=["table_id"],
    set_={each.name: _screen.excluded[each.name] for each in fields(ScreenRecord) if each.name != "table_id"},
)
_fact = sqlite.insert(models.facts)
_KEEP_FACT: Final = _fact.on_conflict_do_update(index_elements=["key"], set_={"value": _fact.excluded.value})
_wish = sqlite.insert(models.wishes)
_KEEP_WISH: Final = _wish.on_conflict_do_update(
    index_elements=["user_id"], set_={"nudges": _wish.excluded.nudges}
)
_KEEP_CARDS: Final = _wish.on_conflict_do_update(
    index_elements=["user_id"], set_={"cards": _wish.excluded.cards}
)
_KEEP_LANGUAGE: Final = _wish.on_conflict_do_update(
    index_elements=["user_id"], set_={"language": _wish.excluded.language}
)
_settings = sqlite.insert(models.guild_settings)
_KEEP_SETTINGS: Final = _settings.on_conflict_do_update(
    index_elements=["guild_id"], set_={"settings": _settings.excluded.settings}
)
_FORGET_SETTINGS: Final = delete(models.guild_settings).where(
    models.guild_settings.c.guild_id == bindparam("of_guild")
)


_KEEP_FACTS: Final = (
    update(models.hand_scores)
    .where(
        models.hand_scores.c.table_id == bindparam("of_table"),
        models.hand_scores.c.hand_no == bindparam("of_hand"),
        models.hand_scores.c.seat == bindparam("of_seat"),
    )
    .values(facts=bindparam("new_facts"))
)


def write_batch(connection: Connection, saves: Sequence[Save]) -> list[bool | NotSaved]:
    """Write saves in order in the open transaction, and return what became of each.

    True: written. False: its interaction was saved before, so nothing of it is written. NotSaved: it failed
    alone. Raises where the transaction itself is lost.
    """
    together = _attempt(connection, saves)
    if isinstance(together, list):
        return together
    # One of them is bad: each on its own, so that it fails alone.
    outcomes: list[bool | NotSaved] = []
    for save in saves:
        alone = _attempt(connection, [save])
        outcomes += alone if isinstance(alone, list) else [alone]
    return outcomes


def were_written(connection: Connection, saves: Sequence[Save], outcomes: Sequence[bool | NotSaved]) -> bool:
    """Whether a batch with these outcomes, whose COMMIT failed, is in the database; one table of it shows it.

    False for a batch that changed no table: it may be written twice.
    """
    for save, outcome in zip(saves, outcomes, strict=True):
        if outcome is True and save.table is not None:
            version = select(models.tables.c.version).where(models.tables.c.id == save.table.id)
            stored: int | None = (connection.execute(version)).scalar_one_or_none()
            return stored is not None and stored >= save.table.version
    return False


def _attempt(connection: Connection, saves: Sequence[Save]) -> list[bool | NotSaved] | NotSaved:
    """Write all new saves under one savepoint, or none of them."""
    outcomes: list[bool | NotSaved] | NotSaved
    connection.exec_driver_sql("SAVEPOINT saves")
    try:
        outcomes = _write_new(connection, saves)
    except NotSaved as error:
        outcomes = error
    except Exception as error:  # noqa: BLE001  # whatever it was, it is undone and told to whoever saved
        outcomes = not_saved(error)
    if isinstance(outcomes, NotSaved):
        try:
            connection.exec_driver_sql("ROLLBACK TO saves")
        except SQLAlchemyError:
            # A full disk, for one, makes SQLite give the whole transaction up and the savepoint with it; what
            # came now would be written outside it.
            raise outcomes from outcomes.__cause__
    connection.exec_driver_sql("RELEASE saves")
    return outcomes


def _write_new(connection: Connection, saves: Sequence[Save]) -> list[bool | NotSaved]:
    seen = _saved_before(connection, saves)
    outcomes: list[bool | NotSaved] = []
    for save in saves:
        interactions = _interactions(save)
        outcomes.append(seen.isdisjoint(interactions))
        if outcomes[-1]:
            seen |= interactions
    _write(connection, [save for save, new in zip(saves, outcomes, strict=True) if new])
    return outcomes


def not_saved(error: Exception) -> NotSaved:
    """Wrap the cause of a failed save; the text names it without any values."""
    wrapped = NotSaved(problem(error))
    wrapped.__cause__ = error
    return wrapped


def _interactions(save: Save) -> set[tuple[int, int]]:
    return {(move.interaction_id, move.part) for move in save.log if move.interaction_id is not None}


def _saved_before(connection: Connection, saves: Iterable[Save]) -> set[tuple[int, int]]:
    ids = {interaction for save in saves for interaction, part in _interactions(save)}
    if not ids:
        return set()
    rows = connection.execute(_SAVED, {"ids": ids})
    return {(interaction, part) for interaction, part in rows}


def _write(connection: Connection, saves: Sequence[Save]) -> None:
    states = [_state(save.table, closes=save.closes) for save in saves if save.table is not None]
    _insert(connection, insert(models.tables), [state for state in states if state["version"] == 1])
    _change_tables(connection, [state for state in states if state["version"] != 1])
    seats = {save.table.id: save.seats for save in saves if save.table is not None and save.seats is not None}
    _insert(connection, _CLEAR_SEATS, [{"of_id": table_id} for table_id in seats])
    _insert(connection, insert(models.seats), [_row(seat) for own in seats.values() for seat in own])
    _insert(connection, insert(models.log), [_row(move) for save in saves for move in save.log])
    when = counting.when(connection, saves)
    hands, scores, matches, players = _results(saves, when)
    _insert(connection, insert(models.hands), hands)
    _insert(connection, insert(models.hand_scores), scores)
    _insert(connection, insert(models.matches), matches)
    _insert(connection, insert(models.match_players), players)
    counting.count(connection, saves, when)
    _insert(connection, _KEEP_FACTS, [_facts(seat) for save in saves for seat in save.seat_facts])
    _keep_names(connection, saves)
    _insert(connection, _KEEP_TOKEN, [_row(token) for save in saves for token in save.tokens])
    _insert(connection, _KEEP_SCREEN, [_row(save.screen) for save in saves if save.screen is not None])
    closed = [{"of_id": save.table.id} for save in saves if save.table is not None and save.closes]
    _insert(connection, _CLEAR_TOKENS, closed)
    _insert(connection, _CLEAR_NEVER_BEGUN, closed)
    _write_choices(connection, saves)
    pack_at = [save.pack_at for save in saves if save.pack_at is not None]
    if pack_at:
        _pack(connection, max(pack_at) - PACKED_AFTER)
    tidy_at = [save.tidy_at for save in saves if save.tidy_at is not None]
    if tidy_at:
        _tidy(connection, max(tidy_at))
    _write_comings(connection, saves)
    for asleep_at in [save.asleep_at for save in saves if save.asleep_at is not None]:
        counting.put_to_sleep(connection, asleep_at)


def _write_comings(connection: Connection, saves: Iterable[Save]) -> None:
    """Write which servers removed the bot or took it back, and forget those that did so long ago."""
    for save in saves:
        if save.left or save.back:
            left = [{"guild_id": guild_id, "left_at": at} for guild_id, at in save.left.items()]
            write_departures(connection, left, save.back)
        if save.forget_at is not None:
            forget_departed(connection, save.forget_at)


def _keep_names(connection: Connection, saves: Iterable[Save]) -> None:
    new = [
        {"of_id": save.table.id, "of_guild": save.table.guild_id, "at": save.table.updated_at}
        for save in saves
        if save.table is not None and save.hands
    ]
    _insert(connection, _KEEP_NAMES_OF_TABLE, new)
    _insert(connection, _KEEP_NAME, [name for save in saves for name in _names(save)])


def _write_choices(connection: Connection, saves: Iterable[Save]) -> None:
    """Write facts, wishes and guild settings; the last of each key stands."""
    facts, nudges, settings = dict[str, str](), dict[int, str](), dict[int, dict[str, Any]]()
    cards, languages = dict[int, str](), dict[int, str | None]()
    for save in saves:
        facts |= save.facts
        nudges |= save.nudges
        cards |= save.cards
        languages |= save.languages
        settings |= save.guild_settings
    _insert(connection, _KEEP_FACT, [{"key": key, "value": facts[key]} for key in facts])
    _insert(connection, _KEEP_WISH, [{"user_id": who, "nudges": nudges[who]} for who in nudges])
    _insert(connection, _KEEP_CARDS, [{"user_id": who, "cards": cards[who]} for who in cards])
    chosen = [{"user_id": who, "language": languages[who]} for who in languages]
    _insert(connection, _KEEP_LANGUAGE, chosen)
    kept = [{"guild_id": guild, "settings": settings[guild]} for guild in settings if settings[guild]]
    _insert(connection, _KEEP_SETTINGS, kept)
    forgotten = [{"of_guild": guild} for guild in settings if not settings[guild]]
    _insert(connection, _FORGET_SETTINGS, forgotten)


def _tidy(connection: Connection, now: datetime) -> None:
    """Remove tokens that are too old, and the places of messages of tables closed that long ago."""
    tokens, screens, tables = models.tokens.c, models.screens.c, models.tables.c
    connection.execute(delete(models.tokens).where(tokens.issued_at <= now - TOKEN_LIFE))
    closed = exists().where(tables.id == screens.table_id, tables.closed_at <= now - TOKEN_LIFE)
    connection.execute(delete(models.screens).where(closed))


def _pack(connection: Connection, before: datetime) -> None:
    """Pack the moves of hands that had ended by then, and remove those that belong to no hand by then."""
    hands = connection.execute(_TO_PACK, {"before": before}).all()
    packed, gone = _Rows(), _Rows()
    for table_id, hand_no in hands:
        hand = {"table_id": table_id, "hand_no": hand_no}
        try:
            moves = [LogRecord(*row) for row in connection.execute(_MOVES, hand)]
            packed.append(hand | {"moves": pack(moves)})
        except (TypeError, ValueError) as error:
            _log.warning("moves_damaged", table=table_id, hand=hand_no, problem=type(error).__name__)
        else:
            gone.append(hand)
    _insert(connection, insert(models.packed_moves), packed)
    never_recorded = connection.execute(_NEVER_RECORDED, {"before": before}).all()
    gone += [{"table_id": table_id, "hand_no": hand_no} for table_id, hand_no in never_recorded]
    _insert(connection, _CLEAR_MOVES, [{f"of_{name}": hand[name] for name in hand} for hand in gone])
    _insert(connection, _CLEAR_NEVER_BEGUN, [{"of_id": table_id} for table_id, _ in never_recorded])


def _insert(connection: Connection, statement: Executable, rows: _Rows) -> None:
    if rows:
        connection.execute(statement, rows)


def _change_tables(connection: Connection, states: _Rows) -> None:
    """Write tables one version higher than stored; raises StaleVersion if one of them is not."""
    if not states:
        return
    rows = []
    for state in states:
        row = {name: value for name, value in state.items() if name not in ("id", "guild_id")}
        rows.append(row | {"of_id": state["id"], "of_version": state["version"] - 1})
    result = connection.execute(_CHANGE_TABLE, rows)
    if result.rowcount != len(rows):
        raise StaleVersion(", ".join(f"table {state['id']}, version {state['version']}" for state in states))


def _state(table: TableRecord, *, closes: bool) -> _Row:
    row = _row(table) | {"closed_at": table.updated_at if closes else None}
    return row | {"snapshot": None, "host_id": None} if closes else row


def _names(save: Save) -> _Rows:
    if save.table is None or save.seats is None:
        return []
    guild_id, now = save.table.guild_id, save.table.updated_at
    return [
        {"of_user": seat.user_id, "of_guild": guild_id, "name": seat.name, "updated_at": now, "at": now}
        for seat in save.seats
        if seat.user_id is not None
    ]


def _facts(seat: SeatFacts) -> _Row:
    return {"of_table": seat.table_id, "of_hand": seat.hand_no, "of_seat": seat.seat, "new_facts": seat.facts}


def _results(saves: Iterable[Save], when: dict[int, counting.When]) -> tuple[_Rows, _Rows, _Rows, _Rows]:
    """Return the rows of finished hands, their scores, finished matches, and their players."""
    hands, scores, matches, players = _Rows(), _Rows(), _Rows(), _Rows()
    for save in saves:
        table = save.table
        if table is None or table.id not in when:
            continue
        of_table = {"table_id": table.id, "guild_id": table.guild_id}
        ended = {"ended_at": table.updated_at, "day": when[table.id].day, "season": when[table.id].season}
        for hand in save.hands:
            row = _row(hand)
            of_hand = of_table | {"hand_no": hand.hand_no}
            scores += [_row(score) | of_hand for score in row.pop("scores")]
            hands.append(row | of_table | ended)
        if save.match is not None:
            match = save.match
            row = _row(match)
            players += [_row(standing) | {"table_id": table.id} for standing in row.pop("standings")]
            matches.append(of_table | row | ended | {"terms": row.pop("options")})
    return hands, scores, matches, players


def _row(record: Any) -> _Row:
    return {each.name: getattr(record, each.name) for each in fields(record)}
