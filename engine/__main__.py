"""The engine's command line: `replay` and `simulate` (docs/scenarios.md, Commands).

Bad input ends in one line on standard error and exit status 2.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

from engine.errors import BadInput
from engine.players import POLICIES
from engine.replay import replay
from engine.simulate import simulate


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise BadInput(self.prog, message)


def _parse(text: bytes) -> object:
    try:
        return json.loads(text.decode())
    except UnicodeDecodeError as error:
        raise BadInput("scenario", "is not UTF-8") from error
    except (ValueError, RecursionError) as error:
        raise BadInput("scenario", f"is not JSON: {error}") from error


def _read(path: str) -> bytes:
    try:
        return sys.stdin.buffer.read() if path == "-" else Path(path).read_bytes()
    except OSError as error:
        raise BadInput(path, error.strerror or "cannot be read") from error


def _replay_lines(text: bytes) -> None:
    lines = text.split(b"\n")
    if not lines[-1]:
        lines.pop()
    for line in lines:
        try:
            answer = replay(_parse(line))
        except BadInput as error:
            answer = {"bad_input": _one_line(error)}
        print(json.dumps(answer))


def _one_line(error: BadInput) -> str:
    # A quoted value may hold line breaks and lone surrogates, which cannot be printed.
    return " ".join(str(error).split()).encode(errors="backslashreplace").decode()


def _policies(text: str) -> list[str]:
    names = text.split(",")
    for name in names:
        if name not in POLICIES:
            raise BadInput("--policy", f"{name!r} is none of {', '.join(POLICIES)}")
    return names


def _simulate(options: argparse.Namespace) -> None:
    policies = _policies(options.policy)
    players = max(len(policies), 2) if options.players is None else options.players
    if not 2 <= players <= 10:
        raise BadInput("--players", "must be 2 to 10")
    if len(policies) == 1:
        policies *= players
    if len(policies) != players:
        raise BadInput("--policy", f"names {len(policies)} policies for {players} players")
    if options.hands < 1:
        raise BadInput("--hands", "must be at least 1")
    if not options.seed.isascii():
        raise BadInput("--seed", "must be ASCII")
    began = time.perf_counter()
    result = simulate(policies, options.hands, options.seed, rotate=options.rotate)
    seconds = time.perf_counter() - began
    out = {
        "hands": result.hands,
        "moves": result.moves,
        "seconds": round(seconds, 3),
        "hands_per_s": round(result.hands / seconds, 1),
        "moves_per_s": round(result.moves / seconds, 1),
        "blocked": result.blocked,
        "mean_moves": round(result.moves / result.hands, 2),
        "wins": result.wins,
        "digest": result.digest,
    }
    if options.json:
        print(json.dumps(out))
    else:
        for name, value in out.items():
            print(f"{name:12} {value}")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit status, 2 for bad input."""
    parser = _Parser(prog="python -m engine", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    replaying = commands.add_parser("replay", help="play a scenario and print what came of it")
    replaying.add_argument("--lines", action="store_true", help="one scenario a line, one answer a line")
    replaying.add_argument("file", help="a file, or - for standard input")
    simulating = commands.add_parser("simulate", help="let computer players play whole hands")
    simulating.add_argument("--players", type=int)
    simulating.add_argument("--hands", type=int, default=1000)
    simulating.add_argument("--seed", default="0")
    simulating.add_argument(
        "--policy", default="random", help="one for all seats, or one a seat, comma-separated"
    )
    simulating.add_argument("--rotate", action="store_true", help="move the policies round the seats")
    simulating.add_argument("--json", action="store_true")
    try:
        options = parser.parse_args(arguments)
        if options.command == "simulate":
            _simulate(options)
        elif options.lines:
            _replay_lines(_read(options.file))
        else:
            print(json.dumps(replay(_parse(_read(options.file)))))
    except BadInput as error:
        print(_one_line(error), file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
