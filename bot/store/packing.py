"""The moves of a finished hand as one compressed value: a tenth of what their rows take.

Nothing is left out. Of times and of interactions, which grow, the differences are kept. Imports the store's
records only.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from itertools import accumulate, pairwise
from typing import Any, Final

from bot.store.records import LogRecord

#: The form of what is packed.
_FORM: Final = 1
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND: Final = timedelta(microseconds=1)


def pack(moves: Sequence[LogRecord]) -> bytes:
    """Pack the moves of a hand, at least one."""
    clicks = [move.interaction_id for move in moves if move.interaction_id is not None]
    packed = {
        "form": _FORM,
        "moves": [move.move for move in moves],
        "seats": [move.seat for move in moves],
        "auto": [int(move.auto) for move in moves],
        "positions": _differences([move.position for move in moves]),
        "parts": [move.part if move.interaction_id is not None else -move.part - 1 for move in moves],
        "clicks": _differences(clicks),
        "at": _differences([(move.at - _EPOCH) // _MICROSECOND for move in moves]),
    }
    return zlib.compress(json.dumps(packed, ensure_ascii=False, separators=(",", ":")).encode(), 9)


def unpack(packed: bytes, table_id: int, hand_no: int) -> list[LogRecord]:
    """Return the moves of a hand that `pack` packed; raises ValueError for anything else."""
    try:
        kept: dict[str, Any] = json.loads(zlib.decompress(packed))
        if kept["form"] != _FORM:
            raise ValueError(f"{kept['form']!r} is no known form of packed moves")
        clicks = accumulate(kept["clicks"])
        columns = zip(
            kept["moves"],
            kept["seats"],
            kept["auto"],
            accumulate(kept["positions"]),
            kept["parts"],
            accumulate(kept["at"]),
            strict=True,
        )
        return [
            LogRecord(
                table_id=table_id,
                hand_no=hand_no,
                position=position,
                interaction_id=next(clicks) if part >= 0 else None,
                part=part if part >= 0 else -part - 1,
                seat=seat,
                move=move,
                auto=bool(auto),
                at=_EPOCH + at * _MICROSECOND,
            )
            for move, seat, auto, position, part, at in columns
        ]
    except (zlib.error, KeyError, TypeError) as error:
        raise ValueError(f"these moves cannot be unpacked: {error!r}") from error


def _differences(numbers: Sequence[int]) -> list[int]:
    return [*numbers[:1], *(later - number for number, later in pairwise(numbers))]
