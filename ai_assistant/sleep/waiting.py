"""Waiting: which labels have lines that the night did not read yet, and whose turn it is.

Rows are counted by label once, in small pieces. What a night may cost follows from these counts:
one call for so many lines of a label, and what that leaves over goes into mending.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

from ai_assistant.agent.mind import Mind
from ai_assistant.core.contracts import Json
from ai_assistant.core.readers import OPEN, members
from ai_assistant.memory.inner.sleep_state import waiting_entry
from ai_assistant.sleep.gathering import calls_for, is_line, is_talk
from ai_assistant.sleep.reading_pass import LINES_A_CALL
from ai_assistant.sleep.work import Work

SLICE = 200
"""Rows of one piece of work."""
ENOUGH = 5
"""Lines under one label that are worth a call of their own."""
PATIENCE = 2
"""Nights that a label with fewer lines is passed over; in the next it is read all the same."""
LINES_A_MEND = 40
"""A night's reading makes at most one call for so many lines, and one for each label."""


def count_lines(mind: Mind, sleep: Json) -> Work | None:
    """Count the next rows by their label; None when all are."""
    rows = mind.store.rows.after(sleep["gathered"], SLICE)
    waiting: dict[str, Json] = {**sleep["waiting"]}
    names = (mind.world.me().name, mind.key)
    for row in filter(is_line, rows):
        entry = waiting.get(row.readers) or waiting_entry(row.id - 1)
        if not entry["lines"]:
            entry = {**entry, "after": row.id - 1}
        more = {"lines": entry["lines"] + 1, "mine": entry["mine"] + is_talk(names, row)}
        waiting[row.readers] = {**entry, **more}
    if not rows:
        return None
    return Work("count", marks={"gathered": rows[-1].id, "waiting": waiting})


def next_label(mind: Mind, sleep: Json, notes: Mapping[str, int]) -> str | None:
    """Return the label to read next, wide ones first; None where the rest waits.

    `notes` are the labels of notes that nobody read, and how many they are. Where the day's calls
    do not suffice for all, those labels go first that spoke to the character.
    """
    waiting: Mapping[str, Json] = sleep["waiting"]
    sizes = {label: lines_to_read(entry, notes.get(label, 0)) for label, entry in waiting.items()}
    due = [label for label, size in sizes.items() if _is_due(sleep, waiting[label], size)]
    is_scarce = calls_left(mind) < sum(calls_for(sizes[label]) for label in due)

    def place(label: str) -> tuple[float, float, str]:
        mine = -waiting[label]["mine"]
        narrow = -math.inf if label == OPEN else -len(members(label))
        return (mine, narrow, label) if is_scarce else (narrow, mine, label)

    return min(due, key=place, default=None)


def with_notes(sleep: Json, notes: Mapping[str, int]) -> dict[str, Json]:
    """Return what waits by label: with those of notes alone, without those of nothing any more."""
    fresh = {label: waiting_entry(sleep["gathered"]) for label in notes}
    waiting: Mapping[str, Json] = sleep["waiting"]
    full = {label: entry for label, entry in waiting.items() if entry["lines"] or entry["again"]}
    return {**fresh, **full, **{label: waiting[label] for label in notes if label in waiting}}


def calls_left(mind: Mind) -> int:
    """Return how many calls the day allows still."""
    return mind.budget.caps(mind.key)[0] - mind.budget.spent(mind.key)[0]


def lines_to_read(entry: Json, notes: int) -> int:
    """Return how many lines a label has to read, `notes` of them being notes."""
    return int(entry["lines"]) + notes + len(entry["again"])


def spare_after(sleep: Json, entry: Json, size: int, lines: int) -> float:
    """Return the calls to spare once one has read so many lines, of a label that has `size`."""
    is_new = entry["night"] != sleep["night"]
    alone = is_new and (size >= ENOUGH or entry["nights"] >= PATIENCE)
    return float(sleep["spare"] + lines / LINES_A_MEND + alone - 1)


def calls_allowed(mind: Mind, sleep: Json, entry: Json, size: int) -> int:
    """Return how often the rest of a label, which has `size` to read, may be asked of tonight."""
    return min(calls_left(mind), math.floor(1 + spare_after(sleep, entry, size, size)))


def kept_for(lines: int) -> float:
    """Return the calls to spare without which so many lines of a label could not be read."""
    return max(0.0, math.ceil(lines / LINES_A_CALL) - lines / LINES_A_MEND)


def _is_due(sleep: Json, entry: Json, size: int) -> bool:
    if not size or entry["tried"] == sleep["night"]:
        return False
    return spare_after(sleep, entry, size, min(size, LINES_A_CALL)) >= 0
