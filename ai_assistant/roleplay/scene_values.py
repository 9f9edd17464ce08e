"""Values of a scene: what its maker sets is how it is, what another player sets is that one's word.

Names that people type are read in any case: `Time` is `time`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from ai_assistant.core.contracts import Json, MemoryRow
from ai_assistant.core.errors import AssistantError
from ai_assistant.core.text import clean
from ai_assistant.core.times import MINUTE
from ai_assistant.memory.search.when_in_story import STORY_DAY
from ai_assistant.roleplay.knowledge import SAID_TRUST, seen_by, state_update
from ai_assistant.roleplay.message_formats import disarmed
from ai_assistant.roleplay.places import nest
from ai_assistant.roleplay.play import pair
from ai_assistant.roleplay.props import NOWHERE, lay_out, those_at
from ai_assistant.roleplay.scene import (
    CHOICES,
    SETTING,
    Changed,
    Member,
    SceneState,
    scene_facts,
    setting_of,
)

LONGEST_VALUE = 200
LONGEST_NAME = 40
LONGEST_PLOT = 4000
MOST_FLAGS = 40
MOST_A_MINUTE = 10
"""Values that one player may set in one scene within a minute; its maker may set any number."""
_DAY_LIMIT = 1_000_000
_MOVES = frozenset({"scene", "currentscene", "location"})
_QUEST, _TIME = ("quest", "The quest is now: {}"), ("time_of_day", "It is {} now")
_TOLD = {"quest": _QUEST, "activequest": _QUEST, "time": _TIME, "timeofday": _TIME}
_SWITCHES = dict.fromkeys(("inherits", "fiction"), ("on", "off"))
_OF_THE_MAKER = frozenset(
    {"plot", "place", "thing", "relationship", *_MOVES, *_TOLD, *CHOICES, *_SWITCHES}
)
RESERVED = frozenset(
    "day gameday members participants owner status title id session sessionid turns messages"
    " relationships flags places things apart speaker character characterid isspeaker timestamp"
    " knowledge message memories world npc player".split()
)
"""Names under which a scene, a message or a prompt has facts of its own."""


def check_pace(said: Sequence[float], at: float) -> None:
    """Raise `AssistantError` where that one's last changes, the latest first, are too many."""
    if len(said) >= MOST_A_MINUTE and at - said[MOST_A_MINUTE - 1] < MINUTE:
        raise AssistantError(f"You may change {MOST_A_MINUTE} values a minute here: wait a little.")


def set_day(scene: SceneState, day: int, at: float) -> Changed:
    """Set the day of the story by hand; 0 follows the game's clock. Raises `AssistantError`."""
    if not 0 <= day <= _DAY_LIMIT:
        raise AssistantError(f"A day is a number from 0 to {_DAY_LIMIT}.")
    after = replace(scene, day=day)
    if not day:
        return Changed(after)
    return Changed(after, (new_day(scene, day, at),))


def new_day(scene: SceneState, day: int, at: float) -> MemoryRow:
    """Return what the world of a scene and its members are told when a day of its story begins."""
    dawn = state_update(f"It is day {day} now", day=day, at=at, state=STORY_DAY)
    return seen_by(dawn, scene.participants())


def set_value(
    scene: SceneState, name: str, value: str, *, day: int, at: float, by: Member | None = None
) -> Changed:
    """Set one value of a scene by the name that people type; flags are what has no name of its own.

    `by` is a player who only plays along; None for its maker, staff and the game. Raises
    `AssistantError` saying what fits, or whose it is.
    """
    key = name.strip().lower()
    if key in RESERVED:
        raise AssistantError(f"'{key}' is kept by the scene itself. The day is set by scene/day.")
    if key not in _OF_THE_MAKER:
        name, value = clean(name, LONGEST_NAME), clean(value, LONGEST_VALUE)
        changed = _flagged(scene, name, value, by, day=day, at=at)
        return changed if by else _witnessed(changed)
    if by is not None:
        raise AssistantError("Only whoever made the scene may change that.")
    return _witnessed(_set(scene, key, value, day, at))


