"""What players look back at with `scene`: the scenes they played, and what they remember of them.

Everybody reads their own container and no other; what was forgotten is in none.
"""

from __future__ import annotations

import time

from ai_assistant.commands.command_base import AICommand
from ai_assistant.commands.scene_shown import (
    BENEATH,
    headline,
    remembered,
    scene_named,
    state_of,
    title_of,
    without_repeats,
)
from ai_assistant.commands.shown import minute
from ai_assistant.core.contracts import MemoryRow
from ai_assistant.core.errors import AssistantError
from ai_assistant.core.text import clean
from ai_assistant.game.identity import entity_id, name_of
from ai_assistant.memory.parts import iso
from ai_assistant.roleplay.message_formats import Said, recall_query
from ai_assistant.roleplay.permanent import KINDS
from ai_assistant.roleplay.recollection import recollect
from ai_assistant.roleplay.scene import GAME, OPEN, SceneState
from ai_assistant.scenes.live_scenes import SCENES
from ai_assistant.storage import Container
from ai_assistant.storage.scene_counts import Remembered, scenes_of
from ai_assistant.storage.scene_rows import as_of, load_scene, load_scenes

RECAPPED = 10
MOST_RECAPPED = 50
"""So much is shown of a day, or of a scene that one is not in."""
RECALLED = 5
LOOKED_THROUGH = 300
"""The newest memories of a scene, among which a recall looks."""
HOME = "game"
"""What stands for the game itself, where each scene left one account."""


class ScenePast(AICommand):
    """The verbs of `scene` that look back."""

    @property
    def own_id(self) -> str:
        """The lasting id of whoever asks."""
        return entity_id(self.caller)

    def do_list(self) -> None:
        """List the scenes that one plays or played."""
        known = self._known()
        if not known:
            raise AssistantError("You have played no scene yet; scene/create <title> makes one.")
        rows = [self._row(number, *one) for number, one in enumerate(known, 1)]
        titles = ("#", "Title", "State", "Day", "You remember", "The last of it")
        table = self.table(titles, reversed(rows))
        self.show(f"{table}\nscene/recap #<number> tells you what you remember of one.")

    def do_recap(self) -> None:
        """Show what one remembers of a scene, now or at the end of a day."""
        which, most = (self.lhs or "").strip(), MOST_RECAPPED
        if not which or which.isdecimal():
            which, most = "", self.number(which, RECAPPED)
        scene = self._which(which)
        container = Container(scene.id, self.own_id)
        if self.rhs is None:
            found = container.find(limit=most + LOOKED_THROUGH)[::-1]
        else:
            found = as_of(container, day=self._day(), limit=most + LOOKED_THROUGH)
        self._tell(scene, [row for row in found if row.kind not in KINDS][-most:])

    def do_recall(self) -> None:
        """Look for something in what one remembers of a scene."""
        words = clean(self.args)
        if not words:
            raise AssistantError("What do you try to remember? Usage: scene/recall <words>")
        scene, me = self._which(""), name_of(self.caller)
        rows = Container(scene.id, self.own_id).find(limit=LOOKED_THROUGH)
        day = SCENES.day(scene)
        query = recall_query(day, [Said(me, words, day)], me)
        found = recollect(rows, query.words, RECALLED, now=time.time(), fitting=True)
        self._tell(scene, found)

    def _tell(self, scene: SceneState, rows: list[MemoryRow]) -> None:
        if not rows:
            raise AssistantError(f"You remember nothing of that in {title_of(scene)}.")
        title = headline(scene) if scene.has(self.own_id) else f"|w{title_of(scene)}|n"
        told = [line for row in without_repeats(rows) for line in remembered(row, scene)]
        self.show("\n".join([self.fitted(title), *(self.fitted(one, BENEATH) for one in told)]))

    def _day(self) -> int:
        typed = (self.rhs or "").strip().removeprefix("day").strip()
        if not typed.isdecimal():
            raise AssistantError("Which day? Usage: scene/recap <scene> = 5")
        return int(typed[:9])

    def _row(self, number: int, scene: SceneState, own: Remembered | None) -> tuple[object, ...]:
        last = minute(iso(own.last)) if own else ""
        rows = own.rows if own else 0
        known = f"{rows} thing{'s' * (rows > 1)}" if rows else "nothing yet"
        is_in = scene.has(self.own_id)
        state, day = (state_of(scene), SCENES.day(scene)) if is_in else ("left", "")
        return (f"#{number}", scene.title, state, day, known, last)

    # -- which

    def _known(self) -> list[tuple[SceneState, Remembered | None]]:
        """Return the scenes that one plays or played, oldest first, and what one has of each."""
        owned = {one.session: one for one in scenes_of(self.own_id)}
        mine = self._mine()
        sessions = [*owned, *([mine.id] if mine and mine.id not in owned else [])]
        found = ((load_scene(session), owned.get(session)) for session in sessions)
        return [(scene, own) for scene, own in found if scene is not None]

    def _which(self, name: str) -> SceneState:
        """Return the scene that is meant: the own one, or the last one that was played."""
        mine = self._mine()
        if not name and mine is not None:
            return mine
        if name.casefold() == HOME:
            return SCENES.get(GAME)
        known = [scene for scene, _ in self._known()]
        if not known:
            raise AssistantError("You are in no scene, and played none; scene/create makes one.")
        if not name:
            return known[-1]
        return scene_named(known, name, "Which of your scenes")

    def _mine(self) -> SceneState | None:
        """Return the scene that one is in: the one that runs, or the last one that will."""
        now = SCENES.of(self.own_id)
        if now.id != GAME:
            return now
        made = [one for one in load_scenes(OPEN) if one.has(self.own_id)]
        return made[-1] if made else None
