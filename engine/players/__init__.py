"""Computer players, which see the same view as a person in their seat.

Each answers the decision awaited and says whether it calls its UNO, catches somebody or jumps in. Their dice
are a seeded stream, so that a run can be repeated; nothing else lasts from one decision to the next.
`POLICIES` is what the command line and the tables choose from.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from engine.players.base import Player
from engine.players.normal import NormalPlayer
from engine.players.plain import EasyPlayer, RandomPlayer
from engine.players.sharp import SharpPlayer

POLICIES: Final[dict[str, Callable[[Iterator[int]], Player]]] = {
    "random": RandomPlayer,
    "easy": EasyPlayer,
    "normal": NormalPlayer,
    "sharp": SharpPlayer,
}

__all__ = ["POLICIES", "EasyPlayer", "NormalPlayer", "Player", "RandomPlayer", "SharpPlayer"]