def _witnessed(changed: Changed) -> Changed:
    """Let whoever is at the place where something changes have it at once."""
    scene = changed.scene
    there = ((row, row.location or scene.scene) for row in changed.updates)
    return Changed(scene, tuple(seen_by(row, those_at(scene, place)) for row, place in there))


def unset_value(scene: SceneState, name: str, *, day: int, at: float) -> Changed:
    """Take back what was set, so that it is as in a new scene; of several, which one is named too.

    ``weather``, ``quest``, ``place cave``, ``thing the sword``, ``relationship Bob, Ada``. Raises
    `AssistantError` for what was not set.
    """
    return _witnessed(_unset(scene, name.strip(), day, at))


def _unset(scene: SceneState, name: str, day: int, at: float) -> Changed:
    first, _, which = name.partition(" ")
    key, which = first.lower(), which.strip()
    if key in _LISTS and which:
        return _LISTS[key](scene, which, day, at)
    if name in scene.flags:
        return _without_flag(scene, name, day, at)
    field = "scene" if key in _MOVES else _TOLD[key][0] if key in _TOLD else key
    new = getattr(SceneState(""), field, None) if key in _OF_THE_MAKER else None
    if which or new is None or key in _LISTS or getattr(scene, field) == new:
        raise AssistantError(f"'{clean(name, LONGEST_NAME)}' is not set.")
    values: Json = {field: new} | ({"whereabouts": {}} if field == "scene" else {})
    after = replace(scene, **values)
    if field not in ("scene", "quest", "time_of_day"):
        return Changed(after)
    told = {"state": field} if field != "scene" else {"previousLocation": scene.scene}
    return Changed(after, (state_update(_GONE[field].format(scene.scene), day=day, at=at, **told),))


_GONE = {
    "scene": "The party left {}",
    "quest": "There is no quest any more",
    "time_of_day": "The hour is not known any more",
}


def _without_flag(scene: SceneState, name: str, day: int, at: float) -> Changed:
    flags = {known: value for known, value in scene.flags.items() if known != name}
    said_by = {known: who for known, who in scene.said_by.items() if known != name}
    update = state_update(f"{name} holds no more", day=day, at=at, location=scene.scene, flag=name)
    return Changed(replace(scene, flags=flags, said_by=said_by), (update,))


def _without_place(scene: SceneState, name: str, day: int, at: float) -> Changed:
    places = {inner: outer for inner, outer in scene.places.items() if inner != name}
    if len(places) == len(scene.places):
        raise AssistantError(f"'{clean(name, LONGEST_NAME)}' lies in no other place.")
    return Changed(replace(scene, places=places))


def _without_thing(scene: SceneState, name: str, day: int, at: float) -> Changed:
    return lay_out(scene, f"{name}: {NOWHERE}", day, at)


def _without_bond(scene: SceneState, who: str, day: int, at: float) -> Changed:
    first, second = _two_members(scene, who)
    key = pair(first.id, second.id)
    if key not in scene.relationships:
        raise AssistantError(f"Nothing was said of {first.name} and {second.name}.")
    rest = {known: bond for known, bond in scene.relationships.items() if known != key}
    what = f"{first.name} and {second.name} are no more what they were"
    update = state_update(what, day=day, at=at)
    return Changed(replace(scene, relationships=rest), (update,))


_LISTS: dict[str, Callable[[SceneState, str, int, float], Changed]] = {
    "place": _without_place,
    "thing": _without_thing,
    "relationship": _without_bond,
}
"""What takes one back of what there are several of."""


