"""Handles and names: how a turn names what the character sees, such as p1, x1 and o1, or knows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any

from ai_assistant.agent.turn.turn_state import TurnState
from ai_assistant.core.contracts import Entity, Json
from ai_assistant.core.errors import ToolError
from ai_assistant.core.readers import NOBODY
from ai_assistant.core.seen import Thing
from ai_assistant.core.text import clean
from ai_assistant.language.words import meaning, words
from ai_assistant.tools import Tool
from ai_assistant.tools.schema import ThingKind, is_handle

_LETTERS = {"person": "p", "exit": "x", "item": "o", "carried": "o", "lying": "o"}
_WORDS = {"p": "person", "x": "way", "o": "item", "": "thing"}
SHOWN = 12
"""So many things are named to a model that named nothing it sees."""


def extend(minted: Mapping[str, Thing], things: Iterable[Thing]) -> dict[str, Thing]:
    """Return the handles with those of more things; none changes, and of an entity one counts."""
    found = dict(minted)
    known = {thing.entity.id: handle for handle, thing in minted.items()}
    last = Counter(handle[0] for handle in minted)
    firsts: dict[str, Thing] = {}
    for thing in things:
        firsts.setdefault(thing.entity.id, thing)
    for id, thing in firsts.items():
        letter = letter_of(thing)
        if id not in known:
            last[letter] += 1
            known[id] = f"{letter}{last[letter]}"
        found[known[id]] = thing
    return found


def letter_of(thing: Thing) -> str:
    """Return what the handle of a thing begins with: p, x or o."""
    return "x" if thing.is_exit else "o" if thing.entity.kind == "object" else "p"


def handle_of(turn: TurnState, entity_id: str) -> str:
    """Return the handle of this turn for an entity; empty where it has none."""
    return next((h for h, thing in turn.things.items() if thing.entity.id == entity_id), "")


def names_of_handles(turn: TurnState) -> dict[str, str]:
    """Return the names of all that have a handle in this turn, by that."""
    return {handle: thing.entity.name for handle, thing in turn.things.items()}


def sights(turn: TurnState) -> Json:
    """Return the place, what it sees there by handles, and whom it answers but cannot see.

    In a story that is played the place is that of the story, and the room's things are not of it.
    """
    scene, play = turn.surroundings, turn.play
    here = {thing.entity.id for thing in scene.things}
    seen = []
    for handle, thing in turn.things.items():
        of_room = thing.is_exit or thing.entity.kind == "object"
        if thing.entity.id in here and not (of_room and play.session and play.fiction):
            more = " (you carry it)" if thing.carried else ""
            more = f", to {thing.description}" if thing.is_exit and thing.description else more
            seen.append(f"{handle} {thing.entity.name}{more}")
    found: Json = {"place": scene.place_name, "description": scene.description, "you_see": seen}
    if play.session:
        found |= {"place": play.place, "description": ""} if play.place else {}
        found |= {"things": play.facts["things"]} if "things" in play.facts else {}
    asked = {event.source.id: event.source.name for event in turn.events if turn.moved}
    absent = [name for id, name in asked.items() if id not in here]
    return found | ({"not_here": absent} if absent else {})


# -- from a handle or a name to what it stands for


def find_thing(turn: TurnState, name: str, kind: ThingKind) -> Thing | None:
    """Return what a handle or a name stands for: of what is seen, else of what is known.

    Raises `ToolError` where there is more than one of that name.
    """
    letter, wanted = _LETTERS.get(kind, ""), _as_shown(turn, name.strip())
    if is_handle(wanted.lower()):
        found = turn.things.get(wanted.lower())
        return found if found and wanted.lower().startswith(letter) else None
    here = _here(turn, letter)
    nearest = here
    if kind in ("carried", "lying"):
        nearest = {h: thing for h, thing in here.items() if thing.carried == (kind == "carried")}
    seen = {h: thing for h, thing in turn.things.items() if h.startswith(letter)}
    for things in (nearest, here, seen):
        if thing := _only(wanted, things):
            return thing
    return _known(turn, wanted, letter)


def _as_shown(turn: TurnState, name: str) -> str:
    """Return the handle of "Alice (p1)" and "p1 Alice", where both fit; else the name."""
    given = name.split()
    handles = [word for word in given if is_handle(word.strip("()").lower())]
    if len(handles) != 1 or len(given) < 2:
        return name
    given.remove(handles[0])
    handle = handles[0].strip("()").lower()
    thing = turn.things.get(handle)
    return handle if thing and _is_named(" ".join(given), thing) else name


def get_thing(turn: TurnState, name: str, kind: ThingKind) -> Thing:
    """Return the same; raises `ToolError` for nothing as well, which tells what there is."""
    if found := find_thing(turn, name, kind):
        return found
    letter = _LETTERS.get(kind, "")
    seen = [f"{handle} {thing.entity.name}" for handle, thing in _here(turn, letter).items()]
    there = ", ".join(seen[:SHOWN]) or "none"
    raise ToolError(f"There is no {_WORDS[letter]} '{clean(name, 40)}' here. You see: {there}.")


def things_named(turn: TurnState, tool: Tool, arguments: Json) -> dict[str, Thing]:
    """Return what a call names, by parameter; what is not clear is left out."""
    found = {}
    for param in tool.params:
        if param.handle and isinstance(given := arguments.get(param.name), str):
            with suppress(ToolError):
                found[param.name] = find_thing(turn, given, param.handle.kind)
    return {name: thing for name, thing in found.items() if thing}


def _here(turn: TurnState, letter: str) -> dict[str, Thing]:
    present = {thing.entity.id for thing in turn.surroundings.things}
    return {
        handle: thing
        for handle, thing in turn.things.items()
        if handle.startswith(letter) and thing.entity.id in present
    }


def _only(wanted: str, things: Mapping[str, Thing]) -> Thing | None:
    for alike in (_is_named, _ends_alike):
        found = {h: thing for h, thing in things.items() if alike(wanted, thing)}
        kinds = {  # two loaves alike are one as good as the other
            replace(thing, entity=Entity("", thing.entity.name))
            if letter_of(thing) == "o"
            else thing
            for thing in found.values()
        }
        if len(kinds) > 1:
            shown = ((h if is_handle(h) else "", thing.entity.name) for h, thing in found.items())
            names = ", ".join(" ".join(filter(None, label)) for label in shown)
            raise ToolError(f"Which one do you mean? {names}. Say it by handle or whole name.")
        if found:
            return next(iter(found.values()))
    return None


def _names(thing: Thing) -> list[str]:
    return [thing.entity.name, *thing.aliases, *([thing.description] if thing.is_exit else [])]


def _is_named(wanted: str, thing: Thing) -> bool:
    given = wanted.casefold().split()
    return bool(given) and any(given == name.casefold().split() for name in _names(thing))


def _ends_alike(wanted: str, thing: Thing) -> bool:
    """Are they the same but for words before or after, as "the lantern" and "brass lantern"?"""
    given = _telling(wanted)
    return bool(given) and any(
        name[-len(given) :] == given or name[: len(given)] == given or given[-len(name) :] == name
        for name in map(_telling, _names(thing))
        if name
    )


def _telling(name: str) -> list[str]:
    return [stem for word in words(name) if (stem := meaning(word))]


# -- who is known, here or not


def _known(turn: TurnState, name: str, letter: str) -> Thing | None:
    """Return who is not here but may be known; raises `ToolError` for several."""
    if letter == "x":
        return None
    for entity in turn.world.known(name):
        thing = Thing(entity)
        if entity.id == turn.me.id or letter not in ("", letter_of(thing)):
            continue
        if entity.kind == "player" or _has_met(turn, entity.id):
            return thing
    return _only(name, {met.entity.id: met for met in _met(turn, name, letter)})


def _met(turn: TurnState, name: str, letter: str) -> Iterator[Thing]:
    for id, known in turn.mind.recall.names.items():
        if id == turn.me.id or not _ends_alike(name, Thing(Entity(id, known))):
            continue
        kind: Any = turn.store.read("profile", id)["entity_type"] or "npc"
        thing = Thing(Entity(id, known, kind))
        if letter in ("", letter_of(thing)) and _has_met(turn, id):
            yield thing


def _has_met(turn: TurnState, who: str) -> bool:
    """Did they meet, which is no secret, or may something known of it be used here?"""
    profile = turn.store.read("profile", who)
    if profile["relationship"]["interaction_count"]:
        return True
    items = (*profile["observations"], *profile["attributes"])
    return any(turn.admit(item.get("readers", NOBODY), item.get("author", "")) for item in items)
