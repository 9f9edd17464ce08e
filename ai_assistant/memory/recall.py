"""Recall: what one assistant can find again, its rows and its journal, through one index."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Container, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from typing import Any

from ai_assistant.contracts import MemoryRow
from ai_assistant.errors import AssistantError
from ai_assistant.memory.journal import as_row
from ai_assistant.memory.retrieval import Hit, Index
from ai_assistant.ports import Embedder, Store

OFF_THREAD = 5000
"""From so many memories on, a search is handed to the worker."""
QUERY_SECONDS = 3.0
"""A query that has no vector by then is answered by its words alone."""
_NUMBER = 4
"""Bytes of a float32."""

FACTS = (
    *("session", "kind", "subject", "author", "author_name", "game_day", "location"),
    *("learned_at", "importance", "trust"),
)
"""What of a row a search can be narrowed by, beside its metadata: as in `Container.find`."""

Worker = Callable[[Callable[[], Any]], Awaitable[Any]]
"""Runs a pure function where it holds up nobody, and returns what it returns."""


async def at_once(call: Callable[[], Any]) -> Any:
    """The `Worker` of tests and of small tools: runs the function on the spot."""
    return call()


@dataclass(frozen=True, slots=True)
class Found:
    """A memory that answers a query, and why it was chosen.

    A journal entry comes as a row too; its id is the entry's number below zero.
    """

    row: MemoryRow
    hit: Hit


class Recall:
    """The searchable memory of one assistant.

    Searches may run on another thread while the game goes on, so whatever is learned or forgotten
    meanwhile waits until the last of them is done.

    With an `embedder`, rows that have a vector of its model are found by their meaning as well.
    Entries of the journal get theirs once they are rows.
    """

    def __init__(
        self, store: Store, worker: Worker = at_once, embedder: Embedder | None = None
    ) -> None:
        self.index = Index()
        self._store = store
        self._worker = worker
        self.embedder = embedder
        self._lacking: dict[int, None] = {}
        self._searches = 0
        self._waiting: list[Callable[[], None]] = []
        self._entries: set[int] = set()

    def __len__(self) -> int:
        return len(self.index)

    def learn(self, rows: Sequence[MemoryRow]) -> None:
        """Make these rows findable."""

        def add() -> None:
            for row in rows:
                self._add(row)

        self._when_idle(add)

    def learn_stored(self, rows: Sequence[MemoryRow]) -> None:
        """Make rows findable that are on disk already, with the vectors that they have there."""
        self.learn(rows)
        if self.embedder is not None:
            found = self._store.vectors([row.id for row in rows], self.embedder.model)
            self.learn_vectors(found)

    def learn_vectors(self, vectors: Mapping[int, bytes]) -> None:
        """Let rows be found by their vectors, too; one that cannot be used is lacking still."""

        def keep() -> None:
            for one, vector in vectors.items():
                self._keep(one, vector)

        self._when_idle(keep)

    def lacking(self, most: int, besides: Container[int] = ()) -> list[int]:
        """Return ids of rows that have no vector, those of new rows last."""
        return list(islice((one for one in self._lacking if one not in besides), most))

    @property
    def embedded(self) -> tuple[int, int]:
        """How many rows have a vector, and how many rows there are."""
        rows = len(self.index) - len(self._entries)
        return rows - len(self._lacking), rows

    def learn_journal(self) -> None:
        """Make the newest entries of the journal findable; those that left it are so as rows."""
        rows = {-entry["id"]: as_row(entry) for entry in self._store.read("journal")["entries"]}

        def swap() -> None:
            for gone in self._entries - rows.keys():
                self.index.remove(gone)
            for new in rows.keys() - self._entries:
                self._add(rows[new])
            self._entries = set(rows)

        self._when_idle(swap)

    def forget(self, ids: Iterable[int]) -> None:
        """Let these not be found again."""
        gone = tuple(ids)

        def remove() -> None:
            for one in gone:
                self.index.remove(one)
                self._lacking.pop(one, None)
            self._entries.difference_update(gone)

        self._when_idle(remove)

    async def search(
        self,
        query: str,
        k: int,
        *,
        now: float,
        allow: Callable[[str], bool],
        **options: Any,
    ) -> list[Found]:
        """Return at most `k` usable memories, best first; none that shares nothing with the query.

        `options` are those of `Index.search`.
        """
        vector = await self._vector(query)
        labels = frozenset(filter(allow, self.index.labels()))

        def find() -> list[Hit]:
            return self.index.search(
                query, k, now=now, allow=labels.__contains__, **vector, **options
            )

        if len(self.index) < OFF_THREAD:
            return self._read(find())
        self._searches += 1
        try:
            hits: list[Hit] = await self._worker(find)
        finally:
            self._searches -= 1
            self._catch_up()
        return self._read(hits)

    async def _vector(self, query: str) -> dict[str, Any]:
        """Return what a search is told of the query's vector: nothing where it has none."""
        maker = self.embedder
        if maker is None or not self.embedded[0] or not query.strip():
            return {}
        try:
            (vector,) = await maker.embed([query], seconds=QUERY_SECONDS)
        except AssistantError:
            return {}
        if len(vector) != maker.size * _NUMBER:
            return {}
        return {"vector": vector, "model": maker.model}

    def _keep(self, id: int, vector: bytes) -> None:
        maker = self.embedder
        if maker is None or id not in self._lacking or len(vector) % _NUMBER:
            return
        maker.size = maker.size or len(vector) // _NUMBER
        if len(vector) != maker.size * _NUMBER:
            return
        with suppress(ValueError):
            self.index.set_vector(id, vector, maker.model)
            del self._lacking[id]

    def _read(self, hits: Sequence[Hit]) -> list[Found]:
        by_id = {hit.id: hit for hit in hits if hit.relevance > 0}
        rows = {row.id: row for row in self._store.rows([one for one in by_id if one > 0])}
        if any(one < 0 for one in by_id):
            entries = self._store.read("journal")["entries"]
            rows |= {-entry["id"]: as_row(entry) for entry in entries}
        return [Found(rows[one], hit) for one, hit in by_id.items() if one in rows]

    def _add(self, row: MemoryRow) -> None:
        self.index.add(
            row.id,
            row.content,
            speaker=row.author_name,
            session=row.session,
            at=row.learned_at,
            readers=row.readers,
            importance=row.importance,
            trust=row.trust,
            meta={**row.meta, **{name: getattr(row, name) for name in FACTS}},
        )

        if self.embedder is not None and row.id > 0:
            self._lacking[row.id] = None

    def _when_idle(self, change: Callable[[], None]) -> None:
        if self._searches:
            self._waiting.append(change)
        else:
            change()

    def _catch_up(self) -> None:
        if not self._searches:
            waiting, self._waiting = self._waiting, []
            for change in waiting:
                change()
