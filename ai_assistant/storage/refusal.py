"""How an error of the database becomes one of ours."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import Error

from ai_assistant.errors import StoreError


@contextmanager
def refusals() -> Iterator[None]:
    """Raise `StoreError` where the database refuses, also for text that it cannot encode."""
    try:
        yield
    except (Error, UnicodeError) as error:
        raise StoreError(f"The database refused ({type(error).__name__}).") from error
