"""Statements that run in every turn are written out here; a database's error becomes one of ours.

Django takes ten times longer to put a query together than the database takes to answer it.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any

from django.db import connection
from django.db.models import QuerySet

from ai_assistant.core.contracts import Json
from ai_assistant.storage.gateway import GATEWAY, Gateway


def refusals() -> Gateway:
    """Raise `StoreError` where the database refuses, also for text that it cannot encode.

    Every statement of ours runs within this, and waits no longer than `gateway` allows. What
    may succeed later raises `StoreUnavailable`.
    """
    return GATEWAY


def fetch(statement: str, values: Sequence[Any]) -> list[tuple[Any, ...]]:
    """Return all rows of a query; a column of JSON comes as text, see `from_json`."""
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        return cursor.fetchall()


def met_a_row(statement: str, values: Sequence[Any]) -> bool:
    """Run a statement that writes; was there any row that it met?"""
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        return bool(cursor.rowcount)


def from_json(stored: Any) -> Any:
    """Return what a column of JSON holds, as `fetch` brought it."""
    return json.loads(stored) if isinstance(stored, str) else stored


def id_pages(rows: QuerySet[Any, Any], size: int) -> Iterator[list[Json]]:
    """Yield the rows of a query for dictionaries with `id`, in its order, so many at a time."""
    page, last = list[Json](), 0
    while not last or len(page) == size:
        with refusals():
            page = list(rows.filter(pk__gt=last).order_by("pk")[:size])
        if not page:
            return
        yield page
        last = page[-1]["id"]


def quoted_columns(*names: str) -> str:
    """Return names of columns as a statement must have them: some of ours are words of SQL."""
    return ", ".join(map(connection.ops.quote_name, names))


def select(names: Iterable[str], rest: str) -> str:
    """Return a query for columns; `rest` is what follows them, from FROM on."""
    return f"SELECT {quoted_columns(*names)} {rest}"


def insert_into(table: str, names: Sequence[str]) -> str:
    """Return the statement that inserts one row of these columns."""
    values = f"({quoted_columns(*names)}) VALUES ({marks(names)})"
    return f"INSERT INTO {table} {values}"


def marks(values: Collection[Any]) -> str:
    """Return a placeholder for each value, for ``IN (…)``."""
    return ", ".join(["%s"] * len(values))
