"""What game code writes of assistants: each call by its name, to be drawn at random."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any
from uuid import uuid4

from ai_assistant.core.contracts import MemoryRow
from ai_assistant.core.errors import AssistantError
from bench.forgotten_lives import History
from bench.state_notes import Noted

Deed = Callable[[], object]
BY = "a bench"
"""Who of staff did it."""
MOST_MINDS = 4


class GameCode(History):
    """A history in which game code writes, too; `scenes` are those that are played."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.scenes: list[str] = []
        self.notes: list[Noted] = []
        """What there was after each deed."""

    def words(self) -> str:
        """Return words of Alice's, said before or not."""
        return self.phrase(self.word(self.hers))

    # -- game code

    def _handlers(self) -> Iterator[tuple[str, Deed]]:
        mind, alice, bob, words = self.mind(), self.alice, self.bob, self.words
        yield "journal", lambda: mind.journal.add_journal_entry(words())
        yield "session", lambda: mind.session_memory.add_session_memory(words())
        yield "notebook", lambda: mind.notebook.append(words())
        yield "notebook write", lambda: mind.notebook.write(words())
        yield "notebook clear", lambda: mind.notebook.clear()
        yield "secret", lambda: mind.profiles.add_secret(alice, words())
        yield "feeling", lambda: mind.profiles.update_relationship(alice, 0.05, words())
        yield "met", lambda: mind.profiles.record_interaction(bob, words())
        yield "observation", lambda: mind.profiles.add_entity_observation(bob, words())
        yield "trait", lambda: mind.profiles.add_attribute(bob, "likes", words())
        yield "talk noted", lambda: mind.working_memory.add_conversation_message(bob, words())
        yield "talk begun", lambda: mind.working_memory.start_conversation(bob, words())
        yield "promise", lambda: mind.working_memory.add_pending_action(bob, words())
        yield "promise kept", lambda: self._kept(mind, words())
        yield "talk cleared", lambda: mind.working_memory.clear_stale_conversations(0.0)

    def _plans(self) -> Iterator[tuple[str, Deed]]:
        mind, words = self.mind(), self.words
        yield "goal", lambda: mind.goals.add_goal(words())
        yield (
            "goal done",
            lambda: self._goal(mind, "update_goal", status="completed", outcome=words()),
        )
        yield "goal below", lambda: mind.goals.add_goal(words(), parent_id=self._one_goal(mind))
        yield "goal dropped", lambda: self._goal(mind, "drop_goal", reason=words())
        yield "project", lambda: mind.projects.create_project(uuid4().hex[:8], words(), words())
        yield (
            "project written",
            lambda: mind.projects.update_project(self._project(mind), words()),
        )
        yield "project swapped", lambda: mind.projects.swap_project(self._project(mind), words())
        yield "project done", lambda: mind.projects.complete_project(self._project(mind), words())
        yield "project put by", lambda: mind.projects.archive_project(self._project(mind))

    def _kept(self, mind: Any, words: str) -> None:
        mind.working_memory.add_pending_action(self.bob, words)
        mind.working_memory.complete_pending_action(self.bob, words)

    def _goal(self, mind: Any, act: str, **fields: Any) -> None:
        getattr(mind.goals, act)(self._one_goal(mind), **fields)

    def _one_goal(self, mind: Any) -> str:
        mind.goals.add_goal(self.words())
        return str(self.chance.choice(mind.goals.current_goals)["id"])

    def _project(self, mind: Any) -> str:
        known = [key for key in mind.projects.slots if key != "default"]
        if known:
            return str(self.chance.choice(known))
        return str(mind.projects.create_project(uuid4().hex[:8], self.words(), self.words()))

    def _blocks(self) -> Iterator[tuple[str, Deed]]:
        from ai_assistant.api.blocks import game_blocks, npc_blocks, persona_block, world_knowledge
        from ai_assistant.api.lifecycle import configure
        from ai_assistant.game.identity import entity_id
        from ai_assistant.storage import lorebooks

        mind, words = self.mind(), self.words
        yield "fact shared", lambda: npc_blocks.share_fact(mind, words())
        yield "status", lambda: npc_blocks.set_status(mind, mood=words(), tide=self.chance.random())
        yield "block line", lambda: game_blocks.add_line(self.board(mind), words(), npc=mind)

        def persona() -> Any:
            persona_block.change_persona(mind, {"role": f"keeper {self.chance.random()}"})
            return mind

        yield "persona", persona
        yield "persona undone", lambda: persona_block.undo_persona(persona(), by="a bench")
        yield "announced", lambda: world_knowledge.announce(words())
        yield (
            "place",
            lambda: world_knowledge.set_location(f"Quay {self.chance.randint(1, 9)}", words()),
        )
        book = {"book": {"name": "tides", "entries": []}, "tide": self.chance.random()}
        yield "lorebook", lambda: lorebooks.write_books([(entity_id(mind), lorebooks.BOOK, book)])
        yield (
            "lorebook gone",
            lambda: lorebooks.write_books([(entity_id(mind), lorebooks.BOOK, {})]),
        )
        yield "setting", lambda: configure(mind, "tick_rate", str(self.chance.randint(5, 60)))

    # -- how the past goes

    def lets_go(self) -> None:
        """What is older than some moment is let go, as by heartbeats: nobody can ask for it then.

        Raises `RuntimeError` where somebody can.
        """
        from ai_assistant.api.past_states import moment_of, whose_past
        from ai_assistant.models import AssistantEvent
        from ai_assistant.storage.history.old_traces import prune_moments
        from ai_assistant.storage.history.past_folding import fold_page

        moments = AssistantEvent.objects.filter(type="StateChanged").order_by("pk")
        before = self.chance.choice([*moments.values_list("at", flat=True)])
        for work in (prune_moments, fold_page):
            after = work(0, before)
            while after:
                after = work(after, before)
        for note in self.notes:
            note.let_go()
        for whose in map(whose_past, self.minds):
            for note in (one for one in self.notes if whose.id in one.folded):
                with suppress(AssistantError):
                    moment_of(whose, str(note.heads[whose.id]))
                    raise RuntimeError(f"moment {note.heads[whose.id]} is told, though let go")

    # -- how a mind begins, and whose body it is

    def _beginnings(self) -> Iterator[tuple[str, Deed]]:
        from ai_assistant.api.blocks.persona_block import embody

        yield "imported", self.imports
        yield "adopted", self.adopts
        yield "released", self.releases
        yield "embodied", lambda: embody(*self.chance.sample(self.minds, 2))
        yield "parted", self.parts

    def imports(self) -> None:
        """All of a mind is written into a file, and becomes another's."""
        from ai_assistant.api.whole import mind_files, whole_exchange

        self._room_for_one()
        whole = mind_files.unpacked(mind_files.packed(whole_exchange.exported_whole(self.mind())))
        self.minds.append(whole_exchange.import_whole(whole, location=self.alice.location))

    def adopts(self) -> None:
        """A character gets a mind."""
        from evennia import DefaultCharacter, create_object

        from ai_assistant.api import lifecycle

        self._room_for_one()
        here = self.alice.location
        body = create_object(DefaultCharacter, key=self.word(self.his), location=here, home=here)
        self.minds.append(lifecycle.adopt(body))

    def releases(self) -> None:
        """A mind rests, and is woken again."""
        from ai_assistant.api import lifecycle
        from ai_assistant.api.release import release

        mind = self.mind()
        release(mind, keep=True, by="a bench")
        lifecycle.adopt(mind)

    def parts(self) -> None:
        """One of two bodies is a character by itself again."""
        from ai_assistant.api.blocks.persona_block import embody, part_ways
        from ai_assistant.storage import npc_id

        body, other = self.chance.sample(self.minds, 2)
        if npc_id(body) != npc_id(other):
            embody(body, other)
        part_ways(body)

    def _room_for_one(self) -> None:
        if len(self.minds) == MOST_MINDS:
            raise AssistantError("There are enough of them.")

    # -- scenes

    def _scenes(self) -> Iterator[tuple[str, Deed]]:
        from ai_assistant.api import staging
        from ai_assistant.game.identity import entity_id

        mind, pick = self.mind(), self._scene
        own = entity_id(mind)
        yield "scene", self.stages
        yield (
            "scene value",
            lambda: staging.set_scene(pick(), f"what {self.word(self.his)[:9]}", self.words()),
        )
        yield (
            "scene said",
            lambda: staging.set_scene(
                pick(), f"sky {self.word(self.his)[:9]}", self.words(), by=self.alice
            ),
        )
        yield "scene day", lambda: staging.set_scene_day(pick(), self.chance.randint(1, 9))
        yield (
            "scene kept",
            lambda: staging.keep_rows(own, pick(), [MemoryRow(self.words(), kind="plot")]),
        )
        yield "scene corrected", lambda: self.corrects(pick(), own)
        yield "scene folded", lambda: staging.fold_container(pick(), own, 9)
        yield "scene left", lambda: staging.leave_scene(pick(), mind)
        yield "scene over", lambda: staging.stop_scene(self.scenes.pop() if self.scenes else pick())

    def corrects(self, scene: str, own: str) -> None:
        """What somebody remembers of a scene is corrected."""
        from ai_assistant.api import staging

        row = staging.keep_rows(own, scene, [MemoryRow(self.words(), kind="plot")])[0]
        staging.correct(scene, own, row.id, self.words(), day=1, at=time.time())

    def _scene(self) -> str:
        if not self.scenes:
            self.stages()
        return self.chance.choice(self.scenes)

    def ends(self, scene: str) -> None:
        """A play is over, if it was one."""
        from ai_assistant.api import staging

        with suppress(AssistantError):
            staging.stop_scene(scene)
        self.steps.run()

    def stages(self, *others: Any) -> None:
        """A play begins, with Alice, one of the minds or these."""
        from ai_assistant.api import staging

        scene = staging.create_scene("A play", self.bob).id
        for who in (self.alice, *(others or [self.mind()])):
            with suppress(AssistantError):
                staging.join_scene(scene, who)
        staging.start_scene(scene)
        self.scenes.append(scene)


@contextmanager
def refusing(number: int) -> Iterator[list[str]]:
    """Within, the database refuses one statement that writes within a transaction, the n-th."""
    from django.db import DatabaseError, connection

    writes: list[str] = []
    refused: list[str] = []

    def execute(call: Any, sql: str, *about: Any) -> Any:
        if connection.in_atomic_block and sql.split(maxsplit=1)[0] in ("INSERT", "UPDATE"):
            writes.append(sql)
            if len(writes) == number:
                refused.append(sql)
                raise DatabaseError("refused by a bench")
        return call(sql, *about)

    with connection.execute_wrapper(execute):
        yield refused
