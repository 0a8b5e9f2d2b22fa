"""Draws docs/architecture.svg from the imports: `python -m tests.architecture.picture`, `make architecture`.

A box is a part of the program, an arrow leads to a part that it imports. Left out are an arrow that a longer
way implies, and what is taken from the package `bot` itself: its version.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from html import escape
from itertools import pairwise
from typing import Final

from tests.architecture.code import ROOT, modules, within
from tests.architecture.test_imports import room

PICTURE: Final = ROOT / "docs/architecture.svg"
#: What each box says below its name.
CAPTIONS: Final = {
    "engine": "the game: no clock, no Discord",
    "bot.settings": "the operator's settings",
    "bot.logs": "where log lines go",
    "bot.clock": "the time the bot goes by",
    "bot.metrics": "figures for Prometheus",
    "bot.tallies": "what results add up to: pure",
    "bot.store": "the database: one writer, readers",
    "bot.model": "one table, one server: pure",
    "bot.tables": "live tables, the scheduler",
    "bot.ui.kit": "custom_ids, layout, emoji, pictures",
    "bot.ui.text": "what a screen says",
    "bot.ui.screens": "what a screen looks like",
    "bot.messages": "what the bot sends by itself",
    "bot.interactions": "buttons, menus, slash commands",
    "bot.client": "the connection to Discord",
    "bot.ops": "health, doctor, backup, smoke",
    "bot": "create_bot puts it together",
    "bot.__main__": "the command line",
    "bot.playground": "the bot in a browser",
}

#: A box; the step from layer to layer; the gap in a layer; the room of an arrow that passes one; the margin.
WIDE, HIGH, DOWN, ACROSS, PASSING, MARGIN = 212, 48, 92, 24, 20, 24

HEAD: Final = """\
<svg xmlns="http://www.w3.org/2000/svg" width="{wide:g}" height="{high:g}" viewBox="0 0 {wide:g} {high:g}"
  font-family="system-ui, sans-serif" text-anchor="middle">
