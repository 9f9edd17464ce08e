"""A clock that goes when it is told to."""

from __future__ import annotations


class ManualClock:
    """Implements `ports.Clock`; time passes only through `advance`."""

    def __init__(self, now: float = 1_780_000_000.0) -> None:
        self.time = now

    def now(self) -> float:
        """Return the time of day."""
        return self.time

    def monotonic(self) -> float:
        """Return the same time; it never jumps."""
        return self.time

    def advance(self, seconds: float) -> None:
        """Let time pass."""
        self.time += seconds
