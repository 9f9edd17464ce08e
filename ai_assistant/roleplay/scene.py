"""A scene: who plays, where, on which day of the story; every change tells the world about it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from ai_assistant.contracts import Json, MemoryRow
from ai_assistant.errors import AssistantError
from ai_assistant.roleplay.formats import disarmed
from ai_assistant.roleplay.knowledge import state_update
from ai_assistant.text import clean

GAME = ""
"""The id of the scene that always runs: the game itself."""
OPEN, RUNNING, STOPPED = "open", "running", "stopped"
POLICIES = ("addressed", "round robin", "free")
PERMANENT = ("include", "retrieve")
LONGEST_VALUE = 200
MOST_FLAGS = 40
_DAY_LIMIT = 1_000_000
LONGEST_PLOT = 4000
_MOVES = ("scene", "currentScene", "location")
_QUEST, _TIME = ("quest", "The quest is now: {}"), ("time_of_day", "It is {} now")
_TOLD = {"quest": _QUEST, "activeQuest": _QUEST, "time": _TIME, "timeOfDay": _TIME}
_CHOICES = {"policy": POLICIES, "permanent": PERMANENT}
_SWITCHES = ("inherits", "fiction")


@dataclass(frozen=True, slots=True)
class Member:
    """Somebody in a scene: a player, or an assistant (`has_mind`)."""

    id: str
    name: str
    has_mind: bool = False


@dataclass(frozen=True, slots=True)
class SceneState:
    """A scene as it is stored (REQ-6.1.1, 6.1.2).

    `scene` is the seed's `currentScene`, empty where each one's room says it. `day` 0 follows the
    game's clock. `inherits`: may members remember there what they know from the game? `fiction`:
    does what happens stay out of what they know of people? `permanent`: are plot and card always
    in the prompt, or found when they fit? `places` names the place that each place lies in.
    """

    id: str
    title: str = ""
    owner: str = ""
    status: str = OPEN
    members: tuple[Member, ...] = ()
    scene: str = ""
    day: int = 0
    time_of_day: str = ""
    quest: str = ""
    plot: str = ""
    policy: str = "addressed"
    permanent: str = "include"
    inherits: bool = True
    fiction: bool = True
    flags: Json = field(default_factory=dict)
    relationships: Json = field(default_factory=dict)
    places: Json = field(default_factory=dict)
    turns: int = 0
    messages: int = 0

    @property
    def is_running(self) -> bool:
        """Is it being played?"""
        return self.status == RUNNING

    def has(self, who: str) -> bool:
        """Is that one in it?"""
        return any(one.id == who for one in self.members)

    def participants(self) -> list[str]:
        """Return the ids of all members (REQ-6.1.1)."""
        return [one.id for one in self.members]


@dataclass(frozen=True, slots=True)
class Changed:
    """A scene after a change, and what the world container is to hold of it."""

    scene: SceneState
    updates: tuple[MemoryRow, ...] = ()


def join(scene: SceneState, who: Member) -> SceneState:
    """Return the scene with one more member. Raises `AssistantError` where it is over."""
    if scene.status == STOPPED:
        raise AssistantError("That scene is over.")
    return scene if scene.has(who.id) else replace(scene, members=(*scene.members, who))


def leave(scene: SceneState, who: str) -> SceneState:
    """Return the scene without a member; what that one remembers of it stays."""
    return replace(scene, members=tuple(one for one in scene.members if one.id != who))


def set_day(scene: SceneState, day: int, at: float) -> Changed:
    """Set the day of the story by hand; 0 lets it follow the game's clock.

    Raises `AssistantError` for what is no day.
    """
    if not 0 <= day <= _DAY_LIMIT:
        raise AssistantError(f"A day is a number from 0 to {_DAY_LIMIT}.")
    after = replace(scene, day=day)
    if not day:
        return Changed(after)
    return Changed(after, (state_update(f"It is day {day} now", day=day, at=at),))


def set_value(scene: SceneState, name: str, value: str, *, day: int, at: float) -> Changed:
    """Set one value of a scene by the name that people type; flags are what has no name of its own.

    Raises `AssistantError` saying what fits.
    """
    key, text = name.strip(), clean(value, LONGEST_VALUE)
    if key == "plot":
        return Changed(_with(scene, plot=clean(value, LONGEST_PLOT, lines=40)))
    if key == "place":
        return Changed(_with(scene, places={**scene.places, **_nested(text)}))
    if key in _CHOICES:
        return Changed(_with(scene, **{key: _choice(key, text)}))
    if key in _SWITCHES:
        return Changed(_with(scene, **{key: _switch(key, text)}))
    if key in _MOVES:
        return _moved(scene, text, day, at)
    if key in _TOLD:
        field_name, what = _TOLD[key]
        update = state_update(what.format(text), day=day, at=at, location=scene.scene)
        return Changed(_with(scene, **{field_name: text}), (update,))
    return _flagged(scene, clean(key, 40), text, day, at)


def _with(scene: SceneState, **values: Any) -> SceneState:
    return replace(scene, **values)


def _nested(text: str) -> Json:
    inner, found, outer = text.partition(" in ")
    if not (found and inner.strip() and outer.strip()):
        raise AssistantError("Say which place lies in which: cave in lair.")
    return {inner.strip(): outer.strip()}


def _moved(scene: SceneState, place: str, day: int, at: float) -> Changed:
    before = scene.scene
    what = f"The party moved from {before} to {place}" if before else f"The scene is {place}"
    update = state_update(what, day=day, at=at, location=place, previousLocation=before)
    return Changed(replace(scene, scene=place), (update,))


def _flagged(scene: SceneState, name: str, value: str, day: int, at: float) -> Changed:
    if not name or (name not in scene.flags and len(scene.flags) >= MOST_FLAGS):
        raise AssistantError(f"A scene keeps at most {MOST_FLAGS} values, each with a name.")
    flags = {**scene.flags, name: value}
    update = state_update(f"{name}: {value}", day=day, at=at, location=scene.scene, flag=name)
    return Changed(replace(scene, flags=flags), (update,))


def _choice(key: str, text: str) -> str:
    if text not in _CHOICES[key]:
        raise AssistantError(f"'{key}' is one of: {', '.join(_CHOICES[key])}.")
    return text


def _switch(key: str, text: str) -> bool:
    if text.lower() not in ("on", "off"):
        raise AssistantError(f"'{key}' is on or off.")
    return text.lower() == "on"


def has_floor(scene: SceneState, who: str, speaker: str) -> bool | None:
    """Is it that one's turn to answer, by the scene's policy? None: whoever is addressed answers.

    In a round the next assistant after the speaker speaks, in the order in which they joined.
    """
    if scene.policy == "addressed":
        return None
    if scene.policy == "free":
        return True
    order = [one.id for one in scene.members if one.has_mind]
    everybody = scene.participants()
    if who not in order or not order:
        return False
    start = everybody.index(speaker) if speaker in everybody else -1
    following = [*everybody[start + 1 :], *everybody[: start + 1]]
    return next((one for one in following if one in order and one != speaker), "") == who


def within(place: str, region: str, places: Mapping[str, Any]) -> bool:
    """Does a place lie in a region, however many others are between? Each place lies in itself."""
    seen: set[str] = set()
    while place and place not in seen:
        if place == region:
            return True
        seen.add(place)
        place = str(places.get(place, ""))
    return False


def places_in(region: str, places: Mapping[str, Any]) -> list[str]:
    """Return the region and all places that lie in it."""
    return [region, *(one for one in places if one != region and within(one, region, places))]


def scene_facts(scene: SceneState, day: int) -> Json:
    """Return what the members are told of their scene, by the seed's names."""
    known: Json = {"currentScene": disarmed(scene.scene), "gameDay": day}
    known |= {"timeOfDay": scene.time_of_day, "activeQuest": scene.quest, **scene.flags}
    return {key: value for key, value in known.items() if value != ""}
