"""Logging: what failed goes to Evennia's log, with where it happened and never with secrets."""

from __future__ import annotations

import traceback
from collections.abc import Iterator
from contextlib import contextmanager

from evennia.utils import logger

from ai_assistant.core.errors import NotInCharge, NotMigrated, StoreUnavailable


def report(where: str, error: BaseException) -> None:
    """Log an exception that was survived, with its traceback but without any local values.

    What is the state of the database, and no bug, is one line: there may be many.
    """
    if isinstance(error, NotInCharge | NotMigrated | StoreUnavailable):
        logger.log_err(f"ai_assistant: {where}: {error}")
        return
    trace = "".join(traceback.format_exception(error))
    logger.log_err(f"ai_assistant: {where}: {type(error).__name__}\n{trace}")


def warn(text: str) -> None:
    """Log one line that the owner should read."""
    logger.log_warn(f"ai_assistant: {text}")


@contextmanager
def surviving(where: str) -> Iterator[None]:
    """Log what fails within this block, and go on after it."""
    try:
        yield
    except Exception as error:
        report(where, error)
