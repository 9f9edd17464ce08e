"""Nested places: which lies in which, and how near a memory's place is to where one is.

They are a mapping of each place to the one that it lies in; names are compared without case.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ai_assistant.core.errors import AssistantError

NEAR = 0.1
"""The share by which a memory of the present place, or of one that is named, counts more."""
MOST_PLACES = 40
DEEPEST = 8
"""So many places lie in each other at most, the innermost and the outermost among them."""


def path_text(place: str, places: Mapping[str, Any]) -> str:
    """Return where a place is, in words: ``cave, in lair, in mountains``."""
    return ", in ".join(_path(place, _outward(places)).values())


def places_in(region: str, places: Mapping[str, Any]) -> list[str]:
    """Return the region and all places that lie in it."""
    outward, wanted = _outward(places), region.casefold()
    inner = (place for place in places if place.casefold() != wanted)
    return [region, *(place for place in inner if wanted in _path(place, outward))]


def nest(inner: str, outer: str, places: Mapping[str, Any]) -> dict[str, Any]:
    """Return the places with one that lies in another now, and in no other any more.

    Raises `AssistantError` where they are too many or too deep, or lie in each other.
    """
    after = {
        known: around for known, around in places.items() if known.casefold() != inner.casefold()
    }
    after[inner] = outer
    outward = _outward(after)
    if inner.casefold() in _path(outer, outward):
        raise AssistantError("A place does not lie in itself.")
    if len(after) > MOST_PLACES:
        raise AssistantError(f"A scene keeps at most {MOST_PLACES} places.")
    if any(len(_path(place, outward, DEEPEST + 1)) > DEEPEST for place in after):
        raise AssistantError(f"At most {DEEPEST} places lie in each other.")
    return after


def weights(place: str, places: Mapping[str, Any], asked: str) -> dict[str, float]:
    """Return {place in small letters: the factor by which its memories count}.

    Full weight has the place where one is, and a place named in what is `asked` with all that lies
    in it. Around and within where one is, it falls with each step.
    """
    outward, here, said = _outward(places), place.casefold(), asked.casefold()
    around = {outer: steps for steps, outer in enumerate(_path(here, outward))}
    found: dict[str, float] = {}
    for known in {name.casefold() for name in (*places, *map(str, places.values()), place)} - {""}:
        path = list(_path(known, outward))
        steps = path.index(here) if here in path else around.get(known)
        if any(outer in said for outer in path):
            steps = 0
        if steps is not None:
            found[known] = 1 + NEAR / (1 + steps)
    return found


def _outward(places: Mapping[str, Any]) -> dict[str, str]:
    return {inner.casefold(): str(outer) for inner, outer in places.items()}


def _path(place: str, outward: Mapping[str, str], most: int = DEEPEST) -> dict[str, str]:
    """Return a place and the next ones that it lies in, from within, by their names' small letters.

    Circles end, and so does what was stored before there was a limit.
    """
    found: dict[str, str] = {}
    while place and place.casefold() not in found and len(found) < most:
        found[place.casefold()] = place
        place = outward.get(place.casefold(), "")
    return found
