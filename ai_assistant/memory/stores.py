"""Where conversation memory (notebook, conversations, stream) is kept; see `docs/memory.md`.

Usually it is in Attributes, saved with the rest of a turn. A store of this kind keeps it elsewhere.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Protocol

from ai_assistant.core.contracts import Json
from ai_assistant.core.errors import StoreError

CONVERSATION_PARTS = ("notebook", "working", "stream")
TALK_PARTS = ("working", "stream")
"""What is gone with a restart for a role whose chat history does not persist."""
StateAddress = tuple[str, str, str]
"""(assistant id, part, key)."""


class Conflict(StoreError):
    """Another writer saved a version meanwhile: load that one and apply the steps to it."""


class MemoryStore(Protocol):
    """Keeps plain states. Every call is short: what may take long belongs behind `Debounced`."""

    def load(self, address: StateAddress) -> tuple[Json | None, int]:
        """Return a copy of a state and its version; (None, 0) where there is none."""

    def save(self, address: StateAddress, value: Json, version: int) -> None:
        """Save a state that was loaded at `version`. Raises `Conflict` where it is not the last."""

    def keys(self, assistant: str, part: str) -> list[str]:
        """Return the keys that are kept of a part."""

    def delete(self, assistant: str) -> None:
        """Forget all of one assistant."""


class InMemoryStore:
    """Keeps everything for as long as the process lives."""

    def __init__(self) -> None:
        self._states: dict[StateAddress, tuple[Json, int]] = {}

    def load(self, address: StateAddress) -> tuple[Json | None, int]:
        """Return a copy of a state and its version."""
        value, version = self._states.get(address, (None, 0))
        return copy.deepcopy(value), version

    def save(self, address: StateAddress, value: Json, version: int) -> None:
        """Save a state, unless it was saved by another since."""
        if self._states.get(address, (None, 0))[1] != version:
            raise Conflict("That was saved by somebody else meanwhile.")
        self._states[address] = (copy.deepcopy(value), version + 1)

    def keys(self, assistant: str, part: str) -> list[str]:
        """Return the keys of a part, in order of arrival."""
        return [key for who, name, key in self._states if (who, name) == (assistant, part)]

    def delete(self, assistant: str) -> None:
        """Forget all of one assistant."""
        self._states = {at: kept for at, kept in self._states.items() if at[0] != assistant}


class NullStore(InMemoryStore):
    """Keeps nothing: every turn begins anew."""

    def save(self, address: StateAddress, value: Json, version: int) -> None:
        """Drop it."""


class Debounced:
    """Saves to a slow store at most every so many seconds; what is newest is read from here.

    `later(seconds, call)` runs something later, as the reactor's `callLater` does. A crash loses
    what was not saved yet; `flush` saves it all, and is called when the server stops.

    It takes itself for the only writer. Where another one saved meanwhile, what is here wins, and
    `report` is told of the `Conflict`.
    """

    def __init__(
        self,
        store: MemoryStore,
        seconds: float,
        later: Callable[[float, Callable[[], None]], object],
        report: Callable[[str, BaseException], None],
    ) -> None:
        self._store, self._seconds, self._later, self._report = store, seconds, later, report
        self._fresh = InMemoryStore()
        self._bases: dict[StateAddress, int] = {}
        self._dirty: dict[StateAddress, None] = {}
        self._due = False

    def load(self, address: StateAddress) -> tuple[Json | None, int]:
        """Return what was saved last, here or there."""
        value, version = self._fresh.load(address)
        if version:
            return value, version
        value, self._bases[address] = self._store.load(address)
        if value is not None:
            self._fresh.save(address, value, 0)
        return self._fresh.load(address)

    def save(self, address: StateAddress, value: Json, version: int) -> None:
        """Keep it here, and save it there in a while."""
        self._fresh.save(address, value, version)
        self._dirty[address] = None
        if not self._due:
            self._due = True
            self._later(self._seconds, self.flush)

    def keys(self, assistant: str, part: str) -> list[str]:
        """Return the keys known here or there."""
        known = (*self._store.keys(assistant, part), *self._fresh.keys(assistant, part))
        return list(dict.fromkeys(known))

    def delete(self, assistant: str) -> None:
        """Forget here and there, what waits to be saved too."""
        self._dirty = {at: None for at in self._dirty if at[0] != assistant}
        self._fresh.delete(assistant)
        self._store.delete(assistant)

    def flush(self) -> None:
        """Save what waits; what the slow store refuses is tried again later."""
        self._due = False
        waiting, self._dirty = self._dirty, {}
        for address in waiting:
            value, _ = self._fresh.load(address)
            try:
                if value is not None:
                    self._store.save(address, value, self._bases.get(address, 0))
                    self._bases[address] = self._store.load(address)[1]
            except Exception as error:
                self._report("memory store", error)
                self._dirty[address] = None
                if isinstance(error, Conflict):  # one writer in a game: the later state is ours
                    self._bases[address] = self._store.load(address)[1]
        if self._dirty:
            self._due = True
            self._later(self._seconds, self.flush)


class Composite:
    """Saves to a first store and copies to a second; only the first one is believed.

    The second may fail: that is reported, and its copy follows with the next save.
    """

    def __init__(
        self,
        first: MemoryStore,
        second: MemoryStore,
        report: Callable[[str, BaseException], None],
    ) -> None:
        self._first, self._second, self._report = first, second, report

    def load(self, address: StateAddress) -> tuple[Json | None, int]:
        """Return what the first holds."""
        return self._first.load(address)

    def save(self, address: StateAddress, value: Json, version: int) -> None:
        """Save to the first, then copy."""
        self._first.save(address, value, version)
        try:
            self._second.save(address, value, self._second.load(address)[1])
        except Exception as error:
            self._report("memory store", error)

    def keys(self, assistant: str, part: str) -> list[str]:
        """Return the keys of the first."""
        return self._first.keys(assistant, part)

    def delete(self, assistant: str) -> None:
        """Forget in both."""
        self._first.delete(assistant)
        self._second.delete(assistant)
