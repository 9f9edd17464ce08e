"""Wording: picks a line in the character's temper and fills it in, never the same twice running.

The lines are data (`prompts/offline_*.md`), so an owner can read and change every one of them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from zlib import crc32

from ai_assistant.language.turning import joined
from ai_assistant.llm.offline.request_view import Persona
from ai_assistant.prompts.phrase_book import Sheet, sheets

RECENT = 20
"""How many of the character's own last lines are not said again."""
FEW = 3
"""With fewer lines than this of its own, a temper borrows from everybody's."""

_SLOT = re.compile(r"\{(\w+)\}")


class Voice:
    """The wording of one reply. `said` and the own lines so far make the choice, nothing else."""

    def __init__(self, persona: Persona, said: str, own: Sequence[str], calm: bool = False) -> None:
        """Take the persona, what is answered, and its `own` lines, oldest first.

        With `calm`, lines that ask something back are left out.
        """
        temper = [word for trait in persona.traits for word in trait.split()]
        temper += re.findall(r"\w+", " ".join(persona.greeting).lower())
        trade = re.findall(r"\w+", persona.role.lower())
        self._special: list[Sheet] = []
        for name, words in (("trades", trade), ("tempers", temper)):
            suiting = (sheet for word in words for sheet in sheets(name) if word in sheet.suits)
            self._special += [*suiting][:1]
        self._plain = sheets("lines")[0]
        self._seed = f"{persona.name}|{said}|{len(own)}"
        self._recent = own[-RECENT:]
        self._calm = calm
        self.brief = False
        """Are texts told without a lead? The second thing in one breath is."""
        self.slots: dict[str, str] = {
            "who": "",
            "me": persona.name,
            "role": persona.role,
            "home": persona.home,
            "interests": joined([interest.lower() for interest in persona.interests]),
            "traits": joined(list(persona.traits)),
        }

    def roll(self, key: str, sides: int) -> int:
        """Return a number below `sides` that this moment always gives."""
        return crc32(f"{self._seed}|{key}".encode("utf-8", "replace")) % sides

    def say(self, key: str, **slots: str) -> str:
        """Return a line for `key` that was not said lately; empty where there is none at all."""
        filled = {**self.slots, **slots}
        special = [line for sheet in self._special for line in self._fitting(sheet, key, filled)]
        common = self._fitting(self._plain, key, filled) if len(special) < FEW else []
        last = [line for sheet in self._special for line in sheet.last.get(key, ())]
        lines = special + common or last or self._plain.last.get(key, [])
        if self.brief and slots.get("text"):
            return slots["text"]

        def value(slot: re.Match[str]) -> str:
            text = filled.get(slot[1].lower(), "")
            return text[:1].upper() + text[1:] if slot[1][0].isupper() else text

        return _SLOT.sub(value, self.pick(key, lines))

    def pick(self, key: str, lines: Sequence[str]) -> str:
        """Return one of the lines: a fresh one, else the one not heard for longest."""
        fresh = [line for line in lines if self._heard(line) < 0]
        if fresh:
            return fresh[self.roll(key, len(fresh))]
        return min(lines, key=self._heard, default="")

    def anew(self, text: str) -> str:
        """Return a text, or one with other words before it, so that it is none of the last ones."""
        if text not in self._recent:
            return text
        sheets = [self._plain, *self._special]
        leads = [lead for sheet in sheets for lead in sheet.lines.get("again", ())]
        leads += [
            f"{talk} {{text}}" for sheet in sheets for talk in sheet.lines.get("small_talk", ())
        ]
        filled = (_SLOT.sub(lambda slot: text if slot[1] == "text" else "", lead) for lead in leads)
        return next((line for line in filled if line not in self._recent), text)

    def _heard(self, line: str) -> int:
        """Return when a line was last heard, whatever filled its slots; -1 for not lately."""
        telling = max(_SLOT.split(line)[::2], key=len).strip(" .,:;?!")
        return max((at for at, own in enumerate(self._recent) if telling in own), default=-1)

    def _fitting(self, sheet: Sheet, key: str, slots: Mapping[str, str]) -> list[str]:
        return [
            line
            for line in sheet.lines.get(key, ())
            if not (self._calm and "?" in line)
            and all(slots.get(slot.lower()) for slot in _SLOT.findall(line) if slot != "who")
        ]
