"""The evidence of memory rows, indexed: by it those are found who have anything of a line.

It stands in the rows too, in lists that no database has an index for: what a row was told with,
and what it was drawn from. So it is written with them, and goes with them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from django.db import connection

from ai_assistant.memory.talk.hearsay import TOLD
from ai_assistant.models import Memory, MemoryEvidence
from ai_assistant.roleplay.message_formats import WORLD
from ai_assistant.storage.statements import insert_into, marks, refusals

LONGEST_REF = 100
_TABLE = "ai_assistant_memory_evidence"
_NOTE = insert_into(_TABLE, ("ref", "row"))
_OF_CONTAINER = f"""
    DELETE FROM {_TABLE} WHERE {{row}} IN
        (SELECT id FROM ai_assistant_memory WHERE container = %s)
"""  # noqa: S608 - ours
_LOOKED_AT = ("pk", "container", "meta", "parents")


def row_ref(id: int) -> str:
    """Return the reference to a row."""
    return f"#{id}"


def topics_of(meta: Mapping[str, Any]) -> set[str]:
    """Return of what a row is, by its metadata: a line's id, or the reference to a row.

    That is the line itself, what was passed on with it, and the update of the world that it tells.
    """
    passed_on = [telling.get("origin") for telling in meta.get(TOLD, ())]
    update = meta.get("update")
    found = {meta.get("event"), meta.get("origin"), update and row_ref(update), *passed_on}
    return {str(ref)[:LONGEST_REF] for ref in found if ref}


def note_evidence(rows: Iterable[tuple[int, str, Mapping[str, Any], Iterable[int]]]) -> None:
    """Write the evidence of rows by (id, container, metadata, parents); the world's have none.

    Part of the caller's transaction.
    """
    values = [
        (ref, id)
        for id, container, meta, parents in rows
        if container != WORLD
        for ref in sorted(topics_of(meta) | {*map(row_ref, parents)})
    ]
    if values:
        with connection.cursor() as cursor:  # as models they take ten times
            cursor.executemany(_NOTE, values)


def drop_evidence(rows: Collection[int]) -> None:
    """Delete the evidence of some rows, part of the caller's transaction."""
    if rows:
        with connection.cursor() as cursor:
            cursor.execute(
                f"DELETE FROM {_TABLE} WHERE {_row()} IN ({marks(rows)})",  # noqa: S608 - ours
                [*rows],
            )


def drop_evidence_of(container: str) -> None:
    """Delete the evidence of all rows of a container, part of the caller's transaction."""
    with connection.cursor() as cursor:
        cursor.execute(_OF_CONTAINER.format(row=_row()), [container])


def _row() -> str:
    return connection.ops.quote_name("row")


def renew_evidence(rows: Collection[int]) -> None:
    """Write the evidence of rows anew that were changed, part of the caller's transaction."""
    drop_evidence(rows)
    note_evidence(Memory.objects.filter(pk__in=rows).values_list(*_LOOKED_AT))


def rows_about(refs: Collection[str], most: int) -> list[int]:
    """Return the first rows that are of any of these, or drawn from them, `most` at most."""
    with refusals():
        found = MemoryEvidence.objects.filter(ref__in=refs).order_by("row")
        return list(found.values_list("row", flat=True).distinct()[:most])
