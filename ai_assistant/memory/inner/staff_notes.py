"""Staff notes: what staff ask of a character for a while, like a director; no memory of its own.

A note is in the prompt of its next turns until it expires. Nobody in the game said it, so it is
neither remembered nor passed on.
"""

from __future__ import annotations

from ai_assistant.core.contracts import Json
from ai_assistant.core.times import iso
from ai_assistant.memory.parts import Part

MAX_CONTENT = 300
"""Characters of one note."""
MAX_NOTES = 5
"""So many stand at a time; of more the oldest go."""


def standing_notes(staff_notes: Json, at: float) -> list[Json]:
    """Return the notes that have not expired, oldest first."""
    return [
        note
        for note in staff_notes["notes"]
        if note["turns"] != 0 and (note["until"] is None or at < note["until"])
    ]


def keep_note(
    staff_notes: Json, *, content: str, by: str, at: float, turns: int | None, until: float | None
) -> None:
    """Add a note for so many turns, or until a time; expired notes are removed."""
    staff_notes["last_id"] += 1
    given = {"id": staff_notes["last_id"], "content": content, "by": by, "given": iso(at)}
    kept = [*standing_notes(staff_notes, at), {**given, "turns": turns, "until": until}]
    staff_notes["notes"] = kept[-MAX_NOTES:]


def withdraw(staff_notes: Json, *, id: int) -> None:
    """Remove a note."""
    staff_notes["notes"] = [note for note in staff_notes["notes"] if note["id"] != id]


def spend_turn(staff_notes: Json, *, ids: list[int], at: float) -> None:
    """Count a turn for the notes that were in its prompt; expired notes are removed."""
    for note in staff_notes["notes"]:
        if note["id"] in ids and note["turns"]:
            note["turns"] -= 1
    staff_notes["notes"] = standing_notes(staff_notes, at)


STAFF_NOTES = Part(
    name="staff_notes",
    attribute="staff_notes",
    where="script",
    shape={"notes": [], "last_id": 0},
    steps={"keep_note": keep_note, "withdraw": withdraw, "spend_turn": spend_turn},
)
