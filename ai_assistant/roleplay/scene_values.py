"""Values of a scene: what its maker sets is how it is, what another player sets is that one's word.

Names that people type are read in any case: `Time` is `time`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from ai_assistant.core.contracts import Json
from ai_assistant.core.errors import AssistantError
from ai_assistant.core.text import clean
from ai_assistant.roleplay.knowledge import SAID_TRUST, state_update
from ai_assistant.roleplay.message_formats import disarmed
from ai_assistant.roleplay.places import nest
from ai_assistant.roleplay.play import pair
from ai_assistant.roleplay.scene import PERMANENT, POLICIES, Changed, Member, SceneState

LONGEST_VALUE = 200
LONGEST_NAME = 40
LONGEST_PLOT = 4000
MOST_FLAGS = 40
MOST_A_MINUTE = 10
"""Values that one player may set in one scene within a minute; its maker may set any number."""
MINUTE = 60.0
_DAY_LIMIT = 1_000_000
_MOVES = frozenset({"scene", "currentscene", "location"})
_QUEST, _TIME = ("quest", "The quest is now: {}"), ("time_of_day", "It is {} now")
_TOLD = {"quest": _QUEST, "activequest": _QUEST, "time": _TIME, "timeofday": _TIME}
_CHOICES = {"policy": POLICIES, "permanent": PERMANENT}
_SWITCHES = ("inherits", "fiction")
_OF_THE_MAKER = frozenset({"plot", "place", "relationship", *_MOVES, *_TOLD, *_CHOICES, *_SWITCHES})
RESERVED = frozenset(
    "day gameday members participants owner status title id session sessionid turns messages"
    " relationships flags places speaker character characterid isspeaker timestamp knowledge"
    " message memories world npc player".split()
)
"""Names under which a scene, a message or a prompt has facts of its own."""


def check_pace(said: Sequence[float], at: float) -> None:
    """Raise `AssistantError` where a player set as many values within a minute as one may.

    `said` are the times of that one's updates, the latest first.
    """
    if len(said) >= MOST_A_MINUTE and at - said[MOST_A_MINUTE - 1] < MINUTE:
        raise AssistantError(f"You may change {MOST_A_MINUTE} values a minute here: wait a little.")


def set_day(scene: SceneState, day: int, at: float) -> Changed:
    """Set the day of the story by hand; 0 lets it follow the game's clock.

    Raises `AssistantError` for what is no day.
    """
    if not 0 <= day <= _DAY_LIMIT:
        raise AssistantError(f"A day is a number from 0 to {_DAY_LIMIT}.")
    after = replace(scene, day=day)
    if not day:
        return Changed(after)
    return Changed(after, (state_update(f"It is day {day} now", day=day, at=at, state="day"),))


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
        return _flagged(scene, name, value, by, day=day, at=at)
    if by is not None:
        raise AssistantError("Only whoever made the scene may change that.")
    return _set(scene, key, value, day, at)


def _set(scene: SceneState, key: str, value: str, day: int, at: float) -> Changed:
    text = clean(value, LONGEST_VALUE)
    if key == "plot":
        return Changed(_with(scene, plot=clean(value, LONGEST_PLOT, lines=40)))
    if key == "place":
        return Changed(_with(scene, places=_nested(text, scene.places)))
    if key == "relationship":
        return _related(scene, text, day, at)
    if key in _CHOICES:
        return Changed(_with(scene, **{key: _choice(key, text)}))
    if key in _SWITCHES:
        return Changed(_with(scene, **{key: _switch(key, text)}))
    if key in _MOVES:
        return _moved(scene, text, day, at)
    field_name, what = _TOLD[key]
    told = {"location": scene.scene, "state": field_name}
    update = state_update(what.format(text), day=day, at=at, **told)
    return Changed(_with(scene, **{field_name: text}), (update,))


def _with(scene: SceneState, **values: Any) -> SceneState:
    return replace(scene, **values)


def _nested(text: str, places: Json) -> Json:
    inner, found, outer = map(str.strip, text.partition(" in "))
    if not (found and inner and outer):
        raise AssistantError("Say which place lies in which: cave in lair.")
    return nest(inner, outer, places)


def _related(scene: SceneState, text: str, day: int, at: float) -> Changed:
    who, _, bond = text.partition(":")
    named = {one.strip().casefold() for one in who.split(",")}
    found = [one for one in scene.members if one.name.casefold() in named]
    if len(found) != 2 or len(named) != 2 or not bond.strip():
        raise AssistantError("Say of two who play in it what they are: Bob, Ada: old rivals.")
    one, other = found
    update = state_update(f"{one.name} and {other.name}: {bond.strip()}", day=day, at=at)
    relationships = {**scene.relationships, pair(one.id, other.id): disarmed(bond)}
    return Changed(replace(scene, relationships=relationships), (update,))


def _moved(scene: SceneState, place: str, day: int, at: float) -> Changed:
    before = scene.scene
    what = f"The party moved from {before} to {place}" if before else f"The scene is {place}"
    update = state_update(what, day=day, at=at, location=place, previousLocation=before)
    return Changed(replace(scene, scene=place), (update,))


def _flagged(
    scene: SceneState, name: str, value: str, by: Member | None, *, day: int, at: float
) -> Changed:
    if not name or (name not in scene.flags and len(scene.flags) >= MOST_FLAGS):
        raise AssistantError(f"A scene keeps at most {MOST_FLAGS} values, each with a name.")
    if by is not None and name in scene.flags and name not in scene.said_by:
        raise AssistantError("That was set by whoever made the scene, who may change it.")
    what, meta, said_by = f"{name}: {value}", _as_word_of(by), dict(scene.said_by)
    said_by.pop(name, None)
    if by is not None:
        what, said_by[name] = f"According to {by.name}, {what}", by.name
    update = state_update(what, day=day, at=at, location=scene.scene, flag=name, **meta)
    flags = {**scene.flags, name: value}
    return Changed(replace(scene, flags=flags, said_by=said_by), (update,))


def _as_word_of(by: Member | None) -> Json:
    return {"author": by.id, "author_name": by.name, "trust": SAID_TRUST} if by else {}


def _choice(key: str, text: str) -> str:
    if text not in _CHOICES[key]:
        raise AssistantError(f"'{key}' is one of: {', '.join(_CHOICES[key])}.")
    return text


def _switch(key: str, text: str) -> bool:
    if text.lower() not in ("on", "off"):
        raise AssistantError(f"'{key}' is on or off.")
    return text.lower() == "on"
