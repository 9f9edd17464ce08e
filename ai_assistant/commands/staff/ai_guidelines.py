"""What `ai` does about guidelines: staff read what a character proposes, and decide."""

from __future__ import annotations

import time
from typing import Any

from ai_assistant.api.handlers import save, store_of
from ai_assistant.commands.command_base import AICommand
from ai_assistant.commands.shown import private
from ai_assistant.core.contracts import AuditRecord, Change, Commit, Json
from ai_assistant.core.errors import AssistantError
from ai_assistant.core.readers import OPEN
from ai_assistant.core.text import clean
from ai_assistant.game.identity import name_of
from ai_assistant.memory.inner.guidelines import MAX_ACCEPTED, MAX_CONTENT

_USAGE = "ai/guidelines <name> = accept <number>, reject <number>, or add <text>"


class GuidelineVerbs(AICommand):
    """The switch guidelines of the command `ai`."""

    def do_guidelines(self) -> None:
        """List what was proposed and accepted, or decide on it."""
        character = self.wanted(self.lhs)
        verb, _, rest = (self.rhs or "").strip().partition(" ")
        kept = store_of(character).read("guidelines")
        if not verb:
            self.show(_listed(name_of(character), kept))
        elif verb == "add":
            self._add(character, kept, rest)
        elif verb in ("accept", "reject"):
            self._decide(character, kept, verb, rest)
        else:
            raise AssistantError(f"Usage: {_USAGE}")

    def _add(self, character: Any, kept: Json, text: str) -> None:
        words = clean(text, MAX_CONTENT + 1)
        if not words or len(words) > MAX_CONTENT:
            raise AssistantError(f"Give a sentence of at most {MAX_CONTENT} characters.")
        _check_room(kept)
        self._write(character, "add", {"content": words, "readers": OPEN})
        self.msg(f"{name_of(character)} means to: {words}")

    def _decide(self, character: Any, kept: Json, verb: str, number: str) -> None:
        found = _find(kept, verb, number.strip().lstrip("#"))
        if verb == "accept":
            _check_room(kept)
        self._write(character, verb, {"id": found["id"]})
        outcome = "is a guideline now" if verb == "accept" else "is none"
        self.msg(f"'{found['content']}' {outcome}.{private(found['readers'])}")

    def _write(self, character: Any, op: str, args: Json) -> None:
        at, by = time.time(), self.caller.key
        change = Change("guidelines", "", op, args | {"at": at, "by": by})
        note = AuditRecord("GuidelineDecided", {"step": op, "by": by, **args}, at=at)
        save(character, Commit(at=at, changes=[change], audit=[note]))


def _check_room(kept: Json) -> None:
    if len(kept["accepted"]) >= MAX_ACCEPTED:
        raise AssistantError(f"There are {MAX_ACCEPTED} guidelines; reject one of them first.")


def _find(kept: Json, verb: str, number: str) -> Json:
    lists = ("proposed",) if verb == "accept" else ("proposed", "accepted")
    found = [one for name in lists for one in kept[name] if str(one["id"]) == number]
    if not found:
        raise AssistantError(f"There is no such guideline to {verb}. Usage: {_USAGE}")
    return dict(found[0])


def _listed(name: str, kept: Json) -> str:
    proposed = [
        f"  |c{one['id']}|n {one['content']}{private(one['readers'])}\n"
        f"      |xbecause: {one['reason']}|n"
        for one in kept["proposed"]
    ]
    accepted = [
        f"  |c{one['id']}|n {one['content']} |x({one['by']})|n{private(one['readers'])}"
        for one in kept["accepted"]
    ]
    lines = [f"|wGuidelines of {name}|n", *(accepted or ["  none yet"])]
    return "\n".join(lines + (["|wProposed|n", *proposed] if proposed else []))