def _set(scene: SceneState, key: str, value: str, day: int, at: float) -> Changed:
    text = clean(value, LONGEST_VALUE)
    if key == "plot":
        return Changed(replace(scene, plot=clean(value, LONGEST_PLOT, lines=40)))
    if key == "place":
        inner, found, outer = map(str.strip, text.partition(" in "))
        if not (found and inner and outer):
            raise AssistantError("Say which place lies in which: cave in lair.")
        return Changed(replace(scene, places=nest(inner, outer, scene.places)))
    if key == "thing":
        return lay_out(scene, text, day, at)
    if key == "relationship":
        return _related(scene, text, day, at)
    if key in _MOVES:
        before = scene.scene
        what = f"The party moved from {before} to {text}" if before else f"The scene is {text}"
        update = state_update(what, day=day, at=at, location=text, previousLocation=before)
        return Changed(replace(scene, scene=text, whereabouts={}), (update,))
    if key in _TOLD:
        name, what = _TOLD[key]
        told = {"location": scene.scene, "state": name}
        update = state_update(what.format(text), day=day, at=at, **told)
        values: Json = {name: text}
        return Changed(replace(scene, **values), (update,))
    values = {key: _chosen(key, text)}
    return Changed(replace(scene, **values))


def _chosen(key: str, text: str) -> str | bool:
    choices = _SWITCHES.get(key) or CHOICES[key]
    chosen = text.lower() if key in _SWITCHES else text
    if chosen not in choices:
        raise AssistantError(f"'{key}' is one of: {', '.join(choices)}.")
    return chosen == "on" if key in _SWITCHES else chosen


def _related(scene: SceneState, text: str, day: int, at: float) -> Changed:
    who, _, bond = text.partition(":")
    first, second = _two_members(scene, who if bond.strip() else "")
    update = state_update(f"{first.name} and {second.name}: {bond.strip()}", day=day, at=at)
    relationships = {**scene.relationships, pair(first.id, second.id): disarmed(bond)}
    return Changed(replace(scene, relationships=relationships), (update,))


def _two_members(scene: SceneState, who: str) -> tuple[Member, Member]:
    named = {name.strip().casefold() for name in who.split(",")}
    found = [member for member in scene.members if member.name.casefold() in named]
    if len(found) != 2 or len(named) != 2:
        raise AssistantError("Say of two who play in it what they are: Bob, Ada: old rivals.")
    return found[0], found[1]


def _flagged(
    scene: SceneState, name: str, value: str, by: Member | None, *, day: int, at: float
) -> Changed:
    if not name or (name not in scene.flags and len(scene.flags) >= MOST_FLAGS):
        raise AssistantError(f"A scene keeps at most {MOST_FLAGS} values, each with a name.")
    if by is not None and name in scene.flags and name not in scene.said_by:
        raise AssistantError("That was set by whoever made the scene, who may change it.")
    what, meta = f"{name}: {value}", dict[str, Any](flag=name)
    said_by = {known: who for known, who in scene.said_by.items() if known != name}
    if by is not None:
        what, said_by[name] = f"According to {by.name}, {what}", by.name
        meta |= {"author": by.id, "author_name": by.name, "trust": SAID_TRUST}
    update = state_update(what, day=day, at=at, location=scene.scene, **meta)
    return Changed(replace(scene, flags={**scene.flags, name: value}, said_by=said_by), (update,))


def opening(scene: SceneState, day: int) -> list[str]:
    """Return what the world of a scene is told when it begins, or goes on after its branch."""
    names = ", ".join(member.name for member in scene.members)
    facts = scene_facts(scene, day, scene.id)
    values = [f"{name}: {value}" for name, value in facts.items() if name not in SETTING]
    begins = "goes on" if scene.family else "begins"
    return [f"The scene {begins} with {names}: {setting_of(facts)}", *values]


def closing(before: SceneState, after: SceneState) -> list[str]:
    """Return what the world of a scene that ran is told when somebody leaves it, or it ends."""
    if not before.is_running:
        return []
    gone = [member.name for member in before.members if not after.has(member.id)]
    return [f"{name} leaves the scene" for name in gone] + ["The scene ends"] * after.is_over
