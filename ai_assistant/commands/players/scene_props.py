"""What players do with `scene` to things and places of their story: nothing of the game is touched.

Whoever is at the same place of the story sees it, and remembers it.
"""

from __future__ import annotations

from ai_assistant.commands.command_base import switch
from ai_assistant.commands.players.scene_past import ScenePast
from ai_assistant.core.errors import AssistantError
from ai_assistant.game.consent import has_opted_out
from ai_assistant.runtime.means import keep_of
from ai_assistant.runtime.service import SERVICE
from ai_assistant.scenes.live_scenes import SCENES
from ai_assistant.scenes.story_acts import THERE, act_in_story


class SceneProps(ScenePast):
    """
    The switches of `scene` that act in its story.

    """

    @switch("take", "", takes=1)
    def _take(self) -> None:
        self._act("take", "What do you take? Usage: scene/take <thing>")

    @switch("give", "")
    def _give(self) -> None:
        usage = "Usage: scene/give <thing> = <name>"
        if not self.rhs:
            raise AssistantError(f"What do you give to whom? {usage}")
        self._act("give", usage)

    @switch("put", "", takes=1)
    def _put(self) -> None:
        self._act("put_down", "What do you put down? Usage: scene/put <thing>")

    @switch("go", "", takes=1)
    def _go(self) -> None:
        self._act("move", "Where do you go? Usage: scene/go <place>")

    def _act(self, act: str, usage: str) -> None:
        if not self.lhs:
            raise AssistantError(usage)
        scene = SCENES.of(self.own_id)
        self._count()
        told = act_in_story(self.own_id, scene.id, act, self.lhs, self.rhs or "")
        if told == THERE:
            self.msg(told)

    def _count(self) -> None:
        """Count what is about to be kept; raises `AssistantError` where it is too much, or whoever
        asks has opted out."""
        self._must_be_heard()
        keep_of(self.caller, SERVICE.shared.kept_lines)

    def _must_be_heard(self) -> None:
        """Raise `AssistantError` for who has opted out: a story is what its characters know."""
        if has_opted_out(self.caller):
            raise AssistantError("No character hears you, as you want it: memories/optin.")
