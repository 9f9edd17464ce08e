"""Rows of the containers: `MemoryRow` in, `MemoryRow` out."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, replace
from itertools import chain
from operator import attrgetter
from typing import Any

from django.db import connection
from django.db.models import QuerySet

from ai_assistant.core.contracts import Commit, Json, MemoryRow
from ai_assistant.models import LONGEST_READERS, Memory
from ai_assistant.storage.history import row_evidence
from ai_assistant.storage.statements import from_json

FIELDS = tuple(field.name for field in fields(MemoryRow))
_PLAIN = tuple(name for name in FIELDS if name not in ("parents", "meta", "id"))
_plain = attrgetter(*_PLAIN)
_INSERT = """
    INSERT INTO ai_assistant_memory (content, kind, session, container, subject, author,
        author_name, readers, game_day, location, learned_at, importance, trust, parents, meta,
        embedding_model)
    VALUES
"""
_ROW = "(%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, '')"
"""Written out, because a crowd makes every assistant in earshot remember every line."""
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
_PAGE = 200
LIVING = Memory.objects.filter(archived_at__isnull=True)
NEWEST = "-archived_at", "-pk"
"""The order of living rows, newest first: PostgreSQL reads the first of them by an index only where
the order names its columns, else it reads and sorts the whole container."""


def insert(rows: Iterable[MemoryRow], container: str, at: float) -> list[MemoryRow]:
    """Insert rows and return them with their ids.

    A row without a container goes to `container`; one without a time was learned `at`.
    """
    kept = [
        row
        if row.container and row.learned_at
        else replace(row, container=row.container or container, learned_at=row.learned_at or at)
        for row in rows
    ]
    stored = []
    with connection.cursor() as cursor:
        for start in range(0, len(kept), _AT_ONCE):
            stored += _insert(cursor, kept[start : start + _AT_ONCE])
    told = ((row.id, row.container, row.meta, row.parents) for row in stored)
    row_evidence.note_evidence(told)
    return stored


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
    return read(Memory.objects.filter(pk__in=ids).order_by("pk")) if ids else []


def update_before(session: str, count: int) -> int:
    """Return the id of the newest update of a session's world that has `count` after it, or 0."""
    with connection.cursor() as cursor:
        cursor.execute(_NEWEST_UPDATE, [session, count])
        found = cursor.fetchone()
    return found[0] if found else 0


def amend(container: str, commit: Commit, notes: Mapping[int, Json]) -> dict[int, Json]:
    """Take rows out of use without deleting them, or back into it; add notes to their metadata.

    Returns what each row was and is: ``was`` and ``now``, of what changed.
    """
    ids = {*commit.archived, *commit.revived, *notes}
    own = Memory.objects.filter(container=container, pk__in=ids)
    before = {pk: (at, meta) for pk, at, meta in own.values_list("pk", "archived_at", "meta")}
    if commit.archived:
        own.filter(pk__in=commit.archived).update(archived_at=commit.at)
    if commit.revived:
        own.filter(pk__in=commit.revived).update(archived_at=None)
    amended: dict[int, Json] = {}
    for pk, (was_at, was) in before.items():
        now_at = commit.at if pk in commit.archived else was_at
        now_at = None if pk in commit.revived else now_at
        old, new = {"archived_at": was_at}, {"archived_at": now_at}
        if pk in notes:
            old["meta"], new["meta"] = was, {**was, **notes[pk]}
            Memory.objects.filter(pk=pk).update(meta=new["meta"])
        amended[pk] = {"was": old, "now": new}
    return amended


def narrowed(readers: str) -> str:
    """Return a label that fits its column: a crowd too long for it loses readers, never gains."""
    if len(readers) <= LONGEST_READERS:
        return readers
    return readers[: LONGEST_READERS + 1].rpartition(",")[0]


def delete_container(container: str) -> None:
    """Delete all rows of the container, archived ones included, part of the caller's transaction.

    By one statement: Evennia listens to all deletions, so Django would load each row first.
    """
    row_evidence.drop_evidence_of(container)
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM ai_assistant_memory WHERE container = %s", [container])


def _insert(cursor: Any, rows: Sequence[MemoryRow]) -> list[MemoryRow]:
    rows = [
        row if len(row.readers) <= LONGEST_READERS else replace(row, readers=narrowed(row.readers))
        for row in rows
    ]
    values = [[*_plain(row), json.dumps(row.parents), json.dumps(row.meta)] for row in rows]
    if connection.features.can_return_rows_from_bulk_insert:
        statement = _INSERT + ", ".join([_ROW] * len(rows)) + " RETURNING id"
        cursor.execute(statement, list(chain.from_iterable(values)))
        ids = [new for (new,) in cursor.fetchall()]
    else:
        ids = []
        for row in values:
            cursor.execute(_INSERT + _ROW, row)
            ids.append(cursor.lastrowid)
    return [replace(row, id=new) for row, new in zip(rows, ids, strict=True)]


def read(query: QuerySet[Memory], limit: int | None = None) -> list[MemoryRow]:
    """Return the first rows of a query, or all of them."""
    return list(map(row_of, query.values_list(*FIELDS)[:limit]))


def pages(query: QuerySet[Memory]) -> Iterator[MemoryRow]:
    """Yield the rows of a query page by page, newest first, as it is ordered."""
    page = read(query, _PAGE)
    yield from page
    while len(page) == _PAGE:
        page = read(query.filter(pk__lt=page[-1].id), _PAGE)
        yield from page


def by_number(query: QuerySet[Memory]) -> Iterator[MemoryRow]:
    """Yield the rows of a query, newest first, where no index has them in that order.

    To sort their words with them takes a database ten times as long.
    """
    ids = list(query.order_by("-pk").values_list("pk", flat=True))
    for start in range(0, len(ids), _PAGE):
        some = Memory.objects.filter(pk__in=ids[start : start + _PAGE])
        yield from read(some.order_by("-pk"))


def row_of(values: Sequence[Any]) -> MemoryRow:
    """Return the row of what stands in the columns `FIELDS`."""
    *plain, parents, meta, pk = values
    return MemoryRow(*plain, tuple(from_json(parents)), from_json(meta), pk)
