"""Writes that the database refused wait here, and are tried again in their order."""

from __future__ import annotations

from collections import deque
from collections.abc import Awaitable, Callable
from typing import Protocol

from ai_assistant.core.errors import AssistantError, NotInCharge, NotMigrated, StoreUnavailable

Write = Callable[[], object]


class Watch(Protocol):
    """Deals with writes that the database refuses."""

    def finish(self, write: Write) -> None:
        """Run a write now, or when the database takes it, behind those that wait already."""

    def back(self) -> Awaitable[None]:
        """Return what is done when it is worth trying a write again that was just refused."""


class Unwatched:
    """The `Watch` of a mind in no server: nothing is tried twice."""

    def finish(self, write: Write) -> None:
        """Run it; whatever it raises is raised."""
        write()

    async def back(self) -> None:
        """Raise `StoreUnavailable`."""
        raise StoreUnavailable


MOST_WRITES = 1000
"""What waits beyond this is lost, and counted: the game's memory has an end."""


class WaitingWrites:
    """The queue of all assistants of a server. It starts nothing: whoever owns it calls `retry`."""

    def __init__(
        self,
        report: Callable[[str, BaseException], None],
        most: int = MOST_WRITES,
        *,
        stalled: Callable[[], None] = lambda: None,
    ) -> None:
        """`report(where, error)` is told of what is put off, and of what no later try will help;
        `stalled()` is called whenever one more has to wait.
        """
        self._report = report
        self._most = most
        self._stalled = stalled
        self.waiting: deque[Write] = deque()
        """What is not written yet, oldest first."""
        self.lost = 0
        """How many found no room since everything was last written."""

    @property
    def is_full(self) -> bool:
        """Is there no room for one more?"""
        return len(self.waiting) >= self._most

    def finish(self, write: Write) -> None:
        """Run a write now, behind those that wait; what is refused waits too.

        An error that is not the database's state may be gone at the next try, but then no later
        one: it is not tried a third time.
        """
        if not self.waiting:
            try:
                write()
                return
            except (NotInCharge, NotMigrated) as error:
                self._report("given up", error)
                return
            except AssistantError as error:
                self._report("put off", error)
        if self.is_full:
            self.lost += 1
        else:
            self.waiting.append(write)
        self._stalled()

    def retry(self) -> bool:
        """Run what waits, until something is refused again; is everything written?"""
        while self.waiting:
            try:
                self.waiting[0]()
            except StoreUnavailable:
                return False
            except Exception as error:  # a bug must not stand in the way of what follows it
                self._report("given up", error)
            self.waiting.popleft()
        self.lost = 0
        return True
