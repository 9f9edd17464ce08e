"""What players look back at with `scene`: the scenes they played, and what they remember of them.

Everybody reads their own container and no other; what was forgotten is in none.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Sequence
from textwrap import fill

from twisted.internet.defer import Deferred

from ai_assistant.api.scene_inventory import note_all
from ai_assistant.api.slices import in_slices
from ai_assistant.api.stories.telling_chapters import tell_all
from ai_assistant.commands import scene_shown
from ai_assistant.commands.choosing import Choice, choose, matching, words_and_filter
from ai_assistant.commands.command_base import number_in, switch
from ai_assistant.commands.players.player_command import PlayerCommand
from ai_assistant.commands.shown import minute
from ai_assistant.core.contracts import Json, MemoryRow
from ai_assistant.core.errors import AssistantError
from ai_assistant.core.search_port import StoryNow
from ai_assistant.core.text import clean
from ai_assistant.core.times import iso
from ai_assistant.game.identity import name_of
from ai_assistant.language.story_times import story_time
from ai_assistant.memory.search.filters import both
from ai_assistant.memory.search.retrieval import new_index
from ai_assistant.memory.search.when_in_story import STORY_DAY, unlived
from ai_assistant.roleplay.knowledge import SEEN
from ai_assistant.roleplay.message_formats import Said, is_deed, recall_query, tale_line
from ai_assistant.roleplay.permanent import KINDS
from ai_assistant.roleplay.recollection import recollect
from ai_assistant.roleplay.scene import GAME, OPEN, SceneState
from ai_assistant.roleplay.tale import TALK
from ai_assistant.runtime.means import pay, purses_of
from ai_assistant.runtime.service import SERVICE
from ai_assistant.scenes.live_scenes import SCENES
from ai_assistant.storage import Container, WorldContainer
from ai_assistant.storage.distributing import hearers_of
from ai_assistant.storage.scene_rows import (
    as_of,
    load_scenes,
    remembered_of,
    scenes_of,
)

RECAPPED = 10
MOST_RECAPPED = 50
"""So much is shown of a day, or of a scene that one is not in."""
RECALLED = 5
LOOKED_THROUGH = 300
"""The newest memories of a scene, among which a recall looks, and of the days that it names."""
LISTED = 20
"""The last scenes, of which a list tells how much one remembers of each."""
HOME = "game"
"""What stands for the game itself, where each scene left one account."""


class ScenePast(PlayerCommand):
    """
    The switches of `scene` that look back.

    """

    @switch("list", "", takes=0)
    def _list(self) -> None:
        known = self._known()
        if not known:
            raise AssistantError("You have played no scene yet; scene/create <title> makes one.")
        listed, rows = known[-LISTED:], []
        owned = remembered_of(self.own_id, [scene.id for scene in listed])
        for number, scene in enumerate(listed, len(known) - len(listed) + 1):
            own = owned.get(scene.id)
            is_in = scene.has(self.own_id)
            state, day = (
                (scene_shown.scene_state_word(scene), SCENES.day(scene)) if is_in else ("left", "")
            )
            things, last = "nothing yet", ""
            if own:
                things = f"{own.rows} thing{'s' * (own.rows > 1)}"
                last = minute(iso(own.last))
            rows.append((f"#{number}", scene.title, state, day, things, last))
        titles = ("#", "Title", "State", "Day", "You remember", "The last of it")
        hint = "scene/recap #<number> tells you what you remember of one."
        self.show((self.table(titles, rows[::-1]), hint))

    @switch("recap", "")
    def _recap(self) -> None:
        which, most = self.lhs, MOST_RECAPPED
        if not which or which.isdecimal():
            which, most = "", number_in(which, RECAPPED)
        scene = self._which(which)
        note_all(scene)
        container = Container(scene.id, self.own_id)
        if self.rhs is None:
            found = container.find(limit=most + LOOKED_THROUGH)[::-1]
        else:
            day = scene_shown.day_in(self.rhs, "Usage: scene/recap <scene> = 5")
            found = as_of(container, day=day, limit=most + LOOKED_THROUGH)
        rows = scene_shown.as_a_tale([row for row in found if row.kind not in KINDS])
        self._tell(scene, rows[-most:], rows[:-most])

    @switch("recall", "")
    def _recall(self) -> None:
        scene, me = self._which(""), name_of(self.caller)

        words, where = words_and_filter(clean(self.args), scene_shown.player_finder(scene))
        if not (words or where):
            raise AssistantError("What do you try to remember? Usage: scene/recall <words>")
        own_id, shared = self.own_id, SERVICE.shared
        if own_id in shared.remembering:
            raise AssistantError("You are trying to remember something else still.")
        self._pay()
        story = StoryNow(scene.id, SCENES.day(scene))
        try:
            rows = self._among(scene, words, story.day, where)
        except ValueError as wrong:  # a field that there is not
            raise AssistantError(str(wrong)) from wrong
        query, index = recall_query(story.day, [Said(me, words, story.day)], me), new_index()

        def told(_: object) -> None:
            best = recollect(
                index, query.words, RECALLED, now=time.time(), fitting=not where, story=story
            )
            found = Container(scene.id, self.own_id).rows(best)  # but what was forgotten meanwhile
            if unknown := unlived(words, story, found):
                raise AssistantError(unknown)
            self._tell(scene, found)

        shared.remembering.add(own_id)
        read = shared.recalling.run(lambda: Deferred.fromCoroutine(in_slices(map(index.add, rows))))
        read.addCallback(told).addErrback(self.failed)
        read.addBoth(lambda _: shared.remembering.discard(own_id))

    def _among(self, scene: SceneState, words: str, today: int, where: Json) -> list[MemoryRow]:
        """Return the newest memories that meet a filter, and the newest of the days in words."""
        container, told = Container(scene.id, self.own_id), story_time(words, today)
        rows = container.find(where=where, limit=LOOKED_THROUGH)
        if told.first is not None and told.last is not None:
            days = both(where, {"game_day": [(">=", told.first), ("<=", told.last)]})
            rows += container.known_to_meet(where=days, readers=None, limit=LOOKED_THROUGH)
        return [*{row.id: row for row in rows}.values()]

    def _tell(
        self, scene: SceneState, rows: Sequence[MemoryRow], earlier: Iterable[MemoryRow] = ()
    ) -> None:
        """Show memories of a scene, each of its news but the date once; `earlier` are before."""
        title = scene_shown.title_of(scene)
        if not rows:
            raise AssistantError(f"You remember nothing of that in {title}.")
        told = {(row.learned_at, news) for row in rows for news in row.meta.get("knowledge", ())}
        lines = [scene_shown.headline(scene) if scene.has(self.own_id) else f"|w{title}|n"]
        dates = [row for row in rows if row.meta.get("state") == STORY_DAY]
        seen = (row for row in earlier if row.meta.get("source") == SEEN)
        saw = Counter(row.content for row in (*dates, *seen))
        heard = hearers_of(scene.id, {row.meta.get("event", "") for row in rows})
        for row in rows:
            if (row.learned_at, row.content) not in told and row not in dates:
                lines += scene_shown.remembered(row, heard.get(row.meta.get("event"), ()), saw)
        if not self.is_read_aloud:
            width = self.client_width()
            lines = [
                fill(line, width, subsequent_indent=scene_shown.BENEATH, break_long_words=False)
                for line in lines
            ]
        self.show(lines)

    def _pay(self) -> None:
        """Pay as for a line, for what looks through a whole scene; raises `AssistantError`."""
        pay(SERVICE.shared.purses, purses_of(self.caller))

    # -- which

    def _known(self) -> list[SceneState]:
        """Return the scenes that one plays or played, oldest first."""
        known, mine = scenes_of(self.own_id), self._mine()
        has_mine = mine is None or any(scene.id == mine.id for scene in known)
        return known if has_mine else [*known, mine]

    def _from_line(self, scene: SceneState, typed: str, none: int) -> tuple[int, int]:
        """Return how many lines are meant, or of which row of the record on, by words of the line.

        Looked for among what one remembers. Raises `AssistantError` where it is none, or several.
        """
        if not typed or typed.isdecimal():
            return (number_in(typed, none) if typed else none), 0
        note_all(scene)
        found = Container(scene.id, self.own_id).find(limit=LOOKED_THROUGH)
        said = (row for row in found if row.kind in TALK and "event" in row.meta)
        lines = [
            Choice(row, tale_line(row.author_name, row.content, is_deed=is_deed(row)))
            for row in said
        ]
        if not matching(typed, lines):
            raise AssistantError("You remember no line with these words: scene/recap tells them.")
        event = choose(typed, "line", lines).meta["event"]
        made = WorldContainer(scene.id).participations(1, event)
        if not made:
            raise AssistantError("That line is not on record any more.")
        return 0, made[0]["row"]

    def _which(self, name: str) -> SceneState:
        """Return the scene that is meant: the own one, or the last one that was played."""
        mine = self._mine()
        if not name and mine is not None:
            return mine
        if name.casefold() == HOME:
            return SCENES.get(GAME)
        known = self._known()
        if not known:
            raise AssistantError("You are in no scene, and played none; scene/create makes one.")
        if not name:
            return known[-1]
        scene: SceneState = choose(name, "scene", scene_shown.scene_choices(known))
        return scene

    def _mine(self) -> SceneState | None:
        """Return the scene that one is in: the one that runs, or the last one that will."""
        now = SCENES.of(self.own_id)
        if now.id != GAME:
            return now
        made = load_scenes(OPEN, among=[self.own_id])
        return made[-1] if made else None

    def _my_scene(self) -> SceneState:
        mine = self._mine()
        if mine is None:
            raise AssistantError(
                "You are in no scene; scene/create <title> makes one, scene/join enters one."
            )
        return mine

    def _led(self, what: str = "change that: the scene's leader.") -> SceneState:
        """Return the own scene. Raises `AssistantError` where somebody else leads it."""
        mine = self._my_scene()
        leads = SCENES.leader(mine)
        if leads != self.own_id:
            raise AssistantError(f"Only {scene_shown.person(leads)} may {what}")
        return mine

    def _tell_all(self, scene: SceneState, line: str) -> None:
        tell_all(scene, line, also=self.own_id, by=self.caller)
