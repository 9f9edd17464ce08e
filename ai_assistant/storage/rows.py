"""Rows of the containers: `MemoryRow` in, `MemoryRow` out."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import fields, replace
from typing import Any

from django.db import connection
from django.db.models import QuerySet

from ai_assistant.contracts import MemoryRow
from ai_assistant.models import LONGEST_READERS, Memory

_FIELDS = tuple(field.name for field in fields(MemoryRow))
_PLAIN = tuple(name for name in _FIELDS if name not in ("parents", "meta", "id"))
_INSERT = """
    INSERT INTO ai_assistant_memory (content, kind, session, container, subject, author,
        author_name, readers, game_day, location, learned_at, importance, trust, parents, meta,
        embedding_model)
    VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, '')
"""
_INSERT_RETURNING = f"{_INSERT} RETURNING id"
"""Written out, because a crowd makes every assistant in earshot remember every line."""
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
    with connection.cursor() as cursor:
        return [replace(row, id=_insert(cursor, row)) for row in kept]


def by_ids(container: str, ids: Sequence[int]) -> list[MemoryRow]:
    """Return living rows of the container in the order of `ids`, without the unknown ones."""
    found = {row.id: row for row in _read(_living(container).filter(pk__in=ids))}
    return [found[one] for one in ids if one in found]


def newest(container: str, limit: int, before: int = 0) -> list[MemoryRow]:
    """Return the newest living rows (older than the id `before`, unless 0), newest first."""
    rows = _living(container).order_by("-pk")
    if before:
        rows = rows.filter(pk__lt=before)
    return _read(rows[:limit])


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


def _insert(cursor: Any, row: MemoryRow) -> int:
    values = [getattr(row, name) for name in _PLAIN]
    values += [json.dumps(row.parents), json.dumps(row.meta)]
    if connection.features.can_return_columns_from_insert:
        cursor.execute(_INSERT_RETURNING, values)
        return cursor.fetchone()[0]
    cursor.execute(_INSERT, values)
    return cursor.lastrowid


def _living(container: str) -> QuerySet[Memory]:
    return _LIVING.filter(container=container)


def _read(rows: QuerySet[Memory]) -> list[MemoryRow]:
    found = (dict(zip(_FIELDS, values, strict=True)) for values in rows)
    return [MemoryRow(**{**row, "parents": tuple(row["parents"])}) for row in found]
