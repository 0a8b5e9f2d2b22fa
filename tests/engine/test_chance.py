"""docs/scenarios.md, Chance: known answers, computed here a second time and otherwise than in the engine."""

import hashlib
from collections.abc import Iterator
from typing import TypeVar

import pytest

from engine import chance
from engine.cards import CODE, DECK
from engine.replay import replay

T = TypeVar("T")


def words(text: str) -> Iterator[int]:
    """Return the words of a text as they are defined, four bytes at a time."""
    i = 0
    while True:
        digest = hashlib.sha256(f"{text}:{i}".encode("ascii")).digest()
        for at in range(0, 32, 4):
            yield int.from_bytes(digest[at : at + 4], "big")
        i += 1


def below(n: int, stream: Iterator[int]) -> int:
    """Take a number below n, with the words passed over that would favour small ones."""
    for word in stream:
        if word < 2**32 - (2**32 % n):
            return word % n
    raise AssertionError


def shuffled(cards: list[T], text: str) -> list[T]:
    """Shuffle a list, top first, by the words of a text."""
    cards = list(cards)
    stream = words(text)
    for i in reversed(range(1, len(cards))):
        j = below(i + 1, stream)
        cards[i], cards[j] = cards[j], cards[i]
    return cards


def test_words_are_those_of_the_digests() -> None:
    # printf '7/1:0:0' | sha256sum
    digest = hashlib.sha256(b"7/1:0:0").hexdigest()
    stream = chance.words("7/1:0")
    assert "".join(f"{next(stream):08x}" for _ in range(8)) == digest
    assert next(stream) == int(hashlib.sha256(b"7/1:0:1").hexdigest()[:8], 16)


def test_known_answer() -> None:
    stream = chance.words("0/1:0")
    assert [next(stream) for _ in range(3)] == [3800793438, 122359773, 3797106797]


@pytest.mark.parametrize("size", [0, 1, 2, 3, 50, 112, 113, 300])
@pytest.mark.parametrize(("seed", "k"), [("0/1", 0), ("7/1", 0), ("x", 12)])
def test_shuffle(size: int, seed: str, k: int) -> None:
    pile = [card % 54 for card in range(size)]
    expected = shuffled(pile, f"{seed}:{k}")
    chance.shuffle(pile, seed, k)
    assert pile == expected


def test_words_that_favour_small_numbers_are_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    highest = 2**32 - 1
    # 2**32 is 1 mod 3, so the highest word alone is passed over for three, and none for two.
    monkeypatch.setattr(chance, "words", lambda text: iter([highest, 4, highest]))
    pile = [10, 11, 12]
    chance.shuffle(pile, "", 0)
    # Index 2 is swapped with 4 % 3 = 1, then index 1 with highest % 2 = 1, itself.
    assert pile == [10, 12, 11]
    assert chance.below(3, iter([highest, 5])) == 2
    assert chance.below(2, iter([highest, 5])) == 1


@pytest.mark.parametrize("players", range(2, 11))
def test_first_dealer(players: int) -> None:
    for seed in ("0", "7", "x"):
        assert chance.first_dealer(seed, players) == below(players, words(f"{seed}/dealer:0"))


def test_the_first_hand_of_a_seed() -> None:
    names = ["ann", "bob", "cat"]
    pile = shuffled([CODE[card] for card in DECK], "11/1:0")
    answer = replay({"players": names, "seed": 11, "dealer": "cat"})
    state = answer["state"]
    assert isinstance(state, dict)
    assert {name: sorted(state["hands"][name]) for name in names} == {
        name: sorted(pile[place:21:3]) for place, name in enumerate(names)
    }


def test_a_discard_pile_is_shuffled_top_first() -> None:
    discard = [f"Y{number}" for number in range(10)]
    names = ["ann", "bob"]
    scenario = {
        "players": names,
        "position": {
            "hands": {"ann": ["B5"], "bob": ["B6"]},
            "draw": [],
            "discard": ["R1", *discard],
            "turn": "ann",
        },
        "actions": [[names[number % 2], "timeout"] for number in range(10)],
    }
    drawn = [
        event["private"]["cards"][0]
        for result in replay(scenario)["results"]
        for event in result["events"]
        if event["type"] == "cards_drawn"
    ]
    assert drawn == shuffled(discard, "0/1:1")


def test_the_order_of_a_new_deck() -> None:
    codes = [f"{colour}{face}" for colour in "RYGB" for face in "0112233445566778899SSRRDD"]
    assert [CODE[card] for card in DECK] == codes + ["W4"] * 4 + ["WI"] * 8
