"""One forgetting at work: its passes over rows, minds and audit logs, slice by slice."""

from __future__ import annotations

import re
import time
from collections import Counter, defaultdict
from collections.abc import Generator, Iterator, Sequence
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any

import ai_assistant
from ai_assistant.api.forgetting import forget_minds, forget_past
from ai_assistant.api.forgetting.forget_archives import ArchiveWipe
from ai_assistant.api.forgetting.forget_calls import forget_calls
from ai_assistant.api.slices import Slice, slices
from ai_assistant.core.contracts import AuditRecord, Event, Json
from ai_assistant.core.readers import NOBODY
from ai_assistant.game.identity import entity_id
from ai_assistant.language import forget_texts
from ai_assistant.memory.redaction import every_text, items_of
from ai_assistant.memory.scene_wiping import learn_scene, wiped_scene
from ai_assistant.memory.shared_text import LENGTH
from ai_assistant.memory.talk.stream import entry_of
from ai_assistant.memory.wipe import Wipe
from ai_assistant.roleplay.message_formats import WORLD
from ai_assistant.runtime.assembly import PERSONA
from ai_assistant.runtime.service import SERVICE
from ai_assistant.scenes.live_scenes import SCENES
from ai_assistant.storage import erasure, npc_id, read_block

MANY_RUNS = 200_000
"""So many characters are sorted on another thread."""
_NAMES = ("author_name", "location", "author", "subject", "container")
_PASSES = {"memory": 3, "event": 2, "state": 2, "version": 1}
"""How often a table that only grows is gone through as a whole."""
_KINDS = {
    "event": "audit",
    "block": "blocks",
    "version": "versions of blocks",
    "scene": "scenes",
    "state": "past states",
}


