"""The picture of the house: rooms in their layers, drawn from pyproject's contract and the imports.

python -m bench.house.picture       writes docs/architecture.svg
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from bench.house.circles import import_graph
from bench.house.source import PACKAGE, Module, read_package

PICTURE = PACKAGE.parent / "docs" / "architecture.svg"
WIDTH, TOP, BOX, HIGH, GAP, STEP = 920, 16, 92, 30, 8, 70
"""The width of the picture, the space above it, the width and height of a box, the space between
boxes, and from one layer to the next."""
APART = 14
"""The space between two arrows."""
HEAD = f"""<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{{height}}"
 font-family="sans-serif" font-size="13" text-anchor="middle">
<style>
 rect {{{{ fill: #f3f6fa; stroke: #34495e; rx: 5 }}}}
 path {{{{ fill: none; stroke: #7a8896; stroke-width: 1.3; marker-end: url(#head) }}}}
 marker path {{{{ fill: #7a8896; stroke: none; marker-end: none }}}}
</style>
<marker id="head" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="8" markerHeight="8"
 orient="auto"><path d="M0 1 L10 5 L0 9 z"/></marker>
<title>The rooms of ai_assistant: each imports only from those below it</title>
<rect width="{WIDTH}" height="{{height}}" style="fill: white; stroke: none"/>
"""


def layers(pyproject: Path = PACKAGE.parent / "pyproject.toml") -> list[list[str]]:
    """Return the rooms of the layers, from the top down, as the contract of imports has them."""
    contracts = tomllib.loads(pyproject.read_text("utf-8"))["tool"]["importlinter"]["contracts"]
    told = next(contract["layers"] for contract in contracts if contract["type"] == "layers")
    return [[room.strip() for room in layer.replace("|", ":").split(":")] for layer in told]


def room_arrows(modules: Sequence[Module], rooms: set[str]) -> dict[str, set[str]]:
    """Return which rooms each room imports from, without what it reaches through others."""
    direct: dict[str, set[str]] = {room: set() for room in rooms}
    for importer, imported in import_graph(modules).items():
        for other in imported:
            pair = _room(importer), _room(other)
            if set(pair) <= rooms and pair[0] != pair[1]:
                direct[pair[0]].add(pair[1])
    return {
        room: {other for other in below if not _reached(direct, below - {other}, other)}
        for room, below in direct.items()
    }


def _room(module: str) -> str:
    return module.split(".")[1] if "." in module else ""


def _reached(direct: Mapping[str, set[str]], starts: set[str], goal: str) -> bool:
    seen, waiting = set(starts), [*starts]
    while waiting:
        below = direct[waiting.pop()] - seen
        seen |= below
        waiting += below
    return goal in seen


@dataclass(frozen=True)
class Place:
    """Where a room's box stands: its layer from the top, and the middle of its upper edge."""

    layer: int
    x: int

    @property
    def top(self) -> int:
        """The height of its upper edge."""
        return TOP + self.layer * STEP


def places(levels: Sequence[Sequence[str]]) -> dict[str, Place]:
    """Return where each room stands."""
    found = {}
    for layer, rooms in enumerate(levels):
        left = (WIDTH - len(rooms) * (BOX + GAP) + GAP + BOX) // 2
        for number, room in enumerate(rooms):
            found[room] = Place(layer, left + number * (BOX + GAP))
    return found


def lanes(
    at: Mapping[str, Place], arrows: Sequence[tuple[str, str]]
) -> dict[tuple[str, str], int | None]:
    """Return at which x each arrow passes the layers between its ends, beside all boxes.

    None for an arrow that has no layer to pass. No two arrows share a lane.
    """
    found: dict[tuple[str, str], int | None] = {}
    for arrow in arrows:
        start, end = (at[room] for room in arrow)
        passed = range(start.layer + 1, end.layer)
        boxes = [place.x for place in at.values() if place.layer in passed]
        taken = [
            lane
            for other, lane in found.items()
            if lane and at[other[0]].layer < end.layer and start.layer < at[other[1]].layer
        ]
        free = (
            x
            for x in range(APART, WIDTH, APART)
            if all(abs(x - box) > BOX // 2 + APART // 2 for box in boxes)
            and all(abs(x - lane) >= APART for lane in taken)
        )
        way = partial(_detour, start.x, end.x)
        found[arrow] = min(free, key=way) if passed else None
    return found


def _detour(start: int, end: int, lane: int) -> int:
    return abs(lane - start) + abs(lane - end)


def ports(
    at: Mapping[str, Place], ways: Mapping[tuple[str, str], int | None], end: int
) -> dict[tuple[str, str], int]:
    """Return at which x each arrow leaves its box (`end` 0), or arrives (1): spread along it."""
    found = {}
    for room, place in at.items():
        mine = sorted(
            (arrow for arrow in ways if arrow[end] == room),
            key=lambda arrow: ways[arrow] or at[arrow[1 - end]].x,
        )
        for number, arrow in enumerate(mine, start=1):
            found[arrow] = place.x - BOX // 2 + number * BOX // (len(mine) + 1)
    return found


def draw(levels: Sequence[Sequence[str]], arrows: Mapping[str, set[str]]) -> str:
    """Return the picture as SVG."""
    at = places(levels)
    ways = lanes(at, [(room, below) for room in at for below in sorted(arrows[room])])
    return "".join(_parts(at, ways, TOP + len(levels) * STEP))


def _parts(
    at: Mapping[str, Place], ways: Mapping[tuple[str, str], int | None], height: int
) -> Iterator[str]:
    yield HEAD.format(height=height)
    leaves, arrives = ports(at, ways, 0), ports(at, ways, 1)
    for arrow, lane in ways.items():
        start, end = (at[room] for room in arrow)
        path = f"M{leaves[arrow]} {start.top + HIGH}"
        if lane is not None:
            path += _bend(leaves[arrow], start.top + HIGH, lane) + f" V{end.top - STEP + HIGH}"
        path += _bend(lane or leaves[arrow], end.top - STEP + HIGH, arrives[arrow])
        yield f'<path d="{path}"/>\n'
    for room, place in at.items():
        yield f'<rect x="{place.x - BOX // 2}" y="{place.top}" width="{BOX}" height="{HIGH}"/>'
        yield f'<text x="{place.x}" y="{place.top + 20}">{room}</text>\n'
    yield "</svg>\n"


def _bend(x: int, y: int, to: int) -> str:
    """Return the curve from one layer's lower edge to the upper edge of the next."""
    middle = y + (STEP - HIGH) // 2
    return f" C{x} {middle} {to} {middle} {to} {y + STEP - HIGH}"


def picture() -> str:
    """Return the picture of the package as it stands."""
    levels = layers()
    rooms = {room for level in levels for room in level}
    return draw(levels, room_arrows(read_package(), rooms))


if __name__ == "__main__":
    PICTURE.write_text(picture(), "utf-8")
    print(PICTURE)
