"""The emergency stop: an assistant whose turns break one after another stops, until staff clear it.

Only exceptions of ours count. What a model's server or the database fails at, what a breaker or a
tool refuses, is no reason to stop anybody.
"""

from __future__ import annotations

from collections.abc import Callable

from ai_assistant.agent.mind import Mind
from ai_assistant.core.contracts import AuditRecord, Change, Commit
from ai_assistant.core.errors import StoreError
from ai_assistant.core.readers import NOBODY

STOPPED = "emergency_stop"
"""What hinders an assistant that was stopped, and the reason for which its events are closed."""


def stopping(reason: str, at: float, *, errors: int = 0, by: str = "") -> Commit:
    """Return what puts a stop on record, after so many errors in a row; without `by` for those."""
    told = {"reason": reason, "consecutive_errors": errors, "by": by}
    stop = Change("safety", "", "stop", {"reason": reason, "at": at})
    record = AuditRecord("EmergencyStopTriggered", told, NOBODY, at=at)
    return Commit(at=at, changes=[stop], audit=[record])


def clearing(by: str, at: float) -> Commit:
    """Return what puts the end of a stop on record."""
    record = AuditRecord("EmergencyStopCleared", {"cleared_by": by}, NOBODY, at=at)
    return Commit(at=at, changes=[Change("safety", "", "go_on", {})], audit=[record])


class EmergencyStop:
    """Counts the turns of one running assistant that broke in a row, and stops it at its limit."""

    def __init__(self, mind: Mind, tell: Callable[[str], None]) -> None:
        """`tell(text)` reaches the staff. Raises `StoreError` where its state cannot be read."""
        self._mind = mind
        self._tell = tell
        self._state = mind.store.read("safety")

    @property
    def reason(self) -> str:
        """Why it is stopped; empty where it is not."""
        reason: str = self._state["reason"]
        return reason

    @property
    def consecutive_errors(self) -> int:
        """How many turns in a row broke."""
        count: int = self._state["consecutive_errors"]
        return count

    def broke(self, error: BaseException) -> None:
        """Put on record that a turn broke, by the kind of error only. Raises `StoreError`.

        What the database refuses is put on record too, but does not count.
        """
        at, kind = self._mind.clock.now(), type(error).__name__
        counted = [] if isinstance(error, StoreError) else [Change("safety", "", "count_error", {})]
        count = self.consecutive_errors + len(counted)
        most, commit = self._mind.config["max_consecutive_errors"], Commit(at=at, changes=counted)
        commit.audit.append(AuditRecord("ErrorOccurred", {"error": kind}, NOBODY, at=at))
        is_over = bool(most and counted) and count >= most and not self.reason
        if is_over:
            why = f"{count} turns in a row broke, the last by {kind}; the log has the rest."
            stop = stopping(why, at, errors=count)
            commit.changes += stop.changes
            commit.audit += stop.audit
        self._save(commit)
        if is_over:
            self._say_so()

    def completed(self) -> None:
        """Note that a turn came to its end. Raises `StoreError`."""
        if self._state["consecutive_errors"] and not self.reason:
            anew = [Change("safety", "", "go_on", {})]
            self._save(Commit(at=self._mind.clock.now(), changes=anew))

    def trigger(self, reason: str, by: str) -> None:
        """Stop it, by order of somebody. Raises `StoreError`."""
        at, errors = self._mind.clock.now(), self.consecutive_errors
        self._save(stopping(reason, at, errors=errors, by=by))
        self._say_so()

    def clear(self, by: str) -> None:
        """Let it go on, and count from nothing. Raises `StoreError`."""
        self._save(clearing(by, self._mind.clock.now()))

    def _save(self, commit: Commit) -> None:
        self._mind.save(commit)
        self._state = self._mind.store.read("safety")

    def _say_so(self) -> None:
        name = self._mind.world.me().name
        self._tell(
            f"Emergency stop of {name}: {self.reason} It neither answers nor acts until "
            f"aiexec/clear {name}."
        )
