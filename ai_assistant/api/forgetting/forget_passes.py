"""One forgetting at work: its passes over rows, minds and audit logs, slice by slice."""

from __future__ import annotations

import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from typing import Any

from ai_assistant.api.forgetting import forget_minds
from ai_assistant.core.contracts import AuditRecord, Json
from ai_assistant.core.readers import NOBODY
from ai_assistant.game.identity import entity_id
from ai_assistant.language import forget_texts
from ai_assistant.memory.redaction import Wipe, every_text, items_of
from ai_assistant.memory.talk.stream import entry_of
from ai_assistant.roleplay.message_formats import WORLD
from ai_assistant.runtime.assembly import PERSONA
from ai_assistant.runtime.service import SERVICE
from ai_assistant.storage import erasure, npc_id, read_block

MANY_RUNS = 200_000
"""So many characters are sorted on another thread."""
Slice = Callable[[], object] | None
"""None, or what takes too long for the reactor and is to be run on another thread."""
_OF_STAFF = frozenset({"prompt"})
"""Parts that hold what the game's owner wrote: nobody can have that forgotten."""
_PASSES_OVER_ROWS, _PASSES_OVER_RECORDS = 3, 2


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
        self._note = note
        self._everywhere = everywhere
        self._found: dict[str, list[int]] = defaultdict(list)
        self._events: set[str] = set()
        self._last_row, self._last_record = erasure.last_row(), erasure.last_record()
        self._pages = 0

    @property
    def share(self) -> float:
        """The share of the work that is done, 0.0 to 1.0."""
        rows = _PASSES_OVER_ROWS * self._last_row
        size = (rows + _PASSES_OVER_RECORDS * self._last_record) / erasure.PAGE
        return min(1.0, self._pages / (size + 1))

    def totals(self) -> Counter[str]:
        """Return how much went of each kind, all assistants together."""
        return sum(self.counts.values(), Counter[str]())

    def steps(self) -> Iterator[Slice]:
        """Do the work, a slice at each step. Raises `StoreError` where the database refuses."""
        yield from self._learn()
        yield from self._spare()
        for key, character in self._characters.items():
            yield from forget_minds.cleanse(
                character, self.wipe, self.counts[key], self._found[key]
            )
        yield from self._cleanse_records()
        self._cleanse_blocks()
        yield from self._cleanse_rows()
        yield from self._delete_rows()
        forget_texts()
        self._put_on_record()
        yield None

    # -- what goes, and what others said as well

    def _learn(self) -> Iterator[Slice]:
        for rows in self._rows(self._last_row):
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
        for records in self._records():
            turns = [record for record in records if record["type"] == "TurnCompleted"]
            self.wipe.turns.update(
                turn["turn_id"]
                for turn in turns
                if (events := turn["data"].get("events")) and self.wipe.events.issuperset(events)
            )
            yield None
        if self.wipe.runs.waiting > MANY_RUNS:
            yield self.wipe.runs.settle

    def _spare(self) -> Iterator[Slice]:
        if not self.wipe.runs:
            return
        runs, testimony = self.wipe.runs, not self.wipe.everything
        for character in self._characters.values():
            persona = read_block(PERSONA, npc_id(character)).value
            runs.spare([character.key, *every_text(persona)])
        for rows in self._rows(self._last_row):
            runs.spare(row[name] for row in rows for name in ("author_name", "location"))
            if testimony:
                self.wipe.spare(rows)
            yield None
        for some in chain.from_iterable(map(forget_minds.states, self._characters.values())):
            for part, _, state, owner in some:
                runs.spare(every_text(state) if part in _OF_STAFF else [str(state.get("name", ""))])
                if testimony:
                    self.wipe.spare(items_of(state), owner)
            yield None

    # -- tables

    def _cleanse_records(self) -> Iterator[Slice]:
        for records in self._records():
            new = [{**record, "data": self.wipe.record(record)} for record in records]
            changed = _changed(records, new)
            erasure.change_records(changed)
            for record in changed:
                self.counts[record["assistant"]]["audit"] += 1
            yield None

    def _cleanse_blocks(self) -> None:
        for block, value in self._cleansed(erasure.blocks(besides=PERSONA)):
            if erasure.change_block(block, value):
                self.counts[block["owner"]]["blocks"] += 1
        for version, value in self._cleansed(erasure.block_versions(besides=PERSONA)):
            erasure.change_version(version, value)
            self.counts[version["owner"]]["versions of blocks"] += 1

    def _cleansed(self, found: Iterable[Json]) -> Iterator[tuple[Json, Any]]:
        """Yield the blocks, or versions of them, that change, and the value that each gets."""
        owners = {npc_id(character) for character in self._characters.values()}
        for block in found:
            value = self.wipe.cleansed(block["value"])
            if (block["owner"] in owners or self._everywhere) and value != block["value"]:
                yield block, value

    def _cleanse_rows(self) -> Iterator[Slice]:
        """By the order of ids: what was made of a row that goes comes after it."""
        for rows in self._rows():
            kept = []
            for row in rows:
                if row["id"] in self.wipe.gone:
                    continue
                if self.wipe.takes(row) and row["id"] <= self._last_row:
                    self._goes(row)
                else:
                    kept.append(row)
            self._rewrite(kept)
            yield None

    def _goes(self, row: Json) -> None:
        self._found[row["container"]].append(row["id"])
        self.wipe.gone.add(row["id"])
        self._events.add(row["meta"].get("event", ""))

    def _rewrite(self, rows: Sequence[Json]) -> None:
        changed = _changed(rows, [self.wipe.row(row) for row in rows])
        if changed:
            erasure.change_rows(changed, [])
        by_container = defaultdict(list)
        for row in changed:
            self._events.add(row["meta"].get("event", ""))
            by_container[row["container"]].append(row["id"])
        for key, ids in by_container.items():
            self.counts[key]["redacted memories"] += len(ids)
            resident = SERVICE.residents.get(key)
            if resident is not None:  # found from now on by what they hold now
                resident.mind.recall.forget(ids)
                resident.mind.recall.learn(resident.mind.store.rows.by_ids(ids))

    def _delete_rows(self) -> Iterator[Slice]:
        for key, found in self._found.items():
            for ids in forget_minds.slices(found, forget_minds.IDS_AT_ONCE):
                erasure.change_rows([], ids)
                self.counts[key]["memories"] += len(ids)
                yield None
            yield from forget_minds.recall_no_more(key, found)
        events = sorted({*self._events, *self.wipe.events} - {""})
        for some in forget_minds.slices(events, forget_minds.IDS_AT_ONCE):
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
        self.clean = erasure.empty_logs()

    # -- pages

    def _rows(self, last: int = 0) -> Iterator[list[Json]]:
        until = (lambda: last) if last else erasure.last_row
        return self._paged(erasure.rows_after, until, "container")

    def _records(self) -> Iterator[list[Json]]:
        return self._paged(erasure.records_after, erasure.last_record, "assistant")

    def _paged(
        self, read: Callable[[int], list[Json]], last: Callable[[], int], whose: str
    ) -> Iterator[list[Json]]:
        """Yield all that is there, page by page, of those characters that are meant."""
        after = 0
        while after < last():
            page = read(after)
            after += erasure.PAGE
            self._pages += 1
            yield [row for row in page if self._everywhere or row[whose] in self._characters]


def _changed(old: Sequence[Json], new: Sequence[Json]) -> list[Json]:
    return [after for before, after in zip(old, new, strict=True) if before != after]
