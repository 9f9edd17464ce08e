"""When entries of lorebooks came to mind, counted in messages, and what is in mind by that.

Messages are counted for each label of readers. So what came up in a whisper is in mind, or rests,
only where the whisper itself may be used.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from ai_assistant.core.contracts import Json
from ai_assistant.memory.parts import Part
from ai_assistant.roleplay.lorebook.entries import Lorebook

MAX_LABELS = 50
MAX_MARKS = 200


def mark_entries(lore: Json, *, readers: str, messages: int, entries: Sequence[str]) -> None:
    """Note that so many messages passed under a label, at whose begin these entries came to mind.

    The oldest marks, and the talks longest silent, are forgotten first.
    """
    before = next((talk["messages"] for talk in lore["talks"] if talk["readers"] == readers), 0)
    talks = [talk for talk in lore["talks"] if talk["readers"] != readers]
    talks = [*talks, {"readers": readers, "messages": before + messages}][-MAX_LABELS:]
    marks = [
        known
        for known in lore["marks"]
        if known["readers"] != readers or known["entry"] not in entries
    ]
    marks += [{"entry": entry, "readers": readers, "at": before} for entry in entries]
    labels = {talk["readers"] for talk in talks}
    lore["talks"] = talks
    lore["marks"] = [known for known in marks if known["readers"] in labels][-MAX_MARKS:]


LORE = Part(
    name="lore",
    attribute="lore",
    where="script",
    shape={"talks": [], "marks": []},
    steps={"mark": mark_entries},
)


@dataclass(slots=True)
class InMind:
    """The keys of entries that stay in mind, and that may not come yet."""

    count: int = 0
    """Messages so far."""
    sticky: set[str] = field(default_factory=set)
    """Keys of entries that stay in mind."""
    resting: set[str] = field(default_factory=set)
    """Keys of entries that may not come yet."""


def in_mind(lore: Json, books: Iterable[Lorebook], may: Callable[[str], bool]) -> InMind:
    """Return what is in mind and what rests by the marks whose labels `may` be used."""
    entries = {entry.key: entry for book in books for entry in book.entries}
    passed = {talk["readers"]: talk["messages"] for talk in lore["talks"] if may(talk["readers"])}
    found = InMind(sum(passed.values()))
    for known in lore["marks"]:
        entry = entries.get(known["entry"])
        if entry is None or known["readers"] not in passed:
            continue
        elapsed = passed[known["readers"]] - known["at"]
        if elapsed < entry.sticky:
            found.sticky.add(entry.key)
        elif elapsed < entry.sticky + entry.cooldown:
            found.resting.add(entry.key)
    return found
