"""Erasure: reading all there is in bounded pages, to delete from it and to redact it, for good.

SQLite is told to overwrite what it deletes (`secure`), on every connection that is opened; and
once something was forgotten, `empty_files` takes out of its files what that does not reach. A
server that is not in charge erases nothing: the other one would write it back from its memory.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from django.db import connection, connections
from django.db.models import Max

from ai_assistant import conf
from ai_assistant.core.contracts import AuditRecord, Json
from ai_assistant.core.errors import StoreError
from ai_assistant.models import (
    AssistantEvent,
    BlockVersion,
    Memory,
    MemoryBlock,
    Participation,
    PendingEvent,
    Scene,
    StateChange,
)
from ai_assistant.storage.history.row_evidence import drop_evidence, renew_evidence
from ai_assistant.storage.history.state_log import Address, StateLog, ToldSequence
from ai_assistant.storage.server_lease import writing
from ai_assistant.storage.statements import quoted_columns, refusals

Written = Mapping[str, Collection[Address]]
"""Parts and keys of states, by whose they are."""
PAGE = 100
"""Ids that one page covers: some milliseconds of work."""
SMALL = 8_000_000
"""Bytes of a database that is written anew once something was forgotten: 0.15 s at most."""
_ROW = (
    *("id", "session", "container", "kind", "content", "subject", "author", "author_name"),
    *("readers", "location", "learned_at", "parents", "supersedes", "meta"),
)


@dataclass(frozen=True, slots=True)
class _ErasedTable:
    """What is read of a table, which of that may be written anew, and what changes with it."""

    model: Any
    read: tuple[str, ...]
    written: tuple[str, ...]
    besides: str = ""


TABLES = {
    "memory": _ErasedTable(
        Memory,
        _ROW,
        ("content", "location", "meta", "parents", "supersedes"),
        ", embedding = NULL, embedding_model = ''",
    ),
    "event": _ErasedTable(
        AssistantEvent, ("id", "assistant", "type", "turn_id", "data"), ("data",)
    ),
    "pending": _ErasedTable(
        PendingEvent, ("id", "assistant", "payload", "claims"), ("payload", "claims")
    ),
    "block": _ErasedTable(
        MemoryBlock, ("id", "label", "owner", "value"), ("value",), ", version = version + 1"
    ),
    "version": _ErasedTable(BlockVersion, ("id", "label", "owner", "value"), ("value",)),
    "scene": _ErasedTable(Scene, ("id", "session", "title", "state"), ("title", "state")),
    "state": _ErasedTable(StateChange, ("id", "sequence", "part", "key", "data"), ("data",)),
}
"""All tables of ours that hold words, by the name of what they hold."""
_DELETE = "DELETE FROM ai_assistant_memory WHERE id = %s"
_DROP = "DELETE FROM ai_assistant_participation WHERE id = %s"


def highest_id(table: str) -> int:
    """Return the highest id of one of `TABLES`; 0 where it is empty."""
    with refusals():
        return int(TABLES[table].model.objects.aggregate(last=Max("pk"))["last"] or 0)


def highest_ids(tables: Iterable[str]) -> dict[str, int]:
    """Return the highest ids of some of `TABLES`."""
    return {table: highest_id(table) for table in tables}


def written_after(state: int) -> Written | None:
    """Return which states were written after one of the log; None where the game keeps no log."""
    if not conf.settings.STATE_DAYS:
        return None
    written: dict[str, set[Address]] = {}
    with refusals():
        later = StateChange.objects.filter(pk__gt=state)
        for sequence, part, key in later.values_list("sequence", "part", "key"):
            written.setdefault(sequence, set()).add((part, key))
    return written


def page_after(table: str, after: int) -> list[Json]:
    """Return what one of `TABLES` holds on the page that follows an id, whoever it belongs to."""
    kind = TABLES[table]
    with refusals():
        page = kind.model.objects.filter(pk__gt=after, pk__lte=after + PAGE)
        return list(page.order_by("pk").values(*kind.read))


def rewrite(table: str, rows: Iterable[Json]) -> None:
    """Write the words of rows anew, in one transaction. What was computed from them goes."""
    kind, rows = TABLES[table], list(rows)
    columns = ", ".join(f"{quoted_columns(name)} = %s" for name in kind.written)
    values = [[*(_stored(row[name]) for name in kind.written), row["id"]] for row in rows]
    change = f"UPDATE {kind.model._meta.db_table} SET {columns}{kind.besides}"  # noqa: S608 - ours
    with writing(), connection.cursor() as cursor:
        cursor.executemany(f"{change} WHERE id = %s", values)
        if kind.model is Memory:
            renew_evidence([row["id"] for row in rows])


def _stored(value: Any) -> Any:
    return json.dumps(value) if isinstance(value, dict | list) else value


def delete_rows(ids: Collection[int]) -> None:
    """Delete memory rows, in one transaction."""
    with writing(), connection.cursor() as cursor:
        drop_evidence(ids)
        cursor.executemany(_DELETE, [(pk,) for pk in ids])


def rows_by_id(container: str, ids: Sequence[int]) -> list[Json]:
    """Return some rows of a container, archived ones too."""
    with refusals():
        return list(Memory.objects.filter(container=container, pk__in=ids).values(*_ROW))


def drop_events(events: Collection[str]) -> None:
    """Delete the world's record of some utterances, in one transaction."""
    with writing(), connection.cursor() as cursor:
        found = Participation.objects.filter(event__in=events).values_list("pk", "row")
        for pk, row in list(found):
            cursor.execute(_DELETE, [row])
            cursor.execute(_DROP, [pk])


def record_erasure(assistant: str, entry: AuditRecord) -> None:
    """Append to the log of an assistant, whether or not it still exists."""
    with writing():
        StateLog().append(ToldSequence(assistant, (), entry.at, [entry]))


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


def empty_files() -> bool:
    """Leave no remains in SQLite's files; False where the database is large, or somebody reads it.

    A small database is written anew as a whole. The write-ahead log is copied into the database and
    cut to nothing. A journal that is kept for the next transaction is deleted. Other databases see
    to their files themselves.
    """
    if connection.vendor != "sqlite" or connection.in_atomic_block:
        return connection.vendor != "sqlite"
    is_new = _written_anew()
    with refusals(), connection.cursor() as cursor:
        mode = cursor.execute("PRAGMA journal_mode").fetchone()[0]
        if mode == "persist":
            cursor.execute("PRAGMA journal_mode = DELETE")
            cursor.execute("PRAGMA journal_mode = PERSIST")
        if mode != "wal":
            return is_new
        busy = cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]
        return is_new and not busy


def _written_anew() -> bool:
    """Write a small database anew, without what SQLite leaves behind where it moves rows."""
    with suppress(StoreError), refusals(), connection.cursor() as cursor:
        pages = cursor.execute("PRAGMA page_count").fetchone()[0]
        if pages * cursor.execute("PRAGMA page_size").fetchone()[0] <= SMALL:
            cursor.execute("VACUUM")
            return True
    return False
