"""Forgetting in archives: files that were written lose what the game forgets, off the reactor."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Set
from functools import partial
from pathlib import Path

from ai_assistant.api.forgetting import forget_past
from ai_assistant.api.slices import Slice
from ai_assistant.core.contracts import Json
from ai_assistant.core.errors import StoreError, StoreUnavailable
from ai_assistant.memory.wipe import Wipe
from ai_assistant.roleplay.message_formats import WORLD
from ai_assistant.storage.history.archive_files import archive_pages, noted_archives, write_anew

KIND = "archived lines"
"""What they are called in the report of a forgetting."""


class ArchiveWipe:
    """One forgetting's way through all archives that were written.

    A file that is gone, was changed by hand or cannot be written is left as it is, and is `missed`.
    """

    def __init__(
        self,
        wipe: Wipe,
        events: set[str],
        counts: Mapping[str, Counter[str]],
        is_meant: Callable[[Json], bool],
    ) -> None:
        """
        Args:
            wipe: What goes.
            events: The ids of utterances of which anything goes.
            counts: How much went, by assistant and kind.
            is_meant: Is this line of one who forgets?
        """
        self._wipe = wipe
        self._events = events
        self._counts = counts
        self._is_meant = is_meant
        self._done: set[Path] = set()
        self.missed: dict[str, str] = {}
        """Why a file was not reached, by its path."""

    def learn(self) -> Iterator[Slice]:
        """Learn what goes that no table holds any more, some lines at each step.

        Memories and states of all files come first: they tell of which utterances records are.
        """
        for tables in ({"memory", "state"}, {"record"}):
            for path in noted_archives():
                yield from self._each(path, self._learned(path, tables))

    def cleanse(self) -> Iterator[Slice]:
        """Write each file anew without what goes, likewise; each once, however often it is asked.

        Asked again after the tables it takes files that were written meanwhile.
        """
        for path in noted_archives():
            if path not in self._done and str(path) not in self.missed:
                self._done.add(path)
                yield from self._each(path, self._cleansed(path))

    def _learned(self, path: Path, tables: Set[str]) -> Iterator[object]:
        for page in archive_pages(path):
            for line in page:
                if line["table"] in tables:
                    self._learn(line, is_meant=self._is_meant(line))
            yield None

    def _learn(self, line: Json, *, is_meant: bool) -> None:
        match line["table"]:
            case "record":
                forget_past.learn_record(self._wipe, line, is_meant=is_meant)
            case "state" if is_meant:
                forget_past.learn_change(self._wipe, line)
            case "memory" if is_meant:
                self._wipe.learn([line])
                self._note_gone(line)

    def _note_gone(self, line: Json) -> bool:
        """Note a memory that goes by its id, on which others rest; does it?"""
        if self._wipe.takes(line):
            self._wipe.gone.add(line["id"])
            self._events.add(line["meta"].get("event", ""))
        return line["id"] in self._wipe.gone

    def _cleansed(self, path: Path) -> Iterator[object]:
        changed = Counter[str]()

        def after(line: Json) -> Json | None:
            new = self._after(line)
            changed[forget_past.kept_under(line)[0]] += new != line
            return new

        yield from write_anew(path, after)
        for owner, count in changed.items():
            self._counts[owner][KIND] += count

    def _after(self, line: Json) -> Json | None:
        is_memory = line["table"] == "memory"
        if is_memory and line["container"] == WORLD:
            event = line["meta"].get("event")
            goes = event and (event in self._events or event in self._wipe.events)
            return None if goes else self._wipe.row(line)
        if not self._is_meant(line):
            return line
        if is_memory:
            return None if self._note_gone(line) else self._wipe.row(line)
        if line["table"] == "record":
            return {**line, "data": self._wipe.record(line)}
        return forget_past.cleansed(self._wipe, line)

    def _each(self, path: Path, steps: Iterator[object]) -> Iterator[Slice]:
        """Yield each step of a file's as one for another thread; the last may say why it failed."""
        going = True

        def step() -> None:
            nonlocal going
            try:
                going = next(steps, self) is not self
            except StoreUnavailable:
                raise  # of the database, not of the file: all is asked again
            except (OSError, StoreError, ValueError, KeyError, TypeError) as error:
                going = False
                self.missed[str(path)] = f"{type(error).__name__}: {error}"

        while going:
            yield partial(step)
