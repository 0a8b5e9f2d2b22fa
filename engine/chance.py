"""The seeded chance of the game: one stream of numbers and one shuffle, the same on every machine and Python.

The words are 32-bit and big-endian, of SHA-256 over `{seed}:{k}:{i}` (docs/scenarios.md, Chance). Imports
nothing of the project.
"""

from collections.abc import Iterator
from hashlib import sha256
from struct import Struct

_WORDS = Struct(">8I").unpack
_SPAN = 1 << 32
#: For each n up to the size of a deck, the least word that is skipped, so that each number below n is equally
#: likely.
_LIMITS = (0, *(_SPAN - _SPAN % n for n in range(1, 113)))


def words(text: str) -> Iterator[int]:
    """Yield the 32-bit words of a text without end, from the digests of `{text}:0`, `{text}:1` and so on."""
    start = sha256(f"{text}:".encode("ascii"))
    i = 0
    while True:
        block = start.copy()
        block.update(b"%d" % i)
        yield from _WORDS(block.digest())
        i += 1


def below(n: int, stream: Iterator[int]) -> int:
    """Take a number from 0 to n - 1 off a stream of words, each equally likely."""
    limit = _SPAN - _SPAN % n
    word = next(stream)
    while word >= limit:
        word = next(stream)
    return word % n


def shuffle(cards: list[int], seed: str, k: int) -> None:
    """Shuffle a pile in place, top first; `k` counts the shuffles of a hand from 0, the deal."""
    stream = words(f"{seed}:{k}")
    # below() written out, with its limits looked up: a deal takes 111 numbers, a good part of a hand's time.
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
    """Draw the first dealer's seat by lot (docs/rules.md, The deal)."""
    return below(players, words(f"{seed}/dealer:0"))
