"""The way between a bot and Discord, which takes time."""

import argparse
import random


class Way:
    """How long requests, answers and events are on their way, in seconds.

    There and back take `mean` ± `spread`; each half of that is drawn on its own.
    """

    def __init__(self, mean: float = 0.120, spread: float = 0.040, *, seed: int = 1) -> None:
        self.most = mean + spread
        self._least = mean - spread
        self._dice = random.Random(seed)

    def once(self) -> float:
        """Return how long the next one takes, in one direction."""
        return self._dice.uniform(self._least, self.most) / 2


def add_option(parser: argparse.ArgumentParser) -> None:
    """Let a command line choose how long the way is."""
    parser.add_argument(
        "--way",
        type=float,
        nargs=2,
        default=(120.0, 40.0),
        metavar=("MEAN", "SPREAD"),
        help="milliseconds to Discord and back; 0 0 for none",
    )


def way_of(options: argparse.Namespace) -> Way | None:
    """Return the way that was chosen, None where it takes no time."""
    mean, spread = options.way
    return Way(mean / 1000, spread / 1000, seed=options.seed) if mean else None
