"""Staff notes: a director's note to one character, for a number of turns or a time."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

from ai_assistant.api.handlers import store_of
from ai_assistant.api.handlers.handler_base import between, change
from ai_assistant.core.contracts import Change, Json
from ai_assistant.core.errors import AssistantError
from ai_assistant.core.text import clean, counted
from ai_assistant.core.times import DAY, HOUR, MINUTE, iso
from ai_assistant.game.identity import name_of
from ai_assistant.memory.inner.staff_notes import MAX_CONTENT, standing_notes

USUAL_TURNS, MOST_TURNS = 5, 100
LONGEST = 7 * DAY
UNITS = {"minute": MINUTE, "hour": HOUR, "day": DAY}


@dataclass(frozen=True, slots=True)
class NoteTerm:
    """How long a note stands: for a number of turns, or for some seconds."""

    turns: int | None = USUAL_TURNS
    """Turns of the character that it stands for; None where time decides."""
    seconds: float | None = None
    """Seconds of real time from when it is given; None where turns decide."""


def term_of(typed: str) -> NoteTerm:
    """Return the term that somebody typed, such as ``5 turns`` or ``2 hours``; empty: the usual.

    Raises `AssistantError` for any other form.
    """
    number, _, unit = typed.strip().lower().partition(" ")
    unit = unit.strip().removesuffix("s")
    if not number:
        return NoteTerm()
    if not number.isdecimal() or unit not in ("turn", *UNITS):
        raise AssistantError("For how long? As in: 5 turns, 30 minutes, 2 hours, 3 days.")
    count = int(number[:6])
    return NoteTerm(count) if unit == "turn" else NoteTerm(None, count * UNITS[unit])


def notes_of(character: Any) -> list[Json]:
    """Return the notes that stand with a character, oldest first."""
    return standing_notes(store_of(character).read("staff_notes"), time.time())


def find_note(character: Any, id: int) -> Json:
    """Return a note that stands by its number. Raises `AssistantError` where there is none."""
    note = next((note for note in notes_of(character) if note["id"] == id), None)
    if note is None:
        raise AssistantError(f"No director's note of that number stands with {name_of(character)}.")
    return note


def checked_note(text: str, term: NoteTerm) -> str:
    """Return a text as it may be given for that long.

    Raises `AssistantError` where it is empty or too long, or the term is out of bounds.
    """
    words = clean(text)
    if not words:
        raise AssistantError("What should it do? A note needs words.")
    if len(words) > MAX_CONTENT:
        raise AssistantError(f"A note has at most {MAX_CONTENT} characters, not {len(words)}.")
    if term.turns is not None:
        between(term.turns, 1, MOST_TURNS, "turns")
    if term.seconds is not None:
        between(term.seconds / DAY, 1 / DAY, LONGEST / DAY, "days")
    return words


def give_note(character: Any, text: str, term: NoteTerm, *, by: str) -> Json:
    """Give a character a note, which stands in the prompt of its next turns; returns it.

    Raises `AssistantError` as `checked_note` does, and `StoreError`.
    """
    words, at = checked_note(text, term), time.time()
    until = None if term.seconds is None else at + term.seconds
    given: Json = {"content": words, "by": by, "turns": term.turns, "until": until}
    step = Change("staff_notes", "", "keep_note", {**given, "at": at})
    change(character, [step], ("StaffNoteGiven", given))
    return notes_of(character)[-1]


def take_note_back(character: Any, id: int, *, by: str) -> Json:
    """Take a note from a character; returns it.

    Raises `AssistantError` where no note of that number stands, and `StoreError`.
    """
    note = find_note(character, id)
    step = Change("staff_notes", "", "withdraw", {"id": id})
    change(character, [step], ("StaffNoteTakenBack", {"note": id, "by": by}))
    return note


def expiry_in_words(note: Json) -> str:
    """Return for how long, or until when, a note still stands."""
    if note["turns"] is not None:
        return f"for {counted(note['turns'], 'more turn')}"
    return f"until {iso(note['until'])[:16].replace('T', ' ')} UTC"
