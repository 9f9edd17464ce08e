"""The phrase book of the offline model: sheets of lines, one for each temper and trade.

A voice picks from them, never the same twice running. The lines are data (`offline_*.md`), so an
owner can read and change every one of them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from zlib import crc32

RECENT = 20
"""How many of the character's own last lines are not said again."""
FEW = 3
"""With fewer lines than this of its own, a temper borrows from everybody's."""
_SLOT = re.compile(r"\{(\w+)\}")
_QUOTED = re.compile('["“„«「]')


@dataclass(frozen=True, slots=True)
class Sheet:
    """The lines of one temper or trade."""

    name: str
    """The temper or trade; `everybody` suits all."""
    suits: frozenset[str] = frozenset()
    """Words of a persona that it suits, in small letters."""
    lines: dict[str, list[str]] = field(default_factory=dict)
    """Templates by key; a `{slot}` is filled from the request."""
    last: dict[str, list[str]] = field(default_factory=dict)
    """By key too: used where none of `lines` can be filled."""


def read_sheets(text: str) -> list[Sheet]:
    """Read sheets: ``# name``, ``Suits: words``, ``## key``, then ``- line`` and ``* last``."""
    sheets: list[Sheet] = []
    key = ""
    for row in text.splitlines():
        mark, _, rest = row.partition(" ")
        if mark == "#":
            sheets.append(Sheet(rest.strip()))
        elif mark == "Suits:":
            sheets[-1] = Sheet(sheets[-1].name, frozenset(rest.split()))
        elif mark == "##":
            key = rest.strip()
        elif mark in {"-", "*"} and key:
            lines = sheets[-1].lines if mark == "-" else sheets[-1].last
            lines.setdefault(key, []).append(rest.strip())
    return sheets


@cache
def sheets(name: str) -> list[Sheet]:
    """Return the sheets of ``prompts/offline_<name>.md``, read once."""
    file = resources.files("ai_assistant") / f"prompts/offline_{name}.md"
    return read_sheets(file.read_text("utf-8"))


class Voice:
    """The wording of one reply, of the sheets that suit a character and of everybody's.

    Its `seed` and the `own` lines so far, oldest first, make the choice, nothing else. With `calm`,
    lines that ask something back are left out.
    """

    def __init__(
        self, special: Sequence[Sheet], slots: dict[str, str], seed: str, own: Sequence[str],
        calm: bool = False,
    ) -> None:  # fmt: skip
        """Take the sheets of its own, and what fills the slots of all lines."""
        self.slots = slots
        self.brief = False
        """Are texts told without a lead? The second thing in one breath is."""
        self._special = special
        self._plain = sheets("lines")[0]
        self._seed = f"{seed}|{len(own)}"
        self._recent = own[-RECENT:]
        self._calm = calm

    def roll(self, key: str, sides: int) -> int:
        """Return a number below `sides` that this moment always gives."""
        return crc32(f"{self._seed}|{key}".encode("utf-8", "replace")) % sides

    def say(self, key: str, **slots: str) -> str:
        """Return a line for `key` that was not said lately; empty where there is none at all.

        Words that quote somebody already are not put in quotation marks again.
        """
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

        if _QUOTED.search(slots.get("text", "")):
            lines = [line.replace('"{text}"', "{text}") for line in lines]
        said = {line: _SLOT.sub(value, line) for line in lines}
        unsaid = [line for line, text in said.items() if text not in self._recent]
        return said.get(self.pick(key, unsaid or lines), "")

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
