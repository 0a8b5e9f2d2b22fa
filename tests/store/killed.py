"""Save without end, and say what is saved, until killed: `python -m tests.store.killed URL FIRST_TABLE`."""

import asyncio
import sys
from typing import Final

from bot.store import Save, Store
from tests.store import making
from tests.store.making import ANN, BOB

TABLES: Final = 8


def step(number: int, version: int) -> Save:
    """Make a save that touches all that there is: a move in two parts ends a hand in every one."""
    log = tuple(
        making.move(number * 1_000_000 + version, number, position=part, part=part, hand_no=version)
        for part in range(2)
    )
    return Save(
        table=making.table(number, version),
        seats=making.seats(number),
        log=log,
        hands=(making.finished_hand((ANN, 20, True), (BOB, 0, False), hand_no=version),),
        tokens=(making.token(ANN, number, text=str(version), seconds=version / 1000),),
        screen=making.screen(number, version),
    )


async def play(store: Store, number: int) -> None:
    """Save one table again and again; each line says that a version of it is saved."""
    version = 0
    while True:
        version += 1
        assert await store.submit(step(number, version))
        sys.stdout.write(f"{number} {version}\n")
        sys.stdout.flush()


async def main(url: str, first: int) -> None:
    store = Store(url)
    await store.open()
    await asyncio.gather(*(play(store, number) for number in range(first, first + TABLES)))


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], int(sys.argv[2])))
