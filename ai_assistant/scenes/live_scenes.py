"""Scenes in the running game: who plays in which, what each event belongs to, and their changes.

The game itself is the scene without an id, and always runs. A character plays in at most one other
at a time; what members of it say to each other belongs there, everything else to the game.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any
from weakref import WeakValueDictionary

from evennia.utils import gametime

from ai_assistant import conf
from ai_assistant.core.contracts import DIRECT, Commit, Event, Json, MemoryRow
from ai_assistant.core.errors import AssistantError
from ai_assistant.core.readers import Audience
from ai_assistant.core.times import DAY
from ai_assistant.game.earshot import IN_ROOMS, RECEIPTS, REPORTED, keeps_own, shy, unseen
from ai_assistant.game.identity import entity_id, find
from ai_assistant.memory.search.recall import Recall
from ai_assistant.memory.talk.hearsay import FICTION
from ai_assistant.roleplay.director import Bounds, Director
from ai_assistant.roleplay.knowledge import WITNESSES, as_seen
from ai_assistant.roleplay.participants import Present, determine
from ai_assistant.roleplay.play import Play, Plays, is_fiction, play_of
from ai_assistant.roleplay.scene import (
    ENDING,
    GAME,
    RUNNING,
    SceneState,
    leader,
    place_of,
    players,
)
from ai_assistant.roleplay.world_agent import KEY, WorldAgent, as_json
from ai_assistant.scenes.attendance import as_said, company, hearers, is_minded, present
from ai_assistant.storage import Container
from ai_assistant.storage.refined_lines import take_out
from ai_assistant.storage.scene_rows import SceneChanged, load_scene, load_scenes, save_scene
from ai_assistant.storage.server_lease import PUBLISHER

RECALLS: WeakValueDictionary[str, Recall] = WeakValueDictionary()
"""What each assistant that runs can recall, by its id: it knows at once what a scene gives it."""
_ALOUD = frozenset({"say", "pose"})
_JUDGED = _ALOUD | DIRECT | {"channel"}


class Scenes:
    """The scenes of this server process. All methods belong on the reactor thread."""

    def __init__(self) -> None:
        self.agent = WorldAgent()
        self.director = Director()
        self._running: dict[str, SceneState] | None = None
        self._of: dict[str, str] = {}
        self._ending: dict[str, SceneState] = {}
        self.tended_at = 0.0

    # -- which

    @property
    def running(self) -> dict[str, SceneState]:
        """The running scenes by id, the game's own among them. Raises `StoreError`."""
        if self._running is None:
            found = {scene.id: scene for scene in load_scenes(RUNNING)}
            found.setdefault(GAME, SceneState(GAME, status=RUNNING, fiction=False))
            self._ending = {scene.id: scene for scene in load_scenes(ENDING)}
            self._running = found
            self._seat()
        return self._running

    def reset(self) -> None:
        """Forget what is in memory; it is read from disk again when it is needed."""
        self.__init__()  # type: ignore[misc]

    def _seat(self) -> None:
        scenes = (self._running or {}).values()
        self._of = {member.id: scene.id for scene in scenes for member in scene.members}

    def of(self, who: str) -> SceneState:
        """Return the scene in which that one plays now; the game where it plays in none."""
        running = self.running
        return running[self._of.get(who, GAME)]

    def acting(self, who: str) -> SceneState:
        """Return the scene in which that one acts of its own accord.

        An assistant plays as long as a player of its scene is in the game with it; alone it is in
        the game itself.
        """
        scene = self.of(who)
        others = players(scene) if scene.id else ()
        body = find(who) if others and who not in others else None
        if body is None:
            return scene
        bodies = [player for player in map(find, others) if player is not None]
        with_it = (one.sessions.count() and one.location == body.location for one in bodies)
        return scene if any(with_it) else self.running[GAME]

    def leader(self, scene: SceneState) -> str:
        """Return the id of whoever may change and end a scene; see `roleplay.scene.leader`."""
        return leader(scene, lambda who: find(who) is not None)

    @property
    def owing(self) -> list[SceneState]:
        """The scenes of which somebody has an account still to take home. Raises `StoreError`."""
        scenes = (*self.running.values(), *self._ending.values())
        return [scene for scene in scenes if scene.owed]

    def get(self, session: str) -> SceneState:
        """Return a scene, running or not. Raises `AssistantError` where there is none."""
        found = self.running.get(session) or load_scene(session)
        if found is None:
            raise AssistantError("There is no such scene.")
        return found

    def day(self, scene: SceneState) -> int:
        """Return the day of a scene's story: the one set by hand, else by the game's clock."""
        return scene.day or self.running[GAME].day or 1 + int(gametime.gametime() // DAY)

    def plays(self, who: str) -> Plays:
        """Return how a character's mind asks for its scene."""

        def play(session: str | None) -> Play:
            scene = self.acting(who) if session is None else self.running.get(session)
            if scene is None:  # the scene ended while one of its events waited
                scene = load_scene(session or GAME) or SceneState(session or GAME)
            return replace(play_of(scene, self.day(scene), who), member_of=self.of(who).id)

        return play

    def has_floor(self, scene: SceneState, event: Event, who: str) -> bool | None:
        """Has the director of a scene given that one the floor? None: no director is asked."""
        if not scene.id or event.source_type not in _ALOUD | DIRECT:
            return None
        bounds = Bounds(conf.settings.SCENE_UNASKED_LINES, conf.settings.ENGAGED_SECONDS)
        if event.source_type in DIRECT:
            return self.director.may_whisper(event, who, bounds) if event.by_assistant else None
        return who in self.director.cue(scene, event, partial(company, scene, event), bounds)

    def is_played(self, row: MemoryRow) -> bool:
        """Is that row fiction: by its mark, or because its scene is, or is not there any more?"""
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
    ) -> list[MemoryRow]:
        """Write a scene, what its world is told of it, and what goes into members' containers.

        From now on it is as it is here, and whoever saw an update happen has it at once. Returns
        the rows written for members. Raises `StoreError`, and `AssistantError` where it was changed
        on disk since it was read; nothing is kept then.
        """
        running, given = self.running, {**(writings or {})}
        for update in updates:
            for who in update.meta.get(WITNESSES, ()):
                own = Container(scene.id, who)
                commit = given.get(own, Commit(at=time.time()))
                given[own] = replace(commit, rows=[*commit.rows, as_seen(update, who)])
        try:
            written = save_scene(scene, updates, given, before=running.get(scene.id))
        except SceneChanged:
            self._running = None
            raise
        PUBLISHER(partial(self._publish, scene, given, written))
        return written

    def _publish(
        self, scene: SceneState, given: Mapping[Container, Commit], written: Sequence[MemoryRow]
    ) -> None:
        for kept, status in ((self.running, RUNNING), (self._ending, ENDING)):
            kept.pop(scene.id, None)
            if scene.status == status:
                kept[scene.id] = scene
        self._seat()
        for container, commit in given.items():
            if (recall := RECALLS.get(container.character)) is not None:
                recall.learn([row for row in written if row.container == container.character])
                recall.forget(commit.archived)


