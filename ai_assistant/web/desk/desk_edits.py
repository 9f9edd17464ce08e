"""What an edit on a page is, and the edits of the owner's desk: marks of turns, notes, persona."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from twisted.internet.defer import Deferred

from ai_assistant.api.desk.noting import (
    checked_note,
    expiry_in_words,
    find_note,
    give_note,
    take_note_back,
    term_of,
)
from ai_assistant.api.desk.regression import mark_turn, unmark_turn, verdict_on_turn
from ai_assistant.api.turns.traces import trace_of
from ai_assistant.core.errors import AssistantError
from ai_assistant.game.identity import name_of

Fields = Mapping[str, str]
Planned = list[tuple[str, str, str]]
"""What an edit would change: the name of each thing, and what it is before and after."""


@dataclass(frozen=True, slots=True)
class Edit:
    """One way to change an assistant. Both functions raise `AssistantError` for what cannot be."""

    title: str
    """Above the question whether to do it."""
    plan: Callable[[Any, Fields], Planned]
    """Says what it would change, and changes nothing."""
    do: Callable[[Any, Fields, Any], str | Deferred[str]]
    """Does it, for an account; returns what to tell."""
    form: Any = None
    """Its `EditForm`, for an address of its own; None where a page holds the form."""


MARKS = ("good", "bad", "none")


def _plan_mark(character: Any, fields: Fields) -> Planned:
    turn, mark = fields.get("turn", ""), fields.get("mark", "")
    if mark not in MARKS:
        raise AssistantError("Was it good or bad?")
    before = verdict_on_turn(character, turn)
    said = before["answer"] if before else trace_of(character, turn).record["speech"]
    now = ("good" if before["good"] else "bad") if before else ""
    wanted = fields.get("wanted", "") if mark != "none" else ""
    planned = [(f"mark of: {said}", now, mark)]
    return [*planned, ("wanted", before["wanted"] if before else "", wanted)]


def _mark(character: Any, fields: Fields, account: Any) -> str:
    _plan_mark(character, fields)
    turn, mark = fields["turn"], fields["mark"]
    if mark == "none":
        unmark_turn(character, turn, by=account.key)
        return f"{name_of(character)}: that turn has no mark any more."
    wanted = fields.get("wanted", "")
    mark_turn(character, turn, good=mark == "good", wanted=wanted, by=account.key)
    return f"{name_of(character)}: that turn is marked as {mark}."


def _plan_note(character: Any, fields: Fields) -> Planned:
    words = checked_note(fields.get("text", ""), term_of(fields.get("term", "")))
    return [("director's note", "", f"{words} ({fields.get('term') or 'the usual time'})")]


def _give_note(character: Any, fields: Fields, account: Any) -> str:
    term = term_of(fields.get("term", ""))
    note = give_note(character, fields.get("text", ""), term, by=account.key)
    return f"{name_of(character)} is told {expiry_in_words(note)}: {note['content']}"


def _plan_taking_back(character: Any, fields: Fields) -> Planned:
    return [("director's note", find_note(character, _number(fields))["content"], "")]


def _take_note_back(character: Any, fields: Fields, account: Any) -> str:
    note = take_note_back(character, _number(fields), by=account.key)
    return f"{name_of(character)} is not told any more: {note['content']}"


def _number(fields: Fields) -> int:
    typed = fields.get("note", "")[:9]
    return int(typed) if typed.isdecimal() else 0


DESK_EDITS = {
    "mark": Edit("Mark a turn", _plan_mark, _mark),
    "give_note": Edit("Give a director's note", _plan_note, _give_note),
    "take_note_back": Edit("Take a director's note back", _plan_taking_back, _take_note_back),
}
"""By the last part of the address, as `edits.EDITS`, of which they are a part."""
