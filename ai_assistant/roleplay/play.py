"""A scene while it is played: as a turn knows it, how much was said, and the mark of fiction."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, field, replace
from typing import Any

from ai_assistant.core.contracts import Event, Json, MemoryRow
from ai_assistant.core.errors import AssistantError
from ai_assistant.core.search_port import StoryNow
from ai_assistant.language.words import stem_set
from ai_assistant.memory.talk.hearsay import FICTION
from ai_assistant.roleplay.message_formats import disarmed
from ai_assistant.roleplay.places import places_in, weights
from ai_assistant.roleplay.props import places_known
from ai_assistant.roleplay.scene import (
    ADDRESSED,
    GAME,
    SceneState,
    in_shape,
    place_of,
    scene_facts,
)
from ai_assistant.roleplay.world_agent import KEY

# -- the mark of what was only played


def is_fiction(row: MemoryRow) -> bool:
    """Does a memory bear the mark? Whoever looks for facts leaves it out."""
    return bool(row.meta.get(FICTION))


def is_played(event: Event) -> bool:
    """Is it part of a play, or told from one? Whoever answers it plays along."""
    decision = event.metadata.get(KEY) or {}
    return bool(event.metadata.get(FICTION) or decision.get(FICTION))


def mark(fiction: object) -> Json:
    """Return the mark as metadata, where there is to be one."""
    return {FICTION: True} if fiction else {}


def marked(row: MemoryRow, fiction: object) -> MemoryRow:
    """Return a row with the mark, where there is to be one."""
    return replace(row, meta={**row.meta, **mark(fiction)}) if fiction else row


# -- how much was played


@dataclass(frozen=True, slots=True)
class Played:
    """How much was said in a scene; everybody who plays is shown these figures.

    Only what was said for all to hear counts, and nobody whom its speaker could not see.
    """

    turns: int = 0
    """How often somebody else spoke than before."""
    messages: int = 0
    """Lines that were said for all to hear."""
    spoke: str = ""
    """Id of whoever spoke last."""
    exchanges: Json = field(default_factory=dict)
    """Lines of each `pair` of members, in either direction."""

    def after(self, speaker: str, participants: Collection[str]) -> Played:
        """Return it with one more message, in which these took part."""
        pairs = {pair(speaker, other) for other in participants if other != speaker}
        counted = {both: self.exchanges.get(both, 0) + 1 for both in sorted(pairs)}
        return Played(
            turns=self.turns + (speaker != self.spoke),
            messages=self.messages + 1,
            spoke=speaker,
            exchanges={**self.exchanges, **counted},
        )

    def between(self, one: str, other: str) -> int:
        """Return how many lines those two said to each other."""
        return int(self.exchanges.get(pair(one, other), 0))

    @classmethod
    def from_json(cls, data: Any) -> Played:
        """Return what was stored; of a scene that was never played, an empty one.

        What is of another shape, as an older or newer game may have left it, counts as nothing.
        """
        known = in_shape(cls(), data)
        counted = known.pop("exchanges", {}).items()
        numbers = {both: lines for both, lines in counted if isinstance(lines, int)}
        return cls(**known, exchanges=numbers)


def pair(one: str, other: str) -> str:
    """Return the one name of a pair of ids, whichever comes first."""
    return " ".join(sorted((one, other)))


# -- seen from within


@dataclass(frozen=True, slots=True)
class Play:
    """A scene as those know it who are in it; without arguments, the game itself."""

    session: str = GAME
    """Id of the scene; empty for the game."""
    day: int = 0
    """The day of its story; 0 in the game."""
    place: str = ""
    """Where the character is in the story; empty where its room says that."""
    inherits: bool = True
    """Are the memories of the game recalled in it as well?"""
    fiction: bool = False
    """Does what happens in it stay out of what is known of people?"""
    includes: bool = False
    """Do plot, card and lore always stand in the prompt?"""
    facts: Json = field(default_factory=dict)
    """What is set in it and shown in the prompt, by the names of the prompt."""
    title: str = ""
    """What it is called."""
    role: str = ""
    """The role that the character has in it, if any."""
    policy: str = ADDRESSED
    """Who answers in it."""
    members: frozenset[str] = frozenset()
    """Ids of those who play in it; nobody is listed of the game itself."""
    cast: tuple[tuple[str, str], ...] = ()
    """Their ids and names, with their roles behind them, in the order in which they joined."""
    member_of: str = GAME
    """Id of the scene that the character belongs to, also while nobody plays with it."""
    places: Json = field(default_factory=dict)
    """Each place of the story, and the one that it lies in."""
    apart: Json = field(default_factory=dict)
    """Where in the story each of those is who is not where the character is, by id."""
    has_props: bool = False
    """Are there things or places of the story, so that one can take, give or go in it?"""
    has_ways: bool = False
    """Is there a place of the story to which the character could go?"""

    @property
    def sessions(self) -> frozenset[str]:
        """The sessions whose memories may be recalled: its own, and the game's if it inherits."""
        return frozenset({self.session, GAME} if self.inherits else {self.session})

    def search(self, room: str, asked: str) -> dict[str, Any]:
        """Return what a search is told of the scene, for a question asked in some room."""
        near = weights(self.place or room, self.places, asked) if self.session else {}
        return {"sessions": self.sessions, "weights": near, "story": self.story}

    @property
    def story(self) -> StoryNow | None:
        """What a search counts days by; None in the game itself, which goes by the calendar."""
        return StoryNow(self.session, self.day) if self.session and self.day else None

    def within(self, since: int, until: int, place: str, known: Iterable[str]) -> Json:
        """Return the filter for these days, both among them (0: no end), and a place, if any.

        With a place goes all that lies in it; `known` are the names of the places of memories.
        Raises `AssistantError` for days in the wrong order.
        """
        if until and since > until:
            raise AssistantError(f"Day {since} comes after day {until}.")
        days = [(">=", since)] * bool(since) + [("<=", until)] * bool(until)
        found: Json = {"game_day": days, "session": self.session} if days else {}
        if place:
            asked = stem_set(place)
            names = {*known, *self.places, *map(str, self.places.values())}
            meant = [name for name in names if asked and asked <= stem_set(name)]
            inner = {lies for name in meant for lies in places_in(name, self.places)}
            lying = {name.casefold() for name in inner} | {place.casefold()}
            found["location"] = ("in", [name for name in names if name.casefold() in lying])
        return found


