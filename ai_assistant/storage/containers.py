"""Containers: the memory rows of one character in one session, reached by a handle and by no name.

Whoever holds the handle reads and adds; there is no way from one container to another, and none
from a text. A container is keyed by the pair of both ids, whatever characters those are made of.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

from django.db import connection, transaction
from django.db.models import Q, QuerySet
from django.db.models.fields.json import KeyTransform

from ai_assistant.core.contracts import MemoryRow
from ai_assistant.core.search_port import Where
from ai_assistant.memory.search import filters
from ai_assistant.models import Memory
from ai_assistant.roleplay.message_formats import container_name
from ai_assistant.storage import memory_rows
from ai_assistant.storage.statements import fetch, marks, refusals, select

_LOOKUPS = {"==": "exact", ">": "gt", ">=": "gte", "<": "lt", "<=": "lte", "in": "in"}
_FIELDS_LOOKED_FOR = 200
"""The newest rows among which a field of their metadata is looked for."""
_BY_IDS = select(
    memory_rows.FIELDS,
    "FROM ai_assistant_memory WHERE container = %s AND archived_at IS NULL AND id IN",
)
_HEARD_FROM = """
    WITH RECURSIVE heard (container) AS (
        SELECT MIN(container) FROM ai_assistant_memory WHERE author = %s
        UNION ALL SELECT (
            SELECT MIN(container) FROM ai_assistant_memory
            WHERE author = %s AND container > heard.container
        ) FROM heard WHERE heard.container IS NOT NULL
    ) SELECT container FROM heard WHERE container IS NOT NULL
"""
"""From one container to the next: a look at each, whatever thousands of rows there are in it."""
_EMBED = """
    UPDATE ai_assistant_memory SET embedding = %s, embedding_model = %s
    WHERE id = %s AND container = %s AND content = %s
