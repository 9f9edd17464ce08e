"""Logging: what failed and where, without secrets; urgent lines go to the staff online as well."""

from __future__ import annotations

import traceback
from contextlib import AbstractContextManager
from dataclasses import dataclass

import evennia
from evennia.utils import logger
from evennia.utils.ansi import raw

from ai_assistant.core.errors import (
    BudgetExhausted,
    ModelError,
    NotInCharge,
    NotMigrated,
    StoreUnavailable,
)

STAFF = "Builder"
"""The rank from which on somebody is told: that of the command `ai`."""
_STATES = (BudgetExhausted, ModelError, NotInCharge, NotMigrated, StoreUnavailable)


def report(where: str, error: BaseException) -> None:
    """Log an exception that was survived, with its traceback and without local values.

    The state of the database, of a model or of a cap is no bug and takes one line: there may be
    many.
    """
    if isinstance(error, _STATES):
        logger.log_err(f"ai_assistant: {where}: {error}")
        return
    trace = "".join(traceback.format_exception(error))
    logger.log_err(f"ai_assistant: {where}: {type(error).__name__}\n{trace}")


def warn(text: str) -> None:
    """Log one line that the owner should read."""
    logger.log_warn(f"ai_assistant: {text}")


def tell_staff(text: str) -> None:
    """Log a line, and show it to those of the staff who are online."""
    warn(text)
    for account in evennia.SESSION_HANDLER.all_connected_accounts():
        if account.is_superuser or account.check_permstring(STAFF):
            account.msg(f"|y{raw(text)}|n")


@dataclass(slots=True)
class surviving(AbstractContextManager[object]):  # noqa: N801 - read as `contextlib.suppress` is
    """Logs what fails within this block, and goes on after it."""

    where: str
    """What was done, as the log says it."""

    def __exit__(self, _: object, error: BaseException | None, __: object) -> bool:
        """Log an error and go on, unless it is to end the process."""
        if not isinstance(error, Exception):
            return False
        report(self.where, error)
        return True
