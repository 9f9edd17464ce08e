"""Recall: what one assistant can find again, rows and what it keeps at hand, by one index."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Container, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from itertools import count, islice
from typing import Any

from ai_assistant.core.contracts import Json, MemoryRow
from ai_assistant.core.errors import AssistantError
from ai_assistant.core.ports import Embedder, Store
from ai_assistant.core.search_port import Hit
from ai_assistant.memory.redaction import mark_of
from ai_assistant.memory.search.retrieval import new_index
from ai_assistant.memory.search.searchable_parts import SearchableItem, searchable_items

FLOOR = 0.2
"""Relevance from which on a memory is about what was asked. `docs/decisions.md` has how it was
found."""
OFF_THREAD = 5000
"""From so many memories on, a search is handed to the worker; `docs/decisions.md` has why."""
QUERY_SECONDS = 3.0
"""Seconds after which a query without a vector is answered by its words alone."""
FIRST_ITEM = -(2**40)
"""Items without an id of their own are numbered down from here; journal entries lie above."""
_NUMBER = 4
"""Bytes of a float32."""

RunInThread = Callable[[Callable[[], Any]], Awaitable[Any]]
"""Runs a pure function where it holds up nobody, and returns what it returns."""


async def at_once(call: Callable[[], Any]) -> Any:
    """The `RunInThread` of tests and of small tools: runs the function on the spot."""
    return call()


@dataclass(frozen=True, slots=True)
class Found:
    """A memory that answers a query, and why it was chosen."""

    row: MemoryRow
    """What was found; what is no row has an id below zero: for a journal entry its number."""
    hit: Hit
    """Why it was chosen."""
    ref: str = ""
    """The name by which people refer to it, such as `#12` or `n3`."""

    def on_record(self) -> Json:
        """Return it without its words: its reference, their mark, and why it was chosen."""
        numbers = {"score": self.hit.score, "relevance": self.hit.relevance, **self.hit.why}
        rounded = {name: round(value, 3) for name, value in numbers.items()}
        return {"ref": self.ref, "mark": mark_of(self.row.content), **rounded}


class Recall:
    """The searchable memory of one assistant, by words and, with an `embedder`, by meaning.

    Searches may run on another thread: what is learned or forgotten meanwhile waits for their end.
    `names` are those of everybody whom it has a profile of, by id, `places` those of its rows.
    """

    def __init__(
        self, store: Store, worker: RunInThread = at_once, embedder: Embedder | None = None
    ) -> None:
        self.index = new_index()
        self._store = store
        self._worker = worker
        self.embedder = embedder
        self._lacking: dict[int, None] = {}
        self._older: dict[str, set[int]] = {}
        self._searches = 0
        self._waiting: list[Callable[[], object]] = []
        self._items: dict[int, tuple[str, MemoryRow]] = {}
        self._of_part: dict[tuple[str, str], dict[int, int]] = {}
        self._new_ids = count(FIRST_ITEM, -1)
        self.names: dict[str, str] = {}

    def __len__(self) -> int:
        return len(self.index)

    def learn(self, rows: Sequence[MemoryRow]) -> None:
        """Make these rows findable."""
        self._catch_up(*(partial(self._add, row) for row in rows))

    def learn_stored(self, rows: Sequence[MemoryRow]) -> None:
        """Make rows findable that are on disk already, with the vectors that they have there."""
        self.learn(rows)
        if self.embedder is not None:
            found = self._store.rows.vectors([row.id for row in rows])
            self._catch_up(*(partial(self._keep, id, *given) for id, given in found.items()))

    def learn_vectors(self, vectors: Mapping[int, bytes]) -> None:
        """Let rows be found by their vectors, too; one that cannot be used is lacking still."""
        model = self.embedder.model if self.embedder else ""
        self._catch_up(*(partial(self._keep, id, model, given) for id, given in vectors.items()))

    def lacking(self, most: int, besides: Container[int] = ()) -> list[int]:
        """Return ids of rows that have no vector, those of new rows last."""
        return list(islice((row_id for row_id in self._lacking if row_id not in besides), most))

    @property
    def embedded(self) -> tuple[int, int]:
        """How many rows have a vector, and how many rows there are."""
        rows = len(self.index) - len(self._items)
        return rows - len(self._lacking), rows

    @property
    def by_older_models(self) -> dict[str, int]:
        """How many other rows are found by a vector of another model until theirs is made."""
        return {model: len(rows) for model, rows in self._older.items() if rows}

    def learn_part(self, part: str, key: str = "") -> None:
        """Let what one of `searchable_parts.PARTS` holds now be found, and what left it no more."""
        state = self._store.view(part, key)
        if part == "profile":
            self.names[key] = state["name"]
        self._catch_up(partial(self._swap, (part, key), list(searchable_items(part, key, state))))

    def _swap(self, address: tuple[str, str], found: Sequence[SearchableItem]) -> None:
        """Index what is new or changed of a part, and drop what left it; all else stays."""
        before, now = self._of_part.get(address, {}), dict[int, int]()
        marks = {item.mark for item in found}
        changed = {
            _identity(self._items[before[mark]][1]): before[mark] for mark in before.keys() - marks
        }
        for item in found:
            id = before.get(item.mark, now.get(item.mark))
            if id is None:
                row = item.make()
                id = row.id or changed.get(_identity(row)) or next(self._new_ids)
                row = replace(row, id=id)
                self._add(row)
            else:
                row = self._items[id][1]
            self._items[id], now[item.mark] = (item.ref, row), id
        for id in set(before.values()) - set(now.values()):
            self._drop(id)
            del self._items[id]
        self._of_part[address] = now

    def forget(self, ids: Iterable[int]) -> None:
        """Let these not be found again."""
        self._catch_up(*(partial(self._drop, row_id) for row_id in ids))

    def _drop(self, row_id: int) -> None:
        self.index.remove(row_id)
        self._lacking.pop(row_id, None)
        self._outgrow(row_id)

    def _outgrow(self, row_id: int) -> None:
        for rows in self._older.values():
            rows.discard(row_id)

    async def search(  # noqa: PLR0913 - what may be asked for
        self,
        query: str,
        k: int,
        *,
        now: float,
        allow: Callable[[str], bool],
        asked: str = "",
        weights: Mapping[str, float] | None = None,
        besides: Collection[str] = (),
        fill: bool = False,
        by_meaning: bool = True,
        **options: Any,
    ) -> list[Found]:
        """Return at most `k` usable memories, best first.

        What shares nothing with the query is among them, as the last, only with `fill`.

        `asked` is the whole question where `query` are its words alone: vectors are made of it,
        and what stands in it beside those words comes as `story` and `around`.
        `weights` says by how much memories of a place count more, by its name in small letters.
        What tells of the events in `besides` is ranked with the rest, and left out then; without
        `by_meaning` no vector is asked for; `options` are those of `Index.search`.
        """
        vectors = await self._vectors(asked or query) if self.embedder and by_meaning else {}
        labels = frozenset(filter(allow, self.index.labels()))

        find = partial(self.index.search, query, k, now=now, besides=besides)
        find = partial(find, allow=labels.__contains__, vectors=vectors, **options)
        if len(self.index) < OFF_THREAD:
            hits = find()
        else:
            self._searches += 1
            try:
                hits = await self._worker(find)
            finally:
                self._searches -= 1
                self._catch_up()
        near = hits if fill else [hit for hit in hits if hit.relevance > 0]
        return self._read(near, weights or {})

    async def _vectors(self, query: str) -> dict[str, bytes]:
        """Return the vectors of a query, by model: that of each whose vectors rows have.

        While rows are embedded anew those that still wait are compared as they were before.
        """
        makers = self._makers() if query.strip() else []
        found: dict[str, bytes] = {}
        for maker in makers:
            with suppress(AssistantError):
                (vector,) = await maker.embed([query], seconds=QUERY_SECONDS / len(makers))
                if len(vector) == maker.size * _NUMBER:
                    found[maker.model] = vector
        return found

    def _makers(self) -> list[Embedder]:
        if self.embedder is None:
            return []
        older = [self.embedder.of(model) for model in self.by_older_models]
        return [*[self.embedder] * bool(self.embedded[0]), *filter(None, older)]

    def _keep(self, id: int, model: str, vector: bytes) -> None:
        """Let a row be found by a vector; one of another model serves until its own is made."""
        if self.embedder is None or id not in self._lacking or len(vector) % _NUMBER:
            return
        is_own = model == self.embedder.model
        maker = self.embedder if is_own else self.embedder.of(model)
        if maker is None:
            return
        maker.size = maker.size or len(vector) // _NUMBER
        if len(vector) != maker.size * _NUMBER:
            return
        with suppress(ValueError):
            self.index.set_vector(id, vector, model)
            self._outgrow(id)
            if is_own:
                del self._lacking[id]
            else:
                self._older.setdefault(model, set()).add(id)

    def _read(self, hits: Sequence[Hit], weights: Mapping[str, float]) -> list[Found]:
        by_id = {hit.id: hit for hit in hits}
        rows = self._store.rows.by_ids([row_id for row_id in by_id if row_id > 0])
        known = {row_id: self._items[row_id] for row_id in by_id if row_id in self._items}
        known |= {row.id: (f"#{row.id}", row) for row in rows}
        found = [
            Found(known[row_id][1], hit, known[row_id][0])
            for row_id, hit in by_id.items()
            if row_id in known
        ]

        def worth(memory: Found) -> float:
            return memory.hit.score * weights.get(memory.row.location.casefold(), 1.0)

        return sorted(found, key=worth, reverse=True)

    def _add(self, row: MemoryRow) -> None:
        self.index.add(row)
        if self._older:
            self._outgrow(row.id)
        if self.embedder is not None and row.id > 0:
            self._lacking[row.id] = None

    def _catch_up(self, *changes: Callable[[], object]) -> None:
        """Make what changes wait, and then these, once no search runs on another thread."""
        self._waiting += changes
        if not self._searches:
            waiting, self._waiting = self._waiting, []
            for change in waiting:
                change()


def _identity(row: MemoryRow) -> tuple[object, ...]:
    """Return what makes an item the same wherever it stands in its list."""
    return row.kind, row.content, row.readers, row.author, row.learned_at
