"""The desk of `aiscene`: staff make scenes and run them without playing in them."""

from __future__ import annotations

from ai_assistant.api import staging
from ai_assistant.commands import scene_shown
from ai_assistant.commands.choosing import find_anybody
from ai_assistant.commands.command_base import AICommand, must_edit, switch
from ai_assistant.commands.help_topics import Misused
from ai_assistant.core.errors import AssistantError
from ai_assistant.core.text import clean
from ai_assistant.game.identity import is_assistant, name_of
from ai_assistant.roleplay.scene import SceneState


class SceneDesk(AICommand):
    """
    The switches of `aiscene` that make, fill, start and end a scene.

    """

    @switch("create", "Admin", takes=1, writes="")
    def _create(self) -> None:
        if not clean(self.args):
            raise Misused("What is it called?")
        scene = staging.create_scene(self.args)
        self.msg(f"'{scene.title}' is made, with nobody in it: aiscene/add, then aiscene/start.")

    @switch("add", "Admin", named=True)
    def _add(self, scene: SceneState) -> None:
        who = find_anybody(self.caller, self.rhs or "")
        must_edit(self.caller, who)
        if not (is_assistant(who) or who.has_account):
            raise AssistantError(f"{name_of(who)} is nobody who could play.")
        after = staging.join_scene(scene.id, who)
        self.msg(f"In '{after.title}' play: {scene_shown.members_of(after)}.")

    @switch("start", "Admin", named=True, takes=1)
    def _start(self, scene: SceneState) -> None:
        if not scene.members:
            raise AssistantError("Nobody is in it yet: aiscene/add <scene> = <name>")
        after = staging.start_scene(scene.id)
        self.msg(f"'{after.title}' runs with {scene_shown.members_of(after)}.")

    @switch("remove", "Admin", named=True)
    def _remove(self, scene: SceneState) -> None:
        who = scene_shown.member_named(scene, self.rhs or "")
        after = staging.remove_member(scene.id, who.id)
        over = " It is over now." if after.is_over else ""
        self.msg(f"{who.name} plays in '{scene.title}' no more.{over}")

    @switch("stop", "Admin", named=True, takes=1)
    def _stop(self, scene: SceneState) -> None:
        staging.stop_scene(scene.id)
        self.msg(f"'{scene.title}' is over.")
