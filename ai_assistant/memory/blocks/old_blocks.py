"""The older three blocks: kept while a game moves to the six, and read in any form."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ai_assistant.core.contracts import Json
from ai_assistant.core.errors import BlockRefused
from ai_assistant.core.text import clean, clean_json
from ai_assistant.memory import labelled
from ai_assistant.memory.parts import Part

LAYOUT = "block_layout"
SIX, THREE = "six", "three"
LAYOUTS = (SIX, THREE)
NAME = "old_layout"


def keep_layout(
    layout: Json,
    *,
    persona: Json,
    human: Mapping[str, Sequence[str]],
    locations: Sequence[Json],
    at: float,
) -> None:
    """Replace the three blocks; `human` maps ids of people to lines, which only they may read."""
    layout["persona"] = persona
    layout["human"] = {
        key: [labelled.item(line, at=at, readers=key, author=key) for line in lines]
        for key, lines in human.items()
    }
    layout["locations"] = [*locations]


OLD_LAYOUT = Part(
    name=NAME,
    attribute=NAME,
    shape={"persona": {}, "human": {}, "locations": []},
    steps={"keep": keep_layout},
)

OLD = ("persona", "human", "locations")
LONGEST_NAME = 60
MOST_PARTS = 500
"""People, and as many places, of one import."""
LONGEST = 1_000_000
"""Characters of a block that is text."""
_PEOPLE = ("users", "players", "people")
_PLACES = ("known_locations", "locations", "places")
_SIGN = re.compile(r":|\s-\s")
_NUMBER = r"-?\d+(?:\.\d+)?"
_COORDINATES = re.compile(rf"[(\[]\s*({_NUMBER}(?:\s*,\s*{_NUMBER}){{1,2}})\s*[)\]]")
_TOP = ("recent_facts", "public_facts", "shared_facts", "group_interactions")


@dataclass(frozen=True, slots=True)
class OldBlocks:
    """The older layout, read."""

    persona: Json = field(default_factory=dict)
    """The fields of the block `persona`."""
    people: Mapping[str, Json] = field(default_factory=dict)
    """What the block `human` held about each person, by name."""
    shared: Json = field(default_factory=dict)
    """What it held of nobody in particular."""
    places: Sequence[Json] = ()
    """The places of the block `locations`, each with name, description and coordinates."""
    strange: Sequence[str] = ()
    """What could not be read."""


def read_old(data: Any) -> OldBlocks:
    """Return the three blocks of an assistant.

    `data` maps their labels to values, or is a list of objects with ``label`` and ``value``. A
    value is an object, JSON as text, or lines such as ``Role: guard``. Raises `BlockRefused` where
    there is none of the three, or too much.
    """
    if isinstance(data, list):
        pairs = [part for part in data if isinstance(part, Mapping) and "label" in part]
        data = {pair["label"]: pair.get("value") for pair in pairs}
    if not isinstance(data, Mapping):
        raise BlockRefused("That is no object with the blocks persona, human and locations.")
    persona, human, locations = (_parsed(data.get(name)) for name in OLD)
    if not (persona or human or locations):
        raise BlockRefused(f"There is no block of the older layout: {', '.join(OLD)}.")
    people, shared, strange = _people(human)
    places, odd = _places(locations)
    most = max(len(people), len(places))
    if most > MOST_PARTS:
        raise BlockRefused(f"There are {most} people or places in it; {MOST_PARTS} are allowed.")
    return OldBlocks(_persona(persona), people, shared, places, [*strange, *odd])


def _parsed(value: Any) -> Any:
    """Return the value of a block, JSON from a text; of any other text its lines."""
    if isinstance(value, Mapping) and "value" in value:
        value = value["value"]
    if not isinstance(value, str):
        return value
    if len(value) > LONGEST:
        raise BlockRefused(f"A block has {len(value)} characters; {LONGEST} are allowed.")
    try:
        return json.loads(value)
    except (ValueError, RecursionError):
        return [line.strip() for line in value.splitlines() if line.strip()]


def _persona(value: Any) -> Json:
    if isinstance(value, list):
        lines = [(_named(line), line) for line in map(str, value)]
        value = dict(found for found, _ in lines if found)
        if rest := [line for found, line in lines if not found]:
            value["personality"] = " ".join(rest)
    if not isinstance(value, Mapping):
        return {}
    named = {"_".join(str(name).lower().split()): part for name, part in value.items()}
    kept: Json = clean_json(named, 2000)
    if isinstance(kept.get("interests"), str):
        kept["interests"] = [part.strip() for part in kept["interests"].split(",") if part.strip()]
    return kept


def _named(line: str) -> tuple[str, str] | None:
    """Return name and text of a line like ``- Role: guard``; None if it has no short name."""
    name, *rest = (part.strip() for part in _SIGN.split(line.lstrip("-* \t"), maxsplit=1))
    return (name, rest[0]) if rest and rest[0] and 0 < len(name) <= LONGEST_NAME else None


def _people(value: Any) -> tuple[dict[str, Json], Json, list[str]]:
    """Return the texts about each person, those about nobody, and what could not be read."""
    if isinstance(value, list):
        return _people_of_lines([str(part) for part in value])
    if not isinstance(value, Mapping):
        return {}, {}, []
    shared = {name: value[name] for name in _TOP if name in value}
    rest = {name: part for name, part in value.items() if name not in shared}
    for name in _PEOPLE:
        if isinstance(rest.get(name), Mapping):
            inner = rest.pop(name)
            rest |= inner
    if isinstance(rest.get("name"), str):
        return {str(rest.pop("name")): rest}, shared, []
    people = {str(name): dict(part) for name, part in rest.items() if isinstance(part, Mapping)}
    strange = [f"{name}: {part}" for name, part in rest.items() if not isinstance(part, Mapping)]
    return people, shared, [clean(part, 200) for part in strange]


def _people_of_lines(lines: Sequence[str]) -> tuple[dict[str, Json], Json, list[str]]:
    """Read lines: those under ``Name: …`` are about that person, others name whom they mean."""
    people: dict[str, Json] = {}
    strange: list[str] = []
    whose = ""
    for line in lines:
        found = _named(line)
        name, text = found or ("notes", line)
        if found and name.lower() == "name":
            whose = text
            people.setdefault(whose, {})
        elif whose:
            people[whose].setdefault("_".join(name.lower().split()), []).append(text)
        elif found:
            people.setdefault(name, {}).setdefault("notes", []).append(text)
        else:
            strange.append(clean(line, 200))
    return people, {}, strange


def _places(value: Any) -> tuple[list[Json], list[str]]:
    if isinstance(value, Mapping):
        value = next((value[name] for name in _PLACES if value.get(name) is not None), value)
    if isinstance(value, Mapping):
        value = [
            {"name": name, **(part if isinstance(part, Mapping) else {"description": part})}
            for name, part in value.items()
        ]
    places: list[Json] = []
    strange: list[str] = []
    for part in value if isinstance(value, list) else ():
        place = _place(part)
        if place:
            places.append(place)
        else:
            strange.append(clean(part, 200))
    return places, strange


def _place(place: Any) -> Json:
    if isinstance(place, str):
        at = _COORDINATES.search(place)
        rest = _COORDINATES.sub(" ", place).strip(" -")
        name, text = _named(rest) or (rest, "")
        place = {
            "name": name,
            "description": text,
            "coordinates": [float(n) for n in at[1].split(",")] if at else [],
        }
    if not isinstance(place, Mapping) or not clean(place.get("name") or "", 60):
        return {}
    given: Any = next(
        (place[key] for key in ("coordinates", "coords", "position") if place.get(key)), []
    )
    listed = given if isinstance(given, list | tuple) else []
    return {
        "name": clean(place["name"], 60),
        "description": clean(place.get("description") or place.get("desc") or "", 300),
        "coordinates": [n for n in listed if isinstance(n, int | float)],
    }


def texts_of(value: Any) -> Iterator[str]:
    """Yield the texts of a field: one, each of a list, or ``key: value`` of an object."""
    if isinstance(value, list | tuple):
        for part in value:
            yield from texts_of(part)
    elif isinstance(value, Mapping):
        yield "; ".join(f"{name}: {part}" for name, part in value.items())
    elif value not in (None, ""):
        yield str(value)