def play_of(scene: SceneState, day: int, who: str = "") -> Play:
    """Return a scene as that one knows it who is in it; `day` is the day of its story."""
    members = frozenset(member.id for member in scene.members)
    place = place_of(scene, who)
    where = {who: place_of(scene, who) for who in sorted(members)}
    ways = {*places_known(scene)} - {place}
    return Play(
        session=scene.id,
        day=day,
        place=place,
        inherits=scene.inherits,
        fiction=scene.fiction,
        includes=scene.permanent == "include",
        facts=scene_facts(scene, day, who) if scene.id else {},
        title=disarmed(scene.title),
        role=scene.parts.get(who, ""),
        policy=scene.policy,
        members=members,
        cast=tuple(
            (member.id, disarmed(f"{member.name} ({part})" if part else member.name))
            for member, part in ((member, scene.parts.get(member.id)) for member in scene.members)
        ),
        places=scene.places,
        apart={who: there for who, there in where.items() if there != place},
        has_props=who in members and bool(scene.things or ways),
        has_ways=who in members and bool(ways),
    )


Plays = Callable[[str | None], Play]
"""``plays(session)``: that scene; for None, the one that the character is in now."""


StoryAct = Callable[[str, str, str, str], str]
"""``act_in_story(session, act, thing, to)``: does it, and returns what was done. An act is the name
of a tool; raises `AssistantError` saying why it cannot be done."""


def no_story(session: str, act: str, thing: str, to: str) -> str:
    """The `StoryAct` of a mind for which nobody keeps scenes."""
    raise AssistantError("There is no story here.")


def only_the_game(session: str | None) -> Play:
    """The `Plays` of a mind for which nobody keeps scenes."""
    return Play(session or GAME)
