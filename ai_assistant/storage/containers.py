"""Containers: the memory rows of one character in one session, reached by a handle and by no name.

Whoever holds the handle reads and adds; there is no way from one container to another, and none
from a text. A container is keyed by the pair of both ids, whatever characters those are made of.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.db import transaction
from django.db.models import Q, QuerySet
from django.db.models.fields.json import KeyTransform

from ai_assistant.core.contracts import MemoryRow
from ai_assistant.core.search_port import Where
from ai_assistant.memory.search import filters
from ai_assistant.models import Memory
from ai_assistant.storage import memory_rows
from ai_assistant.storage.statements import refusals

_COLUMNS = frozenset(
    "session kind subject author author_name game_day location learned_at importance trust".split()
)
_LOOKUPS = {"==": "exact", ">": "gt", ">=": "gte", "<": "lt", "<=": "lte"}
_PAGE = 200


@dataclass(frozen=True, slots=True)
class Container:
    """A handle to the rows of one character in one session; ``""`` is the game itself."""

    session: str
    character: str

    def __str__(self) -> str:
        """Return the printed name, which leads nowhere."""
        return f"{self.session}-{self.character}"

    def add(self, memories: Sequence[MemoryRow], *, at: float) -> list[MemoryRow]:
        """Insert rows and return them with their ids. Raises `StoreError`."""
        own = [replace(one, session=self.session, container=self.character) for one in memories]
        with refusals():
            return memory_rows.insert(own, self.character, at)

    def find(
        self,
        *,
        where: Where | None = None,
        readers: Collection[str] | None = None,
        limit: int,
        before: int = 0,
    ) -> list[MemoryRow]:
        """Return the newest living rows that meet all conditions, newest first.

        Args:
            where: A filter on columns and on metadata; see `memory.search.filters`.
            readers: The labels that rows may carry; None for all.
            limit: How many at most, of those that meet the conditions.
            before: Only rows older than this id, unless 0.

        Raises:
            ValueError: `where` cannot be understood.
            StoreError: The database refused.
        """
        checks = list(filters.conditions(where))
        found: list[MemoryRow] = []
        with refusals():
            for row in self._matching(checks, readers, before):
                if len(found) >= limit:
                    break
                if filters.matches(facts_of(row), checks):
                    found.append(row)
        return found

    def oldest(self, limit: int, after: int = 0) -> list[MemoryRow]:
        """Return the first living rows above the id `after`, oldest first. Raises `StoreError`."""
        with refusals():
            return memory_rows.after(self.character, after, limit, self.session)

    def rows(self, ids: Sequence[int]) -> list[MemoryRow]:
        """Return living rows in the order of `ids`, without the unknown ones."""
        with refusals():
            found = memory_rows.by_ids(self.character, ids)
        return [row for row in found if row.session == self.session]

    def labels(self) -> list[str]:
        """Return the distinct labels of the living rows. Raises `StoreError`."""
        with refusals():
            return list(self._own().order_by().values_list("readers", flat=True).distinct())

    def count(self) -> int:
        """Return how many living rows there are. Raises `StoreError`."""
        with refusals():
            return self._own().count()

    def _own(self) -> QuerySet[Memory]:
        return Memory.objects.filter(
            session=self.session, container=self.character, archived_at__isnull=True
        )

    def _matching(
        self,
        checks: Sequence[tuple[str, str, Any]],
        readers: Collection[str] | None,
        before: int,
    ) -> Iterator[MemoryRow]:
        """Yield rows that the database takes for matching, page by page, newest first."""
        query = self._own().order_by("-pk")
        if readers is not None:
            query = query.filter(readers__in=list(readers))
        for number, (field, sign, value) in enumerate(checks):
            if field in _COLUMNS:
                query = query.filter(Q(**{f"{field}__{_LOOKUPS[sign]}": value}))
            elif '"' not in field:  # no database finds such a name; Python looks at each row anyway
                query = query.annotate(**{f"fact{number}": KeyTransform(field, "meta")})
                query = query.filter(Q(**{f"fact{number}__{_LOOKUPS[sign]}": value}))
        while True:
            page = memory_rows.read(query.filter(pk__lt=before) if before else query, _PAGE)
            yield from page
            if len(page) < _PAGE:
                return
            before = page[-1].id


class OwnRows:
    """The `ports.Rows` of one assistant. Raises `StoreError` where the database refuses."""

    def __init__(self, assistant: str) -> None:
        self._assistant = assistant

    def by_ids(self, ids: Sequence[int]) -> list[MemoryRow]:
        """Return living rows in the order of `ids`."""
        with refusals():
            return memory_rows.by_ids(self._assistant, ids)

    def newest(self, limit: int, before: int = 0) -> list[MemoryRow]:
        """Return the newest living rows (older than the id `before`, unless 0), newest first."""
        with refusals():
            return memory_rows.newest(self._assistant, limit, before)

    def after(
        self, after: int, limit: int, session: str | None = None, readers: str | None = None
    ) -> list[MemoryRow]:
        """Return the first living rows above an id, oldest first."""
        with refusals():
            return memory_rows.after(self._assistant, after, limit, session, readers)

    def find(self, where: Mapping[str, Any], limit: int) -> list[MemoryRow]:
        """Return the newest living rows that meet a filter, newest first.

        They are those of the game itself, unless the filter names a session.
        """
        return Container(str(where.get("session", "")), self._assistant).find(
            where=where, limit=limit
        )

    def vectors(self, ids: Sequence[int], model: str) -> dict[int, bytes]:
        """Return the vectors that these rows have of that model."""
        with refusals():
            return memory_rows.vectors(self._assistant, ids, model)

    def set_vectors(
        self, rows: Sequence[MemoryRow], vectors: Sequence[bytes], model: str
    ) -> list[int]:
        """Keep a vector for each row that still has these words; returns the ids of those."""
        with refusals(), transaction.atomic():
            return memory_rows.set_vectors(self._assistant, rows, vectors, model)


def facts_of(row: MemoryRow) -> dict[str, Any]:
    """Return what a row can be filtered by: its metadata, and its columns before those."""
    return {**row.meta, **{name: getattr(row, name) for name in _COLUMNS}}


def heard_from(person: str) -> set[str]:
    """Return the ids of the characters whose living rows hold a person's words.

    One query, answered from an index. Raises `StoreError`.
    """
    with refusals():
        theirs = Memory.objects.filter(author=person, archived_at__isnull=True)
        return set(theirs.order_by().values_list("container", flat=True).distinct())
