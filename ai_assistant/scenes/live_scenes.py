"""Live scenes: which scene each character plays in, and how scenes of the running game change.

The game itself is the scene without an id, and always runs. A character plays in at most one other
at a time; what members of it say to each other belongs there, everything else to the game.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from functools import partial
from weakref import WeakValueDictionary

from evennia.utils import gametime

from ai_assistant import conf
from ai_assistant.core.contracts import ALOUD, DIRECT, Commit, Event, MemoryRow
from ai_assistant.core.errors import AssistantError
from ai_assistant.core.times import DAY
from ai_assistant.game.identity import find
from ai_assistant.memory.search.recall import Recall
from ai_assistant.roleplay.director import Bounds, Director
from ai_assistant.roleplay.knowledge import WITNESSES, as_seen, scene_step, seen_by
from ai_assistant.roleplay.play import Play, Plays, is_fiction, play_of
from ai_assistant.roleplay.scene import (
    ENDING,
    GAME,
    GAME_ITSELF,
    RUNNING,
    SceneState,
    leader,
    players,
)
from ai_assistant.roleplay.world_agent import WorldAgent
from ai_assistant.scenes.attendance import company
from ai_assistant.storage import Container, WorldContainer
from ai_assistant.storage.scene_rows import SceneChanged, load_scene, load_scenes, save_scene
from ai_assistant.storage.server_lease import PUBLISHER

RECALLS: WeakValueDictionary[str, Recall] = WeakValueDictionary()
"""What each assistant that runs can recall, by its id: it knows at once what a scene gives it."""
LOOKED_FOR_DAY = 20
"""The newest rows of a scene's world; a line of the day before may be kept after the dawn."""


