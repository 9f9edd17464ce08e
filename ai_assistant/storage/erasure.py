"""Erasure: reading all there is in bounded pages, to delete from it and to redact it, for good.

SQLite is told to overwrite what it deletes (`secure`), on every connection that is opened; and
once something was forgotten, `empty_logs` takes it out of the files beside the database.
"""

from __future__ import annotations

import json
import time
from collections.abc import Collection, Iterable, Sequence
from typing import Any

from django.db import connection, connections, transaction
from django.db.models import Max

from ai_assistant.core.contracts import AuditRecord, Json
from ai_assistant.memory.parts import Part
from ai_assistant.models import (
    AssistantEvent,
    BlockVersion,
    Memory,
    MemoryBlock,
    Participation,
    PendingEvent,
)
from ai_assistant.storage import attributes, ledgers
from ai_assistant.storage.statements import refusals

PAGE = 100
"""Ids that one page covers: some milliseconds of work."""
_ROW = (
    *("id", "container", "kind", "content", "subject", "author", "author_name", "readers"),
    *("location", "parents", "supersedes", "meta"),
)
_RECORD = ("id", "assistant", "type", "turn_id", "data")
_REWRITE = """
    UPDATE ai_assistant_memory SET content = %s, meta = %s, parents = %s, supersedes = %s,
        embedding = NULL, embedding_model = ''
    WHERE id = %s
"""
_DELETE = "DELETE FROM ai_assistant_memory WHERE id = %s"
_DROP = "DELETE FROM ai_assistant_participation WHERE id = %s"
_REDACT = "UPDATE ai_assistant_event SET data = %s WHERE id = %s"


def last_row() -> int:
    """Return the highest id of a memory row; 0 where there is none."""
    return _last(Memory)


def last_record() -> int:
    """Return the highest id in the audit logs; 0 where there is none."""
    return _last(AssistantEvent)


def rows_after(after: int) -> list[Json]:
    """Return the rows of all containers, archived ones too, on the page that follows an id."""
    with refusals():
        return list(_page(Memory, after).values(*_ROW))


def rows_by_id(container: str, ids: Sequence[int]) -> list[Json]:
    """Return some rows of a container, archived ones too."""
    with refusals():
        return list(Memory.objects.filter(container=container, pk__in=ids).values(*_ROW))


def records_after(after: int) -> list[Json]:
    """Return the audit records of all assistants on the page that follows an id."""
    with refusals():
        return list(_page(AssistantEvent, after).values(*_RECORD))


def change_rows(rewritten: Sequence[Json], deleted: Collection[int]) -> None:
    """Delete rows, and write anew the words and links of others, in one transaction.

    What was computed from the words goes with them.
    """
    with refusals(), transaction.atomic(), connection.cursor() as cursor:
        for row in rewritten:
            links = [json.dumps(row["meta"]), json.dumps(row["parents"]), row["supersedes"]]
            cursor.execute(_REWRITE, [row["content"], *links, row["id"]])
        cursor.executemany(_DELETE, [(pk,) for pk in deleted])


def drop_events(events: Collection[str]) -> None:
    """Delete the world's record of some utterances, in one transaction."""
    with refusals(), transaction.atomic(), connection.cursor() as cursor:
        found = Participation.objects.filter(event__in=events).values_list("pk", "row")
        for pk, row in list(found):
            cursor.execute(_DELETE, [row])
            cursor.execute(_DROP, [pk])


def change_records(records: Sequence[Json]) -> None:
    """Write the bodies of audit records anew, in one transaction."""
    values = [(json.dumps(record["data"]), record["id"]) for record in records]
    with refusals(), transaction.atomic(), connection.cursor() as cursor:
        cursor.executemany(_REDACT, values)


def drop(owner: Any, part: Part, key: str) -> None:
    """Remove the Attribute of a keyed part, in no transaction; where there is none, do nothing."""
    with refusals():
        attributes.remove(owner, part, key)


def claims_of(assistant: str) -> list[Json]:
    """Return what is on disk of the acts begun for an assistant's events."""
    with refusals():
        waiting = PendingEvent.objects.filter(assistant=assistant).exclude(claims=[])
        return list(waiting.values("id", "claims"))


def change_claims(claims: Iterable[Json]) -> None:
    """Write claims anew."""
    with refusals(), transaction.atomic():
        for event in claims:
            PendingEvent.objects.filter(pk=event["id"]).update(claims=event["claims"])


def blocks(besides: str) -> list[Json]:
    """Return all blocks but those of one label."""
    with refusals():
        found = MemoryBlock.objects.exclude(label=besides)
        return list(found.values("id", "label", "owner", "value", "version"))


def change_block(block: Json, value: Any) -> bool:
    """Write a block's value, unless somebody else wrote it since it was read."""
    with refusals():
        same = MemoryBlock.objects.filter(pk=block["id"], version=block["version"])
        new = {"value": value, "version": block["version"] + 1, "updated": time.time()}
        return bool(same.update(**new))


def block_versions(besides: str) -> list[Json]:
    """Return what is kept of the versions of all blocks but those of one label."""
    with refusals():
        found = BlockVersion.objects.exclude(label=besides)
        return list(found.values("id", "owner", "value"))


def change_version(version: Json, value: Any) -> None:
    """Write anew what a block held at one of its versions."""
    with refusals():
        BlockVersion.objects.filter(pk=version["id"]).update(value=value)


def record_erasure(assistant: str, entry: AuditRecord) -> None:
    """Append to the log of an assistant, whether or not it still exists."""
    with refusals(), transaction.atomic():
        ledgers.append(assistant, [entry], at=entry.at, turn_id="")


def secure(connection: Any, **signal: Any) -> None:
    """Let SQLite write zeros over what it deletes or replaces, on this connection."""
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA secure_delete = ON")


def secure_all() -> None:
    """Do so on the connections that are open already."""
    for opened in connections.all(initialized_only=True):
        if opened.connection is not None:
            secure(opened)


def empty_logs() -> bool:
    """Empty the files that SQLite keeps beside the database; False where a reader prevents it.

    The write-ahead log is copied into the database and cut to nothing. A journal that is kept
    for the next transaction is deleted. Other databases see to their logs themselves.
    """
    if connection.vendor != "sqlite" or connection.in_atomic_block:
        return connection.vendor != "sqlite"
    with refusals(), connection.cursor() as cursor:
        mode = cursor.execute("PRAGMA journal_mode").fetchone()[0]
        if mode == "persist":
            cursor.execute("PRAGMA journal_mode = DELETE")
            cursor.execute("PRAGMA journal_mode = PERSIST")
        if mode != "wal":
            return True
        busy = cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]
        return not busy


def _last(model: Any) -> int:
    with refusals():
        return int(model.objects.aggregate(last=Max("pk"))["last"] or 0)


def _page(model: Any, after: int) -> Any:
    return model.objects.filter(pk__gt=after, pk__lte=after + PAGE).order_by("pk")
