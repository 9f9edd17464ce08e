"""Rows of the containers: `MemoryRow` in, `MemoryRow` out."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields, replace
from typing import Any

from django.db import connection
from django.db.models import QuerySet

from ai_assistant.core.contracts import Json, MemoryRow
from ai_assistant.models import LONGEST_READERS, Memory
from ai_assistant.storage.statements import fetch, from_json, marks, select

_FIELDS = tuple(field.name for field in fields(MemoryRow))
_PLAIN = tuple(name for name in _FIELDS if name not in ("parents", "meta", "id"))
_INSERT = """
    INSERT INTO ai_assistant_memory (content, kind, session, container, subject, author,
        author_name, readers, game_day, location, learned_at, importance, trust, parents, meta,
        embedding_model)
    VALUES
"""
_ROW = "(%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, '')"
"""Written out, because a crowd makes every assistant in earshot remember every line."""
_BY_IDS = select(
    _FIELDS,
    "FROM ai_assistant_memory WHERE container = %s AND archived_at IS NULL AND id IN",
)
_EMBED = """
    UPDATE ai_assistant_memory SET embedding = %s, embedding_model = %s
    WHERE id = %s AND container = %s AND content = %s
"""
_UPDATES_OF_ONE = """
    SELECT id, subject FROM (
        SELECT id, subject FROM ai_assistant_memory
        WHERE container = 'world' AND archived_at IS NULL
            AND kind IN ('world_state_update', 'character_update')
            AND session = %s AND subject = %s AND id > %s ORDER BY id LIMIT %s
    ) AS one
"""
"""With its values written out, so that the partial index over just these rows is used."""
_NEWEST_UPDATE = """
    SELECT id FROM ai_assistant_memory WHERE container = 'world' AND archived_at IS NULL
        AND kind IN ('world_state_update', 'character_update')
        AND session = %s ORDER BY id DESC LIMIT 1 OFFSET %s
"""
_MOST_SUBJECTS = 200
_AT_ONCE = 50
"""Rows of one statement: old SQLites take 999 values."""
_LIVING = Memory.objects.filter(archived_at__isnull=True).values_list(*_FIELDS)
"""The part of the query that never changes, put together once."""


def insert(rows: Iterable[MemoryRow], container: str, at: float) -> list[MemoryRow]:
    """Insert rows and return them with their ids.

    A row without a container goes to `container`; one without a time was learned `at`.
    """
    kept = [
        replace(
            row,
            container=row.container or container,
            learned_at=row.learned_at or at,
            readers=narrowed(row.readers),
        )
        for row in rows
    ]
    stored = []
    with connection.cursor() as cursor:
        for start in range(0, len(kept), _AT_ONCE):
            stored += _insert(cursor, kept[start : start + _AT_ONCE])
    return stored


def by_ids(container: str, ids: Sequence[int]) -> list[MemoryRow]:
    """Return living rows of the container in the order of `ids`, without the unknown ones."""
    if not ids:
        return []
    stored = fetch(f"{_BY_IDS} ({marks(ids)})", [container, *ids])
    found = {row.id: row for row in map(_row, stored)}
    return [found[one] for one in ids if one in found]


def newest(container: str, limit: int, before: int = 0) -> list[MemoryRow]:
    """Return the newest living rows (older than the id `before`, unless 0), newest first."""
    rows = _living(container).order_by("-pk")
    if before:
        rows = rows.filter(pk__lt=before)
    return _read(rows[:limit])


def after(
    container: str,
    last: int,
    limit: int,
    session: str | None = None,
    readers: str | None = None,
) -> list[MemoryRow]:
    """Return the first living rows with an id above `last`, of a session or label if named."""
    found = _living(container).filter(pk__gt=last).order_by("pk")
    named = {"session": session, "readers": readers}
    return _read(found.filter(**{k: one for k, one in named.items() if one is not None})[:limit])


def updates_after(
    session: str, marks: Mapping[str, int], limit: int, *, last: str = ""
) -> list[MemoryRow]:
    """Return the first updates of a session's world, oldest first: of each subject after its mark.

    Those of the subject `last` are among them only where the others leave room. Of a crowd of
    subjects that no statement has room for, some are left out this time.
    """
    asked = sorted(marks.items())[:_MOST_SUBJECTS]
    values = [value for subject, mark in asked for value in (session, subject, mark, limit)]
    with connection.cursor() as cursor:
        cursor.execute(" UNION ALL ".join([_UPDATES_OF_ONE] * len(asked)), values)
        found = sorted((subject == last, pk) for pk, subject in cursor.fetchall())
    ids = [pk for _, pk in found[:limit]]
    return read(Memory.objects.filter(pk__in=ids).order_by("pk"), limit) if ids else []


def update_before(session: str, count: int) -> int:
    """Return the id of the newest update of a session's world that has `count` after it, or 0."""
    with connection.cursor() as cursor:
        cursor.execute(_NEWEST_UPDATE, [session, count])
        found = cursor.fetchone()
    return found[0] if found else 0


