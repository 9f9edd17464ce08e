"""Writes that the database refused wait here, and are tried again in order."""

from __future__ import annotations

from collections import deque
from collections.abc import Awaitable, Callable
from typing import Protocol

from ai_assistant.core.errors import AssistantError, NotInCharge, NotMigrated, StoreUnavailable

Write = Callable[[], object]


class Watch(Protocol):
    """Handles writes that the database refuses."""

    def finish(self, write: Write) -> None:
        """Run a write now, or once the database takes it, after those that wait already."""

    def back(self) -> Awaitable[None]:
        """Return what is done once a refused write is worth another try."""


class Unwatched:
    """The `Watch` of a mind outside of a server: nothing is tried twice."""

    def finish(self, write: Write) -> None:
        """Run a write; its errors are raised."""
        write()

    async def back(self) -> None:
        """Raise `StoreUnavailable`."""
        raise StoreUnavailable


MOST_WRITES = 1000
"""What waits beyond this is lost, and counted: the game's memory has an end."""


class WaitingWrites:
    """The queue of all assistants of a server. It starts nothing: whoever owns it calls `retry`."""

    def __init__(
        self, report: Callable[[str, BaseException], None], most: int = MOST_WRITES
    ) -> None:
        """`report(where, error)` is told of writes that were put off or given up."""
        self._report = report
        self._most = most
        self.waiting: deque[Write] = deque()
        """What is not written yet, oldest first."""
        self.lost = 0
        """How many found no room since everything was last written."""

    @property
    def is_full(self) -> bool:
        """Is there no room for one more write?"""
        return len(self.waiting) >= self._most

    def finish(self, write: Write) -> None:
        """Run a write now, unless others wait; with them it waits too, and so does a refused one.

        A refused write is tried once more by `retry`, and longer only while the database is away.
        Beyond the `most` that may wait, writes are lost and counted.
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

    def retry(self, goes_on: Callable[[], bool] = lambda: True) -> bool:
        """Run the writes that wait, one at least, while it `goes_on`; False: one was refused again.

        What is left after that still waits, and before whatever comes meanwhile.
        """
        while self.waiting:
            try:
                self.waiting[0]()
            except StoreUnavailable:
                return False
            except Exception as error:  # a bug must not stand in the way of what follows it
                self._report("given up", error)
            self.waiting.popleft()
            if self.waiting and not goes_on():
                return True
        self.lost = 0
        return True