class Scenes:
    """The scenes of this server process. Use it on the reactor thread only."""

    def __init__(self) -> None:
        self.agent = WorldAgent()
        self.director = Director()
        self._running: dict[str, SceneState] | None = None
        self._of: dict[str, str] = {}
        self._ending: dict[str, SceneState] = {}
        self.tended_at = 0.0
        self.days: dict[str, int] = {}
        """The day of each scene that follows the game's clock, when it was looked after last, or
        began to follow it, or was read from disk, before anybody spoke in it."""

    # -- which

    @property
    def running(self) -> dict[str, SceneState]:
        """The running scenes by id, the game's own among them. Raises `StoreError`."""
        if self._running is None:
            found = {scene.id: scene for scene in load_scenes(RUNNING)}
            found.setdefault(GAME, GAME_ITSELF)
            self._ending = {scene.id: scene for scene in load_scenes(ENDING)}
            self._running = found
            self._seat()
            follow = (scene for scene in found.values() if scene.id != GAME and not scene.day)
            self.days = {scene.id: _recorded_day(scene) for scene in follow} | self.days
        return self._running

    def reset(self) -> None:
        """Forget what is in memory; it is read from disk when it is needed again."""
        self.__init__()  # type: ignore[misc]

    def _seat(self) -> None:
        scenes = (self._running or {}).values()
        self._of = {member.id: scene.id for scene in scenes for member in scene.members}

    def of(self, who: str) -> SceneState:
        """Return the scene in which somebody plays now; the game if they play in none."""
        running = self.running
        return running[self._of.get(who, GAME)]

    def acting(self, who: str) -> SceneState:
        """Return the scene in which an assistant acts on its own.

        It plays as long as a player of its scene is in the game and in the same place; else it is
        in the game itself.
        """
        scene = self.of(who)
        others = players(scene) if scene.id else ()
        body = find(who) if others and who not in others else None
        if body is None:
            return scene
        bodies = [player for player in map(find, others) if player is not None]
        with_it = (other.sessions.count() and other.location == body.location for other in bodies)
        return scene if any(with_it) else self.running[GAME]

    def leader(self, scene: SceneState) -> str:
        """Return the id of whoever may change and end a scene; see `roleplay.scene.leader`."""
        return leader(scene, lambda who: find(who) is not None)

    @property
    def owing(self) -> list[SceneState]:
        """The scenes with members to whom an account is still owed. Raises `StoreError`."""
        scenes = (*self.running.values(), *self._ending.values())
        return [scene for scene in scenes if scene.owed]

    def get(self, session: str) -> SceneState:
        """Return a scene, running or not. Raises `AssistantError` if there is none."""
        found = self.running.get(session) or load_scene(session)
        if found is None:
            raise AssistantError("There is no such scene.")
        return found

    def day(self, scene: SceneState) -> int:
        """Return the day of a scene's story: as set by hand, else by the game's clock."""
        return scene.day or self.running[GAME].day or 1 + int(gametime.gametime() // DAY)

    def plays(self, who: str) -> Plays:
        """Return the function by which a character's mind asks for its scene."""

        def play(session: str | None) -> Play:
            scene = self.acting(who) if session is None else self.running.get(session)
            if scene is None:  # the scene ended while one of its events waited
                scene = load_scene(session or GAME) or SceneState(session or GAME)
            return replace(play_of(scene, self.day(scene), who), member_of=self.of(who).id)

        return play

    def has_floor(self, scene: SceneState, event: Event, who: str) -> bool | None:
        """Did the director of a scene give somebody the floor? None if no director is asked."""
        if not scene.id or event.source_type not in ALOUD | DIRECT:
            return None
        bounds = Bounds(conf.settings.SCENE_UNASKED_LINES, conf.settings.ENGAGED_SECONDS)
        if event.source_type in DIRECT:
            return self.director.may_whisper(event, who, bounds) if event.by_assistant else None
        return who in self.director.cue(scene, event, partial(company, scene, event), bounds)

    def is_played(self, row: MemoryRow) -> bool:
        """Is a row fiction: by its mark, or because its scene is fiction or gone?"""
        if is_fiction(row) or not row.session:
            return is_fiction(row)
        scene = self.running.get(row.session) or load_scene(row.session)
        return scene is None or scene.fiction

    # -- what changes

    def save(
        self,
        scene: SceneState,
        updates: Sequence[MemoryRow] = (),
        writings: Mapping[Container, Commit] | None = None,
        by: str = "",
    ) -> SceneState:
        """Write a scene, updates of its world, and rows for its members' containers, all or none.

        The scene holds in this form at once, and whoever saw an update happen is told. `by` is the
        name of whoever changed it, for its log; empty where the game did. Returns the scene. Raises
        `StoreError`, and `AssistantError` if the scene was changed on disk since it was read.
        """
        running, given = self.running, {**(writings or {})}
        for update in updates:
            for who in update.meta.get(WITNESSES, ()):
                own = Container(scene.id, who)
                commit = given.get(own, Commit(at=time.time()))
                given[own] = replace(commit, rows=[*commit.rows, as_seen(update, who)])
        try:
            written = save_scene(scene, updates, given, running.get(scene.id), by)
        except SceneChanged:
            self._running = None
            raise
        PUBLISHER(partial(self._publish, scene, given, written))
        return scene

    def _publish(
        self, scene: SceneState, given: Mapping[Container, Commit], written: Sequence[MemoryRow]
    ) -> None:
        for kept, status in ((self.running, RUNNING), (self._ending, ENDING)):
            kept.pop(scene.id, None)
            if scene.status == status:
                kept[scene.id] = scene
        self._seat()
        if scene.day or scene.status != RUNNING:
            self.days.pop(scene.id, None)
        elif scene.id != GAME:
            self.days.setdefault(scene.id, self.day(scene))
        for container, commit in given.items():
            if (recall := RECALLS.get(container.character)) is not None:
                recall.learn([row for row in written if row.container == container.character])
                recall.forget(commit.archived)


def _recorded_day(scene: SceneState) -> int:
    """Return the last day on record in a scene's world: the Server may have been down since."""
    newest = WorldContainer(scene.id).find(limit=LOOKED_FOR_DAY)
    return max((row.game_day for row in newest), default=0)


SCENES = Scenes()


def step_of(scene: SceneState, what: str, witnesses: Collection[str] = ()) -> MemoryRow:
    """Return the update of a scene's world that tells of a step, known to these witnesses."""
    step = scene_step(what, day=SCENES.day(scene), at=time.time(), location=scene.scene)
    return seen_by(step, witnesses)
