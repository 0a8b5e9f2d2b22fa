"""The seeded chance of the game: one stream of numbers and one shuffle, the same on every machine and Python.

Defined in SCENARIOS.md, Chance: 32-bit big-endian words of SHA-256 over `{seed}:{k}:{i}`. Imports nothing of
the project.
"""

from collections.abc import Iterator
from hashlib import sha256
from struct import Struct

_WORDS = Struct(">8I").unpack
_SPAN = 1 << 32
#: For each n up to a deck's size the words that are passed over, lest small numbers come up more often: from
#: here on.
_LIMITS = (0, *(_SPAN - _SPAN % n for n in range(1, 113)))


def words(text: str) -> Iterator[int]:
    """Yield the endless stream of 32-bit words of a text, the digests of `{text}:0`, `{text}:1`, … ."""
    start = sha256(f"{text}:".encode("ascii"))
    i = 0
    while True:
        block = start.copy()
        block.update(b"%d" % i)
        yield from _WORDS(block.digest())
        i += 1


def below(n: int, stream: Iterator[int]) -> int:
    """Take the next number from 0 to n - 1 off a stream of words, each equally likely."""
    limit = _SPAN - _SPAN % n
    word = next(stream)
    while word >= limit:
        word = next(stream)
    return word % n


def shuffle(cards: list[int], seed: str, k: int) -> None:
    """Shuffle a pile in place; the list is top first, `k` counts the shuffles of a hand from 0 (the deal)."""
    stream = words(f"{seed}:{k}")
    # Written out rather than calling below(), with the limits looked up: a deal is 111 draws, a good part of
    # a hand's time.
    limits = (
        _LIMITS if len(cards) < len(_LIMITS) else [_SPAN - _SPAN % max(n, 1) for n in range(len(cards) + 1)]
    )
    for size in range(len(cards), 1, -1):
        word = next(stream)
        while word >= limits[size]:
            word = next(stream)
        j = word % size
        last = size - 1
        cards[last], cards[j] = cards[j], cards[last]


def first_dealer(seed: str, players: int) -> int:
    """Draw the seat of a match's first dealer by lot (RULES.md, A hand)."""
    return below(players, words(f"{seed}/dealer:0"))
