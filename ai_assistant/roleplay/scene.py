"""A scene: who plays, where, on which day of the story; every change tells the world about it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any

from ai_assistant.core.contracts import Json, MemoryRow
from ai_assistant.core.errors import AssistantError
from ai_assistant.roleplay.message_formats import disarmed
from ai_assistant.roleplay.places import path_text

GAME = ""
"""The id of the scene that always runs: the game itself."""
OPEN, RUNNING, ENDING, STOPPED = "open", "running", "ending", "stopped"
"""A scene is ending as long as somebody has not taken home yet what was played."""
MOST_MEMBERS = 20
ADDRESSED, IN_TURN, FREE, DIRECTED = "addressed", "round robin", "free", "director"
CHOICES = {
    "policy": (ADDRESSED, IN_TURN, FREE, DIRECTED),
    "permanent": ("include", "retrieve"),
}


@dataclass(frozen=True, slots=True)
class Member:
    """Somebody in a scene: a player, or an assistant (`has_mind`)."""

    id: str
    """Their lasting id."""
    name: str
    """Their key in the game."""
    has_mind: bool = False
    """Is it an assistant?"""


@dataclass(frozen=True, slots=True)
class SceneState:
    """A scene as it is stored."""

    id: str
    """Its id, which its memories bear as their session."""
    title: str = ""
    """What it is called."""
    owner: str = ""
    """Id of whoever made it."""
    status: str = OPEN
    """One of open, running, ending and stopped."""
    members: tuple[Member, ...] = ()
    """Who plays in it, in the order in which they joined."""
    scene: str = ""
    """Where it plays; empty where each one's room says it."""
    day: int = 0
    """The day of its story; 0 follows the game's clock."""
    time_of_day: str = ""
    """Such as "dusk"; shown in the prompt."""
    quest: str = ""
    """What it is about; shown in the prompt."""
    plot: str = ""
    """What is to happen; text of its maker."""
    policy: str = ADDRESSED
    """Who answers in it."""
    permanent: str = "include"
    """Are plot and card always in the prompt (include), or found when they fit (retrieve)?"""
    inherits: bool = True
    """May members remember in it what they know from the game?"""
    fiction: bool = True
    """Does what happens in it stay out of what they know of people?"""
    flags: Json = field(default_factory=dict)
    """Its other facts, by name."""
    said_by: Json = field(default_factory=dict)
    """Whose word a flag is, where it is a player's: their name by the flag's."""
    relationships: Json = field(default_factory=dict)
    """What was said of two members, by the pair of their ids."""
    roles: Json = field(default_factory=dict)
    """What each role is about, for whom, what it knows and has, by the role's name."""
    parts: Json = field(default_factory=dict)
    """Who has which role: id to name, also of those who left; empty where it is another's now."""
    lore: Json = field(default_factory=dict)
    """What all members begin with, by key."""
    places: Json = field(default_factory=dict)
    """The place that each place of the story lies in; empty for none."""
    things: Json = field(default_factory=dict)
    """Who has each thing of the story, by id, or at which place it lies."""
    whereabouts: Json = field(default_factory=dict)
    """At which place of the story somebody is who is apart from the rest, by id."""
    owed: tuple[str, ...] = ()
    """Ids of those who were in the middle of a turn when they left or the scene ended, and
    have their account of it still to take home."""
    family: str = ""
    """Id of the first of the scenes that branched from each other, this one among them."""
    played_at: float = 0.0
    """When a player of it was last seen in the game, in seconds since the epoch."""

    @property
    def is_running(self) -> bool:
        """Is it being played?"""
        return self.status == RUNNING

    @property
    def is_over(self) -> bool:
        """Is it played no more?"""
        return self.status in (ENDING, STOPPED)

    def has(self, who: str) -> bool:
        """Is that one in it?"""
        return any(member.id == who for member in self.members)

    def participants(self) -> list[str]:
        """Return the ids of all members."""
        return [member.id for member in self.members]

    @classmethod
    def from_json(cls, session: str, data: Mapping[str, Any]) -> SceneState:
        """Return a scene as it was stored, also by an older or newer game, or by hand.

        What is of another shape than it has here is left out, and so is what is unknown here.
        """
        known = in_shape(cls(session), data)
        for name, choices in CHOICES.items():
            if known.get(name) not in choices:
                known.pop(name, None)
        members = [in_shape(Member("", ""), stored) for stored in known.pop("members", ())]
        named = {member["id"]: member for member in members if member.get("id")}
        bonds = known.get("relationships", {}).items()
        roles = known.get("roles", {}).items()
        known |= {
            "id": session,
            "members": tuple(Member(**{"name": "", **member}) for member in named.values()),
            "owed": tuple(who for who in known.get("owed", ()) if isinstance(who, str)),
            "relationships": {key: bond for key, bond in bonds if len(key.split(" ")) == 2},
            "roles": {name: role for name, role in roles if isinstance(role, dict)},
        }
        return cls(**known)


def in_shape(empty: Any, data: Any) -> Json:
    """Return the fields of a stored record that have the type that they have in an empty one.

    A list is what became of a tuple.
    """
    shapes = {known.name: type(getattr(empty, known.name)) for known in fields(empty)}
    stored = data.items() if isinstance(data, Mapping) else ()
    values = ((name, tuple(value) if isinstance(value, list) else value) for name, value in stored)
    return {name: value for name, value in values if isinstance(value, shapes.get(name, ()))}


GAME_ITSELF = SceneState(GAME, status=RUNNING, fiction=False)
"""The scene that always runs, as it is where nothing of it was ever set."""


