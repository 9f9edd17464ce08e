"""The older three blocks: kept while a game moves to the six, and read."""

from __future__ import annotations

import json
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
MOST_PARTS = 500
"""People, and as many places, of one import."""
LONGEST = 1_000_000
"""Characters of a block that is text."""
SHARED = ("recent_facts", "public_facts", "shared_facts")
GROUPS = "group_interactions"
"""Fields of the block `human` that are for everybody: facts, and talks of several."""


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
    """Return the three blocks of an assistant, given by their labels: objects, or JSON as text.

    Raises `BlockRefused` where there is none of the three, or too much.
    """
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
    """Return the value of a block; of a text what it is as JSON, or the text itself."""
    if not isinstance(value, str):
        return value
    if len(value) > LONGEST:
        raise BlockRefused(f"A block has {len(value)} characters; {LONGEST} are allowed.")
    try:
        return json.loads(value)
    except (ValueError, RecursionError):
        return value


def _persona(value: Any) -> Json:
    if not isinstance(value, Mapping):
        value = {"personality": value} if isinstance(value, str) and value else {}
    named = {"_".join(str(name).lower().split()): part for name, part in value.items()}
    kept: Json = clean_json(named, 2000)
    if isinstance(kept.get("interests"), str):
        kept["interests"] = [part.strip() for part in kept["interests"].split(",") if part.strip()]
    return kept


def _people(value: Any) -> tuple[dict[str, Json], Json, list[str]]:
    """Return the texts about each person, those about nobody, and what could not be read."""
    if not isinstance(value, Mapping):
        return {}, {}, [clean(value, 200)] if value else []
    shared = {name: value[name] for name in (*SHARED, GROUPS) if name in value}
    rest = {name: part for name, part in value.items() if name not in shared}
    people = {str(name): dict(part) for name, part in rest.items() if isinstance(part, Mapping)}
    strange = [f"{name}: {part}" for name, part in rest.items() if not isinstance(part, Mapping)]
    return people, shared, [clean(part, 200) for part in strange]


def _places(value: Any) -> tuple[list[Json], list[str]]:
    if isinstance(value, Mapping):
        value = value.get("known_locations", value)
    places: list[Json] = []
    strange: list[str] = []
    for part in value if isinstance(value, list) else [value] if value else ():
        place = _place(part)
        if place:
            places.append(place)
        else:
            strange.append(clean(part, 200))
    return places, strange


def _place(place: Any) -> Json:
    if not isinstance(place, Mapping) or not clean(place.get("name") or "", 60):
        return {}
    given = place.get("coordinates")
    listed = given if isinstance(given, list | tuple) else []
    return {
        "name": clean(place["name"], 60),
        "description": clean(place.get("description") or "", 300),
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
