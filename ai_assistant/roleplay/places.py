"""Nested places: which lies in which, and how near a memory's place is to where one is.

Places are a mapping of each place to the one that it lies in (seed `roleplay_memory` §16.2); names
are compared without case.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

NEAR = 0.1
"""The share by which a memory of the present place, or of one that is named, counts more."""


def path_of(place: str, places: Mapping[str, Any]) -> list[str]:
    """Return a place and all that it lies in, from within: cave, lair, mountains."""
    outer = {inner.casefold(): str(one) for inner, one in places.items()}
    found: list[str] = []
    while place and place.casefold() not in map(str.casefold, found):
        found.append(place)
        place = outer.get(place.casefold(), "")
    return found


def path_text(place: str, places: Mapping[str, Any]) -> str:
    """Return where a place is, in words: ``cave, in lair, in mountains``."""
    return ", in ".join(path_of(place, places))


def depth_in(place: str, region: str, places: Mapping[str, Any]) -> int | None:
    """Return how many steps a place lies within a region, 0 for the region; None: it does not."""
    path = [one.casefold() for one in path_of(place, places)]
    return path.index(region.casefold()) if region.casefold() in path else None


def places_in(region: str, places: Mapping[str, Any]) -> list[str]:
    """Return the region and all places that lie in it."""
    inner = (one for one in places if one.casefold() != region.casefold())
    return [region, *(one for one in inner if depth_in(one, region, places) is not None)]


def weights(place: str, places: Mapping[str, Any], asked: str) -> dict[str, float]:
    """Return {place in small letters: the factor by which its memories count}.

    Full weight has the place where one is, and a place named in what is `asked` with all that lies
    in it. Around and within where one is, it falls with each step.
    """
    known = {*places, *map(str, places.values()), place} - {""}
    said = asked.casefold()
    named = [one for one in known if one.casefold() in said]
    found: dict[str, float] = {}
    for one in known:
        steps = _steps(one, place, places)
        if any(depth_in(one, region, places) is not None for region in named):
            steps = 0
        if steps is not None:
            found[one.casefold()] = 1 + NEAR / (1 + steps)
    return found


def _steps(one: str, place: str, places: Mapping[str, Any]) -> int | None:
    """Return how far a place is from another that lies in it, or in which it lies."""
    ways: Sequence[int | None] = (depth_in(one, place, places), depth_in(place, one, places))
    return next((steps for steps in ways if steps is not None), None)
