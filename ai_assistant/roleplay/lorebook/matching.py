"""Does an entry come to mind by what was said? Its keys, and the four logics of the secondary ones.

Keys are plain words, never patterns. What is searched is prepared once for all entries.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property, lru_cache

from ai_assistant.roleplay.lorebook.entries import Entry

_BREAK = "\n"


class Said:
    """What was said, newest first, and what entries have brought to mind so far."""

    def __init__(self, messages: Sequence[str]) -> None:
        self._messages = messages
        self._recalled: list[str] = []
        self._texts: dict[int, _Text] = {}

    def remind(self, content: str) -> None:
        """Let entries be found by the content of another one from now on."""
        self._recalled.append(content)
        self._texts.clear()

    def within(self, depth: int, *, recalled: bool) -> _Text:
        """Return the newest `depth` messages as one text, with what came to mind if `recalled`."""
        key = depth if recalled else -1 - depth
        if key not in self._texts:
            parts = [*self._messages[:depth], *(self._recalled if recalled else ())]
            self._texts[key] = _Text(_BREAK.join(parts))
        return self._texts[key]


class _Text:
    """A text to be searched, as it is and in small letters."""

    def __init__(self, text: str) -> None:
        self._text = text

    @cached_property
    def _small(self) -> str:
        return self._text.casefold()

    def holds(self, key: str, entry: Entry) -> bool:
        """Does it hold the key, in the way that the entry wants it found?"""
        text, wanted = self._small, key.casefold()
        if entry.case_sensitive:
            text, wanted = self._text, key
        if wanted not in text:
            return False
        return not entry.whole_words or bool(_whole(wanted).search(text))


@lru_cache(maxsize=4096)
def _whole(word: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w){re.escape(word)}(?!\w)")


def key_in(entry: Entry, text: _Text) -> str:
    """Return the first key by which an entry is found; empty where it is not.

    Its secondary keys must agree, and none of the excluded ones may be there.
    """
    found = next((key for key in entry.keys if text.holds(key, entry)), "")
    if not found or any(text.holds(key, entry) for key in entry.excluded):
        return ""
    return found if _agree(entry, text) else ""


def _agree(entry: Entry, text: _Text) -> bool:
    if not entry.secondary:
        return True
    hits = (text.holds(key, entry) for key in entry.secondary)
    if entry.logic == "and_any":
        return any(hits)
    if entry.logic == "and_all":
        return all(hits)
    return not any(hits) if entry.logic == "not_any" else not all(hits)
