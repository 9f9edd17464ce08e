"""Lines: what is heard is taken in once the step of the reactor is over, not before.

Evennia hands a line to one hearer after the other. Only when all of that is over is it known who
received it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ai_assistant.earshot import RECEIPTS
from ai_assistant.log import report


class Lines:
    """What waits for the end of this reactor step. Use it on the reactor thread only."""

    def __init__(self, later: Callable[[float, Callable[[], None]], object]) -> None:
        """`later(seconds, call)` runs something in a later step of the reactor."""
        self._later = later
        self._waiting: dict[Callable[[list[Any]], None], list[Any]] = {}

    def put_off(self, take_in: Callable[[list[Any]], None], heard: Any) -> None:
        """Hand what was heard to `take_in` one step later, together with all that joins it."""
        if not self._waiting:
            self._later(0, self.settle)
        self._waiting.setdefault(take_in, []).append(heard)

    def settle(self) -> None:
        """Take everything in now. Never raises."""
        waiting, self._waiting = self._waiting, {}
        for take_in, heard in waiting.items():
            try:
                take_in(heard)
            except Exception as error:
                report("perceive", error)
        if not self._waiting:
            RECEIPTS.clear()
