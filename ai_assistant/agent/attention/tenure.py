"""Tenure: of the servers on one database, one is in charge of the assistants while it lives.

It holds a lease that it renews every two seconds. Whoever sees nobody renew it any more begins a
new epoch; of an earlier one nothing is written any more. Who stops gives the lease back.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from ai_assistant.core.errors import AssistantError
from ai_assistant.core.ports import Clock

RENEWED = 2.0
"""Seconds between two renewals."""
LASTS = 6.0
"""Seconds after the last renewal until somebody else may take over."""
A_BEAT = 3.0
"""Seconds in which a server that lives is seen to renew the lease."""
A_LOOK = 0.5
"""Seconds between two looks at a lease of who must not run beside its server."""


@dataclass(frozen=True, slots=True)
class Lease:
    """A lease as it stands on disk."""

    holder: str = ""
    """The name of the process that has it; empty for none."""
    epoch: int = 0
    """Counts its holders; 0 where nobody ever had it."""
    until: float = 0.0
    """A time of day, in seconds since the epoch; 0 where it was given back."""


class LeasePort(Protocol):
    """Where the lease is kept; each call is one step that nobody comes between."""

    def read(self) -> Lease:
        """Return the lease as it stands; of epoch 0 where nobody ever had it."""

    def take(self, seen: Lease, holder: str, until: float) -> bool:
        """Begin a new epoch, unless anything changed since the lease was `seen`."""

    def renew(self, epoch: int, until: float) -> bool:
        """Keep the lease until then, where it is still of this epoch."""


class Tenure:
    """One server's side of it. What the database refuses is raised; nothing has changed then."""

    def __init__(self, row: LeasePort, holder: str, clock: Clock) -> None:
        """`holder` names this process, and no other that ever was."""
        self._row = row
        self._holder = holder
        self._clock = clock
        self._seen = Lease()
        self._seen_at = float("-inf")
        self._beats = False
        self.epoch = 0
        """That of its lease; 0 while another server is in charge."""

    @property
    def other(self) -> str:
        """Who is in charge instead, as far as is known."""
        return "" if self.epoch else self._seen.holder

    @property
    def looked_on(self) -> float:
        """Seconds since another server was last seen to keep the lease; 0 where none ever was."""
        return max(0.0, self._clock.monotonic() - self._seen_at) if self._seen.holder else 0.0

    def renew(self) -> bool:
        """Renew the lease, or take it where it has run out; is this server in charge now?"""
        until = self._clock.now() + LASTS
        if self.epoch and self._row.renew(self.epoch, until):
            return True
        self.epoch = 0
        lease = self._row.read()
        if self._has_run_out(lease) and self._row.take(lease, self._holder, until):
            self.epoch = lease.epoch + 1
        return bool(self.epoch)

    def _has_run_out(self, lease: Lease) -> bool:
        """Is the lease free, its own, or kept alive by nobody while this server looked on?

        Clocks may differ: how long it looked on is measured by the steady one. What the other one
        shows only shortens that, to a beat, for who never saw the lease renewed: it has just begun.
        """
        now = self._clock.monotonic()
        if lease != self._seen:
            self._beats = lease.epoch == self._seen.epoch
            self._seen, self._seen_at = lease, now
        is_old = lease.until <= self._clock.now() and not self._beats
        is_free = not lease.until or lease.holder == self._holder
        return is_free or now - self._seen_at >= (A_BEAT if is_old else LASTS)

    def give_back(self) -> None:
        """Let the next server take over at once."""
        if self.epoch:
            self._row.renew(self.epoch, 0.0)
            self.epoch = 0


def refuse_running(
    row: LeasePort, tell: Callable[[str], object], pause: Callable[[float], object] = time.sleep
) -> None:
    """Raise `AssistantError` where a server that lives is in charge: the lease is seen to change.

    Clocks may differ, so the time that it shows is not believed. Unless it was given back, it is
    watched for as long as it lasts, with a `pause` of so many seconds between two looks.
    """
    lease = row.read()
    if not lease.until:
        return
    tell("Looking whether the game is running …")
    for _ in range(int(LASTS / A_LOOK)):
        pause(A_LOOK)
        if row.read() != lease:
            raise AssistantError("The game is running. To do: evennia stop")
