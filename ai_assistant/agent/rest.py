"""Rest: an assistant whose turns keep failing pauses, longer each time, and recovers by itself."""

from __future__ import annotations

from collections import deque

from ai_assistant.ports import Clock

FAULTS = 5
WITHIN = 600.0
FIRST_REST = 60.0
LONGEST_REST = 3600.0


class Rest:
    """Five faults within ten minutes mean a rest of one minute, doubled each time up to an hour.

    A turn that goes well ends the doubling, though not the counting: what fails half of the time
    is still worth a rest. Times are seconds of the steady clock.
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._faults: deque[float] = deque(maxlen=FAULTS)
        self._until = float("-inf")
        self._length = FIRST_REST

    def fault(self) -> None:
        """Count a failed turn."""
        now = self._clock.monotonic()
        self._faults.append(now)
        if len(self._faults) == FAULTS and now - self._faults[0] <= WITHIN:
            self._until = now + self._length
            self._length = min(LONGEST_REST, self._length * 2)
            self._faults.clear()

    def success(self) -> None:
        """Count a turn that went well: the next rest is a short one again."""
        self._length = FIRST_REST

    @property
    def resting(self) -> bool:
        """Is it resting now?"""
        return self._clock.monotonic() < self._until
