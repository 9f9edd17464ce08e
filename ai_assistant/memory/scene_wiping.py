"""Forgetting in scenes: what somebody set in a scene of their own, and what players said of any."""

from __future__ import annotations

from collections.abc import Iterator

from ai_assistant.core.contracts import Json
from ai_assistant.memory.redaction import blank, every_text
from ai_assistant.memory.wipe import Wipe

_TEXTS = frozenset({"title", "time_of_day", "quest", "plot", "relationships"})
"""Fields of its maker's to which nothing refers: they go as a whole."""
_PLACES = frozenset({"scene", "places", "things", "whereabouts"})
"""Fields that refer to each other by name: the same words go from all of them."""


def learn_scene(wipe: Wipe, told: Json) -> None:
    """Note the words of a scene that the entity made; `told` has its state, if anything."""
    state = told.get("state", {})
    if wipe.entity and state.get("owner") == wipe.entity:
        wipe.scenes.add(state["id"])
        wipe.runs.add(_words_of_maker(state))


def _words_of_maker(state: Json) -> Iterator[str]:
    own, _ = _flags(state)
    things, places = state.get("things", {}), state.get("places", {})
    yield from (*own, *things, *places)
    texts = [state.get(name) for name in sorted({*_TEXTS, "scene"})]
    for value in (own, places, *texts):
        yield from every_text([*value.values()] if isinstance(value, dict) else value)


def _flags(state: Json) -> tuple[Json, Json]:
    """Return the flags that its maker set, and those that are another player's word."""
    flags, said_by = state.get("flags", {}), state.get("said_by", {})
    said = {name: value for name, value in flags.items() if name in said_by}
    return {name: value for name, value in flags.items() if name not in said}, said


def wiped_scene(wipe: Wipe, told: Json) -> Json:
    """Return what is told of a scene, its title and its state, without what goes.

    What somebody else set in a scene of theirs stays as it is; all of it goes only where words go
    that others quote.
    """
    state: Json = told["state"]
    own, said = _flags(state)
    cut = ["said_by"]
    if state["id"] in wipe.scenes:
        own = blank(own)
        state = {**state, **{name: blank(state[name]) for name in _TEXTS & state.keys()}}
    if wipe.everything or state["id"] in wipe.scenes:
        own, cut = wipe.words(own), [*cut, *_TEXTS, *_PLACES]
    state = {**state, **{name: wipe.words(state[name]) for name in cut if name in state}}
    state["flags"] = {**own, **wipe.words(said)}
    return {**told, "title": state.get("title", ""), "state": state}
