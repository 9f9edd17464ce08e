"""The circuit breaker: a server that keeps failing is left alone for a while, then asked once."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from enum import StrEnum

from ai_assistant.core.errors import (
    BadReply,
    Charge,
    EmptyReply,
    ModelError,
    ModelTimeout,
    ModelUnavailable,
)


class CallEnding(StrEnum):
    """How a model call ended, as far as the breaker cares."""

    ANSWERED = "answered"
    AUTH = "auth"
    """The key or the account was refused: nothing changes until the owner acts."""
    RATE = "rate"
    """Too many requests: the server is well, we are to slow down."""
    REQUEST = "request"
    """The server refuses just this request."""
    SERVER = "server"
    NETWORK = "network"
    TIMEOUT = "timeout"
    BAD = "bad"
    """The reply was malformed, cut short or too large."""
    SETTINGS = "settings"
    """No call was made: the profile's settings cannot be used."""
    RESTING = "resting"
    """No call was made: the breaker is open."""
    CANCELLED = "cancelled"


class Unavailable(ModelUnavailable):
    """The model's server gave no reply; `kind` says why, and `cause` more closely."""

    def __init__(
        self,
        kind: CallEnding,
        message: str,
        *,
        charge: Charge = "nothing",
        passing: bool = False,
        wait: float = 0.0,
        cause: str = "",
    ) -> None:
        super().__init__(message)
        self.kind = kind
        self.charge = charge
        self.passing = passing
        self.wait = wait
        self.cause = cause


def kind_of(error: ModelError) -> CallEnding:
    """Return which kind of failure an error of a model call stands for."""
    match error:
        case Unavailable():
            return error.kind
        case ModelTimeout():
            return CallEnding.TIMEOUT
        case EmptyReply():
            return CallEnding.ANSWERED
        case BadReply():
            return CallEnding.BAD
    return CallEnding.NETWORK


MOST_FAILURES = 5
WINDOW, REST, LONGEST_REST = 600.0, 30.0, 600.0
"""Seconds: for which calls count, and for which a server is left alone, at first and at most."""
_FAILURES = frozenset({CallEnding.SERVER, CallEnding.NETWORK, CallEnding.TIMEOUT, CallEnding.BAD})


class Breaker:
    """Guards one endpoint; not thread-safe, and time comes from the clock it is given.

    It opens when, of the last 20 calls within `WINDOW` seconds, at least `MOST_FAILURES` and at
    least half failed; at once when a key is refused. After `REST` seconds (`LONGEST_REST` for a
    refused key) a single probe may pass: its success closes the breaker, its failure opens it
    again, for twice as long where that one may have cost something.
    """

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._calls: deque[tuple[float, bool]] = deque(maxlen=20)
        self._open_until: float | None = None
        self._probing = False
        self._era = 0
        self._rest = REST
        self.cause = ""
        """Why the first call since the last answer failed, to people; empty while it answers."""

    @property
    def wait(self) -> float:
        """Seconds until the next call may pass; 0 while it is closed or half open."""
        return 0.0 if self._open_until is None else max(0.0, self._open_until - self._now())

    def enter(self) -> int | None:
        """Return a permit for one call, to be handed back to `leave`; None to make no call."""
        if self._open_until is None:
            return self._era
        if self.wait > 0 or self._probing:
            return None
        self._probing = True
        return self._era

    def ask_again(self) -> None:
        """Let calls pass from now on, whatever failed before: somebody wants to know."""
        self._open_until, self._probing, self._rest = None, False, REST
        self._calls.clear()
        self._era += 1

    def leave(self, permit: int, kind: CallEnding, error: ModelError | None = None) -> None:
        """Record how a permitted call ended; calls from before the last change are ignored."""
        if permit != self._era:
            return
        has_failed = kind is CallEnding.AUTH or kind in _FAILURES
        if has_failed:
            self.cause = self.cause or str(error or kind)
        elif kind is CallEnding.ANSWERED:
            self._rest, self.cause = REST, ""
        if kind is CallEnding.AUTH:
            self._open(LONGEST_REST)
        elif self._probing:
            self._probed(kind, error)
        elif has_failed or kind is CallEnding.ANSWERED:
            self._calls.append((self._now(), has_failed))
            if has_failed and self._failing():
                self._open(self._rest)

    def _probed(self, kind: CallEnding, error: ModelError | None) -> None:
        self._probing = False
        if kind in _FAILURES:
            is_cheap = error is not None and error.charge == "nothing"
            self._open(REST if is_cheap else self._rest)
        elif kind is CallEnding.ANSWERED:
            self._open_until = None
            self._era += 1

    def _failing(self) -> bool:
        since = self._now() - WINDOW
        recent = [failed for at, failed in self._calls if at >= since]
        return sum(recent) >= MOST_FAILURES and 2 * sum(recent) >= len(recent)

    def _open(self, seconds: float) -> None:
        self._open_until = self._now() + seconds
        self._rest = min(2 * seconds, LONGEST_REST)
        self._probing = False
        self._calls.clear()
        self._era += 1
