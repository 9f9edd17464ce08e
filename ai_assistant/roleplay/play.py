"""The scene as a turn knows it: which one it is played in, and what that means for its memory."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from ai_assistant.contracts import Json
from ai_assistant.roleplay.formats import disarmed
from ai_assistant.roleplay.places import weights
from ai_assistant.roleplay.scene import GAME, SceneState, scene_facts


@dataclass(frozen=True, slots=True)
class Play:
    """A scene seen from within; without arguments, the game itself.

    `facts` are told in the prompt. `includes`: do plot, card and lore always stand there?
    `members` play in it; of the game itself, nobody is listed. `member_of` is the scene that the
    character belongs to, also where this is the game because nobody plays with it just now.
    """

    session: str = GAME
    day: int = 0
    place: str = ""
    inherits: bool = True
    fiction: bool = False
    includes: bool = False
    facts: Json = field(default_factory=dict)
    title: str = ""
    members: frozenset[str] = frozenset()
    member_of: str = GAME
    places: Json = field(default_factory=dict)

    @property
    def sessions(self) -> frozenset[str]:
        """The sessions whose memories may be recalled: its own, and the game's if it inherits."""
        return frozenset({self.session, GAME} if self.inherits else {self.session})

    def search(self, room: str, asked: str) -> dict[str, Any]:
        """Return what a search is told of the scene, for a question asked in some room."""
        near = weights(self.place or room, self.places, asked) if self.session else {}
        return {"sessions": self.sessions, "weights": near}


def play_of(scene: SceneState, day: int) -> Play:
    """Return a scene as those know it who are in it; `day` is the day of its story."""
    return Play(
        session=scene.id,
        day=day,
        place=scene.scene,
        inherits=scene.inherits,
        fiction=scene.fiction,
        includes=scene.permanent == "include",
        facts=scene_facts(scene, day),
        title=disarmed(scene.title),
        members=frozenset(scene.participants()),
        places=scene.places,
    )


Plays = Callable[[str | None], Play]
"""``plays(session)``: that scene; for None, the one that the character is in now."""


def only_the_game(session: str | None) -> Play:
    """The `Plays` of a mind for which nobody keeps scenes."""
    return Play(session or GAME)
