"""Lives whose past is kept: every way in which anything of an assistant is written, at random.

After a deed somebody notes what is there (`Noted`); what is forgotten later is taken out of those
notes as well, so that they stay what each moment is to be rebuilt as.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from ai_assistant.core.contracts import Change, Commit, Json, MemoryRow
from ai_assistant.core.errors import AssistantError
from ai_assistant.core.model_records import ModelReply
from ai_assistant.memory.stores import InMemoryStore
from bench.state_desk import OwnersDesk
from bench.state_notes import Noted
from bench.state_writers import BY, Deed, refusing

HALF = 0.5
NEVER_REFUSED = frozenset(
    {"refused", "restart", "night", "night undone", "past us", "forget own", "forget all"}
    | {"forget item", "imported", "adopted", "released", "embodied", "parted", "edit"}
    | {"mind gone", "deleted", "old layout kept", "second look", "chapter", "reset"}
)
"""Deeds of many transactions: of those the last moment before the refusal is not the one noted."""
PIECES = 200
"""So many pieces no night has."""
MOST_WRITES = 6
"""Of the statements with which a deed writes, one of so many is refused."""
SHELF = InMemoryStore()
"""Another store for talk, which outlives a server."""


def shelf(assistant: str) -> InMemoryStore:
    """Return that store, as ``AI_ASSISTANT_MEMORY_STORE`` names it."""
    return SHELF


class StateLife(OwnersDesk):
    """What happens between Alice, Bob and two assistants; `done` counts what was."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.done: Counter[str] = Counter()
        self._of = self.minds[0]

    def deeds(self) -> dict[str, Deed]:
        """Return every deed by its name."""
        return {
            "turn": self.talks,
            "whisper": self.whispers,
            "quoted": self.bob_talks,
            "overheard": self.overheard,
            **dict(self._handlers()),
            **dict(self._plans()),
            **dict(self._blocks()),
            "trim": self.trims,
            "archive": lambda: self._commit(archived=self._rows()),
            "revive": lambda: self._commit(revived=self._rows(archived=True)),
            "annotate": lambda: self._commit(
                annotated={pk: {"seen": self.words()} for pk in self._rows()}
            ),
            "summary": lambda: self.keeps(self.mind(), self.words()),
            "fact": lambda: self.concludes(self.mind(), self.words()),
            "published": self.publishes,
            "informed": self.informs,
            "edit": self.edits,
            "night": self.sleeps,
            "night undone": self.undoes,
            **dict(self._scenes()),
            **dict(self._beginnings()),
            **dict(self.desk()),
            "asked": self.asks,
            "reset": self.resets,
            "mind gone": self.loses_its_mind,
            "deleted": self.is_deleted,
            "past us": self.past_us,
            "refused": self.refuses,
            "restart": self.restarts,
            "past let go": self.lets_go,
            "forget own": lambda: self.forgets("own"),
            "forget all": lambda: self.forgets("all"),
            "forget item": lambda: self.forgets("item"),
        }

    def does(self, name: str) -> None:
        """Do one deed; what cannot be done now is not counted."""
        with suppress(AssistantError):
            self.deeds()[name]()
            self.done[name] += 1
        self.steps.run()

    # -- rows

    def trims(self) -> None:
        """So much is noted at once that the oldest must go."""
        notes = [
            Change("journal", "", "add_journal_entry", {**_entry(self.words()), "at": time.time()})
            for _ in range(self.chance.choice((30, 110)))
        ]
        if not self._commit(changes=notes):
            raise AssistantError("Nothing was trimmed.")

    def _rows(self, *, archived: bool = False) -> list[int]:
        from ai_assistant.game.identity import entity_id
        from ai_assistant.models import Memory

        self._of = self.mind()
        own = Memory.objects.filter(container=entity_id(self._of), archived_at__isnull=not archived)
        ids = list(own.order_by("-pk").values_list("pk", flat=True)[:20])
        if not ids and archived:
            ids = self._rows()
            self._commit(archived=ids)
        elif not ids:
            ids = [self.informs(self._of)]
        return self.chance.sample(ids, min(len(ids), 3))

    def _commit(self, **what: Any) -> Sequence[MemoryRow]:
        from ai_assistant.api.handlers import save

        mind = self.mind() if "changes" in what else self._of
        return save(mind, Commit(at=time.time(), **what))

    def publishes(self) -> None:
        """One memory may be known by everybody."""
        from ai_assistant.api.disclosure import publish
        from ai_assistant.api.handlers import save
        from ai_assistant.game.identity import entity_id

        mind = self.mind()
        private = MemoryRow(self.words(), kind="fact", readers=entity_id(self.alice))
        row = save(mind, Commit(at=time.time(), rows=[private]))[0]
        publish(mind, row.id, by="a bench")

    def informs(self, mind: Any = None) -> int:
        """Staff tell it something; returns the id of the row."""
        from ai_assistant.api.disclosure import inform

        return inform(mind or self.mind(), self.words()).id

    def edits(self) -> None:
        """Staff correct something that it remembers, of whatever kind, and all that quotes it."""
        from ai_assistant.api.editing import edit_item
        from ai_assistant.api.following import follow_edit
        from ai_assistant.game.identity import entity_id

        rows, mind, words = self._rows(), self._of, self.words()
        mind.journal.add_journal_entry(words)
        mind.notebook.append(words)
        mind.session_memory.add_session_memory(words)
        mind.profiles.add_entity_observation(self.bob, words)
        entry = mind.journal.entries[-1]["id"]
        places = (f"#{rows[0]}", f"j{entry}", "f1", "n1", f"o1@{entity_id(self.bob)}")
        edited = edit_item(mind, self.chance.choice(places), self.words(), by=BY)
        before = Noted([mind])
        self.comes_of(follow_edit(mind, edited))
        after = Noted([mind])
        for note in self.notes:
            note.reword(entity_id(mind), before, after)

    def asks(self) -> None:
        """Game code asks one for words."""
        from ai_assistant.api.ask import ask

        self.parrot.replies.append(ModelReply(text=self.words()))
        self.comes_of(ask(self.mind(), self.words(), reader=self.alice))

    def sleeps(self, mind: Any = None) -> None:
        """A night passes."""
        from ai_assistant.runtime.service import SERVICE
        from bench.people import resident_of

        resident = resident_of(mind or self.mind())
        resident.sleeper.begin()
        for _ in range(PIECES):
            SERVICE.tick(resident.id)
            self.steps.run()
            if not resident.mind.phase:
                return
        raise AssistantError("The night goes on.")  # after a refusal pieces wait

    def undoes(self) -> None:
        """The last night is taken back."""
        from ai_assistant.sleep.report import undo_night
        from bench.people import resident_of

        self._of = self.mind()
        mind = resident_of(self._of).mind
        if not any(not night["undone"] for night in mind.store.read("sleep")["nights"]):
            self.sleeps(self._of)
        undo_night(mind, by="a bench")

    # -- what goes wrong, and what writes past us

    def past_us(self) -> None:
        """Game code sets an Attribute itself; what the package writes next tells of it."""
        mind = self.mind()
        mind.db.notebook = {"lines": [], "needs_compaction": self.chance.random() < 0.5}
        mind.notebook.append(self.words())

    def refuses(self) -> None:
        """The database refuses one statement of a deed, whose transaction is rolled back."""
        name = self.chance.choice(sorted({*self.deeds()} - NEVER_REFUSED))
        with refusing(self.chance.randint(1, MOST_WRITES)) as refused:
            with suppress(AssistantError):
                self.deeds()[name]()
            self.steps.run()
        if not refused:
            raise AssistantError("Nothing was refused.")

    def restarts(self) -> None:
        """The server dies, maybe amid a turn, and comes back."""
        from ai_assistant.runtime.service import SERVICE
        from ai_assistant.scenes.live_scenes import SCENES

        if self.chance.random() < HALF:
            self.waits()
        self.steps.waiting.clear()
        SERVICE.__init__(**self.ties)  # type: ignore[misc]
        SCENES.reset()
        for mind in self.minds:
            mind.assistant_script.at_start()

    # -- forgetting

    def resets(self) -> None:
        """One begins anew: what its states were goes with them."""
        from ai_assistant.api.forgetting import reset

        mind, scope = self.mind(), self.chance.choice([*reset.SCOPES])
        reset.reset(mind, scope, by=BY)
        for note in self.notes:
            note.empty(mind, reset.SCOPES[scope], rows=scope != "talk")

    def loses_its_mind(self) -> None:
        """One is a plain character for a while, and gets another mind."""
        from ai_assistant.api import lifecycle
        from ai_assistant.api.release import release

        mind = self._alone(self.minds)
        release(mind, keep=False, by=BY)
        for note in self.notes:
            note.empty(mind)
        lifecycle.adopt(mind)

    def is_deleted(self) -> None:
        """One of those who came later is gone from the game."""
        from ai_assistant.api import lifecycle

        if not self.minds[2:]:
            self.adopts()
        mind = self._alone(self.minds[2:])
        for note in self.notes:
            note.empty(mind)
        self.minds.remove(mind)
        lifecycle.delete(mind, by=BY)

    def _alone(self, minds: Sequence[Any]) -> Any:
        """Return one of these that shares its mind with nobody."""
        from ai_assistant.storage import bodies_of, npc_id

        alone = [mind for mind in minds if bodies_of(npc_id(mind)) == [mind]]
        if not alone:
            raise AssistantError("There is none such.")
        return self.chance.choice(alone)

    def forgets(self, scope: str) -> None:
        """Alice's words, all about her, or one memory is forgotten."""
        from ai_assistant.api.editing import find_item
        from ai_assistant.api.forgetting import minds
        from ai_assistant.api.forgetting.forget_passes import Erasing
        from ai_assistant.game.identity import entity_id
        from ai_assistant.memory.redaction import fingerprint
        from ai_assistant.memory.wipe import Wipe

        if scope == "item":
            ref = f"#{self._rows()[0]}"
            item = find_item(self._of, ref)
            chosen = frozenset({fingerprint(item.value)})
            wipe = Wipe(chosen=chosen, minds=minds(), gone={item.number})
        else:
            wipe = Wipe(entity=entity_id(self.alice), everything=scope == "all", minds=minds())
        whose = [self._of] if scope == "item" else self.minds
        erasing = Erasing(wipe, whose, {"by": "a bench"}, everywhere=scope != "item")
        for aside in erasing.steps():
            if aside is not None:
                aside()  # what is for another thread in a game
        for note in self.notes:
            note.redact(wipe, self._of if scope == "item" else None)


def _entry(words: str) -> Json:
    kind = {"source_type": "observation", "source_entity": "", "readers": "*", "tags": []}
    return {"content": words, **kind, "related_projects": [], "importance": 0, "at": time.time()}
