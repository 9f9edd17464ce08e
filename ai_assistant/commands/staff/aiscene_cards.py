"""What `aiscene` does about cards of scenes: import, export, and who plays which role."""

from __future__ import annotations

from ai_assistant.api.card_exchange import files, find_file
from ai_assistant.api.stories import scene_cards
from ai_assistant.commands import scene_shown
from ai_assistant.commands.command_base import must_hold, switch
from ai_assistant.commands.staff.ai_cards import folder_listed
from ai_assistant.commands.staff.aiscene_desk import SceneDesk
from ai_assistant.game.identity import find
from ai_assistant.roleplay.scene import Member, SceneState
from ai_assistant.runtime.assembly import beside


class SceneCards(SceneDesk):
    """
    The switches import and role of the command `aiscene`, and the export of cards.

    """

    @switch("import", "Admin", takes=1, writes="")
    def _import(self) -> None:
        if not self.args:
            names = files(suffixes=scene_cards.SUFFIXES)
            self.show(folder_listed("cards of scenes (.yaml, .json)", names))
            return
        path = find_file(self.args, "scene", scene_cards.SUFFIXES)
        reading = beside(scene_cards.read_scene_file, path)
        reading.addCallback(self._imported).addErrback(self.failed)

    def _imported(self, card: SceneState) -> None:
        must_hold(self.caller, "Admin")  # the file was read meanwhile
        me = self.caller
        made = scene_cards.import_scene(
            card, may_edit=lambda who: who.access(me, "edit"), by=me.key
        )
        self.msg(f"'{made.scene.title}' is made, with {scene_shown.members_of(made.scene)} in it.")
        for role, wanted in made.missing.items():
            self.msg(f"The role {role} is for {wanted}, who is not to be had.")
        self.msg("aiscene/add and aiscene/role fill it, aiscene/start lets it run.")

    @switch("role", "Admin", named=True)
    def _role(self, scene: SceneState) -> None:
        name, role = self.name_and_text()
        who = scene_shown.member_named(scene, name)
        after = give_role(scene, who, role, by=self.caller.key)
        self.msg(f"{who.name} plays the role {after.parts[who.id]} in '{scene.title}'.")


def give_role(scene: SceneState, who: Member, role: str, *, by: str) -> SceneState:
    """Let a member play the role that is meant, and tell that one. Raises `AssistantError`."""
    after = scene_cards.cast_role(scene.id, who.id, scene_shown.role_named(scene, role), by=by)
    if (body := find(who.id)) is not None:
        body.msg("\n".join(scene_shown.role_lines(after, who.id)))
    return after
