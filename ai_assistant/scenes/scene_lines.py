"""Scene lines: to which scene a line of the game belongs, and who took part in it."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

from ai_assistant.core.contracts import ALOUD, DIRECT, Event, Json
from ai_assistant.core.readers import Audience
from ai_assistant.game.earshot import IN_ROOMS, RECEIPTS, REPORTED, keeps_own, shy, unseen
from ai_assistant.game.identity import entity_id, find
from ai_assistant.memory.talk.hearsay import FICTION
from ai_assistant.roleplay.participants import Present, determine
from ai_assistant.roleplay.scene import GAME, SceneState, place_of
from ai_assistant.roleplay.world_agent import KEY, as_json
from ai_assistant.scenes.attendance import as_said, hearers, is_minded, present
from ai_assistant.scenes.live_scenes import SCENES, Scenes
from ai_assistant.storage.refined_lines import take_out

_JUDGED = ALOUD | DIRECT | {"channel"}


class SceneLines:
    """Finds the scene of each line that is said in the game, and who took part in it."""

    def __init__(self, scenes: Scenes) -> None:
        self._scenes = scenes

    def placed(
        self, event: Event, hearer: str, scene: SceneState | None = None, **more: Any
    ) -> Event:
        """Return an event that is over with its scene and day, and who took part, if it is talk.

        It belongs to the `scene` that both speaker and hearer play in, unless one is given. `more`
        are further fields of it.
        """
        place, agent = scene or self.scene_of(event, hearer), self._scenes.agent
        known = None if event.source_type in DIRECT else agent.decided.get((place.id, event.id))
        if known is None and event.source_type in _JUDGED:  # its first hearer, for all of them
            bound = partial(self._bound, event, place, hearer)
            known = agent.judge(place.id, event.place, as_said(event), bound)
        return self._with(event, hearer, place, known, **more)

    def sketched(self, event: Event, hearer: str) -> Event:
        """Return an event that is not over with its scene; its only known hearer is this one."""
        place, decision = self.scene_of(event, hearer), None
        if event.source_type in _JUDGED:
            said, heard = as_said(event), [present(find(hearer))]
            decision = as_json(determine(said, heard), said.speaker, heard)
        return self._with(event, hearer, place, decision)

    def _with(
        self, event: Event, hearer: str, place: SceneState, decision: Json | None, **more: Any
    ) -> Event:
        metadata, day = event.metadata, self._scenes.day(place)
        if decision is not None:
            decision = dict(decision)
            if where := place_of(place, event.source.id):
                decision["place"] = where
            if self.is_played(event, hearer):  # a bystander who hears it is told no fact either
                decision[FICTION] = True
            metadata = {**metadata, KEY: decision}
        return replace(event, session=place.id, game_day=day, metadata=metadata, **more)

    def is_played(self, event: Event, hearer: str) -> bool:
        """Is an event part of a scene that is fiction, for this hearer?

        What a player says to somebody outside of the scene by page, whisper or channel, or where
        nobody else of the scene can hear it, is meant, not played.
        """
        if len(self._scenes.running) == 1:  # the game alone
            return False
        played = self.played(event)
        if not (played.id and played.fiction and event.source_type in _JUDGED):
            return False
        if self.scene_of(event, hearer) is played:
            return True
        if event.by_assistant:
            return event.source_type != "page"
        line = RECEIPTS.lines.get(event.id)
        there = line.there if line else played.participants()
        is_heard = any(played.has(who) for who in there if who != event.source.id)
        return event.source_type in IN_ROOMS and is_heard

    def scene_of(self, event: Event, hearer: str) -> SceneState:
        """Return the scene in which both the speaker and this hearer play; else the game."""
        running = self._scenes.running
        if len(running) == 1:
            return running[GAME]
        played = self.played(event)
        alone = played.id and self._scenes.of(hearer) is not played
        return running[GAME] if alone else played

    def played(self, event: Event) -> SceneState:
        """Return the scene in which the speaker played when the line was said.

        An assistant's line belongs to the scene of its turn, whoever has come or gone meanwhile.
        """
        who = event.source.id
        scene = self._scenes.of(who)
        if scene.id == GAME or self._scenes.agent.knows(scene.id, event.id):
            return scene
        return self._scenes.acting(who)

    def _bound(self, event: Event, scene: SceneState, hearer: str) -> list[Present]:
        heard, played = hearers(event, find(hearer)), self.played(event)
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
            home = self.scene_of(event, who) if played.id else played
            there = present(
                body,
                hidden=who in hidden,
                has_mind=(reported and keeps_own(body)) or is_minded(body),
                apart=home.id != scene.id,
                unseen_by=hiding.get(who, frozenset()),
                missed=body in missed,
            )
            bound.append(there)
        return bound

    def missed(self, speaker: str, event: str, who: Audience) -> None:
        """Remove those who did not receive an own line after all from what was saved of it."""
        for session in {GAME, self._scenes.of(speaker).id}:
            self._scenes.agent.missed(session, event, who)
            take_out(session, event, who)


SCENE_LINES = SceneLines(SCENES)
