"""The command `ainote`: a director's note to one character, for a while."""

from __future__ import annotations

import re
from typing import Any

from ai_assistant.api.desk.noting import (
    expiry_in_words,
    give_note,
    notes_of,
    take_note_back,
    term_of,
)
from ai_assistant.commands.command_base import AICommand, switch
from ai_assistant.commands.tables import as_it_stands
from ai_assistant.core.contracts import Json
from ai_assistant.core.text import typed_number
from ai_assistant.game.identity import name_of

_TERM = re.compile(r"\s+for\s+(\d+\s+\w+)\s*\Z", re.I)


class CmdAINote(AICommand):
    """
    give a character a director's note

    Usage:
      ainote <assistant>                     the notes that stand with it
      ainote <assistant> = <note>            for its next five turns
      ainote <assistant> = <note> for <n> turns, minutes, hours or days
      ainote/remove <assistant> = <number>   take one back

    A note says what you want of a character just now: how it should play the
    scene, what it should bring up, what it should leave alone. It stands in the
    prompt of its next turns until it expires. Nobody in the game said it: the
    character does not remember it, and does not speak of it as heard from
    anybody. What it should always keep to is a guideline (ai/guidelines).
    Builders look, and give notes to whom they may edit.

    Examples:
      ainote marrek = You are in a hurry tonight.
      ainote marrek = Bring the talk to the missing eels. for 3 turns
      ainote/remove marrek = 2

    """

    key = "ainote"

    @switch("", named=True, writes="text")
    def _notes(self, character: Any) -> None:
        if not self.rhs:
            lines = map(_line, notes_of(character))
            self.show("\n".join(lines) or f"No director's note stands with {name_of(character)}.")
            return
        self._give(character, self.rhs)

    def _give(self, character: Any, typed: str) -> None:
        found = _TERM.search(typed)
        words = typed[: found.start()] if found else typed
        term = term_of(found[1] if found else "")
        note = give_note(character, words, term, by=self.caller.key)
        self.msg(f"{name_of(character)} is told:\n{_line(note)}")

    @switch("remove", named=True, writes="always")
    def _remove(self, character: Any) -> None:
        note = take_note_back(character, typed_number(self.rhs or ""), by=self.caller.key)
        self.msg(f"{name_of(character)} is not told any more: {as_it_stands(note['content'])}")


def _line(note: Json) -> str:
    told = f"{expiry_in_words(note)}, by {as_it_stands(note['by'])}"
    return f"  |c{note['id']}|n {as_it_stands(note['content'])} |x({told})|n"
