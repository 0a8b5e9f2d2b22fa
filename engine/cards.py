"""The 54 card faces and the deck of 112.

A card is a small int, the id of its face: `colour * 13 + rank` for coloured cards, then the two wilds. The
properties of a card are looked up in parallel tables. Imports nothing of the project.
"""

from enum import Enum
from typing import Final

RED: Final = 0
YELLOW: Final = 1
GREEN: Final = 2
BLUE: Final = 3
NO_COLOUR: Final = -1
COLOUR_NAMES: Final = ("red", "yellow", "green", "blue")

SEVEN: Final = 7
ZERO: Final = 0
SKIP: Final = 10
REVERSE: Final = 11
DRAW_TWO: Final = 12
WILD: Final = 13

WILD_FOUR: Final = 52
ITEM_BOX: Final = 53
FACES: Final = 54
NO_CARD: Final = -1


class Item(Enum):
    """What a card does when a Wild Item Box flips it (docs/rules.md, Deck)."""

    MUSHROOM = "mushroom"
    BANANA_PEEL = "banana_peel"
    GREEN_SHELL = "green_shell"
    LIGHTNING = "lightning"
    BOB_OMB = "bob_omb"


_RANK_CODES: Final = "0123456789SRD"

#: The colour of each face, `NO_COLOUR` for the wilds.
COLOUR: Final = tuple(card // 13 for card in range(52)) + (NO_COLOUR, NO_COLOUR)
#: The rank of each face: its number, `SKIP`, `REVERSE`, `DRAW_TWO`, or `WILD`.
RANK: Final = tuple(card % 13 for card in range(52)) + (WILD, WILD)
#: The code of each face in notation: `R0` … `B9`, `RS` `RR` `RD`, `W4`, `WI`.
CODE: Final = tuple("RYGB"[card // 13] + _RANK_CODES[card % 13] for card in range(52)) + ("W4", "WI")
CARD_OF_CODE: Final = {code: card for card, code in enumerate(CODE)}
#: The points of each face (docs/rules.md, Points).
POINTS: Final = tuple(card % 13 if card % 13 <= 9 else 20 for card in range(52)) + (50, 50)
#: The item of each face.
ITEM: Final = tuple(
    (Item.MUSHROOM, Item.BANANA_PEEL, Item.GREEN_SHELL, Item.LIGHTNING)[card // 13] for card in range(52)
) + (Item.BOB_OMB, Item.BOB_OMB)

#: A new deck before shuffling, top first (docs/rules.md, Deck), in the order of docs/scenarios.md, Chance.
DECK: Final = (
    tuple(
        colour * 13 + rank
        for colour in range(4)
        for rank in (0, *(rank for rank in range(1, 13) for _ in (1, 2)))
    )
    + (WILD_FOUR,) * 4
    + (ITEM_BOX,) * 8
)