class Erasing:
    """One forgetting, done by `steps` in the order that it names; between two the game goes on.

    `counts` says how much went, by assistant and kind.
    """

    def __init__(
        self, wipe: Wipe, characters: Sequence[Any], note: Json, *, everywhere: bool
    ) -> None:
        """`everywhere` includes what is kept under the ids of assistants that are gone."""
        self.wipe = wipe
        self.counts: dict[str, Counter[str]] = defaultdict(Counter)
        self.clean = True
        self._characters = {entity_id(mind): mind for mind in characters}
        self._npcs = {*self._characters, *map(npc_id, characters)}
        self._note = note
        self._everywhere = everywhere
        self._found: dict[str, set[int]] = defaultdict(set)
        self._events: set[str] = set()
        self.archives = ArchiveWipe(wipe, self._events, self.counts, self._is_meant_row)
        self._named: set[str] = set()
        self._last = dict.fromkeys(_PASSES, 0)
        self._since: dict[str, int] = {}
        self._written: erasure.Written | None = None
        self._pages = 0

    @property
    def share(self) -> float:
        """The share of the work that is done, 0.0 to 1.0."""
        size = sum(_PASSES[table] * last for table, last in self._last.items()) / erasure.PAGE
        return min(1.0, self._pages / (size + 1))

    def totals(self) -> Counter[str]:
        """Return how much went of each kind, all assistants together."""
        return sum(self.counts.values(), Counter[str]())

    def steps(self) -> Generator[Slice, None, None]:
        """Do the work, a slice at each step. Raises `StoreError` where the database refuses."""
        yield from forget_minds.clear_heads(self._characters, self.wipe)
        self._last = erasure.highest_ids(_PASSES)
        yield from self._learn()
        yield from self._spare()
        yield from self._cleanse_all()
        self._since, last = self._last, erasure.highest_ids(_PASSES)
        yield from self._cleanse_all()  # what turns wrote, and what rests on what goes by now
        self._since = last
        with SERVICE.watch.holding_back():  # what turns wrote meanwhile would spread for ever
            yield from forget_minds.clear_heads(self._characters, self.wipe)
            self._written = erasure.written_after(last["state"])
            yield from self._cleanse_all()
            yield from self._delete_rows()
        yield from self.archives.cleanse()
        yield from forget_calls(self.wipe, self.counts, self._is_meant)
        forget_texts()
        self._put_on_record()
        yield None

    # -- what goes, and what others said as well

    def _learn(self) -> Iterator[Slice]:
        yield from self._learn_scenes()
        for rows in self._paged("memory", self._last["memory"]):
            self.wipe.learn(rows)
            for row in filter(self.wipe.takes, rows):
                self._goes(row)
            yield None
        for character in self._characters.values():
            for some in forget_minds.states(character):
                for _, _, state, owner in some:
                    self.wipe.learn(items_of(state), owner)
                yield None
            self.wipe.learn(map(entry_of, forget_minds.open_events(character)))
        yield from self._learn_past()
        if self.wipe.runs.waiting > MANY_RUNS:
            yield self.wipe.runs.settle

    def _learn_scenes(self) -> Iterator[Slice]:
        for scenes in self._paged("scene"):
            for scene in scenes:
                learn_scene(self.wipe, scene)
            yield None

    def _learn_past(self) -> Iterator[Slice]:
        for records in self._paged("event", of_all=True):
            for record in records:
                forget_past.learn_record(self.wipe, record, is_meant=self._is_meant_row(record))
            yield None
        for changes in self._paged("state"):
            for change in changes:
                forget_past.learn_change(self.wipe, change)
            yield None
        yield from self.archives.learn()

    def _spare(self) -> Iterator[Slice]:
        if not self.wipe.runs:
            return
        runs, testimony = self.wipe.runs, not self.wipe.everything
        yield code_words
        runs.spare(code_words())
        for character in self._characters.values():
            persona = read_block(PERSONA, npc_id(character)).value
            runs.spare([character.key, *every_text(persona)])
            yield None
        for rows in self._paged("memory", self._last["memory"]):
            named = set(chain.from_iterable(map(self._names, rows))) - self._named
            runs.spare(named)
            self._named |= named
            if testimony:
                self.wipe.spare(rows)
            yield None
        for some in chain.from_iterable(map(forget_minds.states, self._characters.values())):
            for part, key, state, owner in some:
                is_owners = part == "prompt"  # nobody can have forgotten what the owner wrote
                name = str(state.get("name", ""))
                runs.spare([key, owner, *(every_text(state) if is_owners else [name])])
                if testimony:
                    self.wipe.spare(items_of(state), owner)
            yield None

    def _names(self, row: Json) -> list[str]:
        """Return what a row names; where a scene plays is what its maker calls it."""
        is_set = row["session"] in self.wipe.scenes
        return [row[name] for name in _NAMES if not (is_set and name == "location")]

    # -- tables

    def _cleanse_all(self) -> Iterator[Slice]:
        yield from self._cleanse("pending")
        for key, character in self._characters.items():
            yield from forget_minds.cleanse(
                character, self.wipe, self.counts[key], sorted(self._found[key]), only=self._written
            )
        yield from self._cleanse_rows()
        for table in _KINDS:
            yield from self._cleanse(table)
        yield from self.archives.cleanse()

    def _cleanse(self, table: str) -> Iterator[Slice]:
        for rows in self._paged(table):
            for some in slices(rows, forget_minds.STATES_AT_ONCE):
                changed = _changed(some, [self._cleansed(table, row) for row in some])
                erasure.rewrite(table, changed)
                for row in changed if table in _KINDS else ():
                    self.counts[forget_past.kept_under(row)[0]][_KINDS[table]] += 1
                if table == "scene" and changed:
                    SCENES.reset()
                yield None
            yield None

    def _cleansed(self, table: str, row: Json) -> Json:
        wipe = self.wipe
        if table == "event":
            return {**row, "data": wipe.record(row)}
        if table == "scene":
            return wiped_scene(wipe, row)
        if table == "state":
            return forget_past.cleansed(wipe, row)
        if table == "pending":
            event = wipe.event(Event.from_json(row["payload"]))  # None: it is closed later
            payload = event.to_json() if event else row["payload"]
            return {**row, "payload": payload, "claims": wipe.words(row["claims"])}
        is_staffs = row["label"] == PERSONA
        return row if is_staffs else {**row, "value": wipe.cleansed(row["value"])}

    def _cleanse_rows(self) -> Iterator[Slice]:
        """By the order of ids: what was made of a row that goes comes after it."""
        for rows in self._paged("memory"):
            kept = []
            for row in rows:
                if row["id"] in self.wipe.gone or self.wipe.takes(row):
                    self._goes(row)
                else:
                    kept.append(row)
            yield from self._rewrite(kept)
            yield None

    def _goes(self, row: Json) -> None:
        self._found[row["container"]].add(row["id"])
        self.wipe.gone.add(row["id"])
        self._events.add(row["meta"].get("event", ""))

    def _rewrite(self, rows: Sequence[Json]) -> Iterator[Slice]:
        changed = _changed(rows, [self.wipe.row(row) for row in rows])
        if changed:
            erasure.rewrite("memory", changed)
        by_container = defaultdict(list)
        for row in changed:
            self._events.add(row["meta"].get("event", ""))
            by_container[row["container"]].append(row["id"])
        for key, ids in by_container.items():
            self.counts[key]["redacted memories"] += len(ids)
            yield from forget_minds.recall_anew(key, ids)

    def _delete_rows(self) -> Iterator[Slice]:
        for key in self._found:
            found = sorted(self._found[key])
            for ids in slices(found, forget_minds.IDS_AT_ONCE):
                erasure.delete_rows(ids)
                self.counts[key]["memories"] += len(ids)
                yield None
            yield from forget_minds.recall_no_more(key, found)
        events = sorted({*self._events, *self.wipe.events} - {""})
        for some in slices(events, forget_minds.IDS_AT_ONCE):
            erasure.drop_events(some)  # the world's record of a line of which something is gone
            yield None
        self.counts.pop(WORLD, None)

    def _put_on_record(self) -> None:
        for key, counts in self.counts.items():
            if counts.total():
                data = {**self._note, "counts": dict(counts)}
                erasure.record_erasure(key, AuditRecord("Forgotten", data, NOBODY, at=time.time()))
        for resident in SERVICE.residents.values():
            if resident.mind.recall.embedder is not None:
                resident.mind.recall.embedder.forget()
        self.clean = erasure.empty_files()

    # -- pages

    def _paged(self, table: str, last: int = 0, *, of_all: bool = False) -> Iterator[list[Json]]:
        """Yield what a table holds, page by page, of those characters that are meant, or all.

        Later, of one that only grows, it is what came after the walk before began.
        """
        after = self._since.get(table, 0)
        while after < (last or erasure.highest_id(table)):
            page = erasure.page_after(table, after)
            after += erasure.PAGE
            self._pages += table in _PASSES
            yield [row for row in page if of_all or self._is_meant_row(row)]

    def _is_meant_row(self, row: Json) -> bool:
        return self._is_meant(*forget_past.kept_under(row))

    def _is_meant(self, owner: str, is_shared: bool = False) -> bool:
        """Is that of one who forgets? What bodies share is kept under the id of the first, and what
        one of them kept of that alone, which rests, under its own."""
        return self._everywhere or owner in (self._npcs if is_shared else self._characters)


@cache
def code_words() -> frozenset[str]:
    """Return the long words of the package's own code: names of fields, kinds, tools and the like.

    Who says one of them cannot have it forgotten: what is kept would not be understood any more.
    """
    sources = Path(ai_assistant.__file__).parent.rglob("*.py")
    long = re.compile(rf"\w{{{LENGTH},}}")
    return frozenset(word for path in sources for word in long.findall(path.read_text("utf-8")))


def _changed(old: Sequence[Json], new: Sequence[Json]) -> list[Json]:
    return [after for before, after in zip(old, new, strict=True) if before != after]