<title>The parts of Lastlap and what each imports</title>
<defs><marker id="head" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" markerHeight="8" orient="auto">
<path d="M0 0 8 4 0 8z" fill="#556"/></marker></defs>
<rect width="{wide:g}" height="{high:g}" fill="#fff"/>"""
ARROW: Final = '<path d="{way}" fill="none" stroke="#556" marker-end="url(#head)"/>'
BOX: Final = f"""\
<g transform="translate({{left:g}} {{y:g}})">
<rect width="{WIDE}" height="{HIGH}" rx="8" fill="#eef3fb" stroke="#334"/>
<text x="{WIDE / 2:g}" y="21" font-size="14" font-weight="600">{{name}}</text>
<text x="{WIDE / 2:g}" y="38" font-size="11">{{says}}</text></g>"""

Graph = Mapping[str, frozenset[str]]


def box(name: str) -> str:
    """Return the box that a module stands in."""
    return "engine" if within(name, "engine") else room(name)


def imports() -> Graph:
    """Return for each box the boxes that its modules import."""
    found: dict[str, set[str]] = {}
    for module in modules("engine", "bot"):
        used = found.setdefault(box(module.name), set())
        for name in module.imports():
            if within(name, "engine", "bot") and name not in ("bot", "bot.VERSION"):
                used.add(box(name))
    return {here: frozenset(used - {here}) for here, used in found.items()}


def layers(graph: Graph) -> dict[str, int]:
    """Return how far below the top each box stands: below all that import it. Raises on a circle."""
    depth: dict[str, int] = {}

    def visit(here: str, path: tuple[str, ...]) -> int:
        if here in path:
            raise ValueError(f"a circle: {' is imported by '.join((*path[path.index(here) :], here))}")
        if here not in depth:
            users = sorted(user for user in graph if here in graph[user])
            depth[here] = 1 + max((visit(user, (*path, here)) for user in users), default=-1)
        return depth[here]

    for here in sorted(graph):
        visit(here, ())
    return depth


def without_detours(graph: Graph) -> Graph:
    """Leave out each arrow to a box that is reached through another box too."""

    def reached(here: str) -> set[str]:
        return {far for used in graph[here] for far in (used, *reached(used))}

    return {
        here: frozenset(used - {far for other in used for far in reached(other)})
        for here, used in graph.items()
    }


def ways(graph: Graph, depth: Mapping[str, int]) -> list[list[str]]:
    """Return each arrow as the places it goes through: one in every layer between its two boxes."""
    found = []
    for here in sorted(graph):
        for used in sorted(graph[here]):
            between = [f"{here}>{used}@{layer}" for layer in range(depth[here] + 1, depth[used])]
            found.append([here, *between, used])
    return found


def rows_of(all_ways: list[list[str]], depth: Mapping[str, int]) -> list[list[str]]:
    """Put all places in rows, the top one first, each in an order in which few arrows cross."""
    rows: list[list[str]] = [[] for _ in range(max(depth.values()) + 1)]
    for here in sorted(depth):
        rows[depth[here]].append(here)
    near: dict[str, set[str]] = {here: set() for here in depth}
    for way in all_ways:
        for step, place in enumerate(way[1:-1], start=1):
            rows[depth[way[0]] + step].append(place)
        for upper, lower in pairwise(way):
            near.setdefault(upper, set()).add(lower)
            near.setdefault(lower, set()).add(upper)
    at = {place: spot for row in rows for place, spot in spread(row).items()}
    for turn in range(24):
        for row in rows if turn % 2 else reversed(rows):
            row.sort(key=lambda place: sum(at[other] for other in near[place]) / max(len(near[place]), 1))
            at |= spread(row)
    return rows


def width_of(place: str) -> int:
    """Return how wide a place is."""
    return PASSING if "@" in place else WIDE


def spread(row: list[str]) -> dict[str, float]:
    """Return the middle of each place of a row, which is centred on 0."""
    left = -(sum(map(width_of, row)) + ACROSS * (len(row) - 1)) / 2
    middles = {}
    for place in row:
        middles[place] = left + width_of(place) / 2
        left += width_of(place) + ACROSS
    return middles


def draw() -> str:
    """Return the picture as SVG."""
    graph = imports()
    depth = layers(graph)
    all_ways = ways(without_detours(graph), depth)
    rows = rows_of(all_ways, depth)
    spots = [spread(row) for row in rows]
    left = min(x - width_of(place) / 2 for spot in spots for place, x in spot.items()) - MARGIN
    wide, high = -2 * left, DOWN * (len(rows) - 1) + HIGH + 2 * MARGIN
    x = {place: middle - left for spot in spots for place, middle in spot.items()}
    y = {place: MARGIN + DOWN * level for level, row in enumerate(rows) for place in row}
    return "\n".join(
        [
            HEAD.format(wide=wide, high=high),
            *(ARROW.format(way=line(way, x, y)) for way in all_ways),
            *(
                BOX.format(left=x[here] - WIDE / 2, y=y[here], name=here, says=escape(CAPTIONS[here]))
                for here in sorted(depth)
            ),
            "</svg>\n",
        ]
    )


def line(way: list[str], x: Mapping[str, float], y: Mapping[str, int]) -> str:
    """Return an arrow as an SVG path: curves from layer to layer, straight beside the boxes it passes."""
    parts = [f"M{x[way[0]]:g} {y[way[0]] + HIGH:g}"]
    for upper, lower in pairwise(way):
        top, end = y[upper] + HIGH, y[lower]
        middle = (top + end) / 2
        parts.append(f"C{x[upper]:g} {middle:g} {x[lower]:g} {middle:g} {x[lower]:g} {end:g}")
        if lower != way[-1]:
            parts.append(f"V{end + HIGH:g}")
    return "".join(parts)


if __name__ == "__main__":
    PICTURE.write_text(draw())
    sys.stdout.write(f"{PICTURE.relative_to(ROOT)} is drawn.\n")
