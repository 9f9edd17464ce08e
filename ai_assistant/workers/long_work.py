"""Long work beside the turns: by kind what is under way, and what was done and failed today."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from datetime import date

from django.utils import timezone
from twisted.internet.defer import CancelledError

from ai_assistant.core.errors import AssistantError, TurnSuperseded
from ai_assistant.core.text import clean
from ai_assistant.storage.whole_minds import Progress

IMPORTS, EXPORTS = "imports of whole assistants", "exports of whole assistants"
CHAPTERS, NIGHTS = "chapters of scenes", "nights"
_PARTS = {IMPORTS: "memories", EXPORTS: "memories", CHAPTERS: "", NIGHTS: "stages"}
"""The kinds, and in what it is counted how far one is."""
_LONGEST_CAUSE = 200


class LongWork:
    """Counts long work in the memory of this process. For the reactor's thread."""

    def __init__(self, today: Callable[[], date] = timezone.localdate) -> None:
        """`today()` is the day of which is told what was done and failed."""
        self._today = today
        self._day = today()
        self._running: dict[object, tuple[str, int, int]] = {}
        self._done, self._failed = Counter[str](), Counter[str]()
        self._causes: dict[str, str] = {}

    @contextmanager
    def running(self, kind: str) -> Iterator[Progress]:
        """Count a block as one of a kind; yields what is to be called with how far it is."""
        mark = object()

        def how_far(done: int, of: int) -> None:
            self._running[mark] = kind, done, of

        how_far(0, 0)
        try:
            yield how_far
            self.done(kind)
        except Exception as error:
            self.failed(kind, error)
            raise
        finally:
            del self._running[mark]

    def done(self, kind: str) -> None:
        """Count one as done."""
        self._turn_day()
        self._done[kind] += 1

    def failed(self, kind: str, error: Exception) -> None:
        """Count one as failed, unless it was broken off. Of a bug only its name is kept."""
        if isinstance(error, CancelledError | TurnSuperseded):
            return
        self._turn_day()
        self._failed[kind] += 1
        told = str(error) if isinstance(error, AssistantError) else ""
        self._causes[kind] = clean(told or type(error).__name__, _LONGEST_CAUSE)

    def figures(self, nights: Iterable[tuple[int, int]]) -> Iterator[tuple[str, str]]:
        """Yield each kind of which there is any, and how it is; `nights` are those under way."""
        self._turn_day()
        running = [*self._running.values(), *((NIGHTS, *night) for night in nights)]
        for kind, parts in _PARTS.items():
            far = [(done, of) for work, done, of in running if work == kind]
            if not (far or self._done[kind] or self._failed[kind]):
                continue
            done, of = (sum(column) for column in zip((0, 0), *far, strict=True))
            told = f"{len(far)} under way" + (f" ({done:,} of {of:,} {parts})" if of else "")
            told += f", {self._done[kind]} done and {self._failed[kind]} failed today"
            yield kind, told + (f"; the last: {self._causes[kind]}" if self._failed[kind] else "")

    def counts(self, nights: int) -> Iterator[tuple[str, dict[str, int]]]:
        """Yield each kind, and how many of it are in which state; `nights` are under way."""
        self._turn_day()
        running = Counter(kind for kind, _, _ in self._running.values())
        running[NIGHTS] += nights
        for kind in _PARTS:
            by_state = (("under way", running), ("done", self._done), ("failed", self._failed))
            yield kind, {state: counted[kind] for state, counted in by_state}

    def _turn_day(self) -> None:
        if (day := self._today()) != self._day:
            self._day = day
            for counted in (self._done, self._failed, self._causes):
                counted.clear()


LONG_WORK = LongWork()
