"""Reading rows one by one, so that a damaged row costs its table and no other.

SQLite stores any value in any column, and one of a wrong type fails the whole query that reads it. So these
rows are read as bytes, and each is parsed by itself. Imports SQLAlchemy.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import fields
from datetime import UTC, datetime
from types import NoneType
from typing import Any, TypeVar, get_args, get_type_hints

import structlog
from sqlalchemy import ColumnElement, LargeBinary, Table, cast

_log = structlog.get_logger(__name__)

_Record = TypeVar("_Record")
_Parse = Callable[[bytes | None], Any]


def raw_columns(table: Table, record: type) -> list[ColumnElement[Any]]:
    """Return the columns of a record's fields as bytes."""
    return [cast(table.c[each.name], LargeBinary) for each in fields(record)]


def read_rows(
    record: type[_Record], rows: Iterable[Sequence[bytes | None]]
) -> tuple[list[_Record], set[int]]:
    """Parse raw rows; returns the good ones as records, and the ids of the tables that have damaged ones.

    The first column is the table's id. Each damaged row is logged, without its values.
    """
    parsers = _parsers(record)
    good: list[_Record] = []
    damaged: set[int] = set()
    for row in rows:
        try:
            good.append(record(*(parse(value) for parse, value in zip(parsers, row, strict=True))))
        except (TypeError, ValueError) as error:
            table_id = _integer_or_none(row[0])
            if table_id is not None:
                damaged.add(table_id)
            _log.error("row_damaged", record=record.__name__, table=table_id, problem=type(error).__name__)
    return good, damaged


def _parsers(record: type) -> list[_Parse]:
    hints = get_type_hints(record)
    return [_parser(hints[each.name]) for each in fields(record)]


def _parser(hint: Any) -> _Parse:
    kinds = get_args(hint) or (hint,)
    if dict in (hint, getattr(hint, "__origin__", None)):
        return _json_object
    parse = next(_PARSERS[kind] for kind in kinds if kind is not NoneType)
    optional = NoneType in kinds

    def read(value: bytes | None) -> Any:
        if value is None:
            if optional:
                return None
            raise TypeError("NULL")
        return parse(value)

    return read


def _time(value: bytes) -> datetime:
    return datetime.fromisoformat(value.decode()).replace(tzinfo=UTC)


#: How a value that is not NULL is read, by the type of its field.
_PARSERS: dict[type, Callable[[bytes], Any]] = {
    int: int,
    bool: lambda value: bool(int(value)),
    str: bytes.decode,
    datetime: _time,
}


def _integer_or_none(value: bytes | None) -> int | None:
    try:
        return None if value is None else int(value)
    except ValueError:
        return None


def _json_object(text: bytes | None) -> dict[str, Any]:
    """Parse a JSON object; returns an empty one for anything else."""
    try:
        value = json.loads(text or b"{}")
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}