def archive(container: str, ids: Sequence[int], at: float | None) -> None:
    """Take rows out of use without deleting them (seconds since the epoch); None: back into it."""
    if ids:
        Memory.objects.filter(container=container, pk__in=ids).update(archived_at=at)


def annotate(container: str, notes: Mapping[int, Json]) -> None:
    """Add to the metadata of rows, by id."""
    if not notes:
        return
    for pk, meta in Memory.objects.filter(container=container, pk__in=list(notes)).values_list(
        "pk", "meta"
    ):
        Memory.objects.filter(pk=pk).update(meta={**meta, **notes[pk]})


def vectors(container: str, ids: Sequence[int], model: str) -> dict[int, bytes]:
    """Return the vectors that rows of the container have of that model, by id."""
    found = Memory.objects.filter(container=container, pk__in=ids, embedding_model=model)
    return {id: bytes(vector or b"") for id, vector in found.values_list("pk", "embedding")}


def set_vectors(
    container: str, rows: Iterable[MemoryRow], vectors: Iterable[bytes], model: str
) -> list[int]:
    """Write a vector for each row that is there and has the same words; returns the ids of those.

    What was forgotten or redacted since the words were read gets none.
    """
    written = []
    with connection.cursor() as cursor:
        for row, vector in zip(rows, vectors, strict=True):
            cursor.execute(_EMBED, [vector, model, row.id, container, row.content])
            if cursor.rowcount:
                written.append(row.id)
    return written


def narrowed(readers: str) -> str:
    """Return a label that fits its column: a crowd too long for it loses readers, never gains."""
    if len(readers) <= LONGEST_READERS:
        return readers
    return readers[: LONGEST_READERS + 1].rpartition(",")[0]


def delete(container: str) -> None:
    """Delete all rows of the container, archived ones included, part of the caller's transaction.

    By one statement: Evennia listens to all deletions, so Django would load each row first.
    """
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM ai_assistant_memory WHERE container = %s", [container])


def _insert(cursor: Any, rows: Sequence[MemoryRow]) -> list[MemoryRow]:
    if not connection.features.can_return_rows_from_bulk_insert:
        return [replace(row, id=_insert_one(cursor, row)) for row in rows]
    statement = _INSERT + ", ".join([_ROW] * len(rows)) + " RETURNING id"
    cursor.execute(statement, [value for row in rows for value in _values(row)])
    return [replace(row, id=new) for row, (new,) in zip(rows, cursor.fetchall(), strict=True)]


def _insert_one(cursor: Any, row: MemoryRow) -> int:
    cursor.execute(_INSERT + _ROW, _values(row))
    return cursor.lastrowid


def _values(row: MemoryRow) -> list[Any]:
    plain = (getattr(row, name) for name in _PLAIN)
    return [*plain, json.dumps(row.parents), json.dumps(row.meta)]


def _living(container: str) -> QuerySet[Memory]:
    return _LIVING.filter(container=container)


def read(query: QuerySet[Memory], limit: int) -> list[MemoryRow]:
    """Return the first rows of a query."""
    return _read(query.values_list(*_FIELDS)[:limit])


def _read(rows: QuerySet[Memory]) -> list[MemoryRow]:
    return list(map(_row, rows))


def _row(values: Sequence[Any]) -> MemoryRow:
    *plain, parents, meta, pk = values
    return MemoryRow(*plain, tuple(from_json(parents)), from_json(meta), pk)