@dataclass(frozen=True, slots=True)
class Changed:
    """A scene after a change, and what the world container is to hold of it."""

    scene: SceneState
    """The scene as it is now."""
    updates: tuple[MemoryRow, ...] = ()
    """Rows of the world container."""


def join(scene: SceneState, who: Member) -> SceneState:
    """Return the scene with one more member. Raises `AssistantError` where it is over or full."""
    if scene.is_over:
        raise AssistantError("That scene is over.")
    if scene.has(who.id):
        return scene
    if len(scene.members) >= MOST_MEMBERS:
        raise AssistantError(f"At most {MOST_MEMBERS} play in a scene.")
    return replace(scene, members=(*scene.members, who))


def leave(scene: SceneState, who: str) -> SceneState:
    """Return the scene without a member, whose things stay behind, as what it remembers does."""
    left = {**scene.things, **dict.fromkeys(held_by(scene, who), place_of(scene, who))}
    apart = {other: place for other, place in scene.whereabouts.items() if other != who}
    rest = tuple(member for member in scene.members if member.id != who)
    return replace(scene, members=rest, things=left, whereabouts=apart)


def place_of(scene: SceneState, who: str) -> str:
    """Return the place of the story where somebody is; empty where it has none."""
    return str(scene.whereabouts.get(who, scene.scene))


def held_by(scene: SceneState, holder: str) -> list[str]:
    """Return the things of the story that somebody has, or that lie at a place."""
    return [name for name, held in scene.things.items() if held == holder]


def players(scene: SceneState) -> list[str]:
    """Return the ids of the members who are no assistants, in the order in which they joined."""
    return [member.id for member in scene.members if not member.has_mind]


def is_deserted(before: SceneState, after: SceneState) -> bool:
    """Did the last player go? A scene of assistants alone, which game code made, needs none."""
    return not players(after) and bool(players(before) or not after.members)


def leader(scene: SceneState, exists: Callable[[str], bool] = bool) -> str:
    """Return the id of whoever may change and end a scene: its maker, or the next player in it.

    Whoever does not exist any more leads nothing.
    """
    owns = scene.has(scene.owner) and exists(scene.owner)
    return scene.owner if owns else next(filter(exists, players(scene)), scene.owner)


def bonds(scene: SceneState) -> list[str]:
    """Return what was said of its members' relationships: ``Bob and Ada: old rivals``."""
    names = {member.id: member.name for member in scene.members}
    known = [(*key.split(" "), bond) for key, bond in scene.relationships.items()]
    return [
        f"{names[first]} and {names[second]}: {bond}"
        for first, second, bond in known
        if {first, second} <= names.keys()
    ]


def _props(scene: SceneState, who: str) -> Json:
    names = {member.id: member.name for member in scene.members}
    lists = [
        f"{names[who]} has {', '.join(held)}" for who in names if (held := held_by(scene, who))
    ]
    lying = dict.fromkeys(held for held in scene.things.values() if held not in names)
    for place in (at for at in lying if not who or at in ("", place_of(scene, who))):
        lists.append(f"{place or 'lying about'}: {', '.join(held_by(scene, place))}")
    apart = [f"{names[who]} ({at})" for who, at in scene.whereabouts.items() if who in names]
    return {"things": "; ".join(lists), "apart": "; ".join(apart)}


def scene_facts(scene: SceneState, day: int, who: str = "") -> Json:
    """Return what the members are told of their scene: `currentScene`, `gameDay`, participants.

    `who` is whoever is told, who may be at a place of its own, and sees nothing that lies at
    another. Without one everything is told; for the scene's own id what is seen where it plays.
    Nothing that was set beside those hides one of them or fakes a heading, and what is a player's
    word says so.
    """
    facts: Json = {}
    for name, value in scene.flags.items():
        by = scene.said_by.get(name)
        facts[disarmed(name)] = f"{value} (according to {by})" if by else value
    place, part = place_of(scene, who), scene.parts.get(who, "")
    about = scene.roles.get(part, {}).get("about", "")
    facts |= {
        "role": ": ".join(filter(None, [part, about])),
        "currentScene": path_text(place, scene.places) if place else "",
        "gameDay": day,
        "timeOfDay": scene.time_of_day,
        "activeQuest": scene.quest,
        "relationships": "; ".join(bonds(scene)),
        **_props(scene, who),
    }
    shown = {key: disarmed(fact) if isinstance(fact, str) else fact for key, fact in facts.items()}
    return {name: fact for name, fact in shown.items() if fact != ""}


LISTED = frozenset({"things", "apart", "relationships"})
"""The facts that list several, each a clause of its own, parted by semicolons."""
SETTING = frozenset({"currentScene", "gameDay", "timeOfDay", "activeQuest"})
"""The facts that tell where, when and for what a scene is played."""


def setting_of(facts: Json) -> str:
    """Return them in a line: ``the lair, evening of day 6 of the story; the quest: the sword``."""
    where = ", ".join(filter(None, [facts.get("currentScene"), hour_and_day(facts)]))
    quest = f"the quest: {facts['activeQuest']}" if "activeQuest" in facts else ""
    return "; ".join(filter(None, [where, quest]))


def hour_and_day(facts: Json) -> str:
    """Return hour and day of a story, where known: ``evening of day 6 of the story``."""
    day, hour = facts.get("gameDay"), str(facts.get("timeOfDay", ""))
    return " of ".join(filter(None, [hour, f"day {day} of the story" if day else ""]))
