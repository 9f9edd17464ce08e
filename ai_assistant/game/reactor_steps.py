"""Reactor steps: calls that take milliseconds run one a step, so that the game gets in between.

Within one step Twisted runs all that is due, and all that came from threads. Answers, heartbeats
and turns that come together would hold up the game for the sum of them; so would all that somebody
typed in one go.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from functools import partial
from typing import Any

from twisted.internet import reactor
from twisted.internet.defer import Deferred

MOST_LINES = 100
"""Lines of one player that wait for their step, at most."""
Later = Callable[..., object]
"""``later(seconds, call, *args)`` runs a call in a later step of the reactor."""


class StepQueue:
    """A `Later` that runs one call a step, in the order in which they became due."""

    def __init__(self, later: Later) -> None:
        """`later(seconds, call)` is the reactor's own."""
        self._later = later
        self._due = deque[Callable[[], object]]()

    def __call__(self, seconds: float, call: Callable[..., object], *args: Any) -> None:
        """Run a call after so many seconds, behind what is due already."""
        if seconds > 0:
            self._later(seconds, self, 0, call, *args)
            return
        self._due.append(partial(call, *args))
        if len(self._due) == 1:
            self._later(0, self._step)

    def _step(self) -> None:
        try:
            self._due[0]()
        finally:
            self._due.popleft()
            if self._due:
                self._later(0, self._step)

    def fired(self, result: Any) -> Deferred[Any]:
        """Return a Deferred that fires with this result in a step of its own."""
        return fired_later(self, 0, result)


def fired_later(later: Later, seconds: float, result: Any = None) -> Deferred[Any]:
    """Return a Deferred that fires with a result so many seconds later, in a step of its own."""
    waits: Deferred[Any] = Deferred()
    later(seconds, partial(waits.callback, result))
    return waits


class LineQueue:
    """Runs one line of a player a step, and where many wait those of all players in turn."""

    def __init__(self, later: Later) -> None:
        """`later(seconds, call)` is the reactor's own."""
        self._later = later
        self._waiting: dict[object, deque[Callable[[], object]]] = {}
        self._is_taken = False
        self._is_running = False

    def take(self, whose: object, run: Callable[[], object]) -> bool:
        """Run somebody's line now, where none ran in this step, or in a later one, in order.

        What a command types while it runs is done within it, as it expects. False: so many of
        theirs wait that this one is dropped.
        """
        if self._is_running:
            run()
            return True
        if not self._is_taken:
            self._is_taken = True
            self._later(0, self._step)
            self._run(run)
            return True
        mine = self._waiting.setdefault(whose, deque())
        if len(mine) < MOST_LINES:
            mine.append(run)
            return True
        return False

    def _step(self) -> None:
        self._is_taken = bool(self._waiting)
        if self._waiting:
            self._later(0, self._step)
            whose = next(iter(self._waiting))
            mine = self._waiting.pop(whose)
            run = mine.popleft()
            if mine:
                self._waiting[whose] = mine  # behind the others
            self._run(run)

    def _run(self, run: Callable[[], object]) -> None:
        self._is_running = True
        try:
            run()
        finally:
            self._is_running = False


REACTOR_STEPS = StepQueue(reactor.callLater)  # type: ignore[attr-defined]
TYPED_LINES = LineQueue(reactor.callLater)  # type: ignore[attr-defined]
