"""Statements that run in every turn are written out, and run here.

Django takes ten times longer to put a query together than the database takes to answer it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any

from django.db import connection


def fetch(statement: str, values: Sequence[Any]) -> list[tuple[Any, ...]]:
    """Return all rows of a query; a column of JSON comes as text, see `from_json`."""
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        return cursor.fetchall()


def from_json(stored: Any) -> Any:
    """Return what a column of JSON holds, as `fetch` brought it."""
    return json.loads(stored) if isinstance(stored, str) else stored


def select(names: Iterable[str], rest: str) -> str:
    """Return a query for columns, quoted: one of ours is a word of SQL. `rest` begins with FROM."""
    return f"SELECT {', '.join(map(connection.ops.quote_name, names))} {rest}"


def marks(values: Sequence[Any]) -> str:
    """Return a placeholder for each value, for ``IN (…)``."""
    return ", ".join(["%s"] * len(values))
