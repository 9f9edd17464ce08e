"""What a job answered: the list or the object in a model's text, repaired where it breaks.

For the work behind the scenes only, whose answers are checked one by one afterwards. What a
character does is never completed by guessing: see `llm.jsontext`.
"""

from __future__ import annotations

import re
from typing import Any, SupportsIndex

import json_repair

from ai_assistant.contracts import Json
from ai_assistant.llm.jsontext import ATTEMPTS, LONGEST, is_sound, value_at

LOOKS, LOOKS_AT_LEAST, LOOKS_AT_MOST = 6, 1000, 22_000
"""How often each character of a text may be looked at to repair it, and any text."""
_BEGINS = re.compile(r"\[(?=\s*(?:[\[{\]\"'\d-]|\Z))|\{(?=\s*[}\"'])")
_OBJECT = re.compile(r"\{(?=\s*[}\"'])")


def answer_list(text: str) -> list[Any]:
    """Return the list that an answer is, the one list in its object, or its objects."""
    values: list[Any] = []
    begins = _BEGINS.search(text)
    for _ in range(ATTEMPTS):
        if begins is None:
            break
        value, end = _value(text, begins.start())
        if isinstance(value, list):
            return value
        lists = [one for one in value.values() if isinstance(one, list)]
        if len(lists) == len(value) == 1:
            return lists[0]
        values += [value] if value else []
        begins = _OBJECT.search(text, end)
    return values


def answer_objects(text: str) -> list[Json]:
    """Return the objects of the list that an answer is; what else stands in it is left out."""
    return [one for one in answer_list(text) if isinstance(one, dict)]


def answer_object(text: str) -> Json:
    """Return the first object in an answer; an empty one where there is none."""
    begins = _OBJECT.search(text)
    value = _value(text, begins.start())[0] if begins else {}
    return value if isinstance(value, dict) else {}


class _Metered(str):
    """A text that can be looked at only so often.

    A repair looks at each character of a broken answer about twice; of a hostile one, as often as
    the text is long, and longer than any game can wait.
    """

    looks = 0

    def __getitem__(self, at: SupportsIndex | slice) -> str:
        """Return the characters there. Raises ValueError when there were too many looks."""
        self.looks += 1
        if self.looks > min(LOOKS * len(self) + LOOKS_AT_LEAST, LOOKS_AT_MOST):
            raise ValueError("This text cannot be repaired.")
        found = super().__getitem__(at)
        return self._counted(found) if isinstance(at, slice) and at.start is None else found

    def __add__(self, more: str) -> str:
        """Return the text that a repair goes on with: what was looked at counts."""
        return self._counted(super().__add__(more))

    def _counted(self, text: str) -> _Metered:
        made = _Metered(text)
        made.looks = self.looks
        return made


def _value(text: str, at: int) -> tuple[Any, int]:
    """Return the value that begins here, repaired if need be, and where it ends."""
    found = value_at(text, at)
    if found:
        return found
    try:
        value = json_repair.loads(_Metered(text[at : at + LONGEST]), skip_json_loads=True)
    except (ValueError, RecursionError):
        value = None
    usable = isinstance(value, dict | list) and is_sound(value)
    return (value if usable else {}), len(text)
