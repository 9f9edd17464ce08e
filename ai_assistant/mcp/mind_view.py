"""What a program reads of whole minds: of all of them for staff, of its own for a character."""

from __future__ import annotations

import time
from typing import Any

from django.http import Http404

from ai_assistant.api.ask import search_in
from ai_assistant.api.blocks import read_persona
from ai_assistant.api.lifecycle import all_assistants
from ai_assistant.commands import scene_shown, shown
from ai_assistant.commands.staff.ai import CmdAI
from ai_assistant.commands.staff.aiscene import CmdAIScene
from ai_assistant.core.contracts import Json
from ai_assistant.game.identity import entity_id, name_of
from ai_assistant.mcp.own_process import found_now, recall_of
from ai_assistant.roleplay.scene import GAME, SceneState, scene_facts
from ai_assistant.storage.containers import Container
from ai_assistant.storage.scene_rows import load_scene, load_scenes, scenes_of
from ai_assistant.web.rest import api_blocks as blocks
from ai_assistant.web.rest import api_life as life
from ai_assistant.web.rest import api_mind as mind
from ai_assistant.web.rest import api_plans as plans
from ai_assistant.web.rest.api_endpoint import ApiCall, Endpoint, takes
from ai_assistant.web.rest.api_routes import ALL, ENDPOINTS, ONE

READ = (
    life.show_persona,
    mind.show_memory,
    mind.list_people,
    mind.show_person,
    mind.journal,
    mind.session,
    mind.notebook,
    blocks.blocks,
    plans.show_goals,
    plans.goal,
    plans.projects,
)
"""Functions of the REST API that need no running game."""


class MindView:
    """The minds that may be read: all, or the one of a character by its lasting id."""

    def __init__(self, only: str = "") -> None:
        self._only = only

    def table(self) -> tuple[Endpoint, ...]:
        """Return what there is to be read."""
        scene = "scenes/<str:scene>/"
        return (
            Endpoint("GET", ALL, self.list_assistants, CmdAI),
            *(endpoint for endpoint in ENDPOINTS if endpoint.does in READ),
            Endpoint("GET", f"{ONE}memories/", self.list_memories, CmdAI),
            Endpoint("GET", "scenes/", self.list_scenes, CmdAIScene),
            Endpoint("GET", scene, self.show_scene, CmdAIScene),
            Endpoint("GET", f"{ONE}{scene}", self.scene_memories, CmdAIScene),
        )

    def bodies(self) -> list[Any]:
        """Return the characters whose minds these are."""
        return [body for body in all_assistants() if self._only in ("", entity_id(body))]

    def list_assistants(self, call: ApiCall) -> list[Json]:
        """Return the characters with a mind: who they are and where."""
        return [
            {
                "key": entity_id(body),
                "number": body.pk,
                "name": name_of(body),
                "role": read_persona(body).value.get("role", ""),
                "place": name_of(body.location) if body.location else "",
                "enabled": bool(body.assistant_script and body.assistant_script.db.enabled),
            }
            for body in self.bodies()
        ]

    @takes(mind.Looking)
    def list_memories(self, call: ApiCall) -> Any:
        """Return what an assistant remembers of some words, and why of each; else the newest."""
        words, most = call.given["q"].strip(), call.given["limit"]
        if not words:
            return mind.list_memories(call)
        recall = recall_of(call.character)
        search = search_in(recall, words, most, shown.staff_may_read, now=time.time())
        return mind.found_told(found_now(search))

    def list_scenes(self, call: ApiCall) -> list[Json]:
        """Return the scenes that are or were played: title, state and members."""
        return [_in_short(scene) for scene in self._scenes()]

    def show_scene(self, call: ApiCall) -> Json:
        """Return how one scene stands: its members, plot, place, day and values."""
        scene = self._scene(call)
        if self._only and not scene.has(self._only):  # what it took home are memories
            return _in_short(scene)
        day = scene.day or (load_scene(GAME) or scene).day  # else by the clock, which the game has
        facts = scene_facts(scene, day, self._only)
        if not day:
            del facts["gameDay"]
        return _in_short(scene) | {"plot": scene.plot, "facts": facts}

    @takes(mind.Newest)
    def scene_memories(self, call: ApiCall) -> list[Json]:
        """Return the newest memories that a character has of a scene, newest first."""
        own = Container(self._scene(call).id, entity_id(call.character))
        return [mind.row_told(row) for row in own.find(limit=call.given["limit"])]

    def _scene(self, call: ApiCall) -> SceneState:
        for scene in self._scenes():
            if scene.id == call.named["scene"]:
                return scene
        raise Http404("There is no such scene, or not any more.")

    def _scenes(self) -> list[SceneState]:
        """Return the scenes, of a character those that it plays or remembers."""
        played = [scene for scene in load_scenes() if scene.id]
        if not self._only:
            return played
        known = {scene.id for scene in scenes_of(self._only)}
        return [scene for scene in played if scene.id in known or scene.has(self._only)]


def _in_short(scene: SceneState) -> Json:
    return {
        "scene": scene.id,
        "title": scene.title,
        "state": scene_shown.scene_state_word(scene),
        "members": {member.id: member.name for member in scene.members},
    }
