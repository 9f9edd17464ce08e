"""How an error of the database becomes one of ours."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import Error

from ai_assistant.errors import NotMigrated, StoreError

_LACKING = ("no such table", "no such column", "does not exist", "doesn't exist", "unknown column")
"""How SQLite, PostgreSQL and MySQL put it that the game was never migrated."""


@contextmanager
def refusals() -> Iterator[None]:
    """Raise `StoreError` where the database refuses, also for text that it cannot encode."""
    try:
        yield
    except (Error, UnicodeError) as error:
        raise _ours(error) from error


def _ours(error: Exception) -> StoreError:
    if any(words in str(error).lower() for words in _LACKING):
        return NotMigrated()
    return StoreError(f"The database refused ({type(error).__name__}).")
