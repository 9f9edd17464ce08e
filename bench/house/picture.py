"""The picture of the house: rooms in their layers, drawn from pyproject's contract and the imports.

python -m bench.house.picture       writes docs/architecture.svg
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from bench.house.circles import import_graph
from bench.house.source import PACKAGE, Module, read_package

PICTURE = PACKAGE.parent / "docs" / "architecture.svg"
WIDTH, BOX, HIGH, GAP, STEP = 900, 118, 30, 12, 62
"""The width of the picture, of a box, its height, the space between boxes, and between layers."""
HEAD = f"""<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{{height}}"
 font-family="sans-serif" font-size="13" text-anchor="middle">
<style>
 rect {{{{ fill: #f3f6fa; stroke: #34495e; rx: 5 }}}} path {{{{ fill: none; stroke: #9aa7b4 }}}}
</style>
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


def places(levels: Sequence[Sequence[str]]) -> dict[str, tuple[int, int]]:
    """Return the middle of each room's upper edge."""
    found = {}
    for level, rooms in enumerate(levels):
        whole = len(rooms) * (BOX + GAP) - GAP
        left = (WIDTH - whole) // 2 + BOX // 2
        for number, room in enumerate(rooms):
            found[room] = (left + number * (BOX + GAP), 16 + level * STEP)
    return found


def draw(levels: Sequence[Sequence[str]], arrows: Mapping[str, set[str]]) -> str:
    """Return the picture as SVG."""
    at = places(levels)
    return "".join(_parts(at, arrows, 16 + len(levels) * STEP))


def _parts(
    at: Mapping[str, tuple[int, int]], arrows: Mapping[str, set[str]], height: int
) -> Iterator[str]:
    yield HEAD.format(height=height)
    for room in at:
        for below in sorted(arrows[room]):
            (x, y), (to, end) = at[room], at[below]
            start = y + HIGH
            bend = (start + end) // 2
            yield f'<path d="M{x} {start} C{x} {bend} {to} {bend} {to} {end}"/>\n'
    for room, (x, y) in at.items():
        yield f'<rect x="{x - BOX // 2}" y="{y}" width="{BOX}" height="{HIGH}"/>'
        yield f'<text x="{x}" y="{y + 20}">{room}</text>\n'
    yield "</svg>\n"


def picture() -> str:
    """Return the picture of the package as it stands."""
    levels = layers()
    rooms = {room for level in levels for room in level}
    return draw(levels, room_arrows(read_package(), rooms))


if __name__ == "__main__":
    PICTURE.write_text(picture(), "utf-8")
    print(PICTURE)