"""


@dataclass(frozen=True, slots=True)
class Container:
    """A handle to the rows of one character in one session; ``""`` is the game itself."""

    session: str
    """The session of a scene; empty for the game itself."""
    character: str
    """The id of whoever these rows belong to."""

    def __str__(self) -> str:
        return container_name(self.session, self.character)

    def add(self, memories: Sequence[MemoryRow], *, at: float) -> list[MemoryRow]:
        """Insert rows and return them with their ids."""
        own = [replace(row, session=self.session, container=self.character) for row in memories]
        with refusals():
            return memory_rows.insert(own, self.character, at)

    def find(
        self,
        *,
        where: Where | None = None,
        readers: Collection[str] | None = None,
        limit: int,
    ) -> list[MemoryRow]:
        """Return the newest living rows that meet all conditions, newest first.

        Args:
            where: A filter on columns and on metadata; see `memory.search.filters`.
            readers: The labels that rows may carry; None for all.
            limit: How many at most, of those that meet the conditions.

        Raises:
            ValueError: `where` cannot be understood, or names a field that there is not.
        """
        found = self.known_to_meet(where=where, readers=readers, limit=limit)
        if not found:
            with refusals():
                newest = islice(memory_rows.pages(self._own()), _FIELDS_LOOKED_FOR)
                facts = (filters.facts_of(row) for row in newest)
                filters.check_fields(filters.conditions(where), facts)
        return found

    def known_to_meet(
        self, *, where: Mapping[str, Any] | None = None, readers: Collection[str] | None, limit: int
    ) -> list[MemoryRow]:
        """Return what `find` does, for a filter of our own: a field may be new to all rows."""
        checks = list(filters.conditions(where))
        query = self._own()
        if readers is not None:
            query = query.filter(readers__in=list(readers))
        for number, (field, sign, value) in enumerate(checks):
            if field in filters.COLUMNS:
                query = query.filter(Q(**{f"{field}__{_LOOKUPS[sign]}": value}))
            elif field not in filters.MADE and '"' not in field:  # a name no database finds
                query = query.annotate(**{f"fact{number}": KeyTransform(field, "meta")})
                query = query.filter(Q(**{f"fact{number}__{_LOOKUPS[sign]}": value}))
        rows = memory_rows.pages(query)
        found = (row for row in rows if filters.matches(filters.facts_of(row), checks))
        with refusals():
            return list(islice(found, max(0, limit)))

    def oldest(self, limit: int, after: int = 0) -> list[MemoryRow]:
        """Return the first living rows above the id `after`, oldest first."""
        return OwnRows(self.character).after(after, limit, self.session)

    def rows(self, ids: Sequence[int]) -> list[MemoryRow]:
        """Return living rows in the order of `ids`, without the unknown ones."""
        return [row for row in OwnRows(self.character).by_ids(ids) if row.session == self.session]

    def count(self) -> int:
        """Return how many living rows there are."""
        with refusals():
            return self._own().count()

    def _own(self) -> QuerySet[Memory]:
        own = memory_rows.LIVING.filter(session=self.session, container=self.character)
        return own.order_by(*memory_rows.NEWEST)


@dataclass(frozen=True, slots=True)
class OwnRows:
    """The `ports.Rows` of one assistant. Raises `StoreError` where the database refuses."""

    container: str
    """The id of the assistant whose rows these are."""

    def by_ids(self, ids: Sequence[int]) -> list[MemoryRow]:
        """Return living rows in the order of `ids`, without the unknown ones."""
        if not ids:
            return []
        with refusals():
            stored = fetch(f"{_BY_IDS} ({marks(ids)})", [self.container, *ids])
        found = {row.id: row for row in map(memory_rows.row_of, stored)}
        return [found[pk] for pk in ids if pk in found]

    def newest(self, limit: int, before: int = 0) -> list[MemoryRow]:
        """Return the newest living rows (older than the id `before`, unless 0), newest first."""
        own = memory_rows.LIVING.filter(container=self.container).order_by(*memory_rows.NEWEST)
        with refusals():
            return memory_rows.read(own.filter(pk__lt=before) if before else own, limit)

    def after(
        self, after: int, limit: int, session: str | None = None, readers: str | None = None
    ) -> list[MemoryRow]:
        """Return the first living rows above an id, of a session or label if named."""
        named = {"container": self.container, "session": session, "readers": readers}
        asked = {name: value for name, value in named.items() if value is not None}
        with refusals():
            own = memory_rows.LIVING.filter(pk__gt=after, **asked)
            return memory_rows.read(own.order_by("pk"), limit)

    def find(self, where: Mapping[str, Any], limit: int) -> list[MemoryRow]:
        """Return the newest living rows that meet a filter, newest first.

        They are those of the game itself, unless the filter names a session.
        """
        own = Container(str(where.get("session", "")), self.container)
        return own.known_to_meet(where=where, readers=None, limit=limit)

    def vectors(self, ids: Sequence[int]) -> dict[int, tuple[str, bytes]]:
        """Return the vectors that these rows have, by id, each with its model."""
        own = Memory.objects.filter(container=self.container, pk__in=ids, embedding__isnull=False)
        with refusals():
            found = own.values_list("pk", "embedding_model", "embedding")
            return {pk: (model, bytes(vector)) for pk, model, vector in found}

    def set_vectors(self, rows: Sequence[MemoryRow], new: Sequence[bytes], model: str) -> list[int]:
        """Keep a new vector for each row that still has these words; returns the ids of those.

        What was forgotten or redacted since the words were read gets none.
        """
        written = []
        with refusals(), transaction.atomic(), connection.cursor() as cursor:
            for row, vector in zip(rows, new, strict=True):
                cursor.execute(_EMBED, [vector, model, row.id, self.container, row.content])
                if cursor.rowcount:
                    written.append(row.id)
        return written


def heard_from(person: str) -> set[str]:
    """Return the ids of the characters whose rows hold a person's words: one query."""
    with refusals():
        return {container for (container,) in fetch(_HEARD_FROM, [person, person])}
