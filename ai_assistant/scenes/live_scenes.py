"""Scenes in the running game: who plays in which, what each event belongs to, and their changes.

The game itself is the scene without an id, and always runs. A character plays in at most one other
at a time; what members of it say to each other belongs there, everything else to the game.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from evennia.utils import gametime

from ai_assistant.core.contracts import Commit, Event, Json, MemoryRow
from ai_assistant.core.errors import AssistantError
from ai_assistant.core.readers import Audience
from ai_assistant.game.earshot import IN_ROOMS, RECEIPTS, REPORTED, keeps_own, unseen
from ai_assistant.game.identity import entity_id, find
from ai_assistant.memory.parts import DAY
from ai_assistant.memory.talk.hearsay import FICTION
from ai_assistant.roleplay.participants import Present
from ai_assistant.roleplay.play import Play, Plays, is_fiction, play_of
from ai_assistant.roleplay.scene import (
    ENDING,
    GAME,
    RUNNING,
    SceneState,
    has_floor,
    leader,
    players,
)
from ai_assistant.roleplay.world_agent import KEY, WorldAgent, sketch
from ai_assistant.scenes.attendance import as_said, can_answer, hearers, is_minded, is_with, present
from ai_assistant.storage import Container
from ai_assistant.storage.scene_rows import SceneChanged, load_scene, load_scenes, save_scene
from ai_assistant.storage.unheard import take_out

_JUDGED = frozenset({"say", "pose", "whisper", "page", "gift", "channel"})


class Scenes:
    """The scenes of this server process. All methods belong on the reactor thread."""

    def __init__(self) -> None:
        self.agent = WorldAgent()
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

        An assistant plays as long as a player of its scene is with it; alone it is in the game.
        """
        scene = self.of(who)
        others = players(scene)
        body = find(who) if others and who not in others else None
        if body is None or any(is_with(player, body) for player in filter(None, map(find, others))):
            return scene
        return self.running[GAME]

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
            return replace(play_of(scene, self.day(scene)), member_of=self.of(who).id)

        return play

    def floor(self, event: Event, who: str) -> bool | None:
        """Is it that one's turn to answer, by the policy of the scene? None: by address."""
        scene = self.running.get(event.session)
        if not event.session or scene is None:
            return None
        return has_floor(scene, who, event.source.id, lambda one: can_answer(one, event))

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

        From now on it is as it is here. Returns the rows written for members. Raises `StoreError`,
        and `AssistantError` where it was changed on disk since it was read; nothing is kept then.
        """
        running = self.running
        try:
            written = save_scene(scene, updates, writings or {}, before=running.get(scene.id))
        except SceneChanged:
            self._running = None
            raise
        for kept, status in ((running, RUNNING), (self._ending, ENDING)):
            kept.pop(scene.id, None)
            if scene.status == status:
                kept[scene.id] = scene
        self._seat()
        return written


SCENES = Scenes()


class SceneLines:
    """What is said in the game, as it belongs to its scenes: in which, and who took part in it."""

    def __init__(self, scenes: Scenes) -> None:
        self._scenes = scenes

    def placed(self, event: Event, hearer: Any, scene: SceneState | None = None) -> Event:
        """Return an event with its scene and day, and who took part in it, if it is talk.

        It belongs to the `scene` that both speaker and hearer play in, unless one is given. To be
        asked when the line is over: before, nobody knows who receives it.
        """
        scene = scene or self._shared(event, entity_id(hearer))
        known = self._scenes.agent.known(scene.id, event.id, event.source_type)
        return self._judged(
            event,
            scene,
            lambda: (
                known
                or self._scenes.agent.judge(
                    scene.id, event.place, as_said(event), lambda: self._bound(event, scene, hearer)
                )
            ),
        )

    def sketched(self, event: Event, hearer: Any) -> Event:
        """Return an event as `placed` does, as long as it is only known that this one heard it."""
        scene = self._shared(event, entity_id(hearer))
        return self._judged(event, scene, lambda: sketch(as_said(event), present(hearer)))

    def _judged(self, event: Event, scene: SceneState, judge: Callable[[], Json]) -> Event:
        metadata = event.metadata
        if event.source_type in _JUDGED:
            played = self.played(event)  # a bystander who hears it is told no fact either
            more = {"place": scene.scene, FICTION: played.fiction and bool(played.id)}
            decision = {**judge(), **{key: value for key, value in more.items() if value}}
            metadata = {**metadata, KEY: decision}
        return replace(event, session=scene.id, game_day=self._scenes.day(scene), metadata=metadata)

    def shared(self, speaker: str, hearer: str) -> SceneState:
        """Return the scene in which both play; if they do not, it is the game."""
        scene = self._scenes.of(speaker)
        return scene if scene is self._scenes.of(hearer) else self._scenes.running[GAME]

    def _shared(self, event: Event, hearer: str) -> SceneState:
        """Return the scene in which both play, unless the speaker did not say it there."""
        scene = self.shared(event.source.id, hearer)
        return scene if self.played(event).id == scene.id else self._scenes.running[GAME]

    def played(self, event: Event) -> SceneState:
        """Return the scene that its speaker played in with this line.

        What an assistant says is of the scene of its turn, whoever has gone or come meanwhile.
        """
        who = event.source.id
        scene = self._scenes.of(who)
        return scene if self._scenes.agent.knows(scene.id, event.id) else self._scenes.acting(who)

    def _bound(self, event: Event, scene: SceneState, hearer: Any) -> list[Present]:
        """Return those who could hear an event.

        Who does not play in its scene is apart, and whom it did not reach has missed it.
        """
        heard = hearers(event, hearer)
        missed = list(filter(None, map(find, RECEIPTS.missed(event.id))))
        speaker, room = find(event.source.id), find(event.place)
        bodies = [*heard, *missed]
        seen, hiding = set(bodies), dict[str, Audience]()
        if event.source_type in IN_ROOMS and room is not None and speaker is not None:
            seen = set(room.filter_visible(bodies, speaker))
            hiding = unseen(room, heard)
        reported = event.source_type in REPORTED
        return [
            Present(
                who := entity_id(one),
                one.key,
                tuple(one.aliases.all()),
                hidden=one not in seen,
                has_mind=is_minded(one) or (reported and keeps_own(one)),
                apart=self._shared(event, who).id != scene.id,
                unseen_by=hiding.get(who, frozenset()),
                missed=one in missed,
            )
            for one in bodies
        ]

    def missed(self, speaker: str, event: str, who: Audience) -> None:
        """Take those out of what was saved of an own line who did not receive it after all.

        It was saved before it was said. Raises `StoreError`.
        """
        for session in {GAME, self._scenes.of(speaker).id}:
            self._scenes.agent.missed(session, event, who)
            take_out(session, event, who)


SCENE_LINES = SceneLines(SCENES)
