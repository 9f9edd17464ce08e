"""One table on its way: its rows as they stand in a column, read alike from both databases.

No row becomes an object of Django's or Evennia's: what is pickled stays the text that it is.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

from django.db import models
from django.db.backends.base.base import BaseDatabaseWrapper as Database

Values = tuple[Any, ...]
SLICE = 500
"""Rows of one transaction, and of one comparison: old SQLites take 999 values."""
_EXACT = 1e16
"""From here on PostgreSQL writes a number of JSON without the point that made it a fraction."""


class MovedTable:
    """The rows of one model's table, in any database that has it."""

    def __init__(self, model: type[models.Model]) -> None:
        self.name = model._meta.db_table
        self._columns = [field.get_col(self.name) for field in model._meta.local_concrete_fields]
        self._names = [column.target.column for column in self._columns]
        self._pk = model._meta.pk
        self._key = self._names.index(self._pk.column)
        self.refers_to = {
            column.target.remote_field.model._meta.db_table
            for column in self._columns
            if column.target.remote_field
        }
        """The tables whose rows are named in it."""

    def count(self, database: Database) -> int:
        """Return how many rows there are."""
        found = self._fetch(database, f"SELECT COUNT(*) FROM {_quoted(database, self.name)}")  # noqa: S608
        return int(found[0][0])

    def slices(self, database: Database, after: str = "") -> Iterator[list[Values]]:
        """Yield the rows behind a key, as `last_of` tells it, in the order of keys."""
        key = _quoted(database, self._pk.column)
        last = self._pk.to_python(after) if after else None
        while True:
            behind, values = (f"WHERE {key} > %s", [last]) if last is not None else ("", [])
            page = self._read(database, f"{behind} ORDER BY {key} LIMIT {SLICE}", values)
            if not page:
                return
            yield page
            last = page[-1][self._key]

    def last_of(self, rows: Sequence[Values]) -> str:
        """Return the key of the last row, as text."""
        return str(rows[-1][self._key])

    def same(self, database: Database, rows: Sequence[Values]) -> bool:
        """Does a database have exactly these, under their keys?"""
        marks = ", ".join(["%s"] * len(rows))
        keys = [row[self._key] for row in rows]
        where = f"WHERE {_quoted(database, self._pk.column)} IN ({marks})"
        found = {row[self._key]: row for row in self._read(database, where, keys)}
        return [found.get(key) for key in keys] == list(rows)

    def write(self, database: Database, rows: Sequence[Values]) -> None:
        """Insert rows, part of the caller's transaction."""
        names = ", ".join(_quoted(database, name) for name in self._names)
        marks = ", ".join(["%s"] * len(self._names))
        into = f"INSERT INTO {_quoted(database, self.name)} ({names}) VALUES ({marks})"  # noqa: S608
        ways = [_writer(column, database) for column in self._columns]
        with database.cursor() as cursor:
            cursor.executemany(into, [_through(ways, row) for row in rows])

    def highest(self, database: Database) -> int:
        """Return the last number that the table gave to a row, be that row gone; 0 for none."""
        if not isinstance(self._pk, models.AutoField):
            return 0
        if database.vendor == "sqlite":
            asked = "SELECT seq FROM sqlite_sequence WHERE name = %s"
            found = self._fetch(database, asked, [self.name])
        else:
            asked = "SELECT last_value FROM pg_sequences WHERE schemaname || '.' || sequencename = "
            found = self._fetch(database, asked + self._SEQUENCE, self._sequence(database))
        return int(found[0][0] or 0) if found else 0

    def set_highest(self, database: Database, number: int) -> None:
        """Let the next row have the number after this one."""
        with database.cursor() as cursor:
            if database.vendor == "sqlite":
                for statement in (
                    "DELETE FROM sqlite_sequence WHERE name = %s",
                    f"INSERT INTO sqlite_sequence (name, seq) VALUES (%s, {number:d})",  # noqa: S608
                ):
                    cursor.execute(statement, [self.name])
            else:
                asked = f"SELECT setval({self._SEQUENCE}, {number:d})"
                cursor.execute(asked, self._sequence(database))

    _SEQUENCE = "pg_get_serial_sequence(%s, %s)"

    def _sequence(self, database: Database) -> list[str]:
        return [_quoted(database, self.name), self._pk.column]

    def _read(self, database: Database, which: str, values: Sequence[Any]) -> list[Values]:
        names = ", ".join(_quoted(database, name) for name in self._names)
        asked = f"SELECT {names} FROM {_quoted(database, self.name)} {which}"  # noqa: S608 - ours
        ways = [_reader(column, database) for column in self._columns]
        return [_through(ways, row) for row in self._fetch(database, asked, values)]

    def _fetch(self, database: Database, asked: str, values: Sequence[Any] = ()) -> list[Values]:
        with database.cursor() as cursor:
            cursor.execute(asked, values)
            return list(cursor.fetchall())


Way = Callable[[Any], Any]


def _quoted(database: Database, name: str) -> str:
    return str(database.ops.quote_name(name))


def _through(ways: Sequence[Way | None], row: Values) -> Values:
    return tuple(
        value if way is None or value is None else way(value)
        for way, value in zip(ways, row, strict=True)
    )


def _reader(column: Any, database: Database) -> Way | None:
    """Return what makes of a stored value what it is, in whatever database it stood."""
    field = column.output_field
    if isinstance(field, models.JSONField):
        return _plain_json
    if isinstance(field, models.BinaryField):
        return bytes
    own = getattr(field, "from_db_value", None)  # of a field that unpickles
    ways = database.ops.get_db_converters(column) + field.get_db_converters(database)
    ways = [way for way in ways if way != own]
    return partial(_converted, ways, column, database) if ways else None


def _converted(ways: Sequence[Any], column: Any, database: Database, value: Any) -> Any:
    for way in ways:
        value = way(value, column, database)
    return value


def _writer(column: Any, database: Database) -> Way | None:
    """Return what makes of a value what its driver takes: by the kind of column, no more."""
    field = column.output_field
    kind = getattr(models, field.get_internal_type(), models.Field)
    prepared = kind.get_db_prep_value
    if kind is models.JSONField or prepared is models.Field.get_db_prep_value:
        return None
    return lambda value: prepared(field, value, database, prepared=True)


def _plain_json(stored: str) -> str:
    """Return JSON as every database tells it: PostgreSQL keeps no order of keys, and no -0.0."""
    return json.dumps(json.loads(stored, parse_float=_number), sort_keys=True)


def _number(text: str) -> float | int:
    value = float(text) + 0.0
    return int(value) if abs(value) >= _EXACT else value
