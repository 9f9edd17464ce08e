"""The page on the architecture tells the truth: its picture, its files, and the way of a hello."""

import re
import tomllib
from pathlib import Path

from bench.house.picture import PICTURE, picture
from bench.house.source import PACKAGE, read_package

PAGE = PACKAGE.parent / "docs" / "architecture.md"
BOX = re.compile(r'<rect x="(-?\d+)" y="\d+" width="(\d+)"')
STATION = re.compile(r"^\d+\. `([\w/]+\.py)` `([\w.]+)`", re.MULTILINE)


def test_the_picture_shows_the_imports_of_today():
    """`python -m bench.house.picture` draws it anew."""
    assert PICTURE.read_text("utf-8") == picture()


def test_every_room_is_in_the_picture():
    """As wide as it is, with no box beyond its edges."""
    width = int(re.search(r'<svg [^>]*width="(\d+)"', picture())[1])
    boxes = [(int(x), int(wide)) for x, wide in BOX.findall(picture())]
    assert len(boxes) > 20
    assert all(x >= 0 and x + wide <= width for x, wide in boxes)


def test_each_station_of_a_hello_is_there():
    stations = STATION.findall(PAGE.read_text("utf-8"))
    assert len(stations) > 20
    for file, name in stations:
        tree = next(module for module in read_package() if module.path == Path(PACKAGE.name) / file)
        owner, _, method = name.rpartition(".")
        places = [tree.tree, *(place for place in tree.classes() if place.name == owner)]
        found = {getattr(node, "name", "") for node in places[-1 if owner else 0].body}
        assert not owner or len(places) == 2, f"{file} has no {owner}"
        assert method in found, f"{file} has no {name}"


def test_each_file_of_a_room_to_read_is_there():
    """Below the heading of the room, by its name in that room or its path; none is left out."""
    pages = re.findall(
        r"^### ([\w/]+)\n(.*?)(?=^##)", PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL
    )
    assert len(pages) == 6
    for room, page in pages:
        assert len(page.splitlines()) <= 27, room
        told = re.findall(r"`([\w/]+(?:\.py|/))`", page)
        for name in told:
            places = (PACKAGE / room / name, PACKAGE.parent / name, PACKAGE / name)
            assert any(place.exists() for place in places), f"{room}: {name}"
        files = {path.name for path in (PACKAGE / room).glob("*.py")} - {"__init__.py"}
        assert files <= {*told}, f"{room}: {files - {*told}}"


def test_each_room_is_on_the_page():
    """With a file to begin with that exists."""
    rows = re.findall(
        r"^\| (`[^|]+`) \|[^|]*\| `([\w/.]+)` \|", PAGE.read_text("utf-8"), re.MULTILINE
    )
    told = {room.strip("`/"): first for rooms, first in rows for room in rooms.split(", ")}
    for folder in (path.parent for path in PACKAGE.glob("*/__init__.py")):
        name = folder.name
        assert name == "migrations" or any(room.split("/")[0] == name for room in told), name
    for room, first in told.items():
        assert any((PACKAGE / place / first).exists() for place in (room, "", "agent/unasked")), (
            room
        )


def test_each_dependency_has_its_least_version():
    """Six are brought along by all games; more is each game's own choice, and bounded as well."""
    project = tomllib.loads((PACKAGE.parent / "pyproject.toml").read_text("utf-8"))["project"]
    brought, chosen = project["dependencies"], project["optional-dependencies"]
    assert len(brought) == 6
    chosen = [name for extra, names in chosen.items() if extra != "test" for name in names]
    for name in (*brought, *chosen):
        assert re.fullmatch(r"[\w.-]+(\[[\w,]+\])?>=[\d.]+", name), name