SCENES = Scenes()


class SceneLines:
    """What is said in the game, as it belongs to its scenes: in which, and who took part in it."""

    def __init__(self, scenes: Scenes) -> None:
        self._scenes = scenes

    def placed(
        self, event: Event, hearer: Any, scene: SceneState | None = None, **more: Any
    ) -> Event:
        """Return an event that is over with its scene and day, and who took part, if it is talk.

        It belongs to the `scene` that both speaker and hearer play in, unless one is given. `more`
        are further fields of it.
        """
        place = scene or self.scene_of(event, entity_id(hearer))
        decision: Json | None = None
        if event.source_type in _JUDGED:
            bound = partial(self._bound, event, place, hearer)
            decision = self._scenes.agent.judge(place.id, event.place, as_said(event), bound)
        return self._with(event, place, decision, **more)

    def sketched(self, event: Event, hearer: Any) -> Event:
        """Return an event that is not over, so that only this one is known to have heard it."""
        place, decision = self.scene_of(event, entity_id(hearer)), None
        if event.source_type in _JUDGED:
            said, heard = as_said(event), [present(hearer)]
            decision = as_json(determine(said, heard), said.speaker, heard)
        return self._with(event, place, decision)

    def _with(self, event: Event, place: SceneState, decision: Json | None, **more: Any) -> Event:
        metadata, day = event.metadata, self._scenes.day(place)
        if decision is not None:
            decision = dict(decision)
            if where := place_of(place, event.source.id):
                decision["place"] = where
            if self.is_played(event, place.id):  # a bystander who hears it is told no fact either
                decision[FICTION] = True
            metadata = {**metadata, KEY: decision}
        return replace(event, session=place.id, game_day=day, metadata=metadata, **more)

    def is_played(self, event: Event, session: str) -> bool:
        """Is it talk of a scene that is fiction, for somebody who hears it in this session?

        A page goes past the play: to whoever is of no part of it, it is meant.
        """
        played = self.played(event)
        is_talk = event.source_type in _JUDGED
        is_meant = event.source_type == "page" and session != played.id
        return bool(played.id and played.fiction and is_talk and not is_meant)

    def scene_of(self, event: Event, hearer: str) -> SceneState:
        """Return the scene that both its speaker and that hearer play in; else the game."""
        played = self.played(event)
        alone = played.id and self._scenes.of(hearer) is not played
        return self._scenes.running[GAME] if alone else played

    def played(self, event: Event) -> SceneState:
        """Return the scene that its speaker played in with this line.

        What an assistant says is of the scene of its turn, whoever has gone or come meanwhile.
        """
        who = event.source.id
        scene = self._scenes.of(who)
        if scene.id == GAME or self._scenes.agent.knows(scene.id, event.id):
            return scene
        return self._scenes.acting(who)

    def _bound(self, event: Event, scene: SceneState, hearer: Any) -> list[Present]:
        heard = hearers(event, hearer)
        missed = list(filter(None, map(find, RECEIPTS.missed(event.id))))
        speaker, room = find(event.source.id), find(event.place)
        bodies = [*heard, *missed]
        hidden, hiding = set[str](), dict[str, Audience]()
        in_room = event.source_type in IN_ROOMS and room is not None and speaker is not None
        if in_room and (some := shy(room, bodies)):
            seen = room.filter_visible(some, speaker)
            hidden = {*map(entity_id, some)} - {*map(entity_id, seen)}
            hiding = unseen(room, heard)
        reported = event.source_type in REPORTED
        bound = []
        for body in bodies:
            who = entity_id(body)
            there = present(
                body,
                hidden=who in hidden,
                has_mind=(reported and keeps_own(body)) or is_minded(body),
                apart=self.scene_of(event, who).id != scene.id,
                unseen_by=hiding.get(who, frozenset()),
                missed=body in missed,
            )
            bound.append(there)
        return bound

    def missed(self, speaker: str, event: str, who: Audience) -> None:
        """Take those out of what was saved of an own line who did not receive it after all."""
        for session in {GAME, self._scenes.of(speaker).id}:
            self._scenes.agent.missed(session, event, who)
            take_out(session, event, who)


SCENE_LINES = SceneLines(SCENES)
