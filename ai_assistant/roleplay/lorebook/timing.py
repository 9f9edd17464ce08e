"""Sticky, cooldown and delay: what follows from when entries came to mind before.

An entry that came to mind stays for `sticky` messages, then rests for `cooldown`. Both count in
the talk, by label of readers, in which it came; `delay` counts all that was said.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from ai_assistant.contracts import Json
from ai_assistant.roleplay.lorebook.entries import Book


@dataclass(slots=True)
class Standing:
    """What is in mind and what rests: the key of an entry → the label from which that follows."""

    count: int = 0
    sticky: dict[str, str] = field(default_factory=dict)
    resting: dict[str, str] = field(default_factory=dict)


def standing(state: Json, books: Iterable[Book], may: Callable[[str], bool]) -> Standing:
    """Return what stands by the marks whose labels `may` be used.

    `state` is the part ``lore``, see `memory.lore`.
    """
    entries = {entry.key: entry for book in books for entry in book.entries}
    passed = {one["readers"]: one["messages"] for one in state["talks"] if may(one["readers"])}
    found = Standing(count=sum(passed.values()))
    for mark in state["marks"]:
        entry, readers = entries.get(mark["entry"]), mark["readers"]
        if entry is None or readers not in passed:
            continue
        elapsed = passed[readers] - mark["at"]
        if elapsed < entry.sticky:
            found.sticky[entry.key] = readers
        elif elapsed < entry.sticky + entry.cooldown:
            found.resting[entry.key] = readers
    return found
